"""Phones of a table where both sides have a say."""

import re
import uuid
from typing import Any

from django.test import Client

from scoring.disputes.submissions import deal_submit
from tests.factories import TESTS, table
from tests.tournaments.table_pages import (
    Answer,
    words,
)
from tournaments.models import Evening, Table, TableToken
from tournaments.table_links.services import token_secret

NINETY = {"declarer": "NS", "trump": "H", "points": {"NS": 90}}
HUNDRED = {"declarer": "NS", "trump": "H", "points": {"NS": 100}}


def side_link(evening: Evening, side: str) -> str:
    token = TableToken.objects.get(evening=evening, table_number=1, side=side, revoked_at=None)
    return f"/t/{token_secret(token)}/"


def held(client: Client, page: str, side: str) -> str:
    """Say who holds this phone."""
    client.get(page)
    chair = f"{page}rounds/1/chair/"
    assert client.post(chair, {"side": side})["Location"] == f"{page}rounds/1/"
    return page


def couples(evening: Evening) -> dict[str, str]:
    """The two people of each side at table 1, by name."""
    seated = table(evening).placements.select_related("member")
    names = {placement.seat: placement.member.name for placement in seated}
    return {side: " – ".join(names[seat] for seat in side) for side in ("NS", "EW")}


def submit(at: Table, number: int = 1, **given: Any) -> None:
    given = dict[str, Any](written=NINETY, seen_version=0, actor=TESTS) | given
    deal_submit(sheet_id=at.sheet_id, number=number, uuid=uuid.uuid4(), **given)


def said(response: Answer) -> str:
    """The text of a page, with no space before a stop where a piece of markup ended."""
    return re.sub(r" ([.?,:])", r"\1", words(response))
