"""A whole paper sheet typed at the desk: line by line, or without any script all at once."""

import uuid
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club
from scoring.deals.director_forms import TYPED
from scoring.disputes.submissions import deal_submit
from scoring.models import DealEntry
from scoring.regulations.services import regulation_save
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    regulation_of,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.table_pages import playing_three
from tournaments.models import Evening, Round
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

GRID = f"{EVENING}rounds/1/tables/1/grid/"
JSON = {"Accept": "application/json"}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def small(club: Club, **plan: Any) -> Evening:
    """One table with a sheet of four lines."""
    sizes: dict[str, Any] = {"rounds": 1, "deals_per_round": 4}
    return evening_with_draw(club=club, players=4, **sizes | plan)


def line(number: int, **answers: Any) -> dict[str, Any]:
    """What the page sends of a blank line: NS play and take 90."""
    sent = {"seen_version": 0, "uuid": uuid.UUID(int=number), "declarer": "NS", "points_ns": 90}
    return {f"deal{number}-{name}": value for name, value in (sent | answers).items()}


def write(desk: Client, number: int, **answers: Any) -> Any:
    """Send one line by itself."""
    return desk.post(f"{GRID}lines/{number}/", line(number, **answers), headers=JSON)


def control(desk: Client, **figures: Any) -> Any:
    typed = {f"control-{name}": value for name, value in figures.items()}
    return desk.post(f"{GRID}control/", typed, follow=True)


def score(evening: Evening, number: int = 1) -> tuple[int, int]:
    sheet = table(evening, number).sheet
    return sheet.score_ns, sheet.score_ew


