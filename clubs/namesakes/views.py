"""Saying on a page that somebody has a name that was on the list already."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from clubs.access.permissions import MANAGE_MEMBERS, may
from clubs.models import Club, Member
from clubs.namesakes.queries import marked_people, named_like
from clubs.namesakes.texts import namesakes_words

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
