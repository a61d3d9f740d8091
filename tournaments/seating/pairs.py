"""The fixed pairs of an evening, and the people present without a partner."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from clubs.models import Member
from tournaments.models import CoupleRule, Evening, Registration

Couple = tuple[Member, Member]


@dataclass(frozen=True, slots=True)
class FixedPair:
    """A pair: its number, its people by surname, and those of them who are absent."""

    number: int
    people: tuple[Member, ...]
    gone: tuple[Member, ...]


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
    """The pairs of this evening and who is alone, by surname, in one query."""
    on_the_list = evening.registrations.filter(Q(present=True) | Q(pair__isnull=False))
    people = list(on_the_list.select_related("member").order_by("member__sort_name", "pk"))
    here = Counter(entry.pair for entry in people if entry.present)
    numbers = sorted({entry.pair for entry in people if entry.pair is not None})
    return EveningPairs(
        pairs=[_pair(number, people) for number in numbers],
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
