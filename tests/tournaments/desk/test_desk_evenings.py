"""The desk's first page, the list of evenings, and evenings made, changed and called off."""

import datetime as dt
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
import time_machine
from django.test import Client

from clubs.models import Club
from scoring.models import Regulation
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    regulation_of,
    table,
    write_deal,
)
from tests.tournaments.desk import messages_in, text
from tests.tournaments.public_pages import close_evening
from tournaments.closing.services import evening_cancel
from tournaments.imports.results import results_import
from tournaments.models import Evening, Season
from tournaments.registration.check_in import presence_replace
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

DESK = "/clubs/vrolijke-boer/desk/"
EVENINGS = f"{DESK}evenings/"
SATURDAY = dt.date(2026, 11, 21)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def organiser(club: Club) -> Client:
    client = Client()
    client.force_login(organiser_of(club))
    return client


def plan(**changed: Any) -> dict[str, Any]:
    """An evening as the form sends it."""
    answers = {
        "date": "2026-11-21",
        "regulation": "preset:amsterdam",
        "rounds_planned": 3,
        "deals_per_round": 16,
        "method": "rotation",
        "leftover": "sit_out",
        "sit_out_score": 1600,
        "missed_score": 0,
        "phones": "on",
        "writing": "one",
    }
    return answers | changed


def primary(response: Any) -> str:
    """What the one big button says."""
    html = response.content.decode()
    assert html.count("button-primary") == 1
    button = html.split("button-primary", 1)[1].split(">", 1)[1]
    return str(button.split("<", 1)[0].strip())


@pytest.mark.full
def test_a_new_club_is_offered_its_first_step_and_else_to_make_an_evening(
    organiser: Client,
) -> None:
    assert primary(organiser.get(DESK)) == "Kies de spelregels"
    organiser.post(f"{DESK}start/", {"away": "1"})
    assert primary(organiser.get(DESK)) == "Avond maken"


@pytest.mark.full
def test_the_desk_offers_the_next_step_of_tonight(club: Club, organiser: Client) -> None:
    with time_machine.travel(dt.datetime(2026, 11, 21, 19, 30, tzinfo=dt.UTC), tick=False):
        organiser.force_login(organiser_of(club))
        evening = EveningFactory.create(club=club, method="lottery", rounds_planned=2)
        steps = [primary(organiser.get(DESK))]
        members = [MemberFactory.create(club=club) for _ in range(9)]
        presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
        for url in ("draw/", "draw/", "rounds/1/start/"):
            steps.append(primary(organiser.get(DESK)))
            action = "final" if len(steps) == 3 else "make"
            organiser.post(f"{EVENINGS}2026-11-21/{url}", {"action": action})
        steps.append(primary(organiser.get(DESK)))
        for number in (1, 2):
            for deal in range(1, 17):
                write_deal(table(evening, number), deal)
        steps.append(primary(organiser.get(DESK)))
        round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
        steps.append(primary(organiser.get(DESK)))
    assert steps == [
        "Aanvinken wie er is",
        "Naar de loting: 2 tafels, 1 zit stil",
        "Loting bekijken en definitief maken",
        "Ronde 1 starten, 2 tafels",
        "Naar de tafels",
        "Ronde 1 afsluiten: alles is binnen",
        "Naar de loting van ronde 2: 2 tafels, 1 zit stil",
    ]


@pytest.mark.full
def test_the_desk_says_how_far_the_round_is(club: Club, organiser: Client) -> None:
    evening = evening_with_draw(club=club, players=9, method="typed_in", deals_per_round=1)
    write_deal(table(evening, 1), 1)
    page = text(organiser.get(DESK))
    assert "Ronde 1: 1 van 2 tafels klaar" in page
    assert "Tafel 2 moet nog het meest: 0 van 1 spellen geschreven." in page
    assert f"<p>Stilzitten: {evening.club.members.get(number=9).name}</p>" in page
    write_deal(table(evening, 2), 1)
    assert "Ronde 1: alle 2 tafels zijn klaar." in text(organiser.get(DESK))


@pytest.mark.full
def test_starting_says_how_many_tables(club: Club, organiser: Client) -> None:
    evening_with_draw(club=club, players=12, started=False)
    assert primary(organiser.get(DESK)) == "Ronde 1 starten, 3 tafels"


