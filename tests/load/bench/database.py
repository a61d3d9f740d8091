"""The measures on the database that the settings name, as JSON on standard output.

`python -m tests.load.bench.database [MODULE …]`: all of them, or those of the modules named.
"""

import json
import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from importlib import import_module
from typing import TYPE_CHECKING

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from tests.load.bench.bench import Bench, floors_of, served  # noqa: E402
from tests.load.big_club import big_club_make  # noqa: E402

if TYPE_CHECKING:
    from tests.load.bench.table import Row

Measure = Callable[[Bench], Iterable["Row"]]

MODULES = (
    "reading",
    "caches",
    "saves",
    "standings",
    "board",
    "archive",
    "weight",
    "tournament",
    "leagues",
    "clubs",
)
"""Each of them has `rows(bench)`. The archive copies all that was played, so it is made before
there are other clubs."""

SLUG = "grote-zaal"


def main() -> None:
    """Make the club and print the rows of the modules that are asked for."""
    logging.disable(logging.INFO)
    call_command("migrate", verbosity=0)
    club = big_club_make(SLUG)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with served("tests.load.settings") as port:
        floors = floors_of(port)
        bench = Bench(club=club, port=port, floors=floors)
        found = list(floors.rows())
        for name in sys.argv[1:] or MODULES:
            rows: Measure = import_module(f"tests.load.bench.{name}").rows
            for row in rows(bench):
                sys.stderr.write(f"{connection.vendor}: {row.name}: {row.figure:.1f} {row.unit}\n")
                found.append(row)
    sys.stdout.write(json.dumps([asdict(row) for row in found]))


if __name__ == "__main__":
    main()
