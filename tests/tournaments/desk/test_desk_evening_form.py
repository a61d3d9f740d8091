"""What the form of an evening asks: how is drawn, which season, and what is folded away."""

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client

from clubs.models import Club
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    evening_with_draw,
    organiser_of,
)
from tests.tournaments.desk import text
from tests.tournaments.desk.test_desk_evenings import DESK, EVENINGS, plan
from tournaments.models import Evening, Season
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def organiser(club: Club) -> Client:
    client = Client()
    client.force_login(organiser_of(club))
    return client


def test_how_is_drawn_is_asked_with_a_sentence_each(club: Club, organiser: Client) -> None:
    page = organiser.get(f"{EVENINGS}new/")
    methods = [option.data["value"] for option in page.context["form"]["method"]]
    assert methods == ["rotation", "balanced", "lottery", "pairs", "typed_in"]
    assert text(page).count('id="id_method_') == 10
    assert text(page).count('aria-describedby="id_method_3_hint"') == 1
    assert (
        '<p class="hint choice-hint" id="id_method_3_hint">Twee mensen zijn de hele avond elkaars '
        "maat."
    ) in text(page)


@pytest.mark.full
@pytest.mark.parametrize("method", ["balanced", "lottery"])
def test_an_evening_keeps_how_it_draws_and_the_next_starts_with_it(
    club: Club, organiser: Client, method: str
) -> None:
    answers = plan(method=method, leftover="three_handed", last_ranked="on")
    organiser.post(f"{EVENINGS}new/", answers)
    evening = Evening.objects.get()
    assert (evening.method, evening.leftover, evening.last_ranked) == (method, "three_handed", True)
    form = organiser.get(f"{EVENINGS}new/").context["form"]
    asked = [form[name].initial for name in ("method", "leftover", "last_ranked")]
    assert asked == [method, "three_handed", True]


@pytest.mark.full
def test_a_club_without_evenings_starts_with_rotation_and_sitting_out(organiser: Client) -> None:
    form = organiser.get(f"{EVENINGS}new/").context["form"]
    asked = [form[name].initial for name in ("method", "leftover", "last_ranked")]
    assert asked == ["rotation", "sit_out", None]


@pytest.mark.parametrize(
    ("method", "rounds", "why"),
    [
        ("pairs", 4, "Met vaste paren kan de laatste ronde niet op stand"),
        ("typed_in", 3, "U loot met de hand"),
        ("lottery", 1, "Voor de eerste ronde is er nog geen stand."),
        ("rotation", 3, "De tafels blijven drie rondes bij elkaar."),
        ("rotation", 5, "De tafels blijven drie rondes bij elkaar."),
        ("rotation", 4, ""),
        ("rotation", 7, ""),
        ("balanced", 2, ""),
        ("lottery", 3, ""),
    ],
)
def test_where_the_last_round_cannot_go_by_standing(
    club: Club, organiser: Client, method: str, rounds: int, why: str
) -> None:
    answers = plan(method=method, rounds_planned=rounds, last_ranked="on")
    response = organiser.post(f"{EVENINGS}new/", answers)
    if not why:
        assert Evening.objects.get().last_ranked
        return
    errors = response.context["form"].errors
    assert ([*errors], Evening.objects.count()) == (["last_ranked"], 0)
    assert why in errors["last_ranked"][0]


@pytest.mark.full
@pytest.mark.parametrize(
    ("given", "facts"),
    [
        ({}, "rondes van 16 spellen, tafels blijven bij elkaar, ieder speelt met ieder"),
        (
            {"method": "lottery", "leftover": "three_handed", "last_ranked": True},
            (
                "rondes van 16 spellen, elke ronde opnieuw loten, tafels van drie, met een blinde,"
                " de laatste ronde op stand"
            ),
        ),
        (
            {"method": "pairs", "leftover": "three_handed"},
            "rondes van 16 spellen, vaste paren",
        ),
    ],
)
def test_the_desk_tells_how_the_evening_draws(
    club: Club, organiser: Client, given: dict[str, Any], facts: str
) -> None:
    EveningFactory.create(club=club, **given)
    page = text(organiser.get(DESK))
    assert page.partition("<span>3 ")[2].partition(" · ")[0] == facts


