"""Lines of any JSON at a table of four and at one of three: written or refused, never a fault."""

from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.api.score import DEAL_LINE
from tests.api.caller import Caller, Json, new_key
from tests.factories import evening_with_draw, scorekeeper_of
from tournaments.models import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.hypothesis]

EVENING = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/"
KEYS = [*DEAL_LINE["properties"], "regulation", "x"]
# What stands on lines, and what never does.
LEAVES = st.one_of(
    st.sampled_from(["N", "E", "S", "W", "NS", "EW", "H", "NT", "AS", "TH", "made", "", "é\x01"]),
    st.sampled_from([0, 1, 20, 50, 65, 81, 97, 162, -1, 2**31, 10**30, 0.5, 1e300, True, None]),
)
VALUES = st.recursive(
    LEAVES,
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(st.sampled_from(["NS", "EW", "seat", "side", "points", "reason"]), below)
    ),
    max_leaves=6,
)
PLAIN = st.sampled_from(
    [
        {"declarer": "N", "trump": "H", "points": {"NS": 100}},
        {"declarer": "E", "trump": "S", "points": {"EW": 97}, "seats": ["N", "E", "S"]},
        {"declarer": "N", "trump": "H", "points": {"NS": 100}, "seats": ["N", "E", "W"]},
        {},
    ]
)
LINES = st.builds(
    lambda plain, other: plain | other,
    PLAIN,
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4),
)


@pytest.fixture
def paths() -> dict[bool, str]:
    """A deal of a table of four, and of one of three (True)."""
    evening = evening_with_draw(players=7, leftover="three_handed", method="lottery")
    tables = evening.rounds.get(number=1).tables.select_related("sheet")
    return {one.sheet.three_handed: f"rounds/1/tables/{one.number}/deals/1/" for one in tables}


@pytest.mark.full
def test_any_line_is_written_or_refused(paths: dict[bool, str]) -> None:
    writer = Caller(scorekeeper_of(Evening.objects.get().club), EVENING)

    @settings(suppress_health_check=list(HealthCheck))
    @given(line=LINES, of_three=st.booleans())
    def holds(line: Json, of_three: bool) -> None:
        body: Any = {"version": 0, "written": line}
        with transaction.atomic():
            answer = writer.send("PUT", paths[of_three], body, idempotency_key=new_key())
            transaction.set_rollback(True)
        assert answer.status_code in (200, 422)
        if answer.status_code == 422:
            assert answer.json()["errors"]

    holds()
