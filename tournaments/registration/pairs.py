"""Who plays with whom: the fixed pairs of an evening, and couple rules, by which two people always
play together or are never seated at one table."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import SystemRandom

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.merges.services import MergeLog
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import (
    Competitor,
    CoupleRule,
    DuplicateEvening,
    Evening,
    EveningPair,
    FolderPlay,
    Registration,
    Round,
)
from tournaments.registration.competitors import evening_pairs_follow, pairs_known

Kind = CoupleRule.Kind
MOST_NUMBER = 999
OUT_OF_REACH = 10_000
_MOST = {"n": MOST_NUMBER}
ADDED = {Kind.FIXED: "couple_fixed", Kind.APART: "couple_apart"}


@transaction.atomic
def couple_rule_add(
    *, club: Club, one: Member, two: Member, kind: CoupleRule.Kind, actor: Actor
) -> CoupleRule:
    """From the next draw on these two are always partners, or never at one table, if both play.

    Raises DomainError `couple_of_one`, `member_of_another_club`, `couple_known` if the rule exists
    already, or `couples_contradict` if the opposite does or one of them has another fixed partner.
    """
    club = club_lock(club.pk)
    # Stored in one order, so that the constraint sees a couple named the other way round.
    one, two = sorted((one, two), key=lambda member: member.pk)
    if one == two:
        raise DomainError("couple_of_one", _("Choose two different people."))
    if {one.club_id, two.club_id} != {club.pk}:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
    _require_free(one, two, kind)
    rule = CoupleRule.objects.create(club=club, one=one, two=two, kind=kind)
    _audit(rule, actor, ADDED[kind])
    return rule


@transaction.atomic
def couple_rule_remove(*, club: Club, rule_id: int, actor: Actor) -> CoupleRule | None:
    """Remove a rule about two people. Returns it, or None if it was gone already."""
    club = club_lock(club.pk)
    rules = CoupleRule.objects.filter(club=club).select_related("one", "two")
    rule = rules.filter(pk=rule_id).first()
    if rule is None:
        return None
    CoupleRule.objects.filter(pk=rule.pk).delete()
    _audit(rule, actor, "couple_rule_removed")
    return rule


def couple_rules_hand_over(log: MergeLog) -> None:
    """Hand the rules about a merged guest over to the member, except where they contradict the
    member's own. The caller has locked the club."""
    rules = CoupleRule.objects.filter(Q(one=log.guest) | Q(two=log.guest))
    for rule in rules.select_related("one", "two"):
        other = rule.two if rule.one == log.guest else rule.one
        one, two = sorted((log.member, other), key=lambda each: each.pk)
        if one == two or _clash(one, two, CoupleRule.Kind(rule.kind), leaving_out=rule):
            log.drop(CoupleRule.objects.filter(pk=rule.pk))
        else:
            log.change(rule, one_id=one.pk, two_id=two.pk)


def _require_free(one: Member, two: Member, kind: CoupleRule.Kind) -> None:
    clash = _clash(one, two, kind)
    if clash is None:
        return
    words = {"one": clash.one.desk_name, "two": clash.two.desk_name}
    if (clash.one, clash.two, clash.kind) == (one, two, kind):
        raise DomainError("couple_known", _("This rule exists already."))
    if clash.kind == Kind.FIXED:
        message = _("%(one)s and %(two)s always play together. Remove that rule first.")
    else:
        message = _("%(one)s and %(two)s are never at one table. Remove that rule first.")
    raise DomainError("couples_contradict", message % words)


def _clash(
    one: Member, two: Member, kind: CoupleRule.Kind, *, leaving_out: CoupleRule | None = None
) -> CoupleRule | None:
    """A rule that contradicts a new one about these two."""
    same = Q(one=one, two=two)
    if kind == Kind.FIXED:
        either = Q(one__in=(one, two)) | Q(two__in=(one, two))
        same |= either & Q(kind=Kind.FIXED)
    rules = CoupleRule.objects.filter(same).select_related("one", "two")
    return rules.exclude(pk=leaving_out.pk if leaving_out else 0).first()


def _audit(rule: CoupleRule, actor: Actor, action: str) -> None:
    event_append(
        chain=rule.club,
        club=rule.club,
        actor=actor,
        action=action,
        object_ref=f"member:{rule.one.uuid}",
        data={"member": str(rule.one.uuid), "partner": str(rule.two.uuid), "agreed": rule.kind},
    )


