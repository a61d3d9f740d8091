"""Trying to break what the database itself holds."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import IntegrityError, models, transaction

from tests.tampering import triggers_lift


@contextmanager
def refused_by(name: str) -> Iterator[None]:
    """Fails unless the constraint `name` refuses what happens inside, with no trigger before it.

    Of a unique constraint PostgreSQL says the name and SQLite the columns.
    """
    triggers_lift()
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        yield
    said = str(caught.value)
    assert name in said or said.startswith("UNIQUE constraint failed")


def constraint_names(*wanted: type[models.Model]) -> set[str]:
    """The names of all constraints of these models."""
    return {constraint.name for model in wanted for constraint in model._meta.constraints}
