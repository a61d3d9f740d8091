"""The board, and rounds started, closed and opened again."""

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from clubs.audit.services import Actor
from clubs.models import Club, Member
from scoring.disputes.submissions import deal_submit, sheet_answer
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, ClubFactory, evening_with_draw, scorekeeper_of, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.public_pages import words
from tournaments.draw.extra_tables import extra_table_make
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening
from tournaments.rounds.board import board
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

BOARD = f"{EVENING}board/"
TABLES = f"{EVENING}rounds/1/tables/"
LIVE = f"{BOARD}live/?round=1&order=number"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def fill(evening: Evening, *numbers: int, round_number: int = 1) -> None:
    """Write every deal at these tables."""
    for number in numbers:
        for deal in range(1, evening.deals_per_round + 1):
            write_deal(table(evening, number, round_number), deal)


def waits(evening: Evening) -> None:
    """At table 1 another phone wrote something else for the first deal."""
    written = {"declarer": "NS", "trump": "H", "points": {"NS": 100}}
    deal_submit(
        sheet_id=table(evening).sheet_id, number=1, seen_version=0, uuid=uuid.uuid4(),
        written=written, actor=Actor.of_program("x"),
    )  # fmt: skip


def row(evening: Evening, number: int = 1) -> Any:
    """What the board says of a table of round 1."""
    return next(one for one in board(evening, 1).tables if one.number == number)


def problems(evening: Evening, number: int = 1) -> list[str]:
    """What the director should look at, at a table of round 1."""
    return [problem.words for problem in row(evening, number).problems]


@pytest.mark.full
def test_a_table_shows_how_far_it_is(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8)
    write_deal(table(evening), 1)
    write_deal(table(evening), 2, points={"NS": 100})
    found = row(evening)
    assert (found.done, found.whole, found.full) == (2, 16, False)
    assert [(side.score, side.leads) for side in found.sides] == [(190, True), (134, False)]
    assert (found.problems, found.last_entry_at is None) == ((), False)
    names = [name for side in found.sides for name in side.names]
    shown = words(desk_of(club).get(BOARD))
    assert f"{names[0]} – {names[1]} 190" in shown
    assert "Tafel 1 2 van 16 spellen" in shown


def test_the_board_and_the_sheet_say_who_plays_twice_and_gets_no_points_there(club: Club) -> None:
    evening = evening_with_draw(club=club, players=6, method="typed_in", started=False)
    twice = [Member.objects.get(number=number) for number in (1, 2)]
    extra_table_make(evening_id=evening.pk, round_number=1, twice=twice, actor=TESTS)
    desk = desk_of(club)
    seats = evening.rounds.get().tables.get(number=2).sheet.seats.filter(extra=True)
    one, two = seats.order_by("seat").values_list("member__name", flat=True)
    said = f"{one} en {two} spelen deze ronde dubbel en krijgen aan deze tafel geen punten."
    assert text(desk.get(BOARD)).count(said) == 1
    assert said in text(desk.get(f"{EVENING}rounds/1/tables/2/"))
    assert "deze ronde dubbel" not in text(desk.get(f"{EVENING}rounds/1/tables/1/"))


@pytest.mark.full
def test_who_plays_twice_alone_is_named_alone(club: Club) -> None:
    evening = evening_with_draw(club=club, players=7, method="typed_in", started=False)
    one = Member.objects.get(number=1)
    extra_table_make(evening_id=evening.pk, round_number=1, twice=[one], actor=TESTS)
    said = f"{one.name} speelt deze ronde dubbel en krijgt aan deze tafel geen punten."
    assert said in text(desk_of(club).get(BOARD))


@pytest.mark.full
def test_a_dispute_is_trouble_until_it_is_settled(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, deals_per_round=1)
    fill(evening, 1)
    sheet = table(evening).sheet
    answer = sheet_answer(
        sheet_id=sheet.pk, side="EW", seen_version=sheet.version, agrees=False, actor=TESTS,
        note="Spel 1 was nat",
    )  # fmt: skip
    desk = desk_of(club)
    assert problems(evening) == ["niet eens"]
    shown = words(desk.get(BOARD))
    assert "Let op bij 1 tafel: Tafel 1 : niet eens" in shown
    assert "niet eens Zij: Spel 1 was nat" in shown
    settle = f"{EVENING}rounds/1/tables/1/settle/"
    for _ in range(2):
        assert messages_in(desk.post(settle, {"dispute": answer.pk}, follow=True)) == [
            "Afgehandeld."
        ]
    assert problems(evening) == []
    assert "Geen problemen" in words(desk.get(BOARD))


@pytest.mark.full
def test_both_sides_agreeing_shows(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, deals_per_round=1)
    fill(evening, 1)
    for side in ("NS", "EW"):
        sheet = table(evening).sheet
        sheet_answer(
            sheet_id=sheet.pk, side=side, seen_version=sheet.version, agrees=True, actor=TESTS
        )  # fmt: skip
    assert row(evening).agreed == 2
    assert "beide akkoord" in text(desk_of(club).get(BOARD))


