"""Who met whom: the page of a person and the table of a season."""

import csv
import datetime as dt
import io

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, evening_with_draw
from tests.tournaments.files import csv_lines_of
from tests.tournaments.public_pages import close_evening, get, play_round, rows, words
from tournaments.closing.services import evening_cancel
from tournaments.draw.services import draw_make, draw_publish, draw_type_in
from tournaments.models import Evening, Placement, Season
from tournaments.registration.check_in import presence_replace
from tournaments.rounds.services import round_start
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

MATRIX = "/clubs/vrolijke-boer/seasons/2026/met/"
CSV = "/clubs/vrolijke-boer/seasons/2026/met/?format=csv"
SATURDAY = dt.date(2026, 11, 21)
SEATS = "NESW"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    """The members are 1 Bakker, 2 van der Meer, 3 Visser, 4 de Vries, 5 Mulder, 6 Smit-de Boer,
    7 Bos."""
    MemberFactory.create_batch(7, club=club)
    return season_create(club=club, name="2026", actor=TESTS)


def met_path(number: int, more: str = "") -> str:
    member = Member.objects.get(club__slug="vrolijke-boer", number=number)
    return f"/clubs/vrolijke-boer/players/{member.pk}/met/{more}"


def typed(
    season: Season | None, week: int, *tables: str, out: str = "", club: Club | None = None
) -> Evening:
    """An evening of one round, so many weeks after 21 November, that has started: tables as the
    numbers of who sits N E S W, three of them at a table of three."""
    club = season.club if season else club
    evening = EveningFactory.create(
        club=club,
        season=season,
        date=SATURDAY + dt.timedelta(weeks=week),
        rounds_planned=2,
        method="typed_in",
        leftover="three_handed",
    )
    by_number = {str(who.number): who for who in Member.objects.of(evening.club)}
    here = [by_number[number] for number in "".join(tables) + out]
    presence_replace(evening_id=evening.pk, members=here, actor=TESTS)
    seatings = [
        {seat: by_number[number] for seat, number in zip(SEATS, table, strict=False)}
        for table in tables
    ]
    draw_type_in(
        evening_id=evening.pk, tables=seatings, sit_out=[by_number[who] for who in out], actor=TESTS
    )
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    return evening


@pytest.mark.full
def test_how_often_as_partner_and_against_and_when_last(client: Client, season: Season) -> None:
    typed(season, 0, "1234", out="5")
    typed(season, 1, "1325", out="4")
    typed(season, 2, "5134", out="2")
    # With Visser once together with each of both kinds; Mulder and de Vries once against each.
    page = get(client, met_path(1))
    assert "Met wie Jan Bakker speelde" in words(page)
    assert rows(page) == [
        ["Piet Visser", "1", "2", "5 dec"],
        ["Mia van der Meer", "1", "1", "28 nov"],
        ["Kees Mulder", "0", "2", "5 dec"],
        ["Truus de Vries", "1", "1", "5 dec"],
    ]


@pytest.mark.full
def test_a_table_of_three_has_no_partners(client: Client, season: Season) -> None:
    typed(season, 0, "1234", "567")
    assert rows(get(client, met_path(5))) == [
        ["Henk Bos", "0", "1", "21 nov"],
        ["Annie Smit-de Boer", "0", "1", "21 nov"],
    ]


@pytest.mark.full
def test_turns_beside_the_fair_share(client: Client, season: Season) -> None:
    typed(season, 0, "1234", out="5")
    typed(season, 1, "1234", "567")
    # Mulder was there for 2 of the 12 turns there were places for: 1 turn of sitting out and 3 at
    # a table of three in all, so 0.2 and 0.5 are his share.
    page = words(get(client, met_path(5)))
    assert "Rondes aanwezig 2" in page
    assert "Stilzitten 1 keer; naar verhouding zou het 0,2 zijn" in page
    assert "Tafel van drie 1 keer; naar verhouding zou het 0,5 zijn" in page


@pytest.mark.full
def test_where_nobody_sat_out_it_says_so(client: Client, season: Season) -> None:
    typed(season, 0, "1234")
    page = words(get(client, met_path(1)))
    assert "Stilzitten niemand hoefde" in page
    assert "Tafel van drie" not in page


