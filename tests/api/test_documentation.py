"""The evening in docs/api.md goes as the page says, command by command."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from clubs.models import Role
from clubs.profile.services import club_create, role_grant
from tests.api.caller import secret_of
from tests.factories import TESTS, UserFactory
from tests.nginx import program

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
NEXT = "= = ="
# A command goes on in lines that begin with four spaces.
STEP = re.compile(r"(?P<command>.*(?:\n    .*)*)\n(?P<shown>(?s:.*))")


# The page names people by their ids, which are those of a new database.
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_an_evening_goes_as_the_page_says(live_server: LiveServer) -> None:
    program("curl", "curl")
    club = club_create(slug="de-vier-azen", name="De Vier Azen", actor=TESTS)
    organiser = UserFactory.create(email="ans@example.org")
    role_grant(club=club, email=organiser.email, kind=Role.Kind.ORGANISER, actor=TESTS)
    steps = _steps(PAGE.read_text(encoding="utf-8"))
    printed = _run((command for command, _shown in steps), live_server.url, secret_of(organiser))
    assert len(steps) > 20
    for (command, shown), answer in zip(steps, printed, strict=True):
        assert _matches(shown, answer), f"$ {command}\n{answer}\n\nis not\n\n{shown}"


def _steps(page: str) -> list[tuple[str, str]]:
    """Each command of the part about an evening with what it is said to print; those that the test
    does itself left out."""
    part = page.partition("\n## An evening, from")[2].partition("\n## ")[0]
    found = [
        STEP.fullmatch(step)
        for block in re.findall(r"```console\n(.*?)```", part, re.DOTALL)
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    ]
    steps = [(step["command"], step["shown"]) for step in found if step]
    return [(command, shown) for command, shown in steps if "manage.py" not in command]


def _run(commands: Iterable[str], url: str, token: str) -> list[str]:
    """What each command prints, all of them typed into one shell."""
    script = [f"TOKEN={token}"]
    for command in commands:
        script += [command.replace("http://localhost:8000", url), f"echo; echo '{NEXT}'"]
    ran = subprocess.run(
        ["bash", "-eu"], input="\n".join(script), capture_output=True, text=True, check=True
    )
    return ran.stdout.split(f"\n{NEXT}\n")[:-1]


def _matches(shown: str, answer: str) -> bool:
    """Whether that was printed; `…` stands for anything, and lines may be broken anywhere."""
    expected = ".*".join(map(re.escape, re.sub(r"\s+", "", shown).split("…")))
    return re.fullmatch(expected, re.sub(r"\s+", "", answer), re.DOTALL) is not None
