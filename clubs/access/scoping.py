"""Lookups of rows by club. Every query goes through here, so that no club sees another's data."""

from functools import cache
from typing import TypeVar

from django.db.models import ForeignKey, Model, QuerySet
from django.shortcuts import get_object_or_404

from clubs.models import Club

M = TypeVar("M", bound=Model)


def owned(club: Club, model: type[M]) -> QuerySet[M]:
    """The rows of `model` that belong to this club, over any number of foreign keys."""
    return model._default_manager.filter(**{club_path(model): club})


def of_club(club: Club, source: type[M] | QuerySet[M], **lookup: object) -> M:
    """The row of this club that the lookup names; Http404 for none, or another club's."""
    rows = source._default_manager.all() if isinstance(source, type) else source
    return get_object_or_404(rows.filter(**{club_path(rows.model): club}), **lookup)


@cache
def club_path(model: type[Model]) -> str:
    """The shortest lookup from a model to its club. Raises LookupError where there is none."""
    ways: list[tuple[str, type[Model]]] = [("", model)]
    seen = {model}
    for path, here in ways:
        for field in _parents(here):
            onward = f"{path}{field.name}"
            if field.related_model is Club:
                return onward
            if field.related_model not in seen:
                seen.add(field.related_model)
                ways.append((f"{onward}__", field.related_model))
    raise LookupError(f"{model.__name__} is of no club")


def _parents(model: type[Model]) -> list["ForeignKey[Model]"]:
    fields = model._meta.concrete_fields
    return [field for field in fields if isinstance(field, ForeignKey) and not field.null]
