"""Thirty faults, put into the product one at a time: does the gate notice each of them?

    python -m tests.load.mutations              all of them
    python -m tests.load.mutations 3 17         only these
    python -m tests.load.mutations --check      only whether each can still be put in

Each fault is a text that stands in exactly one file of the product, so that files may move. It is
tried in a scratch copy (a git worktree of HEAD): first by the tests of the broken module's package,
then by those that name the module and the access walk, and if all pass by the whole gate. Exit
status 1 when more than one fault goes unnoticed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
NOT_THE_PRODUCT = "tests/", "docs/", "fixtures/", "requirements/"
APPS = "clubs", "scoring", "tournaments"
MOST_UNNOTICED = 1
GATE_ON_POSTGRES = "(both or postgres) and not soak and not full"
FAILED = 1
"""Pytest's exit status when a test failed; 2 is what an import that fails ends in."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with the product when `old` reads `new`."""

    about: str
    old: str
    new: str


RULES = (
    Fault(
        "rules: half of the points is enough to make a deal",
        "enough = counts[us] > counts[them] and",
        "enough = counts[us] >= counts[them] and",
    ),
    Fault(
        "rules: with nat the declarers' roem is never lost to the opponents",
        'lost = roem[us] if regulation.nat_roem == "opponents" else 0',
        "lost = 0",
    ),
    Fault(
        "rules: a counter-pit has the bonus of a pit",
        'return "counter_pit", regulation.counter_pit_bonus',
        'return "counter_pit", regulation.pit_bonus',
    ),
    Fault(
        "rules: who reneged keeps the deal",
        "return _penalty(deal, regulation, total, other_side(side_of(loser)))",
        "return _penalty(deal, regulation, total, side_of(loser))",
    ),
    Fault(
        "rules: a failed nil costs the declarers nothing",
        "shares = _all_to(other_side(deal.declarers), (total, 0, sum(roem), 0))",
        "shares = _all_to(deal.declarers, (total, 0, sum(roem), 0))",
    ),
    Fault(
        "rules: who may undertrump must",
        'if self.undertrump == "obligatory":',
        'if self.undertrump != "obligatory":',
    ),
    Fault(
        "rules on the phone: why a second stuk is refused is not said",
        'if (withStuk.length > 1) return { why: "second_stuk" };',
        'if (withStuk.length > 2) return { why: "second_stuk" };',
    ),
    Fault(
        "rules on the phone: a pit has no bonus",
        'if (deal.pit && enough) return ["pit", regulation.pit_bonus];',
        'if (deal.pit && enough) return ["pit", 0];',
    ),
)
DRAW_AND_STANDINGS = (
    Fault(
        "draw: who is drawn twice in a round is no fault",
        "if placed[player] != (1 if player in here else 0):",
        "if placed[player] < (1 if player in here else 0):",
    ),
    Fault(
        "draw: who is kept apart may share a table",
        "if player in at and other in at and at[player] is at[other]:",
        "if player in at and other in at and at[player] is not at[player]:",
    ),
    Fault(
        "season: evenings that may not be dropped are counted besides the best",
        "return fixed + free[: max(0, rule.best_per_period - len(fixed))]",
        "return fixed + free[: rule.best_per_period]",
    ),
    Fault(
        "standings: fewer mutual points win a tie",
        "return figure is None, -(figure or 0)",
        "return figure is None, (figure or 0)",
    ),
    Fault(
        "standings: a correction of a handed-in total is forgotten",
        "return parts + total.correction",
        "return parts",
    ),
)
SERVICES = (
    Fault(
        "deals: the second of two writers wins",
        'seen = {"id": self.pk, "version": version}',
        'seen = {"id": self.pk}',
    ),
    Fault(
        "trail: what happened is not part of its hash",
        '"data": event.data,\n        "commitments": event.commitments,',
        '"commitments": event.commitments,',
    ),
    Fault(
        "trail: two events may follow the same one",
        'seen = {"id": chain.pk, "chain_length": length}',
        'seen = {"id": chain.pk}',
    ),
    Fault(
        "results: what was corrected since is not published anew",
        "if _figures(rows) != _figures(release.standings):",
        "if not rows:",
    ),
    Fault(
        "results: a preview of a correction writes it",
        "after = folders_now(evening)\n        transaction.set_rollback(True)",
        "after = folders_now(evening)",
    ),
    Fault(
        "rounds: one that was opened again keeps its seal",
        'round_.seal = ""\n',
        "pass\n",
    ),
    Fault(
        "tables: a member of another club may sit in",
        "if member.club_id != evening.club_id:\n"
        '        raise DomainError("member_of_another_club", '
        '_("This person belongs to another club."))\n'
        "    leaving =",
        "leaving =",
    ),
    Fault(
        "substitutes: nobody is refused who is at another table already",
        "if besides.filter(table=table).exists():",
        "if not besides.filter(table=table).exists():",
    ),
    Fault(
        "invitations: a login that is in use is taken over",
        "is_used = user.has_usable_password() or user.leagues_led.exists()",
        "is_used = False",
    ),
)
PERMISSIONS = (
    Fault(
        "permissions: a scorekeeper directs",
        "is_director = by_role(Role.Kind.ORGANISER, Role.Kind.DIRECTOR)\n",
        "is_director = by_role(Role.Kind.ORGANISER, Role.Kind.DIRECTOR, Role.Kind.SCOREKEEPER)\n",
    ),
    Fault(
        "permissions: a token may do whatever its owner may",
        "if not caller.has_scope(needed.scope):",
        "if not needed.scope:",
    ),
    Fault(
        "permissions: the link of one table opens the next",
        "there = not isinstance(target, Table) or target.number == link.table_number",
        "there = True",
    ),
    Fault(
        "permissions: a token that ended yesterday can be made",
        "if expires_at is not None and expires_at <= timezone.now():",
        "if expires_at is None and timezone.now() is None:",
    ),
)
PAGES = (
    Fault(
        "pages: a browser keeps what is behind a table's link",
        'response.headers["Cache-Control"] = "no-store"\n'
        '        response.headers["Referrer-Policy"] = "same-origin"',
        'response.headers["Referrer-Policy"] = "same-origin"',
    ),
    Fault(
        "pages: anybody makes up the address that they come from",
        "for name in PROXY_HEADERS:\n                meta.pop(name, None)",
        "pass",
    ),
    Fault(
        "files: a cell is taken for a formula",
        """cell if harmless else f"'{cell}")""",
        "cell)",
    ),
    Fault(
        "phone: a deal that another phone wrote otherwise is taken for delivered",
        'if (status === 409 && claim) return "claimed";',
        'if (status === 409 && claim) return "written";',
    ),
)
FAULTS = (*RULES, *DRAW_AND_STANDINGS, *SERVICES, *PERMISSIONS, *PAGES)


