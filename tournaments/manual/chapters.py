"""The chapters of the manual and their sections, as the templates of each language have them."""

import html
import re
from dataclasses import dataclass
from functools import cache

from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.html import strip_tags
from django.utils.translation import gettext_lazy as _

_SECTION = re.compile(
    r'<section id="([a-z-]+)"(?: data-words="([^"]*)")?>(.*?)</section>', re.DOTALL
)
_TITLE = re.compile(r"<h2>(.*?)</h2>", re.DOTALL)
_FIGURE = re.compile(r"<figure.*?</figure>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter for one kind of person."""

    slug: str
    title: str | Promise
    about: str | Promise


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a chapter in one language: what is read there, and `words` that people may look
    for although the text says it otherwise."""

    chapter: str
    slug: str
    title: str
    text: str
    words: str

    @property
    def key(self) -> str:
        """What templates and the list of pages call it, such as `table/roem`."""
        return f"{self.chapter}/{self.slug}"


CHAPTERS = (
    Chapter("player", _("For players"), _("Where do I sit, how do I stand, what do people see.")),
    Chapter("table", _("At the table"), _("For who writes the deals, on a phone or on paper.")),
    Chapter("director", _("Running an evening"), _("From ticking who is here to the prizes.")),
    Chapter("organiser", _("Running the club"), _("Members, seasons, rules, and who may do what.")),
    Chapter("computer", _("The laptop and the wifi"), _("Starting it, phones, copies, passwords.")),
)


def chapter_template(language: str, chapter: str) -> str:
    """The template with the text of a chapter."""
    return f"tournaments/manual/{language}/{chapter}.html"


@cache
def sections(language: str) -> tuple[Section, ...]:
    """All sections in this language, in the order of the manual; read once by each process.

    Under `runserver` titles and search results of a chapter that is being edited stay as they were
    until it starts again.
    """
    return tuple(
        section for chapter in CHAPTERS for section in _sections_of(language, chapter.slug)
    )


def sections_of(language: str, chapter: str) -> list[Section]:
    """The sections of one chapter."""
    return [section for section in sections(language) if section.chapter == chapter]


def section_title(language: str, key: str) -> str:
    """The title of the section with this key. Raises KeyError if there is none."""
    return _titles(language)[key]


@cache
def _titles(language: str) -> dict[str, str]:
    return {section.key: section.title for section in sections(language)}


def _sections_of(language: str, chapter: str) -> list[Section]:
    markup = render_to_string(chapter_template(language, chapter))
    return [
        Section(
            chapter,
            slug,
            _plain(_title(inside)),
            _plain(_TITLE.sub("", inside)),
            html.unescape(words or ""),
        )
        for slug, words, inside in _SECTION.findall(markup)
    ]


def _title(inside: str) -> str:
    title = _TITLE.search(inside)
    if title is None:
        raise ValueError(f"a section of the manual has no title: {inside[:60]}")
    return title[1]


def _plain(markup: str) -> str:
    """What is read of this markup, pictures left out."""
    words = strip_tags(_FIGURE.sub(" ", markup).replace("<", " <"))
    plain = " ".join(html.unescape(words).split())
    return re.sub(r" ([.,;:)])", r"\1", plain)
