"""Template tags of the design system: suits, icons, numbers, fields, status words."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import template
from django.forms import BoundField
from django.http import HttpRequest
from django.template import Context
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.templatetags.drawings import ICONS, SUITS

register = template.Library()

SUIT_NAMES = {
    "C": pgettext_lazy("suit", "clubs"),
    "D": pgettext_lazy("suit", "diamonds"),
    "H": pgettext_lazy("suit", "hearts"),
    "S": pgettext_lazy("suit", "spades"),
}
SEAT_NAMES = {"N": _("North"), "E": _("East"), "S": _("South"), "W": _("West")}
SIDE_NAMES = {"NS": pgettext_lazy("side", "We"), "EW": pgettext_lazy("side", "They")}
STATUS_NAMES = {
    "draft": (_("draft"), "pencil"),
    "live": (_("being played"), "live"),
    "frozen": (_("frozen"), "lock"),
    "closed": (_("closed"), "check"),
    "published": (_("published"), "check"),
    "cancelled": (_("cancelled"), "remove"),
    "warning": (_("look at this"), "warning"),
}
NO_VALUE = "–"
MINUS = "\N{MINUS SIGN}"


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


@register.filter
def suit_name(code: str) -> str:
    """The translated name of suit C, D, H or S, or of "NT"."""
    return str(_("no trump") if code == "NT" else SUIT_NAMES[code])


@register.filter
def seat_name(code: str) -> str:
    """The translated name of seat N, E, S or W."""
    return str(SEAT_NAMES[code])


@register.filter
def side_name(code: str) -> str:
    """What a score sheet calls side NS or EW: we and they (wij, zij)."""
    return str(SIDE_NAMES[code])


@register.filter
def number(value: float | Decimal | None, decimals: int | None = None) -> str:
    """The number with the language's thousands separator and a true minus; a dash for None."""
    if value is None:
        return NO_VALUE
    shown = number_format(value, decimal_pos=decimals, use_l10n=True, force_grouping=True)
    return shown.replace("-", MINUS)


@register.filter
def signed(value: int | None) -> str:
    """A difference with its sign: +120, −40, 0; a dash for None."""
    return f"+{number(value)}" if value and value > 0 else number(value)


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
