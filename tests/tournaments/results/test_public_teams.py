"""An evening that ranks teams: while it is played, at the prize-giving, on paper and in words."""

import csv
import io
from pathlib import Path

import pytest
from django.test import Client
from openpyxl import load_workbook

from clubs.models import Member
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.pdfs import page_texts
from tests.tournaments.competitor_files import side_table, text_of
from tests.tournaments.desk import desk_of
from tests.tournaments.files import Files
from tests.tournaments.hall import screen_held
from tests.tournaments.public_pages import get, rows, words
from tournaments.closing.services import evening_close
from tournaments.desk.views.public import winners_of
from tournaments.draw.services import draw_publish, draw_type_in
from tournaments.models import Evening, Registration
from tournaments.prizes.core import parse_prizes
from tournaments.prizes.giving import evening_prizes_choose
from tournaments.publicity.texts import EveningStory, text_values
from tournaments.registration.competitors import competitor_create
from tournaments.rounds.services import round_close, round_start

pytestmark = pytest.mark.django_db

TYPED_IN = Evening.Method.TYPED_IN


@pytest.fixture
def evening() -> Evening:
    """De Boeren sit N/S at both tables, De Vrouwen E/W; the first round of one deal is played."""
    evening = evening_with_draw(players=8, rounds=2, deals_per_round=1, method=TYPED_IN)
    evening.ranks = Evening.Ranks.TEAM
    evening.save_changes("ranks")
    seated = list(Member.objects.of(evening.club).order_by("number"))
    for name, people in (("De Boeren", seated[::2]), ("De Vrouwen", seated[1::2])):
        team = competitor_create(
            club=evening.club,
            kind="team",
            name=name,
            people=people,
            since=evening.date,
            actor=TESTS,
        )
        Registration.objects.filter(evening=evening, member__in=people).update(team=team)
    return evening


def play(evening: Evening, *ns: int, number: int = 1) -> None:
    """Write the deal of each table of a round, in which N/S take so many, and close it."""
    if not evening.rounds.filter(number=number).exists():
        seats = [
            {
                seat.seat: seat.member
                for seat in table(evening, at).sheet.seats.all()
                if seat.member is not None
            }
            for at in (1, 2)
        ]
        draw_type_in(evening_id=evening.pk, tables=seats, sit_out=[], actor=TESTS)
        draw_publish(evening_id=evening.pk, actor=TESTS)
        round_start(round_id=evening.rounds.get(number=number).pk, actor=TESTS)
    for at, points in enumerate(ns, start=1):
        write_deal(table(evening, at, number), 1, points={"NS": points})
    if len(ns) == 2:
        round_close(round_id=evening.rounds.get(number=number).pk, actor=TESTS)


def closed(evening: Evening) -> Evening:
    """100 and 82 (of 162), then 90 and 120: De Boeren 392, De Vrouwen 256."""
    play(evening, 100, 82)
    play(evening, 90, 120, number=2)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def path(evening: Evening, more: str = "") -> str:
    return f"/clubs/{evening.club.slug}/evenings/{evening.slug}/{more}"


def lines(evening: Evening) -> list[list[str]]:
    """The lines of the teams on the page."""
    return rows(get(Client(), path(evening)))[:2]


@pytest.mark.both
def test_teams_have_places_by_the_rounds_that_are_over(evening: Evening) -> None:
    write_deal(table(evening), 1, points={"NS": 100})
    assert [line[:3] for line in lines(evening)] == [
        ["–", "De Boeren", "100"],
        ["–", "De Vrouwen", "62"],
    ]
    play(evening, 100, 82)
    assert [line[:3] for line in lines(evening)] == [
        ["1", "De Boeren", "182"],
        ["2", "De Vrouwen", "142"],
    ]
    play(evening, 0, number=2)
    assert [line[:4] for line in lines(evening)] == [
        ["1", "De Boeren", "182", "0 (1 van 2)"],
        ["2", "De Vrouwen", "142", "162 (1 van 2)"],
    ]
    answer = (
        Client()
        .get(f"/api/v1/clubs/{evening.club.slug}/evenings/{evening.slug}/standing/?by=team")
        .json()
    )
    assert [(row["player"], row["counted"], row["total"]) for row in answer["rows"]] == [
        ("De Boeren", 182, 182),
        ("De Vrouwen", 142, 304),
    ]


