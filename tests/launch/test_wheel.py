"""What is handed out: built twice it is the same, and it runs where the checkout is not."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.launch.evening import EXPECTED, evening_played, token_made
from tests.launch.started import started
from tests.nginx import free_port
from tools.dist import dist_make

pytestmark = [pytest.mark.full, pytest.mark.once]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist and the wheel, by how their names end."""
    return {path.suffix: path for path in dist_make(tmp_path_factory.mktemp("dist"))}


@pytest.fixture
def installed(built: dict[str, Path], tmp_path: Path) -> Path:
    """The wheel in an environment of its own, beside the libraries of this one; its programs."""
    environment = tmp_path / "environment"
    _run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    programs = environment / "bin"
    install = ("-m", "uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--no-config")
    _run(sys.executable, *install, "--python", str(programs / "python"), str(built[".whl"]))
    [packages] = environment.glob("lib/python*/site-packages")
    libraries = [path for path in sys.path if Path(path).name == "site-packages"]
    (packages / "libraries.pth").write_text("\n".join(libraries))
    return programs


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def test_both_are_the_same_when_built_again(built: dict[str, Path], tmp_path: Path) -> None:
    again = {path.suffix: path for path in dist_make(tmp_path)}

    assert [path.name for path in again.values()] == [path.name for path in built.values()]
    assert again.keys() == {".gz", ".whl"}
    for ending, path in again.items():
        assert path.read_bytes() == built[ending].read_bytes()


def test_they_name_no_place_of_this_machine_and_hold_what_is_needed(
    built: dict[str, Path],
) -> None:
    with zipfile.ZipFile(built[".whl"]) as wheel:
        names = set(wheel.namelist())
        assert [name for name in names if b"/site-packages/" in wheel.read(name)] == []
    assert {
        "clubs/launch/locale/nl/LC_MESSAGES/launch.mo",
        "clubs/locale/nl/LC_MESSAGES/django.mo",
        "clubs/migrations/0001_initial.py",
        "config/files/docs/event.schema.json",
        "config/files/fixtures/demo/club.json",
        "config/files/staticfiles/staticfiles.json",
        "config/files/templates/base.html",
        "scoring/reading/digits.npz",
        "scoring/rules/locale/nl/LC_MESSAGES/rules.mo",
    } <= names
    assert [name for name in names if name.endswith(".po") or "test" in name.split("/")[0]] == []
    with tarfile.open(built[".gz"]) as sdist:
        assert {entry.mode for entry in sdist if entry.isfile()} == {0o644}


def test_it_serves_the_demo_from_an_empty_home(installed: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    port = free_port()
    command = [str(installed / "klaverclub"), "--demo", "--no-browser", "--port", str(port)]
    with started(command, home, cwd=home, LANG="nl_NL.UTF-8") as club:
        status, page = club.get("/")
        assert status == 200
        [style] = re.findall(r'href="(/static/clubs/klaverclub\.[0-9a-f]{12}\.css)"', page)
        assert club.get(style)[0] == 200
        [path] = re.findall(r'href="(/clubs/[\w-]+/)"', page)
        status, page = club.get(path)
        assert status == 200
        assert "De Vier Azen" in page
        assert '<html lang="nl"' in page
        assert club.stop() == (0, "Klaverclub is gestopt.\n")
    found = {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}
    assert found == {
        f".local/share/klaverclub/demo/{name}"
        for name in (
            "klaverclub.key",
            "klaverclub.sqlite3",
            "klaverclub.sqlite3-turn",
            "port",
            "running",
        )
    }


def test_an_evening_is_played_with_it(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "klaverclub")
    with started([program, "--no-browser"], tmp_path, cwd=tmp_path, LANG="nl_NL.UTF-8") as club:
        environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
        token = token_made([program, "manage"], tmp_path, environment)
        assert evening_played(club, token) == EXPECTED
        assert club.stop() == (0, "Klaverclub is gestopt.\n")


def test_its_commands_work_on_the_same_folder(installed: Path, tmp_path: Path) -> None:
    club = [str(installed / "klaverclub"), "manage"]
    environment = {"HOME": str(tmp_path), "LANG": "en_GB.UTF-8", "PATH": "/usr/bin:/bin"}
    for words in (["migrate", "--verbosity", "0"], ["check"], ["verify"]):
        subprocess.run([*club, *words], check=True, cwd=tmp_path, env=environment)
    created = subprocess.run(
        [*club, "create_club", "onze", "--name", "Onze club", "--organiser", "mia@example.org"],
        check=True,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )

    assert re.search(r"http://[\d.]+:8000/\S+", created.stdout)
    assert (tmp_path / ".local/share/klaverclub/klaverclub.sqlite3").is_file()