def test_the_list_shows_evenings_newest_first(club: Club, organiser: Client) -> None:
    EveningFactory.create(club=club, date=dt.date(2026, 11, 14))
    EveningFactory.create(club=club, name="Kerstdrive", date=dt.date(2026, 12, 19))
    page = organiser.get(EVENINGS).content.decode()
    assert page.index("za 19 dec 2026") < page.index("za 14 nov 2026")
    assert "Kerstdrive" in page


@pytest.mark.full
def test_the_list_counts_who_played_also_where_only_results_are_known(
    club: Club, organiser: Client
) -> None:
    evening_with_draw(club=club, players=9, started=False)
    csv = b"""evening,player,round,score,absence
2026-11-14,Jan Bakker,1,1600,
2026-11-14,Jan Bakker,2,1500,
2026-11-14,Mia van der Meer,1,1400,
2026-11-14,Piet Visser,,,notice
"""
    results_import(club=club, season_name="2026-2027", source=BytesIO(csv), actor=TESTS)
    table = organiser.get(EVENINGS).context["table"]
    assert [row.get_cell("players") for row in table.rows] == [9, 2]


def test_the_list_asks_as_many_questions_for_three_evenings_as_for_one(
    club: Club, organiser: Client, django_assert_num_queries: Callable[..., Any]
) -> None:
    EveningFactory.create(club=club)
    with django_assert_num_queries(9):
        organiser.get(EVENINGS)
    for day in (22, 23):
        EveningFactory.create(club=club, date=dt.date(2026, 11, day))
    with django_assert_num_queries(9):
        organiser.get(EVENINGS)


def test_an_evening_is_made_with_a_preset_and_a_new_season(club: Club, organiser: Client) -> None:
    response = organiser.post(
        f"{EVENINGS}new/", plan(regulation="preset:rotterdam", new_season="2026-2027")
    )
    evening = Evening.objects.get()
    assert response.headers["Location"] == f"{EVENINGS}2026-11-21/present/"
    assert evening.season is not None
    assert evening.regulation is not None
    assert (evening.season.name, evening.season.slug) == ("2026-2027", "2026-2027")
    assert (evening.regulation.name, evening.regulation.rules.must_trump) == (
        "Rotterdams",
        "rotterdam",
    )
    assert (evening.rounds_planned, evening.deals_per_round, evening.phones) == (3, 16, True)


@pytest.mark.full
def test_a_season_by_its_name_is_not_made_twice(club: Club, organiser: Client) -> None:
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    organiser.post(f"{EVENINGS}new/", plan(new_season=" 2026-2027 "))
    assert (Evening.objects.get().season, Season.objects.count()) == (season, 1)


@pytest.mark.full
def test_the_last_evening_is_the_start_for_the_next(club: Club, organiser: Client) -> None:
    season = season_create(club=club, name="Winter", actor=TESTS)
    EveningFactory.create(
        club=club, season=season, rounds_planned=4, deals_per_round=12, method="lottery",
        sit_out_score=1500, missed_score=1450, phones=False, writing="deal", name="Openingsavond",
        starts_at=dt.time(19, 30),
    )  # fmt: skip
    with time_machine.travel(dt.datetime(2026, 11, 23, 12, tzinfo=dt.UTC), tick=False):
        organiser.force_login(organiser_of(club))
        form = organiser.get(f"{EVENINGS}new/").context["form"]
    expected = {
        "date": dt.date(2026, 11, 28),
        "starts_at": dt.time(19, 30),
        "name": "",
        "season": season,
        "rounds_planned": 4,
        "deals_per_round": 12,
        "method": "lottery",
        "sit_out_score": 1500,
        "missed_score": 1450,
        "phones": False,
        "writing": "deal",
    }
    assert {name: form[name].initial for name in expected} == expected


def test_pressing_make_twice_makes_one_evening(club: Club, organiser: Client) -> None:
    organiser.post(f"{EVENINGS}new/", plan())
    again = organiser.post(f"{EVENINGS}new/", plan())
    assert Evening.objects.count() == 1
    assert "Er is al een avond op deze dag." in again.content.decode()


