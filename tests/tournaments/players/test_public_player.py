"""The page of one player: his season, with whom it goes best, how strong he is."""

import datetime as dt
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, ClubFactory, MemberFactory, evening_with_draw, table, write_deal
from tests.tournaments.one_round import before, finish, one_deal, seated
from tests.tournaments.pairs import played_in_pairs
from tests.tournaments.public_pages import close_evening, get, speak_english, words
from tournaments.closing.services import evening_close
from tournaments.models import Cup, CupWin, Evening, Season, SeasonRule
from tournaments.ratings.services import ratings_make
from tournaments.rounds.services import table_substitute
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = pytest.mark.django_db

SATURDAY = dt.date(2026, 11, 21)
SVG = re.compile(r"<svg viewBox=\"0 0 360 220\".*?</svg>", re.DOTALL)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="2026", actor=TESTS)


def played(season: Season, *points: int, **plan: Any) -> list[Evening]:
    """Closed evenings a week apart from 21 November, of Jan, Mia, Piet and Truus at N E S W; in
    the only deal NS took so many of 162."""
    evenings = []
    for week, ns in enumerate(points):
        evening = drawn(season, week, **plan)
        close_evening(evening, ns=ns)
        evenings.append(evening)
    return evenings


def drawn(season: Season, week: int, **plan: Any) -> Evening:
    return evening_with_draw(
        players=4,
        club=season.club,
        season=season,
        date=SATURDAY + dt.timedelta(weeks=week),
        method="typed_in",
        **plan,
    )


def page_of(client: Client, number: int | None, more: str = "") -> str:
    """The page of the member with this number, or of the first guest."""
    people = Member.objects.filter(club__slug="vrolijke-boer", number=number)
    member = people.order_by("pk")[0]
    path = f"/clubs/vrolijke-boer/players/{member.pk}/{more}"
    return get(client, path).content.decode()


def tables(page: str) -> list[list[list[str]]]:
    """The rows of every table of a page."""
    bodies = re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    found = []
    for body in bodies:
        lines = re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.DOTALL)
        found.append(
            [
                [words(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, re.DOTALL)]
                for line in lines
            ]
        )
    return found


def charts(page: str) -> list[ET.Element]:
    return [ET.fromstring(found) for found in SVG.findall(page)]


def lines(chart: ET.Element, kind: str) -> list[ET.Element]:
    return [line for line in chart.iter("polyline") if line.get("class") == kind]


def kinds(chart: ET.Element) -> list[str]:
    """The marks of a chart, from left to right."""
    return [str(group.get("class")).removeprefix("chart-") for group in chart.iter("g")]


@pytest.mark.full
def test_every_evening_with_place_points_and_the_mean_of_everybody(
    client: Client, season: Season
) -> None:
    season_rule_add(season=season, name="Klassement", settings={"best_per_period": 1}, actor=TESTS)
    played(season, 100, 85)
    page = page_of(client, 2)
    # date, place, points, mean of everybody (162 / 2), best round, pits
    assert tables(page)[0] == [
        ["28 nov 2026", "3 van 4", "77", "81", "77", "0"],
        ["21 nov 2026", "3 van 4", "(62) telt niet mee", "81", "62", "0"],
    ]
    assert (
        "Plaats in het seizoen 3 · 23 achter de koploper Wat telt 77 Alles opgeteld 139 "
        "Gemiddeld 77 Avonden 2 Beste boompje 77 · 28 november Pit 0 Roem 0 Nat 0"
    ) in words(page)
    assert "1 · koploper" in words(page_of(client, 1))


@pytest.mark.full
def test_his_place_in_each_standing_and_why(client: Client, season: Season) -> None:
    """Jan has 185, Mia 139; nobody has the three evenings that the second standing asks for."""
    season_rule_add(season=season, name="Klassement", settings={}, actor=TESTS)
    settings = {"minimum_evenings": 3}
    SeasonRule.objects.create(season=season, name="Trouw", position=2, settings=settings)
    SeasonRule.objects.create(
        season=season, name="Alleen de eerste", position=3, settings={"excluded": ["2026-11-28"]}
    )
    played(season, 100, 85)
    page = page_of(client, 2)
    assert (
        "Plaats in het seizoen 3 · 46 achter de koploper Andere klassementen"
        " Trouw: geen plaats Alleen de eerste: plaats 3 Wat telt 139"
    ) in words(page)
    assert 'href="/clubs/vrolijke-boer/seasons/2026/?standing=3"' in page
    pk = Member.objects.get(number=2).pk
    for more in ("why", "next"):
        assert f'href="/clubs/vrolijke-boer/seasons/2026/{more}/{pk}/"' in page


