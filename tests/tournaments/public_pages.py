"""What the tests of the public pages share: reading a page as a person does, playing a little."""

import html
import re
from typing import TYPE_CHECKING

from django.test import Client
from django.utils.html import strip_tags

from tests.factories import TESTS, table, write_deal
from tournaments.closing.services import evening_close
from tournaments.models import Evening, Release
from tournaments.rounds.services import round_close

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Page

BODY = re.compile(r"<tbody>(.*?)</tbody>", re.DOTALL)
ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)
UNREAD = re.compile(r"<(script|style|title|noscript).*?</\1>", re.DOTALL)


def get(client: Client, path: str) -> "Page":
    """The page at this address; it must be there."""
    response = client.get(path)
    assert response.status_code == 200, path
    return response


def words(source: "Page | str") -> str:
    """What can be read on a page, or in a part of it, in one line."""
    text = source if isinstance(source, str) else source.content.decode()
    return " ".join(html.unescape(strip_tags(UNREAD.sub(" ", text).replace("<", " <"))).split())


def rows(response: "Page", *, table: int = 0) -> list[list[str]]:
    """The cells of every row in the body of a table of the page, the first one by default."""
    bodies = BODY.findall(response.content.decode())
    if not bodies:
        return []
    return [[words(cell) for cell in CELL.findall(row)] for row in ROW.findall(bodies[table])]


def evening_path(evening: Evening, more: str = "") -> str:
    return f"/clubs/{evening.club.slug}/evenings/{evening.slug}/{more}"


def speak_english(client: Client) -> None:
    client.cookies["django_language"] = "en"


def play_round(evening: Evening, *, number: int = 1, ns: int = 90) -> None:
    """Table 1 writes one deal, in which NS play and take `ns` of the 162; the round is closed."""
    write_deal(table(evening, 1, number), 1, points={"NS": ns})
    round_ = evening.rounds.get(number=number)
    round_close(round_id=round_.pk, actor=TESTS, unfinished_reason="kort")


def close_evening(evening: Evening, *, ns: int = 90) -> Release:
    """Round 1 is played, as by `play_round`, and the evening is closed and published."""
    play_round(evening, ns=ns)
    return evening_close(evening_id=evening.pk, actor=TESTS)
