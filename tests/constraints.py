"""Trying to break what the database itself holds."""

from collections.abc import Callable, Mapping

from django.db import IntegrityError, models, transaction

from tests.tampering import triggers_lift


def not_refused(breaks: Mapping[str, Callable[[], object]]) -> list[str]:
    """The constraints that do not refuse what breaks them, each tried by itself, with no trigger
    before them.

    Of a unique constraint PostgreSQL says the name and SQLite the columns.
    """
    triggers_lift()
    messages = {name: _refusal(act) for name, act in breaks.items()}
    return [
        name
        for name, message in messages.items()
        if name not in message and not message.startswith("UNIQUE constraint failed")
    ]


def _refusal(act: Callable[[], object]) -> str:
    """What the database says of this; nothing of it stays."""
    try:
        with transaction.atomic():
            act()
            transaction.set_rollback(True)
    except IntegrityError as refusal:
        return str(refusal)
    return ""


def constraint_names(*wanted: type[models.Model]) -> set[str]:
    """The names of all constraints of these models."""
    return {constraint.name for model in wanted for constraint in model._meta.constraints}
