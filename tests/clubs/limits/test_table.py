"""The table of limits in the documentation says what the code does."""

from pathlib import Path

from clubs.limits import table
from clubs.limits.table import SITE_TIMES
from clubs.limits.work import HEAVY_MS, LIGHT_MS, QUARTER
from config import settings
from scoring.api.score import CARD_BY_CARD, ScoreThrottle
from scoring.disputes.submissions import MOST_CLAIMS, MOST_EVER

SECURITY = Path(__file__).parents[3] / "docs" / "security.md"


def test_every_limit_is_in_the_documentation() -> None:
    section = SECURITY.read_text().partition("## Limits")[2].partition("\n## ")[0]
    api, writes, work = settings.API_LIMITS, settings.TABLE_WRITES, settings.WORK_SECONDS
    sentences = [
        f"less than {LIGHT_MS} ms",
        f"{work['pages']} seconds of work in a quarter of an hour (`PAGE_SECONDS_PER_QUARTER`)",
        f"{work['at_once']} second of work (`PAGE_SECONDS_AT_ONCE`)",
        f"more than {HEAVY_MS / 1_000} s by itself",
        f"{work['heavy']} seconds of work in a minute (`HEAVY_SECONDS_PER_MINUTE`)",
        f"{table.FILES_MADE.most} in a quarter of an hour",
        f"{writes['link']} a minute (`LINK_WRITES_PER_MINUTE`)",
        f"{writes['address']:,} a minute (`TABLE_WRITES_PER_MINUTE`)",
        f"{table.DEAD_LINK_WRITES.most} an hour, and none a week after that",
        f"{MOST_EVER}, of which {MOST_CLAIMS} wait for a decision",
        f"{api['anybody']} a minute (`API_REQUESTS_PER_MINUTE`)",
        f"{api['caller']:,} a minute (`API_CALLER_REQUESTS_PER_MINUTE`)",
        f"{api['score']:,} a minute (`SCORE_DEALS_PER_MINUTE`)",
        "at ten times\nthe limit",
        "card by card each counts as six, a request as fifty",
        f"| {table.LOGIN_TRIES.most} a minute |",
        f"| {table.PASSWORDS.most} an hour in browsers that are new to it",
        f"{table.CODES.most} in a quarter of an hour, {table.CODES_A_DAY.most} a day",
        f"{table.MAILED_TO_ONE.most} an hour to one address",
        f"{table.MAILED_BY_A_CLUB.most} a day for one club",
        f"| {table.ADDRESS_LINKS_TO_ONE.most} an hour to one address",
        f"{table.ADDRESS_LINKS_OF_ONE.most} a day for one login",
        f"{table.LOGIN_LINKS.most} in a quarter of an hour for one login",
        f"{table.FOLLOWS.most} an hour from one network; 2,000 browsers for a club",
        f"{table.REPORTS_OF_ONE.most} a minute from one network, {table.REPORTS.most} in all",
    ]
    assert [words for words in sentences if words not in section] == []
    assert (CARD_BY_CARD, ScoreThrottle.cheapest, QUARTER, SITE_TIMES) == (6, 50, 900, 10)
    assert (table.FILES_MADE.seconds, table.DEAD_LINK_WRITES.seconds) == (900, 3_600)