class TestALineByItself:
    def test_is_written_and_told_as_it_stands(self, club: Club) -> None:
        evening = small(club)
        answer = write(desk_of(club), 1, points_ns=60, roem_ew="20 50").json()
        assert answer["line"] == {
            "number": 1,
            "version": 1,
            "written": True,
            "score": "0–232",
            "marks": ["nat"],
            "warnings": [],
            "fields": {
                "declarer": "NS",
                "trump": "",
                "points_ns": "60",
                "roem_ns": "",
                "points_ew": "",
                "roem_ew": "20 50",
                "mark": "",
            },
        }
        assert (answer["status"], answer["full"], answer["lines"]) == ("written", False, 4)
        assert score(evening) == (0, 232)

    def test_sent_twice_is_written_once(self, club: Club) -> None:
        small(club)
        desk = desk_of(club)
        answers = [write(desk, 1).json()["line"]["version"] for _ in range(2)]
        assert (answers, DealEntry.objects.count()) == ([1, 1], 1)

    def test_of_which_the_answer_got_lost_comes_again(self, club: Club) -> None:
        evening = small(club)
        write_deal(table(evening), 1)
        desk = desk_of(club)
        again = {"seen_version": 1, "points_ns": 100, "why": "mistyped"}
        answers = [write(desk, 1, **again) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert [answer.json()["line"]["version"] for answer in answers] == [2, 2]
        assert DealEntry.objects.count() == 2

    def test_that_cannot_be_has_every_fault(self, club: Club) -> None:
        small(club)
        answer = write(desk_of(club), 1, points_ns=161, roem_ew="30")
        assert answer.status_code == 422
        assert sorted(answer.json()["errors"]) == ["points_ns", "roem_ew"]
        assert DealEntry.objects.count() == 0

    @pytest.mark.full
    def test_without_points_is_never_nought(self, club: Club) -> None:
        small(club)
        answer = write(desk_of(club), 1, points_ns="")
        assert answer.status_code == 422
        assert list(answer.json()["errors"]) == ["points_ns"]

    def test_that_somebody_else_wrote_stands_beside_what_was_typed(self, club: Club) -> None:
        evening = small(club)
        write_deal(table(evening), 1, points={"NS": 100})
        answer = write(desk_of(club), 1)
        assert answer.status_code == 409
        found = answer.json()
        assert (found["status"], found["line"]["version"]) == ("conflict", 1)
        assert (found["line"]["score"], found["line"]["fields"]["points_ns"]) == ("100–62", "100")
        assert any("100" in words for words in found["current"])
        assert score(evening) == (100, 62)

    @pytest.mark.full
    def test_that_somebody_else_wrote_the_same_stands(self, club: Club) -> None:
        evening = small(club)
        write_deal(table(evening), 1, points={"EW": 72})
        answer = write(desk_of(club), 1)
        assert (answer.status_code, answer.json()["line"]["version"]) == (200, 1)
        assert DealEntry.objects.count() == 1

    def test_is_corrected_with_a_reason(self, club: Club) -> None:
        evening = small(club)
        write_deal(table(evening), 1)
        desk = desk_of(club)
        assert write(desk, 1, seen_version=1, points_ns=100).json()["errors"] == {
            "why": ["Geef aan waarom u het spel wijzigt."]
        }
        assert write(desk, 1, seen_version=1, points_ns=100, why="roem").status_code == 200
        assert score(evening) == (100, 62)
        assert DealEntry.objects.get(revision=2).reason == "roem vergeten of verkeerd"

    def test_keeps_what_the_grid_does_not_show(self, club: Club) -> None:
        evening = small(club)
        fine = [{"side": "NS", "points": -50, "reason": "te laat"}]
        write_deal(table(evening), 1, corrections=fine)
        write(desk_of(club), 1, seen_version=1, points_ns=100, trump="H", why="miscounted")
        assert DealEntry.objects.get(revision=2).written == {
            "declarer": "NS",
            "trump": "H",
            "points": {"NS": 100},
            "corrections": fine,
        }

    @pytest.mark.full
    def test_keeps_two_marks_until_another_is_chosen(self, club: Club) -> None:
        evening = small(club)
        both = {"pit": "NS", "accused_wrongly_by": "E"}
        write_deal(table(evening), 1, **both, points={"NS": 162})
        desk = desk_of(club)
        found = desk.get(GRID).context["about"]["lines"][0]["fields"]
        assert found["mark"] == "kept"
        changed = {"seen_version": 1, "points_ns": 162, "roem_ns": "20", "why": "roem"}
        write(desk, 1, **changed, mark="kept")
        entry = DealEntry.objects.get(revision=2)
        assert entry.written == both | {
            "declarer": "NS",
            "trump": None,
            "points": {"NS": 162},
            "roem": {"NS": [20]},
        }

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("mark", "wanted"),
        [
            ("nat", (0, 162)),
            ("pit:NS", (262, 0)),
            ("reneged:E", (262, 0)),
            ("replayed", (0, 0)),
        ],
    )
    def test_takes_a_mark_in_place_of_points(
        self, club: Club, mark: str, wanted: tuple[int, int]
    ) -> None:
        evening = small(club)
        assert write(desk_of(club), 1, points_ns="", mark=mark).status_code == 200
        assert score(evening) == wanted

    @pytest.mark.full
    def test_takes_the_letters_of_the_club(self, club: Club) -> None:
        Club.objects.update(roem_letters="V=50 D=20")
        evening = small(club)
        write(desk_of(club), 1, roem_ns="v D", roem_ew="0")
        assert score(evening) == (160, 72)

    def test_says_what_is_unlikely(self, club: Club) -> None:
        small(club)
        answer = write(desk_of(club), 1, roem_ns="200 100").json()
        assert answer["line"]["warnings"] == [
            "Er staat samen 300 roem. Klopt dat?",
            "300 roem met maar 90 punten is heel zeldzaam. Klopt dat?",
        ]

    def test_costs_as_many_queries_at_the_end_as_at_the_start(
        self, club: Club, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        evening_with_draw(club=club, players=8)
        desk = desk_of(club)
        with django_assert_num_queries(29):
            write(desk, 1)  # Which also asks whether totals were handed in.
        for number in range(2, 17):
            with django_assert_num_queries(28):
                write(desk, number)

    @pytest.mark.full
    def test_of_a_closed_round_is_not_taken(self, club: Club) -> None:
        evening = small(club, deals_per_round=1)
        write_deal(table(evening), 1)
        round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
        answer = write(desk_of(club), 1, seen_version=1, points_ns=100, why="roem")
        assert (answer.status_code, answer.json()["status"]) == (409, "sheet_closed")
        assert "Deze ronde is gesloten." in text(desk_of(club).get(GRID))

    def test_that_the_sheet_does_not_have_is_not_found(self, club: Club) -> None:
        small(club)
        assert write(desk_of(club), 17).status_code == 404


@pytest.mark.full
@pytest.mark.parametrize(
    "odd",
    [
        {"seen_version": "9" * 40},
        {"seen_version": "-1"},
        {"uuid": "geen"},
        {"points_ns": "9" * 400},
        {"points_ns": "٩٠"},
        {"roem_ns": "20 " * 5000},
        {"roem_ns": "\x00"},
        {"declarer": "X"},
        {"mark": "pit:XX"},
        {"shown": "{"},
    ],
)
def test_odd_answers_are_answered(club: Club, odd: dict[str, str]) -> None:
    small(club)
    desk = desk_of(club)
    assert write(desk, 1, **odd).status_code in {200, 409, 422}
    assert desk.post(GRID, line(2, **odd)).status_code in {302, 409, 422}
    assert desk.get(GRID).status_code == 200
    assert control(desk, points_ns="9" * 50, pits_ew="-1").status_code == 422
    assert desk.post(f"{GRID}control/", {"accept": "9" * 50}).status_code == 422


class TestWithoutAnyScript:
    def test_all_lines_are_written_at_once(self, club: Club) -> None:
        evening = small(club)
        response = desk_of(club).post(GRID, line(1) | line(2, points_ns=100), follow=True)
        assert messages_in(response) == ["2 spellen zijn geschreven."]
        assert score(evening) == (190, 134)

    def test_one_fault_keeps_all_back_and_everything_stays(self, club: Club) -> None:
        evening = small(club)
        sent = line(1) | line(2, points_ns=161) | line(3, roem_ew="30", points_ns="")
        response = desk_of(club).post(GRID, sent)
        assert response.status_code == 422
        assert [line.number for line in response.context["faulty"]] == [2, 3]
        assert all(line.faults for line in response.context["faulty"])
        page = text(response)
        assert 'name="deal1-points_ns" value="90"' in page
        assert 'name="deal2-points_ns" value="161"' in page
        assert (DealEntry.objects.count(), score(evening)) == (0, (0, 0))

    def test_what_somebody_else_wrote_is_shown_and_replaced_only_once_seen(
        self, club: Club
    ) -> None:
        evening = small(club)
        write_deal(table(evening), 1, points={"NS": 100})
        desk = desk_of(club)
        response = desk.post(GRID, line(1) | line(2))
        assert response.status_code == 409
        assert "Dit staat nu op de tellijst:" in text(response)
        assert score(evening) == (100, 62)
        seen = line(1, seen_version=1, why="mistyped") | line(2)
        assert desk.post(GRID, seen).status_code == 302
        assert score(evening) == (180, 144)

    def test_a_line_that_a_phone_wrote_in_the_meantime_is_left_alone(self, club: Club) -> None:
        evening = small(club)
        desk = desk_of(club)
        page = desk.get(GRID).context["lines"]
        write_deal(table(evening), 2, points={"NS": 100})
        untouched = {
            f"deal2-{name}": page[1].form[name].value() or ""
            for name in ("shown", "uuid", *(t for t in TYPED if t != "bid"))
        } | {"deal2-seen_version": "0"}
        response = desk.post(GRID, line(1) | untouched, follow=True)
        assert messages_in(response) == ["1 spel is geschreven."]
        assert score(evening) == (190, 134)
        typed = {"deal2-declarer": "NS", "deal2-points_ns": "80"}
        assert desk.post(GRID, untouched | typed).status_code == 409

    @pytest.mark.full
    def test_nothing_typed_writes_nothing(self, club: Club) -> None:
        plan: dict[str, Any] = {"regulation": regulation_of(club, "utrecht")}
        small(club, **plan)
        assert desk_of(club).post(GRID, line(1, declarer="S", points_ns="")).status_code == 302
        assert DealEntry.objects.count() == 0


def keys_of(client: Client, path: str = GRID) -> Any:
    return client.get(path).context["keys"]


class TestTheKeys:
    def test_are_those_of_the_language(self, club: Club) -> None:
        small(club)
        desk = desk_of(club)
        dutch = keys_of(desk)
        assert dutch.sides == {"w": "ns", "z": "ew"}
        assert dutch.suits == {"k": "C", "r": "D", "h": "H", "s": "S"}
        assert dutch.roem == {"2": 20, "4": 40, "5": 50, "7": 70, "1": 100, "b": 200}
        assert (dutch.nat, dutch.pit) == ("n", "p")
        Club.objects.update(language="en")
        english = keys_of(desk)
        assert (english.sides, english.suits["c"]) == ({"w": "ns", "t": "ew"}, "C")
        assert english.roem["j"] == 200

    @pytest.mark.full
    def test_are_those_of_the_club(self, club: Club) -> None:
        Club.objects.update(pit_word="mars", roem_letters="B=20 V=50")
        small(club)
        keys = keys_of(desk_of(club))
        assert (keys.pit, keys.roem["b"], keys.roem["v"]) == ("m", 20, 50)

    @pytest.mark.full
    def test_of_a_table_of_three_are_those_of_who_plays(self, club: Club) -> None:
        _evening, three = playing_three(club=club, deals_per_round=4)
        keys = keys_of(desk_of(club), f"{EVENING}rounds/1/tables/{three.number}/grid/")
        assert keys.sides == {"s": "ns", "t": "ew"}
        assert keys.suits == {"k": "C", "r": "D", "h": "H"}

    @pytest.mark.full
    def test_of_who_plays_stand_in_the_legend(self, club: Club) -> None:
        _evening, three = playing_three(club=club, deals_per_round=4)
        desk = desk_of(club)
        people = desk.get(f"{EVENING}rounds/1/tables/{three.number}/grid/").context["plays"]
        assert [key for key, _name in people] == ["1", "2", "3"]
        four = desk.get(GRID)
        assert four.context["plays"] == [("w", "Wij"), ("z", "Zij")]
        assert "<kbd>W</kbd> Wij" in text(four)

    @pytest.mark.full
    def test_of_persons_and_sides_stand_in_the_legend_where_lines_have_either(
        self, club: Club
    ) -> None:
        evening = small(club)
        write_deal(table(evening), 1, declarer="N")
        plays = desk_of(club).get(GRID).context["plays"]
        assert [key for key, _name in plays] == ["1", "2", "3", "4", "w", "z"]

    @pytest.mark.full
    def test_of_nat_are_for_who_plays_it(self, club: Club) -> None:
        small(club, regulation=regulation_of(club, "gezelligheid"))
        desk = desk_of(club)
        assert keys_of(desk).nat == ""
        assert "<kbd></kbd>" not in text(desk.get(GRID))


def test_the_next_table_is_one_that_is_not_full(club: Club) -> None:
    evening = evening_with_draw(club=club, players=12, deals_per_round=1)
    write_deal(table(evening, 2), 1)
    desk = desk_of(club)
    assert desk.get(GRID).context["next_table"].number == 3
    last = desk.get(GRID.replace("tables/1", "tables/3"))
    assert last.context["next_table"].number == 1
    for number in (1, 3):
        write_deal(table(evening, number), 1)
    assert desk.get(GRID).context["next_table"] is None


def test_who_enters_deals_may_type_sheets_and_others_may_not(club: Club) -> None:
    small(club)
    for person, status in ((scorekeeper_of(club), 200), (director_of(club), 200)):
        client = Client()
        client.force_login(person)
        assert client.get(GRID).status_code == status
    stranger = Client()
    stranger.force_login(organiser_of(ClubFactory.create(slug="elders", name="Elders")))
    for path in (GRID, f"{GRID}lines/1/", f"{GRID}control/"):
        assert stranger.post(path).status_code == 403
        assert Client().post(path).status_code == 302


@pytest.mark.full
def test_a_round_that_has_not_started_and_a_table_with_totals_take_no_lines(club: Club) -> None:
    evening = small(club, started=False)
    desk = desk_of(club)
    assert "Deze ronde is nog niet begonnen" in text(desk.get(GRID))
    assert write(desk, 1).json()["status"] == "sheet_not_started"
    assert evening.rounds.get(number=1).state == Round.State.DRAWN


@pytest.mark.parametrize("deals", [4, 16])
def test_the_page_asks_as_many_questions_for_many_lines_as_for_few(
    club: Club, deals: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = evening_with_draw(club=club, players=8, deals_per_round=deals)
    for number in range(1, deals):
        write_deal(table(evening), number)
    desk = desk_of(club)
    desk.get(GRID)
    with django_assert_num_queries(17):
        desk.get(GRID)


def test_a_line_that_was_written_in_two_ways_leads_to_where_that_is_decided(club: Club) -> None:
    evening = small(club)
    at = table(evening)
    write_deal(at, 1)
    deal_submit(
        sheet_id=at.sheet_id,
        number=1,
        uuid=uuid.uuid4(),
        written={"declarer": "NS", "trump": None, "points": {"NS": 100}},
        seen_version=0,
        actor=TESTS,
    )
    link = f'href="{EVENING}claims/"'
    helper = Client()
    helper.force_login(scorekeeper_of(club))
    for client, links in ((desk_of(club), 1), (helper, 0)):
        page = client.get(GRID)
        assert page.context["claimed"] == {1}
        assert text(page).count("twee uitkomsten") == 1
        assert text(page).count(link) == links


@pytest.mark.full
def test_the_board_and_the_sheet_lead_to_the_grid(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, deals_per_round=1)
    desk = desk_of(club)
    assert f'href="{GRID}"' in text(desk.get(f"{EVENING}board/"))
    assert f'href="{GRID}"' in text(desk.get(f"{EVENING}rounds/1/tables/1/"))
    write_deal(table(evening), 1)
    assert f'href="{GRID.replace("tables/1", "tables/2")}"' in text(desk.get(f"{EVENING}board/"))


def test_the_bid_is_typed_where_it_counts(club: Club) -> None:
    rules = {"bidding": "free", "bid_needed": True}
    leids = regulation_save(club=club, name="Leids", settings=rules, actor=TESTS)
    evening, desk = small(club, regulation=leids), desk_of(club)
    assert '<th scope="col" role="columnheader">Bod</th>' in text(desk.get(GRID))
    missing = write(desk, 1, points_ns=100)
    assert (missing.status_code, list(missing.json()["errors"])) == (422, ["bid"])
    answer = write(desk, 1, points_ns=100, bid=110).json()
    assert (answer["line"]["fields"]["bid"], answer["line"]["score"]) == ("110", "0–162")
    # Without a script the line goes with all others.
    sent = line(2, points_ns=110, bid=110) | line(3, points_ns=80, bid=501)
    assert desk.post(GRID, sent).status_code == 422
    desk.post(GRID, line(2, points_ns=110, bid=110))
    assert score(evening) == (110, 162 + 52)
    written = DealEntry.objects.get(deal__number=2).written
    assert written is not None
    assert written["bid"] == 110


@pytest.mark.full
def test_of_another_game_the_desk_offers_totals_and_no_deals(club: Club) -> None:
    rules = regulation_save(club=club, name="Jokeren", settings={"game": "other"}, actor=TESTS)
    evening, desk = small(club, regulation=rules), desk_of(club)
    sheet, totals = f"{EVENING}rounds/1/tables/1/", f"{EVENING}rounds/1/tables/1/totals/"
    words = "Er wordt een ander spel dan klaverjassen gespeeld: alleen de twee totalen worden"
    for address in (sheet, GRID):
        page = desk.get(address)
        assert words in text(page)
        assert f'href="{totals}"' in text(page)
        assert "points_ns" not in text(page)
        assert "Wie deelt" not in text(page)
    assert f'href="{GRID}"' not in text(desk.get(sheet))
    assert write(desk, 1).status_code == 422
    assert desk.post(f"{sheet}?deal=1", {"declarer": "NS", "points_ns": 90}).status_code == 422
    assert "points_ns" not in text(desk.get(totals))
    desk.post(totals, {"total_ns": 311, "total_ew": 245})
    assert score(evening) == (311, 245)
    for address in (sheet, GRID):
        shown = text(desk.get(address))
        assert f'href="{totals}"' in shown
        assert "roem" not in shown.partition("<h1")[2].partition("<details")[0]
