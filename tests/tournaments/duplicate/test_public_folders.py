"""What everybody sees of folders: nothing of the cards before the evening is over, then all."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.members.services import member_change
from clubs.models import Member
from tests.factories import TESTS, ClubFactory, write_deal
from tests.tournaments.duplicate.played import (
    TODAY,
    play_all,
    play_round,
    started,
    tables_of,
    with_pairs,
)
from tests.tournaments.public_pages import get, rows, speak_english, words
from tests.tournaments.table_pages import link
from tournaments.closing.services import evening_close, evening_reopen
from tournaments.duplicate.movement import movement_start
from tournaments.duplicate.queries import duplicate_of, duplicate_results
from tournaments.duplicate.services import folders_deal, ruling_give
from tournaments.evenings.services import evening_freeze
from tournaments.models import Competitor, Evening, FolderPlay
from tournaments.registration.competitors import competitor_create
from tournaments.releases.services import correction_publish
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db
FOLDERS = "/clubs/vrolijke-boer/evenings/2026-11-21/folders/"
SEASON = "/clubs/vrolijke-boer/seasons/2026-2027/folders/"


def over(pairs: int = 4, folders: int = 6) -> Evening:
    evening = play_all(started(pairs, folders=folders))
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get()


@pytest.mark.full
def test_before_the_evening_only_the_commitment(client: Client) -> None:
    evening = with_pairs(4, folders=6)
    made = folders_deal(evening_id=evening.pk, actor=TESTS)
    page = words(get(client, FOLDERS))
    assert made.commitment in page
    assert made.seed not in page
    assert client.get(f"{FOLDERS}?hands=json").status_code == 404
    assert "kaarten en de uitslag van een map zijn hier na de avond te zien" in words(
        get(client, f"{FOLDERS}1/")
    )


@pytest.mark.full
def test_places_are_held_back_until_the_club_shows_them(client: Client) -> None:
    evening = started(4, folders=6)
    play_round(evening, 1)
    page = get(client, FOLDERS)
    assert rows(page) == []
    assert "De plaatsen zijn te zien na de prijsuitreiking." in words(page)
    assert client.get(f"{FOLDERS}?format=csv").headers["Content-Type"].startswith("text/html")
    evening_freeze(evening_id=evening.pk, frozen=False, actor=TESTS)
    assert len(rows(get(client, FOLDERS))) == 2


def test_after_the_evening_the_seed_gives_the_cards_again(client: Client) -> None:
    evening = over()
    duplicate = duplicate_of(evening)
    assert duplicate.seed in words(get(client, FOLDERS))
    given = json.loads(client.get(f"{FOLDERS}?hands=json").content)
    assert (given["seed"], len(given["boards"])) == (duplicate.seed, 6)
    assert client.get(f"{FOLDERS}?hands=pbn").content.count(b"[Deal ") == 6
    assert client.get(f"{FOLDERS}?hands=exe").status_code == 404


@pytest.mark.full
def test_places_with_percentages(client: Client) -> None:
    evening = over()
    results = duplicate_results(evening, duplicate_of(evening))
    shown = [row for table in (0, 1) for row in rows(get(client, FOLDERS), table=table)]
    ranked = [row for ranking in results.ranking for row in ranking.rows]
    assert [row[0] for row in shown] == [str(row.place) for row in ranked]
    assert [row[2].split()[0] for row in shown] == [
        f"{row.worth.percentage}%".replace(".", ",") for row in ranked
    ]
    assert ["6 mappen" in row[1] for row in shown] == [True] * 4
    csv = client.get(f"{FOLDERS}?format=csv").content.decode().splitlines()
    assert csv[0] == '"line","place","pair","players","points","percentage","folders"'
    assert len(csv) == 5


@pytest.mark.full
def test_the_page_of_the_evening_begins_with_these_places(client: Client) -> None:
    evening = over()
    places = [row for table in (0, 1) for row in rows(get(client, FOLDERS), table=table)]
    page = get(client, FOLDERS.removesuffix("folders/"))
    assert [row for table in (0, 1) for row in rows(page, table=table)] == places
    assert b'class="podium' not in page.content
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    hidden = get(client, FOLDERS.removesuffix("folders/"))
    assert b"folders/pairs/" not in hidden.content


def test_a_folder_with_its_cards_and_what_everybody_made_of_it(client: Client) -> None:
    over()
    page = get(client, f"{FOLDERS}2/")
    assert "Oost geeft" in words(page)
    assert page.content.count(b'class="hand hand-') == 4
    assert len(rows(page)) == 2
    speak_english(client)
    assert "East deals" in words(get(client, f"{FOLDERS}2/"))
    assert client.get(f"{FOLDERS}7/").status_code == 404


@pytest.mark.full
def test_the_list_of_a_pair(client: Client) -> None:
    over()
    page = get(client, f"{FOLDERS}pairs/1/")
    assert [row[1] for row in rows(page)] == ["1", "2", "3", "4", "5", "6"]
    assert client.get(f"{FOLDERS}pairs/9/").status_code == 404


def test_who_is_hidden_is_hidden_here(client: Client) -> None:
    evening = over()
    member = evening.club.members.get(number=1)
    member_change(
        member=member,
        seen_version=member.version,
        name=member.name,
        public_as="hidden",
        actor=TESTS,
    )
    for path in ("", "1/", "pairs/1/", "?format=csv"):
        assert "Jan Bakker" not in client.get(f"{FOLDERS}{path}").content.decode()


@pytest.mark.parametrize(("pairs", "folders"), [(4, 6), (12, 24)])
def test_the_places_take_as_few_queries_for_many_tables(
    client: Client, pairs: int, folders: int, django_assert_num_queries: object
) -> None:
    evening = started(pairs, folders=folders)
    play_round(evening, 1)
    evening_freeze(evening_id=evening.pk, frozen=False, actor=TESTS)
    get(client, FOLDERS)
    with django_assert_num_queries(5):  # type: ignore[operator]
        get(client, FOLDERS)


@pytest.mark.full
def test_a_season_goes_by_the_mean_of_percentages(client: Client) -> None:
    evening = over()
    season = season_create(club=evening.club, name="2026-2027", actor=TESTS)
    Evening.objects.update(season=season)
    results = duplicate_results(evening, duplicate_of(evening))
    best = max(row.worth.percentage or 0 for ranking in results.ranking for row in ranking.rows)
    page = get(client, SEASON)
    assert len(rows(page)) == 8
    assert rows(page)[0][0::2] == ["1", f"{best}%".replace(".", ",")]


@pytest.mark.full
@pytest.mark.parametrize("evenings", [1, 3])
def test_a_season_is_worked_out_once(client: Client, evenings: int) -> None:
    club = ClubFactory.create()
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    for day in range(evenings):
        evening = play_all(started(4, folders=6, club=club, date=TODAY + timedelta(days=day)))
        Evening.objects.filter(pk=evening.pk).update(season=season)
        evening_close(evening_id=evening.pk, actor=TESTS)
    assert [queries_of(client), queries_of(client)] == [5, 4]
    ruling_give(
        evening_id=evening.pk,
        play_id=evening_play(evening).pk,
        percent=0,
        reason="x",
        fouled=False,
        actor=TESTS,
    )
    assert queries_of(client) == 4
    correction_publish(evening=evening, reason="x", actor=TESTS)
    assert [queries_of(client), queries_of(client)] == [5, 4]
    if evenings == 1:
        results = duplicate_results(evening, duplicate_of(evening))
        ranked = [row.worth for line in results.ranking for row in line.rows]
        worst = min(worth.percentage for worth in ranked if worth.percentage is not None)
        assert rows(get(client, SEASON))[-1][2] == f"{worst:.2f}%".replace(".", ",")


def queries_of(client: Client) -> int:
    """How many queries the percentages of the season take."""
    with CaptureQueriesContext(connection) as queries:
        get(client, SEASON)
    return len(queries)


def evening_play(evening: Evening) -> FolderPlay:
    return FolderPlay.objects.filter(folder__pack=evening.uuid).order_by("pk")[0]


def test_who_plays_with_whom_is_not_told_before_the_pairs_have_tables(client: Client) -> None:
    evening = with_pairs(4, folders=6)
    assert client.get(f"{FOLDERS}pairs/1/").status_code == 404
    movement_start(evening_id=evening.pk, actor=TESTS)
    page = get(client, f"{FOLDERS}pairs/1/")
    assert rows(page) == []
    assert "is hier na de avond te zien" in words(page)


@pytest.mark.full
def test_of_a_running_evening_a_pairs_page_has_no_results(client: Client) -> None:
    evening = started(4, folders=6)
    play_round(evening, 1)
    evening_freeze(evening_id=evening.pk, frozen=False, actor=TESTS)
    assert rows(get(client, f"{FOLDERS}pairs/1/")) == []


def test_the_name_of_a_team_does_not_say_who_is_hidden(client: Client) -> None:
    evening = started(4, kind="teams_of_four", folders=6)
    member = evening.club.members.get(number=1)
    team = competitor_create(
        club=evening.club,
        kind=Competitor.Kind.TEAM,
        name=f"Team {member.name}",
        people=[member],
        since=TODAY,
        actor=TESTS,
    )
    evening.registrations.filter(pair__in=(1, 2)).update(team=team)
    evening_freeze(evening_id=evening.pk, frozen=False, actor=TESTS)
    play_round(evening, 1)
    assert member.name in words(get(client, FOLDERS))
    Member.objects.filter(pk=member.pk).update(public_as="hidden")
    assert member.name not in words(get(client, FOLDERS))


@pytest.mark.full
def test_the_phone_says_which_folder_comes_next(client: Client) -> None:
    evening = started(4, folders=6)
    table = tables_of(evening)[0]
    path = link(evening)
    assert "Map 1 · spel 1 van 3" in words(get(client, path))
    assert "Geef alleen de totalen door" not in words(get(client, path))
    write_deal(table, 1, declarer="NS", trump=None, points={"NS": 81})
    assert "Map 2 · spel 2 van 3" in words(get(client, path))
