"""A table's sheet at the desk: deals by keyboard, and what is put right on the whole of it."""

import uuid
from typing import Any

import pytest
from django.test import Client

from clubs.models import Club, Member
from scoring.models import DealEntry, Scoresheet
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    evening_with_draw,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tournaments.closing.services import evening_close
from tournaments.models import Evening, Registration
from tournaments.rounds.services import round_close
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

SHEET = f"{EVENING}rounds/1/tables/1/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def line(number: int, **answers: Any) -> dict[str, Any]:
    """What the desk's form sends for a blank line: NS play hearts and take 90."""
    sent: dict[str, Any] = {
        "seen_version": 0,
        "uuid": uuid.UUID(int=number),
        "declarer": "NS",
        "trump": "H",
        "points_ns": 90,
    }
    return sent | answers


def score(evening: Evening, number: int = 1) -> tuple[int, int]:
    sheet = table(evening, number).sheet
    return sheet.score_ns, sheet.score_ew


def closed(evening: Evening) -> None:
    """Write every deal of the first round, close it and the evening."""
    for one in evening.rounds.get(number=1).tables.all():
        for deal in range(1, evening.deals_per_round + 1):
            write_deal(table(evening, one.number), deal)
    round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)


@pytest.mark.full
def test_line_after_line_is_written(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    for number in (1, 2):
        page = desk.get(SHEET)
        assert page.context["form"].number == number
        response = desk.post(page.context["action"], line(number))
        assert response.headers["Location"] == SHEET
    assert score(evening) == (180, 144)


def test_the_same_line_sent_twice_is_written_once(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    for _ in range(2):
        assert desk.post(f"{SHEET}?deal=1", line(1)).status_code == 302
    assert (DealEntry.objects.count(), score(evening)) == (1, (90, 72))


@pytest.mark.full
def test_a_deal_that_cannot_be_names_every_fault(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    response = desk_of(club).post(f"{SHEET}?deal=1", line(1, points_ns=161, roem_ew="30"))
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"points_ns", "roem_ew"}
    assert (DealEntry.objects.count(), score(evening)) == (0, (0, 0))


def test_a_deal_somebody_else_wrote_is_never_overwritten(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    write_deal(table(evening), 1, points={"NS": 100})
    response = desk_of(club).post(f"{SHEET}?deal=1", line(1, why="miscounted"))
    assert (response.status_code, score(evening)) == (409, (100, 62))


@pytest.mark.full
def test_a_correction_needs_a_reason_and_keeps_what_was(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    write_deal(table(evening), 1)
    desk = desk_of(club)
    correction = line(1, seen_version=1, points_ns=100)
    assert desk.post(f"{SHEET}?deal=1", correction).status_code == 422
    desk.post(f"{SHEET}?deal=1", correction | {"why": "miscounted"})
    assert score(evening) == (100, 62)
    entries = DealEntry.objects.order_by("revision")
    assert [entry.result["score"]["NS"] for entry in entries if entry.result] == [90, 100]
    assert "90–72" in text(desk.get(f"{SHEET}?deal=1"))


@pytest.mark.full
def test_a_closed_round_is_corrected_by_the_director_and_published_again(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, deals_per_round=2)
    closed(evening)
    correction = line(1, seen_version=1, points_ns=100, why="miscounted", moves="seen")
    response = desk_of(club).post(f"{SHEET}?deal=1", correction, follow=True)
    assert messages_in(response) == [
        "Spel 1 is geschreven.",
        "De uitslag was al gepubliceerd vóór deze verbetering: publiceer hem opnieuw.",
    ]
    assert score(evening) == (190, 134)


@pytest.mark.full
def test_a_closed_round_is_not_for_scorekeepers(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, deals_per_round=2)
    closed(evening)
    keeper = Client()
    keeper.force_login(scorekeeper_of(club))
    response = keeper.post(
        f"{SHEET}?deal=1", line(1, seen_version=1, points_ns=100, why="miscounted")
    )
    assert (response.status_code, score(evening)) == (422, (180, 144))


@pytest.mark.full
def test_a_round_that_has_not_started_takes_no_deals(club: Club) -> None:
    evening_with_draw(club=club, players=4, started=False)
    desk = desk_of(club)
    desk.post(f"{SHEET}?deal=1", line(1))
    assert DealEntry.objects.count() == 0
    assert "Deze ronde is nog niet begonnen" in text(desk.get(SHEET))


def test_a_preview_writes_nothing(club: Club) -> None:
    evening_with_draw(club=club, players=4)
    response = desk_of(club).post(f"{SHEET}preview/?deal=1", line(1))
    assert (response.status_code, DealEntry.objects.count()) == (200, 0)


def test_we_and_they_are_swapped_with_a_reason(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    write_deal(table(evening), 1)
    desk = desk_of(club)
    assert desk.post(f"{SHEET}swap/").status_code == 422
    assert score(evening) == (90, 72)
    desk.post(f"{SHEET}swap/", {"reason": "Verkeerd om geschreven"})
    assert score(evening) == (72, 90)


def test_a_sheet_is_moved_to_its_table(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8)
    write_deal(table(evening, 1), 1)
    other = table(evening, 2)
    response = desk_of(club).post(
        f"{SHEET}move/", {"to": other.pk, "reason": "Stond bij de verkeerde tafel"}, follow=True
    )
    assert (score(evening, 1), score(evening, 2)) == ((0, 0), (90, 72))
    assert messages_in(response) == ["De tellijsten van tafel 1 en tafel 2 zijn verwisseld."]


@pytest.mark.full
def test_a_sheet_moves_only_within_its_round(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8)
    elsewhere = table(evening, 1, round_number=2)
    response = desk_of(club).post(f"{SHEET}move/", {"to": elsewhere.pk, "reason": "x"})
    assert set(response.context["form"].errors) == {"to"}


@pytest.mark.parametrize(("for_himself", "credited"), [("1", "Gijs Gast"), ("0", "")])
def test_a_substitute_takes_over(club: Club, for_himself: str, credited: str) -> None:
    evening = evening_with_draw(club=club, players=4, deals_per_round=2)
    write_deal(table(evening), 1)
    leaving = table(evening).placements.get(seat="N").member.name
    desk_of(club).post(
        f"{SHEET}substitute/",
        {"seat": "N", "guest": "Gijs Gast", "from_deal": 2, "for_himself": for_himself},
    )
    write_deal(table(evening), 2)
    totals = {line.name: line.total for line in evening_standings(evening)}
    if credited:
        assert (totals[leaving], totals["Gijs Gast"]) == (90, 90)
    else:
        assert (totals[leaving], totals.get("Gijs Gast", 0)) == (180, 0)


@pytest.mark.full
def test_a_substitute_sent_twice_is_one_person(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    for _ in range(2):
        desk_of(club).post(
            f"{SHEET}substitute/",
            {"seat": "N", "guest": "Gijs Gast", "from_deal": 2, "for_himself": "1"},
        )
    assert Member.objects.filter(name="Gijs Gast").count() == 1
    assert table(evening).sheet.seats.filter(seat="N").count() == 2
    assert table(evening).placements.filter(seat="N").count() == 2


def test_who_already_plays_is_a_substitute_for_the_one_who_stops_or_not_at_all(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8)
    desk = desk_of(club)
    mate, busy = (table(evening, n).placements.get(seat="E").member for n in (1, 2))
    assert f"{busy.name} (speelt aan tafel 2)" in text(desk.get(f"{SHEET}substitute/"))
    asked = {"seat": "N", "from_deal": 1, "for_himself": "1"}
    response = desk.post(f"{SHEET}substitute/", {**asked, "who": mate.pk})
    assert set(response.context["form"].errors) == {"who"}
    response = desk.post(f"{SHEET}substitute/", {**asked, "who": busy.pk})
    assert set(response.context["form"].errors) == {"__all__"}
    response = desk.post(
        f"{SHEET}substitute/", {**asked, "who": busy.pk, "for_himself": "0"}, follow=True
    )
    assert messages_in(response) == ["De invaller heeft het overgenomen."]


@pytest.mark.full
def test_a_substitute_is_one_person_and_a_refusal_adds_no_guest(club: Club) -> None:
    evening_with_draw(club=club, players=4)
    free = MemberFactory.create(club=club)
    desk = desk_of(club)
    both = {"seat": "N", "who": free.pk, "guest": "Gijs", "from_deal": 99, "for_himself": "1"}
    response = desk.post(f"{SHEET}substitute/", both)
    assert set(response.context["form"].errors) == {"who", "from_deal"}
    assert Registration.objects.count() == 4


def totals(**changed: Any) -> dict[str, Any]:
    """Totals of sixteen deals that add up: 16 × 162 = 2592."""
    message = {"points_ns": 1300, "roem_ns": 120, "pits_ns": 1}
    return message | {"points_ew": 1292, "roem_ew": 0, "pits_ew": 0} | changed


@pytest.mark.full
def test_totals_only_are_written_and_taken_off(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    desk.post(f"{SHEET}totals/", totals())
    assert score(evening) == (1300 + 120 + 100, 1292)
    page = text(desk.get(SHEET))
    assert (
        '<td class="num">1.520</td><td class="num">1.292</td>' in page,
        'id="deal-1"' in page,
    ) == (
        True,
        False,
    )
    assert 'value="1300"' in text(desk.get(f"{SHEET}totals/"))
    desk.post(f"{SHEET}totals/clear/")
    assert (score(evening), table(evening).sheet.deals_entered) == ((0, 0), 0)


@pytest.mark.full
def test_totals_that_cannot_be_show_every_fault(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    typing = desk.post(f"{SHEET}totals/", totals(points_ew="veel", roem_ns="x", pits_ew=-1))
    assert set(typing.context["form"].errors) == {"points_ew", "roem_ns", "pits_ew"}
    adding = desk.post(f"{SHEET}totals/", totals(points_ns=2600, points_ew=1291))
    errors = adding.context["form"].errors
    assert set(errors) == {"__all__", "points_ns"}
    assert "3891" in errors["__all__"][0]
    assert (adding.status_code, score(evening)) == (422, (0, 0))


@pytest.mark.full
def test_a_wrong_sum_is_reported_beside_what_was_left_out(club: Club) -> None:
    evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    errors = desk.post(f"{SHEET}totals/", totals(roem_ns="", points_ew=1291)).context["form"].errors
    assert errors == {
        "roem_ns": ["Typ het totaal, of typ 0 als er niets is."],
        "__all__": ["De punten van beide partijen zijn samen 2591; dat moet 2592 zijn."],
    }


@pytest.mark.full
def test_a_blank_sheet_leads_to_its_totals_from_both_pages(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    link = f'href="{SHEET}totals/"'
    assert [text(desk.get(page)).count(link) for page in (SHEET, f"{SHEET}grid/")] == [1, 1]
    write_deal(table(evening), 1)
    assert [text(desk.get(page)).count(link) for page in (SHEET, f"{SHEET}grid/")] == [0, 0]


@pytest.mark.full
def test_a_total_that_is_left_out_is_never_nought(club: Club) -> None:
    evening_with_draw(club=club, players=4)
    refused = desk_of(club).post(f"{SHEET}totals/", totals(roem_ew="", pits_ns=""))
    assert refused.context["form"].errors == {
        "roem_ew": ["Typ het totaal, of typ 0 als er niets is."],
        "pits_ns": ["Typ het totaal, of typ 0 als er niets is."],
    }
    assert 'value="1300"' in text(refused)


def test_the_two_totals_are_enough(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    page = text(desk.post(f"{SHEET}totals/", {"total_ns": 1834, "total_ew": 1218}, follow=True))
    assert score(evening) == (1834, 1218)
    assert "Hoeveel daarvan roem of pit is, is niet gezegd" in page
    again = desk.get(f"{SHEET}totals/").context["form"]
    assert [again[name].value() for name in ("total_ns", "total_ew", "roem_ns")] == [
        1834,
        1218,
        None,
    ]


@pytest.mark.full
def test_a_total_that_cannot_be_and_one_that_is_missing(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    missing = desk.post(f"{SHEET}totals/", {"total_ns": 1834})
    assert missing.context["form"].errors == {"total_ew": ["Typ het totaal."]}
    wrong = desk.post(f"{SHEET}totals/", {"total_ns": 1834, "total_ew": 1221})
    assert wrong.context["form"].errors == {
        "__all__": [
            (
                "Samen is dat 3.055. 16 spellen geven 2.592, en de overige 463 kunnen geen roem en "
                "pit zijn. Het zou 3.052 of 3.062 kunnen zijn."
            )
        ]
    }
    assert (wrong.status_code, score(evening)) == (422, (0, 0))


@pytest.mark.full
def test_what_is_unlikely_is_asked_first(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    figures = {"total_ns": 1392, "total_ew": 1218}
    asked = desk.post(f"{SHEET}totals/", figures)
    assert (asked.status_code, score(evening)) == (422, (0, 0))
    assert "Dat past bij 15 spellen, en er staan er 16 op de lijst." in text(asked)
    desk.post(f"{SHEET}totals/", figures | {"sure": "on"})
    assert score(evening) == (1392, 1218)
    assert table(evening).sheet.deals_entered == 15


@pytest.mark.full
def test_totals_of_the_next_table_follow_by_one_press(club: Club) -> None:
    evening = evening_with_draw(club=club, players=12)
    write_deal(table(evening, 2), 1)
    desk = desk_of(club)
    response = desk.post(f"{SHEET}totals/", totals(next=1))
    assert response.headers["Location"] == f"{EVENING}rounds/1/tables/3/totals/"
    last = desk.post(response.headers["Location"], totals(next=1))
    assert last.headers["Location"] == f"{EVENING}rounds/1/tables/3/"


@pytest.mark.full
def test_totals_of_a_closed_round_are_changed_by_opening_it_again(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk = desk_of(club)
    desk.post(f"{SHEET}totals/", totals())
    round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    page = text(desk.get(SHEET))
    assert (
        "Deze ronde is afgesloten, en deze tafel heeft alleen totalen ingeleverd. Om die te "
        "wijzigen, opent u eerst ronde 1 weer."
    ) in page
    assert "U kunt nog een spel wijzigen" not in page
    assert page.count("heeft alleen totalen ingeleverd") == 1
    reopen = f"{EVENING}rounds/1/reopen/"
    assert f'<a class="button" href="{reopen}">Ronde 1 weer openen</a>' in page
    desk.post(reopen)
    desk.post(f"{SHEET}totals/", totals(points_ns=1292, points_ew=1300))
    assert score(evening) == (1292 + 120 + 100, 1300)


def test_totals_do_not_replace_deals(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    write_deal(table(evening), 1)
    response = desk_of(club).post(f"{SHEET}totals/", totals())
    assert (response.status_code, score(evening)) == (422, (90, 72))


@pytest.mark.full
def test_the_next_table_is_one_link_away(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    page = text(desk_of(club).get(SHEET))
    assert f'href="{EVENING}rounds/1/tables/2/" accesskey="." rel="next"' in page


@pytest.mark.full
def test_acts_on_a_closed_sheet_are_refused_in_words(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, deals_per_round=1)
    closed(evening)
    response = desk_of(club).post(f"{SHEET}swap/", {"reason": "Te laat"}, follow=True)
    assert len(messages_in(response)) == 1
    assert Scoresheet.objects.get(table__round__number=1).score_ns == 90