Couple = tuple[Member, Member]


@dataclass(frozen=True, slots=True)
class FixedPair:
    """A pair: its number, its people by surname, those of them who are absent, the pair of the club
    that it is this evening, and other pairs that it could play for."""

    number: int
    people: tuple[Member, ...]
    gone: tuple[Member, ...]
    plays_for: Competitor | None = None
    others: tuple[Competitor, ...] = ()


@dataclass(frozen=True, slots=True)
class EveningPairs:
    """The pairs of an evening by number, and the people present whose partner is not."""

    pairs: list[FixedPair]
    alone: list[Member]

    @property
    def complete(self) -> int:
        """How many pairs are both present."""
        return sum(not pair.gone for pair in self.pairs)


def pairs_of(evening: Evening) -> EveningPairs:
    """The pairs of this evening and who is alone, by surname, in one query; two more if there are
    pairs."""
    on_the_list = evening.registrations.filter(Q(present=True) | Q(pair__isnull=False))
    people = list(on_the_list.select_related("member").order_by("member__sort_name", "pk"))
    here = Counter(entry.pair for entry in people if entry.present)
    numbers = sorted({entry.pair for entry in people if entry.pair is not None})
    known = pairs_known(evening) if numbers else {}
    return EveningPairs(
        pairs=[
            replace(
                _pair(number, people), plays_for=known[number][0], others=tuple(known[number][1])
            )
            if number in known
            else _pair(number, people)
            for number in numbers
        ],
        alone=[entry.member for entry in people if entry.present and _is_alone(entry.pair, here)],
    )


def known_couples(evening: Evening, alone: Sequence[Member]) -> list[Couple]:
    """Couples among the people without a partner: those who always play together, then the pairs
    of the last evening with pairs before this one, except people kept apart. Nobody appears in two
    couples."""
    free = {member.pk: member for member in alone}
    apart = kept_apart(evening)
    couples: list[Couple] = []
    for member_id, partner_id in [*_always_together(evening), *_pairs_before(evening)]:
        if {member_id, partner_id} <= free.keys() and {member_id, partner_id} not in apart:
            couples.append((free.pop(member_id), free.pop(partner_id)))
    return couples


def kept_apart(evening: Evening) -> list[set[int]]:
    """The ids of each couple that the club never seats at one table."""
    rules = CoupleRule.objects.filter(club=evening.club, kind=CoupleRule.Kind.APART)
    return [set(couple) for couple in rules.values_list("one", "two")]


def _pair(number: int, people: Sequence[Registration]) -> FixedPair:
    both = [entry for entry in people if entry.pair == number]
    return FixedPair(
        number=number,
        people=tuple(entry.member for entry in both),
        gone=tuple(entry.member for entry in both if not entry.present),
    )


def _is_alone(number: int | None, present: Counter[int | None]) -> bool:
    return number is None or present[number] < 2


def _always_together(evening: Evening) -> list[tuple[int, int]]:
    rules = CoupleRule.objects.filter(club=evening.club, kind=CoupleRule.Kind.FIXED)
    return list(rules.order_by("pk").values_list("one", "two"))


def _pairs_before(evening: Evening) -> list[tuple[int, int]]:
    earlier = (
        Evening.objects.of(evening.club)
        .filter(date__lte=evening.date, registrations__pair__isnull=False)
        .exclude(pk=evening.pk)
        .first()
    )
    if earlier is None:
        return []
    members: dict[int, list[int]] = {}
    paired = earlier.registrations.exclude(pair=None).order_by("pair", "pk")
    for number, member in paired.values_list("pair", "member"):
        members.setdefault(number or 0, []).append(member)
    return [(pair[0], pair[1]) for pair in members.values() if len(pair) == 2]


