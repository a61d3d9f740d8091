"""What the services made once in a test run, put back for the test that asks for the same again.

Rows come back with the ids they had, at a tenth of the cost, and only in a database that is as it
was when they were made: it has no clubs, or for an evening only the club that is kept, untouched.
A test that travels in time has everything made anew, since the trail holds the time of the first.

On SQLite the processes of a run share what one of them made. On PostgreSQL each makes its own:
there an id that came from elsewhere would be given out once more.
"""

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction
from time_machine import escape_hatch

from clubs.models import (
    AuditEvent,
    AuditText,
    Club,
    CodeSecret,
    LoginSession,
    Passkey,
    RecoveryCode,
    Role,
    User,
)
from tests.other_databases import SHARED_FOLDER
from tournaments.models import Evening

Rows = dict[type[models.Model], list[models.Model]]

BARE = "nothing in it"
OF_A_CLUB_ALONE = Club, AuditEvent, AuditText
LOGINS = User, Role, CodeSecret, LoginSession, Passkey, RecoveryCode
"""Rows that a factory makes without a word in the trail, before or after what is kept here."""

_clubs: dict[str, Rows] = {}
_evenings: dict[str, tuple[int, Rows]] = {}


def club_made_once(make: Callable[[], Club], call: str = BARE) -> Club:
    """The only club that `make` makes: its own row and its making in the trail, or whatever more
    `call` stands for."""
    if escape_hatch.is_travelling() or Club.objects.exists():
        return make()
    rows = _clubs.get(call) or _made_elsewhere(call)
    if rows:
        _clubs[call] = rows
        _put_back(rows)
        return Club.objects.get()
    made = make()
    _clubs[call] = _kept_for_all(call, _all_rows())
    return made


def evening_made_once(call: str, make: Callable[[], Evening]) -> Evening:
    """The evening that `make` makes for the only club; `call` tells it from what others make."""
    if escape_hatch.is_travelling() or not _only_the_club_is_there():
        return make()
    kept = _evenings.get(call) or _made_elsewhere(call)
    if kept:
        _evenings[call] = pk, rows = kept
        _put_back(rows)
        return Evening.objects.get(pk=pk)
    made = make()
    bare = _clubs.get(BARE, {})
    added = {
        model: [one for one in objects if model is Club or one not in bare.get(model, [])]
        for model, objects in _all_rows().items()
    }
    _evenings[call] = made.pk, added
    _kept_for_all(call, _evenings[call])
    return made


def _path_for_all(call: str) -> Path | None:
    folder = os.environ.get(SHARED_FOLDER)
    if folder is None or connection.vendor != "sqlite":
        return None
    return Path(folder) / f"made-{hashlib.sha256(call.encode()).hexdigest()}"


def _made_elsewhere(call: str) -> Any:
    """What another process made first; None when none did."""
    path = _path_for_all(call)
    return pickle.loads(path.read_bytes()) if path and path.exists() else None


def _kept_for_all(call: str, made: Any) -> Any:
    """What all processes take from now on: this, or what another one made meanwhile. All evenings
    go with one club."""
    path = _path_for_all(call)
    if path is None:
        return made
    draft = path.with_name(f"{path.name}-{os.getpid()}")
    draft.write_bytes(pickle.dumps(made))
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return _made_elsewhere(call)
    finally:
        draft.unlink()
    return made


def _only_the_club_is_there() -> bool:
    """Whether the database holds the club that is kept, as it was made, and nothing else."""
    there = [_columns(club) for club in Club.objects.all()]
    if there != [_columns(club) for club in _clubs.get(BARE, {}).get(Club, [])]:
        return False
    others = [model._meta.db_table for model in _models() if model not in OF_A_CLUB_ALONE]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {' OR '.join(f'EXISTS (SELECT 1 FROM {t})' for t in others)}")
        (occupied,) = cursor.fetchone()
    return not occupied


def _put_back(rows: Rows) -> None:
    """Write the rows; only the club can be there already, with a trail that is shorter."""
    with transaction.atomic():
        for model, objects in rows.items():
            moved: dict[str, Any] = {
                "update_conflicts": True,
                "unique_fields": ["id"],
                "update_fields": ["chain_length", "chain_head", "chain_seal"],
            }
            with _times_kept(model):
                model._default_manager.bulk_create(objects, **(moved if model is Club else {}))


@contextmanager
def _times_kept(model: type[models.Model]) -> Iterator[None]:
    """A row that comes back was made when it was made: `auto_now_add` would say now."""
    fields: list[Any] = [
        field for field in model._meta.concrete_fields if getattr(field, "auto_now_add", False)
    ]
    for field in fields:
        field.auto_now_add = False
    try:
        yield
    finally:
        for field in fields:
            field.auto_now_add = True


def _all_rows() -> Rows:
    found = {model: list(model._default_manager.all()) for model in _models()}
    return {model: objects for model, objects in found.items() if objects}


def _models() -> list[type[models.Model]]:
    """Every model of ours but those of logins, which nothing here makes."""
    ours = [apps.get_app_config(app) for app in ("clubs", "scoring", "tournaments")]
    return [model for app in ours for model in app.get_models() if model not in LOGINS]


def _columns(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
