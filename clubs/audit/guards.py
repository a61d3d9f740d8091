"""What keeps the trail as it was: triggers with which the database itself refuses updates and
deletes, and files elsewhere with the head of every chain.

SQLite drops a trigger silently when a migration rebuilds its table, so all are created again after
every `migrate`. The owner of the database can drop or replace them; `manage.py verify` reports
that, and the chain of the trail shows what was changed. The heads show that events were taken off
the end of a chain, which nothing in the database shows to somebody who also has its key. The files
hold no names.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Max
from django.utils import timezone

from clubs.audit.services import event_content
from clubs.models import AuditEvent

Act = Literal["update", "delete", "truncate"]

REFUSAL = """
    BEGIN
        RAISE EXCEPTION 'What happened is kept: % of % is refused.', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
    END
"""
REFUSE = f"""
    CREATE OR REPLACE FUNCTION refuse_to_change() RETURNS trigger LANGUAGE plpgsql AS $${REFUSAL}$$
"""
DEFINED_ON_POSTGRES = """
    SELECT tgname, pg_get_triggerdef(pg_trigger.oid, true), lanname, prosrc
    FROM pg_trigger
    JOIN pg_proc ON pg_proc.oid = tgfoid
    JOIN pg_language ON pg_language.oid = prolang
    WHERE tgenabled IN ('O', 'A') AND NOT tgisinternal AND pg_table_is_visible(tgrelid)
"""

_guarded: list[tuple[type[models.Model], tuple[Act, ...]]] = []


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger of this database: its name, the table it guards, the SQL that creates it, and the
    language and body of the function that it `calls`, if any."""

    name: str
    table: str
    sql: str
    calls: tuple[str, ...] = ()


def guard(model: type[models.Model], *acts: Act) -> None:
    """Have the database refuse these acts on the rows of a model, once for each model."""
    _guarded.append((model, acts))


def triggers_install(*, using: str = DEFAULT_DB_ALIAS, **_signal: Any) -> None:
    """Create or replace the triggers of all existing tables; runs after `migrate`."""
    connection = connections[using]
    there = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(REFUSE)
        for trigger in triggers(connection):
            if trigger.table in there:
                cursor.execute(drop_sql(trigger, connection))
                cursor.execute(trigger.sql)


