"""Check-in: who is here on an evening, and how that differs from the draw; and guests: added, and
removed with the file they came from."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q, RestrictedError
from django.dispatch import Signal
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.members.imports import Person
from clubs.members.services import member_add, member_create
from clubs.models import Club, Member, MemberQuerySet
from clubs.namesakes.services import namesakes_at_the_end
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from scoring.models import Seat, full_sheets
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import (
    Competitor,
    CoupleRule,
    Evening,
    Placement,
    Registration,
    Round,
    Table,
)
from tournaments.seating.store import upcoming_rounds

MOST_LISTED = 400
"""A page with more people is slow, on the server and on a telephone."""
MOST_FOUND = 50
people_arrived: Final = Signal()
"""Some people are here: sent with the locked `evening`, their `member_ids` and the `actor`."""


@dataclass(frozen=True, slots=True)
class CheckInRow:
    """Somebody who may play tonight. `absence` is "notice", "none" or empty; `has_paid` is about
    the entry fee."""

    member: Member
    present: bool
    absence: str
    has_paid: bool = False


@dataclass(frozen=True, slots=True)
class CheckInList:
    """Some of the `total` people who may play tonight. `is_cut` says that more were found than are
    in `rows`."""

    rows: list[CheckInRow]
    total: int
    query: str = ""
    is_cut: bool = False

    @property
    def is_searched(self) -> bool:
        """Whether the club is too large to list everybody, so that people are found by name."""
        return self.total > MOST_LISTED


@dataclass(frozen=True, slots=True)
class EmptySeat:
    """Somebody who left during a round and the seat they left empty, or a substitute and the seat
    they fill."""

    member: Member
    round_number: int
    table_number: int


def check_in_rows(evening: Evening) -> list[CheckInRow]:
    """Every active member and everybody else on this evening's list, by surname."""
    return _rows(evening, _everybody(evening).by_surname())


def check_in_list(evening: Evening, query: str) -> CheckInList:
    """The same. Of a club of more than `MOST_LISTED` those whom the query finds; without one those
    of whom it is known whether they come."""
    first = list(_everybody(evening).by_surname()[: MOST_LISTED + 1])
    if len(first) <= MOST_LISTED:
        return CheckInList(_rows(evening, first), len(first))
    total, query = _everybody(evening).count(), query.strip()
    if not query:
        people = _everybody(evening).filter(registrations__evening=evening)
        return CheckInList(_rows(evening, people.by_surname()), total)
    people = _everybody(evening).matching(query).by_surname()
    found = _rows(evening, people[: MOST_FOUND + 1])
    return CheckInList(found[:MOST_FOUND], total, query, is_cut=len(found) > MOST_FOUND)


def _everybody(evening: Evening) -> MemberQuerySet:
    on_the_list = Q(pk__in=evening.registrations.values("member"))
    return Member.objects.of(evening.club).filter(Q(is_active=True) | on_the_list)


def _rows(evening: Evening, people: Iterable[Member]) -> list[CheckInRow]:
    registrations = {entry.member_id: entry for entry in evening.registrations.all()}
    return [_row(member, registrations.get(member.pk)) for member in people]


class LikelyHere(NamedTuple):
    """The people to tick as a start: those `of_last_time`, or on a first evening every member."""

    people: list[Member]
    of_last_time: bool


def likely_here(evening: Evening) -> LikelyHere:
    """Who came to the last evening played before this one; where nobody did, every member."""
    earlier = (
        Evening.objects.of(evening.club)
        .filter(date__lte=evening.date, is_history=False)
        .filter(state__in=[Evening.State.RUNNING, Evening.State.CLOSED])
        .exclude(pk=evening.pk)
        .filter(registrations__present=True)
        .first()
    )
    if earlier is None:
        members = Member.objects.of(evening.club).active().filter(kind=Member.Kind.MEMBER)
        return LikelyHere(list(members.by_surname()), of_last_time=False)
    came = _who_came(earlier)
    return LikelyHere(
        list(Member.objects.active().filter(pk__in=came).by_surname()), of_last_time=True
    )


def _who_came(evening: Evening) -> set[int]:
    """Who came to play: also who went home early, and not who only took over a seat."""
    started = Q(round__state__in=[Round.State.RUNNING, Round.State.CLOSED], round__evening=evening)
    out = Placement.objects.filter(started, table=None).values_list("member", flat=True)
    tables = Table.objects.filter(started)
    seats = Seat.objects.filter(sheet__table__in=tables, member__isnull=False)
    held = set(seats.values_list("member", "from_deal"))
    began = {*out, *(member for member, from_deal in held if from_deal == 1)}
    took_over = {member for member, _from_deal in held} - began
    here = evening.registrations.filter(present=True).values_list("member", flat=True)
    return {*here, *began} - took_over


