"""Searching for a draw without holding any lock, and verifying it."""

import logging
from dataclasses import dataclass
from time import perf_counter

from django.utils.translation import gettext as _

from clubs.errors import DomainError
from tournaments.draw.core import Draw, DrawError, check_draw, draw
from tournaments.services._question import DrawProblem
from tournaments.services._refused import draw_refusal

log = logging.getLogger(__name__)

MAX_STEPS = 1_000_000
MAX_STEPS_TIMES_PLAYERS = 150_000_000
"""Somebody waits for the search: at most 3 s, with hardly worse results. In a large hall each step
takes longer, so the number of steps is also limited to the second figure divided by the players."""


@dataclass(frozen=True, slots=True)
class DrawResult:
    """The solution of a problem, and the milliseconds it took."""

    problem: DrawProblem
    drawn: Draw
    milliseconds: int


def draw_search(problem: DrawProblem) -> DrawResult:
    """A verified solution of this problem.

    Raises DomainError `draw_refused` (params: faults) if the verifier rejects it, or the code of
    the DrawError with a sentence for each of its faults.
    """
    start = perf_counter()
    try:
        drawn = draw(
            players=problem.players,
            rounds=problem.rounds,
            method=problem.method,
            seed=problem.seed,
            leftover=problem.leftover,
            fixed=problem.fixed,
            apart=problem.apart,
            stays=problem.stays,
            history=problem.history,
            already_out=problem.already_out,
            first_round=problem.first_round,
            played=problem.played,
            max_steps=min(MAX_STEPS, MAX_STEPS_TIMES_PLAYERS // max(1, len(problem.players))),
        )
    except DrawError as error:
        raise draw_refusal(error, problem) from error
    result = DrawResult(problem, drawn, round(1000 * (perf_counter() - start)))
    _verify(result)
    return result


def _verify(result: DrawResult) -> None:
    """Raises DomainError `draw_refused` (params: faults) if the draw breaks its rules."""
    problem = result.problem
    faults = check_draw(
        problem.players,
        result.drawn,
        already_out=problem.already_out,
        leftover=problem.leftover,
        fixed=problem.fixed,
        apart=problem.apart,
        stays=problem.stays,
        played=problem.played,
        history=problem.history,
    )
    if faults:
        log.error("The verifier refuses a draw with seed %s: %s", problem.seed, "; ".join(faults))
        raise DomainError(
            "draw_refused",
            _("This draw does not keep the rules of the draw, so it is not used. Draw once more."),
            faults=faults,
        )
