"""The cards of a deal as they fell: who took what, its roem, and which cards were not allowed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import Final, NamedTuple

from scoring.rules.cards import (
    DECK,
    NUMBERS,
    RANKS,
    SUITS,
    TABLES,
    TrumpTable,
    Why,
    card_numbers,
    cards_of,
    leads_of,
    legal_mask,
    mask_of,
    reason,
)
from scoring.rules.deal import SEATS, Seat, Side, Trump, side_of
from scoring.rules.faults import Fault, fault_message
from scoring.rules.play_settings import LowestCarre
from scoring.rules.regulation import RuleSet
from scoring.rules.texts import Language

_STUK: Final = 20
_RUNS: Final = ((3, 20), (4, 50))
_STUK_RANKS: Final = 1 << RANKS.index("Q") | 1 << RANKS.index("K")
_JACK: Final = RANKS.index("J")
_LOWEST_RANK: Final[Mapping[LowestCarre, int]] = {"7": 0, "9": 2, "10": 3}


def roem_of_tricks(trump: Trump, regulation: RuleSet) -> Mapping[int, int]:
    """The roem of each set of four cards, as a mask, that makes any.

    Runs of three (20) and of four (50) in a suit, king and queen of trumps (20), four of a kind.
    """
    return roem_under(
        trump,
        regulation.four_of_a_kind_from,
        regulation.four_of_a_kind,
        regulation.four_jacks,
    )


@cache
def roem_under(
    trump: Trump, lowest: LowestCarre, four_of_a_kind: int, four_jacks: int
) -> Mapping[int, int]:
    """`roem_of_tricks` under these settings."""
    table = _runs()
    if trump != "NT":
        stuk = mask_of([NUMBERS["K" + trump], NUMBERS["Q" + trump]])
        for pair in _pairs_beside(stuk):
            table[stuk | pair] = table.get(stuk | pair, 0) + _STUK
    for rank in range(_LOWEST_RANK[lowest], 8):
        carre = 0x01010101 << rank
        table[carre] = four_jacks if rank == _JACK else four_of_a_kind
    return table


def _runs() -> dict[int, int]:
    table = {}
    for length, points in _RUNS:
        for lowest in range(9 - length):
            for suit in range(len(SUITS)):
                run = ((1 << length) - 1) << lowest + 8 * suit
                for rest in _beside(run) if length == 3 else (0,):
                    table[run | rest] = points
    return table


def _beside(cards: int) -> list[int]:
    return [1 << number for number in range(32) if not cards >> number & 1]


def _pairs_beside(cards: int) -> list[int]:
    return [one | other for one, other in combinations(_beside(cards), 2)]


_PARTS: Final[Mapping[int, tuple[int, ...]]] = {
    0: (0,),
    20: (0, 20),
    40: (0, 20, 40),
    50: (0, 20, 50),
    70: (0, 20, 40, 50, 70),
}
"""What can be announced of the roem of runs and stuk."""

_BARE_RUNS: Final = tuple(
    (((1 << length) - 1) << lowest, points)
    for length, points in _RUNS
    for lowest in range(9 - length)
)
"""The cards of each run in the lowest suit, and its points."""


class PlayedTrick(NamedTuple):
    """A complete trick, counted from 1.

    `points` are those of its cards alone, without the 10 for the last trick; `roem` is all that
    the four cards make, or, where roem lies in hands, all that they complete: `held` says whose.
    """

    number: int
    leader: Seat
    cards: tuple[str, ...]
    winner: Seat
    points: int
    roem: int
    held: tuple[tuple[Seat, int], ...] = ()

    @property
    def is_four_of_a_kind(self) -> bool:
        return len({card[0] for card in self.cards}) == 1


class Renege(NamedTuple):
    """A card that was not allowed: what was, in the order of the deck, and what bound the seat."""

    trick: int
    seat: Seat
    card: str
    legal: tuple[str, ...]
    why: Why

    def as_fault(self, field: str) -> Fault:
        """The same as a warning, `card_not_allowed`, at the card's place in the deal."""
        params = {
            "why": self.why,
            "trick": self.trick,
            "seat": self.seat,
            "card": self.card,
            "legal": " ".join(self.legal),
        }
        return Fault("card_not_allowed", field, params)


class Played(NamedTuple):
    """A whole deal as it fell; the roem of its tricks is what was announced of it."""

    tricks: tuple[PlayedTrick, ...]
    reneges: tuple[Renege, ...]

    def as_json(self) -> dict[str, object]:
        """`tricks` and `reneges` as the contract writes them."""
        return {
            "tricks": [
                {
                    "leader": trick.leader,
                    "cards": list(trick.cards),
                    "winner": trick.winner,
                    "points": trick.points,
                    "roem": trick.roem,
                }
                for trick in self.tricks
            ],
            "reneges": [
                {
                    "trick": renege.trick,
                    "seat": renege.seat,
                    "card": renege.card,
                    "legal": list(renege.legal),
                }
                for renege in self.reneges
            ],
        }

    def warnings(self) -> tuple[Fault, ...]:
        """`card_not_allowed` at the place of each card that was not: `cards.5` is the sixth."""
        return tuple(
            renege.as_fault(f"cards.{4 * renege.trick - 4 + self._turn(renege)}")
            for renege in self.reneges
        )

    def _turn(self, renege: Renege) -> int:
        return self.tricks[renege.trick - 1].cards.index(renege.card)


