"""Two thousand clubs in one database, made of one in SQL: what a page of one costs then, and
what all of them together can save and ask.

Each has forty people and two evenings of ten tables: two million deals in all, with a trail. With
`CLUB_EVENINGS=41` in the environment each has 42: forty million deals, some 80 GB and an hour. On
PostgreSQL only: SQLite is for some tens of clubs.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import TYPE_CHECKING

from django.core.management.color import no_style
from django.db import connection, models, transaction

from clubs.models import AuditEvent, Club, Member
from scoring.models import Deal, DealEntry, Regulation, Scoresheet
from tests.load.bench.archive import COPIED as PLAYED
from tests.load.bench.bench import Bench
from tests.load.bench.clients import Client, get, paced
from tests.load.bench.saves import hall_of, save_cost
from tests.load.bench.standings import durations, page
from tests.load.bench.table import Row
from tests.load.big_club import Size, big_club_make
from tournaments.models import Evening, EveningSummary, SeasonRule

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

CLUBS = 2_000
PLAYED_EVENINGS = int(os.environ.get("CLUB_EVENINGS", "1"))
"""How many each club has behind it."""
MUST, AIM = 1.15, 1.1
APART = 10**10
"""How far the ids of one club are from those of the next: further than any that the bench made."""
COPIED: tuple[type[models.Model], ...] = (Club, Member, Regulation, *PLAYED[:1], SeasonRule)
# Not what is worked out again from the sheets: it names people by their ids.
COPIED += tuple(model for model in PLAYED[1:] if model is not EveningSummary)


def rows(bench: Bench) -> Iterator[Row]:
    """Each cost as a multiple of what it was without those clubs, and how fast all go together."""
    if connection.vendor != "postgresql":
        return
    small = Bench(
        club=big_club_make("kleine-zaal", Size(members=40, evenings=PLAYED_EVENINGS)),
        port=bench.port,
        floors=bench.floors,
    )
    before = _costs(small, bench)
    clubs_make(small.club)
    for name, cost in _costs(small, bench).items():
        yield Row(f"{name}, among 2,000 clubs", cost / before[name], "×", MUST, AIM)
    yield Row("2,000 clubs: deals", Deal.objects.count() / 1e6, "million")
    yield Row("2,000 clubs: the database", _gigabytes(), "GB")
    with hall_of(bench) as hall:
        pace = paced(bench.port, hall.fresh_deals)
    assert set(pace.statuses) == {200}
    yield Row("2,000 clubs: deal saved, 8 clients", pace.per_second, "saves/s", 100, 200)
    yield Row("2,000 clubs: deal saved, 8 clients, p95", pace.p95, "ms", 120)
    yield _polls(bench)


def _costs(small: Bench, large: Bench) -> dict[str, float]:
    closed = small.club.evenings.filter(state=Evening.State.CLOSED).first()
    assert closed
    pages = {
        "page of an evening": small.evening_path,
        "page of a published evening": f"{small.club_path}evenings/{closed.slug}/",
        "page of a season": small.season_path,
        "page of a club": small.club_path,
        "page of an evening of 400": large.evening_path,
    }
    costs = {name: min(durations(page(path))) for name, path in pages.items()}
    return {**costs, "a save": save_cost(large)}


def _polls(bench: Bench) -> Row:
    """Pages of as many clubs as there are clients, each asked again by who has it."""
    clubs = Club.objects.filter(slug__startswith="kleine-zaal-").order_by("pk")[:8]
    asked = []
    with Client(bench.port) as client:
        for club in clubs:
            evening = club.evenings.order_by("-date").first()
            assert evening
            path = f"/clubs/{club.slug}/evenings/{evening.slug}/live/"
            tag = client.ask(get(path)).headers["etag"]
            asked.append(get(path, if_none_match=tag))
    pace = paced(bench.port, lambda client: repeat(asked[client % len(asked)]))
    assert set(pace.statuses) == {304}
    name = "2,000 clubs: nothing new, of eight clubs"
    return Row(name, pace.per_second, "req/s", floor=bench.floors.empty.per_second)


def _gigabytes() -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0]) / 1e9


def clubs_make(club: Club) -> None:
    """So many clubs like this one, with all that was played there."""
    copied: list[type[models.Model]] = [*COPIED, AuditEvent]
    with transaction.atomic(), connection.cursor() as cursor, _without_indexes(cursor, copied):
        for model in COPIED:
            cursor.execute(_copies(model, club))
        cursor.execute(_trails(club))
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), copied):
            cursor.execute(statement)
        cursor.execute("VACUUM ANALYZE")


@contextmanager
def _without_indexes(
    cursor: "CursorWrapper", models_: Iterable[type[models.Model]]
) -> Iterator[None]:
    """Take the indexes and constraints off these tables, and put them back on what is there then:
    each row by itself would have a hundred million times its place looked up in twenty of them."""
    tables = [model._meta.db_table for model in models_]
    cursor.execute(CONSTRAINTS, [tables, tables])
    constraints = cursor.fetchall()
    for table, name, _definition in reversed(constraints):
        cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    cursor.execute(INDEXES, [tables])
    indexes = cursor.fetchall()
    for name, _definition in indexes:
        cursor.execute(f"DROP INDEX {name}")
    yield
    cursor.execute("SET LOCAL maintenance_work_mem = '1GB'")
    for _name, definition in indexes:
        cursor.execute(definition)
    for table, name, definition in constraints:
        cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")


CONSTRAINTS = """
    SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)
    FROM pg_constraint
    WHERE contype IN ('p', 'u', 'f')
        AND (conrelid::regclass::text = ANY(%s) OR confrelid::regclass::text = ANY(%s))
    ORDER BY contype = 'f', conrelid, conname
