"""Links to the manual, and its pictures."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse
from django.utils.translation import get_language

from tournaments.manual import pages
from tournaments.manual.pages import section_title

register = template.Library()

PICTURES = Path(pages.__file__).with_name("pictures.json")
"""What the browser test that makes the pictures wrote down of each."""


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
