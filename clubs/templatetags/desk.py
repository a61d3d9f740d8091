"""The sections of a club's desk, for whoever is looking."""

from dataclasses import dataclass

from django import template
from django.template import Context
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.access.roles import caller_of, is_organiser
from clubs.models import Club

register = template.Library()

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
class Section:
    """A link in the header of the desk."""

    label: str
    url: str
    current: bool


@register.simple_tag(takes_context=True)
def desk_sections(context: Context, club: Club, current: str = "") -> list[Section]:
    """What this person may open at the desk of `club`; `current` is where he is."""
    organises = is_organiser.test(caller_of(context["request"]), club)
    sections = (*FOR_ALL, *FOR_ORGANISERS) if organises else FOR_ALL
    return [
        Section(str(label), url, name == current)
        for name, label, view in sections
        if (url := _url(view, club))
    ]


def _url(view: str, club: Club) -> str:
    try:
        return reverse(view, args=[club.slug])
    except NoReverseMatch:
        return ""
