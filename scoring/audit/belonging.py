"""Whether what a row of a club refers to is of the same club: over every reference there is, found
from the models of all apps. A database that is to be cut by club one day has no others."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import F, ForeignKey, Model, Q

from clubs.access.permissions import club_path
from clubs.models import Club


class Reference(NamedTuple):
    """A column of a club's rows that refers to rows of a club, with the path of both to it."""

    model: type[Model]
    name: str
    own: str
    theirs: str


@cache
def references_between() -> tuple[Reference, ...]:
    """Every reference between rows of clubs, but for those that say which club a row is of."""
    return tuple(
        Reference(model, field.name, own, f"{field.name}__{theirs}")
        for model in apps.get_models()
        if (own := path_to_club(model))
        for field in references_of(model)
        if (theirs := path_to_club(field.related_model)) and own.split("__")[0] != field.name
    )


def references_of(model: type[Model]) -> Iterator["ForeignKey[Model]"]:
    """The columns of a table that refer to another row."""
    for field in model._meta.concrete_fields:
        if isinstance(field, ForeignKey):
            yield field


def path_to_club(model: Any) -> str:
    """The path from a row to its club; empty where it is of none."""
    try:
        return "" if model is Club else club_path(model)
    except LookupError:
        return ""


def belonging_faults(club: Club | None = None) -> Iterator[str]:
    """The rows of a club, or of all, that refer to a row of another one."""
    for model, name, own, theirs in references_between():
        rows = model._default_manager.filter(~Q(**{own: F(theirs)}), **{f"{name}__isnull": False})
        if club is not None:
            rows = rows.filter(Q(**{own: club}) | Q(**{theirs: club}))
        for pk in rows.order_by("pk").values_list("pk", flat=True):
            yield f"{model._meta.label_lower} {pk}: its {name} is of another club"
