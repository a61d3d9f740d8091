"""People of the list come in, at the desk or at the door: from then on they are present.

Whoever is nobody of the club yet becomes a guest. Nobody comes in twice, and two people of one name
stay two. A pair or a team that entered plays as one of the club.
"""

from collections.abc import Collection
from contextlib import suppress

from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.members.services import member_add
from clubs.models import Member
from clubs.models.user import secret_hash
from clubs.namesakes.services import namesakes_at_the_end
from clubs.text.errors import DomainError
from clubs.text.names import name_key, tidy_name
from tournaments.entries.queries import entry_list_of, places_of
from tournaments.entries.services import (
    entry_confirm,
    entry_restore,
    member_called,
    newcomer_write,
)
from tournaments.entries.texts import door_secret
from tournaments.evenings.services import evening_lock, evening_note, require_state
from tournaments.models import (
    Competitor,
    Entry,
    EntryKind,
    EntryList,
    EntryPerson,
    Evening,
    EveningPair,
    Registration,
)
from tournaments.models.entry import Wish, checked
from tournaments.registration.check_in import (
    people_arrived,
    presence_set,
    presence_update,
    presence_write,
)
from tournaments.registration.competitors import (
    competitor_create,
    competitor_person_add,
    competitor_rename,
    pair_plays_for,
    teams_choose,
)
from tournaments.registration.entry_fees import asks_entry_fee, entry_fees_tick
from tournaments.registration.pairs import pair_make, pairs_of

State = Entry.State
AT_THE_DOOR = Actor.of_program("door")
PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING


@transaction.atomic
def person_arrive(
    *, evening_id: int, person_id: int, actor: Actor, by_desk: bool = True
) -> EntryPerson:
    """Somebody of the list is here. Repeating it changes nothing. Where groups play at once they
    are present in the group they were put in.

    Who waits gets in by the desk only. Who withdrew comes after all where there is room. Raises
    DomainError `evening_state`, `entry_waits`, `entry_withdrawn`, or `not_on_the_list` for somebody
    who was taken off meanwhile.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    person = _person(evening, person_id)
    places = places_of(evening)
    if person.arrived_at is not None and _where_present(places, person.member_id):
        return person
    if person.entry.state != State.ENTERED:
        _let_in(person.entry, actor, by_desk=by_desk)
        # Confirming may have found out who of the club it is.
        person = _person(evening, person_id)
    member = person.member or _guest(places, evening, person, actor)
    _arrived(person, member)
    _set_present(places, evening, person, member, actor)
    return person


@receiver(people_arrived)
def entries_follow_arrivals(
    evening: Evening, member_ids: Collection[int], actor: Actor, **_kwargs: object
) -> None:
    """Whoever is here, by whatever page, is here for their entry too, also from the waiting list:
    what was paid before counts as the entry fee, and their pair or team plays. Where groups play at
    once they may have entered for another group than they play in."""
    entered = {place.pk: place for place in places_of(evening)}
    people = EntryPerson.objects.filter(evening__in=entered, counts=True, member__in=member_ids)
    known = people.select_related("member", "entry")
    for person in known.order_by("evening__sequence", "entry__number", "place"):
        entry = person.entry
        person.evening = entry.evening = entered[entry.evening_id]
        if entry.state == State.WAITING:
            entry.state = State.ENTERED
            entry.save_changes("state")
        if person.member is None:
            continue
        if person.arrived_at is None:
            _arrived(person, person.member)
        if entry.paid and asks_entry_fee(evening):
            entry_fees_tick(evening_id=evening.pk, paid=[person.member], taken_back=[], actor=actor)
        if entry.kind == EntryKind.PAIR:
            _pair_plays(evening, entry, actor)
        elif entry.kind == EntryKind.TEAM:
            _team_plays(evening, entry, actor, person.member)


@transaction.atomic
def person_leave(*, evening_id: int, person_id: int, actor: Actor) -> EntryPerson:
    """Somebody was ticked as arrived by mistake, in whichever group they play. Repeating it changes
    nothing.

    Raises DomainError `evening_state`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    person = _person(evening, person_id)
    places = places_of(evening)
    groups = _where_present(places, person.member_id)
    if person.arrived_at is not None or groups:
        person.arrived_at = None
        person.save(update_fields=["arrived_at"])
        if person.member is not None:
            for group in groups or [_group_of(places, evening, person.member, person.entry)]:
                presence_set(evening_id=group.pk, member=person.member, present=False, actor=actor)
    return person