def drawn_without(evening: Evening) -> tuple[list[Member], list[Member]]:
    """The people here but not in the upcoming draw, and those in it but not here."""
    first = next(iter(upcoming_rounds(evening).values()), None)
    if first is None:
        return [], []
    in_draw = {int(player) for player in first.people}
    here = set(evening.registrations.filter(present=True).values_list("member", flat=True))
    return _people(here - in_draw), _people(in_draw - here)


def gone_while_playing(evening: Evening) -> list[EmptySeat]:
    """The people who have a seat at an unfinished table of a running round but are no longer here,
    by round and table; not those who fill somebody's seat. Three queries."""
    seats = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__state=Round.State.RUNNING
    ).exclude(full_sheets("sheet__"))
    rows = seats.select_related("member", "sheet__table__round").order_by("from_deal")
    holders = {(seat.sheet_id, seat.seat): seat for seat in rows}
    here = set(evening.registrations.filter(present=True).values_list("member_id", flat=True))
    took_over = {(seat.round_number, seat.member.pk) for seat in substitutes_playing(evening)}
    empty = [
        EmptySeat(seat.member, seat.sheet.table.round.number, seat.sheet.table.number)
        for seat in holders.values()
        if seat.member
        and seat.member_id not in here
        and (seat.sheet.table.round.number, seat.member_id) not in took_over
    ]
    return sorted(empty, key=lambda seat: (seat.round_number, seat.table_number))


def substitutes_playing(evening: Evening) -> list[EmptySeat]:
    """The people who fill somebody's seat in a running round and are not on the list of those who
    are here: they go home after it. One query."""
    taken = Placement.objects.filter(
        round__evening=evening, round__state=Round.State.RUNNING, substitute=True
    ).exclude(member__registrations__in=evening.registrations.filter(present=True))
    rows = taken.select_related("member", "round", "table").order_by("round__number", "pk")
    return [
        EmptySeat(place.member, place.round.number, place.table.number)
        for place in rows
        if place.table
    ]


def member_called(evening: Evening, name: str) -> Member | None:
    """The active member or guest of the club with this name, ignoring case.

    Raises DomainError `name_shared` where several people have it.
    """
    named = list(Member.objects.of(evening.club).active().filter(name_key=name_key(name))[:5])
    if len(named) > 1:
        names = get_text_list([member.desk_name for member in named], _("and"))
        words = _("More than one person has this name: %(names)s. Choose from the list who it is.")
        raise DomainError("name_shared", words % {"names": names})
    return named[0] if named else None


def _people(ids: Iterable[int]) -> list[Member]:
    return list(Member.objects.filter(pk__in=ids).by_surname()) if ids else []


def _row(member: Member, registration: Registration | None) -> CheckInRow:
    if registration is None:
        return CheckInRow(member, present=False, absence="")
    has_paid = registration.paid is not None
    return CheckInRow(member, registration.present, registration.absence, has_paid)


