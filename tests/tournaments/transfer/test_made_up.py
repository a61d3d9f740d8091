"""A club's file that somebody made up: each value replaced by others, one at a time.

It is refused in words, or it can be shown and verified.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client

from clubs.archives.places import working_on
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


def sample(archive: Path, count: int) -> list[tuple[str, int, Steps, Json]]:
    """Some of everything that can be tried, the same each time."""
    everything = [(*way, value) for way in ways(archive) for value in NASTY]
    return random.Random(15).sample(everything, count)  # noqa: S311


@pytest.mark.once
def test_some_values_are_refused_or_can_be_shown(archive: Path) -> None:
    outcomes = [try_it(made_up(archive, *way)) for way in sample(archive, 30)]
    assert try_it(archive) == ""
    assert "" in outcomes


@pytest.mark.soak
@pytest.mark.once
@pytest.mark.parametrize("name", [PEOPLE, *OF_A_CLUB])
def test_every_value_is_refused_or_can_be_shown(archive: Path, name: str) -> None:
    for table, place, steps in ways(archive):
        for value in NASTY if table == name else ():
            try_it(made_up(archive, table, place, steps, value), organiser=True)