def triggers_missing(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """The names of the triggers that are missing or switched off in this database."""
    there = _definitions(connections[using])
    return [trigger.name for trigger in triggers(connections[using]) if trigger.name not in there]


def triggers_changed(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """The names of the triggers that are there, but do something else than ours would."""
    there = _definitions(connections[using])
    return [
        trigger.name
        for trigger in triggers(connections[using])
        if there.get(trigger.name, _ours(trigger)) != _ours(trigger)
    ]


def _definitions(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """By name what each trigger of this database that is switched on does."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(DEFINED_ON_POSTGRES)
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return {name: _normal(*parts) for name, *parts in cursor.fetchall()}


def _ours(trigger: Trigger) -> str:
    """What a trigger does, in the words of `_definitions`."""
    return _normal(trigger.sql, *trigger.calls)


def _normal(*parts: str) -> str:
    """SQL without what PostgreSQL leaves out when it gives a definition: spaces and quotes."""
    return " ".join(" ".join(parts).replace('"', "").split())


def triggers(connection: BaseDatabaseWrapper) -> Iterator[Trigger]:
    """Every trigger for this kind of database."""
    make = _on_postgres if connection.vendor == "postgresql" else _on_sqlite
    for model, acts in _guarded:
        for act in acts:
            yield from make(model, act)


def drop_sql(trigger: Trigger, connection: BaseDatabaseWrapper) -> str:
    """The SQL that drops a trigger if it exists."""
    of_table = f' ON "{trigger.table}"' if connection.vendor == "postgresql" else ""
    return f'DROP TRIGGER IF EXISTS "{trigger.name}"{of_table}'


@contextmanager
def guards_lifted() -> Iterator[None]:
    """Let a club be deleted and put back, inside a transaction. Others may read meanwhile, but not
    write to these tables."""
    guards = list(triggers(connection))
    with connection.cursor() as cursor:
        for trigger in guards:
            cursor.execute(_switch_sql(trigger, "DISABLE") or drop_sql(trigger, connection))
    yield
    if connection.vendor == "postgresql":
        # It changes no table of which something is still to be checked.
        connection.check_constraints()
    with connection.cursor() as cursor:
        for trigger in guards:
            cursor.execute(_switch_sql(trigger, "ENABLE") or trigger.sql)


def _switch_sql(trigger: Trigger, switch: str) -> str:
    """The SQL that switches a trigger; empty on SQLite, where it is dropped and made again."""
    if connection.vendor != "postgresql":
        return ""
    return f'ALTER TABLE "{trigger.table}" {switch} TRIGGER "{trigger.name}"'


def _on_postgres(model: type[models.Model], act: Act) -> Iterator[Trigger]:
    table = model._meta.db_table
    name = f"{table}_no_{act}"
    each = "STATEMENT" if act == "truncate" else "ROW"
    yield Trigger(
        name,
        table,
        f'CREATE TRIGGER "{name}" BEFORE {act.upper()} ON "{table}"'
        f" FOR EACH {each} EXECUTE FUNCTION refuse_to_change()",
        calls=("plpgsql", REFUSAL),
    )


def _on_sqlite(model: type[models.Model], act: Act) -> Iterator[Trigger]:
    """SQLite has no TRUNCATE, but its INSERT OR REPLACE deletes rows past the other triggers."""
    if act == "truncate":
        return
    yield _refusal(model, act, act.upper())
    if act == "update":
        yield _refusal(model, "replace", "INSERT", f"WHEN {_is_there(model)}")


def _refusal(model: type[models.Model], word: str, event: str, when: str = "") -> Trigger:
    table = model._meta.db_table
    name = f"{table}_no_{word}"
    message = f"What happened is kept: {word.upper()} of {table} is refused."
    return Trigger(
        name,
        table,
        f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" {when}'
        f" BEGIN SELECT RAISE(ABORT, '{message}'); END",
    )


def _is_there(model: type[models.Model]) -> str:
    """The condition that a new row would replace an existing one."""
    meta = model._meta
    columns = {field.name: field.column for field in meta.concrete_fields}
    unique = [[field.column] for field in meta.concrete_fields if field.unique]
    for constraint in meta.total_unique_constraints:
        unique.append([columns[name] for name in constraint.fields])
    same = [" AND ".join(f'"{column}" = NEW."{column}"' for column in key) for key in unique]
    rows = f'SELECT 1 FROM "{meta.db_table}" WHERE'  # noqa: S608 -- names of our own models
    return " OR ".join(f"EXISTS ({rows} {key})" for key in same)


HEADS, EVENTS = "heads.jsonl", "events.jsonl"
CHAINS_AT_ONCE = 200
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Head:
    """A chain when it was exported: how many events it had, and the hash of the last one."""

    at: str
    club: str
    chain: str
    length: int
    head: str


class BadHeads(Exception):
    """The file of heads cannot be read."""


def trail_export(folder: Path) -> int:
    """Add every event since the last export to the files in this folder, which is made if need be,
    and then the heads of the chains that grew. Returns the number of events. Raises BadHeads."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    known = {head.chain: head.length for head in heads_read(folder / HEADS)}
    heads: list[Head] = []
    count = _append(folder / EVENTS, _events_since(known, heads))
    _append(folder / HEADS, map(asdict, heads))
    return count


def torn_lines_cut(folder: Path) -> Iterator[str]:
    """Cut the end off files whose last line was never finished, since power or disk failed, and say
    so. What was in it is exported again."""
    for file in (folder / HEADS, folder / EVENTS):
        content = file.read_bytes() if file.exists() else b""
        torn = len(content) - content.rfind(b"\n") - 1
        if torn:
            os.truncate(file, len(content) - torn)
            yield f"{file}: the last line was cut off ({torn} bytes); going on from the one before."


def _events_since(known: Mapping[str, int], heads: list[Head]) -> Iterator[Row]:
    """The events after these numbers, chain by chain; adds the head of each chain to `heads`."""
    for chain, length in _lengths().items():
        exported = known.get(chain, 0)
        if length <= exported:
            continue
        events = AuditEvent.objects.filter(chain=chain, number__gt=exported, number__lte=length)
        for event in events.order_by("number").select_related("club"):
            yield event_content(event) | {"hash": event.hash}
        heads.append(_head(event))


def heads_faults(file: Path) -> Iterator[str]:
    """The chains that no longer have the events they had when they were exported. Raises
    BadHeads."""
    by_chain: dict[str, list[Head]] = {}
    for head in heads_read(file):
        by_chain.setdefault(head.chain, []).append(head)
    chains = sorted(by_chain)
    for start in range(0, len(chains), CHAINS_AT_ONCE):
        some = chains[start : start + CHAINS_AT_ONCE]
        rows = AuditEvent.objects.filter(chain__in=some).values_list("chain", "number", "hash")
        hashes = {(chain, number): hashed for chain, number, hashed in rows.iterator()}
        for chain in some:
            yield from _differing(by_chain[chain], hashes)


def heads_read(file: Path) -> list[Head]:
    """The heads in a file, oldest first; none where there is no file. A last line that was cut off
    is no head. Raises BadHeads."""
    content = file.read_bytes() if file.exists() else b""
    lines = content.decode("utf-8", "replace").split("\n")[:-1]
    return [_head_of_line(file, number, line) for number, line in enumerate(lines, start=1)]


def _head_of_line(file: Path, number: int, line: str) -> Head:
    try:
        return Head(**json.loads(line))
    except (TypeError, ValueError) as error:
        raise BadHeads(f"{file}, line {number}: this is no head of a trail.") from error


def _differing(heads: Iterable[Head], hashes: Mapping[tuple[str, int], str]) -> Iterator[str]:
    for head in heads:
        hashed = hashes.get((head.chain, head.length))
        if hashed is None:
            yield f"{head.chain}: event {head.length}, exported on {head.at}, is missing"
            return
        if hashed != head.head:
            yield f"{head.chain}: event {head.length} is not the one that was exported on {head.at}"
            return


def _lengths() -> dict[str, int]:
    """How many events every chain has."""
    longest = AuditEvent.objects.order_by("chain").values("chain").annotate(length=Max("number"))
    return dict(longest.values_list("chain", "length"))


def _head(event: AuditEvent) -> Head:
    return Head(
        at=timezone.now().isoformat(timespec="seconds"),
        club=event.club.slug if event.club else "",
        chain=event.chain,
        length=event.number,
        head=event.hash,
    )


def _append(file: Path, rows: Iterable[Row]) -> int:
    """Add lines to a file that only its owner may read, and have them on the disk. Returns how
    many."""
    count = 0
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        for row in rows:
            stream.write(json.dumps(row) + "\n")
            count += 1
        stream.flush()
        os.fsync(stream.fileno())
    return count