class Trace(NamedTuple):
    """Cards laid one after the other: complete tricks, the open one, and what was not allowed.

    `next_seat` is who plays now, None when all 32 lie there.
    """

    tricks: tuple[PlayedTrick, ...]
    open: tuple[str, ...]
    next_seat: Seat | None
    reneges: tuple[Renege, ...]


def trace(cards: Sequence[str], leader: Seat, trump: Trump, regulation: RuleSet) -> Trace:
    """What none to 32 cards, in the order in which they were laid, come to.

    A card is judged against all that its player is known to have held: the cards of this and
    later tricks. Raises `InvalidDeal` with `card_unknown` or `card_twice` at each place where there
    is reason: `cards.5` is the sixth.

    >>> laid = trace(["TS", "7D", "AS", "8S", "JS", "KS", "QS", "7S"], "N", "H", RuleSet())
    >>> [(trick.winner, trick.points, trick.roem) for trick in laid.tricks]
    [('S', 21, 0), ('W', 9, 20)]
    >>> laid.reneges
    (Renege(trick=1, seat='E', card='7D', legal=('7S',), why='follow'),)
    """
    numbers = card_numbers(cards, "cards")
    table = TABLES[trump]
    leaders = _find_leaders(numbers, SEATS.index(leader), table)
    in_tricks = regulation.roem_from == "trick"
    roem = roem_of_tricks(trump, regulation) if in_tricks else {}
    held = {} if in_tricks else _held(numbers, leaders, trump, regulation)
    tricks = tuple(
        PlayedTrick(
            number=place + 1,
            leader=SEATS[leaders[place]],
            cards=tuple(cards[4 * place : 4 * place + 4]),
            winner=SEATS[leaders[place + 1]],
            points=sum(table.points[number] for number in laid),
            roem=roem.get(mask_of(laid), 0) + sum(points for _, points in held.get(place, ())),
            held=tuple(held.get(place, ())),
        )
        for place, laid in enumerate(zip(*[iter(numbers)] * 4, strict=False))
    )
    return Trace(
        tricks=tricks,
        open=tuple(cards[4 * len(tricks) :]),
        next_seat=SEATS[(leaders[-1] + len(cards)) % 4] if len(cards) < len(DECK) else None,
        reneges=tuple(_find_reneges(numbers, leaders, trump, regulation)),
    )


def announceable(trick: PlayedTrick, regulation: RuleSet) -> tuple[int, ...]:
    """What can be announced of the roem of a trick, from nothing to all of it.

    Of runs and stuk that is either of them or the run of three in a run of four; four jacks may
    pass for any four of a kind where that is worth less. Where roem lies in hands, that of each of
    the combinations that the trick completes.

    >>> laid = trace(["8H", "9H", "TH", "JH"], "N", "S", RuleSet())
    >>> announceable(laid.tricks[0], RuleSet())
    (0, 20, 50)
    """
    if regulation.roem_from != "trick":
        return tuple(sorted({sum(said) for said in _sayings(trick, regulation)}))
    if trick.is_four_of_a_kind:
        return tuple(sorted({0, min(trick.roem, regulation.four_of_a_kind), trick.roem}))
    return _PARTS[trick.roem]


def roem_announced(
    trick: PlayedTrick, points: int, regulation: RuleSet
) -> tuple[tuple[Side, int], ...]:
    """The announcements that so much roem of a trick, one of `announceable`, is, and whose.

    Of combinations held in hands the dearest are taken first, where the points do not say which.

    >>> laid = trace(["8H", "9H", "TH", "JH"], "N", "S", RuleSet())
    >>> roem_announced(laid.tricks[0], 50, RuleSet())
    (('NS', 50),)
    """
    winner = side_of(trick.winner)
    if regulation.roem_from == "trick":
        return ((winner, points),) if points else ()
    said = max(said for said in _sayings(trick, regulation) if sum(said) == points)
    own = regulation.roem_from == "hand"
    return tuple(
        (side_of(seat) if own else winner, part)
        for (seat, _), part in zip(_dearest_first(trick), said, strict=True)
        if part
    )


def _sayings(trick: PlayedTrick, regulation: RuleSet) -> list[tuple[int, ...]]:
    """What may be said of each combination that a trick completes, the dearest first."""
    parts = [_parts(points, regulation) for _, points in _dearest_first(trick)]
    return list(product(*parts))


def _dearest_first(trick: PlayedTrick) -> list[tuple[Seat, int]]:
    return sorted(trick.held, key=lambda item: -item[1])