@pytest.mark.full
def test_a_frozen_standing_of_teams_is_nowhere(evening: Evening) -> None:
    play(evening, 100, 82)
    evening.frozen = True
    evening.save_changes("frozen")
    for place in ("", "?format=json", "card.png", "screen/"):
        answer = Client().get(path(evening, place))
        assert b"De Boeren" not in answer.content
    api = f"/api/v1/clubs/{evening.club.slug}/evenings/{evening.slug}/standing/?by=team"
    assert Client().get(api).json()["rows"] == []


@pytest.mark.full
def test_the_prizes_are_those_of_teams(evening: Evening) -> None:
    scheme = parse_prizes({"kind": "first", "first": 2, "sides": ["best_round"]})
    evening_prizes_choose(evening_id=evening.pk, scheme=scheme, actor=TESTS)
    closed(evening)
    desk, place = desk_of(evening.club), f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/"
    read = words(desk.get(f"{place}prizes/"))
    assert "De Boeren 392 punten" in read
    assert "De Vrouwen 256 punten" in read
    form = words(desk.get(f"{place}prizes/given/"))
    assert all(member.name in form for member in evening.club.members.all())


@pytest.mark.full
def test_certificates_are_given_to_teams(evening: Evening) -> None:
    place = f"/clubs/{evening.club.slug}/desk/evenings/{closed(evening).slug}/print/"
    desk = desk_of(evening.club)
    pages = page_texts(desk.get(f"{place}certificates.pdf").content)
    assert ["De Boeren" in pages[0], "De Vrouwen" in pages[1]] == [True, True]
    assert len(pages) == 2
    (paper,) = page_texts(desk.get(f"{place}standings.pdf").content)
    assert "2 teams" in paper
    assert "De Boeren" in paper
    (paper,) = page_texts(desk.get(f"{place}standings.pdf?by=player").content)
    assert "8 spelers" in paper


@pytest.mark.full
def test_the_files_are_of_teams(evening: Evening) -> None:
    place = path(closed(evening))
    text = Client().get(f"{place}?format=csv").content.decode()
    assert list(csv.reader(io.StringIO(text))) == [
        ["rank", "team", "total", "round_1", "round_2", "pits"],
        ["1", "De Boeren", "392", "182", "210", "0"],
        ["2", "De Vrouwen", "256", "142", "114", "0"],
    ]
    sheet = load_workbook(io.BytesIO(Client().get(f"{place}?format=xlsx").content)).worksheets[0]
    assert [cell.value for cell in sheet[sheet.max_row]][:3] == [2, "De Vrouwen", 256]


@pytest.mark.full
def test_the_hall_and_the_words_name_teams(evening: Evening) -> None:
    play(evening, 100, 82)
    screen_held(evening, "standings")
    screen = words(get(Client(), path(evening, "screen/")))
    assert "De Boeren" in screen
    assert "182" in screen
    play(evening, 90, 120, number=2)
    evening_close(evening_id=evening.pk, actor=TESTS)
    evening = Evening.objects.get(pk=evening.pk)
    assert winners_of(evening.club) == {evening.pk: "De Boeren"}
    values = text_values(EveningStory(evening), "nl")
    assert (values["winner"], values["points"]) == ("De Boeren", "392")
    page = get(Client(), path(evening)).content.decode()
    assert "Winnaar: De Boeren (392). 2 teams." in page


@pytest.mark.full
def test_the_story_tells_which_team_climbed(tmp_path: Path) -> None:
    """Foxtrot goes from 62 points and the fourth place to 393 and the first."""
    files = Files(ClubFactory.create(), tmp_path)
    rounds = (
        [(120, "A", "B"), (110, "C", "D"), (100, "E", "Foxtrot")],
        [
            (82, "A", "B"),
            (82, "C", "D"),
            (331, "Foxtrot", "E"),
        ],
    )
    text = []
    for number, tables in enumerate(rounds, start=1):
        for at, (score, ns, ew) in enumerate(tables, start=1):
            people = [f"{ns} 1", f"{ew} 1", f"{ns} 2", f"{ew} 2"]
            names = {"team_ns": ns, "team_ew": ew}
            text += side_table("2026-09-05", number, at, people, score, names, deals=1)
    files.evening(text_of(text))
    page = words(get(Client(), path(Evening.objects.get())))
    assert "In de laatste ronde omhoog van plaats 4 naar plaats 1: Foxtrot." in page
