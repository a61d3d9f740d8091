"""What the tests of a season's paper share: a season with results, without playing it."""

import datetime as dt
import io

from clubs.models import Club, Member
from tests.factories import TESTS, MemberFactory
from tournaments.imports.results import results_import
from tournaments.models import Season
from tournaments.seasons.services import season_create

FIRST = dt.date(2025, 9, 6)
PRINTS = "/clubs/vrolijke-boer/desk/seasons/2025-2026/print/"


def season_of(
    club: Club, *, evenings: int, players: int, fee: int | None = None
) -> tuple[Season, list[Member]]:
    """A season `2025-2026` of so many weeks; who is n-th on the list of so many scored 5000 − 10 n
    on the first evening, and one point less in each week after it."""
    members = [MemberFactory.create(club=club) for _ in range(players)]
    ends = FIRST + dt.timedelta(weeks=evenings)
    season = season_create(
        club=club, name="2025-2026", starts=FIRST, ends=ends, fee=fee, actor=TESTS
    )
    lines = [
        f"{FIRST + dt.timedelta(weeks=week)},{member.number},{5000 - 10 * place - week}"
        for week in range(evenings)
        for place, member in enumerate(members, start=1)
    ]
    if not lines:
        return season, members
    source = io.BytesIO("\n".join(["evening,player,score", *lines]).encode())
    results_import(club=club, season_name=season.name, source=source, actor=TESTS)
    return season, members
