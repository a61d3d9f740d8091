"""Nights of several clubs to test with."""

from typing import Any, cast

import pytest

from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory
from tests.tournaments.duplicate.played import TODAY, play_round, with_pairs
from tests.tournaments.leagues import league_of
from tournaments.closing.services import evening_close
from tournaments.duplicate.movement import movement_start
from tournaments.duplicate.nights import night_file, night_make, night_take
from tournaments.leagues.event_documents import event_document, sign
from tournaments.leagues.exchange import event_import
from tournaments.models import Evening, LeagueEvent, SharedNight


def made(clubs: int = 2, folders: int = 6, **columns: Any) -> SharedNight:
    return night_make(
        league=league_of(),
        name="Samen spelen",
        date=TODAY,
        clubs=clubs,
        folders=folders,
        actor=TESTS,
        **columns,
    )


def planned(night: SharedNight, slug: str, pairs: int = 4) -> Evening:
    """A club's evening with the cards of the night."""
    evening = with_pairs(pairs, club=ClubFactory.create(slug=slug, name=slug.title()))
    night_take(evening_id=evening.pk, text=night_file(night=night, actor=TESTS), actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def played(night: SharedNight, slug: str, seed: int = 1, pairs: int = 4) -> Evening:
    """The same, played and closed."""
    evening = planned(night, slug, pairs)
    movement_start(evening_id=evening.pk, actor=TESTS)
    evening = Evening.objects.get(pk=evening.pk)
    for number in range(1, evening.rounds_planned + 1):
        play_round(evening, number, seed=seed)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def brought(night: SharedNight, evening: Evening) -> LeagueEvent:
    document = event_document(evening, night.league.slug)
    return event_import(league=night.league, document=document, actor=TESTS).event


def signed(evening: Evening, document: dict[str, Any]) -> dict[str, Any]:
    return sign(evening.club, document)


def lines_of(caught: pytest.ExceptionInfo[DomainError]) -> list[str]:
    return cast("list[str]", caught.value.params["lines"])


def pages_of(evening: Evening) -> str:
    return f"/clubs/{evening.club.slug}/evenings/{evening.slug}/folders/"


def night_page(night: SharedNight) -> str:
    return f"/leagues/{night.league.slug}/nights/{night.pk}/"
