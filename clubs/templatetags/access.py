"""Permissions in templates, and the sections of a club's desk that the reader may open."""

from dataclasses import dataclass

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.access.permissions import ACTIONS, READ_DESK, Target, caller_of, is_organiser
from clubs.access.permissions import may as caller_may
from clubs.models import Club, Role

register = template.Library()


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