def main() -> int:
    """Try the faults that are asked for; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("number", nargs="*", type=int, help=f"from 1 to {len(FAULTS)}")
    parser.add_argument("--check", action="store_true", help="only whether each can be put in")
    asked = parser.parse_args()
    numbers: Sequence[int] = asked.number or range(1, len(FAULTS) + 1)
    places = {number: _places(FAULTS[number - 1]) for number in numbers}
    if stale := [number for number, paths in places.items() if len(paths) != 1]:
        for number in stale:
            print(f"{number} stands in {len(places[number])} files: {FAULTS[number - 1].about}")  # noqa: T201
        return 1
    return 0 if asked.check else _tried({number: paths[0] for number, paths in places.items()})


def _places(fault: Fault) -> list[str]:
    """The files of the product in which the text stands, each as often as it does."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [
        path
        for path in listed.stdout.splitlines()
        if path.endswith((".py", ".js", ".html")) and not path.startswith(NOT_THE_PRODUCT)
    ]
    return [path for path in files for _ in range((ROOT / path).read_text().count(fault.old))]


def _tried(places: dict[int, str]) -> int:
    unnoticed = 0
    with _scratch_copy() as copy:
        for number, path in places.items():
            fault, started = FAULTS[number - 1], time.monotonic()
            file = copy / path
            sound = file.read_text()
            file.write_text(sound.replace(fault.old, fault.new))
            by = _noticed_by(copy, path)
            file.write_text(sound)
            _check_passes(copy, by)
            unnoticed += by is None
            verdict = f"noticed by {by}" if by else "NOT NOTICED"
            seconds = time.monotonic() - started
            print(f"{number:2} {seconds:4.0f} s {verdict}: {fault.about}", flush=True)  # noqa: T201
    print(f"{len(places) - unnoticed} of {len(places)} noticed")  # noqa: T201
    return int(unnoticed > MOST_UNNOTICED)


