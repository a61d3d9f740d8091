"""The project's own promises: documents in step, layers kept, modules readable."""

import ast
import re
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.core.management import call_command

from tests.missing import missing
from tests.postgres import NOT_HERE

ROOT = Path(__file__).resolve().parent.parent
GROUND_FLOOR = "scoring/rules", "tournaments/draw/core", "tournaments/standings/core"
APPS = "clubs", "scoring", "tournaments"
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
CATALOGUES = sorted(
    path for app in APPS for path in (ROOT / app).glob("**/locale/nl/LC_MESSAGES/*.po")
)
PLACEHOLDER = re.compile(r"%%|%\(\w+\)[a-z]|%[sd]|\{\w*\}")
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()


def _files(pattern: str) -> list[Path]:
    """The project's own files, without the environment and what is made while running."""
    folders = [
        path
        for path in ROOT.iterdir()
        if path.is_dir() and path.name[0] != "." and path.name not in {"var", "staticfiles"}
    ]
    return sorted([*ROOT.glob(pattern), *(path for top in folders for path in top.rglob(pattern))])


def _forms(words: str | Iterable[str] | None) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else tuple(words or ())


def _translated(message: Message) -> bool:
    return bool(message.string) and all(_forms(message.string))


def _same_placeholders(message: Message) -> bool:
    """Whether the Dutch names what the English names; a singular may leave the number out."""
    english = [set(PLACEHOLDER.findall(form)) for form in _forms(message.id)]
    dutch = [set(PLACEHOLDER.findall(form)) for form in _forms(message.string)]
    return dutch[-1] == english[-1] and set().union(*dutch) <= set().union(*english)


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_every_setting_is_documented_and_every_documented_setting_exists() -> None:
    files = ROOT / "config" / "settings.py", ROOT / "config" / "databases.py"
    settings = "".join(file.read_text() for file in files)
    read = re.findall(r'(?:env\.\w+|_count|_networks|_text_of)\(\s*"(\w+)"', settings)
    table = OPERATIONS.partition("## Settings")[2].partition("\n## ")[0]

    assert sorted(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == sorted(read)


def test_every_command_is_documented_and_every_documented_command_exists() -> None:
    files = [
        file for app in APPS for file in (ROOT / app / "management/commands").glob("[a-z]*.py")
    ]
    documented = re.findall(r"^\| `manage\.py (\w+)", OPERATIONS, re.MULTILINE)

    assert sorted(set(documented) - {"collectstatic"}) == sorted(file.stem for file in files)


def test_what_is_not_read_for_postgresql_has_nothing_for_it() -> None:
    files = [path for folder in NOT_HERE for path in folder.rglob("test_*.py")]
    marked = [path for path in files if "mark.django_db" in path.read_text()]

    assert len(files) > 0
    assert marked == []


def test_every_make_target_is_documented_and_every_documented_target_exists() -> None:
    phony = re.findall(
        r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text().replace("\\\n", ""), re.MULTILINE
    )
    targets = set(" ".join(phony).split()) - {"system-packages"}

    assert set(re.findall(r"^\| `make ([\w-]+)`", OPERATIONS, re.MULTILINE)) == targets


def test_readme_proves_it_with_the_commands_that_make_uses() -> None:
    _, _, recipe = (ROOT / "Makefile").read_text().partition("\ntest: ")
    lines = recipe.partition("\n\n")[0].partition("\n")[2].replace("\\\n", "")
    made = " ".join(lines.replace("$(VENV)", ".venv").replace("$$", "$").split())
    _, _, readme = (ROOT / "README.md").read_text().partition("requirements/test.txt\n")
    on_postgres, on_sqlite = readme.partition("```")[0].splitlines()

    assert f"{on_postgres} >" in made
    assert "; $(PYTEST); " in made
    assert on_sqlite == ".venv/bin/python -m pytest"


def test_what_must_pass_is_the_check_and_the_gate() -> None:
    commands = re.findall(r"^make .*", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)

    assert [command.split()[-1] for command in commands] == ["check", "test"]


def test_every_mark_of_the_settings_is_used_and_the_gate_leaves_out_two() -> None:
    """The other way round, pytest refuses a mark that is not registered."""
    marks = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    names = {line.partition(":")[0] for line in marks["markers"]}
    tests = "".join(path.read_text() for path in _files("test_*.py"))

    assert {name for name in names if f"pytest.mark.{name}" not in tests} == set()
    assert "-m 'not soak and not full and not postgres'" in marks["addopts"]


def test_readme_shows_the_server_command_that_make_uses() -> None:
    makefile = (ROOT / "Makefile").read_text()
    [command] = re.findall(r"\$\(VENV\)/bin/(gunicorn .*)", makefile)

    assert command.replace("$(PORT)", "8000") in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("path", _files("*.md"), ids=lambda path: path.name)
def test_links_in_documents_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:|mailto:|#)([^)#]+)", path.read_text())

    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: f"{path.parts[-5]}-{path.stem}")
def test_every_text_is_in_dutch_with_the_placeholders_of_the_english(path: Path) -> None:
    with path.open("rb") as file:
        messages = [message for message in read_po(file) if message.id]

    assert messages
    assert [message.id for message in messages if message.fuzzy or not _translated(message)] == []
    assert [message.id for message in messages if not _same_placeholders(message)] == []


@pytest.mark.full
def test_catalogues_hold_the_texts_of_the_source() -> None:
    if shutil.which("xgettext") is None:
        missing("xgettext", "gettext")
    call_command("makemessages", check=True)


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_locks_have_a_hash_for_each_package_and_name_no_place(path: Path) -> None:
    text = path.read_text()
    packages = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)

    assert re.findall(r"(?:https?|file)://.*|^-.*|.*\s@\s.*", text, re.MULTILINE) == []
    assert [each for each in packages if each.strip() and "--hash=sha256:" not in each] == []


@pytest.mark.parametrize("package", GROUND_FLOOR)
def test_the_ground_floor_imports_the_standard_library_only(package: str) -> None:
    own = package.replace("/", ".")
    foreign = {
        name
        for path in (ROOT / package).rglob("*.py")
        for name in _imports(path)
        if name.partition(".")[0] not in sys.stdlib_module_names and not name.startswith(own)
    }

    assert foreign == set()


def test_modules_stay_readable() -> None:
    written = [path for path in _files("*.py") if "migrations" not in path.parts]

    assert [path for path in written if len(path.read_text().splitlines()) > 600] == []
