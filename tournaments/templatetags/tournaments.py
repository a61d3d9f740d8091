"""What templates ask for that no view gives them: of an evening its start, the rounds to print, its
folders, and charts drawn as SVG; match days in words; what chat programs show of a page; and the
manual."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse
from django.utils.formats import date_format, time_format
from django.utils.html import json_script
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.http.network import absolute_url, is_private
from clubs.models import Club
from clubs.text.names import name_key
from scoring.display.words import pit_word
from tournaments.draw.core.models import BLOCK_LENGTH
from tournaments.duplicate.published import results_published, results_shown
from tournaments.duplicate.views.public import ranking_tables
from tournaments.evenings.texts import start_words
from tournaments.evenings.workflow import EveningProgress
from tournaments.manual import pages
from tournaments.manual.pages import section_title
from tournaments.models import DuplicateEvening, Evening, MatchDay, Release, Round
from tournaments.players.charts import HEIGHT, RIGHT, WIDTH, Chart, chart_drawing
from tournaments.printing.draw_pdf import block_of, evening_seating
from tournaments.results.link_previews import LinkPreview
from tournaments.scoresheets.data import table_texts
from tournaments.story.queries import evening_story, names_for
from tournaments.story.texts import card_of, card_preview, last_release, story_sentences

register = template.Library()
CANONICAL = "standing", "release", "season", "evening"
"""The query parameters that make an address another page."""
PICTURES = Path(pages.__file__).with_name("pictures.json")
"""What the browser test that makes the pictures wrote down of each."""


@register.simple_tag
def rounds_to_print(progress: EveningProgress) -> list[int]:
    """The numbers of the rounds with a final draw that are not closed.

    Of a rotation's block, whose tables stay together, only the first round. Two queries if a
    rotation has more final rounds than one block.
    """
    final = [round_ for round_ in progress.rounds if round_.state != Round.State.DRAFT]
    coming = [round_.number for round_ in final if round_.state != Round.State.CLOSED]
    if progress.evening.method != Evening.Method.ROTATION:
        return coming
    return _one_of_each_block(progress.evening, coming) if len(final) > BLOCK_LENGTH else coming[:1]


@register.simple_tag
def sheets_to_print(progress: EveningProgress) -> list[int]:
    """The number of the round that comes, if its draw is final, and then of each being played."""
    coming = progress.first(Round.State.DRAWN)
    playing = [each.number for each in progress.rounds if each.state == Round.State.RUNNING]
    return [coming.number, *playing] if coming else playing


def _one_of_each_block(evening: Evening, numbers: Sequence[int]) -> list[int]:
    seating = evening_seating(evening)
    first: dict[int, int] = {}
    for number in numbers:
        first.setdefault(block_of(seating, number)[0].number, number)
    return list(first.values())


@register.inclusion_tag("tournaments/players/chart.html", name="chart")
def chart_figure(chart: Chart) -> dict[str, object]:
    """The chart as one picture, with a title and a description for screen readers."""
    return {
        "chart": chart,
        "drawing": chart_drawing(chart),
        "box": f"0 0 {WIDTH} {HEIGHT}",
        "right": str(RIGHT),
    }


@register.simple_tag(name="table_texts")
def table_texts_script(club: Club) -> SafeString:
    """The texts, as data that the page's scripts read."""
    return json_script(table_texts(club), "table-texts")


register.filter(start_words)


@register.inclusion_tag("tournaments/duplicate/places.html")
def folder_places(evening: Evening, release: Release | None) -> dict[str, Any]:
    """The places by line as in this release, else as they are now; none while points are hidden.
    At most six queries."""
    if release is not None and release.folders is not None:
        results = results_published(release)
    elif evening.shows_scores:
        results = results_shown(evening)
    else:
        return {}
    return {
        "club": evening.club,
        "evening": evening,
        "tables": ranking_tables(evening.club, results),
        "by_points": results.duplicate.compare != DuplicateEvening.Comparison.MATCHPOINTS,
    }


@register.filter
def day_name(day: MatchDay) -> str:
    """Its number, and its date if it has one."""
    words = _("match day %(n)s") % {"n": day.number}
    return f"{words}, {_date(day)}" if day.date else words


