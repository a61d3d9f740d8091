"""`python -m tools.dist`: the sdist and the wheel, byte for byte the same from the same commit.

Both are built from what git knows and nothing else, in a folder of its own, with the catalogues
compiled, the static files collected, and what it is made of listed with everybody's licence: where
they are installed nothing is left to be made.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tools import ROOT, sbom

MAKING: Final = "compilemessages", "collectstatic --no-input"
OF_GIT: Final = "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"


def dist_make(target: Path) -> list[Path]:
    """Build both into a folder; their paths."""
    tags = _git("tag", "--points-at", "HEAD", "v*").split()
    release_check(version_read(), tags, (ROOT / "CHANGELOG.md").read_text("utf-8"))
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="klaverclub-dist-") as scratch:
        tree = Path(scratch, "tree")
        _tree_copy(tree)
        made_at = os.environ.get("SOURCE_DATE_EPOCH") or committed_at()
        sbom.written(tree, version_read(), datetime.fromtimestamp(int(made_at), UTC))
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "PYTHONDONTWRITEBYTECODE": "1",
            "SOURCE_DATE_EPOCH": made_at,
            "DATA_DIR": str(Path(scratch, "data")),
            "SECRET_KEY": "none: nothing that is built knows it",
        }
        for command in MAKING:
            _run(["manage.py", *command.split(), "--verbosity", "0"], tree, environment)
        build = ["-m", "hatchling", "build", "--directory", str(Path(scratch, "built"))]
        _run([*build, "--target", "sdist", "--target", "wheel"], tree, environment)
        return [
            Path(shutil.copy(made, target)) for made in sorted(Path(scratch, "built").iterdir())
        ]


def _tree_copy(tree: Path) -> None:
    """The files that git knows, as they are now, each with the same permissions everywhere."""
    listed = _git("ls-files", "-z").split("\0")
    for name in filter(None, listed):
        source, copy = ROOT / name, tree / name
        if source.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            copy.chmod(0o644)


def release_check(version: str, tags: Sequence[str], notes: str) -> None:
    """Stop where a commit is tagged as a release that it is not: the tag names the version, and the
    notes have it with its day."""
    if not tags:
        return
    if f"v{version}" not in tags:
        raise SystemExit(f"Tagged {', '.join(tags)}, but pyproject.toml says {version}.")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", notes, re.MULTILINE):
        raise SystemExit(f"CHANGELOG.md has no heading “## {version} (year-month-day)”.")


def version_read() -> str:
    """The version that pyproject.toml says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def committed_at() -> str:
    """The time of the last commit, in seconds."""
    return _git("log", "-1", "--format=%ct").strip()


def _git(*words: str) -> str:
    # A hook of git names a repository, which need not be this one.
    environment = {name: value for name, value in os.environ.items() if name not in OF_GIT}
    command = ["git", *words]
    done = subprocess.run(  # noqa: S603 — words of this module
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def _run(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
    subprocess.run(  # noqa: S603 — words of this module
        [sys.executable, *words], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL
    )


if __name__ == "__main__":
    for made in dist_make(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "dist"):
        print(made.name, f"{made.stat().st_size:,} bytes")  # noqa: T201
