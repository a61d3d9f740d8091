"""Every row of a club is of one club alone: which one, no key of it is shared with other clubs, and
what it refers to is of the same club."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, transaction
from django.db.models import F, ForeignKey, Model, UniqueConstraint, UUIDField
from pytest_django import DjangoDbBlocker

from clubs.models import Club
from scoring.audit.verify import (
    Reference,
    belonging_faults,
    faults,
    path_to_club,
    references_between,
)
from tests.access.world import World
from tournaments.transfer.out import LEFT_BEHIND, OF_A_CLUB
from tournaments.transfer.replacing import ONLY_HERE

OWN_APPS = {"clubs", "scoring", "tournaments"}
MODELS = {
    model._meta.label_lower: model
    for model in apps.get_models()
    if model._meta.app_label in OWN_APPS
}
PERHAPS_OF_A_CLUB = {
    "clubs.apitoken": "of somebody, and for one of their clubs if they say so",
    "tournaments.copy": "a file that is sent before there is a club",
    "tournaments.copypiece": "of such a file",
}
"""What has no club to be found by, though it may name one; deleted with it."""
OF_EVERYBODY: Mapping[str, str] = {
    "clubs.auditevent chain number": "a chain is named by the UUID of what it is of",
    "scoring.folder pack number": "a pack is a UUID of its own",
    "tournaments.entrylist door_digest": "of a secret of 160 bits",
    "tournaments.pulllink secret_hash": "of a secret of 160 bits",
    "tournaments.tabletoken digest": "of a secret of 160 bits",
    "clubs.club slug": "the address of the club",
}
"""Keys that are unique over all clubs, and why that holds where clubs are apart: besides UUIDs,
which no two rows ever share."""

NOBODY_HAS = {
    *("CompetitorCorrection.competitor", "CompetitorResult.competitor", "Deal.folder"),
    *("DeletedEvening.kind", "DeletedEvening.regulation", "DeletedEvening.season"),
    *("EveningPair.competitor", "FolderPlay.deal", "Follower.member"),
    *("PersonCorrection.evening", "PersonCorrection.season", "PlayOffScore.member"),
}
"""References of which the two clubs here have no row, so that none can be planted."""


@pytest.fixture(scope="module")
def worlds(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[World, World]]:
    """Two clubs that have everything."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield (
            World("roodhart", dt.date(2026, 11, 21)),
            World("zilverberg", dt.date(2026, 11, 20)),
        )
        transaction.set_rollback(True)


def of_a_club() -> dict[str, type[Model]]:
    return {label: model for label, model in MODELS.items() if path_to_club(model)}


def test_every_table_is_of_a_club_or_it_is_said_why_not() -> None:
    without = MODELS.keys() - of_a_club().keys() - {"clubs.club"}
    assert without - LEFT_BEHIND.keys() - PERHAPS_OF_A_CLUB.keys() == set()
    assert of_a_club().keys() | {"clubs.club"} >= OF_A_CLUB.keys()
    assert ONLY_HERE.keys() <= of_a_club().keys() | PERHAPS_OF_A_CLUB.keys()


def test_every_path_to_a_club_is_there_for_every_row() -> None:
    """No step of it may be empty, but for a club that a league's trail has none of."""
    empty = []
    for label, model in of_a_club().items():
        here = model
        for name in path_to_club(model).split("__"):
            field = here._meta.get_field(name)
            assert isinstance(field, ForeignKey)
            empty += [(label, name)] if field.null else []
            here = field.related_model
        assert here is Club
    assert empty == [("clubs.auditevent", "club"), ("clubs.audittext", "club")]


def test_every_unique_key_has_the_club_in_it_or_is_of_everybody() -> None:
    models: dict[str, type[Model]] = {**of_a_club(), "clubs.club": Club}
    shared = {
        f"{label} {' '.join(names)}"
        for label, model in models.items()
        for names in keys_of(model)
        if not _names_a_club(model, names)
    }
    assert shared == set(OF_EVERYBODY)


def keys_of(model: type[Model]) -> Iterator[tuple[str, ...]]:
    """The columns of each unique key; of one that is worked out, those it is made of."""
    for field in model._meta.concrete_fields:
        if field.unique and not field.primary_key:
            yield (field.name,)
    for constraint in model._meta.constraints:
        if isinstance(constraint, UniqueConstraint):
            worked_out = [name for made in constraint.expressions for name in _parts(made)]
            yield (*constraint.fields, *worked_out)


def _parts(expression: Any) -> Iterator[str]:
    if isinstance(expression, F):
        yield str(expression.name)  # type: ignore[attr-defined]
        return
    for source in expression.get_source_expressions():
        yield from _parts(source)


def _names_a_club(model: type[Model], names: tuple[str, ...]) -> bool:
    fields = [model._meta.get_field(name) for name in names]
    if len(fields) == 1 and isinstance(fields[0], UUIDField) and fields[0].name == "uuid":
        return True
    return any(
        isinstance(field, ForeignKey)
        and (field.related_model is Club or bool(path_to_club(field.related_model)))
        for field in fields
    )


@pytest.mark.django_db
def test_two_clubs_that_have_everything_refer_to_nothing_of_each_other(
    worlds: tuple[World, World],
) -> None:
    assert list(belonging_faults()) == []
    assert [list(belonging_faults(world.club)) for world in worlds] == [[], []]


@pytest.mark.django_db
@pytest.mark.each_case
@pytest.mark.parametrize(
    "reference", references_between(), ids=lambda it: f"{it.model.__name__}.{it.name}"
)
def test_each_reference_to_another_club_is_found(
    reference: Reference, worlds: tuple[World, World]
) -> None:
    model, name, own = reference[:3]
    here, elsewhere = worlds
    row = model._default_manager.filter(**{own: here.club.pk}).first()
    field = model._meta.get_field(name)
    assert isinstance(field, ForeignKey)
    to = field.related_model
    other = to._default_manager.filter(**{path_to_club(to): elsewhere.club.pk}).first()
    assert (row is None or other is None) == (f"{model.__name__}.{name}" in NOBODY_HAS)
    if row is None or other is None:
        return
    changed = model._default_manager.filter(pk=row.pk)
    with transaction.atomic():
        if not _is_refused(lambda: changed.update(**{name: other})):
            message = f"{model._meta.label_lower} {row.pk}: its {name} is of another club"
            assert message in list(belonging_faults(here.club))
        transaction.set_rollback(True)


def _is_refused(act: Callable[[], object]) -> bool:
    """Whether a key, a check or a trigger of the database keeps it from being done."""
    try:
        with transaction.atomic():
            act()
    except DatabaseError:
        return True
    return False


@pytest.mark.django_db
def test_verify_tells_of_it(worlds: tuple[World, World]) -> None:
    here, elsewhere = worlds
    with transaction.atomic():
        season = elsewhere.season
        type(here.tonight).objects.filter(pk=here.tonight.pk).update(season=season)
        told = f"tournaments.evening {here.tonight.pk}: its season is of another club"
        assert told in list(faults(here.club, sealed=False))
        transaction.set_rollback(True)
