"""What rows of every app share: a version that counts their changes, the head of a chain of events;
and statements that are put into SQL once in a process and run with other values each time.

Django builds the SQL of a query anew whenever it runs, which takes three to ten times as long as
the database takes for a row that is found by its key. Only what a hall asks for by the hundred is
worth it: a deal that is saved, a table's page that polls.
"""

import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from django.db import connection, models
from django.db.models import Expression, Field, IntegerField, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.transaction import TransactionManagementError

R = TypeVar("R")


class Given(Expression):
    """A value that is given when the statement runs, under the name of the field that it is
    compared with or another `name`."""

    def __init__(self, model: type[Model], field: str, name: str = "") -> None:
        self.of = _field(model, field)
        super().__init__(output_field=self.of)
        self.name = name or field

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """A placeholder, whose value is this until there is another."""
        return "%s", [self]


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    field: Field[Any, Any] = model._meta.get_field(name)  # type: ignore[assignment]
    return field


def _is_beyond(field: "Field[Any, Any]", value: Any) -> bool:
    """Whether no row can have this number, at which the driver would fail."""
    if not isinstance(field, IntegerField) or value is None:
        return False
    low, high = connection.ops.integer_field_range(field.get_internal_type())
    return not int(low or 0) <= int(value) <= int(high or 0)


class _Plan(NamedTuple):
    """A query in SQL, and how its rows are read."""

    sql: str
    values: tuple[object, ...]
    converters: list[tuple[int, Any]]
    read: Callable[[list[Any]], Any]
    locks: bool


class Prepared(Generic[R]):
    """A query of rows of a model, or of values (`values_list`), which `make` describes with a
    `Given` for each value:

        _of_sheet = Prepared(lambda: Deal.objects.filter(sheet=Given(Deal, "sheet")))
        _of_sheet.rows(sheet=7)
    """

    def __init__(self, make: Callable[[], "QuerySet[Any, R]"]) -> None:
        self._make = make
        self._plan: _Plan | None = None

    def rows(self, **given: object) -> list[R]:
        """All rows for these values."""
        plan = self._plan = self._plan or _planned(self._make())
        if plan.locks and not connection.in_atomic_block:
            raise TransactionManagementError("Rows are locked for a transaction; there is none.")
        asked = [value for value in plan.values if isinstance(value, Given)]
        if any(_is_beyond(value.of, given[value.name]) for value in asked):
            return []
        values: list[Any] = [
            value.of.get_db_prep_value(given[value.name], connection)
            if isinstance(value, Given)
            else value
            for value in plan.values
        ]
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, values)
            found = cursor.fetchall()
        return [plan.read(row) for row in _converted(found, plan.converters)]

    def first(self, **given: object) -> R | None:
        """The first row for these values, if there is any."""
        return next(iter(self.rows(**given)), None)


def _planned(query: "QuerySet[Any, R]") -> _Plan:
    compiler = query.query.get_compiler(query.db)
    sql, values = compiler.as_sql()
    columns = [column for column, _sql, _alias in compiler.select]
    converters = list(compiler.get_converters(columns).items())
    read = tuple if query.query.values_select else _reader(query, compiler)
    return _Plan(sql, tuple(values), converters, read, query.query.select_for_update)


def _reader(query: "QuerySet[Any, R]", compiler: Any) -> Callable[[list[Any]], Model]:
    """Makes an object of a row, with those that are selected along with it."""
    info, select = compiler.klass_info, compiler.select
    start, end = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, _sql, _alias in select[start:end]]
    related = get_related_populators(info, select, query.db)  # type: ignore[call-arg]

    def read(row: list[Any]) -> Model:
        made: Model = info["model"].from_db(query.db, names, row[start:end])
        for populator in related:
            populator.populate(row, made)
        return made

    return read


def _converted(rows: Any, converters: list[tuple[int, Any]]) -> Iterator[list[Any]]:
    for row in map(list, rows):
        for place, (functions, expression) in converters:
            for convert in functions:
                row[place] = convert(row[place], expression, connection)
        yield row


def row_update(
    model: type[Model], where: Mapping[str, object], columns: Mapping[str, object]
) -> int:
    """Set these fields on the rows that have these values. Returns how many there were."""
    quote = connection.ops.quote_name
    if any(_is_beyond(_field(model, name), value) for name, value in where.items()):
        return 0

    def said(values: Mapping[str, object]) -> tuple[list[str], list[Any]]:
        named = [(_field(model, name), value) for name, value in values.items()]
        words = [f"{quote(str(field.column))} = %s" for field, _value in named]
        return words, [field.get_db_prep_save(value, connection) for field, value in named]

    (setting, new), (matching, old) = said(columns), said(where)
    table, columns_set = quote(model._meta.db_table), ", ".join(setting)
    sql = f"UPDATE {table} SET {columns_set} WHERE {' AND '.join(matching)}"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(sql, [*new, *old])
        return int(cursor.rowcount)


class Versioned(models.Model):
    """A row that counts its changes, so that a change can name the state it was made for.

    Whoever read the row at version 4 writes with `update_if(4, …)`; or, holding a lock that all
    writers of the row take, compares `version` and then calls `save_changes`.
    """

    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        abstract = True

    def update_if(self, version: int, **columns: Any) -> bool:
        """Write these columns if the row is still at this version, and count it up.

        One UPDATE decides, so no lock is needed. Returns whether the row was written.
        """
        columns["version"] = version + 1
        seen = {"id": self.pk, "version": version}
        if not row_update(type(self), seen, columns):
            return False
        for name, value in columns.items():
            setattr(self, name, value)
        return True

    def save_changes(self, *columns: str) -> None:
        """Save these columns and count the version up; for a caller who holds the lock."""
        self.version += 1
        self.save(update_fields=[*columns, "version"])


class AuditChain(models.Model):
    """A row that carries the head of a chain of audit events (a club, a score sheet, a league).

    `chain_seal` is made of the head with the server's key (`clubs.audit.services`).
    """

    chain_kind: ClassVar[str]

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    chain_length = models.PositiveIntegerField(default=0, editable=False)
    chain_head = models.CharField(max_length=64, default="", blank=True, editable=False)
    chain_seal = models.CharField(max_length=64, default="", blank=True, editable=False)

    class Meta:
        abstract = True

    @property
    def chain_name(self) -> str:
        """What the events of this chain are filed under, such as `sheet:9f0c…`."""
        return f"{self.chain_kind}:{self.uuid}"
