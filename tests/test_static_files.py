"""Style sheets and scripts as they are handed out once they have been collected."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from pytest_django import Settings

from clubs.http.static_files import DIGITS, NAMED, CannotBundle, bundle, style_bundle

VERSIONED: Final = re.compile(r"\.[0-9a-f]{12}\.(?:js|css)$")
MAP: Final = re.compile(r"^//# sourceMappingURL=(.+)$", re.MULTILINE)
URL: Final = re.compile(r'url\("([^"]+)"\)')
APPS: Final = "clubs", "scoring", "tournaments"


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES |= {"staticfiles": {"BACKEND": "clubs.http.static_files.VersionedStorage"}}
    return tmp_path


@pytest.fixture
def collected(folder: Path) -> Path:
    """Without the large files of others."""
    of_others = ["rest_framework", "drf_spectacular_sidecar"]
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=of_others)
    return folder


def test_a_script_is_one_file_with_exactly_the_modules_it_was_made_of(
    collected: Path, settings: Settings
) -> None:
    templates = Path(settings.BASE_DIR, "templates").rglob("*.html")
    named = {name for path in templates for name in NAMED.findall(path.read_text())}
    ours = {name for name in named if name.startswith(APPS)}
    there = _versioned(collected, "js")
    assert len(ours) > 10
    assert ours <= there.keys()
    for name in ours:
        text = there[name].read_text()
        assert re.findall(r"^\s*import\b", text, re.MULTILINE) == []
        source_map = json.loads((there[name].parent / MAP.findall(text)[0]).read_text())
        for source, content in zip(
            source_map["sources"], source_map["sourcesContent"], strict=True
        ):
            assert content == _written(source)
        _runs_each_line_once(text, source_map)


def _runs_each_line_once(text: str, source_map: Mapping[str, str]) -> None:
    """The bundle has every line of its modules, in order, but those that import."""
    sources = [content.splitlines() for content in source_map["sourcesContent"]]
    found: list[list[int]] = [[] for _ in sources]
    for line, place in zip(text.splitlines(), _places(source_map["mappings"]), strict=False):
        if place is None:
            continue
        source, number, column = place
        found[source].append(number)
        assert line == re.sub(r"^export ", "", sources[source][number][column:].rstrip())
    for lines, numbers in zip(sources, found, strict=True):
        assert numbers == sorted(numbers)
        left = [line for at, line in enumerate(lines) if at not in numbers]
        whole = re.sub(r"^(?:import|export) [^;]*;", "", "\n".join(left), flags=re.MULTILINE)
        kept = [line for line in whole.splitlines() if line.strip()]
        assert [line for line in kept if not line.strip().startswith("//")] == []


def _places(mappings: str) -> Iterator[tuple[int, int, int] | None]:
    source = number = column = 0
    for group in mappings.split(";"):
        if not group:
            yield None
            continue
        _start, *steps = _numbers(group)
        source, number, column = source + steps[0], number + steps[1], column + steps[2]
        yield source, number, column


def _numbers(group: str) -> Iterator[int]:
    value = shift = 0
    for letter in group:
        digit = DIGITS.index(letter)
        value |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            yield -(value >> 1) if value & 1 else value >> 1
            value = shift = 0


def test_a_style_sheet_is_one_file_and_finds_its_typefaces(collected: Path) -> None:
    sheets = _versioned(collected, "css")
    assert "tournaments/scoresheets/table.css" in sheets
    for name, path in sheets.items():
        text = path.read_text()
        assert "@import" not in text, name
        assert [one for one in URL.findall(text) if not (path.parent / one).exists()] == [], name
    assert ".deal-takes-back" in sheets["tournaments/scoresheets/table.css"].read_text()


def test_what_is_only_imported_is_not_handed_out_by_itself(collected: Path) -> None:
    assert not (collected / "scoring" / "rules" / "roem-table.js").exists()
    assert [*(collected / "tournaments" / "scoresheets" / "table").glob("*.js*")] == []


def _versioned(folder: Path, ending: str) -> dict[str, Path]:
    """Our files of this kind by the name they had."""
    manifest = json.loads((folder / "staticfiles.json").read_text())["paths"]
    named = {name: folder / path for name, path in manifest.items() if name.endswith(ending)}
    assert [path for path in named.values() if not VERSIONED.search(path.name)] == []
    return {name: path for name, path in named.items() if name.startswith(APPS)}


def _written(name: str) -> str:
    found = finders.find(name)
    assert isinstance(found, str)
    return Path(found).read_text()


MODULE = "export const one = 1;\nexport function two() {}\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("export default 1;\n", "a.js: export default 1;"),
        ("export let one = 1;\n", "a.js: export let one = 1;"),
        ('import * as all from "./b.js";\n', 'a.js: import * as all from "./b.js";'),
        ('const b = await import("./b.js");\n', 'a.js: import("./b.js");'),
        ('import { three } from "./b.js";\n', "a.js: b.js has no three"),
        ('import { one } from "./c.js";\n', "a.js: there is no c.js"),
        ('import { a } from "./a.js";\n', "a.js imports itself, by a.js"),
        ("const text = `one\n  two`;\n", "a.js: a text between backticks over more than one line"),
    ],
)
def test_what_cannot_be_bundled_stops_the_collecting(text: str, fault: str) -> None:
    with pytest.raises(CannotBundle) as caught:
        bundle("a.js", {"a.js": text, "b.js": MODULE})
    assert str(caught.value) == fault


def test_only_the_script_of_a_page_can_wait_for_something() -> None:
    waits = {"a.js": 'import "./b.js";\nawait one();\n', "b.js": MODULE}
    assert "await run(" in bundle("a.js", waits)[0]
    with pytest.raises(CannotBundle) as caught:
        bundle("c.js", waits | {"c.js": 'import "./a.js";\n'})
    assert str(caught.value) == "a.js: only what nothing imports can wait"


def test_a_style_sheet_imports_in_front_and_from_us_only() -> None:
    styles = {
        "a/x.css": '@import "../b/y.css";\nb { color: red }',
        "b/y.css": 'a { src: url("z") }',
    }
    assert style_bundle("a/x.css", styles) == 'a{src:url("../b/z")}\nb{color:red}\n'
    for text in ('@import "./none.css";', '@import url("../b/y.css");'):
        with pytest.raises(CannotBundle):
            style_bundle("a/x.css", styles | {"a/x.css": text})


@pytest.mark.full
def test_what_others_bring_can_be_collected_as_well(folder: Path) -> None:
    call_command("collectstatic", interactive=False, verbosity=0)
    assert (folder / "rest_framework").is_dir()