@transaction.atomic
def entered_arrive(*, evening_id: int, actor: Actor) -> int:
    """Everybody who is entered is here, and teams whose people are not known yet are teams of the
    club; returns how many people came. Those on the waiting list are not.

    Raises DomainError `evening_state`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    people = EntryPerson.objects.filter(
        evening=evening, entry__state=State.ENTERED, arrived_at=None
    ).select_related("member", "entry")
    coming = list(people.order_by("entry__number", "place"))
    arrived: dict[int, list[Member]] = {}
    places = places_of(evening)
    with namesakes_at_the_end(evening.club):
        for person in coming:
            member = person.member or _guest(places, evening, person, actor)
            _arrived(person, member)
            group = _group_of(places, evening, member, person.entry)
            arrived.setdefault(group.pk, []).append(member)
    for group_id, members in sorted(arrived.items()):
        presence_update(evening_id=group_id, arrived=members, left=(), actor=actor)
    for entry in evening.entries.filter(
        kind=EntryKind.TEAM, state=State.ENTERED, people__isnull=True
    ):
        _team_plays(evening, entry, actor)
    return len(coming)


@transaction.atomic
def walk_in(
    *,
    evening_id: int,
    actor: Actor,
    name: str = "",
    town: str = "",
    member: Member | None = None,
    by_desk: bool = True,
) -> EntryPerson:
    """Somebody who is not on the list comes: `member` of the club, or anybody by name.

    Raises DomainError `evening_state`, `no_walk_ins`, `evening_full`, `bad_entry`, or `name_known`
    where somebody of the club or the list has that name: who is somebody else says their `town`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    known = entry_list_of(evening)
    if not (by_desk or known.walk_ins):
        raise DomainError("no_walk_ins", _("Go to the desk: they add you to the list."))
    person = _known_person(evening, member, name, town)
    if person is not None:
        return person_arrive(
            evening_id=evening.pk, person_id=person.pk, actor=actor, by_desk=by_desk
        )
    if not by_desk:
        _require_room(evening, known.maximum)
    wish = checked(Wish(people=[member.name if member else name], town=town), EntryKind.PLAYER)
    coming = member or _new_guest(evening, wish.people[0], wish.town, actor)
    person = newcomer_write(evening, wish, coming)
    _set_present(places_of(evening), evening, person, coming, actor)
    return person


@transaction.atomic
def entry_paid_set(*, entry: Entry, paid: bool, actor: Actor) -> Entry:
    """An entry is paid, or not; also of its people who are here, each in the group they play in.
    Repeating it changes nothing.

    Raises DomainError `evening_state`.
    """
    evening = evening_lock(entry.evening_id)
    require_state(evening, PLANNED, RUNNING)
    entry = Entry.objects.get(pk=entry.pk)
    if entry.paid == paid:
        return entry
    entry.paid = paid
    entry.save_changes("paid")
    data = {"entry": str(entry.uuid), "number": entry.number}
    action = "entry_paid" if paid else "entry_unpaid"
    evening_note(evening, actor=actor, action=action, data=data)
    for group in places_of(evening):
        here = Registration.objects.filter(evening=group, present=True)
        people = Member.objects.filter(entries__entry=entry, registrations__in=here)
        if asks_entry_fee(group) and people:
            entry_fees_tick(
                evening_id=group.pk,
                paid=people if paid else [],
                taken_back=[] if paid else people,
                actor=actor,
            )
    return entry


# The check-in at the door has an address of its own.


