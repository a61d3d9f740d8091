"""Template tags of the design system: suits and icons as SVG, numbers, fields, status words; and of
who reads: what they may do, and which sections of a club's desk they may open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.conf import settings
from django.forms import BoundField
from django.http import HttpRequest
from django.template import Context
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.access.permissions import ACTIONS, READ_DESK, Target, caller_of, is_organiser
from clubs.access.permissions import may as caller_may
from clubs.models import Club, Role
from clubs.text.numbers import (
    SUIT_NAMES,
    money,
    money_signed,
    number,
    seat_name,
    side_name,
    signed,
    suit_name,
)

SUITS: Final[dict[str, str]] = {
    "C": (
        "M16 2a6.4 6.4 0 0 1 5 10.4c-.6.8-.9 1.4-1 1.9.6-.3 1.4-.6 2.3-.7a6.3 6.3 0 1 1 .2"
        " 12.5c-2.2-.1-4-1.2-5.3-2.9.2 2.9 1.3 4.9 3.6 6.3v.9h-9.6v-.9c2.3-1.4"
        " 3.4-3.4 3.6-6.3-1.3 1.7-3.1 2.8-5.3 2.9a6.3 6.3 0 1 1 .2-12.5c.9.1"
        " 1.7.4 2.3.7-.1-.5-.4-1.1-1-1.9A6.4 6.4 0 0 1 16 2z"
    ),
    "D": (
        "M16 1.6C18.8 6.8 22.6 11.8 27 16 22.6 20.2 18.8 25.2 16 30.4 13.2 25.2 9.4 20.2 5 16"
        " 9.4 11.8 13.2 6.8 16 1.6zM16 5.9C18 9.6 20.6 13.1 23.7 16 20.6 18.9 18 22.4 16 26.1"
        " 14 22.4 11.4 18.9 8.3 16 11.4 13.1 14 9.6 16 5.9zM16 9.4C17.3 11.8 19 14.1 21.1 16"
        " 19 17.9 17.3 20.2 16 22.6 14.7 20.2 13 17.9 10.9 16 13 14.1 14.7 11.8 16 9.4z"
    ),
    "H": (
        "M16 29.5C12 23.4 2.6 18.6 2.6 10.6 2.6 6.2 5.7 3.2 9.4 3.2 12.3 3.2 14.7 4.9 16 7.8"
        " 17.3 4.9 19.7 3.2 22.6 3.2 26.3 3.2 29.4 6.2 29.4 10.6 29.4 18.6 20 23.4 16 29.5z"
        "M16 25.5C13 21 6.1 17.4 6.1 11.5 6.1 8.2 8.4 6 11.1 6 13.3 6 15 7.3 16 9.4 17 7.3 18.7 6"
        " 20.9 6 23.6 6 25.9 8.2 25.9 11.5 25.9 17.4 19 21 16 25.5zM16 22.4C13.8 19.1 8.8 16.5"
        " 8.8 12.2 8.8 9.8 10.4 8.2 12.4 8.2 14 8.2 15.3 9.1 16 10.7 16.7 9.1 18 8.2 19.6 8.2"
        " 21.6 8.2 23.2 9.8 23.2 12.2 23.2 16.5 18.2 19.1 16 22.4z"
    ),
    "S": (
        "M16 1.8c2.3 4.3 5.2 6.6 8.2 9.2 2.8 2.5 4.8 4.9 4.8 8.2 0 3.7-2.7"
        " 6.3-6 6.3-2.2 0-4-1-5.3-2.6.2 2.7 1.3 4.5 3.5 6v.9h-10.4v-.9c2.2-1.5"
        " 3.3-3.3 3.5-6-1.3 1.6-3.1 2.6-5.3 2.6-3.3 0-6-2.6-6-6.3 0-3.3"
        " 2-5.7 4.8-8.2C10.8 8.4 13.7 6.1 16 1.8z"
    ),
}

ICONS: Final[dict[str, str]] = {
    "check": "M9.5 18.6 3.6 12.7l2.1-2.1 3.8 3.8L18.3 5.6l2.1 2.1z",
    "info": "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm1.3 15.5h-2.6v-7h2.6zm0-8.7h-2.6V6.3h2.6z",
    "warning": "M12 2 .8 21.5h22.4zm1.3 16.5h-2.6v-2.6h2.6zm0-4h-2.6V8.7h2.6z",
    "error": "M7.9 2 2 7.9v8.2L7.9 22h8.2l5.9-5.9V7.9L16.1 2zm5.4 15.5h-2.6v-2.6h2.6z"
    "m0-4h-2.6V6.3h2.6z",
    "erase": "M8.2 4.5h12.3v15H8.2L2 12zm2.3 4 3.6 3.5-3.6 3.5 1.5 1.5 3.5-3.6 3.5 3.6 1.5-1.5"
    "-3.6-3.5L20.5 8.5 19 7l-3.5 3.6L12 7z",
    "back": "M11.2 4.5 3.7 12l7.5 7.5 1.9-1.9-4.3-4.3h11.5v-2.6H8.8l4.3-4.3z",
    "next": "M12.8 4.5 20.3 12l-7.5 7.5-1.9-1.9 4.3-4.3H3.7v-2.6h11.5l-4.3-4.3z",
    "up": "M12 6 4.5 16.5h15z",
    "down": "M12 18 4.5 7.5h15z",
    "menu": "M3 5h18v2.6H3zm0 5.7h18v2.6H3zm0 5.7h18V19H3z",
    "print": "M6.5 2.5h11v5h-11zM3 9h18v9h-3.5v-4h-11v4H3zm5.5 7h7v5.5h-7z",
    "remove": "M6.3 4.5 12 10.2l5.7-5.7 1.8 1.8-5.7 5.7 5.7 5.7-1.8 1.8-5.7-5.7-5.7"
    " 5.7-1.8-1.8 5.7-5.7-5.7-5.7z",
    "search": "M10 3a7 7 0 0 1 5.5 11.3l5.3 5.3-1.7 1.7-5.3-5.3A7 7 0 1 1 10 3zm0 2.4a4.6"
    " 4.6 0 1 0 0 9.2 4.6 4.6 0 0 0 0-9.2z",
    "pencil": "M16.5 2.5 21.5 7.5 8.3 20.7 2.5 21.5l.8-5.8zM6 16.3l-.4 2.1 2.1-.4z",
    "lock": "M7 10V7.5a5 5 0 0 1 10 0V10h2v11.5H5V10zm2.5 0h5V7.5a2.5 2.5 0 0 0-5 0z",
    "again": "M12 4a8 8 0 0 1 6.6 3.5L21 5v7h-7l2.8-2.8A5.4 5.4 0 1 0 17 14.2l2.2 1.3A8 8 0 1 1 12"
    " 4z",
    "swap": "M7.5 3 3 7.5 7.5 12l1.7-1.7-1.6-1.6H20V6.3H7.6l1.6-1.6zM16.5 12l-1.7 1.7 1.6 1.6H4v2.4"
    "h12.4l-1.6 1.6 1.7 1.7 4.5-4.5z",
    "share": "M18 15.5a3 3 0 0 0-2.2 1l-7-3.7a3 3 0 0 0 0-1.6l7-3.7A3 3 0 1 0 15 5.5v.6L8 9.8a3 3 0"
    " 1 0 0 4.4l7 3.7v.6a3 3 0 1 0 3-3z",
    "live": "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10z",
}


register = template.Library()
for words in (number, money, money_signed, signed, suit_name, seat_name, side_name):
    register.filter(words)

STATUS_NAMES = {
    "draft": (_("draft"), "pencil"),
    "live": (_("being played"), "live"),
    "frozen": (_("frozen"), "lock"),
    "closed": (_("closed"), "check"),
    "published": (_("published"), "check"),
    "cancelled": (_("cancelled"), "remove"),
    "warning": (_("look at this"), "warning"),
}


@register.simple_tag
def suit(code: str) -> SafeString:
    """The drawn symbol of suit C, D, H or S with its name, or the words for "NT"; KeyError else."""
    if code == "NT":
        return format_html('<span class="suit-NT">{}</span>', _("no trump"))
    return format_html(
        '<svg class="suit suit-{0}" viewBox="0 0 32 32" role="img" aria-label="{1}">'
        '<path fill-rule="evenodd" d="{2}"/></svg>',
        code,
        SUIT_NAMES[code],
        SUITS[code],
    )


@register.simple_tag
def pip(code: str) -> SafeString:
    """A suit as decoration, without a name; for use beside words that say the same."""
    return format_html(
        '<svg class="suit suit-{0}" viewBox="0 0 32 32" aria-hidden="true" focusable="false">'
        '<path fill-rule="evenodd" d="{1}"/></svg>',
        code,
        SUITS[code],
    )


@register.simple_tag
def icon(name: str) -> SafeString:
    """A small drawing that only accompanies words, so hidden from screen readers."""
    return format_html(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        '<path fill-rule="evenodd" d="{}"/></svg>',
        ICONS[name],
    )


@register.simple_tag
def status(code: str, words: str = "") -> SafeString:
    """A state as a badge with icon and word, such as "draft" or "live"; KeyError else.

    ``words`` replaces the usual word where the page can say it better.
    """
    name, drawing = STATUS_NAMES[code]
    return format_html(
        '<span class="status status-{}">{} {}</span>', code, icon(drawing), words or name
    )


@register.simple_tag(takes_context=True)
def theme_attribute(context: Context) -> SafeString:
    """`` data-theme="dark"`` or ``"light"`` where this browser chose one, else nothing."""
    request: HttpRequest | None = context.get("request")
    choice = request.COOKIES.get("theme") if request else None
    if choice not in ("light", "dark"):
        return SafeString("")
    return format_html(' data-theme="{}"', choice)


@register.simple_tag
def program() -> str:
    """What somebody types on the server's computer before the name of a command."""
    return settings.PROGRAM


