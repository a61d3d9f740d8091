"""Files of a club that somebody made up: one or many values in the place of others."""

import copy
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models, transaction
from django.test import Client

from clubs.archives.checks import RowChecks
from clubs.archives.container import BadArchive
from clubs.models import Club, User
from scoring.audit.verify import faults
from tests.archives import MANIFEST, contents, manifest_of, with_files
from tournaments.transfer.columns import COLUMNS
from tournaments.transfer.out import OF_A_CLUB, PEOPLE, PEOPLE_FIELDS

Json = Any
Steps = tuple[str | int, ...]
"""The way to a value: its column, and the keys and places inside."""

DEEP: Json = None
for _level in range(300):
    DEEP = [DEEP]
ODD, LONG, LAST_DAY = "{0.__class__}%s%(x)s", "x" * 5000, "9999-12-31"
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
    LAST_DAY,
    "9999-12-31T23:59:59+00:00",
    "0001-01-01T00:00:00+00:00",
    "12:00",
    "a\x00b",
    "\ud800",
    LONG,
    ODD,
    ["x"],
    [["x", 1]],
    DEEP,
)
IN_JSON: Final[Sequence[Json]] = (
    [],
    {"x": 1},
    "",
    None,
    True,
    -1,
    0.5,
    32_767,
    LAST_DAY,
    ODD,
    LONG,
    [["x", 1]],
)
"""One of each class that whatever reads JSON could stumble over."""
CLASSES: Final[Sequence[tuple[type[Any], Sequence[Json]]]] = (
    (models.ForeignKey, (None, 0)),
    (models.JSONField, IN_JSON),
    (models.CharField, (None, "", ODD, LONG)),
    (models.TextField, ("", ODD, LONG)),
    (models.Field, NASTY),
)
"""One of each class that the code behind each kind of column could stumble over."""


class Forgery(NamedTuple):
    """Another value in a row of a table."""

    table: str
    place: int
    steps: Steps
    value: Json

    def put_in(self, row: Json) -> Json:
        """The row with the value."""
        row = copy.deepcopy(row)
        inner = row["fields"]
        for step in self.steps[:-1]:
            inner = inner[step]
        inner[self.steps[-1]] = self.value
        return row


def rows_of(archive: Path) -> dict[str, list[Json]]:
    """The rows of each table."""
    files = contents(archive)
    return {
        name: [json.loads(line) for line in files[f"{name}.jsonl"].splitlines()]
        for name in (PEOPLE, *OF_A_CLUB)
    }


def ways(archive: Path) -> Iterator[tuple[str, int, Steps]]:
    """Each value of the first row of each table; of JSON, and in every row that has another shape,
    the values inside too."""
    for name, rows in rows_of(archive).items():
        seen: set[Steps] = set()
        for place, row in enumerate(rows):
            for steps in _inside(row["fields"], ()):
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


def forged(archive: Path, *forgeries: Forgery) -> Path:
    """The archive with these values, and a manifest that agrees."""
    rows, manifest = rows_of(archive), manifest_of(archive)
    for forgery in forgeries:
        of_table = rows[forgery.table]
        of_table[forgery.place] = forgery.put_in(of_table[forgery.place])
    files: dict[str, bytes] = {}
    for name in {forgery.table for forgery in forgeries}:
        content = "".join(f"{json.dumps(row)}\n" for row in rows[name]).encode()
        files[f"{name}.jsonl"] = content
        manifest["parts"][name]["sha256"] = hashlib.sha256(content).hexdigest()
    return with_files(archive, {**files, MANIFEST: json.dumps(manifest).encode()})


def column_fault(forgery: Forgery, row: Json) -> str:
    """What the checks of single columns say of a row with this; empty where they let it through."""
    checks = RowChecks(COLUMNS)
    fields = PEOPLE_FIELDS if forgery.table == PEOPLE else ()
    forged_row = json.loads(json.dumps(forgery.put_in(row)))
    list(checks.sound(apps.get_model(forgery.table), [forged_row], fields=fields))
    try:
        checks.require_sound()
    except BadArchive as error:
        return str(error)
    return ""