@transaction.atomic
def presence_set(
    *, evening_id: int, member: Member, present: bool, actor: Actor, absence: str = ""
) -> Registration:
    """Record that somebody is present or not (`absence`: signed off, or stayed away).

    Counts from the next draw on; a round that is already drawn stays as it is.
    Raises DomainError `evening_state` or `member_of_another_club`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    return presence_write(evening, member, present=present, actor=actor, absence=absence)


def presence_write(
    evening: Evening, member: Member, *, present: bool, actor: Actor, absence: str = ""
) -> Registration:
    """The same for a caller who holds the lock of the evening, which is planned or running."""
    _require_of_club(evening, member)
    known = evening.registrations.filter(member=member).first()
    registration = known or Registration(evening=evening)
    registration.member = member
    registration.present, registration.absence = present, "" if present else absence
    registration.save(update_fields=["present", "absence"] if known else None)
    evening_touch(
        evening,
        actor=actor,
        action="present" if present else "absent",
        data={"member": str(member.uuid), "absence": registration.absence},
    )
    if present:
        people_arrived.send(sender=Evening, evening=evening, member_ids=[member.pk], actor=actor)
    return registration


@transaction.atomic
def presence_replace(*, evening_id: int, members: Collection[Member], actor: Actor) -> int:
    """Make exactly these members present. Returns how many are.

    Raises like `presence_update`.
    """
    evening = evening_lock(evening_id)
    here = Member.objects.filter(registrations__evening=evening, registrations__present=True)
    left = here.exclude(pk__in=[member.pk for member in members])
    return presence_update(evening_id=evening_id, arrived=members, left=list(left), actor=actor)


@transaction.atomic
def presence_update(
    *, evening_id: int, arrived: Collection[Member], left: Collection[Member], actor: Actor
) -> int:
    """Tick and untick several people at once; nothing changes for anybody else.

    Returns how many people are here now. Raises DomainError `evening_state` or
    `member_of_another_club`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    for member in arrived:
        _require_of_club(evening, member)
    registrations = Registration.objects.filter(evening=evening)
    registrations.filter(member__in=left, present=True).update(present=False)
    registrations.filter(member__in=arrived).update(present=True, absence="")
    known = set(registrations.values_list("member_id", flat=True))
    Registration.objects.bulk_create(
        Registration(evening=evening, member_id=pk)
        for pk in sorted({member.pk for member in arrived} - known)
    )
    evening_touch(
        evening,
        actor=actor,
        action="presence_updated",
        data={
            "arrived": sorted(str(member.uuid) for member in arrived),
            "left": sorted(str(member.uuid) for member in left),
        },
    )
    ids = [member.pk for member in arrived]
    people_arrived.send(sender=Evening, evening=evening, member_ids=ids, actor=actor)
    return registrations.filter(present=True).count()


@transaction.atomic
def guest_add(
    *, evening_id: int, name: str, actor: Actor, public_as: str | None = None
) -> Registration:
    """Add a new guest, who is present; without `public_as` the club's choice for new people holds.

    Raises DomainError `evening_state`, `name_missing` or `bad_member`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    guest = member_add(
        club=evening.club,
        name=name,
        kind=Member.Kind.GUEST,
        public_as=public_as or evening.club.new_public_as,
        actor=actor,
    )
    return presence_write(evening, guest, present=True, actor=actor)


def guests_ensure(
    *, club: Club, people: Iterable[Person], actor: Actor, public_as: str | None = None
) -> dict[Person, int]:
    """The id of each of these people; unknown names become guests of the club first, public as
    `public_as` or else as the club chose for new people."""
    with namesakes_at_the_end(club):
        return {
            person: person
            if isinstance(person, int)
            else _guest_make(club, person, actor, public_as).pk
            for person in dict.fromkeys(people)
        }


def _guest_make(club: Club, name: str, actor: Actor, public_as: str | None) -> Member:
    return member_create(
        club=club,
        name=name,
        kind=Member.Kind.GUEST,
        public_as=public_as or club.new_public_as,
        actor=actor,
    )


def guests_away(*, club: Club, guests: Iterable[Member], actor: Actor) -> None:
    """Delete those of these guests about whom nothing is known but what the file brought."""
    with namesakes_at_the_end(club):
        for guest in guests:
            _guest_away(guest, actor)


def _guest_away(guest: Member, actor: Actor) -> None:
    if guest.merges.exists() or CoupleRule.objects.filter(Q(one=guest) | Q(two=guest)).exists():
        return
    try:
        with transaction.atomic():
            Member.objects.filter(pk=guest.pk).delete()
    except RestrictedError:
        # Other rows refer to this guest, so they stay.
        return
    event_append(
        chain=guest.club,
        club=guest.club,
        actor=actor,
        action="guest_taken_back",
        object_ref=f"member:{guest.uuid}",
        texts={"name": guest.name},
    )


def _require_of_club(evening: Evening, member: Member) -> None:
    if member.club_id != evening.club_id:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))


def require_in_this_group(evening: Evening, teams: Collection[Competitor]) -> None:
    """Raises DomainError `team_in_other_group` where groups play at once and one of these teams has
    people in another one."""
    if not teams:
        return
    others = [group for group in evening.groups if group.pk != evening.pk]
    if not others:
        return
    elsewhere = Registration.objects.filter(evening__in=others, team__in=teams)
    row = elsewhere.exclude(member__in=evening.registrations.values("member")).first()
    if row is not None and row.team is not None:
        group = next(group for group in others if group.pk == row.evening_id)
        message = _(
            "%(team)s plays in %(evening)s, and a team stays in one group. Put this person in that"
            " group, or choose another team."
        )
        words = {"team": row.team.name, "evening": group}
        raise DomainError("team_in_other_group", message % words)
