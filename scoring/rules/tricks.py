"""The cards of a deal as they fell: who took what, and who played a card that was not allowed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.rules.cards import DECK, TABLES, TrumpTable, cards_of
from scoring.rules.deal import Trump
from scoring.rules.faults import Fault, InvalidDeal
from scoring.rules.legal import Why, card_numbers, legal_mask, reason
from scoring.rules.messages import Language, fault_message
from scoring.rules.regulation import Regulation
from scoring.rules.seats import SEATS, Seat
from scoring.rules.trick_roem import roem_of_tricks


@dataclass(frozen=True, slots=True)
class PlayedTrick:
    """A complete trick, counted from 1.

    `points` are those of its cards alone, without the 10 for the last trick; `roem` is all that
    the four cards make.
    """

    number: int
    leader: Seat
    cards: tuple[str, ...]
    winner: Seat
    points: int
    roem: int


@dataclass(frozen=True, slots=True)
class Renege:
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


@dataclass(frozen=True, slots=True)
class Trace:
    """Cards laid one after the other: complete tricks, the open one, and what was not allowed.

    `next_seat` is who plays now, None when all 32 lie there.
    """

    tricks: tuple[PlayedTrick, ...]
    open: tuple[str, ...]
    next_seat: Seat | None
    reneges: tuple[Renege, ...]


def trace(cards: Sequence[str], leader: Seat, trump: Trump, regulation: Regulation) -> Trace:
    """What none to 32 cards, in the order in which they were laid, come to.

    A card is judged against all that its player is known to have held: what he plays in this and
    later tricks. Raises `InvalidDeal` with `card_unknown`, `card_twice` and `card_count` (more
    than 32), each at its place: `cards.5` is the sixth.

    >>> laid = trace(["TS", "7D", "AS", "8S", "JS", "KS", "QS", "7S"], "N", "H", Regulation())
    >>> [(trick.winner, trick.points, trick.roem) for trick in laid.tricks]
    [('S', 21, 0), ('W', 9, 20)]
    >>> laid.reneges
    (Renege(trick=1, seat='E', card='7D', legal=('7S',), why='follow'),)
    """
    numbers = deck_numbers(cards)
    table = TABLES[trump]
    leaders = find_leaders(numbers, SEATS.index(leader), table)
    complete = len(leaders) - 1
    roem = roem_of_tricks(table.suit, regulation)
    return Trace(
        tricks=tuple(_trick(place, numbers, leaders, table, roem) for place in range(complete)),
        open=tuple(cards[4 * complete :]),
        next_seat=SEATS[(leaders[-1] + len(cards)) % 4] if len(cards) < len(DECK) else None,
        reneges=tuple(
            _renege(place, legal, numbers, leaders, table)
            for place, legal in find_reneges(numbers, leaders, table, regulation)
        ),
    )


def renege_message(renege: Renege, language: Language = "en") -> str:
    """What was played and what should have been, in a sentence.

    >>> renege_message(Renege(3, "W", "7S", ("8H", "KH"), "follow"), "nl")
    'Slag 3: West speelde ♠7, maar moest bekennen: ♥8 of ♥H.'
    """
    return fault_message(renege.as_fault("cards"), language)


def deck_numbers(cards: Sequence[str]) -> list[int]:
    """The numbers of cards that lie there once each; raises `InvalidDeal` as `trace` does."""
    numbers = card_numbers(cards, "cards")
    faults = [
        Fault("card_twice", f"cards.{place}", {"card": DECK[number]})
        for place, number in enumerate(numbers)
        if number in numbers[:place]
    ]
    if len(numbers) > len(DECK):
        faults.append(Fault("card_count", "cards", {"count": len(numbers)}))
    if faults:
        raise InvalidDeal(faults)
    return numbers


def find_leaders(numbers: Sequence[int], leader: int, table: TrumpTable) -> list[int]:
    """Who leads to each trick, and after the last complete one, as places in `SEATS`."""
    leaders = [leader]
    for start in range(0, len(numbers) - 3, 4):
        power = table.power[numbers[start] >> 3]
        powers = [power[number] for number in numbers[start : start + 4]]
        leaders.append((leaders[-1] + powers.index(max(powers))) % 4)
    return leaders


def find_reneges(
    numbers: Sequence[int], leaders: Sequence[int], table: TrumpTable, regulation: Regulation
) -> list[tuple[int, int]]:
    """The place of each card that was not allowed, with the mask of what was, in order of play.

    The hands are built up backwards, from the last trick to the first.
    """
    hands = [0, 0, 0, 0]
    found = []
    for place in reversed(range(len(numbers))):
        first = place // 4 * 4
        seat = (leaders[place // 4] + place) % 4
        hands[seat] |= 1 << numbers[place]
        legal = legal_mask(hands[seat], numbers[first:place], table, regulation)
        if not legal >> numbers[place] & 1:
            found.append((place, legal))
    return found[::-1]


def _trick(
    place: int,
    numbers: Sequence[int],
    leaders: Sequence[int],
    table: TrumpTable,
    roem: Mapping[int, int],
) -> PlayedTrick:
    laid = numbers[4 * place : 4 * place + 4]
    return PlayedTrick(
        number=place + 1,
        leader=SEATS[leaders[place]],
        cards=tuple(DECK[number] for number in laid),
        winner=SEATS[leaders[place + 1]],
        points=sum(table.worth[number] for number in laid),
        roem=roem.get(sum(1 << number for number in laid), 0),
    )


def _renege(
    place: int, legal: int, numbers: Sequence[int], leaders: Sequence[int], table: TrumpTable
) -> Renege:
    trick, turn = divmod(place, 4)
    return Renege(
        trick=trick + 1,
        seat=SEATS[(leaders[trick] + turn) % 4],
        card=DECK[numbers[place]],
        legal=cards_of(legal),
        why=reason(numbers[place], numbers[place - turn : place], legal, table),
    )
