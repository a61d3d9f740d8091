"""Running the commands that read and write files, and seeing what they left behind."""

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from openpyxl import Workbook

from clubs.models import Club, LoginSession

DATA = Path(__file__).parent.parent / "data"
HEADINGS = (
    "evening,round,table,n,e,s,w,deal,declarer,trump,points_ns,points_ew,roem_ns,roem_ew,pit,nat,"
    "reneged"
)


def everything() -> dict[str, list[dict[str, Any]]]:
    """Every row of every table of the product but sessions, which note when they were used."""
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for app in ("clubs", "scoring", "tournaments")
        for model in apps.get_app_config(app).get_models()
        if model is not LoginSession
    }


def rows(text: str) -> list[list[str]]:
    """The cells of a CSV text."""
    return list(csv.reader(StringIO(text, newline="")))


def csv_lines_of(content: bytes) -> list[str]:
    """The rows of a CSV file, with commas between the cells."""
    return [",".join(row) for row in rows(content.decode())]


def xlsx(path: Path, lines: Iterable[Iterable[object]]) -> Path:
    """A spreadsheet with these lines."""
    book = Workbook()
    for line in lines:
        book.worksheets[0].append(list(line))
    book.save(path)
    return path


class Files:
    """The commands about files, for one club; a text becomes a file first."""

    def __init__(self, club: Club, folder: Path) -> None:
        self.club, self._folder = club, folder

    def run(self, command: str, *args: str, **options: object) -> str:
        """What the command prints."""
        out = StringIO()
        call_command(command, *args, club=self.club.slug, stdout=out, stderr=StringIO(), **options)
        return out.getvalue()

    def evening(self, source: str | Path, **options: object) -> str:
        """What `import_evening` prints."""
        return self.run("import_evening", str(self.file(source)), **options)

    def results(self, source: str | Path, season: str = "2026") -> str:
        """What `import_results` prints."""
        return self.run("import_results", str(self.file(source)), season=season)

    def export(self, date: str) -> str:
        """What `export_evening` prints."""
        return self.run("export_evening", date=date)

    def standings(self, **options: object) -> str:
        """What `standings` prints."""
        return self.run("standings", **options)

    def refused(self, command: str, source: str | Path, **options: object) -> list[str]:
        """The faults with which `import_evening` or `import_results` refuses a file; nothing at
        all has changed."""
        before = everything()
        path = str(self.file(source))
        with pytest.raises(CommandError) as caught:
            self.run(command, path, **options)
        assert everything() == before
        first, *faults = str(caught.value).splitlines()
        assert (first, caught.value.returncode) == ("Nothing has been changed.", 1)
        return faults

    def file(self, source: str | Path) -> Path:
        """The source as a file."""
        if isinstance(source, Path):
            return source
        path = self._folder / "file.csv"
        path.write_text(source, newline="")
        return path


def evening_text(deals: Iterable[Mapping[str, object]], **every: object) -> str:
    """A file of deals; each is 90 for NS in hearts at table 1 unless it says otherwise."""
    given_columns = {"points_ns", "points_ew", "pit", "nat", "reneged"}
    plain = {"evening": "2026-10-10", "round": 1, "table": 1, "n": "Ann", "e": "Bob", "s": "Cor"}
    plain |= {"w": "Dik", "declarer": "N", "trump": "H", **every}
    headings = [*HEADINGS.split(",")]
    text = StringIO(newline="")
    writer = csv.DictWriter(text, headings, restval="")
    writer.writeheader()
    for number, deal in enumerate(deals, start=1):
        points = {} if given_columns & deal.keys() else {"points_ns": 90}
        writer.writerow({**plain, "deal": number, **points, **deal})
    return text.getvalue()
