"""The figures of a draw as one English line, for a terminal and for other programs."""

from collections.abc import Iterator, Mapping

from tournaments.draw.bounds import LeastRepeats
from tournaments.draw.explain import DrawExplanation
from tournaments.draw.models import Couple

NAMED = 5

WHY: Mapping[str | None, str] = {
    "too_few_others": "people play more often than there are others",
    "too_few_tables": "with so few tables people of one table meet again at the next",
    "fixed_couples": "fixed couples stay together",
}


def in_words(figures: DrawExplanation) -> str:
    """What was drawn, what repeats and why, who is together again, and the effort."""
    return "; ".join(_parts(figures)) + "."


def _parts(figures: DrawExplanation) -> Iterator[str]:
    yield f"{figures.players} players at {_count(figures.tables, 'table')}" + (
        f", {figures.threes} of three" if figures.threes else ""
    )
    if figures.out_per_round:
        yield f"{figures.out_per_round} sitting out each round"
    yield from _repeats(
        "of partners",
        figures.partner_repeats,
        figures.least_partner_repeats,
        figures.partners_again,
    )
    yield from _repeats(
        "at a table", figures.meeting_repeats, figures.least_meeting_repeats, figures.met_again
    )
    if figures.steps:
        yield f"{figures.steps} exchanges tried"
    if figures.ignored:
        yield f"ignored, because they are not playing: {', '.join(figures.ignored)}"


def _repeats(
    kind: str, repeats: int, least: LeastRepeats, again: Mapping[Couple, int]
) -> Iterator[str]:
    if not repeats:
        yield f"no repeats {kind}"
        return
    because = ""
    if least.why:
        because = f": fewer than {least.repeats} is impossible, {WHY[least.why]}"
    yield f"{_count(repeats, 'repeat')} {kind}{because}"
    named = [f"{' and '.join(couple)} ({times} times)" for couple, times in again.items()]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    yield f"together again {kind}: {', '.join(named[:NAMED])}{more}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
