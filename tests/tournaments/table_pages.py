"""A table's link and a phone without JavaScript, for the tests of the table page."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from typing import Any, Protocol

from django.test import Client

from tests.factories import TESTS, evening_with_draw
from tournaments.draw.services import draw_publish, draw_type_in, draw_undo
from tournaments.models import Evening, Table, TableToken
from tournaments.rounds.services import round_start
from tournaments.table_links.services import token_secret


class Answer(Protocol):
    """What a test looks at in a response of the test client."""

    status_code: int

    @property
    def content(self) -> bytes: ...


def playing(players: int = 4, **plan: Any) -> Evening:
    """An evening whose first round is running: Jan and Piet (wij) against Mia and Truus (zij) at
    table 1. Mia deals the first deal and Piet leads."""
    return evening_with_draw(
        players=players, rounds=plan.pop("rounds", 1), method=Evening.Method.TYPED_IN, **plan
    )


def playing_three(**plan: Any) -> tuple[Evening, Table]:
    """An evening of seven people whose first round is running, and its table of three; who
    sits at East deals the first deal, and who sits at South leads."""
    evening = evening_with_draw(
        players=7,
        rounds=plan.pop("rounds", 1),
        method=Evening.Method.LOTTERY,
        leftover=Evening.Leftover.THREE_HANDED,
        **plan,
    )
    three = Table.objects.select_related("round", "sheet__regulation")
    return evening, three.get(round__evening=evening, round__number=1, sheet__three_handed=True)


def playing_two(**plan: Any) -> tuple[Evening, Table]:
    """An evening of five people whose first round is running, 1, 2 and 3 at table 1, and its table
    of two: 4 at North, and 5 at East, who deals the first deal."""
    evening = evening_with_draw(
        players=5,
        rounds=1,
        method=Evening.Method.TYPED_IN,
        leftover=Evening.Leftover.THREE_HANDED,
        started=False,
        **plan,
    )
    draw_undo(evening_id=evening.pk, actor=TESTS)
    present = evening.registrations.select_related("member").order_by("member__number")
    one, two, three, four, five = (here.member for here in present)
    tables = [{"N": one, "E": two, "S": three}, {"N": four, "E": five}]
    draw_type_in(evening_id=evening.pk, tables=tables, sit_out=[], actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    of_two = Table.objects.select_related("round", "sheet__regulation")
    return Evening.objects.get(pk=evening.pk), of_two.get(round__evening=evening, number=2)


def link(evening: Evening, number: int = 1) -> str:
    """The address behind the QR code of a table."""
    token = TableToken.objects.get(evening=evening, table_number=number, revoked_at=None)
    return f"/t/{token_secret(token)}/"


class _Forms(HTMLParser):
    """The fields of each form of a page as a browser without scripts would send them."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, str]] = {}
        self.fields: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.fields = self.forms.setdefault(given.get("action", ""), {})
        if tag == "input" and "name" in given:
            ticked = given.get("type") in ("radio", "checkbox")
            if not ticked or "checked" in given:
                self.fields[given["name"]] = given.get("value", "on" if ticked else "")


def fields_of(response: Answer, action: str) -> dict[str, str]:
    """What the form that goes to `action` would send if nothing were changed."""
    parser = _Forms()
    parser.feed(response.content.decode())
    return parser.forms[action]


def write(client: Client, url: str, **typed: str) -> Answer:
    """Fill in the form of a deal at its own address, agree with what it comes to, and write it."""
    filled = fields_of(client.get(url), url) | typed
    check = client.post(url, filled)
    if check.status_code != 200:
        return check
    return client.post(url, fields_of(check, url))


def table_data(response: Answer) -> Any:
    """What the page gives the phone's own program of its sheet."""
    found = re.search(r'data-table="([^"]*)"', response.content.decode())
    assert found is not None
    return json.loads(unescape(found[1]))


def words(response: Answer) -> str:
    """The text that a page shows, without markup, spaces made single."""
    reader = _Text()
    reader.feed(response.content.decode())
    return " ".join(" ".join(reader.parts).split())


UNSEEN = {"script", "template"}
"""What is on a page for its program only."""


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unseen += tag in UNSEEN

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in UNSEEN

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.parts.append(data)
