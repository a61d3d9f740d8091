"""Lines of a score sheet: those of three people at a table, those of deals worked out, and those
with one number for all roem of a side; and what the totals under a whole sheet can be.

With three at a table everybody plays alone: the declarer has the dummy opposite, against the other
two. A line of such a sheet is an ordinary line in which people are seated anew for each deal. An
entry says who declared and what the declarer and the others took: side NS is the declarer, EW the
other two, and a seat stands for a person.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any, Final

from scoring.rules.deal import SEATS, SIDES, Correction, Seat, Side, other_side, partner, side_of
from scoring.rules.regulation import NO_TRUMP_DEAL_POINTS, TRUMP_DEAL_POINTS, RuleSet
from scoring.rules.score import DealResult

THREE: Final[tuple[Seat, ...]] = ("N", "E", "S")
"""The seats of the three people; West is left free, for the dummy or whoever makes room for it."""

TWO: Final[tuple[Seat, ...]] = ("N", "E")
"""The seats of two people at a table, one a side; nobody is opposite them."""

_CHAIRS: Final[Mapping[Seat, Mapping[Seat, Seat]]] = {
    declarer: {seat: "W" if seat == partner(declarer) else seat for seat in THREE}
    for declarer in THREE
}


def chairs_of(declarer: Seat) -> Mapping[Seat, Seat]:
    """On which chair each of the three sits in the deal that `declarer` plays: on their own, but
    whoever has the seat opposite moves to West, so that the dummy can lie there.

    >>> chairs_of("N"), chairs_of("E")["S"]
    ({'N': 'N', 'E': 'E', 'S': 'W'}, 'S')
    """
    return _CHAIRS[declarer]


def chairs_taken(declarer: Seat) -> list[Seat]:
    """The chairs with a person on them, in the order of SEATS: the contract's `seats`.

    >>> chairs_taken("S")
    ['E', 'S', 'W']
    """
    return [seat for seat in SEATS if seat in _CHAIRS[declarer].values()]


def sides_of(declarer: Seat) -> tuple[Side, Side]:
    """The side of who plays, and the other one."""
    own = side_of(declarer)
    return own, other_side(own)


def shares_of_three(declarer: Seat, score: Mapping[Side, int]) -> dict[Seat, int]:
    """What a deal with this score brings each of THREE: who plays has the one side, and both others
    have what the other side has.

    >>> shares_of_three("E", {"NS": 62, "EW": 100})
    {'N': 62, 'E': 100, 'S': 62}
    """
    own, theirs = sides_of(declarer)
    return {who: score[own if who == declarer else theirs] for who in THREE}


def line_of_three(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What three people enter of a deal as a line that `evaluate` reads; `entry["declarer"]` is
    one of THREE."""
    declarer = entry["declarer"]
    names: dict[Any, str] = dict(zip(SIDES, sides_of(declarer), strict=True))
    names.update(_CHAIRS[declarer])
    return {**_renamed(entry, names), "seats": chairs_taken(declarer)}


def entry_of_three(line: Mapping[str, Any]) -> dict[str, Any]:
    """What three people entered to come to such a line."""
    declarer = line["declarer"]
    names: dict[Any, str] = dict(zip(sides_of(declarer), SIDES, strict=True))
    names.update({chair: seat for seat, chair in _CHAIRS[declarer].items()})
    entry = _renamed(line, names)
    del entry["seats"]
    return entry


def _renamed(line: Mapping[str, Any], names: Mapping[Any, str]) -> dict[str, Any]:
    """The line with another name for each side and seat but the declarer's, which stays."""
    renamed = dict(line)
    for key in ("points", "roem"):
        if key in line:
            renamed[key] = {names[side]: figures for side, figures in line[key].items()}
    for key in ("pit", "reneged", "accused_wrongly_by", "dealer"):
        if line.get(key):
            renamed[key] = names[line[key]]
    if line.get("corrections"):
        renamed["corrections"] = [
            {key: names[value] if key in ("seat", "side") else value for key, value in one.items()}
            for one in line["corrections"]
        ]
    return renamed