@transaction.atomic
def door_make(*, evening_id: int, actor: Actor) -> EntryList:
    """A new address for the check-in at the door; one that there was ends."""
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    known = entry_list_of(evening)
    if not known.pk:
        known.save()
    known.door_generation += 1
    known.door_digest = secret_hash(door_secret(known))
    known.save_changes("door_generation", "door_digest")
    evening_note(evening, actor=actor, action="entry_door_made")
    return known


@transaction.atomic
def door_end(*, evening_id: int, actor: Actor) -> EntryList:
    """The address of the check-in at the door ends. Repeating it changes nothing."""
    evening = evening_lock(evening_id)
    known = entry_list_of(evening)
    if known.door_digest:
        known.door_digest = ""
        known.save_changes("door_digest")
        evening_note(evening, actor=actor, action="entry_door_ended")
    return known


def _person(evening: Evening, person_id: int) -> EntryPerson:
    people = EntryPerson.objects.select_related("member", "entry")
    person = people.filter(evening=evening, pk=person_id).first()
    if person is None:
        words = _("This entry is gone. Look for the name again.")
        raise DomainError("not_on_the_list", words)
    person.entry.evening = person.evening = evening
    return person


def _where_present(places: Collection[Evening], member_id: int | None) -> list[Evening]:
    """Those of the groups of an evening where somebody is present."""
    if member_id is None:
        return []
    here = Registration.objects.filter(evening__in=places, member=member_id, present=True)
    at = set(here.values_list("evening", flat=True))
    return [group for group in places if group.pk in at]


def _group_of(
    places: Collection[Evening], evening: Evening, member: Member, entry: Entry
) -> Evening:
    """The group that somebody plays in: where they are present, or else on the list; if nowhere,
    that of those they entered with, or else the one they entered for."""
    groups = {group.pk: group for group in places}
    if len(groups) == 1:
        return evening
    rows = Registration.objects.filter(evening__in=groups).order_by("-present", "evening__sequence")
    own = rows.filter(member=member).first()
    row = own or rows.filter(member__in=entry.people.values("member")).first()
    return groups[row.evening_id] if row is not None else evening


def _let_in(entry: Entry, actor: Actor, *, by_desk: bool) -> None:
    """See to it that the entry is in."""
    if entry.state == State.WITHDRAWN:
        if not by_desk and not entry_list_of(entry.evening).walk_ins:
            words = _("This entry was withdrawn. Go to the desk.")
            raise DomainError("entry_withdrawn", words)
        entry = entry_restore(entry=entry, actor=actor)
    elif entry.state == State.ASKED:
        entry = entry_confirm(entry=entry, actor=actor)
    if entry.state == State.WAITING:
        if not by_desk:
            words = _("It is full, and this entry is on the waiting list. Go to the desk.")
            raise DomainError("entry_waits", words)
        entry.state = State.ENTERED
        entry.save_changes("state")


def _guest(
    places: Collection[Evening], evening: Evening, person: EntryPerson, actor: Actor
) -> Member:
    """Who of the club this is, or a new guest. The town tells them from others of their name."""
    name, town = person.name, person.entry.town
    known = member_called(evening, name_key(name), town)
    if known is not None and not _where_present(places, known.pk):
        return known
    return _new_guest(evening, name, town, actor)


def _new_guest(evening: Evening, name: str, town: str, actor: Actor) -> Member:
    return member_add(
        club=evening.club, name=name, kind=Member.Kind.GUEST, addition=town[:30], actor=actor
    )


def _set_present(
    places: Collection[Evening],
    evening: Evening,
    person: EntryPerson,
    member: Member,
    actor: Actor,
) -> None:
    """They are present in the group they play in."""
    group = _group_of(places, evening, member, person.entry)
    if group.pk == evening.pk:
        presence_write(evening, member, present=True, actor=actor)
    else:
        presence_set(evening_id=group.pk, member=member, present=True, actor=actor)


def _arrived(person: EntryPerson, member: Member) -> None:
    person.member, person.counts, person.arrived_at = member, True, timezone.now()
    person.save(update_fields=["member", "counts", "arrived_at"])