@transaction.atomic
def pair_make(*, evening_id: int, one: Member, two: Member, actor: Actor) -> int:
    """Make these two a pair. Returns its number, the lowest free one.

    Somebody whose partner is not here leaves the pair they were in. Raises DomainError
    `evening_state`, `no_fixed_pairs`, `pairs_drawn`, `pair_of_one`, `pair_not_free` (params:
    members) for people who are not here or have a partner, `pair_kept_apart`, or `pair_in_folders`
    (params: members) for people whose pair plays folders, even if their partner left.
    """
    evening = _lock(evening_id, beside=True)
    _require_no_folders(evening, one, two)
    alone = pairs_of(evening).alone
    if one == two:
        raise DomainError("pair_of_one", _("A pair needs two different people."))
    if taken := [member for member in (one, two) if member not in alone]:
        names = ", ".join(member.desk_name for member in taken)
        raise DomainError(
            "pair_not_free",
            _("%(names)s: not here, or with a partner already.") % {"names": names},
            members=taken,
        )
    if {one.pk, two.pk} in kept_apart(evening):
        raise DomainError(
            "pair_kept_apart",
            _("The club keeps %(one)s and %(two)s apart, so they cannot be a pair.")
            % {"one": one.desk_name, "two": two.desk_name},
        )
    (number,) = _write(evening, [(one, two)], actor)
    data = {"pair": number, "member": str(one.uuid), "partner": str(two.uuid)}
    evening_touch(evening, actor=actor, action="pair_made", data=data)
    return number


@transaction.atomic
def pair_break(*, evening_id: int, number: int, actor: Actor) -> int:
    """Split the pair with this number. Returns how many people were in it: 0 if it is gone
    already.

    Raises DomainError `evening_state`, `no_fixed_pairs` or `pairs_drawn`.
    """
    evening = _lock(evening_id, beside=True)
    if number in movement_numbers(evening):
        raise _pairs_drawn(evening)
    parted = evening.registrations.filter(pair=number).update(pair=None)
    if parted:
        evening_pairs_follow(evening, actor)
        evening_touch(evening, actor=actor, action="pair_broken", data={"pair": number})
    return parted


@transaction.atomic
def pairs_number(
    *, evening_id: int, numbers: Mapping[int, int], actor: Actor
) -> list[tuple[int, int]]:
    """Give the pairs other numbers: by the old number the new one, as drawn at the door. Pairs that
    are not named keep theirs. Returns the old and the new number of those that changed.

    Raises DomainError `evening_state`, `no_fixed_pairs`, `pairs_drawn`, `pair_unknown`, or
    `pair_numbers` (params: faults by old number) for two pairs of one number and numbers out of
    reach.
    """
    evening = _lock(evening_id)
    people = list(Registration.objects.filter(evening=evening, pair__isnull=False))
    known = {registration.pair: registration.pair for registration in people}
    if numbers.keys() - known.keys():
        raise DomainError("pair_unknown", _("The pairs have changed in the meantime."))
    given = known | dict(numbers)
    times = Counter(given.values())
    faults = {
        old: _("Two pairs have this number.") if times[new] > 1 else _("From 1 to %(n)s.") % _MOST
        for old, new in given.items()
        if old is not None and (times[new] > 1 or not 1 <= (new or 0) <= MOST_NUMBER)
    }
    if faults:
        raise DomainError("pair_numbers", _("These numbers do not work."), faults=faults)
    changed = [(old, new) for old, new in given.items() if old and new and old != new]
    if changed:
        for registration in people:
            registration.pair = given[registration.pair]
        Registration.objects.bulk_update(people, ["pair"])
        _competitors_follow(evening, dict(changed))
        data = {"numbers": {str(old): new for old, new in changed}, "count": len(changed)}
        evening_touch(evening, actor=actor, action="pairs_numbered", data=data)
    return changed


def _competitors_follow(evening: Evening, numbers: Mapping[int, int]) -> None:
    """Which pair of the club has which number. First out of reach: two may change numbers."""
    own = EveningPair.objects.filter(evening=evening, number__in=numbers)
    own.update(number=F("number") + OUT_OF_REACH)
    for old, new in numbers.items():
        moved = EveningPair.objects.filter(evening=evening, number=old + OUT_OF_REACH)
        moved.update(number=new)


@transaction.atomic
def pairs_number_by_lot(*, evening_id: int, actor: Actor) -> list[tuple[int, int]]:
    """Let a lot decide the numbers of the pairs, from 1. Raises DomainError as `pairs_number`."""
    evening = _lock(evening_id)
    old = sorted(
        {number for number in evening.registrations.values_list("pair", flat=True) if number}
    )
    new = SystemRandom().sample(range(1, len(old) + 1), len(old))
    return pairs_number(
        evening_id=evening_id, numbers=dict(zip(old, new, strict=True)), actor=actor
    )


