"""Cards laid one after the other, and whole deals, held against the reference."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import InvalidDeal, Renege, RuleSet, Seat, Trump, renege_message, trace
from tests.scoring.rules.dealing import (
    AMSTERDAM,
    DECK,
    House,
    Played,
    play,
    play_legally,
    replay,
    worth,
)
from tests.scoring.rules.houses import HOUSES, TRUMPS, regulation_of
from tests.scoring.rules.whole import play_deal

OBLIGATORY, ROTTERDAM, TRUMP_ONLY = HOUSES[1:]

seeds = st.integers(0, 10**9)
trumps = st.sampled_from(TRUMPS)
houses = st.sampled_from(HOUSES)


@pytest.mark.parametrize(
    ("house", "cards", "expected"),
    [
        (AMSTERDAM, "AS 7C 8S 9S TD 7S 9D 8D", "Oost speelde ♣7, maar moest bekennen: ♠7."),
        (AMSTERDAM, "TH 7C 8D 9D TS 8H 7D JD", "Oost speelde ♣7, maar moest bekennen: ♥8."),
        (AMSTERDAM, "TH 7H 8D 9D TS 9H TD JD", "Oost speelde ♥7, maar moest overtroeven: ♥9."),
        (AMSTERDAM, "AS 7C 8S 9S TD 7H 9D 8D", "Oost speelde ♣7, maar moest introeven: ♥7."),
        (AMSTERDAM, "AS TH 8C 9S TD 9H 8D 9D", "Zuid speelde ♣8, maar moest overtroeven: ♥9."),
        (AMSTERDAM, "AS TH 8H 9S TD 9H 8D 9D", "Zuid speelde ♥8, maar moest overtroeven: ♥9."),
        (
            AMSTERDAM,
            "AS TH 8H 9S TD 8C 8D 9D",
            "Zuid speelde ♥8, maar mocht niet ondertroeven; wel ♣8.",
        ),
        (
            AMSTERDAM,
            "AS TH 7S 8H TD 9S 8C 9D",
            "West speelde ♥8, maar mocht niet ondertroeven; wel ♣8.",
        ),
        (AMSTERDAM, "AS TH 7S 8H TD 9S 9H 9D", "West speelde ♥8, maar moest overtroeven: ♥9."),
        (AMSTERDAM, "AS 7S 8C 9S TD 9D 7H 8D", ""),
        (ROTTERDAM, "AS 7S 8C 9S TD 9D 7H 8D", "Zuid speelde ♣8, maar moest introeven: ♥7."),
        (ROTTERDAM, "AS TH 8C 9S TD 8H 8D 9D", "Zuid speelde ♣8, maar moest introeven: ♥8."),
        (ROTTERDAM, "AS TH 8H 9S TD 8C 8D 9D", ""),
        (OBLIGATORY, "AS TH 8C 9S TD 8H 8D 9D", "Zuid speelde ♣8, maar moest introeven: ♥8."),
        (OBLIGATORY, "AS TH 8H 9S TD 8C 8D 9D", ""),
        (TRUMP_ONLY, "AS TH 8H 9S TD 9H 8D 9D", ""),
        (
            TRUMP_ONLY,
            "AS TH 8C 9S TD 9H 8D 9D 8H KC AC QC",
            "Zuid speelde ♣8, maar moest introeven: ♥8 of ♥9.",
        ),
    ],
)
def test_why_a_card_was_not_allowed(house: House, cards: str, expected: str) -> None:
    """In the first trick, judged by what its player laid later; hearts are trumps, North leads."""
    reneges = trace(cards.split(), "N", "H", regulation_of(house)).reneges
    words = [renege_message(renege, "nl") for renege in reneges if renege.trick == 1]
    assert words == [f"Slag 1: {expected}"] * bool(expected)


def test_a_card_that_was_not_allowed_in_both_languages_and_by_name() -> None:
    renege = Renege(3, "W", "7S", ("8H", "TH", "KH"), "follow")
    assert renege_message(renege) == (
        "Trick 3: West played ♠7 but had to follow suit: ♥8, ♥10 or ♥K."
    )
    seats: dict[Seat, str] = {"N": "Jan", "E": "Bep", "S": "Piet", "W": "Toos"}
    assert renege_message(renege, "nl", seats=seats) == (
        "Slag 3: Toos speelde ♠7, maar moest bekennen: ♥8, ♥10 of ♥H."
    )


def test_cards_laid_so_far() -> None:
    nothing = trace([], "E", "H", RuleSet())
    assert (nothing.tricks, nothing.open, nothing.next_seat, nothing.reneges) == ((), (), "E", ())
    six = trace(["TS", "AS", "8S", "7S", "9C", "KC"], "E", "H", RuleSet())
    assert [trick.winner for trick in six.tricks] == ["S"]
    assert (six.open, six.next_seat) == (("9C", "KC"), "N")


def test_a_card_may_turn_out_not_to_have_been_allowed() -> None:
    cards = ["TS", "7D", "AS", "8S", "9C"]
    assert trace(cards, "N", "H", RuleSet()).reneges == ()
    shown = trace([*cards, "KC", "QC", "9S"], "N", "H", RuleSet()).reneges
    assert shown == (Renege(1, "E", "7D", ("9S",), "follow"),)


@pytest.mark.parametrize("judge", [trace, play_deal])
def test_what_is_no_card_or_lies_there_already(judge: Callable[..., object]) -> None:
    cards = ["1S", *DECK[1:30], "8C", "8C"]
    with pytest.raises(InvalidDeal) as caught:
        judge(cards, "N", "H", RuleSet())
    assert [(fault.code, fault.field) for fault in caught.value.faults] == [
        ("card_unknown", "cards.0"),
        ("card_twice", "cards.30"),
        ("card_twice", "cards.31"),
    ]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (DECK[:31], [("card_count", "cards")]),
        ([*DECK[:31], DECK[0]], [("card_twice", "cards.31")]),
        (["1C", *DECK[1:]], [("card_unknown", "cards.0")]),
        ([*DECK, DECK[0]], [("card_twice", "cards.32"), ("card_count", "cards")]),
    ],
)
def test_a_whole_deal_has_every_card_once(
    cards: list[str], expected: list[tuple[str, str]]
) -> None:
    with pytest.raises(InvalidDeal) as caught:
        play_deal(cards, "N", "H", RuleSet())
    assert [(fault.code, fault.field) for fault in caught.value.faults] == expected


@pytest.mark.parametrize("trump", TRUMPS)
def test_which_card_points_a_side_can_have(trump: Trump) -> None:
    """Of any cards, with or without the last trick: everything but 1 and all but 1."""
    total = 130 if trump == "NT" else 162
    sums = {0}
    for card in DECK:
        sums |= {points + worth(card, trump) for points in sums}
    sums |= {points + 10 for points in sums}
    assert sums == set(range(total + 1)) - {1, total - 1}


@given(seeds, trumps, houses, st.booleans())
def test_legal_play_is_found_legal_and_counted_alike(
    seed: int, trump: Trump, house: House, hoard: bool
) -> None:
    assert_alike(play_legally(seed, trump, house, hoard=hoard), trump, house, reneges=0)


@given(seeds, trumps, houses, st.booleans())
def test_of_cards_that_only_follow_suit_the_same_are_not_allowed(
    seed: int, trump: Trump, house: House, hoard: bool
) -> None:
    played = play(seed, trump, hoard=hoard)
    assert_alike(replay(played.cards, played.leader, trump, house), trump, house)


@given(st.permutations(DECK), st.sampled_from("NESW"), trumps, houses)
def test_of_any_cards_the_same_are_not_allowed(
    cards: list[str], leader: str, trump: Trump, house: House
) -> None:
    assert_alike(replay(cards, leader, trump, house), trump, house)


def assert_alike(played: Played, trump: Trump, house: House, *, reneges: int | None = None) -> None:
    """What the reference found is what `trace` and `play_deal` find."""
    leader: Seat = next(seat for seat in ("N", "E", "S", "W") if seat == played.leader)
    regulation = regulation_of(house)
    laid = trace(played.cards, leader, trump, regulation)
    assert [trick.winner for trick in laid.tricks] == played.winners
    judged = [(found.trick, found.seat, found.card, set(found.legal)) for found in laid.reneges]
    assert judged == [
        (trick, seat, card, set(legal)) for trick, seat, card, legal in played.reneges
    ]
    assert reneges is None or len(judged) == reneges
    points, roem, tricks, found_at_once = play_deal(played.cards, leader, trump, regulation)
    assert (points, tricks, found_at_once) == (played.points, played.tricks, laid.reneges)
    assert roem == {side: sum(items) for side, items in played.roem.items()}
    assert sum(played.points.values()) == (130 if trump == "NT" else 162)


@given(st.permutations(DECK), st.integers(0, 31), trumps, houses)
def test_what_is_known_before_the_end_stays_so(
    cards: list[str], count: int, trump: Trump, house: House
) -> None:
    regulation = regulation_of(house)
    whole, part = (trace(some, "S", trump, regulation) for some in (cards, cards[:count]))
    assert part.tricks == whole.tricks[: count // 4]
    assert part.open == tuple(cards[count // 4 * 4 : count])
    order = [trick.leader for trick in whole.tricks][count // 4]
    assert part.next_seat == "NESW"[("NESW".index(order) + count % 4) % 4]
    cards_found = {(found.trick, found.seat, found.card) for found in whole.reneges}
    assert {(found.trick, found.seat, found.card) for found in part.reneges} <= cards_found
