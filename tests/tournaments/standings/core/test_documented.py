"""The manual lists exactly the metrics there are, and what each of them is offered for."""

import re
from pathlib import Path

from tournaments.standings.core.metrics import (
    EVENING_PRIZES,
    EVENING_TIE_BREAKS,
    MEASURES,
    METRICS,
    RANK_BY,
    SEASON_PRIZES,
    SEASON_TIE_BREAKS,
)

MANUAL = (Path(__file__).parents[4] / "docs" / "regulations.md").read_text()
LISTS = (RANK_BY, EVENING_TIE_BREAKS, SEASON_TIE_BREAKS, EVENING_PRIZES, SEASON_PRIZES)


def documented() -> dict[str, list[bool]]:
    """By key, whether it is offered for each of the lists."""
    section = MANUAL.partition("### What players are compared by")[2]
    rows = re.findall(
        r"^\| `(\w+)` \| [^|]+ \|(.*)\|$", section.partition("\n## ")[0], re.MULTILINE
    )
    return {key: [mark.strip() == "yes" for mark in marks.split("|")] for key, marks in rows}


def test_the_manual_lists_every_measure_and_what_it_is_offered_for() -> None:
    offered = {key: [key in keys for keys in LISTS] for key in MEASURES if key != "gap"}
    assert documented() == offered


def test_the_manual_lists_the_tie_breaks_of_an_evening() -> None:
    row = re.search(r"^\| `tie_breaks` \| a list in order of ([^;]+);", MANUAL, re.MULTILINE)
    assert row is not None
    assert sorted(re.findall(r"`(\w+)`", row[1])) == sorted(EVENING_TIE_BREAKS)


def test_whatever_is_offered_has_the_words_for_it() -> None:
    offered = {key for keys in LISTS for key in keys}
    assert [key for key in offered if not MEASURES[key].words] == []
    assert [key for key in {*EVENING_PRIZES, *SEASON_PRIZES} if not METRICS[key].prize] == []
