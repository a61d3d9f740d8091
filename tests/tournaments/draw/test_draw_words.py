"""What is said of a draw and of changing places in it."""

from typing import get_args

import pytest

from tournaments.draw.core.amend import SwapCost, SwapTurn
from tournaments.draw.core.explain import DrawExplanation, LeastRepeats, RepeatReason
from tournaments.draw.core.models import Method
from tournaments.draw.core.pair_counts import Repeat
from tournaments.draw.texts import (
    BECAUSE,
    again_words,
    cost_badge,
    cost_kind,
    cost_words,
    repeat_sentences,
)


def figures(
    partners: int = 0,
    meetings: int = 0,
    *,
    least: LeastRepeats | None = None,
    method: Method = "balanced",
) -> DrawExplanation:
    """A draw of eight people with so many repeats, of which `least` meetings cannot be helped."""
    return DrawExplanation(
        method=method,
        seed=1,
        rounds=3,
        players=8,
        tables=2,
        out_per_round=0,
        partner_repeats=partners,
        meeting_repeats=meetings,
        least_meeting_repeats=least or LeastRepeats(),
    )


def sentences(figures: DrawExplanation) -> list[str]:
    """What is said of a draft of the program."""
    return repeat_sentences(figures, draw_again=True)


def test_every_reason_that_the_draw_gives_has_words() -> None:
    assert sorted(BECAUSE) == sorted(get_args(RepeatReason))


def test_no_repeat_is_shown_too() -> None:
    assert sentences(figures()) == [
        "Niemand krijgt vanavond twee keer dezelfde maat.",
        "Niemand treft iemand vanavond twee keer aan tafel.",
    ]


def test_tables_that_stay_together_are_not_said_to_meet_once() -> None:
    assert sentences(figures(method="rotation")) == [
        "Wie samen aan een tafel zit, blijft bij elkaar.",
        "Niemand krijgt vanavond twee keer dezelfde maat.",
        "Verder treft niemand vanavond iemand twee keer.",
    ]


@pytest.mark.parametrize(
    ("partners", "meetings", "sentence"),
    [
        (16, 16, "Geen twee paren treffen elkaar vanavond twee keer."),
        (8, 12, "Twee paren treffen elkaar vanavond twee keer."),
        (8, 16, "2 keer treffen twee paren elkaar vanavond opnieuw."),
    ],
)
def test_partners_of_a_pair_are_no_repeat(partners: int, meetings: int, sentence: str) -> None:
    assert sentences(figures(partners, meetings, method="pairs")) == [sentence]


def test_repeats_are_reported_with_what_cannot_be_helped() -> None:
    partners, meetings = sentences(figures(2, 8, least=LeastRepeats(8, "too_few_tables")))
    assert partners == (
        "2 keer krijgt iemand vanavond een maat die hij al had. "
        "Opnieuw loten levert er misschien minder op."
    )
    assert meetings == (
        "8 keer treffen twee mensen elkaar vanavond opnieuw aan tafel. Minder dan 8 is "
        "onmogelijk, omdat met zo weinig tafels mensen van één tafel elkaar weer treffen."
    )


def test_a_bound_that_may_be_out_of_reach_is_not_held_out() -> None:
    [_partners, meetings] = sentences(figures(2, 9, least=LeastRepeats(8, "fixed_couples")))
    assert meetings == "9 keer treffen twee mensen elkaar vanavond opnieuw aan tafel."


def test_where_nobody_draws_again_no_other_drawing_is_advised() -> None:
    assert repeat_sentences(figures(2, 8), draw_again=False) == [
        "2 keer krijgt iemand vanavond een maat die hij al had.",
        "8 keer treffen twee mensen elkaar vanavond opnieuw aan tafel.",
    ]


def test_by_standing_no_other_drawing_is_advised() -> None:
    assert sentences(figures(2, 9, method="ranked")) == [
        "Deze ronde gaat op stand: de hoogste vier zitten aan tafel 1, enzovoort.",
        "2 keer krijgt iemand vanavond een maat die hij al had.",
        "9 keer treffen twee mensen elkaar vanavond opnieuw aan tafel.",
    ]


@pytest.mark.parametrize(
    ("cost", "words", "sign", "kind"),
    [
        (SwapCost(), "geen verschil", "=", "same"),
        (SwapCost(meetings=-1), "1 herhaling minder", "−1", "better"),
        (
            SwapCost(meetings=-1, turn=SwapTurn("c", "d", rounds=2, instead_of=1, season=-4)),
            "Cor zit dan vanavond 2 rondes stil, 1 herhaling minder",
            "+1",
            "worse",
        ),
        (
            SwapCost(meetings=2, turn=SwapTurn("c", "d", rounds=1, instead_of=2)),
            "Dirk zit dan vanavond niet meer 2 rondes stil, 2 herhalingen meer",
            "−1",
            "better",
        ),
        (
            SwapCost(turn=SwapTurn("c", "d", rounds=1, instead_of=1, season=3)),
            "Cor zat dit seizoen naar verhouding vaker stil dan Dirk",
            "+3",
            "worse",
        ),
        (
            SwapCost(turn=SwapTurn("c", "d", rounds=1, instead_of=1, season=-1)),
            "Cor zat dit seizoen naar verhouding minder vaak stil dan Dirk",
            "−1",
            "better",
        ),
        (SwapCost(turn=SwapTurn("c", "d", rounds=1, instead_of=1)), "geen verschil", "=", "same"),
        (
            SwapCost(season_partners=2, season_meetings=-1),
            "vanavond geen verschil; wie dan maten zijn, waren dat dit seizoen 2 keer vaker",
            "=",
            "same",
        ),
        (
            SwapCost(partners=1, meetings=2),
            "1 keer vaker dezelfde maat, 2 herhalingen meer",
            "+1",
            "worse",
        ),
        (
            SwapCost(season_meetings=3),
            "vanavond geen verschil; wie dan bij elkaar zit, trof elkaar dit seizoen 3 keer vaker",
            "=",
            "same",
        ),
        (
            SwapCost(meetings=-2, faults=("fixed",)),
            "dan zijn twee mensen die altijd samen spelen geen maten, 2 herhalingen minder",
            "!",
            "wrong",
        ),
    ],
)  # fmt: skip
def test_what_changing_places_does(cost: SwapCost, words: str, sign: str, kind: str) -> None:
    assert (cost_words(cost, {"c": "Cor", "d": "Dirk"}), cost_badge(cost), cost_kind(cost)) == (
        words,
        sign,
        kind,
    )


@pytest.mark.parametrize(
    ("again", "words"),
    [
        (Repeat("1", "2", 2, as_partners=True), "Jan en Mia: 2e keer maat"),
        (Repeat("1", "2", 3, as_partners=False), "Jan en Mia: 3e keer samen"),
        (Repeat("1", "2", 12, as_partners=False), "Jan en Mia: 12e keer samen"),
    ],
)
def test_who_is_together_again(again: Repeat, words: str) -> None:
    assert again_words(again, "Jan", "Mia") == words
