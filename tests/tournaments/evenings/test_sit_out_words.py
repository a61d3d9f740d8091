"""A club reads its own word for sitting out wherever somebody does not play a round."""

import pytest
from django.test import Client

from clubs.models import Club
from tests.factories import ClubFactory, evening_with_draw
from tests.tournaments.desk import EVENING, desk_of, text
from tournaments.evenings.texts import forecast, sit_out_score_words
from tournaments.models import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.mark.parametrize(
    ("word", "nobody", "one", "two", "score"),
    [
        ("sit_out", "niemand zit stil", "1 zit stil", "2 zitten stil", "een ronde stilzitten"),
        ("standing", "geen staand nummer", "1 staand nummer", "2 staande nummers", "een ronde als"),
        ("drawn_out", "geen uitloter", "1 uitloter", "2 uitloters", "een ronde als uitloter"),
        ("joker", "geen joker", "1 joker", "2 jokers", "een ronde als joker"),
        ("reserve", "geen reserve", "1 × reserve", "2 × reserve", "een ronde als reserve"),
        ("100 %", "geen 100 %", "1 × 100 %", "2 × 100 %", "een ronde als 100 %"),
    ],
)
def test_every_word_counts_in_dutch(word: str, nobody: str, one: str, two: str, score: str) -> None:
    club = Club(sit_out_word=word)
    evening = Evening(club=club)
    assert [forecast(evening, players) for players in (8, 9, 10)] == [
        f"2 tafels, {nobody}",
        f"2 tafels, {one}",
        f"2 tafels, {two}",
    ]
    assert score in sit_out_score_words(club)


@pytest.mark.parametrize("word", ["drawn_out", "joker"])
def test_no_other_word_is_left_at_the_desk(word: str) -> None:
    club = ClubFactory.create()
    Club.objects.update(sit_out_word=word)
    evening_with_draw(club=club, players=9, method="lottery", started=False)
    desk: Client = desk_of(club)
    pages = [text(desk.get(f"{EVENING}{page}/")) for page in ("present", "draw", "edit", "board")]
    assert [page for page in pages if "stilz" in page or "zit stil" in page] == []
    shown = str(Club.objects.get().get_sit_out_word_display())
    assert f"1 {shown}" in pages[0]
    assert f"<h3>{shown.capitalize()}</h3>" in pages[1]


@pytest.mark.full
@pytest.mark.parametrize(
    ("players", "rounds", "method", "started", "said"),
    [
        (9, 3, "rotation", False, 3),
        (9, 2, "rotation", False, 2),
        (9, 6, "rotation", False, 3),
        (9, 1, "rotation", False, 0),
        (8, 3, "rotation", False, 0),
        (9, 3, "lottery", False, 0),
        (9, 3, "rotation", True, 0),
    ],
)
def test_a_rotation_warns_how_long_somebody_sits_out(
    players: int, rounds: int, method: str, started: bool, said: int
) -> None:
    club = ClubFactory.create()
    evening_with_draw(club=club, players=players, rounds=rounds, method=method, started=started)
    desk = desk_of(club)
    pages = [text(desk.get(f"{EVENING}{page}/")) for page in ("present", "draw")]
    sentence = (
        f"Wie stilzit, zit {said} rondes achter elkaar stil. "
        "Met ‘elke ronde opnieuw loten’ wisselt dat."
    )
    assert [sentence in page for page in pages] == [said > 0] * 2
    assert ["achter elkaar" in page for page in pages] == [said > 0] * 2


@pytest.mark.full
def test_a_rotation_warns_in_other_words_where_the_club_has_its_own() -> None:
    club = ClubFactory.create()
    Club.objects.update(sit_out_word="joker")
    evening_with_draw(club=club, players=9, started=False)
    page = text(desk_of(club).get(f"{EVENING}draw/"))
    assert "Wie niet speelt, doet 3 rondes achter elkaar niet mee." in page
