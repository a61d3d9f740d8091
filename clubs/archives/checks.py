"""What a row of an archive may hold: each value as the field of its model has it, and JSON as the
application reads it."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final, cast

from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.operations import BaseDatabaseOperations

from clubs.archives.container import ArchivedRow, Unsound
from clubs.archives.shapes import Check, figure, flag, identifier, maybe, shown, text
from clubs.text.numbers import FIRST_DAY, LAST_DAY

MOST_FAULTS: Final = 20
"""How many faults are named."""

Model = type[models.Model]
_RANGES: Final = BaseDatabaseOperations.integer_field_ranges
"""The same for every database, so that a row that one takes fits into the other."""


class RowChecks:
    """Checks the rows of a file, and collects what is wrong with them.

    `columns` has the check of each column with JSON, by table and column, and whatever else a
    column with text must be.
    """

    def __init__(self, columns: Mapping[tuple[str, str], Check]) -> None:
        self.faults: list[str] = []
        self._columns = columns

    def sound(
        self, model: Model, rows: Iterable[ArchivedRow], *, fields: Collection[str] = ()
    ) -> Iterator[ArchivedRow]:
        """The rows, up to the first fault in any table: after that they are only checked.

        A row has `fields`, or else all fields of the model. Raises Unsound once there are
        `MOST_FAULTS`.
        """
        own = [field for field in model._meta.concrete_fields if not field.primary_key]
        expected = set(fields) or {field.name for field in own}
        checks = {field.name: self.check_of(field) for field in own if field.name in expected}
        for number, row in enumerate(rows, start=1):
            if row["fields"].keys() != expected:
                odd = ", ".join(sorted(expected ^ row["fields"].keys()))
                self._note(row, number, f"these are no fields of this version: {odd[:200]}")
                continue
            for name, value in row["fields"].items():
                try:
                    checks[name](value)
                # Whatever the application's own parsers stumble over.
                except Exception as error:  # noqa: BLE001
                    self._note(row, number, f"{name}: {_words(error, value)}")
            if not self.faults:
                yield row

    def require_sound(self) -> None:
        """Raises Unsound with every fault."""
        if self.faults:
            raise Unsound("\n".join(self.faults))

    def _note(self, row: ArchivedRow, number: int, fault: str) -> None:
        self.faults.append(f"{row['model']}, row {number}: {fault}")
        if len(self.faults) == MOST_FAULTS:
            self.faults.append("Perhaps there are more.")
            self.require_sound()

    def check_of(self, field: "models.Field[Any, Any]") -> Check:
        """The check of one column. What a foreign key refers to is looked up when its row gets new
        ids, and that is not checked here."""
        special = self._columns.get((field.model._meta.label_lower, field.name))
        if isinstance(field, models.ForeignKey):
            check = _reference(field)
        elif isinstance(field, models.JSONField):
            check = cast(Check, special)
        else:
            kinds = (kind for known, kind in _KINDS.items() if isinstance(field, known))
            check = next(kinds)(field)
            check = _and(check, special) if special else check
        return maybe(check) if field.null else check


def _and(first: Check, second: Check) -> Check:
    def check(value: Any) -> None:
        first(value)
        second(value)

    return check


def _words(error: Exception, value: object) -> str:
    if isinstance(error, ValidationError):
        return f"{shown(value)}: {' '.join(error.messages)}"
    if isinstance(error, ValueError):
        return str(error)[:300]
    return f"{shown(value)} cannot be read"


def _reference(field: "models.Field[Any, Any]") -> Check:
    is_uuid = isinstance(field.target_field, models.UUIDField)  # type: ignore[attr-defined]
    return identifier if is_uuid else _number


def _number(value: object) -> None:
    if type(value) is not int:
        raise ValueError(f"{shown(value)} is not the number of a row")


def _text(field: "models.Field[Any, Any]") -> Check:
    known = {choice for choice, _label in field.flatchoices}
    validators, longest = _validators(field), field.max_length

    def check(value: Any) -> None:
        text(value)
        if value == "":
            if not field.blank:
                raise ValueError("is empty")
            return
        if known and value not in known:
            raise ValueError(f"{shown(value)} is none of {', '.join(sorted(known))}")
        if longest is not None and len(value) > longest:
            raise ValueError(f"{shown(value)} is longer than {longest}")
        for validator in validators:
            validator(value)

    return check


def _whole(field: "models.Field[Any, Any]") -> Check:
    low, high = _RANGES[field.get_internal_type()]
    validators = _validators(field)

    def check(value: Any) -> None:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"{shown(value)} is not a whole number from {low} to {high}")
        for validator in validators:
            validator(value)

    return check


def _validators(field: "models.Field[Any, Any]") -> list[Callable[[Any], object]]:
    """Those of its class and its own, without those that depend on the database."""
    own = field.deconstruct()[3].get("validators", ())
    return [*field.default_validators, *own]


def _moment(value: Any) -> None:
    moment = dt.datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError(f"{shown(value)} has no time zone")
    _within_reach(moment.date())


def _day(value: Any) -> None:
    _within_reach(dt.date.fromisoformat(value))


def _within_reach(day: dt.date) -> None:
    """A page cannot show a time for which a calendar or a time zone has no day before or after."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"{day} is not between {FIRST_DAY} and {LAST_DAY}")


def _time(value: Any) -> None:
    if dt.time.fromisoformat(value).tzinfo is not None:
        raise ValueError(f"{shown(value)} has a time zone")


_KINDS: Mapping[type[Any], Callable[[Any], Check]] = {
    models.BooleanField: lambda _field: flag,
    models.IntegerField: _whole,
    models.FloatField: lambda _field: figure,
    models.UUIDField: lambda _field: identifier,
    models.DateTimeField: lambda _field: _moment,
    models.DateField: lambda _field: _day,
    models.TimeField: lambda _field: _time,
    models.BinaryField: lambda _field: text,
    models.CharField: _text,
    models.TextField: _text,
}
"""The check of each kind of column; the first that fits counts."""
