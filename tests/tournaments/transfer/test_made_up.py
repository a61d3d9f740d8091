"""A club's file that somebody made up: each value replaced by others, one at a time.

It is refused in words, or it can be shown and verified.
"""

import json
import random
import re
import tracemalloc
import zipfile
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client

from clubs.models import Club, User
from scoring.audit.verify import faults
from tests.archives import contents, with_rows
from tests.other_databases import migrated, sqlite_file
from tests.tournaments.transfer.test_moving import club_with_everything, exported
from tournaments.transfer.out import OF_A_CLUB, PEOPLE

pytestmark = pytest.mark.django_db

Json = Any
Steps = tuple[str | int, ...]
"""The way to a value: its column, and the keys and places inside."""

DEEP: Json = None
for _level in range(300):
    DEEP = [DEEP]
NASTY: Final[Sequence[Json]] = (
    [],
    {"x": 1},
    "",
    None,
    True,
    -1,
    0,
    0.5,
    1e308,
    10**30,
    2**31,
    32_767,
    "9999-12-31",
    "9999-12-31T23:59:59+00:00",
    "0001-01-01T00:00:00+00:00",
    "12:00",
    "a\x00b",
    "\ud800",
    "x" * 5000,
    "{0.__class__}%s%(x)s",
    ["x"],
    [["x", 1]],
    DEEP,
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Path:
    """The file of a club with a little of everything, from another server."""
    folder = tmp_path_factory.mktemp("club")
    with django_db_blocker.unblock(), migrated(sqlite_file(folder / "other.sqlite3")):
        return exported(club_with_everything(), folder / "archive")


def ways(archive: Path) -> Iterator[tuple[str, int, Steps]]:
    """Each value of the first row of each table; of JSON, and in every row that has another shape,
    the values inside too."""
    for name in [PEOPLE, *OF_A_CLUB]:
        seen: set[Steps] = set()
        for place, line in enumerate(contents(archive)[f"{name}.jsonl"].splitlines()):
            for steps in _inside(json.loads(line)["fields"], ()):
                if steps not in seen:
                    seen.add(steps)
                    yield name, place, steps


def _inside(value: Json, steps: Steps) -> Iterator[Steps]:
    if steps:
        yield steps
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _inside(item, (*steps, key))
    elif isinstance(value, list) and value:
        yield from _inside(value[0], (*steps, 0))


def made_up(archive: Path, name: str, place: int, steps: Steps, value: Json) -> Path:
    """The archive with another value there."""
    line = contents(archive)[f"{name}.jsonl"].splitlines()[place]
    row = json.loads(line)
    inner = row["fields"]
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    return with_rows(archive, name, line.encode(), json.dumps(row).encode())


def try_it(archive: Path, *, organiser: bool = False) -> str:
    """Read the file in, show and verify what came of it, and undo that; returns why it was
    refused."""
    with transaction.atomic():
        try:
            call_command("import_club", archive, despite_differences=True)
        except CommandError as error:
            return str(error)
        club = Club.objects.get(slug="roodhart")
        for fault in faults(club):
            assert fault
        client = Client()
        if organiser:
            client.force_login(User.objects.filter(roles__club=club, roles__kind="organiser")[0])
        walk(client, club)
        transaction.set_rollback(True)
    return ""


def walk(client: Client, club: Club) -> None:
    """Every page of the club that links lead to, and its answers to programs."""
    own, api = f"/clubs/{club.slug}/", f"/api/v1/clubs/{club.slug}/"
    evenings = [f"{api}evenings/{evening.slug}/" for evening in club.evenings.all()]
    waiting = ["/", own, f"{own}calendar.ics", f"{own}card.png", f"{own}rules/", api]
    waiting += [f"{api}{more}/" for more in ("evenings", "seasons", "regulations")]
    waiting += [f"{path}{more}" for path in evenings for more in ("", *OF_AN_EVENING)]
    known = set(waiting)
    while waiting:
        path = waiting.pop()
        response = client.get(path)
        assert response.status_code < 500, (path, response.status_code)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            links = set(re.findall(rf'(?:href|hx-get)="({own}[^"#]*)', response.content.decode()))
            new = sorted(link.replace("&amp;", "&") for link in links)
            waiting += [link for link in new if link not in known]
            known.update(new)


OF_AN_EVENING: Final = ("standing/", "releases/", "releases/1/", "rounds/", "rounds/1/", "tables/")


def everything(archive: Path) -> Iterator[tuple[str, int, Steps, Json]]:
    """All that can be tried."""
    return ((*way, value) for way in ways(archive) for value in NASTY)


RULE, EVENING, ENTRY = "tournaments.seasonrule", "tournaments.evening", "scoring.dealentry"


@pytest.mark.once
@pytest.mark.each_case
@pytest.mark.parametrize(
    ("table", "steps", "value", "words"),
    [
        (RULE, ("settings",), [], "settings: [] is not an object"),
        (RULE, ("settings",), {"x": 1}, "settings: x: there is no such key"),
        ("scoring.regulation", ("settings",), [], "settings: [] is not an object"),
        (EVENING, ("date",), "9999-12-31", "date: 9999-12-31 is not between 1900-01-01 and"),
        (EVENING, ("tie_breaks",), ["coin"], "tie_breaks: 0: 'coin' is not one of"),
        (EVENING, ("name",), "a\x00b", "name: has characters that cannot be stored"),
        (EVENING, ("prizes",), DEEP, "prizes: [["),
        (ENTRY, ("written", "declarer"), "X", "written: declarer: 'X' cannot be read"),
        (PEOPLE, ("email",), "nobody", "email: 'nobody': Enter a valid email address."),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_in_words(
    archive: Path, table: str, steps: Steps, value: Json, words: str
) -> None:
    """Some of these were a page that nobody could open, others a traceback."""
    place = next(place for name, place, known in ways(archive) if (name, known) == (table, steps))
    refusal = try_it(made_up(archive, table, place, steps, value))
    assert refusal.startswith(f"Nothing has been changed.\n{table}, row {place + 1}: {words}")


@pytest.mark.once
def test_all_faults_are_named_at_once(archive: Path) -> None:
    forged = made_up(archive, "clubs.member", 0, ("kind",), "x")
    forged = made_up(forged, "clubs.member", 2, ("phone",), 7)
    forged = made_up(forged, RULE, 0, ("settings",), None)
    assert try_it(forged).splitlines()[1:] == [
        "clubs.member, row 1: kind: 'x' is none of guest, member",
        "clubs.member, row 3: phone: 7 is not text",
        f"{RULE}, row 1: settings: None is not an object",
    ]
    many = with_rows(archive, "scoring.deal", b'"number": ', b'"number": -')
    many = with_rows(many, "scoring.dealentry", b'"revision": ', b'"revision": -')
    *_faults, last = faults_named = try_it(many).splitlines()[1:]
    assert (len(faults_named), last) == (21, "Perhaps there are more.")


@pytest.mark.once
@pytest.mark.each_case
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("changed", [["clubs.user", 1, {"password": "new"}, {"is_active": True}]]),
        ("changed", [["tournaments.registration", 1, {"member_id": 1}, {"pair": 1}]]),
        ("dropped", [["clubs.role", {"user_id": 1, "club_id": 1, "kind": "organiser"}]]),
        ("moved", {"clubs.role.user": [1]}),
    ],
)
def test_a_merge_that_is_undone_writes_nowhere_else(
    archive: Path, column: str, value: Json
) -> None:
    """The first would have set the password of a login that is here."""
    forged = made_up(archive, "clubs.membermerge", 0, ("handed_over", column), value)
    refusal = try_it(forged)
    assert refusal.startswith("Nothing has been changed.\nclubs.membermerge, row 1: handed_over:")


@pytest.mark.once
@pytest.mark.full
def test_some_values_are_refused_or_can_be_shown(archive: Path) -> None:
    for way in random.Random(15).sample(list(everything(archive)), 4):
        try_it(made_up(archive, *way))
    assert try_it(archive) == ""


@pytest.mark.soak
@pytest.mark.once
@pytest.mark.parametrize("name", [PEOPLE, *OF_A_CLUB])
def test_every_value_is_refused_or_can_be_shown(archive: Path, name: str) -> None:
    for way in everything(archive):
        if way[0] == name:
            try_it(made_up(archive, *way), organiser=True)


def filled(path: Path, archive: Path, rows: Iterator[bytes]) -> Path:
    """The archive with these as its members, without a word in the manifest."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != "clubs.member.jsonl":
                new.writestr(name, old.read(name))
        with new.open("clubs.member.jsonl", "w", force_zip64=True) as file:
            for row in rows:
                file.write(row)
    return path


@pytest.mark.once
@pytest.mark.full
def test_what_unpacks_to_far_more_is_refused_unread(archive: Path, tmp_path: Path) -> None:
    """Three hundred megabytes in three hundred kilobytes; gigabytes are no other."""
    line = contents(archive)["clubs.member.jsonl"].splitlines()[0].encode() + b"\n"
    bomb = filled(tmp_path / "bomb", archive, repeat(line * 2000, 300_000_000 // len(line) // 2000))
    assert bomb.stat().st_size < 2_000_000
    assert "far more than Klaverclub ever packs" in try_it(bomb)


@pytest.mark.full
@pytest.mark.once
def test_rows_that_the_manifest_does_not_tell_of_are_not_read(
    archive: Path, tmp_path: Path
) -> None:
    """Nor is memory filled with long ones: what has been read is written after 16 MB."""
    first = json.loads(contents(archive)["clubs.member.jsonl"].splitlines()[0])
    first["fields"]["name"] = "x" * 1_000_000
    line = json.dumps(first).encode() + b"\n"
    bomb = filled(tmp_path / "bomb", archive, repeat(line, 31))
    tracemalloc.start()
    assert "the rows are not those that the manifest tells of" in try_it(bomb)
    assert tracemalloc.get_traced_memory()[1] < 100_000_000
    tracemalloc.stop()