_MARKS = (
    "pit",
    "nat",
    "reneged",
    "accused_wrongly_by",
    "nil",
    "replayed",
    "replays",
    "dealer",
    "bid",
)


def sheet_line(result: DealResult) -> dict[str, object]:
    """The object of the contract that a score sheet has for this deal.

    `evaluate` gives it the same score under the same regulation; a deal card by card has the points
    and the announced roem of both sides in it. What the deal says nothing of is left out.

    >>> from scoring.rules.lines import evaluate
    >>> from scoring.rules.regulation import RuleSet
    >>> deal = {"declarer": "N", "trump": "H", "points": {"EW": 65}, "roem": {"NS": [20]}}
    >>> sheet_line(evaluate(deal, RuleSet())) == deal
    True
    """
    deal = result.deal
    line: dict[str, object] = {"declarer": deal.declarer, "trump": deal.trump}
    if deal.points:
        line["points"] = dict(deal.points)
    if deal.roem:
        line["roem"] = {side: list(items) for side, items in deal.roem.items()}
    line |= {mark: getattr(deal, mark) for mark in _MARKS if getattr(deal, mark)}
    if deal.corrections:
        line["corrections"] = [_correction(correction) for correction in deal.corrections]
    if deal.seats != SEATS:
        line["seats"] = list(deal.seats)
    return line


def _correction(correction: Correction) -> dict[str, object]:
    whose = {"seat": correction.seat} if correction.seat else {"side": correction.side}
    return {**whose, "points": correction.points, "reason": correction.reason}


# On paper a side has one number for its roem; a line has its announcements.

_MOST_ANNOUNCED: Final[Mapping[str, int]] = {"trick": 8, "hand": 13, "hand_to_trick": 13}
"""By where roem lies: one in each trick, or what four hands of eight cards can hold."""

_WITH_STUK: Final = frozenset({40, 70})


def roem_readings(line: Mapping[str, Any], regulation: RuleSet) -> Iterator[dict[str, Any]]:
    """The line in every way in which one number for the roem of a side can be announcements that
    come to it: as it stands if that can be announced at once, then what claims no stuk, of few
    announcements first. Which of them the deal can hold, `evaluate` says; also what is wrong with
    a number to which none come, which stays.

    >>> line = {"roem": {"NS": [60], "EW": [20, 50]}}
    >>> [reading["roem"]["NS"] for reading in roem_readings(line, RuleSet())]
    [[20, 20, 20], [40, 20]]
    """
    values = tuple(sorted(regulation.roem_values - {0}, reverse=True))
    alike = frozenset({regulation.four_of_a_kind, regulation.four_jacks})
    most = _MOST_ANNOUNCED[regulation.roem_from]
    roem: Mapping[str, Any] = line.get("roem") or {}
    ways = [
        _announced(items[0], values, _WITH_STUK - alike, most) if len(items) == 1 else (items,)
        for items in roem.values()
    ]
    for chosen in product(*ways):
        read = {side: list(items) for side, items in zip(roem, chosen, strict=True)}
        yield {**line, "roem": read} if roem else dict(line)


@lru_cache(maxsize=256)
def _announced(
    amount: int, values: tuple[int, ...], with_stuk: frozenset[int], most: int
) -> tuple[tuple[int, ...], ...]:
    """The announcements that come to this, those first that are likeliest to be meant."""

    def claims(items: tuple[int, ...]) -> tuple[bool, int, int]:
        return len(items) > 1, sum(item in with_stuk for item in items), len(items)

    return tuple(sorted(_sums(amount, values, most), key=claims)) or ((amount,),)


def _sums(amount: int, values: tuple[int, ...], most: int) -> Iterator[tuple[int, ...]]:
    """Every way to make this of at most so many of these values, from the highest down."""
    if amount == 0:
        yield ()
    elif most:
        for place, value in enumerate(values):
            if value <= amount:
                for rest in _sums(amount - value, values[place:], most - 1):
                    yield (value, *rest)


# What both sides, or three people, can have together under a whole sheet, before the director's
# corrections. Whatever legal deals can give fits; a sum that fits need not be likely.