@pytest.mark.full
def test_a_second_evening_that_day_is_made_when_asked_for(club: Club, organiser: Client) -> None:
    organiser.post(f"{EVENINGS}new/", plan())
    second = organiser.post(f"{EVENINGS}new/", plan(second="on"))
    assert second.headers["Location"] == f"{EVENINGS}2026-11-21-2/present/"


@pytest.mark.full
def test_a_day_that_is_full_is_said(club: Club, organiser: Client) -> None:
    EveningFactory.create(club=club)
    Evening.objects.update(sequence=99)
    page = organiser.post(f"{EVENINGS}new/", plan(second="on"))
    assert page.status_code == 422
    assert "Op deze dag zijn er al 99 avonden." in text(page)
    assert Evening.objects.count() == 1


def test_every_fault_is_named_and_nothing_is_made(club: Club, organiser: Client) -> None:
    response = organiser.post(
        f"{EVENINGS}new/",
        plan(date="eens", rounds_planned=0, deals_per_round=100, regulation="preset:poker"),
    )
    assert set(response.context["form"].errors) == {
        "date",
        "rounds_planned",
        "deals_per_round",
        "regulation",
    }
    assert (Evening.objects.count(), Regulation.objects.count()) == (0, 0)


@pytest.mark.full
@pytest.mark.parametrize("date", ["0202-11-21", "1899-12-31", "2200-01-01", "9999-12-31"])
def test_a_slip_in_the_year_is_refused(club: Club, organiser: Client, date: str) -> None:
    response = organiser.post(f"{EVENINGS}new/", plan(date=date))
    assert response.status_code == 422
    assert list(response.context["form"].errors) == ["date"]
    assert not Evening.objects.exists()


@pytest.mark.full
@pytest.mark.parametrize("told_as", ["19:30", "19.30", "19:30:00"])
def test_an_evening_may_have_a_start(club: Club, organiser: Client, told_as: str) -> None:
    organiser.post(f"{EVENINGS}new/", plan(starts_at=told_as))
    assert Evening.objects.get().starts_at == dt.time(19, 30)
    page = organiser.get(f"{EVENINGS}2026-11-21/edit/").content.decode()
    assert 'type="time" name="starts_at" value="19:30"' in page
    assert "zaterdag 21 november 2026, 19.30 uur" in text(
        organiser.get(f"{EVENINGS}2026-11-21/present/")
    )
    organiser.post(f"{EVENINGS}2026-11-21/edit/", plan(starts_at=""))
    assert Evening.objects.get().starts_at is None


@pytest.mark.full
def test_a_start_that_is_no_time_is_refused(club: Club, organiser: Client) -> None:
    response = organiser.post(f"{EVENINGS}new/", plan(starts_at="half acht"))
    assert response.context["form"].errors == {"starts_at": ["Schrijf de tijd als 19:30."]}
    assert not Evening.objects.exists()


def test_another_clubs_regulation_cannot_be_chosen(club: Club, organiser: Client) -> None:
    foreign = regulation_of(ClubFactory.create())
    response = organiser.post(f"{EVENINGS}new/", plan(regulation=str(foreign.pk)))
    assert set(response.context["form"].errors) == {"regulation"}


def test_an_evening_is_changed(club: Club, organiser: Client) -> None:
    evening = EveningFactory.create(club=club)
    own = str(evening.regulation_id)
    organiser.post(
        f"{EVENINGS}2026-11-21/edit/", plan(regulation=own, name="Paasdrive", date="2026-11-22")
    )
    evening.refresh_from_db()
    assert (evening.name, evening.slug) == ("Paasdrive", "2026-11-22")


DETAILS = {"name": "", "starts_at": "", "season": "", "new_season": "", "phones": "on"}
DETAILS |= {"writing": "one", "sit_out_score": "1600", "missed_score": "0"}


