"""The fixed pairs and teams of a club: making and renaming them, their people over time, and whom
somebody plays for on an evening."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import transaction
from django.db.models import F, Q, TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import name_key, tidy_name
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.evenings.services import evening_lock, evening_touch, revision_bump
from tournaments.models import (
    Competitor,
    CompetitorMember,
    Evening,
    EveningPair,
    Registration,
    Release,
)
from tournaments.registration.check_in import require_in_this_group

Kind = Competitor.Kind
OF_A_PAIR = 2


@transaction.atomic
def competitor_create(
    *,
    club: Club,
    kind: str,
    name: str,
    people: Sequence[Member] = (),
    since: dt.date,
    actor: Actor,
) -> Competitor:
    """A new pair or team of these people. Without a name a pair is called after them.

    Raises DomainError `name_missing`, `name_too_long`, `competitor_exists`, `pair_of_two` for more
    than two people in a pair, `competitor_dates`, or `member_of_another_club`.
    """
    club = club_lock(club.pk)
    name, people = tidy_name(name), list(dict.fromkeys(people))
    if not name and kind == Kind.PAIR and len(people) == OF_A_PAIR:
        name = free_name(club, *people)
    competitor = Competitor(club=club, kind=kind, name=name)
    _require_sound(competitor)
    _require_days(since)
    if kind == Kind.PAIR and len(people) > OF_A_PAIR:
        raise _pair_is_full(competitor)
    if any(member.club_id != club.pk for member in people):
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
    competitor.save()
    CompetitorMember.objects.bulk_create(
        CompetitorMember(competitor=competitor, member=member, since=since) for member in people
    )
    people_data = [str(member.uuid) for member in people]
    _audit(competitor, actor, "competitor_added", people=people_data, since=since.isoformat())
    return competitor


@transaction.atomic
def competitor_rename(
    *, competitor: Competitor, name: str, seen_version: int, actor: Actor
) -> Competitor:
    """Give a pair or team another name; everything it played goes along.

    Raises VersionConflict `competitor_outdated`, and DomainError like `competitor_create`.
    """
    current = _lock(competitor, seen_version)
    current.name = tidy_name(name)
    if current.name == competitor.name:
        return current
    _require_sound(current)
    current.save_changes("name", "key")
    _audit(current, actor, "competitor_renamed")
    _evenings_follow(current)
    return current


@transaction.atomic
def competitor_person_add(
    *,
    competitor: Competitor,
    member: Member,
    since: dt.date,
    reserve: bool = False,
    seen_version: int,
    actor: Actor,
) -> CompetitorMember:
    """Let somebody join a pair or team from a day on.

    Raises VersionConflict `competitor_outdated`, and DomainError `competitor_has_member`,
    `pair_of_two` for a third person in a pair, `competitor_dates` or `member_of_another_club`.
    """
    current = _lock(competitor, seen_version)
    if member.club_id != current.club_id:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
    _require_days(since)
    then = current.people.filter(Q(until=None) | Q(until__gte=since))
    words = {"name": member.desk_name, "competitor": current.name}
    if then.filter(member=member).exists():
        message = _("%(name)s is in %(competitor)s already.")
        raise DomainError("competitor_has_member", message % words)
    if current.kind == Kind.PAIR and not reserve:
        others = then.filter(reserve=False).values("member").distinct()
        if others.count() >= OF_A_PAIR:
            raise _pair_is_full(current)
    joined = CompetitorMember.objects.create(
        competitor=current, member=member, since=since, reserve=reserve
    )
    current.save_changes()
    _audit(current, actor, "competitor_joined", member=str(member.uuid), since=since.isoformat())
    return joined


@transaction.atomic
def competitor_person_end(
    *,
    competitor: Competitor,
    person_id: int,
    until: dt.date,
    seen_version: int,
    actor: Actor,
) -> CompetitorMember | None:
    """Let somebody leave a pair or team after a day. Returns None if they had left already.

    Raises VersionConflict `competitor_outdated`, and DomainError `competitor_dates`.
    """
    current = _lock(competitor, seen_version)
    person = current.people.select_related("member").filter(pk=person_id, until=None).first()
    if person is None:
        return None
    _require_days(person.since, until)
    person.until = until
    person.save(update_fields=["until"])
    current.save_changes()
    uuid = str(person.member.uuid)
    _audit(current, actor, "competitor_left", member=uuid, until=until.isoformat())
    return person


@transaction.atomic
def competitor_person_back(
    *, competitor: Competitor, person_id: int, actor: Actor, seen_version: int | None = None
) -> CompetitorMember | None:
    """Undo that somebody left. Returns None if there is nothing to undo.

    Raises VersionConflict `competitor_outdated`, and DomainError `pair_of_two` or
    `competitor_has_member` where another has come meanwhile.
    """
    current = _lock(competitor, seen_version)
    person = current.people.select_related("member").filter(pk=person_id).first()
    if person is None or person.until is None:
        return None
    others = current.people.filter(until=None).exclude(pk=person.pk)
    if others.filter(member=person.member).exists():
        message = _("%(name)s is in %(competitor)s already.")
        words = {"name": person.member.desk_name, "competitor": current.name}
        raise DomainError("competitor_has_member", message % words)
    is_full = others.filter(reserve=False).count() >= OF_A_PAIR
    if current.kind == Kind.PAIR and not person.reserve and is_full:
        raise _pair_is_full(current)
    person.until = None
    person.save(update_fields=["until"])
    current.save_changes()
    _audit(current, actor, "competitor_joined", member=str(person.member.uuid))
    return person


@transaction.atomic
def competitor_remove(*, competitor: Competitor, actor: Actor) -> bool:
    """Remove a pair or team that has played nothing. Returns whether it was there.

    Raises DomainError `competitor_played`.
    """
    club_lock(competitor.club_id)
    current = Competitor.objects.filter(pk=competitor.pk).first()
    if current is None:
        return False
    if has_played(current):
        message = _("%(name)s has results, and stays. You can let its people leave.")
        raise DomainError("competitor_played", message % {"name": current.name})
    _audit(current, actor, "competitor_removed")
    current.delete()
    return True


def has_played(competitor: Competitor) -> bool:
    """Whether something would be lost with it, or its name was published."""
    releases = Release.objects.filter(evening__club=competitor.club_id)
    said = releases.annotate(said=Cast("competitors", TextField()))
    return (
        competitor.evening_pairs.exists()
        or competitor.registrations.exists()
        or competitor.results.exists()
        or competitor.corrections.exists()
        or said.filter(said__contains=str(competitor.uuid)).exists()
    )


def competitors_ensure(
    *, club: Club, kind: str, named: Mapping[str, Sequence[int]], since: dt.date, actor: Actor
) -> dict[str, int]:
    """The id of the pair or team of each of these names, by the key of the name; those that are
    not there are made, of these members if there are any. The caller has locked the club."""
    known = dict(club.competitors.filter(kind=kind).values_list("key", "pk"))
    people = Member.objects.in_bulk({pk for ids in named.values() for pk in ids})
    without = set(Competitor.objects.filter(club=club, people=None).values_list("pk", flat=True))
    ensured: dict[str, int] = {}
    for name, ids in named.items():
        key = name_key(name)
        members = [people[pk] for pk in ids]
        if key not in known:
            known[key] = competitor_create(
                club=club, kind=kind, name=name, people=members, since=since, actor=actor
            ).pk
        elif known[key] in without:
            CompetitorMember.objects.bulk_create(
                CompetitorMember(competitor_id=known[key], member=member, since=since)
                for member in members
            )
        ensured[key] = known[key]
    return ensured


# Whom somebody plays for on an evening.


@transaction.atomic
def teams_choose(*, evening_id: int, wanted: Mapping[int, Competitor | None], actor: Actor) -> int:
    """Let people play for a team this evening, or for none, by member id. Returns for how many that
    is another one than before; people who are not on the list stay as they are.

    Raises DomainError `no_such_team`, or `team_in_other_group` where groups play at once and the
    team plays in another one.
    """
    evening = evening_lock(evening_id)
    teams = [team for team in wanted.values() if team is not None]
    if any((team.club_id, team.kind) != (evening.club_id, Kind.TEAM) for team in teams):
        raise DomainError("no_such_team", _("This team is not one of the club."))
    require_in_this_group(evening, teams)
    changed = []
    for entry in evening.registrations.filter(member__in=wanted).select_related("member"):
        team = wanted[entry.member_id]
        if entry.team_id != (team.pk if team else None):
            entry.team = team
            changed.append(entry)
    Registration.objects.bulk_update(changed, ["team"])
    if changed:
        data = {
            str(entry.member.uuid): str(entry.team.uuid) if entry.team else None
            for entry in changed
        }
        evening_touch(
            evening, actor=actor, action="team_chosen", data={"teams": data, "count": len(changed)}
        )
    return len(changed)


def teams_known(evening: Evening) -> dict[int, Competitor | None]:
    """The team of everybody on the list who has none yet this evening and is in one of the club,
    by member id; a reserve too, unless they are in another."""
    without = evening.registrations.filter(team=None, present=True).values("member")
    people = CompetitorMember.objects.filter(
        Q(until=None) | Q(until__gte=evening.date),
        competitor__club=evening.club_id,
        competitor__kind=Kind.TEAM,
        since__lte=evening.date,
        member__in=without,
    )
    in_order = people.select_related("competitor").order_by("-reserve", "-since", "-pk")
    return {person.member_id: person.competitor for person in in_order}


@transaction.atomic
def pair_plays_for(
    *, evening_id: int, number: int, competitor: Competitor | None, actor: Actor
) -> EveningPair | None:
    """Say which pair of the club the pair with this number is on this evening; None makes a pair of
    the two who have the number.

    Raises DomainError `no_such_pair`, or `competitor_taken` if another number is that pair.
    """
    evening = evening_lock(evening_id)
    people = [entry.member for entry in _of_number(evening, number)]
    if not people or (
        competitor is not None
        and (competitor.club_id, competitor.kind) != (evening.club_id, Kind.PAIR)
    ):
        raise DomainError("no_such_pair", _("This pair is not there any more."))
    if competitor is None:
        competitor = _pair_of_the_club(evening, people, actor)
    taken = evening.evening_pairs.filter(competitor=competitor).exclude(number=number).first()
    if taken is not None:
        message = _("Pair %(number)s plays for %(name)s already this evening.")
        words = {"number": taken.number, "name": competitor.name}
        raise DomainError("competitor_taken", message % words)
    chosen, _made = EveningPair.objects.update_or_create(
        evening=evening, number=number, defaults={"competitor": competitor}
    )
    evening_touch(
        evening,
        actor=actor,
        action="pair_plays_for",
        data={"pair": number, "competitor": str(competitor.uuid)},
        texts={"name": competitor.name},
    )
    return chosen


def evening_pairs_follow(evening: Evening, actor: Actor, *, changed: Collection[int] = ()) -> None:
    """Give each number of a pair on this evening its pair of the club, and forget numbers that are
    gone, and those that were `changed` and have nobody of their pair any more. The caller has
    locked the evening.

    Two people who are a pair of the club are that pair. One of a pair whose partner is not in
    another pair this evening, with somebody who is of no pair, plays for that pair. Else a pair of
    the club is made of the two.
    """
    listed = evening.registrations.exclude(pair=None).select_related("member")
    people: dict[int, list[Member]] = {}
    for entry in listed.order_by("pair", "member__sort_name", "pk"):
        people.setdefault(entry.pair or 0, []).append(entry.member)
    evening.evening_pairs.exclude(number__in=people).delete()
    for pair in evening.evening_pairs.filter(number__in=changed):
        theirs = CompetitorMember.objects.filter(competitor=pair.competitor_id)
        if theirs.exists() and not theirs.filter(member__in=people[pair.number]).exists():
            pair.delete()
    known = set(evening.evening_pairs.values_list("number", flat=True))
    new = {number: two for number, two in people.items() if number not in known}
    if not new:
        return
    free = _free_pairs(evening, [member for two in people.values() for member in two])
    for number, two in new.items():
        competitor = _known_pair(two, free) or _pair_of_the_club(evening, two, actor)
        free.pop(competitor.pk, None)
        EveningPair.objects.get_or_create(
            evening=evening, competitor=competitor, defaults={"number": number}
        )


def pairs_known(evening: Evening) -> dict[int, tuple[Competitor, list[Competitor]]]:
    """By number, the pair of the club that it is this evening, and other pairs of its people that
    no number is. Two queries."""
    chosen = {
        pair.number: pair.competitor for pair in evening.evening_pairs.select_related("competitor")
    }
    of_that_day = Q(until=None) | Q(until__gte=evening.date)
    people = CompetitorMember.objects.filter(
        of_that_day,
        competitor__kind=Kind.PAIR,
        since__lte=evening.date,
        member__registrations__evening=evening,
        member__registrations__pair__isnull=False,
    ).annotate(number=F("member__registrations__pair"))
    in_order = people.filter(member__registrations__evening=evening).select_related("competitor")
    taken = {competitor.pk for competitor in chosen.values()}
    known = {number: (competitor, list[Competitor]()) for number, competitor in chosen.items()}
    for person in in_order.order_by("competitor__key"):
        number = person.number
        is_free = person.competitor_id not in taken
        if number in known and is_free and person.competitor not in known[number][1]:
            known[number][1].append(person.competitor)
    return known


Pairs = dict[int, tuple[Competitor, set[int], bool]]


def _free_pairs(evening: Evening, playing: Iterable[Member]) -> Pairs:
    """The pairs of the club that no number is yet this evening: each with its people that day, and
    whether one of them is not playing."""
    of_that_day = Q(until=None) | Q(until__gte=evening.date)
    people = CompetitorMember.objects.filter(
        of_that_day,
        competitor__club=evening.club_id,
        competitor__kind=Kind.PAIR,
        since__lte=evening.date,
        reserve=False,
    ).exclude(competitor__evening_pairs__evening=evening)
    here = {member.pk for member in playing}
    free: Pairs = {}
    for person in people.select_related("competitor").order_by("competitor"):
        own = free.get(person.competitor_id, (person.competitor, set(), False))
        is_away = own[2] or person.member_id not in here
        free[person.competitor_id] = own[0], own[1] | {person.member_id}, is_away
    return free


def _known_pair(two: Sequence[Member], free: Pairs) -> Competitor | None:
    ids = {member.pk for member in two}
    for competitor, people, _is_away in free.values():
        if people == ids:
            return competitor
    theirs = [
        competitor for competitor, people, is_away in free.values() if people & ids and is_away
    ]
    return theirs[0] if len(theirs) == 1 else None


def _pair_of_the_club(evening: Evening, two: Sequence[Member], actor: Actor) -> Competitor:
    for competitor, people, _away in _free_pairs(evening, two).values():
        if people == {member.pk for member in two}:
            return competitor
    return competitor_create(
        club=evening.club,
        kind=Kind.PAIR,
        name=free_name(evening.club, *two),
        people=two[:OF_A_PAIR],
        since=evening.date,
        actor=actor,
    )


def free_name(club: Club, *people: Member) -> str:
    """Anna de Vries & Bo Smit; with a number behind it where another pair is called so."""
    name = base = " & ".join(member.desk_name for member in people)
    number = 1
    while club.competitors.filter(kind=Kind.PAIR, key=name_key(name)).exists():
        number += 1
        name = f"{base} ({number})"
    return name


def _of_number(evening: Evening, number: int) -> list[Registration]:
    listed = evening.registrations.filter(pair=number).select_related("member")
    return list(listed.order_by("member__sort_name", "pk"))


def _lock(competitor: Competitor, seen_version: int | None) -> Competitor:
    club_lock(competitor.club_id)
    current = Competitor.objects.select_related("club").filter(pk=competitor.pk).first()
    if current is None or seen_version not in (None, current.version):
        message = _("Somebody else changed this in the meantime. Look first at what it is now.")
        raise VersionConflict("competitor_outdated", message, current=current)
    return current


def _require_sound(competitor: Competitor) -> None:
    if not competitor.name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(competitor.name) > Competitor.LONGEST_NAME:
        message = _("The name may have at most %(n)s characters.")
        raise DomainError("name_too_long", message % {"n": Competitor.LONGEST_NAME})
    others = competitor.club.competitors.filter(kind=competitor.kind).exclude(pk=competitor.pk)
    same = others.filter(key=name_key(competitor.name)).first()
    if same is not None:
        message = (
            _("There is already a pair called %(name)s.")
            if competitor.kind == Kind.PAIR
            else _("There is already a team called %(name)s.")
        )
        raise DomainError("competitor_exists", message % {"name": same.name})


def _require_days(since: dt.date, until: dt.date | None = None) -> None:
    if not all(FIRST_DAY <= day <= LAST_DAY for day in (since, until or since)):
        message = _("The first and last day are from 1900 to 2199.")
        raise DomainError("competitor_dates", message)
    if until is not None and until < since:
        message = _("The last day must not be before the first day.")
        raise DomainError("competitor_dates", message)


def _pair_is_full(competitor: Competitor) -> DomainError:
    message = _(
        "A pair is two people, and %(name)s has two. Let one of them leave first, or add a reserve."
    )
    return DomainError("pair_of_two", message % {"name": competitor.name})


def _evenings_follow(competitor: Competitor) -> None:
    """Pages of planned and running evenings show the new name at once."""
    evenings = Evening.objects.filter(
        Q(evening_pairs__competitor=competitor) | Q(registrations__team=competitor),
        state__in=[Evening.State.PLANNED, Evening.State.RUNNING],
    )
    for evening_id in sorted(set(evenings.order_by().values_list("pk", flat=True))):
        revision_bump(evening_id)


def _audit(competitor: Competitor, actor: Actor, action: str, **data: object) -> None:
    event_append(
        chain=competitor.club,
        club=competitor.club,
        actor=actor,
        action=action,
        object_ref=f"competitor:{competitor.uuid}",
        data={"kind": competitor.kind, **data},
        texts={"name": competitor.name},
    )