@pytest.mark.full
def test_whom_of_tonight_somebody_has_not_met(client: Client, season: Season) -> None:
    close_evening(typed(season, 0, "1234"))
    close_evening(typed(season, 1, "5672"))
    page = words(get(client, met_path(1)))
    assert "Nog niet samen aan tafel 3 spelers: Henk Bos Kees Mulder Annie Smit-de Boer" in page
    typed(season, 2, "1234", "567")
    page = words(get(client, met_path(2)))
    assert "Vanavond aanwezig en dit seizoen nog niet samen aan tafel" not in page
    page = words(get(client, met_path(4)))
    assert (
        "Vanavond aanwezig en dit seizoen nog niet samen aan tafel 3 spelers: Henk Bos Kees Mulder"
        in page
    )


def test_a_draft_and_a_round_to_come_are_not_shown(client: Client, season: Season) -> None:
    evening = EveningFactory.create(club=season.club, season=season, method="lottery")
    four = list(Member.objects.order_by("number")[:4])
    presence_replace(evening_id=evening.pk, members=four, actor=TESTS)
    draw_make(evening_id=evening.pk, actor=TESTS)
    assert client.get(met_path(1)).status_code == 404
    draw_publish(evening_id=evening.pk, actor=TESTS)
    for path in (met_path(1, "?season="), MATRIX):
        page = get(client, path)
        assert "Er is nog geen ronde gespeeld waarvan de loting bekend is." in words(page)
        assert rows(page) == []
    assert csv_lines_of(client.get(CSV).content) == ["player,other,partners,opponents"]
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    assert len(rows(get(client, met_path(1)))) == 3


@pytest.mark.full
def test_an_evening_called_off_does_not_count(client: Client, season: Season) -> None:
    evening = typed(season, 0, "1234")
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    assert rows(get(client, MATRIX)) == []


@pytest.mark.full
def test_seasons_are_told_apart(client: Client, season: Season) -> None:
    later = season_create(club=season.club, name="2027", actor=TESTS)
    typed(season, 0, "1234")
    typed(later, 6, "1243")
    newest = get(client, met_path(1))
    assert [row[0] for row in rows(newest)] == ["Mia van der Meer", "Piet Visser", "Truus de Vries"]
    assert rows(newest)[2][1:] == ["1", "0", "2 jan"]
    assert '<a href="?season=2026">2026</a>' in newest.content.decode()
    assert rows(get(client, met_path(1, "?season=2026")))[2][1:] == ["0", "1", "21 nov"]
    assert client.get(met_path(5, "?season=2026")).status_code == 404
    assert client.get(met_path(1, "?season=x")).status_code == 404


@pytest.mark.full
def test_evenings_in_no_season_count_together(client: Client, club: Club) -> None:
    MemberFactory.create_batch(4, club=club)
    typed(None, 0, "1234", club=club)
    assert len(rows(get(client, met_path(1)))) == 3


@pytest.mark.full
def test_the_table_of_a_season_has_everybody_with_everybody(client: Client, season: Season) -> None:
    typed(season, 0, "1234")
    typed(season, 1, "1325")
    page = get(client, MATRIX)
    # In the order Bakker, van der Meer, Mulder, Visser, de Vries.
    assert rows(page) == [
        ["Jan Bakker", "–", "1·1", "0·1", "1·1", "0·1"],
        ["Mia van der Meer", "1·1", "–", "0·1", "0·2", "1·0"],
        ["Kees Mulder", "0·1", "0·1", "–", "1·0", ""],
        ["Piet Visser", "1·1", "0·2", "1·0", "–", "0·1"],
        ["Truus de Vries", "0·1", "1·0", "", "0·1", "–"],
    ]
    assert (
        "5 spelers, 2 avonden: de meeste tweetallen zaten 1 of 2 keer samen aan tafel, "
        "het meest was 2 keer, bij 3 tweetallen."
    ) in words(page)