@transaction.atomic
def pairs_as_before(*, evening_id: int, actor: Actor) -> int:
    """Make pairs of people who always play together and of the pairs of last time, if both are here
    without a partner. Returns how many were made.

    Raises DomainError `evening_state`, `no_fixed_pairs` or `pairs_drawn`.
    """
    evening = _lock(evening_id)
    couples = known_couples(evening, pairs_of(evening).alone)
    numbers = _write(evening, couples, actor)
    if couples:
        uuids = [[str(member.uuid) for member in couple] for couple in couples]
        data = {"pairs": dict(zip(map(str, numbers), uuids, strict=True)), "count": len(couples)}
        evening_touch(evening, actor=actor, action="pairs_taken_over", data=data)
    return len(couples)


def pair_hand_over(*, gone: Registration, log: MergeLog, heir: Member) -> None:
    """Give the heir the place in a pair of somebody who is removed from an evening's list. If the
    heir is in a pair already, the partner has none any more. The caller has locked the club."""
    listed = Registration.objects.filter(evening=gone.evening_id)
    if single := listed.filter(member=heir, pair=None).first():
        log.change(single, pair=gone.pair)
        return
    for partner in listed.filter(pair=gone.pair).exclude(pk=gone.pk):
        log.change(partner, pair=None)


def _lock(evening_id: int, *, beside: bool = False) -> Evening:
    """The evening, of which the pairs may change; with `beside` those of folders too that have no
    place in the movement."""
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if evening.method != Evening.Method.PAIRS:
        raise DomainError("no_fixed_pairs", _("This evening is not played in fixed pairs."))
    rounds = evening.rounds.all()
    if not evening.plays_folders:
        rounds = rounds.filter(state__in=[Round.State.DRAFT, Round.State.DRAWN])
    if rounds.exists() and not (beside and evening.plays_folders):
        raise _pairs_drawn(evening)
    return evening


def _pairs_drawn(evening: Evening) -> DomainError:
    message = _("The draw was made with these pairs. Undo the draw first, then change them.")
    if evening.plays_folders and evening.state == Evening.State.RUNNING:
        message = _(
            "What the pairs make of the folders stands under their numbers, so they stay as they"
            " are. A pair that comes late gets its place under “Portefeuille”."
        )
    return DomainError("pairs_drawn", message)


def movement_numbers(evening: Evening) -> set[int]:
    """The numbers of the pairs that have a place in a movement of folders, or had one. What was
    played stands under them, so nobody else gets them. Three queries where folders are played."""
    if not evening.plays_folders or not evening.rounds.exists():
        return set()
    played = FolderPlay.objects.filter(folder__pack=evening.uuid).values_list("pair", flat=True)
    counted = DuplicateEvening.objects.filter(evening=evening).values_list("pairs", flat=True)
    return set(played).union(*counted)


def _require_no_folders(evening: Evening, *members: Member) -> None:
    rows = evening.registrations.filter(pair__in=movement_numbers(evening), member__in=members)
    if bound := [row.member for row in rows.select_related("member").order_by("pk")]:
        names = ", ".join(member.desk_name for member in bound)
        message = _(
            "%(names)s: has a place with a partner in the folders already. If the partner left,"
            " somebody else can take over that seat at the table."
        )
        raise DomainError("pair_in_folders", message % {"names": names}, members=bound)


def _write(evening: Evening, couples: Iterable[Couple], actor: Actor) -> list[int]:
    """Give each couple a number that is free once they have left their former pairs."""
    partner = {first.pk: second.pk for first, second in couples}
    registrations = Registration.objects.filter(evening=evening)
    theirs = registrations.filter(member__in=[*partner, *partner.values()])
    left = list(theirs.exclude(pair=None).values_list("pair", flat=True))
    # A former partner who is not in a new pair has none any more.
    registrations.filter(pair__in=left).update(pair=None)
    taken = set(registrations.exclude(pair=None).values_list("pair", flat=True))
    taken |= movement_numbers(evening)
    free = (number for number in count(1) if number not in taken)
    given = dict(zip(partner, free, strict=False))
    pair_of = given | {second: given[first] for first, second in partner.items()}
    people = list(theirs)
    for registration in people:
        registration.pair = pair_of[registration.member_id]
    Registration.objects.bulk_update(people, ["pair"])
    evening_pairs_follow(evening, actor, changed=list(given.values()))
    return list(given.values())
