"""A program that speaks to the API, as any program would: over HTTP, with a token."""

import csv
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.test import Client

from clubs.accounts.services import token_make
from clubs.audit.services import Actor
from clubs.models import User

DATA = Path(__file__).parents[1] / "data"
SCOPES = ("read", "deals", "evening", "members", "leagues")
Json = dict[str, Any]


class Caller:
    """Speaks to addresses below `base`; with nobody's token where `user` is None."""

    def __init__(
        self, user: User | None, base: str = "/api/v1/", scopes: tuple[str, ...] = SCOPES
    ) -> None:
        self.base = base
        self._headers = (
            {} if user is None else {"Authorization": f"Token {secret_of(user, scopes)}"}
        )
        self._client = Client()

    def send(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """The answer, whatever it is. Headers as `if_match="3"`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._client.generic(
            method,
            self.base + path,
            b"" if body is None else json.dumps(body).encode(),
            "application/json",
            headers={**self._headers, **named},
        )

    def ask(
        self, method: str, path: str, body: object = None, *, status: int = 200, **headers: str
    ) -> Any:
        """What is answered in JSON; the answer must have this status."""
        response = self.send(method, path, body, **headers)
        payload = json.loads(response.content) if response.content else None
        assert response.status_code == status, payload
        return payload

    def get(self, path: str, *, status: int = 200, **headers: str) -> Any:
        return self.ask("GET", path, status=status, **headers)

    def post(self, path: str, body: object = None, *, status: int = 200, **headers: str) -> Any:
        return self.ask("POST", path, {} if body is None else body, status=status, **headers)

    def put(self, path: str, body: object, *, status: int = 200, **headers: str) -> Any:
        return self.ask("PUT", path, body, status=status, **headers)

    def write(self, path: str, written: Json, *, version: int = 0, status: int = 200) -> Any:
        """Write a deal under a key of its own."""
        return self.put(
            path, {"version": version, "written": written}, status=status, idempotency_key=new_key()
        )


def secret_of(user: User, scopes: tuple[str, ...] = SCOPES) -> str:
    """The secret of a new token of this person."""
    return token_make(user=user, name="test", scopes=scopes, actor=Actor.of_user(user)).secret


def new_key() -> str:
    """A key that no request had before."""
    return str(uuid.uuid4())


def evening_lines() -> Iterator[tuple[int, int, int, dict[str, str], Json]]:
    """The evening of twelve players: round, table and deal, who sits where, and what is written."""
    with (DATA / "evening-12-players.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            seats = {seat: row[seat.lower()] for seat in "NESW"}
            yield int(row["round"]), int(row["table"]), int(row["deal"]), seats, _written(row)


def evening_standing() -> list[list[str]]:
    """What that evening comes to, line by line: rank, player, total, rounds, pits."""
    path = DATA / "evening-12-players.standings.csv"
    return list(csv.reader(path.read_text(encoding="utf-8").splitlines()))[1:]


def _written(row: dict[str, str]) -> Json:
    points = {side: int(row[f"points_{side.lower()}"] or 0) for side in ("NS", "EW")}
    roem = {side: [int(n) for n in row[f"roem_{side.lower()}"].split()] for side in ("NS", "EW")}
    written: Json = {"declarer": row["declarer"], "trump": row["trump"], "roem": roem}
    if row["points_ns"] or row["points_ew"]:
        written["points"] = points
    marks = {"pit": row["pit"], "reneged": row["reneged"], "nat": bool(row["nat"])}
    return written | {key: value for key, value in marks.items() if value}