@pytest.mark.full
def test_the_summary_names_who_were_together_most(client: Client, season: Season) -> None:
    typed(season, 0, "1234")
    typed(season, 1, "1567")
    typed(season, 2, "1425")
    typed(season, 3, "152", "346")
    # Bakker was with van der Meer and with Mulder three times; then also with Mulder.
    typed(season, 4, "156", "347")
    assert "het meest Jan Bakker en Kees Mulder: 4 keer." in words(get(client, MATRIX))


@pytest.mark.full
def test_the_file_has_every_two_who_met_once(client: Client, season: Season) -> None:
    typed(season, 0, "1234")
    typed(season, 1, "1425")
    response = client.get(CSV)
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert (
        "de-vrolijke-boer-2026-wie-met-wie-speelde.csv" in response.headers["Content-Disposition"]
    )
    found = list(csv.reader(io.StringIO(response.content.decode())))
    assert found == [
        ["player", "other", "partners", "opponents"],
        ["Jan Bakker", "Mia van der Meer", "1", "1"],
        ["Jan Bakker", "Truus de Vries", "0", "2"],
        ["Mia van der Meer", "Truus de Vries", "1", "1"],
        ["Jan Bakker", "Kees Mulder", "0", "1"],
        ["Jan Bakker", "Piet Visser", "1", "0"],
        ["Mia van der Meer", "Kees Mulder", "0", "1"],
        ["Mia van der Meer", "Piet Visser", "0", "1"],
        ["Kees Mulder", "Truus de Vries", "1", "0"],
        ["Piet Visser", "Truus de Vries", "0", "1"],
    ]


@pytest.mark.full
def test_whom_somebody_met_is_a_file_too(client: Client, season: Season) -> None:
    typed(season, 0, "1234")
    assert csv_lines_of(client.get(met_path(1, "?season=2026&format=csv")).content) == [
        "player,partners,opponents,last",
        "Mia van der Meer,0,1,2026-11-21",
        "Piet Visser,1,0,2026-11-21",
        "Truus de Vries,0,1,2026-11-21",
    ]


@pytest.mark.full
def test_many_people_get_the_file_and_a_list(client: Client, club: Club) -> None:
    season = season_create(club=club, name="2026", actor=TESTS)
    evening_with_draw(club=club, players=84, rounds=1, season=season)
    page = get(client, MATRIX)
    assert rows(page) == []
    assert "te lezen tot 80 mensen" in words(page)
    assert 'href="?format=csv"' in page.content.decode()
    assert all(
        f'href="{met_path(number)}?season=2026"' in page.content.decode() for number in (1, 84)
    )


def test_public_names_only(client: Client, season: Season) -> None:
    Member.objects.filter(number=1).update(public_name="J.B.")
    typed(season, 0, "1234")
    for path in (met_path(1), met_path(2), MATRIX, CSV):
        text = client.get(path).content.decode()
        assert ("J.B." in text, "Jan Bakker" in text) == (True, False)


@pytest.mark.full
def test_the_pages_are_linked(client: Client, season: Season) -> None:
    evening = typed(season, 0, "1234")
    player = f"/clubs/vrolijke-boer/players/{Member.objects.get(number=1).pk}/"
    assert f'href="{met_path(1)}"' in get(client, player).content.decode()
    close_evening(evening)
    assert f'href="{MATRIX}"' in get(client, "/clubs/vrolijke-boer/seasons/2026/").content.decode()
    assert f'href="{met_path(1)}?season=2026"' in get(client, MATRIX).content.decode()


def test_a_person_of_another_club_or_nobody_is_not_found(client: Client, season: Season) -> None:
    other = MemberFactory.create(club=ClubFactory.create(name="Elders", slug="elders"))
    typed(season, 0, "1234")
    assert client.get(f"/clubs/vrolijke-boer/players/{other.pk}/met/").status_code == 404
    assert client.get("/clubs/elders/seasons/2026/met/").status_code == 404


def test_queries_do_not_grow(
    client: Client, season: Season, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for week in range(3):
        play_round(typed(season, week, "1234", "567"))
        if week in (0, 2):
            path = met_path(1)
            with django_assert_num_queries(6):
                get(client, path)
            with django_assert_num_queries(8):
                get(client, MATRIX)
    assert Placement.objects.count() == 21