@register.simple_tag
def server_texts() -> list[tuple[str, Any]]:
    """The texts of whoever runs this server that are there: the address and the title of each."""
    texts = {"terms": (settings.TERMS, _("Terms of use"))}
    texts["privacy"] = settings.PRIVACY, _("What happens to data")
    return [(reverse(name), title) for name, (text, title) in texts.items() if text]


@register.inclusion_tag("components/field.html")
def field(bound: BoundField, *, segmented: bool = False) -> Mapping[str, Any]:
    """A form field with label, hint and error; ``segmented`` draws radios as one control."""
    return {"field": bound, "segmented": segmented}


@register.inclusion_tag("components/breadcrumbs.html")
def breadcrumbs(*parts: str) -> Mapping[str, list[tuple[str, str]]]:
    """The way here as links, from ``label, url, label, url, …``; a last lone label is this page."""
    labels, urls = parts[::2], [*parts[1::2], ""]
    return {"crumbs": list(zip(labels, urls, strict=False))}


@register.simple_tag(takes_context=True)
def organisers_to_ask(context: Context) -> str:
    """The names of the organisers of the club that the page is of, for who has a task there;
    others learn of nobody."""
    request: HttpRequest | None = context.get("request")
    club: Club | None = getattr(request, "club", None)
    if request is None or club is None or not caller_may(request, READ_DESK, club):
        return ""
    organisers = club.roles.filter(kind=Role.Kind.ORGANISER).select_related("user")
    return ", ".join(sorted(str(role.user) for role in organisers))


