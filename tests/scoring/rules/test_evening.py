"""A whole evening of a club comes to the totals that were published."""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

from scoring.rules import PRESETS, evaluate

DATA = Path(__file__).parents[2] / "data"


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def deal_of(row: dict[str, str]) -> dict[str, Any]:
    """A line of the file as the contract has it; what nobody wrote is left out."""
    sides = ("NS", "EW")
    points = {side: row[f"points_{side.lower()}"] for side in sides}
    roem = {side: row[f"roem_{side.lower()}"] for side in sides}
    deal: dict[str, Any] = {
        "declarer": row["declarer"],
        "trump": row["trump"] or None,
        "points": {side: int(value) for side, value in points.items() if value},
        "roem": {side: [int(item) for item in items.split()] for side, items in roem.items()},
        "nat": row["nat"] == "1",
    }
    return deal | {key: row[key] for key in ("pit", "reneged") if row[key]}


def test_an_evening_of_twelve_players_adds_up_to_its_standings() -> None:
    totals: Counter[str] = Counter()
    rounds: Counter[tuple[str, str]] = Counter()
    pits: Counter[str] = Counter()
    for row in rows("evening-12-players.csv"):
        result = evaluate(deal_of(row), PRESETS["rotterdam"])
        for seat, points in result.players.items():
            name = row[seat.lower()]
            totals[name] += points
            rounds[name, row["round"]] += points
            pits[name] += result.pit is not None and seat in result.pit
    standings = rows("evening-12-players.standings.csv")
    assert len(standings) == 12
    for row in standings:
        name = row["player"]
        found = [totals[name], *(rounds[name, number] for number in "123"), pits[name]]
        assert found == [
            int(row[key]) for key in ("total", "round_1", "round_2", "round_3", "pits")
        ]
