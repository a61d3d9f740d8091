"""What the documentation names is there: files, modules, other pages, and names in the code."""

import re
from importlib.util import find_spec
from pathlib import Path

from clubs.access.permissions import ACTIONS

ROOT = Path(__file__).parents[1]
FOLDERS = "clubs|config|scoring|tournaments|tests|tools"
FILE = re.compile(rf"(?<![\w/.-])((?:{FOLDERS}|docs|fixtures|templates)/[\w./-]*\.[a-z]\w*)")
TEST = re.compile(r"`(test_\w+\.py)`")
MODULE = re.compile(rf"(?<![\w/.-])((?:{FOLDERS})(?:\.[a-z]\w*)+)")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
NAME = re.compile(r"`(\w*[a-z]_[a-z]\w*|[A-Z][a-z]+[A-Z]\w+)`")
PAGES = {
    str(page.relative_to(ROOT)): page.read_text("utf-8")
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")]
}
ABOUT_CODE = ("docs/architecture", "docs/conventions", "docs/decisions")


def missing(pattern: re.Pattern[str], known: set[str]) -> list[str]:
    """What the pages name and is not known."""
    return [
        f"{page}: {name}"
        for page, text in sorted(PAGES.items())
        for name in sorted(set(pattern.findall(text)) - known)
    ]


def test_every_file_is_there() -> None:
    named = {name for text in PAGES.values() for name in FILE.findall(text)}
    assert missing(FILE, {name for name in named if _is_file(name)}) == []
    assert missing(TEST, {file.name for file in (ROOT / "tests").glob("**/test_*.py")}) == []


def test_every_module_is_there() -> None:
    named = {name for text in PAGES.values() for name in MODULE.findall(text)} - ACTIONS.keys()
    assert missing(MODULE, ACTIONS.keys() | {name for name in named if _is_module(name)}) == []


def test_every_link_leads_to_a_page() -> None:
    broken = [
        f"{page}: {link}"
        for page, text in sorted(PAGES.items())
        for link in LINK.findall(text)
        if not (ROOT / page).parent.joinpath(link).exists()
    ]
    assert broken == []


def test_every_name_stands_in_the_code() -> None:
    files = [file for folder in FOLDERS.split("|") for file in (ROOT / folder).glob("**/*.py")]
    words = {word for file in files for word in re.findall(r"\w+", file.read_text("utf-8"))}
    about_code = {page for page in PAGES if page.startswith(ABOUT_CODE)}
    unknown = [name for name in missing(NAME, words) if name.partition(":")[0] in about_code]
    assert unknown == []


def _is_file(name: str) -> bool:
    return (ROOT / name).exists() or (ROOT / "templates" / name).exists()


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
