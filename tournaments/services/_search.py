"""Searching a draw, with nothing held meanwhile, and judging what was found."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.errors import DomainError
from tournaments.draw import Draw, DrawError, DrawFault, check_draw, draw
from tournaments.services._question import DrawQuestion

log = logging.getLogger(__name__)

MOST_STEPS, MOST_IN_A_HALL = 1_000_000, 150_000_000
"""Somebody waits, so no search tries more exchanges than the one, nor than the other divided by how
many people there are: each takes longer in a large hall. It is 3 s at most, and hardly worse."""

SENTENCES: Mapping[str, Promise] = {
    "too_few_players": gettext_lazy(
        "A draw needs at least four people who are here. Tick them first."
    ),
    "five_three_handed": gettext_lazy(
        "Five people cannot sit at tables of four and three. Let who is left over sit out."
    ),
    "couples_contradict": gettext_lazy(
        "What is agreed of who plays together and who does not contradicts itself."
    ),
    "too_many_stay": gettext_lazy(
        "%(count)s people keep a table of their own, and the tables are %(tables)s."
    ),
    "cannot_seat": gettext_lazy(
        "What is agreed of who plays together and who does not leaves no way to seat everybody."
    ),
}


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
            most_steps=min(MOST_STEPS, MOST_IN_A_HALL // max(1, len(question.players))),
        )
    except DrawError as error:
        raise DomainError(error.code, " ".join(map(_sentence, error.faults))) from error
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


def _sentence(fault: DrawFault) -> str:
    if fault.code in SENTENCES:
        return str(SENTENCES[fault.code]) % fault.params
    return _("This draw cannot be made: %(why)s") % {"why": str(fault)}
