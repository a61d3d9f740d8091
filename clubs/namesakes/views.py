"""Saying on a page that somebody has a name that was on the list already."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from clubs.access.permissions import MANAGE_MEMBERS, may
from clubs.models import Club, Member
from clubs.text.names import name_key


def named_like(member: Member) -> list[Member]:
    """Everybody of the club with the name of this person, themselves too, the newest last."""
    named = Member.objects.filter(club=member.club_id, erased_at=None)
    return list(named.filter(name_key__exact=name_key(member.name)[:200]).order_by("pk"))


def marked_people(club: Club) -> dict[int, str]:
    """Everybody of the club who shares their name, by id: as the desk reads them. One query."""
    return Member.objects.of(club).exclude(mark="").by_surname().desk_names()


MOST_NAMED = 12


def namesakes_said(request: HttpRequest, member: Member) -> None:
    """Say who else has the name of this person; with a link to what tells them apart, for readers
    who may change it."""
    named = named_like(member)
    if len(named) < 2:
        return
    words = namesakes_words(named, member)
    if may(request, MANAGE_MEMBERS, member.club):
        url = reverse("member_edit", args=[member.club.slug, member.pk])
        link = _("Type yourself what tells them apart")
        words = format_html('{} <a href="{}#id_addition">{}</a>', words, url, link)
    messages.warning(request, words)


@contextmanager
def new_namesakes_said(request: HttpRequest, club: Club) -> Iterator[None]:
    """Around the reading of a list: say afterwards who share their name now and did not before."""
    before = marked_people(club)
    yield
    names = [name for pk, name in marked_people(club).items() if pk not in before]
    if names:
        shown = names[:MOST_NAMED] + (["…"] if len(names) > MOST_NAMED else [])
        words = _("Some people have the same name. On lists they now stand as %(names)s.")
        messages.warning(request, words % {"names": ", ".join(shown)})


def namesakes_words(named: Sequence[Member], member: Member) -> str:
    """Who of these people had the name of this member before, and how lists show them now."""
    others = [other for other in named if other.pk != member.pk]
    words = _("There is already a %(name)s. On lists they now stand as %(shown)s.")
    return words % {
        "name": get_text_list([_described(other) for other in others], _("and")),
        "shown": get_text_list([person.desk_name for person in named], _("and")),
    }


def _described(member: Member) -> str:
    facts = [_("no. %(n)s") % {"n": member.number}] if member.number else []
    facts += [text for text in (member.addition, member.town) if text]
    return f"{member.name} ({', '.join(facts)})" if facts else member.name
