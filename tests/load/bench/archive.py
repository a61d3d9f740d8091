"""What a page and a save cost once the archive is ten times as large: nine seasons made in SQL."""

from collections.abc import Iterator

from django.core.management.color import no_style
from django.db import connection, models, transaction

from clubs.models import AuditEvent
from scoring.models import Deal, DealEntry, Scoresheet, Seat
from tests.load.bench.bench import Bench
from tests.load.bench.saves import save_cost
from tests.load.bench.standings import durations, page
from tests.load.bench.table import Row
from tournaments.models import (
    Evening,
    EveningSummary,
    Placement,
    Registration,
    Release,
    Round,
    Season,
    Table,
)

TIMES_AS_LARGE = 10
MUST = 1.15
APART = 100_000_000
"""How far the ids of one copy are from those of the next."""
WEEKS = 52
FIGURES = "-012356789"
COPIED: tuple[type[models.Model], ...] = (
    Season,
    Evening,
    Round,
    Scoresheet,
    Table,
    Seat,
    Deal,
    DealEntry,
    Placement,
    Registration,
    Release,
    EveningSummary,
)


def rows(bench: Bench) -> Iterator[Row]:
    """Each cost as a multiple of what it was before."""
    before = _costs(bench)
    archive_grow()
    for name, cost in _costs(bench).items():
        yield Row(f"{name}, archive 10 × as large", cost / before[name], "×", MUST, 1.05)


def _costs(bench: Bench) -> dict[str, float]:
    last = bench.club.evenings.filter(state=Evening.State.CLOSED).first()
    season = bench.tonight.season
    assert last
    assert season
    return {
        "page of the evening": _least(bench.evening_path),
        "page of a published evening": _least(f"{bench.club_path}evenings/{last.slug}/"),
        "page of the season": _least(f"{bench.club_path}seasons/{season.slug}/"),
        "page of the club": _least(bench.club_path),
        "a save": save_cost(bench),
    }


def _least(path: str) -> float:
    """The least that a page took: two of these can be compared, whatever else was going on."""
    return min(durations(page(path)))


def archive_grow() -> None:
    """Copy all that was played nine times over, each a year before the one before."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA cache_size = -1000000")
    with transaction.atomic(), connection.cursor() as cursor:
        for copy in range(1, TIMES_AS_LARGE):
            for model in COPIED:
                cursor.execute(_copy(model, copy))
            cursor.execute(_trail_of(copy))
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [*COPIED, AuditEvent]):
            cursor.execute(statement)
        cursor.execute("ANALYZE")


def _copy(model: type[models.Model], copy: int) -> str:
    fields = model._meta.concrete_fields
    columns = ", ".join(str(field.column) for field in fields)
    values = ", ".join(_copied(field, copy) for field in fields)
    table, key = model._meta.db_table, model._meta.pk
    own = "" if isinstance(key, models.UUIDField) else f" WHERE id < {APART}"
    if model is DealEntry:
        own = f" WHERE deal_id < {APART}"
    return f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table}{own}"


def _copied(field: "models.Field[object, object]", copy: int) -> str:
    """This column of a copy, in SQL."""
    column = str(field.column)
    target = field.related_model if isinstance(field, models.ForeignKey) else field.model
    if isinstance(field, models.UUIDField) or (target is DealEntry and field.is_relation):
        return _uuid(column, copy)
    if field.primary_key or field.is_relation:
        return f"{column} + {copy * APART}" if target in COPIED else column
    if field.model is Season and column in ("slug", "name"):
        return f"{column} || '-{copy}'"
    if field.model is Evening and column == "date":
        return _years_before(column, copy)
    return column


def _uuid(column: str, copy: int) -> str:
    """Another one for each copy: of a random UUID the figure that says so is always a 4."""
    text, at = (column, 13) if connection.vendor == "sqlite" else (f"{column}::text", 15)
    other = f"substr({text}, 1, {at - 1}) || '{FIGURES[copy]}' || substr({text}, {at + 1})"
    return other if connection.vendor == "sqlite" else f"({other})::uuid"


def _years_before(column: str, copy: int) -> str:
    days = copy * WEEKS * 7
    return (
        f"date({column}, '-{days} days')" if connection.vendor == "sqlite" else f"{column} - {days}"
    )


def _trail_of(copy: int) -> str:
    """An event of the trail for each deal of a copy."""
    empty = "'{}'" if connection.vendor == "sqlite" else "'{}'::jsonb"
    return f"""
        INSERT INTO clubs_auditevent (
            id, club_id, chain, number, at, actor, action, object_ref, data, commitments,
            previous, hash
        )
        SELECT deal.id, sheet.club_id, 'sheet:' || sheet.uuid, deal.number, entry.made_at,
            entry.actor, 'deal_entered', 'deal:' || deal.number, entry.written, {empty},
            '{"0" * 64}', '{"1" * 64}'
        FROM scoring_deal AS deal
        JOIN scoring_scoresheet AS sheet ON sheet.id = deal.sheet_id
        JOIN scoring_dealentry AS entry ON entry.uuid = deal.current_id
        WHERE deal.id BETWEEN {copy * APART} AND {(copy + 1) * APART - 1}
    """