@register.filter
def day_where(day: MatchDay) -> str:
    """When and where it is, and who hosts; not the place where the name of the host says it."""
    when = _date(day) if day.date else _("The date is not known yet")
    if day.date and day.starts_at:
        when += f", {time_format(day.starts_at, 'H:i')}"
    name = day.host.name if day.host else ""
    host = _("%(name)s hosts") % {"name": name} if name else _("central")
    is_said = f"{name_key(name)} ".startswith(f"{name_key(day.place)} ")
    return " · ".join([when, host, *([day.place] if day.place and not is_said else [])])


def _date(day: MatchDay) -> str:
    return date_format(day.date, "l j F Y") if day.date else ""


@register.simple_tag
def story_of(evening: Evening, release: Release | None) -> list[str]:
    """The sentences of a published evening."""
    facts = evening_story(evening, release)
    people = {person for fact in facts for person in (*fact.people, *fact.others)}
    return story_sentences(facts, names_for(evening.club, people), pit_word(evening.club))


@register.simple_tag(takes_context=True)
def player_preview(context: Context) -> LinkPreview | None:
    """The preview of a player's evening, with their card; none before it is published, or where
    they have no line in the result."""
    evening, own = context["evening"], context["own"]
    release = last_release(evening) if own else None
    if release is None:
        return None
    member = context["member"]
    card = card_of(evening, release, member, own)
    return card_preview(evening, member, card)


@register.inclusion_tag("tournaments/story/share.html")
def share_links(
    club: Club, path: str, title: str, words: str, picture: str = ""
) -> dict[str, object]:
    """Buttons that share the page at this path; `words` say what it is, and `picture` is the path
    of a picture of it."""
    url = absolute_url(club, path)
    return {
        "url": url,
        "title": title,
        "words": words,
        "whatsapp": f"https://wa.me/?text={quote(f'{words} {url}')}",
        "is_private": is_private(url),
        "picture": picture,
    }


@register.inclusion_tag("tournaments/results/unfurl.html", takes_context=True)
def unfurl(
    context: Context, title: str = "", description: str = "", preview: LinkPreview | None = None
) -> dict[str, object]:
    """Title, description, address and picture of the page: those of this `preview` or that in the
    context, else these words with the club's picture."""
    club: Club = context["club"]
    preview = preview or context.get("preview")
    request = context["request"]
    query = {name: request.GET[name] for name in CANONICAL if request.GET.get(name)}
    path = request.path + (f"?{urlencode(query)}" if query else "")
    return {
        "club": club,
        "title": preview.title if preview else title,
        "description": preview.description if preview else description,
        "address": absolute_url(club, path),
        "picture": absolute_url(club, _picture(club, preview)),
    }


def _picture(club: Club, preview: LinkPreview | None) -> str:
    """The address of the picture, which changes whenever the picture does."""
    if preview is None:
        return reverse("club_card", args=[club.slug])
    return f"{preview.picture}{'&' if '?' in preview.picture else '?'}v={preview.version}"


@register.simple_tag(takes_context=True)
def manual_here(context: Context) -> str:
    """The address of the section about the page that is shown, else of the manual."""
    request: HttpRequest | None = context.get("request")
    match = request.resolver_match if request else None
    key = pages.SECTIONS.get(match.url_name or "") if match else None
    return manual_address(key) if key else reverse("manual_home")


@register.simple_tag
def manual_address(key: str) -> str:
    """The address of a section, such as `table/roem`."""
    chapter, _slash, section = key.partition("/")
    return f"{reverse('manual_chapter', args=[chapter])}#{section}"


@register.inclusion_tag("components/help.html")
def help_about(key: str) -> dict[str, str]:
    """A question mark that leads to a section; KeyError where there is none of this key."""
    return {"address": manual_address(key), "title": section_title(get_language() or "nl", key)}


@register.inclusion_tag("tournaments/manual/picture.html")
def picture(key: str, words: str) -> dict[str, Any]:
    """The picture of a chapter in the reader's language, such as `table/pad`; `words` for who
    does not see it. KeyError where the test has made none."""
    language = get_language() or "nl"
    size = pictures()[language][key]
    path = f"tournaments/manual/{key}.{language}.webp"
    return {"path": path, "width": size["width"], "height": size["height"], "words": words}


@cache
def pictures() -> dict[str, dict[str, dict[str, Any]]]:
    """By language and key, the size of each picture and the controls that it shows."""
    read: dict[str, dict[str, dict[str, Any]]] = json.loads(PICTURES.read_text("utf-8"))
    return read