def _check_passes(copy: Path, by: str | None) -> None:
    """A test that fails without the fault as well has noticed nothing."""
    _failed, _, test = (by or "").partition(" ")
    if "::" in test and _failure(copy, [test.partition("[")[0], "-m", "not soak"]):
        raise RuntimeError(f"{test} fails in the sound product")


@contextmanager
def _scratch_copy() -> Iterator[Path]:
    """HEAD in a folder of its own, with the environment of this one."""
    with tempfile.TemporaryDirectory(prefix="klaverclub-mutations-") as folder:
        copy = Path(folder) / "copy"
        _git("worktree", "add", "--quiet", "--detach", str(copy), "HEAD")
        try:
            (copy / ".venv").symlink_to((ROOT / ".venv").resolve())
            yield copy
        finally:
            _git("worktree", "remove", "--force", str(copy))


def _git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=ROOT, check=True)


def _noticed_by(copy: Path, path: str) -> str | None:
    """The first test that fails, or None: those near to the module first, then the whole gate."""
    runs = _scripts(copy, path) if path.endswith(".js") else _modules(copy, path)
    for arguments in [*filter(None, runs), []]:
        if by := _failure(copy, arguments):
            return by
    return _failure(copy, ["-m", GATE_ON_POSTGRES], TEST_DATABASE="postgres")


def _modules(copy: Path, path: str) -> list[list[str]]:
    """The tests of the package, then the access walk and whatever imports the module."""
    package = PurePosixPath(path).parent
    while package.name and not (copy / "tests" / package).is_dir():
        package = package.parent
    own = [] if package.name in APPS else [f"tests/{package}"]
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    elsewhere = [
        file
        for file in _naming(copy, rf"(from|import) {module}[ .]")
        if not file.startswith((f"tests/{package}/", "tests/access/", "tests/browser/"))
    ]
    return [own, ["tests/access", *elsewhere]]


def _scripts(copy: Path, path: str) -> list[list[str]]:
    """The tests that name the script, then everything with a browser."""
    in_browsers = ["-m", "browser and not full and not soak"]
    return [_naming(copy, rf"\b{PurePosixPath(path).name}"), in_browsers]


def _naming(copy: Path, pattern: str) -> list[str]:
    run = subprocess.run(
        ["git", "grep", "-lP", pattern, "--", "tests/**/test_*.py"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout.splitlines()


def _failure(copy: Path, arguments: Sequence[str], **environment: str) -> str | None:
    """The test that failed, or what else went wrong; None when all of them pass."""
    run = subprocess.run(
        [
            ".venv/bin/python",
            "-m",
            "pytest",
            "-x",
            "-q",
            "-n",
            "2",
            "--dist",
            "worksteal",
            *arguments,
        ],
        cwd=copy,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode == 0:
        return None
    summary = re.compile(r"(FAILED|ERROR) \S+::")
    lines = [line for line in run.stdout.splitlines() if summary.match(line)]
    if run.returncode != FAILED and not lines:
        raise RuntimeError(run.stdout[-2000:] + run.stderr[-2000:])
    return lines[0].split(" - ")[0] if lines else "a run that ended early"


if __name__ == "__main__":
    sys.exit(main())
