"""One club never sees another's: what is of a club is looked up here, and nowhere without it."""

from functools import cache
from typing import TypeVar

from django.db.models import ForeignKey, Model, QuerySet
from django.shortcuts import get_object_or_404

from clubs.models import Club

M = TypeVar("M", bound=Model)


def owned(club: Club, model: type[M]) -> QuerySet[M]:
    """The rows of `model` that are of this club, whatever number of steps away."""
    return model._default_manager.filter(**{club_path(model): club})


def of_club(club: Club, found: type[M] | QuerySet[M], **lookup: object) -> M:
    """The one of this club that is asked for; Http404 where there is none, or it is another's."""
    rows = found._default_manager.all() if isinstance(found, type) else found
    return get_object_or_404(rows.filter(**{club_path(rows.model): club}), **lookup)


@cache
def club_path(model: type[Model]) -> str:
    """Over which fields a row of this kind leads to its club, the shortest way.

    Raises LookupError for what is of no club.
    """
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
