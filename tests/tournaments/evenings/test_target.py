"""An evening whose rounds go on until a side has so many points."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from clubs.models import Club
from clubs.text.errors import DomainError
from scoring.models import Scoresheet
from tests.factories import TESTS, ClubFactory, evening_with_draw, regulation_of, table, write_deal
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.files import Files, everything
from tests.tournaments.table_pages import link, playing, words, write
from tournaments.closing.services import evening_close
from tournaments.evenings.workflow import evening_progress
from tournaments.models import Evening, Season
from tournaments.rounds.board import board
from tournaments.rounds.services import round_close
from tournaments.scoresheets.views.access import table_of
from tournaments.seasons.standings import season_standings
from tournaments.standings.queries import hindmost_table

pytestmark = pytest.mark.django_db

PIT: dict[str, Any] = {"points": {}, "pit": "NS"}
"""262 for wij."""


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def until(points: int, club: Club | None = None, players: int = 4, **given: Any) -> Evening:
    """An evening of one round until so many points, with the round running."""
    return evening_with_draw(club=club, players=players, rounds=1, target=points, **given)


def the_sheet() -> Scoresheet:
    return Scoresheet.objects.get()


class TestTheForm:
    PLAN = {"date": "2026-11-21", "rounds_planned": "2", "deals_per_round": "16"}
    PLAN |= {
        "method": "rotation",
        "leftover": "sit_out",
        "writing": "one",
        "sit_out_score": "1600",
        "missed_score": "0",
    }

    def planned(self, club: Club, **given: str) -> Any:
        regulation = str(regulation_of(club).pk)
        new = f"/clubs/{club.slug}/desk/evenings/new/"
        return desk_of(club).post(new, self.PLAN | {"regulation": regulation} | given)

    @pytest.mark.full
    def test_sets_it(self, club: Club) -> None:
        assert self.planned(club, target="1001").status_code == 302
        assert Evening.objects.get().target == 1001
        public = words(Client().get(f"/clubs/{club.slug}/evenings/2026-11-21/"))
        assert "2 rondes tot 1.001 punten" in public
        assert "2 rondes tot 1.001 punten" in words(desk_of(club).get(f"/clubs/{club.slug}/desk/"))

    @pytest.mark.full
    def test_empty_is_a_number_of_deals(self, club: Club) -> None:
        self.planned(club)
        assert Evening.objects.get().target is None

    @pytest.mark.full
    @pytest.mark.parametrize("points", ["161", "5001", "veel"])
    def test_too_few_or_too_many(self, club: Club, points: str) -> None:
        refused = self.planned(club, target=points)
        assert (refused.status_code, list(refused.context["form"].errors)) == (422, ["target"])

    @pytest.mark.full
    def test_the_draw_gives_the_sheets_that_target(self, club: Club) -> None:
        until(1001, club)
        assert (the_sheet().target, the_sheet().deals_planned) == (1001, 13)

    @pytest.mark.full
    def test_after_the_draw_it_can_be_read_only(self, club: Club) -> None:
        until(1001, club)
        assert "Een ronde is uit bij 1.001 punten" in words(desk_of(club).get(f"{EVENING}edit/"))


class TestAtTheTable:
    @pytest.mark.full
    def test_full_at_the_target_and_says_so(self) -> None:
        evening, client = playing(target=250), Client()
        page = link(evening)
        assert "Mia geeft, Piet komt uit · tot 250 punten" in words(client.get(page))
        write(client, f"{page}rounds/1/deals/1/", declarer="NS", trump="H", pit="NS")
        full = words(client.get(page))
        assert "Een partij heeft de 250 punten waarbij de ronde uit is." in full
        assert "Klopt het?" in full
        assert "2 (Piet geeft)" not in full

    def test_a_deal_beyond_the_end_is_refused(self) -> None:
        evening, client = playing(target=250), Client()
        second = f"{link(evening)}rounds/1/deals/2/"
        before = client.get(second)
        write(client, f"{link(evening)}rounds/1/deals/1/", declarer="NS", trump="H", pit="NS")
        assert before.status_code == 200
        refused = write(client, second, declarer="NS", trump="H", points_ns="90")
        assert refused.status_code == 409
        assert "Een partij heeft 250 punten: deze ronde is uit." in words(refused)
        assert the_sheet().deals_entered == 1

    @pytest.mark.full
    def test_a_correction_opens_it_again(self) -> None:
        evening, client = playing(target=250), Client()
        first = f"{link(evening)}rounds/1/deals/1/"
        write(client, first, declarer="NS", trump="H", pit="NS")
        write(client, first, pit="", points_ns="100", why="miscounted")
        assert "Piet geeft, Truus komt uit" in words(client.get(link(evening)))

    @pytest.mark.full
    def test_the_next_round_is_next_once_it_is_full(self) -> None:
        evening = evening_with_draw(players=4, rounds=3, target=250)
        write_deal(table(evening), 1, **PIT)
        assert table_of(evening, 1) == table(evening)
        later = table(evening, round_number=2)
        later.round.state = "running"
        later.round.save()
        assert table_of(evening, 1) == later


class TestAtTheDesk:
    @pytest.mark.full
    def test_the_board_counts_points(self, club: Club) -> None:
        evening = until(500, club, players=8)
        write_deal(table(evening, 1), 1)
        write_deal(table(evening, 2), 1, **PIT)
        write_deal(table(evening, 2), 2, **PIT)
        first, second = board(evening, 1).tables
        assert (first.done, first.whole, first.full) == (90, 500, False)
        assert (second.done, second.whole, second.full) == (500, 500, True)
        assert [one.number for one in board(evening, 1, "trouble").tables] == [1, 2]
        shown = words(desk_of(club).get(f"{EVENING}board/"))
        assert "Tafel 1 90 van 500 punten" in shown
        assert "Tafel 2 klaar" in shown

    @pytest.mark.full
    def test_the_first_page_says_who_has_the_most_to_go(self, club: Club) -> None:
        evening = until(500, club, players=8)
        write_deal(table(evening, 1), 1, **PIT)
        write_deal(table(evening, 2), 1)
        write_deal(table(evening, 2), 2)
        assert hindmost_table(evening, 1) == table(evening, 2)
        page = words(desk_of(club).get(f"/clubs/{club.slug}/desk/"))
        assert "Tafel 2 is het minst ver: 180 van 500 punten." in page

    @pytest.mark.full
    def test_a_round_closes_when_every_table_has_it(self, club: Club) -> None:
        evening = until(250, club, players=8)
        write_deal(table(evening, 1), 1, **PIT)
        write_deal(table(evening, 2), 1)
        assert evening_progress(evening).rounds[0].full == 1
        with pytest.raises(DomainError) as refused:
            round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        assert refused.value.params["tables"] == [2]
        write_deal(table(evening, 2), 2, **PIT)
        assert evening_progress(evening).rounds[0].is_full
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)

    @pytest.mark.full
    def test_the_sheet_says_that_it_is_over(self, club: Club) -> None:
        evening = until(250, club)
        write_deal(table(evening), 1, **PIT)
        page = desk_of(club).get(f"{EVENING}rounds/1/tables/1/")
        assert "Een partij heeft de 250 punten waarbij de ronde uit is." in words(page)
        assert page.context["form"] is None

    @pytest.mark.full
    def test_totals_only(self, club: Club) -> None:
        until(250, club)
        url = f"{EVENING}rounds/1/tables/1/totals/"
        desk = desk_of(club)
        assert "Een van de partijen moet 250 punten hebben." in words(desk.get(url))
        none = dict.fromkeys(("roem_ns", "pits_ns", "roem_ew", "pits_ew"), "0")
        short = desk.post(url, none | {"points_ns": "200", "points_ew": "124"})
        assert "Geen van beide partijen heeft de 250 punten" in words(short)
        desk.post(url, none | {"points_ns": "200", "points_ew": "124", "roem_ns": "50"})
        assert len(desk.get(f"{EVENING}rounds/1/tables/1/").context["view"].rows) == 2
        (paper,) = page_texts(desk.get(f"{EVENING}print/sheets/1.pdf?filled=1").content)
        assert "kaartpunten 324 + roem 50 = 374. Wij en zij samen 374: klopt." in paper
        assert (the_sheet().is_full, the_sheet().deals_entered, the_sheet().score_ns) == (
            True,
            2,
            250,
        )


class TestElsewhere:
    @pytest.mark.full
    def test_paper_has_lines_enough_and_says_when_it_ends(self, club: Club) -> None:
        until(1001, club, method=Evening.Method.TYPED_IN)
        (page,) = page_texts(desk_of(club).get(f"{EVENING}print/sheets/1.pdf").content)
        assert "tot 1.001 punten" in page
        assert "De ronde is uit na het spel waarin een partij op 1.001 punten komt." in page
        assert "Controle: wij en zij hebben samen 162 voor elk spel" in page
        # Mia deals the 1st, the 5th, the 9th and the 13th, after which the sheet is surely full.
        assert "13 Mia" in page
        assert "14 Piet" not in page

    @pytest.mark.full
    def test_a_filled_sheet_has_the_lines_that_were_played(self, club: Club) -> None:
        evening = until(250, club)
        write_deal(table(evening), 1, **PIT)
        url = f"{EVENING}print/sheets/1.pdf?filled=1"
        (page,) = page_texts(desk_of(club).get(url).content)
        assert "Controle: 1 × 162 + pit 100 = 262. Wij en zij samen 262: klopt." in page

    @pytest.mark.full
    def test_the_public_sees_points(self, club: Club) -> None:
        evening = until(500, club)
        write_deal(table(evening), 1)
        page = words(Client().get(f"/clubs/{club.slug}/evenings/2026-11-21/?show=tables"))
        assert "90 van 500 punten" in page

    @pytest.mark.full
    def test_the_season_counts_a_round_as_a_round(self, club: Club) -> None:
        season = Season.objects.create(club=club, name="2026", slug="2026")
        evening = until(250, club, season=season)
        write_deal(table(evening), 1, **PIT)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        evening_close(evening_id=evening.pk, actor=TESTS)
        assert [row.total for row in season_standings(season).rows] == [262, 262, 0, 0]

    @pytest.mark.full
    def test_written_to_a_file_and_read_again_it_is_the_same(
        self, club: Club, tmp_path: Path
    ) -> None:
        files = Files(club, tmp_path)
        evening = until(250, club, players=8, reneging_escalates=True)
        write_deal(table(evening, 1), 1, **PIT)
        write_deal(table(evening, 2), 1, points={}, reneged="E")
        write_deal(table(evening, 2), 1)
        write_deal(table(evening, 2), 2, points={}, reneged="E")
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        evening_close(evening_id=evening.pk, actor=TESTS)
        text = files.run("export_evening", date="2026-11-21")
        before = everything()
        assert "nothing changed" in files.evening(text)
        assert everything() == before
