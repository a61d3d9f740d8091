"""The members' pages: list, add, edit, deactivate; and saying on a page that somebody has a name
that was on the list already."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import MANAGE_MEMBERS, READ_MEMBERS, actor_of, desk_view, may, of_club
from clubs.files.exports import ListFile, list_response
from clubs.http.pages import ConfirmedAction, confirm, form_saved, member_table, show, typed
from clubs.members.forms import MemberForm, MemberSearchForm
from clubs.members.services import member_activate, member_change, member_create
from clubs.models import Club, Member, MemberQuerySet
from clubs.text.errors import VersionConflict
from clubs.text.names import name_key

SECTION = "members"
read_or_write = require_http_methods(["GET", "HEAD", "POST"])


@desk_view(READ_MEMBERS)
@require_safe
def member_list(request: HttpRequest, club: Club) -> HttpResponse:
    form = MemberSearchForm(request.GET)
    members = form.matching(Member.objects.of(club).select_related("club"))
    if file := list_response(request, lambda: _member_file(club, members)):
        return file
    hidden = () if form.shown == form.Shown.ALL else ("is_active",)
    table = member_table(request, members, exclude=hidden)
    return show(
        request,
        "members/member_list.html",
        club,
        SECTION,
        search=form,
        table=table,
        nobody_yet=not table.paginator.count and not club.members.exists(),
        labels=club.members.active().with_address().count(),
    )


def _member_file(club: Club, members: MemberQuerySet) -> ListFile:
    """The list as a file, with headings that the import recognises."""
    return ListFile(
        name=f"{club.name} {_('Members')}",
        columns={
            "number": _("number"),
            "name": _("name"),
            "email": _("e-mail address"),
            "phone": _("telephone"),
            "street": _("street"),
            "postcode": _("postcode"),
            "town": _("town"),
            "birthday": _("birthday"),
            "member_since": _("member since"),
            "addition": _("addition"),
            "kind": _("member or guest"),
            "active": _("active"),
            "on_lists": _("name on lists"),
        },
        rows=[
            [
                member.number,
                member.name,
                member.email,
                member.phone,
                member.street,
                member.postcode,
                member.town,
                _day(member.birthday),
                _day(member.member_since),
                member.addition,
                member.kind,
                int(member.is_active),
                member.desk_name,
            ]
            for member in members
        ],
    )


def _day(day: dt.date | None) -> str:
    return day.isoformat() if day else ""


@desk_view(MANAGE_MEMBERS)
@read_or_write
def member_add(request: HttpRequest, club: Club) -> HttpResponse:
    form = MemberForm(typed(request), initial={"public_as": club.new_public_as})
    form.fields["name"].widget.attrs["autofocus"] = True
    added: list[Member] = []
    if form_saved(form, lambda: added.append(_add(request, club, form))):
        messages.success(request, _("%(name)s is on the list.") % {"name": added[0].desk_name})
        namesakes_said(request, added[0])
        return redirect("member_add" if "another" in request.POST else "member_list", club.slug)
    return show(request, "members/member_add.html", club, SECTION, form=form)


@desk_view(MANAGE_MEMBERS)
@read_or_write
def member_edit(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    member = get_object_or_404(club.members, pk=pk)
    if member.erased_at is not None:
        return show(request, "privacy/member_erased.html", club, SECTION, member=member)
    form = MemberForm(
        typed(request),
        instance=of_club(club, Member, pk=pk),
        initial={"version": member.version},
    )
    try:
        if form_saved(form, lambda: _change(request, member, form)):
            messages.success(request, _("The details of %(name)s are saved.") % form.cleaned_data)
            if "name" in form.changed_data:
                namesakes_said(request, member)
            return redirect("member_list", club.slug)
    except VersionConflict:
        return _conflict(request, club, of_club(club, Member, pk=pk))
    return show(request, "members/member_edit.html", club, SECTION, form=form, member=member)


def _add(request: HttpRequest, club: Club, form: MemberForm) -> Member:
    return member_create(club=club, actor=actor_of(request), **form.details())


def _change(request: HttpRequest, member: Member, form: MemberForm) -> None:
    member_change(
        member=member,
        seen_version=form.cleaned_data["version"] or 0,
        actor=actor_of(request),
        **form.details(),
    )


def _conflict(request: HttpRequest, club: Club, member: Member) -> HttpResponse:
    """Show the stored values beside the typed ones, which are not lost (409)."""
    again = request.POST.copy()
    again["version"] = str(member.version)
    form = MemberForm(again, instance=of_club(club, Member, pk=member.pk))
    stored = MemberForm(instance=member)
    form.is_valid()
    differences = [
        (field.label, _shown(stored, field.name), _shown(form, field.name))
        for field in form.visible_fields()
        if field.name in form.changed_data
    ]
    return show(
        request,
        "members/member_conflict.html",
        club,
        SECTION,
        form=form,
        member=member,
        differences=differences,
        status=409,
    )


def _shown(form: MemberForm, name: str) -> str:
    """The value of a field as the page shows it: the words of a choice, else what was typed."""
    value = form[name].value()
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    words = dict(getattr(form.fields[name], "choices", ()))
    return str(words.get(value, value) or "")


@desk_view(MANAGE_MEMBERS)
@read_or_write
def member_active(request: HttpRequest, club: Club, pk: int, *, active: bool) -> HttpResponse:
    """Ask, then take somebody off the list of players or put them back on it."""
    member = get_object_or_404(club.members.filter(erased_at=None), pk=pk)

    def act() -> str:
        member_activate(member=member, active=active, actor=actor_of(request))
        done = _("%s is on the list again.") if active else _("%s is off the list.")
        return done % member.desk_name

    return confirm(request, club, SECTION, _activity_confirmation(member, active, act))


def _activity_confirmation(member: Member, active: bool, act: Callable[[], str]) -> ConfirmedAction:
    member_url = reverse("member_edit", args=[member.club.slug, member.pk])
    list_url = reverse("member_list", args=[member.club.slug])
    if active:
        return ConfirmedAction(
            title=_("Put %s back on the list?") % member.desk_name,
            text=_("From now on this name can be ticked on an evening again."),
            yes=_("Yes, put back"),
            back_url=member_url,
            act=act,
            next_url=list_url,
            safe=True,
        )
    return ConfirmedAction(
        title=_("Take %s off the list?") % member.desk_name,
        text=_(
            "All results stay. On evenings this name is no longer there to tick. You can put it"
            " back later."
        ),
        yes=_("Yes, take off the list"),
        back_url=member_url,
        act=act,
        next_url=list_url,
    )


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
