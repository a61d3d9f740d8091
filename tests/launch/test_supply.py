"""What the wheel is made of: the list of it, the licences, and the question about known holes."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tools import ROOT
from tools.audit import audit
from tools.dist import release_check
from tools.sbom import TYPEFACES, bill_of_materials, licences, pins_read

PINNED = (ROOT / "requirements" / "postgres.txt").read_text()
WHEN = datetime(2026, 11, 29, 12, tzinfo=UTC)


def test_every_pinned_library_is_on_the_bill_with_who_needs_it() -> None:
    pins = pins_read(PINNED)
    bill = json.loads(bill_of_materials(pins, "1.2.3", WHEN))

    pinned = re.findall(r"^([a-z0-9][\w.-]*)==([^\s;]+)", PINNED, re.MULTILINE)
    libraries = [each for each in bill["components"] if each["type"] == "library"]
    assert [(each["name"], each["version"]) for each in libraries] == pinned
    refs = {each["bom-ref"] for each in bill["components"]} | {"klaverclub"}
    needed = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    assert {ref for refs_of_it in needed.values() for ref in refs_of_it} <= refs
    [sqlparse] = [each["purl"] for each in libraries if each["name"] == "sqlparse"]
    [django] = [each["purl"] for each in libraries if each["name"] == "django"]
    assert sqlparse in needed[django]
    assert django in needed["klaverclub"]
    # Nothing is there that nobody asked for.
    reached = {ref for refs_of_it in needed.values() for ref in refs_of_it}
    assert {each["purl"] for each in libraries} == reached


def test_the_bill_is_the_same_each_time_and_its_number_goes_by_what_is_on_it() -> None:
    pins = pins_read(PINNED)
    bill = bill_of_materials(pins, "1.2.3", WHEN)

    assert bill_of_materials(pins, "1.2.3", WHEN) == bill
    numbers = [
        json.loads(bill_of_materials(some, "1.2.3", WHEN))["serialNumber"]
        for some in (pins, pins[1:])
    ]
    assert numbers[0] != numbers[1]


def test_licences_are_those_of_libraries_and_of_typefaces() -> None:
    text = licences(pins_read(PINNED))

    for name in TYPEFACES:
        assert f"{name} (typeface)" in text
    assert re.search(r"^django [\d.]+: BSD-3-Clause$", text, re.MULTILINE)
    assert "Copyright (c) Django Software Foundation" in text
    assert "SIL OPEN FONT LICENSE" in text


NOTES = "# Changelog\n\n## 1.2.0 (2026-12-01)\n\n### Everything\n"


@pytest.mark.parametrize(
    ("tags", "notes", "said"),
    [
        ([], "", ""),
        (["v1.2.0"], NOTES, ""),
        (["v1.3.0"], NOTES, "Tagged v1.3.0, but pyproject.toml says 1.2.0."),
        (["v1.2.0"], "## 2026-12-01\n", "CHANGELOG.md has no heading “## 1.2.0 (year-month-day)”."),
    ],
)
def test_what_is_tagged_as_a_release_is_that_version_and_has_its_notes(
    tags: list[str], notes: str, said: str
) -> None:
    if not said:
        release_check("1.2.0", tags, notes)
        return
    with pytest.raises(SystemExit) as stopped:
        release_check("1.2.0", tags, notes)
    assert stopped.value.code == said


def test_the_notes_are_dated_the_newest_first() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    days = [re.sub(r".*?(\d{4}-\d\d-\d\d)\)?$", r"\1", heading) for heading in headings]

    assert days == [datetime.fromisoformat(day).date().isoformat() for day in days]
    assert days == sorted(days, reverse=True)


ONE_PIN = """segno==1.6.6 \\
    --hash=sha256:{zeros}
    # via klaverclub (pyproject.toml)
""".format(zeros="0" * 64)


@pytest.fixture
def requirements(tmp_path: Path) -> Path:
    path = tmp_path / "requirements.txt"
    path.write_text(ONE_PIN)
    return path


@pytest.mark.full
@pytest.mark.once
def test_without_anybody_to_ask_it_is_said_and_nothing_fails(
    requirements: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))

    assert audit(requirements, tmp_path / "audit") == 0
    assert capfd.readouterr().err.startswith("Not audited: no database of holes can be asked here")


@pytest.mark.soak
@pytest.mark.once
@pytest.mark.parametrize(("holes", "status"), [(["PYSEC-2026-1"], 1), ([], 0)])
def test_a_hole_that_the_database_knows_fails_the_check(
    requirements: Path, tmp_path: Path, holes: list[str], status: int
) -> None:
    with database_of(holes) as url:
        assert audit(requirements, tmp_path / "audit", "--service-url", url) == status


@contextmanager
def database_of(holes: list[str]) -> Iterator[str]:
    """A database that knows these holes of everything that is asked about."""

    class Database(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known = {"vulns": [{"id": hole, "modified": "2026-01-01T00:00:00Z"} for hole in holes]}
            self._answer({"results": [known if holes else {} for _query in asked["queries"]]})

        def do_GET(self) -> None:
            hole = self.path.rpartition("/")[2]
            self._answer({"id": hole, "modified": "2026-01-01T00:00:00Z", "summary": "A hole"})

        def log_message(self, *_said: object) -> None:
            pass

        def _answer(self, content: Any) -> None:
            body = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with HTTPServer(("127.0.0.1", 0), Database) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