def try_it(archive: Path, *, walked: bool = True) -> str:
    """Read the file in, verify and show what came of it unless it is not to be `walked` through,
    and undo that; returns why it was refused."""
    with transaction.atomic():
        try:
            call_command("import_club", archive, despite_differences=True, verbosity=0)
        except CommandError as error:
            return str(error)
        if walked:
            club = Club.objects.get(slug="roodhart")
            for fault in faults(club):
                assert fault
            client = Client()
            client.force_login(User.objects.filter(roles__club=club, roles__kind="organiser")[0])
            _walk(client, club)
        transaction.set_rollback(True)
    return ""


def _walk(client: Client, club: Club) -> None:
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
            links = set(
                re.findall(rf'(?:href|hx-get|data-poll)="({own}[^"#]*)', response.content.decode())
            )
            new = sorted(link.replace("&amp;", "&") for link in links)
            waiting += [link for link in new if link not in known]
            known.update(new)


OF_AN_EVENING: Final = ("standing/", "releases/", "releases/1/", "rounds/", "rounds/1/", "tables/")


# Many in one file: to read one in takes a second, and to walk through its pages twenty.


def taken_by_columns(archive: Path) -> list[Forgery]:
    """What the checks of single columns let through, of each class."""
    rows = rows_of(archive)
    every = [
        Forgery(name, place, steps, value)
        for name, place, steps in ways(archive)
        for value in _classes(name, steps)
    ]
    return [one for one in every if not column_fault(one, rows[one.table][one.place])]


def _classes(name: str, steps: Steps) -> Sequence[Json]:
    column = apps.get_model(name)._meta.get_field(str(steps[0]))
    return next(values for kind, values in CLASSES if isinstance(column, kind))


def one_in_each_place(waiting: Sequence[Forgery]) -> list[Forgery]:
    """Some of them, of which none is inside another; neighbours have values of other classes."""
    chosen: dict[tuple[str, int], list[Forgery]] = {}
    for place, among in enumerate(_by_way(waiting)):
        forgery = among[place % len(among)]
        beside = chosen.setdefault((forgery.table, forgery.place), [])
        if not any(_overlap(forgery.steps, other.steps) for other in beside):
            beside.append(forgery)
    return [forgery for some in chosen.values() for forgery in some]


def _by_way(forgeries: Sequence[Forgery]) -> Collection[list[Forgery]]:
    found: dict[tuple[str, int, Steps], list[Forgery]] = {}
    for forgery in forgeries:
        found.setdefault(forgery[:3], []).append(forgery)
    return found.values()


def _overlap(one: Steps, other: Steps) -> bool:
    return all(step == step_of_other for step, step_of_other in zip(one, other, strict=False))


def read_together(archive: Path, forgeries: Sequence[Forgery]) -> list[Forgery]:
    """Those of them that can be read in together: tried with all of a table, then half of those and
    so on, since few are refused."""

    def fits(some: Sequence[Forgery]) -> bool:
        return _attempt(lambda: not try_it(forged(archive, *good, *some), walked=False), some)

    def add(some: Sequence[Forgery]) -> None:
        if fits(some):
            good.extend(some)
        elif len(some) > 1:
            half = len(some) // 2
            add(some[:half])
            add(some[half:])

    good: list[Forgery] = []
    for table in {forgery.table: None for forgery in forgeries}:
        add([forgery for forgery in forgeries if forgery.table == table])
    return good


def require_shown(archive: Path, forgeries: Sequence[Forgery]) -> None:
    """Fails with a forgery of which a page cannot be shown, or which cannot be verified."""
    if not _attempt(lambda: not try_it(forged(archive, *forgeries)), forgeries):
        half = len(forgeries) // 2
        require_shown(archive, forgeries[:half])
        require_shown(archive, forgeries[half:])
        raise AssertionError(f"only together: {forgeries}")


def _attempt(act: Callable[[], bool], forgeries: Sequence[Forgery]) -> bool:
    """Whether it succeeds; what only a refusal may say is raised once it is about one of them."""
    try:
        return act()
    except Exception as error:
        if len(forgeries) == 1:
            raise AssertionError(forgeries[0]) from error
        return False
