"""Who may open which page of the desk, and that reading never writes."""

import datetime as dt

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club, User
from tests.factories import (
    ClubFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
)
from tournaments.models import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.once]

EVENING = "/clubs/vrolijke-boer/desk/evenings/2026-11-21/"
TABLE = f"{EVENING}rounds/1/tables/1/"

FOR_SCOREKEEPERS = [
    "/clubs/vrolijke-boer/desk/",
    "/clubs/vrolijke-boer/desk/evenings/",
    f"{EVENING}board/",
    f"{EVENING}board/live/",
    TABLE,
]
FOR_DIRECTORS = [
    "/clubs/vrolijke-boer/desk/evenings/new/",
    f"{EVENING}edit/",
    f"{EVENING}rules/",
    f"{EVENING}cancel/",
    f"{EVENING}restore/",
    f"{EVENING}sit-out/",
    f"{EVENING}pairs/",
    "/clubs/vrolijke-boer/desk/couples/",
    f"{EVENING}present/",
    f"{EVENING}draw/",
    f"{EVENING}draw/type-in/",
    f"{EVENING}draw/type-in/lots/",
    f"{EVENING}draw/type-in/letters/",
    f"{EVENING}draw/undo/",
    f"{EVENING}rounds/1/start/",
    f"{EVENING}rounds/1/close/",
    f"{EVENING}rounds/1/reopen/",
    f"{EVENING}close/",
    f"{EVENING}prizes/",
    f"{EVENING}prizes/edit/",
    f"{EVENING}stake/",
    f"{EVENING}text/",
    "/clubs/vrolijke-boer/desk/cups/",
    f"{EVENING}reopen/",
    f"{TABLE}swap/",
    f"{TABLE}move/",
    f"{TABLE}substitute/",
    f"{TABLE}totals/",
    f"{TABLE}totals/clear/",
    f"{TABLE}cards/1/",
    f"{TABLE}cards/1/found/",
    f"{TABLE}deals/1/",
    f"{EVENING}tables/1/trail/",
]
FOR_ORGANISERS = [
    "/clubs/vrolijke-boer/desk/texts/message/nl/",
    "/clubs/vrolijke-boer/desk/rules/",
    "/clubs/vrolijke-boer/desk/seasons/",
    "/clubs/vrolijke-boer/desk/seasons/new/",
]
WRITES_OF_DIRECTORS = [
    f"{EVENING}pairs/as-before/",
    f"{EVENING}pairs/1/break/",
    "/clubs/vrolijke-boer/desk/couples/1/remove/",
    f"{EVENING}present/tick/",
    f"{EVENING}present/guest/",
    f"{EVENING}present/sign-off/",
    f"{EVENING}present/as-before/",
    f"{EVENING}freeze/",
    f"{EVENING}stake/tick/",
    f"{EVENING}stake/amounts/",
    f"{EVENING}stake/other/",
    f"{EVENING}cup/",
    "/clubs/vrolijke-boer/desk/cups/1/wins/1/remove/",
    f"{EVENING}publish/",
    f"{EVENING}play-off/",
    f"{TABLE}settle/",
]
PAGES = FOR_SCOREKEEPERS + FOR_DIRECTORS + FOR_ORGANISERS


@pytest.fixture
def club() -> Club:
    club = ClubFactory.create()
    evening_with_draw(club=club, players=9, method="lottery")
    return club


def _statuses(user: User | None, urls: list[str], method: str = "get") -> dict[str, int]:
    client = Client()
    if user:
        client.force_login(user)
    return {url: getattr(client, method)(url).status_code for url in urls}


def test_an_organiser_opens_everything_and_that_never_writes(club: Club) -> None:
    organiser = organiser_of(club)
    before = _everything(club), AuditEvent.objects.count()
    assert _statuses(organiser, PAGES) == dict.fromkeys(PAGES, 200)
    assert (_everything(club), AuditEvent.objects.count()) == before


@pytest.mark.full
def test_a_director_runs_evenings_but_not_the_club(club: Club) -> None:
    found = _statuses(director_of(club), PAGES)
    assert found == dict.fromkeys(FOR_SCOREKEEPERS + FOR_DIRECTORS, 200) | dict.fromkeys(
        FOR_ORGANISERS, 403
    )


@pytest.mark.full
def test_a_scorekeeper_only_enters_deals(club: Club) -> None:
    found = _statuses(scorekeeper_of(club), PAGES)
    assert found == dict.fromkeys(FOR_SCOREKEEPERS, 200) | dict.fromkeys(
        FOR_DIRECTORS + FOR_ORGANISERS, 403
    )


def test_an_organiser_of_another_club_is_refused(club: Club) -> None:
    stranger = organiser_of(ClubFactory.create())
    urls = PAGES + WRITES_OF_DIRECTORS
    assert _statuses(stranger, urls, "post") == dict.fromkeys(urls, 403)


@pytest.mark.full
def test_somebody_unknown_is_sent_to_log_in(club: Club) -> None:
    client = Client()
    for url in PAGES + WRITES_OF_DIRECTORS:
        response = client.post(url)
        assert (response.status_code, response.headers["Location"]) == (
            302,
            f"/login/?next={url}",
        )


@pytest.mark.full
def test_a_scorekeeper_cannot_write_what_a_director_does(club: Club) -> None:
    urls = FOR_DIRECTORS + WRITES_OF_DIRECTORS
    assert _statuses(scorekeeper_of(club), urls, "post") == dict.fromkeys(urls, 403)


def test_what_only_writes_cannot_be_read(club: Club) -> None:
    assert _statuses(organiser_of(club), WRITES_OF_DIRECTORS) == dict.fromkeys(
        WRITES_OF_DIRECTORS, 405
    )


@pytest.mark.full
@pytest.mark.parametrize(
    "url",
    [
        "/clubs/nergens/desk/",
        "/clubs/vrolijke-boer/desk/evenings/2026-11-22/",
        "/clubs/vrolijke-boer/desk/evenings/gisteren/present/",
        f"{EVENING}rounds/9/start/",
        f"{EVENING}rounds/1/tables/9/",
        f"{TABLE}?deal=17",
        f"{TABLE}?deal=zeven",
        f"{TABLE}?deal={'9' * 30}",
        f"{EVENING}rounds/{'9' * 30}/start/",
        "/clubs/vrolijke-boer/desk/seasons/%00/",
        "/clubs/vrolijke-boer/desk/evenings/new/?like=ooit",
        "/clubs/vrolijke-boer/desk/seasons/nooit/",
    ],
)
def test_what_is_not_there_is_not_found(club: Club, url: str) -> None:
    assert _statuses(organiser_of(club), [url]) == {url: 404}


def test_another_clubs_evening_is_not_found(club: Club) -> None:
    elsewhere = ClubFactory.create()
    evening_with_draw(club=elsewhere, date=dt.date(2026, 12, 5))
    url = "/clubs/vrolijke-boer/desk/evenings/2026-12-05/present/"
    assert _statuses(organiser_of(club), [url]) == {url: 404}


def _everything(club: Club) -> list[tuple[object, ...]]:
    return list(Evening.objects.of(club).values_list())