"""
"""Those that refer to others come last, and go first."""
INDEXES = """
    SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid)
    FROM pg_index
    WHERE indrelid::regclass::text = ANY(%s)
"""
PATHS: dict[type[models.Model], str] = {
    Club: "id = {club}",
    Scoresheet: "club_id = {club}",
    DealEntry: "deal_id IN (SELECT id FROM scoring_deal WHERE sheet_id IN ({sheets}))",
}
SHEETS = "SELECT id FROM scoring_scoresheet WHERE club_id = {club}"
EVENINGS = "SELECT id FROM tournaments_evening WHERE club_id = {club}"
ROUNDS = f"SELECT id FROM tournaments_round WHERE evening_id IN ({EVENINGS})"
SEASONS = "SELECT id FROM tournaments_season WHERE club_id = {club}"
BY = {
    "club_id": "{club}",
    "season_id": SEASONS,
    "evening_id": EVENINGS,
    "round_id": ROUNDS,
    "sheet_id": SHEETS,
}
"""The rows of a club, by the first of these columns that a table has."""


def _copies(model: type[models.Model], club: Club) -> str:
    fields = model._meta.concrete_fields
    columns = ", ".join(str(field.column) for field in fields)
    values = ", ".join(_copied(field) for field in fields)
    if model in PATHS:
        rows = PATHS[model]
    else:
        column = next(name for name in BY if name in {field.column for field in fields})
        rows = f"{column} IN ({BY[column]})"
    own = rows.replace("{sheets}", SHEETS).replace("{club}", str(club.pk))
    return (
        f"INSERT INTO {model._meta.db_table} ({columns})"
        f" SELECT {values} FROM {model._meta.db_table},"
        f" generate_series(1, {CLUBS - 1}) AS copy WHERE {own}"
    )


def _copied(field: "models.Field[object, object]") -> str:
    """This column of a copy, in SQL."""
    column = str(field.column)
    target = field.related_model if isinstance(field, models.ForeignKey) else field.model
    if isinstance(field, models.UUIDField) or (target is DealEntry and field.is_relation):
        return f"md5({column}::text || copy)::uuid"
    if field.primary_key or (field.is_relation and target in COPIED):
        return f"{column} + copy * {APART}"
    if field.model is Club and column in ("slug", "name"):
        return f"{column} || '-' || copy"
    return column


def _trails(club: Club) -> str:
    """An event of the trail for each deal of the copies."""
    return f"""
        INSERT INTO clubs_auditevent (
            id, club_id, chain, number, at, actor, action, object_ref, data, commitments,
            previous, hash
        )
        SELECT deal.id + copy * {APART}, sheet.club_id + copy * {APART},
            'sheet:' || md5(sheet.uuid::text || copy)::uuid, deal.number, entry.made_at,
            entry.actor, 'deal_entered', 'deal:' || deal.number, entry.written, '{{}}'::jsonb,
            '{"0" * 64}', '{"1" * 64}'
        FROM scoring_deal AS deal
        JOIN scoring_scoresheet AS sheet ON sheet.id = deal.sheet_id
        JOIN scoring_dealentry AS entry ON entry.uuid = deal.current_id,
        generate_series(1, {CLUBS - 1}) AS copy
        WHERE sheet.club_id = {club.pk}
    """