@register.simple_tag(takes_context=True)
def may(context: Context, name: str, target: Target) -> bool:
    """Whether the reader may do the action of this name to `target`, and it can be done now.

    Raises KeyError for a name that is no action.
    """
    return caller_may(context["request"], ACTIONS[name], target)


FOR_ALL = (
    ("desk", pgettext_lazy("section", "Desk"), "desk"),
    ("evenings", _("Evenings"), "evening_list"),
)
FOR_ORGANISERS = (
    ("members", _("Members"), "member_list"),
    ("seasons", _("Seasons"), "season_list"),
    ("settings", _("Settings"), "club_settings"),
)


@dataclass(frozen=True, slots=True)
class DeskSection:
    """A link in the header of the desk."""

    label: str
    url: str
    current: bool


@register.simple_tag(takes_context=True)
def desk_sections(context: Context, club: Club, current: str = "") -> list[DeskSection]:
    """The sections of the desk of `club` that the reader may open; `current` is the open one."""
    organises = is_organiser.test(caller_of(context["request"]), club)
    sections = (*FOR_ALL, *FOR_ORGANISERS) if organises else FOR_ALL
    return [
        DeskSection(str(label), url, name == current)
        for name, label, view in sections
        if (url := _url(view, club))
    ]


def _url(view: str, club: Club) -> str:
    try:
        return reverse(view, args=[club.slug])
    except NoReverseMatch:
        return ""