@pytest.mark.full
def test_totals_only_are_marked(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    side_totals_write(
        sheet_id=table(evening).sheet_id,
        totals={"NS": HandedIn(points=1300), "EW": HandedIn(points=1292)},
        actor=TESTS,
    )
    assert (row(evening).totals_only, row(evening).full) == (True, True)


@pytest.mark.full
def test_trouble_comes_first_when_asked_for(club: Club) -> None:
    evening = evening_with_draw(club=club, players=12, deals_per_round=2)
    fill(evening, 1, 2)
    sheet = table(evening, 2).sheet
    sheet_answer(
        sheet_id=sheet.pk, side="NS", seen_version=sheet.version, agrees=False, actor=TESTS
    )
    assert [one.number for one in board(evening, 1).tables] == [1, 2, 3]
    assert [one.number for one in board(evening, 1, "trouble").tables] == [2, 3, 1]


@pytest.mark.full
def test_the_board_answers_304_until_something_changes(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    first = desk.get(LIVE)
    etag = first.headers["ETag"]
    assert desk.get(LIVE, headers={"if-none-match": etag}).status_code == 304
    write_deal(table(evening), 1)
    assert desk.get(LIVE, headers={"if-none-match": etag}).status_code == 200


def test_an_unchanged_board_costs_few_queries(
    club: Club, django_assert_num_queries: Callable[..., Any]
) -> None:
    evening_with_draw(club=club, players=12)
    desk = desk_of(club)
    etag = desk.get(LIVE).headers["ETag"]
    # session, user, club, role, evening
    with django_assert_num_queries(5):
        desk.get(LIVE, headers={"if-none-match": etag})


def test_the_board_asks_as_many_questions_for_three_tables_as_for_one(
    django_assert_num_queries: Callable[..., Any],
) -> None:
    for players, slug in ((4, "klein"), (12, "groot")):
        club = ClubFactory.create(slug=slug)
        evening_with_draw(club=club, players=players)
        desk = desk_of(club)
        with django_assert_num_queries(17):
            desk.get(BOARD.replace("vrolijke-boer", slug))


@pytest.mark.full
def test_a_round_is_started_once(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, started=False)
    desk = desk_of(club)
    assert "2 tafels gaan spelen." in text(desk.get(f"{EVENING}rounds/1/start/"))
    first = desk.post(f"{EVENING}rounds/1/start/", follow=True)
    second = desk.post(f"{EVENING}rounds/1/start/", follow=True)
    assert (messages_in(first), messages_in(second)) == (["Ronde 1 is begonnen."], [])
    assert evening.rounds.get(number=1).state == "running"


@pytest.mark.full
def test_rounds_start_in_order(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, started=False)
    response = desk_of(club).post(f"{EVENING}rounds/2/start/", follow=True)
    assert messages_in(response) == ["Sluit eerst de ronde hiervoor af."]
    assert evening.rounds.get(number=2).state == "drawn"


@pytest.mark.full
def test_in_a_rotation_the_next_round_may_start_early(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    assert "Ronde 2 starten, 2 tafels" in text(desk_of(club).get(BOARD))


@pytest.mark.full
def test_one_main_action_at_a_time(club: Club) -> None:
    evening = evening_with_draw(club=club, players=5, deals_per_round=1)
    desk = desk_of(club)
    waiting = text(desk.get(BOARD))
    assert "<strong>Ronde 1: 0 van 1 tafels klaar</strong>" in waiting
    assert "button-primary" not in waiting
    out = evening.rounds.get(number=1).placements.get(table=None)
    assert f"<strong>Stilzitten:</strong> {out.member.name}<" in waiting
    write_deal(table(evening), 1)
    full = desk.get(BOARD).content.decode()
    assert full.count("button-primary") == 1
    assert "Ronde 1 afsluiten: alles is binnen" in full


@pytest.mark.full
def test_unfinished_tables_are_named_and_need_a_reason(club: Club) -> None:
    evening = evening_with_draw(club=club, players=12, deals_per_round=1)
    fill(evening, 2)
    desk = desk_of(club)
    url = f"{EVENING}rounds/1/close/"
    assert "De tafels 1, 3 zijn nog niet klaar." in text(desk.get(url))
    refused = desk.post(url)
    assert (refused.status_code, evening.rounds.get(number=1).state) == (422, "running")
    desk.post(url, {"reason": "De zaal gaat dicht"})
    assert evening.rounds.get(number=1).state == "closed"


def test_a_full_round_closes_without_a_reason_and_opens_again(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, deals_per_round=1)
    fill(evening, 1)
    desk = desk_of(club)
    for _ in range(2):
        desk.post(f"{EVENING}rounds/1/close/")
        assert evening.rounds.get(number=1).state == "closed"
    for _ in range(2):
        desk.post(f"{EVENING}rounds/1/reopen/")
        assert evening.rounds.get(number=1).state == "running"


@pytest.mark.full
def test_closing_a_round_that_has_not_started_is_refused_in_words(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, started=False)
    response = desk_of(club).post(
        f"{EVENING}rounds/1/close/", {"reason": "Vergissing"}, follow=True
    )
    assert messages_in(response) == ["Dat kan nu niet: de avond is gepland."]
    assert evening.rounds.get(number=1).state == "drawn"


@pytest.mark.parametrize(("sent", "frozen"), [("1", True), ("0", False)])
def test_the_standings_are_hidden_and_shown(club: Club, sent: str, frozen: bool) -> None:
    evening = evening_with_draw(club=club, players=4)
    evening_freeze(evening_id=evening.pk, frozen=not frozen, actor=TESTS)
    desk_of(club).post(f"{EVENING}freeze/", {"frozen": sent})
    evening.refresh_from_db()
    assert evening.frozen is frozen


@pytest.mark.full
def test_a_scorekeeper_sees_the_board_without_its_buttons(club: Club) -> None:
    evening_with_draw(club=club, players=4)
    keeper = Client()
    keeper.force_login(scorekeeper_of(club))
    page = text(keeper.get(BOARD))
    assert ("Ronde 1 afsluiten" in page, "Stand verbergen" in page) == (False, False)


ACTIONS = {
    f"{EVENING}{path}"
    for path in (
        "present/", "draw/", "close/", "text/", "print/", "print/draw.pdf", "print/sheets/1.pdf",
        "print/sheets/2.pdf", "links/", "phones/", "screen/", "freeze/", "claims/",
        "rounds/1/close/", "rounds/2/start/", "rounds/1/tables/1/settle/",
        "rounds/1/tables/1/grid/", "rounds/1/tables/1/substitute/", "rounds/1/tables/1/swap/",
        "rounds/1/tables/1/move/", "rounds/1/tables/2/totals/", "tables/1/trail/",
    )
}  # fmt: skip


def leads_to(response: Any) -> set[str]:
    """Where the links and forms of a page lead, without what follows the path."""
    found = re.findall(r'(?:href|action)="([^"?#]+)', response.content.decode())
    return set(found)


@pytest.mark.full
def test_each_action_is_two_presses_away_at_most(club: Club) -> None:
    evening = evening_with_draw(club=club, players=12, deals_per_round=1)
    fill(evening, 1)
    sheet = table(evening).sheet
    sheet_answer(
        sheet_id=sheet.pk, side="NS", seen_version=sheet.version, agrees=False, actor=TESTS
    )
    waits(evening)
    desk = desk_of(club)
    first = leads_to(desk.get(BOARD))
    second = {url for number in (1, 2) for url in leads_to(desk.get(f"{TABLES}{number}/"))}
    assert ACTIONS - first - second == set()


@pytest.mark.full
def test_the_sheets_that_are_offered_are_those_of_the_round_to_come(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, deals_per_round=1)
    desk = desk_of(club)

    def offered() -> list[str]:
        return re.findall(r"print/sheets/(\d)\.pdf", desk.get(BOARD).content.decode())

    assert offered() == ["2", "1"]
    fill(evening, 1)
    round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    assert offered() == ["2"]
    assert "Tellijsten van ronde 2" in text(desk.get(f"{BOARD}?round=1"))


@pytest.mark.full
def test_what_is_open_in_another_round_is_told_beside_this_one(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, deals_per_round=1)
    fill(evening, 1, 2)
    sheet = table(evening, 2).sheet
    sheet_answer(
        sheet_id=sheet.pk, side="NS", seen_version=sheet.version, agrees=False, actor=TESTS
    )
    page = desk_of(club).get(f"{BOARD}?round=2")
    assert "Let op bij 1 tafel: Tafel 2, ronde 1: niet eens" in words(page)
    assert [table.problems for table in page.context["board"].tables] == [(), ()]


@pytest.mark.full
def test_a_sheet_on_paper_is_the_next_thing_where_no_phones_are(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, phones=False)
    write_deal(table(evening), 1)
    page = text(desk_of(club).get(BOARD))
    assert page.count("button-primary") == 1
    assert "Tellijst overtypen, vanaf tafel 1" in page


@pytest.mark.full
def test_an_open_board_is_not_sent_what_it_shows_already(club: Club) -> None:
    evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    page = desk.get(BOARD)
    etag, live = (
        page.context["poll_tag"],
        re.findall(r'data-poll="([^"]+)"', page.content.decode())[0],
    )
    answer = desk.get(live.replace("&amp;", "&"), headers={"if-none-match": etag})
    assert (answer.status_code, answer.headers["ETag"]) == (304, etag)
