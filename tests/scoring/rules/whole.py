"""A whole deal in one pass: a second implementation that `trace` is compared with, and its speed.

Every card says what its player does not hold: who discards when hearts were led has no heart. A
card was not allowed just when its player lays one of those later, so one pass from the first trick
to the last finds whether all was legal. Which card was not, `trace` says then.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from scoring.rules.cards import (
    DECK,
    DECK_MASK,
    NUMBERS,
    POWERS,
    TABLES,
    Lead,
    Sets,
    find_deck_faults,
    leads_under,
)
from scoring.rules.deal import SEATS, Seat, Side, Trump
from scoring.rules.faults import InvalidDeal
from scoring.rules.play_settings import LowestCarre, MustTrump, Undertrump
from scoring.rules.regulation import RuleSet
from scoring.rules.tricks import Renege, roem_under, trace

_POINTS: Final = 32
"""The weight of cards has their mask in its lowest bits, and from this bit up their points."""

_LAST_TRICK: Final = 10 << _POINTS

_Denials = Sequence[Sequence[int]]
"""The mask of what a play denies, by the highest power in the trick and the power of the card."""

_Lead = tuple[Sequence[int], _Denials, _Denials]
"""When one suit was led: the power of each card, what a play denies when an opponent heads the
trick, and what it denies when the partner does."""


class Outcome(NamedTuple):
    """What each side took: card points with the last trick, all roem that was made, tricks."""

    points: Mapping[Side, int]
    roem: Mapping[Side, int]
    tricks: Mapping[Side, int]
    reneges: tuple[Renege, ...]


def play_deal(cards: Sequence[str], leader: Seat, trump: Trump, regulation: RuleSet) -> Outcome:
    """What the 32 cards of a deal, in the order in which they were played, gave each side.

    Raises `InvalidDeal` with `card_unknown`, `card_twice` and `card_count`.

    >>> cards = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
    >>> outcome = play_deal(cards, "N", "S", RuleSet())
    >>> outcome.points, outcome.roem, outcome.tricks
    ({'NS': 132, 'EW': 30}, {'NS': 270, 'EW': 150}, {'NS': 5, 'EW': 3})
    """
    leads = _denials(trump, regulation.must_trump, regulation.undertrump)
    weights, roem_of = _weights(
        trump,
        regulation.four_of_a_kind_from,
        regulation.four_of_a_kind,
        regulation.four_jacks,
    )
    try:
        numbers = [NUMBERS[card] for card in cards]
    except KeyError:
        raise InvalidDeal(find_deck_faults(cards)) from None
    (ns, ew), roem, all_legal = _take_tricks(numbers, SEATS.index(leader), leads, weights, roem_of)
    # Only when no two are the same do 32 bits add up to a mask of ones.
    if len(numbers) != len(DECK) or (ns + ew) & DECK_MASK != DECK_MASK:
        raise InvalidDeal(find_deck_faults(cards))
    tricks = (ns & DECK_MASK).bit_count() // 4
    return Outcome(
        {"NS": ns >> _POINTS, "EW": ew >> _POINTS},
        {"NS": roem[0], "EW": roem[1]},
        {"NS": tricks, "EW": 8 - tricks},
        () if all_legal else trace(cards, leader, trump, regulation).reneges,
    )


def _take_tricks(
    numbers: Sequence[int],
    head: int,
    leads: Sequence[_Lead],
    weights: Sequence[int],
    roem_of: Mapping[int, int],
) -> tuple[list[int], list[int], bool]:
    """The weight of what each side took, its roem, and whether every card was allowed."""
    taken, roem = [0, 0], [0, 0]
    # What the players have shown not to hold, in the order in which they play to the trick.
    not_a = not_b = not_c = not_d = 0
    all_legal = True
    laid = iter(numbers)
    for a, b, c, d in zip(laid, laid, laid, laid, strict=False):
        in_a, in_b, in_c, in_d = weights[a], weights[b], weights[c], weights[d]
        if in_a & not_a or in_b & not_b or in_c & not_c or in_d & not_d:
            all_legal = False
        power, bound, relieved = leads[a >> 3]
        highest, winner = power[a], 0
        high = power[b]
        not_b |= bound[highest][high]
        if high > highest:
            highest, winner = high, 1
        high = power[c]
        not_c |= (bound if winner else relieved)[highest][high]
        if high > highest:
            highest, winner = high, 2
        high = power[d]
        not_d |= (relieved if winner == 1 else bound)[highest][high]
        if high > highest:
            winner = 3
        if winner == 1:
            not_a, not_b, not_c, not_d = not_b, not_c, not_d, not_a
        elif winner == 2:
            not_a, not_b, not_c, not_d = not_c, not_d, not_a, not_b
        elif winner == 3:
            not_a, not_b, not_c, not_d = not_d, not_a, not_b, not_c
        head += winner
        trick = in_a + in_b + in_c + in_d
        taken[head & 1] += trick
        if trick in roem_of:
            roem[head & 1] += roem_of[trick]
    taken[head & 1] += _LAST_TRICK
    return taken, roem, all_legal


@cache
def _denials(trump: Trump, must_trump: MustTrump, undertrump: Undertrump) -> Sequence[_Lead]:
    return [
        (lead.power, _denied(lead, lead.bound), _denied(lead, lead.relieved))
        for lead in leads_under(trump, must_trump, undertrump)
    ]


def _denied(lead: Lead, by_highest: Sequence[Sets]) -> _Denials:
    rows = {sets: _denied_by_power(lead, sets) for sets in set(by_highest)}
    return [rows[sets] for sets in by_highest]


def _denied_by_power(lead: Lead, sets: Sets) -> list[int]:
    """What who plays a card of each power does not hold: all that he would have had to play."""
    denied = [0] * POWERS
    for number, power in enumerate(lead.power):
        if not lead.follow >> number & 1:
            place = next(place for place, cards in enumerate(sets) if cards >> number & 1)
            denied[power] = lead.follow | sum(sets[:place])
    return denied


@cache
def _weights(
    trump: Trump, lowest: LowestCarre, four_of_a_kind: int, four_jacks: int
) -> tuple[Sequence[int], Mapping[int, int]]:
    """The weight of each card, and the roem of every four cards that make any by their weight."""
    weights = [
        1 << number | points << _POINTS for number, points in enumerate(TABLES[trump].points)
    ]
    roem = roem_under(trump, lowest, four_of_a_kind, four_jacks)
    return weights, {
        sum(weight for weight in weights if weight & cards): made for cards, made in roem.items()
    }
