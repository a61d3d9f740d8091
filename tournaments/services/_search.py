"""Searching a draw, with nothing held meanwhile, and judging what was found."""

import logging
from dataclasses import dataclass
from time import perf_counter

from django.utils.translation import gettext as _

from clubs.errors import DomainError
from tournaments.draw.core import Draw, DrawError, check_draw, draw
from tournaments.services._question import DrawQuestion
from tournaments.services._refused import draw_refusal

log = logging.getLogger(__name__)

MOST_STEPS, MOST_IN_A_HALL = 1_000_000, 150_000_000
"""Somebody waits, so no search tries more exchanges than the one, nor than the other divided by how
many people there are: each takes longer in a large hall. It is 3 s at most, and hardly worse."""


@dataclass(frozen=True, slots=True)
class DrawFound:
    """The answer to a question, and how many milliseconds the search for it took."""

    question: DrawQuestion
    drawn: Draw
    milliseconds: int


def draw_search(question: DrawQuestion) -> DrawFound:
    """The draw that answers this question, accepted by the verifier.

    Raises DomainError `draw_refused` (params: faults) when the verifier does not accept it, or
    the code of the DrawError with a sentence for each of its faults.
    """
    begun = perf_counter()
    try:
        drawn = draw(
            players=question.players,
            rounds=question.rounds,
            method=question.method,
            seed=question.seed,
            leftover=question.leftover,
            fixed=question.fixed,
            apart=question.apart,
            stays=question.stays,
            history=question.history,
            already_out=question.already_out,
            first_round=question.first_round,
            played=question.played,
            max_steps=min(MOST_STEPS, MOST_IN_A_HALL // max(1, len(question.players))),
        )
    except DrawError as error:
        raise draw_refusal(error, question) from error
    found = DrawFound(question, drawn, round(1000 * (perf_counter() - begun)))
    _verify(found)
    return found


def _verify(found: DrawFound) -> None:
    """Raises DomainError `draw_refused` (params: faults) when the draw does not keep its rules."""
    asked = found.question
    faults = check_draw(
        asked.players,
        found.drawn,
        already_out=asked.already_out,
        leftover=asked.leftover,
        fixed=asked.fixed,
        apart=asked.apart,
        stays=asked.stays,
        played=asked.played,
        history=asked.history,
    )
    if faults:
        log.error("The verifier refuses a draw with seed %s: %s", asked.seed, "; ".join(faults))
        raise DomainError(
            "draw_refused",
            _("This draw does not keep the rules of the draw, so it is not used. Draw once more."),
            faults=faults,
        )
