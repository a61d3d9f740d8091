"""From nothing to a serving club, word for word, in roots of Debian that have nothing but what is
said: with pip, with uv, as a package of Debian, and by the steps of the Containerfile."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.launch.containerfile import Image
from tests.launch.environments import environment_made, installed
from tests.launch.roots import FOLDER, SUITE, Root, ended, root_packed, served_after
from tests.nginx import free_port
from tools import ROOT
from tools.dist import dist_make

pytestmark = [pytest.mark.soak, pytest.mark.once]

LONGEST = 60.0
"""Seconds that somebody waits for their club, who has a quiet computer of two cores."""
PACKAGES = "python3", "python3-pip", "ca-certificates"
Start = Callable[[list[str], int], tuple[float, str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = dist_make(tmp_path_factory.mktemp("dist"))
    return next(path for path in made if path.suffix == ".whl")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with only Python and pip."""
    return root_packed(tmp_path_factory.mktemp("root") / "root.tar", PACKAGES)


@pytest.fixture
def root(packed: Path, tmp_path: Path) -> Root:
    return Root(packed, tmp_path / "root")


@pytest.fixture
def serving(root: Root, tmp_path: Path) -> Iterator[Start]:
    """Starts a command that serves, in the root; the seconds that took, and what it said."""
    with ExitStack() as all_ended:

        def start(words: list[str], port: int) -> tuple[float, str]:
            path = tmp_path / f"said-{port}.txt"
            said = all_ended.enter_context(path.open("w"))
            process = root.start(words, said)
            all_ended.callback(ended, process)
            taken = served_after(process, path)
            assert asked(port, "/healthz") == '{"status": "ok"}'
            return taken, path.read_text()

        yield start


def asked(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return str(answer.read().decode())


def longest() -> float:
    """As much more where this computer does other things too."""
    return LONGEST * max(1.0, os.getloadavg()[0] / 2)


def told(words: str, seconds: float) -> None:
    sys.stderr.write(f"{words}: {seconds:.0f} s\n")


def test_with_python_and_pip_alone_one_line_makes_a_serving_club(
    root: Root, wheel: Path, serving: Start
) -> None:
    """The line of docs/operations.md, in the folder where the file is."""
    root.bring(wheel, f"{FOLDER}/{wheel.name}")
    port = free_port()
    line = line_of_the_manual("with Python and pip", wheel)

    taken, said = serving(["sh", "-c", f"{line} --no-browser --port {port}"], port)

    told("Python and pip alone, to a serving club", taken)
    assert "Er is nog geen club" in said
    assert taken < longest()


def test_with_uv_alone_one_line_makes_a_serving_club(
    root: Root, wheel: Path, serving: Start
) -> None:
    """Where there is no Python uv fetches one from its maker, which no index of packages has: here
    it finds the one of Debian."""
    root.run("sh", "-c", "dpkg --purge --force-depends python3-pip && ! python3 -m pip")
    root.bring(ROOT / ".venv/bin/uv", "/usr/local/bin/uv")
    root.bring(wheel, f"{FOLDER}/{wheel.name}")
    port = free_port()
    line = line_of_the_manual("with uv", wheel)

    taken, _said = serving(["sh", "-c", f"{line} --no-browser --port {port}"], port)

    told("uv alone, to a serving club", taken)
    assert taken < longest()


def line_of_the_manual(label: str, wheel: Path) -> str:
    """The line that the manual has for somebody to type, for the file as it is called today."""
    manual = (ROOT / "docs" / "operations.md").read_text()
    [line] = re.findall(rf"^ *(.+?) +# {label}$", manual, re.MULTILINE)
    return re.sub(r"klaverclub-\S+\.whl", wheel.name, str(line))


def test_the_steps_of_the_containerfile_make_a_serving_club(
    root: Root, wheel: Path, serving: Start, tmp_path: Path
) -> None:
    context = tmp_path / "context"
    (context / "dist").mkdir(parents=True)
    shutil.copytree(ROOT / "requirements", context / "requirements")
    shutil.copy(wheel, context / "dist")
    image = Image(root, context)
    image.build((ROOT / "Containerfile").read_text())
    assert image.base == f"debian:{SUITE}-slim"
    port = free_port()
    image.environment["PORT"] = str(port)

    taken, _said = serving(image.words(image.command), port)

    told("the image's command, to a serving club", taken)
    owner = root.run("stat", "-c", "%U %a", "/var/lib/klaverclub/klaverclub.sqlite3")
    assert owner == "klaverclub 600\n"


JOURNEYS = (
    "test_evening.py",
    "test_folders.py",
    "test_photo_evening.py",
)


def test_the_journeys_of_an_evening_hold_for_what_was_installed(
    wheel: Path, tmp_path: Path
) -> None:
    """The suite, without the checkout: what it tries is in the wheel, with the newest libraries
    that the wheel allows."""
    python = environment_made(tmp_path / "environment")
    begun = time.monotonic()
    installed(python, f"klaverclub[test] @ {wheel.as_uri()}")
    told("an empty environment, to the wheel with what its tests need", time.monotonic() - begun)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(
        ROOT / "tests", elsewhere / "tests", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(ROOT / "pyproject.toml", elsewhere)
    tests = [f"tests/browser/{name}" for name in JOURNEYS]
    words = ["-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", "-m", "not soak"]

    done = subprocess.run(
        [python, *words, *tests],
        cwd=elsewhere,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-6000:]
    assert " passed" in done.stdout
