"""The audit trail in sentences for volunteers.

Each app registers with `describe` the sentences of its own actions and the names of what they are
about; this module has only those of a club.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from clubs.models import AuditEvent, Club, Member, MemberMerge, Role
from clubs.text.numbers import SEAT_NAMES, SIDE_NAMES


@dataclass(frozen=True, slots=True)
class TrailPlace:
    """The name of what an event is about, and the address of its page."""

    name: str
    url: str = ""


Namer = Callable[[Club, Iterable[str]], Mapping[str, TrailPlace]]
"""Returns the places of the references it knows, such as `evening:9f0c…`."""

Teller = Callable[[Club, Sequence[AuditEvent]], Mapping[int, Sequence[str]]]
"""Returns more lines about the events it knows, by their ids."""

_sentences: dict[str, Any] = {}
_namers: list[Namer] = []
_tellers: list[Teller] = []
_WORDS: Mapping[str, Mapping[str, Any]] = {
    "kind": dict(Role.Kind.choices),
    "seat": SEAT_NAMES,
    "side": {**SIDE_NAMES, **SEAT_NAMES},
}
PER_PAGE = 50
PEOPLE = "member", "guest", "leaving", "partner"
"""The keys of an event's data that hold somebody of the club, by UUID."""
DATES = "date", "before"
"""Those that may hold a day, as `2026-12-04`."""


@dataclass(frozen=True, slots=True)
class TrailLine:
    """One event: when, by whom, what, details, where (an evening, a table; may be empty) and why.
    `user` is the UUID of the author, if they have a login."""

    at: dt.datetime
    author: str
    what: str
    where: TrailPlace
    reason: str
    details: Sequence[str] = field(default=())
    user: str = ""


class _Values(dict[str, str]):
    """The values for a sentence; erased ones read as dots."""

    def __missing__(self, key: str) -> str:
        return "…"


def describe(
    sentences: Mapping[str, Any], namer: Namer | None = None, teller: Teller | None = None
) -> None:
    """Register an app's sentences by action (with `%(field)s` of the event in them), its namer and
    its teller. An action with a reason may have a sentence of its own: `deal_written+reason`."""
    _sentences.update(sentences)
    if namer:
        _namers.append(namer)
    if teller:
        _tellers.append(teller)


def trail_lines(events: Sequence[AuditEvent], *, reader: Member | None = None) -> list[TrailLine]:
    """The events of one club, or of one league, as sentences in the given order. With a `reader`,
    they show other people only under their public names."""
    if not events:
        return []
    club = events[0].club
    if club is None:
        return [_line(event, {}, {}, {}, reader) for event in events]
    people = _people(club, events, reader)
    places = _places(club, events)
    details = _details(club, events)
    return [_line(event, people, places, details, reader) for event in events]


def trail_ordered(events: QuerySet[AuditEvent]) -> QuerySet[AuditEvent]:
    """These events newest first, with what their sentences need."""
    return events.order_by("-at", "-pk").select_related("club").prefetch_related("texts")


@dataclass(frozen=True, slots=True)
class TrailPage:
    """One page of a trail, newest first."""

    page: Page[AuditEvent]
    lines: Sequence[TrailLine]


def trail_page(
    events: QuerySet[AuditEvent] | Sequence[AuditEvent], number: str | None
) -> TrailPage:
    """The page of these events with this number, or the first. Events in a list must be in order
    and have their texts loaded."""
    if isinstance(events, QuerySet):
        events = trail_ordered(events)
    page = Paginator(events, PER_PAGE).get_page(number)
    return TrailPage(page, trail_lines(list(page.object_list)))


def _line(
    event: AuditEvent,
    people: Mapping[str, str],
    places: Mapping[str, TrailPlace],
    details: Mapping[int, Sequence[str]],
    reader: Member | None,
) -> TrailLine:
    texts = {text.field: text.text for text in event.texts.all()}
    values = _Values({key: _word(key, value, people) for key, value in event.data.items()} | texts)
    values.setdefault("number", event.object_ref.removeprefix("deal:"))
    about = people.get(event.object_ref.removeprefix("member:"))
    if about and (reader is not None or "name" not in values):
        values["name"] = about
    return TrailLine(
        at=event.at,
        author=texts.get("actor") or _Values()["actor"],
        what=str(_sentence(event.action, "reason" in texts)) % values,
        where=places.get(event.chain) or places.get(event.object_ref) or TrailPlace(""),
        reason=texts.get("reason") or texts.get("note", ""),
        details=details.get(event.pk, ()),
        user=_user(event.actor),
    )


def _sentence(action: str, has_reason: bool) -> Any:
    sentence = _sentences.get(action, action)
    return _sentences.get(f"{action}+reason", sentence) if has_reason else sentence


def _word(key: str, value: object, people: Mapping[str, str]) -> str:
    if key in PEOPLE:
        return people.get(str(value), _Values()[key])
    text = str(value)
    if key in DATES and (day := _day(text)):
        return date_format(day, "j F Y")
    return str(_WORDS.get(key, {}).get(text, text))