@pytest.mark.full
def test_pits_roem_and_nats_are_those_of_the_season(client: Client, season: Season) -> None:
    deals: list[dict[str, Any]] = [
        {"roem": {"NS": [20, 50]}},
        {"points": {"NS": 60}},
        {"points": {"NS": 162}, "pit": "NS"},
    ]
    for week, written in enumerate(deals):
        evening = seated(season, week, "1234", deals_per_round=1)
        write_deal(table(evening), 1, **written)
        finish(evening)
    assert "Beste boompje 262 · 5 december Pit 1 Roem 70 Nat 1" in words(page_of(client, 1))
    assert "Pit 0 Roem 0 Nat 0" in words(page_of(client, 2))


@pytest.mark.full
def test_a_pair_has_the_place_of_the_pair(client: Client, club: Club) -> None:
    """Four pairs, with 120, 100, 62 and 42."""
    evening = played_in_pairs(club)
    evening_close(evening_id=evening.pk, actor=TESTS)
    places = [
        [place[:8].strip(), points]
        for number in sorted(member.number or 0 for member in Member.objects.of(club))
        for place, points in [tables(page_of(client, number))[0][0][1:3]]
    ]
    of_pairs = [["1 van 4", "120"], ["2 van 4", "100"], ["3 van 4", "62"], ["4 van 4", "42"]]
    assert sorted(places) == sorted(of_pairs * 2)


@pytest.mark.full
def test_of_old_results_without_pits_it_does_not_say_there_were_none(
    client: Client, season: Season
) -> None:
    played(season, 100)
    before(season, "2026-01-05,Jo,4500,", "2026-01-05,Al,4300,")
    assert "Avonden 1 Beste boompje 100 · 21 november Pit 0 Roem 0 Nat 0" in words(
        page_of(client, 1)
    )
    assert "Avonden 1 Waarom deze plaats?" in words(page_of(client, None))


@pytest.mark.full
def test_who_met_whom_is_asked_only_where_a_draw_is_known(client: Client, season: Season) -> None:
    played(season, 100)
    before(season, "2026-01-05,Jo,4500,", "2026-01-05,Al,4300,")
    assert "Wie met wie speelde" in words(page_of(client, 1))
    assert "Wie met wie speelde" not in words(page_of(client, None))


class TestTheChart:
    @pytest.mark.full
    def test_it_says_in_words_what_it_shows(self, client: Client, season: Season) -> None:
        season_rule_add(
            season=season, name="Klassement", settings={"best_per_period": 2}, actor=TESTS
        )
        played(season, 100, 85, 90)
        (chart,) = charts(page_of(client, 1))
        assert chart.get("role") == "img"
        title, desc = chart[0], chart[1]
        assert chart.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
        assert title.text == "Punten per avond"
        assert desc.text == (
            "3 avonden: de meeste punten op 21 november 2026, 100; de minste op 28 november 2026,"
            " 85. 1 telt niet mee."
        )

    @pytest.mark.full
    def test_a_dropped_evening_is_hollow_and_an_absence_a_cross(
        self, client: Client, season: Season
    ) -> None:
        season_rule_add(
            season=season, name="Klassement", settings={"best_per_period": 2}, actor=TESTS
        )
        before(
            season,
            "2026-01-05,Jo,4500,",
            "2026-01-12,Jo,4600,",
            "2026-01-19,Jo,,notice",
            "2026-01-26,Jo,4700,",
            "2026-01-26,Al,4300,",
        )
        (chart,) = charts(page_of(client, None))
        assert kinds(chart) == ["hollow", "full", "absent", "full"]
        assert [found.text for found in chart.iter("title")][1:] == [
            "5 januari 2026: 4.500, telt niet mee",
            "12 januari 2026: 4.600",
            "19 januari 2026: afwezig",
            "26 januari 2026: 4.700",
        ]
        # the line stops where he was absent
        assert [len(line.get("points", "").split()) for line in lines(chart, "chart-line")] == [2]

    @pytest.mark.full
    def test_the_higher_the_points_the_higher_the_mark(
        self, client: Client, season: Season
    ) -> None:
        played(season, 100, 85, 90)
        (chart,) = charts(page_of(client, 1))
        heights = [float(circle.get("cy", "")) for circle in chart.iter("circle")]
        assert heights[0] < heights[2] < heights[1]
        lefts = [float(circle.get("cx", "")) for circle in chart.iter("circle")]
        assert lefts == sorted(lefts)

    @pytest.mark.full
    def test_one_evening_makes_no_chart(self, client: Client, season: Season) -> None:
        played(season, 100)
        assert charts(page_of(client, 1)) == []

    @pytest.mark.full
    def test_numbers_in_the_drawing_are_the_same_in_every_language(
        self, client: Client, season: Season
    ) -> None:
        played(season, 100, 85, 90)
        dutch = charts(page_of(client, 1))[0]
        speak_english(client)
        english = charts(page_of(client, 1))[0]
        drawn = [[line.get("points") for line in one.iter("polyline")] for one in (dutch, english)]
        assert drawn[0] == drawn[1]
        assert all("," in points for points in drawn[0] if points)


