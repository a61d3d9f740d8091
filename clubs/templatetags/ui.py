"""Template tags of the design system: suits, icons, numbers, fields, status words."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.forms import BoundField
from django.http import HttpRequest
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubs.templatetags.drawings import ICONS, SUITS
from clubs.text.numbers import SUIT_NAMES, money, number, seat_name, side_name, signed, suit_name

register = template.Library()
for words in (number, money, signed, suit_name, seat_name, side_name):
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


@register.inclusion_tag("components/field.html")
def field(bound: BoundField, *, segmented: bool = False) -> Mapping[str, Any]:
    """A form field with label, hint and error; ``segmented`` draws radios as one control."""
    return {"field": bound, "segmented": segmented}


@register.inclusion_tag("components/breadcrumbs.html")
def breadcrumbs(*parts: str) -> Mapping[str, list[tuple[str, str]]]:
    """The way here as links, from ``label, url, label, url, …``; a last lone label is this page."""
    labels, urls = parts[::2], [*parts[1::2], ""]
    return {"crumbs": list(zip(labels, urls, strict=False))}
