"""A whole evening over the network: members, who is here, a draw that the program makes, deals at
each table, and the result, as programs and phones at a started club have it."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.launch.started import Started

DAY, CLUB = "2026-09-05", "/api/v1/clubs/onze/"
TONIGHT = f"{CLUB}evenings/{DAY}/"
NAMES = "Ans Bart Cor Dirk Eef Fer Gea Hans".split()


def token_made(manage: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    """Make the club with its organiser, beside the program that serves; what opens its API."""
    make = "create_club", "onze", "--name", "Onze club", "--organiser", "mia@example.org"
    said = ""
    for words in (make, ("create_token", "mia@example.org")):
        command = [*manage, *words]
        said = subprocess.run(
            command, check=True, cwd=folder, env=environment, capture_output=True, text=True
        ).stdout
    return said.strip()


def evening_played(club: Started, token: str) -> list[tuple[int, int]]:
    """Play it, from the list of members to the result; each place that is published, and what it
    has in all."""

    def ask(method: str, path: str, body: object = None) -> Any:
        headers = {
            "Authorization": f"Token {token}",
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid4()),
        }
        status, answer = club.ask(method, path, json.dumps(body) if body else "", **headers)
        assert status < 300, answer
        return json.loads(answer)

    people = [ask("POST", f"{CLUB}members/", {"name": f"{name} Jansen"})["id"] for name in NAMES]
    plan = {"date": DAY, "preset": "amsterdam", "method": "lottery"}
    ask("POST", f"{CLUB}evenings/", {**plan, "rounds_planned": 1, "deals_per_round": 2})
    ask("PATCH", f"{TONIGHT}registrations/", {"arrived": people})
    drawn = ask("POST", f"{TONIGHT}draw/", {"seed": 1})
    assert [len(table["seats"]) for table in drawn["rounds"][0]["tables"]] == [4, 4]
    ask("POST", f"{TONIGHT}draw/publish/", {"version": drawn["version"]})
    ask("POST", f"{TONIGHT}rounds/1/start/")
    for table in (1, 2):
        for deal in (1, 2):
            points = {"EW": 50 + table * deal}
            written = {"declarer": "N", "trump": "H", "points": points}
            path = f"{TONIGHT}rounds/1/tables/{table}/deals/{deal}/"
            ask("PUT", path, {"version": 0, "written": written})
    ask("POST", f"{TONIGHT}rounds/1/close/")
    ask("POST", f"{TONIGHT}close/")
    rows = ask("GET", f"{TONIGHT}releases/1/")["rows"]
    return [(row["rank"], row["total"]) for row in rows]


# Of each table two sat north and south, with 162 points a deal less those of east and west.
EXPECTED = [(1, 221), (1, 221), (3, 218), (3, 218), (5, 106), (5, 106), (7, 103), (7, 103)]