def _day(text: str) -> dt.date | None:
    try:
        return parse_date(text)
    except ValueError:  # a day that no month has
        return None


def _people(club: Club, events: Sequence[AuditEvent], reader: Member | None) -> dict[str, str]:
    """The names, by UUID, of the people in the events."""
    wanted = {event.data[key] for event in events for key in PEOPLE if key in event.data}
    wanted |= set(uuids({event.object_ref for event in events}, "member"))
    members = Member.objects.of(club).filter(uuid__in=wanted)
    names = {
        str(member.uuid): member.desk_name if reader in (None, member) else member.shown_name
        for member in members
    }
    if gone := wanted - names.keys():
        merges = MemberMerge.objects.filter(club=club, undone_at=None, guest__uuid__in=gone)
        for merge in merges.select_related("member"):
            is_own = reader in (None, merge.member)
            names[merge.guest["uuid"]] = merge.guest["name"] if is_own else merge.member.shown_name
    return names


def _places(club: Club, events: Sequence[AuditEvent]) -> dict[str, TrailPlace]:
    references = {event.object_ref for event in events} | {event.chain for event in events}
    return {
        reference: place
        for namer in _namers
        for reference, place in namer(club, references).items()
    }


def _details(club: Club, events: Sequence[AuditEvent]) -> dict[int, Sequence[str]]:
    return {pk: lines for teller in _tellers for pk, lines in teller(club, events).items()}


def _user(actor: str) -> str:
    kind, _colon, uuid = actor.partition(":")
    return uuid if kind == "user" else ""


def uuids(references: Iterable[str], kind: str) -> list[str]:
    """The UUIDs of the references of this kind: `evening:9f0c…` → `9f0c…`."""
    return [
        reference.removeprefix(f"{kind}:")
        for reference in references
        if reference.startswith(f"{kind}:")
    ]


describe(
    {
        "club_created": _("The club was created"),
        "club_suspended": _("Whoever runs this server closed the club"),
        "club_opened": _("Whoever runs this server opened the club again"),
        "club_let_go": _("Whoever runs this server closed the club, to delete it later"),
        "club_changed": _("The settings of the club were changed"),
        "address_chosen": _("The address for phones was chosen"),
        "club_sheets_chosen": _("The score sheet of the club was chosen"),
        "logo_chosen": _("The logo of the club was chosen"),
        "logo_removed": _("The logo of the club was taken away"),
        "outside_changed": _("What the club shows outside was changed"),
        "role_granted": _("%(who)s became %(kind)s"),
        "team_moved": _("The team came along from another server"),
        "role_revoked": _("%(who)s is no longer %(kind)s"),
        "password_link_made": _("A link to set a password was made for %(who)s"),
        "invitation_made": _("%(who)s was invited as %(kind)s"),
        "invitation_withdrawn": _("The invitation of %(who)s was withdrawn"),
        "invitation_accepted": _("%(who)s accepted the invitation and became %(kind)s"),
        "login_renamed": _("A login got another name: %(who)s"),
        "login_address_changed": _("%(who)s changed the address to log in with"),
        "login_address_wanted": _("%(who)s asked for another address to log in with"),
        "login_address_kept": _("%(who)s kept the address to log in with after all"),
        "login_address_proved": _("%(who)s confirmed the address to log in with"),
        "password_changed": _("%(who)s chose another password"),
        "logins_ended": _("%(who)s logged out on every device"),
        "login_ended": _("%(who)s logged out another device"),
        "codes_set_up": _("%(who)s set up codes for logging in"),
        "codes_turned_off": _("%(who)s turned off codes for logging in"),
        "recovery_codes_made": _("%(who)s made new recovery codes"),
        "recovery_code_used": _("%(who)s logged in with a recovery code"),
        "passkey_added": _("%(who)s added a passkey: %(name)s"),
        "passkey_removed": _("%(who)s removed a passkey: %(name)s"),
        "second_factor_removed": _(
            "The codes and passkeys of %(who)s were removed on the server itself"
        ),
        "second_factor_asked": _("Organisers must log in with a code or a passkey too"),
        "second_factor_not_asked": _(
            "Organisers no longer have to log in with a code or a passkey too"
        ),
        "token_made": _("A token for programs was made for %(who)s: %(name)s"),
        "token_revoked": _("The token for programs of %(who)s was withdrawn: %(name)s"),
        "member_added": _("%(name)s was put on the list"),
        "member_changed": _("The details of %(name)s were changed"),
        "member_taken_back": _("%(name)s, who came with a list, was taken off again"),
        "member_activated": _("%(name)s was put back on the list"),
        "member_deactivated": _("%(name)s was taken off the list"),
        "member_erased": _("The details of %(name)s were erased"),
        "login_erased": _("The name of a login was erased"),
        "texts_erased": _("What named somebody whose details were erased is gone"),
        "member_data_taken": _("Everything stored about %(name)s was exported"),
        "guest_merged": _("Guest %(guest_name)s turned out to be %(name)s"),
        "merge_undone": _("Guest %(guest_name)s and %(name)s turned out to be two people"),
    }
)
