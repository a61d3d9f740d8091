"""What the public pages show, as lists to take away."""

import datetime as dt
import json

import pytest
from django.test import Client

from clubs.models import Member
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.tournaments.files import csv_lines_of
from tests.tournaments.public_pages import close_evening, evening_path, get
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    """One table, one deal written: 90 for Jan and Piet; Kees sits out."""
    evening = evening_with_draw(players=5, rounds=1, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    return evening


def csv_lines(client: Client, evening: Evening, more: str) -> list[str]:
    return csv_lines_of(get(client, evening_path(evening, more)).content)


@pytest.mark.full
def test_the_standings_of_an_evening(client: Client, evening: Evening) -> None:
    assert csv_lines(client, evening, "?format=csv") == [
        "rank,player,total,pits,running,deals",
        ",Jan Bakker,0,0,90,1",
        ",Kees Mulder,0,0,,",
        ",Mia van der Meer,0,0,72,1",
        ",Piet Visser,0,0,90,1",
        ",Truus de Vries,0,0,72,1",
    ]
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="kort")
    assert csv_lines(client, evening, "?format=csv") == [
        "rank,player,total,round_1,pits",
        "1,Kees Mulder,1600,1600,0",
        "2,Jan Bakker,90,90,0",
        "2,Piet Visser,90,90,0",
        "4,Mia van der Meer,72,72,0",
        "4,Truus de Vries,72,72,0",
    ]


@pytest.mark.full
def test_of_a_closed_evening_it_is_the_release_that_is_shown(
    client: Client, evening: Evening
) -> None:
    close_evening(evening, ns=100)
    close = csv_lines(client, evening, "?release=1&format=csv")
    assert close[1] == "1,Kees Mulder,1600,1600,0"
    assert csv_lines(client, evening, "?format=csv") == close


@pytest.mark.full
def test_the_draw_by_name_and_by_table(client: Client, evening: Evening) -> None:
    assert csv_lines(client, evening, "?show=names&format=csv") == [
        "player,table,partner",
        "Jan Bakker,1,Piet Visser",
        "Mia van der Meer,1,Truus de Vries",
        "Kees Mulder,,",
        "Piet Visser,1,Jan Bakker",
        "Truus de Vries,1,Mia van der Meer",
    ]
    assert csv_lines(client, evening, "?show=tables&round=1&format=csv") == [
        "round,table,n,e,s,w",
        "1,1,Jan Bakker,Mia van der Meer,Piet Visser,Truus de Vries",
    ]


@pytest.mark.full
def test_only_the_names_that_were_looked_up(client: Client, evening: Evening) -> None:
    page = get(client, evening_path(evening, "?show=names&q=bakker&format=json"))
    assert json.loads(page.content) == [
        {"player": "Jan Bakker", "table": 1, "partner": "Piet Visser"}
    ]


@pytest.mark.full
def test_the_buttons_ask_for_what_is_shown(client: Client, evening: Evening) -> None:
    for more, asked in (("", "?"), ("?show=tables&round=1", "?show=tables&amp;round=1&amp;")):
        page = get(client, evening_path(evening, more)).content.decode()
        offered = [fmt for fmt in ("csv", "xlsx", "json") if f'href="{asked}format={fmt}"' in page]
        assert offered == ["csv", "xlsx"]  # JSON is for programs


def test_a_frozen_evening_gives_its_points_to_nobody(client: Client, evening: Evening) -> None:
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    assert csv_lines(client, evening, "?show=standings&format=csv") == ["rank,player,total,pits"]
    assert get(client, evening_path(evening, "?show=standings&format=json")).content == b"[]"


def test_public_names_only(client: Client, evening: Evening) -> None:
    Member.objects.filter(number=1).update(public_name="=J.B.")
    for more in ("?format=csv", "?show=names&format=csv", "?show=tables&format=csv"):
        text = get(client, evening_path(evening, more)).content.decode()
        assert ("'=J.B." in text, "Bakker" in text) == (True, False)


@pytest.mark.full
def test_each_standing_of_a_season_with_what_is_dropped_in_brackets(client: Client) -> None:
    club = ClubFactory.create()
    season = season_create(club=club, name="2026", actor=TESTS)
    season_rule_add(season=season, name="Klassement", settings={"best_per_period": 1}, actor=TESTS)
    for day, ns in ((14, 100), (21, 90)):
        evening = evening_with_draw(
            players=4,
            rounds=1,
            club=club,
            season=season,
            date=dt.date(2026, 11, day),
            method=Evening.Method.TYPED_IN,
        )
        close_evening(evening, ns=ns)
    path = "/clubs/vrolijke-boer/seasons/2026/"
    # The best of two: Jan and Piet 100 of 100 and 90, Mia and Truus 72 of 62 and 72.
    assert csv_lines_of(get(client, f"{path}?format=csv").content) == [
        "rank,player,total,counted,evenings,average,pits,2026-11-14,2026-11-21",
        "1,Jan Bakker,190,100,2,100.00,0,100,(90)",
        "1,Piet Visser,190,100,2,100.00,0,100,(90)",
        "3,Mia van der Meer,134,72,2,72.00,0,(62),72",
        "3,Truus de Vries,134,72,2,72.00,0,(62),72",
    ]
    first = json.loads(get(client, f"{path}?format=json").content)[0]
    assert first["by_date"] == {
        "2026-11-14": {"score": 100, "dropped": False},
        "2026-11-21": {"score": 90, "dropped": True},
    }
    assert 'href="?format=xlsx"' in get(client, path).content.decode()
    assert client.get(f"{path}?standing=9&format=csv").status_code == 404
