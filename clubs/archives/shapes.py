"""The shapes that JSON must have: small checks, put together.

A check raises ValueError for a value that it does not allow; its message says where and why.
"""

import re
from collections.abc import Callable, Collection, Mapping
from reprlib import Repr
from typing import Any, Final, cast
from uuid import UUID

Check = Callable[[Any], None]

LARGEST: Final = 2**31 - 1
"""What a column for whole numbers holds, on every database."""
MOST_LEVELS: Final = 12
_SHORT: Final = Repr()
_SHORT.maxstring = _SHORT.maxother = 60
_UNWRITABLE: Final = re.compile("[\x00\ud800-\udfff]")


def text(value: object) -> None:
    """Text that every database can store."""
    if not isinstance(value, str):
        raise _no("text", value)
    if _UNWRITABLE.search(value):
        raise ValueError("has characters that cannot be stored")


def whole(value: object) -> None:
    """A whole number that a column can hold."""
    if type(value) is not int or not -LARGEST <= value <= LARGEST:
        raise _no("a whole number", value)


def figure(value: object) -> None:
    """A number, whole or not, that fits in 64 bits."""
    if type(value) not in (int, float) or not -(2.0**63) < cast(float, value) < 2.0**63:
        raise _no("a number", value)


def flag(value: object) -> None:
    """Yes or no."""
    if type(value) is not bool:
        raise _no("true or false", value)


def identifier(value: object) -> None:
    """A UUID as text."""
    try:
        is_one = isinstance(value, str) and str(UUID(value)) == value
    except ValueError:
        is_one = False
    if not is_one:
        raise _no("a UUID", value)


def one_of(known: Collection[str]) -> Check:
    """One of these words."""

    def check(value: object) -> None:
        if not isinstance(value, str) or value not in known:
            raise _no(f"one of {', '.join(map(str, known))}", value)

    return check


def maybe(inner: Check) -> Check:
    """The same, or null."""
    return lambda value: None if value is None else inner(value)


def list_of(inner: Check, *, count: int | None = None) -> Check:
    """A list of these, of that length if `count` is given."""

    def check(value: object) -> None:
        if not isinstance(value, list) or count not in (None, len(value)):
            raise _no("a list" if count is None else f"a list of {count}", value)
        for place, item in enumerate(value):
            _at(str(place), inner, item)

    return check


def by_key(key: Check, inner: Check) -> Check:
    """An object with any number of such keys, and such a value for each."""

    def check(value: object) -> None:
        for name, item in _object(value).items():
            _at(name, key, name)
            _at(name, inner, item)

    return check


def object_of(
    needed: Mapping[str, Check], optional: Mapping[str, Check] | None = None, *, open_: bool = False
) -> Check:
    """An object with all keys of `needed`, and perhaps those of `optional`; if it is `open_` also
    with others, which hold any JSON."""
    known = {**needed, **(optional or {})}

    def check(value: object) -> None:
        fields = _object(value)
        if missing := needed.keys() - fields.keys():
            raise ValueError(f"{', '.join(sorted(missing))} is missing")
        for name, item in fields.items():
            if name not in known and not open_:
                raise ValueError(f"{name[:40]!r} is unknown")
            _at(name, known.get(name, anything), item)

    return check


def anything(value: object, *, level: int = 0) -> None:
    """Any JSON that can be stored and shown: not too deep, and no number out of reach."""
    if level > MOST_LEVELS:
        raise ValueError("is nested too deep")
    if isinstance(value, str):
        text(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        figure(value)
    elif isinstance(value, dict):
        for name, item in value.items():
            text(name)
            anything(item, level=level + 1)
    elif isinstance(value, list):
        for item in value:
            anything(item, level=level + 1)


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _no("an object", value)
    return value


def _at(place: str, check: Check, value: object) -> None:
    try:
        check(value)
    except ValueError as error:
        raise ValueError(f"{place[:40]}: {error}") from error


def _no(wanted: str, value: object) -> ValueError:
    return ValueError(f"{shown(value)} is not {wanted}")


def shown(value: object) -> str:
    """A value as a message quotes it, shortened."""
    return _SHORT.repr(value)
