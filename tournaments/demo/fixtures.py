"""The demo's fixtures, read from `fixtures/demo`, and its reproducible random choices."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from django.conf import settings

from clubs.models import Member
from scoring.deals.entries import Written
from scoring.rules import RuleSet, other_side, side_of
from scoring.sheets.services import mirrored
from tournaments.imports.evening_file import read_deals

FOLDER = settings.BASE_DIR / "fixtures" / "demo"
MEMBERS = FOLDER / "members.csv"
LOGO = FOLDER / "logo.png"


def read_club() -> dict[str, Any]:
    """The club, its logins and its evenings, as `club.json` has them."""
    data: dict[str, Any] = json.loads((FOLDER / "club.json").read_text(encoding="utf-8"))
    return data


class Chance:
    """The demo's random choices, always the same for the same `name`."""

    def __init__(self, name: str, regulation: RuleSet) -> None:
        self._random = Random(name)  # noqa: S311 — nothing is at stake
        self._deals = read_deals(FOLDER / "deals.csv", regulation)

    def seed(self) -> int:
        """A seed for a draw."""
        return self._random.randrange(1_000_000)

    def some(self, members: Sequence[Member], count: int) -> list[Member]:
        """So many of these people."""
        return self._random.sample(members, count)

    def score(self, average: int, spread: int) -> int:
        """A random score of an evening."""
        return round(self._random.gauss(average, spread))

    def deals(self, count: int) -> dict[int, Written]:
        """Deals 1 … `count` of a sheet, as a table writes them."""
        taken = self._random.choices(self._deals, k=count)
        return {number: self._written(deal) for number, deal in enumerate(taken, start=1)}

    def _written(self, deal: Written) -> Written:
        """The deal as played by either pair, with the points that the defenders counted."""
        written = mirrored(deal) if self._random.random() < 0.5 else dict(deal)
        counting = other_side(side_of(written["declarer"]))  # type: ignore[arg-type]
        points = written.pop("points")
        if "pit" not in written:
            written["points"] = {counting: points[counting]}  # type: ignore[index]
        return written