@pytest.mark.full
def test_an_evening_with_a_draw_tells_how_it_draws(club: Club, organiser: Client) -> None:
    evening_with_draw(
        club=club,
        players=7,
        method="lottery",
        leftover="three_handed",
        last_ranked=True,
        started=False,
    )
    page = text(organiser.get(f"{EVENINGS}2026-11-21/edit/"))
    assert "<dt>Wie overblijft</dt><dd>tafels van drie, met een blinde</dd>" in page
    assert "<dt>De laatste ronde</dt><dd>op stand</dd>" in page


def two_seasons(club: Club) -> None:
    """Last year's and this year's, by their days."""
    for year in (2025, 2026):
        starts, ends = dt.date(year, 9, 1), dt.date(year + 1, 5, 31)
        name = f"{year}-{year + 1}"
        season_create(club=club, name=name, starts=starts, ends=ends, actor=TESTS)


@pytest.mark.parametrize(
    ("date", "season"),
    [("2026-11-21", "2026-2027"), ("2026-05-31", "2025-2026"), ("2026-07-04", None)],
)
def test_the_season_follows_from_the_date(
    club: Club, organiser: Client, date: str, season: str | None
) -> None:
    two_seasons(club)
    with time_machine.travel(dt.datetime(2026, 11, 23, 12, tzinfo=dt.UTC), tick=False):
        organiser.force_login(organiser_of(club))
        page = organiser.get(f"{EVENINGS}new/")
    assert '<option value="by-date" selected>Bij de datum: 2026-2027</option>' in text(page)
    organiser.post(f"{EVENINGS}new/", plan(date=date, season="by-date"))
    made = Evening.objects.get().season
    assert (made and made.name) == season


@pytest.mark.full
def test_another_season_or_none_can_still_be_chosen(club: Club, organiser: Client) -> None:
    two_seasons(club)
    before = Season.objects.get(name="2025-2026")
    organiser.post(f"{EVENINGS}new/", plan(season=before.pk))
    organiser.post(f"{EVENINGS}new/", plan(date="2026-11-28", season=""))
    seasons = Evening.objects.order_by("date").values_list("season__name", flat=True)
    assert [*seasons] == ["2025-2026", None]


@pytest.mark.full
def test_after_an_evening_of_last_year_the_next_is_of_this_year(
    club: Club, organiser: Client
) -> None:
    two_seasons(club)
    before = Season.objects.get(name="2025-2026")
    EveningFactory.create(club=club, season=before, date=dt.date(2026, 5, 30))
    form = organiser.get(f"{EVENINGS}new/").context["form"]
    assert form["season"].value() == "by-date"


@pytest.mark.full
def test_without_days_in_the_seasons_the_form_does_not_speak_of_them(
    club: Club, organiser: Client
) -> None:
    season_create(club=club, name="Winter", actor=TESTS)
    assert "by-date" not in text(organiser.get(f"{EVENINGS}new/"))
    assert organiser.post(f"{EVENINGS}new/", plan(season="by-date")).status_code == 422


SEATING = (
    "tafels blijven bij elkaar, ieder speelt met ieder",
    "wie over is, speelt niet mee, om de beurt",
)
PAIRED = "het programma schuift door, zodat weinig paren elkaar twee keer treffen"
WRITING = (
    "Spelers mogen de spellen aan tafel op een telefoon schrijven",
    "één persoon schrijft voor de hele tafel",
)
MISSED = ("Punten voor een ronde stilzitten: 1600", "Punten voor een gemiste ronde: 0")


def folded(page: Any) -> dict[str, tuple[str, bool]]:
    """What each folded part of the form says, and whether it is open."""
    return {part.title: (part.answers, part.is_open) for part in page.context["form"].parts}


@pytest.mark.full
def test_what_is_folded_says_what_is_answered_and_opens_on_a_fault(
    club: Club, organiser: Client
) -> None:
    assert folded(organiser.get(f"{EVENINGS}new/")) == {
        "Bijzondere avond, nieuw seizoen": ("", False),
        "Wie speelt met wie": (" · ".join(SEATING), False),
        "Vaste paren en teams": (PAIRED, False),
        "Telefoons en schrijven": (" · ".join(WRITING), False),
        "Gemiste rondes, puntendoel": (" · ".join(MISSED), False),
    }
    wrong = organiser.post(f"{EVENINGS}new/", plan(sit_out_score="veel"))
    assert [is_open for _answers, is_open in folded(wrong).values()] == [
        False,
        False,
        False,
        False,
        True,
    ]
    assert text(wrong).count('<details class="fold" open>') == 1