def _pair_plays(evening: Evening, entry: Entry, actor: Actor) -> None:
    """A pair that is complete becomes a pair of the evening, and plays for the pair of the club
    that is called as it entered."""
    if evening.method != Evening.Method.PAIRS:
        return
    both = [each.member for each in entry.people.select_related("member") if each.arrived_at]
    one, two = (*both, None, None)[:2]
    if one is None or two is None:
        return
    alone = {each.pk for each in pairs_of(evening).alone}
    if alone.issuperset({one.pk, two.pk}):
        # Where a draw was made, or the club keeps them apart, the desk makes the pair.
        with suppress(DomainError):
            number = pair_make(evening_id=evening.pk, one=one, two=two, actor=actor)
            if entry.name:
                _pair_named(evening, number, entry.name, actor)


def _pair_named(evening: Evening, number: int, name: str, actor: Actor) -> None:
    pairs = evening.club.competitors.filter(kind=Competitor.Kind.PAIR)
    named = pairs.filter(key=name_key(name)).first()
    if named is not None:
        pair_plays_for(evening_id=evening.pk, number=number, competitor=named, actor=actor)
        return
    own = EveningPair.objects.select_related("competitor").get(evening=evening, number=number)
    before = EveningPair.objects.filter(competitor=own.competitor_id).exclude(pk=own.pk)
    if not before.exists():
        version = own.competitor.version
        competitor_rename(competitor=own.competitor, name=name, seen_version=version, actor=actor)


def _team_plays(evening: Evening, entry: Entry, actor: Actor, member: Member | None = None) -> None:
    """The team of the club that is called as it entered, or a new one of its people; `member` plays
    for it, unless the desk chose another. Who comes for a team that there was already is a
    substitute, as long as nobody makes them one of its people."""
    teams = evening.club.competitors.filter(kind=Competitor.Kind.TEAM)
    team = teams.filter(key=name_key(entry.name)).first()
    if team is None:
        people = [each.member for each in entry.people.select_related("member")]
        team = competitor_create(
            club=evening.club,
            kind=Competitor.Kind.TEAM,
            name=entry.name,
            people=[each for each in people if each is not None],
            since=evening.date,
            actor=actor,
        )
    if member is None:
        return
    is_new = not team.people.filter(since__lt=evening.date).exists()
    if is_new and not team.people.filter(member=member).exists():
        competitor_person_add(
            competitor=team,
            member=member,
            since=evening.date,
            seen_version=team.version,
            actor=actor,
        )
    if evening.registrations.filter(member=member, team=None).exists():
        try:
            teams_choose(evening_id=evening.pk, wanted={member.pk: team}, actor=actor)
        except DomainError as error:
            # Where the team plays in another group, the desk says where they play.
            if error.code != "team_in_other_group":
                raise


def _known_person(
    evening: Evening, member: Member | None, name: str, town: str
) -> EntryPerson | None:
    """Somebody of the list who is this. Raises DomainError `name_known` where it may be."""
    people = EntryPerson.objects.filter(evening=evening).exclude(entry__state=State.ASKED)
    if member is not None:
        return people.filter(member=member).order_by("-counts", "-pk").first()
    key = name_key(tidy_name(name))
    alike = list(people.filter(name_key=key).select_related("entry"))
    same_town = [each for each in alike if name_key(each.entry.town) == name_key(town)]
    if town and same_town:
        return same_town[0]
    members = Member.objects.of(evening.club).active().filter(name_key=key)
    if (alike or members.exists()) and not town:
        words = _(
            "Somebody called %(name)s is known here. Is that you? Then choose your name. Are you"
            " somebody else? Then fill in where you live or play."
        )
        raise DomainError("name_known", words % {"name": tidy_name(name)})
    return None


def _require_room(evening: Evening, maximum: int | None) -> None:
    if maximum is None:
        return
    if evening.entries.filter(state=State.ENTERED).count() >= maximum:
        raise DomainError("evening_full", _("It is full. Go to the desk."))