def test_of_an_evening_with_a_draw_the_rest_is_changed(club: Club, organiser: Client) -> None:
    evening = evening_with_draw(club=club, started=False)
    page = organiser.get(f"{EVENINGS}2026-11-21/edit/")
    assert "Maak dan eerst de loting ongedaan." in text(page)
    assert [*page.context["form"].fields] == [*DETAILS]
    told_all = {"date": "2026-12-24", "rounds_planned": "9", "new_season": "2026-2027"}
    response = organiser.post(
        f"{EVENINGS}2026-11-21/edit/", DETAILS | told_all | {"name": "Anders"}, follow=True
    )
    assert messages_in(response) == ["De avond is gewijzigd."]
    evening.refresh_from_db()
    assert (evening.name, evening.slug, evening.rounds_planned) == ("Anders", "2026-11-21", 3)
    assert evening.season is not None
    assert evening.season.name == "2026-2027"


@pytest.mark.full
def test_what_cannot_be_is_said_of_a_running_evening_too(club: Club, organiser: Client) -> None:
    evening = evening_with_draw(club=club)
    wrong = DETAILS | {"sit_out_score": "veel", "new_season": "S" * 61}
    response = organiser.post(f"{EVENINGS}2026-11-21/edit/", wrong)
    assert (response.status_code, [*response.context["form"].errors]) == (
        422,
        ["new_season", "sit_out_score"],
    )
    again = Evening.objects.get(pk=evening.pk)
    assert (again.revision, again.season) == (evening.revision, None)


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ("1600", "De uitslag die gepubliceerd is, blijft zoals hij is."),
        ("50", "De uitslag die gepubliceerd is, blijft zoals hij is tot u opnieuw publiceert."),
    ],
)
def test_a_closed_evening_says_what_becomes_of_its_result(
    club: Club, organiser: Client, score: str, said: str
) -> None:
    evening = evening_with_draw(club=club, players=5, rounds=1)
    close_evening(evening)
    response = organiser.post(
        f"{EVENINGS}2026-11-21/edit/",
        DETAILS | {"sit_out_score": score, "name": "Kerstdrive"},
        follow=True,
    )
    assert messages_in(response) == ["De avond is gewijzigd.", said]
    assert ("Uitslag nummer 2 publiceren" in text(response)) is (score == "50")


def test_an_evening_is_called_off_and_put_back(club: Club, organiser: Client) -> None:
    evening = EveningFactory.create(club=club)
    for _ in range(2):
        organiser.post(f"{EVENINGS}2026-11-21/cancel/")
    evening.refresh_from_db()
    assert evening.state == "cancelled"
    response = organiser.get(f"{EVENINGS}2026-11-21/")
    assert response.headers["Location"] == f"{EVENINGS}2026-11-21/restore/"
    organiser.post(f"{EVENINGS}2026-11-21/restore/")
    evening.refresh_from_db()
    assert evening.state == "planned"


@pytest.mark.full
def test_what_was_played_cannot_be_called_off(club: Club, organiser: Client) -> None:
    evening = evening_with_draw(club=club)
    write_deal(table(evening), 1)
    response = organiser.post(f"{EVENINGS}2026-11-21/cancel/", follow=True)
    evening.refresh_from_db()
    assert evening.state == "running"
    assert "In deze ronde zijn spellen geschreven: die moet blijven." in response.content.decode()


@pytest.mark.full
def test_a_cancelled_evening_says_what_can_be_done(club: Club, organiser: Client) -> None:
    evening = EveningFactory.create(club=club)
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    response = organiser.post(f"{EVENINGS}2026-11-21/draw/", {"action": "make"}, follow=True)
    assert "Dat kan nu niet: de avond is" in response.content.decode()


@pytest.mark.full
def test_the_evening_opens_at_its_step(club: Club, organiser: Client) -> None:
    url = f"{EVENINGS}2026-11-21/"
    evening_with_draw(club=club, started=False)
    assert organiser.get(url).headers["Location"] == f"{url}draw/"
    organiser.post(f"{url}rounds/1/start/")
    assert organiser.get(url).headers["Location"] == f"{url}board/?round=1"


@pytest.mark.full
def test_a_director_sees_no_seasons_in_the_header(club: Club) -> None:
    client = Client()
    client.force_login(director_of(club))
    page = client.get(DESK).content.decode()
    assert (">Wedstrijdleiding</a>" in page, ">Avonden</a>" in page, ">Seizoenen</a>" in page) == (
        True,
        True,
        False,
    )