def _parts(points: int, regulation: RuleSet) -> tuple[int, ...]:
    alike = (regulation.four_of_a_kind, regulation.four_jacks)
    fours = tuple(min(points, value) for value in alike if points in alike)
    return tuple({0, points, *fours, *_PARTS.get(points, ())})


def _held(
    numbers: Sequence[int], leaders: Sequence[int], trump: Trump, regulation: RuleSet
) -> dict[int, list[tuple[Seat, int]]]:
    """The combinations of each hand by the place of the trick that completes them.

    A hand is all the cards that its player is known to have held. A stuk is part of its run where
    the same trick completes both.
    """
    by_seat: list[dict[int, int]] = [{}, {}, {}, {}]
    for place, number in enumerate(numbers):
        trick, turn = divmod(place, 4)
        by_seat[(leaders[trick] + turn) % 4][number] = trick
    held: dict[int, list[tuple[Seat, int]]] = {}
    for seat, fell in zip(SEATS, by_seat, strict=True):
        for trick, points in _combinations(fell, trump, regulation):
            held.setdefault(trick, []).append((seat, points))
    return held


def _combinations(
    fell: Mapping[int, int], trump: Trump, regulation: RuleSet
) -> Iterator[tuple[int, int]]:
    """The trick that completes each combination of a hand, and its points; `fell` says in which
    trick each card fell."""
    table = roem_of_tricks(trump, regulation)
    for rank in range(8):
        alike = [rank + 8 * suit for suit in range(4)]
        points = table.get(mask_of(alike), 0)
        if points and fell.keys() >= {*alike}:
            yield max(fell[card] for card in alike), points
    for suit in range(len(SUITS)):
        own = {card & 7: trick for card, trick in fell.items() if card >> 3 == suit}
        yield from _best_of_suit(own, is_trump=SUITS[suit] == trump)


def _best_of_suit(own: Mapping[int, int], *, is_trump: bool) -> list[tuple[int, int]]:
    """The runs of one suit in a hand that share no card and are worth most, and the stuk.

    Of equal ones those are taken that leave the stuk in a run, then those that are complete first.
    """
    mask = mask_of(own)
    runs = [(cards, points) for cards, points in _BARE_RUNS if cards & mask == cards]
    choices = [(), *((run,) for run in runs)]
    choices += [pair for pair in combinations(runs, 2) if not pair[0][0] & pair[1][0]]
    stuk = is_trump and mask & _STUK_RANKS == _STUK_RANKS

    def worth(chosen: tuple[tuple[int, int], ...]) -> tuple[int, bool, list[int]]:
        whole = any(cards & _STUK_RANKS == _STUK_RANKS for cards, _ in chosen)
        latest = [-max(own[rank] for rank in own if cards >> rank & 1) for cards, _ in chosen]
        return sum(points for _, points in chosen), stuk and whole, sorted(latest)

    items = [
        [max(own[rank] for rank in own if cards >> rank & 1), points, cards]
        for cards, points in max(choices, key=worth)
    ]
    if stuk:
        trick = max(own[rank] for rank in own if _STUK_RANKS >> rank & 1)
        for item in items:
            if item[0] == trick and item[2] & _STUK_RANKS == _STUK_RANKS:
                item[1] += _STUK
                break
        else:
            items.append([trick, _STUK, 0])
    return [(trick, points) for trick, points, _ in items]


def renege_message(
    renege: Renege, language: Language = "en", *, seats: Mapping[Seat, str] | None = None
) -> str:
    """What was played and what should have been, in a sentence.

    `seats` are the names of the people, where North, East … is not enough.

    >>> renege_message(Renege(3, "W", "7S", ("8H", "KH"), "follow"), "nl")
    'Slag 3: West speelde ♠7, maar moest bekennen: ♥8 of ♥H.'
    """
    return fault_message(renege.as_fault("cards"), language, seats=seats)


def _find_leaders(numbers: Sequence[int], leader: int, table: TrumpTable) -> list[int]:
    """Who leads to each trick, and after the last complete one, as places in `SEATS`."""
    leaders = [leader]
    for start in range(0, len(numbers) - 3, 4):
        power = table.power[numbers[start] >> 3]
        powers = [power[number] for number in numbers[start : start + 4]]
        leaders.append((leaders[-1] + powers.index(max(powers))) % 4)
    return leaders


def _find_reneges(
    numbers: Sequence[int], leaders: Sequence[int], trump: Trump, regulation: RuleSet
) -> list[Renege]:
    """The hands are built up backwards, from the last card to the first."""
    hands = [0, 0, 0, 0]
    leads = leads_of(trump, regulation)
    reneges = []
    for place in reversed(range(len(numbers))):
        trick, turn = divmod(place, 4)
        seat = (leaders[trick] + turn) % 4
        card, before = numbers[place], numbers[place - turn : place]
        hands[seat] |= 1 << card
        legal = legal_mask(hands[seat], before, leads)
        if not legal >> card & 1:
            why = reason(card, before, legal, TABLES[trump])
            reneges.append(Renege(trick + 1, SEATS[seat], DECK[card], cards_of(legal), why))
    return reneges[::-1]