def deals_in_sum(
    points: int, most: int, regulation: RuleSet, *, of_three: bool = False
) -> int | None:
    """After how many deals all together can have this many points, roem and bonuses included: the
    most that fits, of `most` at most; None where no number of deals gives it.

    >>> deals_in_sum(3052, 16, RuleSet()), deals_in_sum(2610, 16, RuleSet())
    (16, 15)
    >>> deals_in_sum(3053, 16, RuleSet()) is None
    True
    """
    numbers = range(most, 0, -1)
    fitting = (n for n in numbers if sum_fits(points, n, regulation, of_three=of_three))
    return next(fitting, None)


def sum_fits(points: int, deals: int, regulation: RuleSet, *, of_three: bool = False) -> bool:
    """Whether both sides together can have this after so many deals: 162 for each (130 in no-trump,
    the bonus of a nil that was made), and on top of that roem and bonuses.

    Of three people only limits are known: two of them get the same in each deal.

    >>> [sum_fits(points, 1, RuleSet()) for points in (162, 172, 182, 192, 202, 262)]
    [True, False, True, False, True, True]
    """
    if of_three:
        cards = _cards(1, regulation)
        most = 2 * (max(cards) + _most_extra(regulation))
        return deals * min(cards) <= points <= deals * most
    return any(extra_fits(points - cards, deals, regulation) for cards in _cards(deals, regulation))


def extra_fits(points: int, deals: int, regulation: RuleSet) -> bool:
    """Whether so many deals can bring this much besides the points of cards: roem, pits and what
    else the regulation gives, however many of each."""
    return points >= 0 and bool(_extras(deals, regulation) >> points & 1)


def bonuses_fit(points: int, deals: int, pits: int | None, regulation: RuleSet) -> bool:
    """Whether bonuses of so many deals can come to this: of each pit (with None: of any number of
    them), and of what else a regulation gives that is no roem."""
    made = range(deals + 1) if pits is None else (pits,)
    both = regulation.pit_bonus, regulation.counter_pit_bonus
    others = _reachable((regulation.shutout_bonus, regulation.nil_bonus or 0), max(0, points))
    rests = (
        points - own * both[0] - (count - own) * both[1]
        for count in made
        for own in range(count + 1)
    )
    return any(rest >= 0 and others >> rest & 1 for rest in rests)


def most_roem(regulation: RuleSet) -> int:
    """More roem than this no deal has: the dearest, as often as there can be any."""
    return _MOST_ANNOUNCED[regulation.roem_from] * max(regulation.roem_values)


def most_bonus(regulation: RuleSet) -> int:
    """More than this no deal brings besides cards and roem."""
    return max(_bonuses(regulation))


def _cards(deals: int, regulation: RuleSet) -> set[int]:
    """What both sides together can have of cards, or of nils made, after so many deals."""
    less = TRUMP_DEAL_POINTS - NO_TRUMP_DEAL_POINTS
    return {
        (deals - nils) * TRUMP_DEAL_POINTS - no_trump * less + nils * (regulation.nil_bonus or 0)
        for nils in range(deals + 1 if regulation.nil_bonus is not None else 1)
        for no_trump in range(deals - nils + 1 if regulation.no_trump else 1)
    }


def _most_extra(regulation: RuleSet) -> int:
    return most_roem(regulation) + most_bonus(regulation)


def _bonuses(regulation: RuleSet) -> tuple[int, ...]:
    """What one deal can bring besides cards and roem; reneging as it stands beside the roem."""
    return (
        regulation.pit_bonus,
        regulation.counter_pit_bonus,
        regulation.shutout_bonus,
        regulation.reneging_roem,
    )


@lru_cache(maxsize=64)
def _extras(deals: int, regulation: RuleSet) -> int:
    """A bit for every sum of roem and bonuses of so many deals."""
    values = (*regulation.roem_values, *_bonuses(regulation))
    return _reachable(values, deals * _most_extra(regulation))


def _reachable(values: tuple[int, ...], most: int) -> int:
    """A bit for every sum up to `most` of these values, each taken any number of times."""
    sums, mask = 1, (1 << most + 1) - 1
    for value in {*values} - {0}:
        step = value
        while step <= most:
            sums |= sums << step & mask
            step *= 2
    return sums