class TestPartners:
    @pytest.mark.full
    def test_with_whom_he_scores_best(self, client: Client, season: Season) -> None:
        """With Piet 90 and 95, which is 92½ and rounds up; with Mia 120 and, nat, 0; with Truus
        once. In all 455 in 5 rounds."""
        for week, (seats, ns) in enumerate(
            [("1234", 90), ("1234", 95), ("1324", 120), ("1324", 80), ("1243", 150)]
        ):
            one_deal(season, week, seats, ns=ns)
        page = page_of(client, 1)
        assert "Gemiddeld 91 punten per boompje, over 5 boompjes." in words(page)
        assert tables(page)[1] == [["Piet Visser", "93", "2"], ["Mia van der Meer", "60", "2"]]

    @pytest.mark.full
    def test_a_round_that_was_broken_off_is_left_out(self, client: Client, season: Season) -> None:
        one_deal(season, 0, "1234", ns=90)
        one_deal(season, 1, "1234", ns=90, deals_per_round=2)
        page = words(page_of(client, 1))
        assert "Gemiddeld 90 punten per boompje, over 1 boompje." in page
        assert "Nog niet twee keer met dezelfde maat." in page

    @pytest.mark.full
    def test_a_seat_held_by_two_is_nobodys_round(self, client: Client, season: Season) -> None:
        evening = seated(season, 0, "1234", deals_per_round=2)
        other = MemberFactory.create(club=season.club)
        table_substitute(
            table_id=table(evening).pk,
            member=other,
            seat="S",
            from_deal=2,
            for_himself=False,
            actor=TESTS,
        )
        for number in (1, 2):
            write_deal(table(evening), number)
        finish(evening)
        assert "punten per boompje, over" not in words(page_of(client, 1))
        assert "over 1 boompje." in words(page_of(client, 2))

    @pytest.mark.full
    def test_at_a_table_of_three_nobody_has_a_partner(self, client: Client, season: Season) -> None:
        evening = seated(season, 0, "1234567", leftover="three_handed", deals_per_round=1)
        totals = {"N": HandedIn(162), "E": HandedIn(0), "S": HandedIn(0)}
        side_totals_write(sheet_id=table(evening, 2).sheet_id, totals=totals, actor=TESTS)
        finish(evening)
        assert "Beste maten" not in words(page_of(client, 5))

    def test_who_is_hidden_is_not_named(self, client: Client, season: Season) -> None:
        for week in range(2):
            one_deal(season, week, "1234", ns=90)
        Member.objects.filter(number=3).update(public_as="hidden")
        page = page_of(client, 1)
        assert "Piet" not in page
        assert [line[1:] for line in tables(page)[1]] == [["90", "2"]]


class TestStrength:
    @pytest.mark.full
    def test_it_is_shown_with_how_sure_it_is_and_over_time(
        self, client: Client, season: Season
    ) -> None:
        """As in the model's own tests: one deal of 16 moves a newcomer by 1½ points."""
        for week, ns in enumerate((90, 95)):
            one_deal(season, week, "1234", ns=ns)
        ratings_make(club_id=season.club.pk)
        page = page_of(client, 1)
        assert "Geschat op +3 punten per boompje, vrijwel zeker tussen −77 en +83." in words(page)
        chart = charts(page)[-1]
        assert chart[0].text == "Speelsterkte in de tijd"
        assert chart[1].text == (
            "Van +1 op 21 november 2026 naar +3 op 28 november 2026, nu vrijwel zeker tussen −77"
            " en +83."
        )
        assert tables(page)[-1] == [
            ["28 nov 2026", "+3", "−77 en +83"],
            ["21 nov 2026", "+1", "−78 en +81"],
        ]
        assert 'href="/clubs/vrolijke-boer/ratings/"' in page

    @pytest.mark.full
    def test_who_was_never_rated_has_nothing_of_it(self, client: Client, season: Season) -> None:
        one_deal(season, 0, "1234", ns=90)
        assert "Speelsterkte" not in words(page_of(client, 1))


@pytest.mark.full
def test_cups_that_were_won(client: Client, season: Season) -> None:
    (evening,) = played(season, 100)
    cup = Cup.objects.create(club=season.club, name="De Zilveren Boer")
    winner = Member.objects.get(number=1)
    CupWin.objects.create(cup=cup, member=winner, won_on=dt.date(2025, 5, 9), evening=evening)
    assert "Wisselbekers De Zilveren Boer: 9 mei 2025" in words(page_of(client, 1))
    assert "Wisselbekers" not in words(page_of(client, 2))


@pytest.mark.parametrize("evenings", [2, 4])
def test_more_evenings_cost_no_more_queries(
    client: Client,
    season: Season,
    django_assert_num_queries: DjangoAssertNumQueries,
    evenings: int,
) -> None:
    for week in range(evenings):
        one_deal(season, week, "1234", ns=90)
    ratings_make(club_id=season.club.pk)
    path = f"/clubs/vrolijke-boer/players/{Member.objects.get(number=1).pk}/"
    with django_assert_num_queries(15):
        get(client, path)
