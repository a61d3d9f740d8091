"""The fixed pairs of an evening, and the people present without a partner."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from clubs.models import Member
from tournaments.models import CoupleRule, Evening, Registration

Couple = tuple[Member, Member]


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair: its number, its people by surname, and those of them who are absent."""

    number: int
    people: tuple[Member, ...]
    gone: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs of an evening by number, and the people present whose partner is not."""

    pairs: list[Pair]
    alone: list[Member]

    @property
    def complete(self) -> int:
        """How many pairs have both people present."""
        return sum(not pair.gone for pair in self.pairs)


def pairing(evening: Evening) -> Pairing:
    """The pairs of this evening and those who are alone, by surname, in one query."""
    listed = evening.registrations.filter(Q(present=True) | Q(pair__isnull=False))
    entries = list(listed.select_related("member").order_by("member__sort_name", "pk"))
    present = Counter(entry.pair for entry in entries if entry.present)
    numbers = sorted({entry.pair for entry in entries if entry.pair is not None})
    return Pairing(
        pairs=[_pair(number, entries) for number in numbers],
        alone=[
            entry.member for entry in entries if entry.present and _is_alone(entry.pair, present)
        ],
    )


def count_alone(evening: Evening) -> int:
    """How many people are present without their partner."""
    pairs = evening.registrations.filter(present=True).values_list("pair", flat=True)
    present = Counter(pairs)
    return sum(times for number, times in present.items() if _is_alone(number, present))


def known_couples(evening: Evening, alone: Sequence[Member]) -> list[Couple]:
    """Likely pairs among the people without a partner: those who always play together, then the
    pairs of the most recent earlier evening with pairs, except couples that are kept apart. Nobody
    is in two of them."""
    free = {member.pk: member for member in alone}
    apart = kept_apart(evening)
    couples: list[Couple] = []
    for first, second in [*_always_together(evening), *_pairs_before(evening)]:
        if first in free and second in free and {first, second} not in apart:
            couples.append((free.pop(first), free.pop(second)))
    return couples


def kept_apart(evening: Evening) -> list[set[int]]:
    """The ids of each couple that the club never seats at one table."""
    rules = CoupleRule.objects.filter(club=evening.club, kind=CoupleRule.Kind.APART)
    return [set(couple) for couple in rules.values_list("one", "two")]


def _pair(number: int, entries: Sequence[Registration]) -> Pair:
    both = [entry for entry in entries if entry.pair == number]
    return Pair(
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
    couples: dict[int, list[int]] = {}
    paired = earlier.registrations.exclude(pair=None).order_by("pair", "pk")
    for number, member in paired.values_list("pair", "member"):
        couples.setdefault(number or 0, []).append(member)
    return [(pair[0], pair[1]) for pair in couples.values() if len(pair) == 2]
