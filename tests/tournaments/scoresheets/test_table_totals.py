"""Totals handed in from a table's phone, and who plays for whom on its page."""

import pytest
from django.test import Client

from clubs.models import Club
from scoring.display.words import DealRefused
from scoring.regulations.services import regulation_save
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.desk import desk_of, text
from tests.tournaments.scoresheets.test_desk_sheet import SHEET
from tests.tournaments.table_pages import link, playing, playing_three, words
from tournaments.models import Evening
from tournaments.rounds.services import round_close, table_substitute

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def score(evening: Evening) -> tuple[int, int]:
    sheet = table(evening).sheet
    return sheet.score_ns, sheet.score_ew


@pytest.mark.full
def test_a_blank_sheet_takes_two_totals_instead_of_deals(client: Client) -> None:
    evening = playing()
    page = f"{link(evening)}rounds/1/totals/"
    assert f'href="{page}"' in client.get(link(evening)).content.decode()
    answer = client.post(page, {"total_ns": 1834, "total_ew": 1218}, follow=True)
    assert score(evening) == (1834, 1218)
    shown = words(answer)
    assert "Totaal 1.834 1.218" in shown
    assert "Totalen wijzigen" in shown
    assert table(evening).sheet.is_full


@pytest.mark.full
@pytest.mark.parametrize(
    ("totals", "roem"),
    [
        ({"total_ns": 1834, "total_ew": 1218}, None),
        ({"total_ns": 1515, "total_ew": 1377}, None),
        # The card points after nat are 16 × 162, and roem and pits are the rest.
        (
            {"total_ns": 1515, "points_ns": 1395, "roem_ns": 120, "pits_ns": 0, "total_ew": 1377},
            120,
        ),
    ],
)
def test_totals_as_a_table_hands_them_in(
    club: Club, totals: dict[str, int], roem: int | None
) -> None:
    evening = evening_with_draw(club=club, players=4)
    desk_of(club).post(f"{SHEET}totals/", totals)
    assert score(evening) == (totals["total_ns"], totals["total_ew"])
    assert table(evening).sheet.side_totals.get(side="NS").roem == roem


@pytest.mark.full
def test_totals_with_their_split_are_checked(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    split = {"total_ns": 1515, "points_ns": 1395, "roem_ns": 120, "pits_ns": 0}
    split |= {"total_ew": 1377, "roem_ew": 180, "pits_ew": 0}
    desk = desk_of(club)
    wrong = desk.post(f"{SHEET}totals/", split | {"points_ew": 1187, "roem_ew": 190})
    assert wrong.status_code == 422
    assert score(evening) == (0, 0)
    # 1,395 + 1,197 = 16 × 162.
    desk.post(f"{SHEET}totals/", split | {"points_ew": 1197})
    assert score(evening) == (1515, 1377)


@pytest.mark.full
def test_another_game_takes_two_totals_and_no_deals(client: Client, club: Club) -> None:
    rules = regulation_save(club=club, name="Jokeren", settings={"game": "other"}, actor=TESTS)
    evening = playing(club=club, regulation=rules)
    page = f"{link(evening)}rounds/1/totals/"
    assert client.get(link(evening)).headers["Location"].endswith("/rounds/1/totals/")
    slip = client.post(page, {"total_ns": 53811, "total_ew": 245})
    assert slip.status_code == 422
    assert "Meer dan 20.000 is een vergissing." in words(slip)
    client.post(page, {"total_ns": 311, "total_ew": 245})
    assert score(evening) == (311, 245)
    assert "Totaal 311 245" in words(client.get(link(evening)))
    with pytest.raises(DealRefused) as refused:
        write_deal(table(playing(club=club, regulation=rules, name="Middag")), 1)
    assert [fault.code for fault in refused.value.faults] == ["other_game"]


def test_what_cannot_be_or_is_unlikely_is_said_and_nothing_is_written(client: Client) -> None:
    evening = playing()
    page = f"{link(evening)}rounds/1/totals/"
    wrong = client.post(page, {"total_ns": 1834, "total_ew": 1221})
    assert wrong.status_code == 422
    assert "Het zou 3.052 of 3.062 kunnen zijn." in words(wrong)
    unlikely = client.post(page, {"total_ns": 1392, "total_ew": 1218})
    assert (unlikely.status_code, score(evening)) == (422, (0, 0))
    assert "Dat past bij 15 spellen" in words(unlikely)
    client.post(page, {"total_ns": 1392, "total_ew": 1218, "sure": "on"})
    assert score(evening) == (1392, 1218)
    assert "De totalen zijn geschreven, van 15 van de 16 spellen." in words(
        client.get(link(evening))
    )


def test_they_are_changed_and_taken_off_from_the_phone(client: Client) -> None:
    evening = playing()
    page = f"{link(evening)}rounds/1/totals/"
    client.post(page, {"total_ns": 1834, "total_ew": 1218})
    client.post(page, {"total_ns": 1218, "total_ew": 1834})
    assert score(evening) == (1218, 1834)
    client.post(page, {"clear": "1"})
    assert (score(evening), table(evening).sheet.deals_entered) == ((0, 0), 0)


@pytest.mark.full
def test_not_where_a_deal_stands_or_the_round_is_closed(client: Client) -> None:
    evening = playing(deals_per_round=1)
    page = f"{link(evening)}rounds/1/totals/"
    write_deal(table(evening), 1)
    assert client.get(page).status_code == 404
    assert page not in client.get(link(evening)).content.decode()
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    assert client.post(page, {"total_ns": 90, "total_ew": 72}).status_code == 404


@pytest.mark.full
@pytest.mark.parametrize(("writing", "status"), [("one", 200), ("round", 200), ("deal", 404)])
def test_only_where_one_phone_writes_for_the_table(
    client: Client, writing: str, status: int
) -> None:
    evening = playing(writing=writing)
    assert client.get(f"{link(evening)}rounds/1/totals/").status_code == status


@pytest.mark.full
def test_three_people_hand_in_three_totals(client: Client) -> None:
    evening, three = playing_three(deals_per_round=2)
    page = f"{link(evening, three.number)}rounds/1/totals/"
    client.post(page, {"total_n": 282, "total_e": 162, "total_s": 0})
    three.sheet.refresh_from_db()
    assert (three.sheet.score_ns, three.sheet.score_ew) == (282, 0)


@pytest.mark.full
@pytest.mark.parametrize(
    ("for_himself", "points"), [(True, ""), (False, " De punten zijn voor Jan Bakker.")]
)
def test_who_plays_for_whom_stands_on_the_pages_of_the_table(
    client: Client, club: Club, for_himself: bool, points: str
) -> None:
    evening = playing(club=club)
    nel = MemberFactory.create(club=club, name="Nel Vos")
    table_substitute(
        table_id=table(evening).pk,
        seat="N",
        member=nel,
        from_deal=7,
        for_himself=for_himself,
        actor=TESTS,
    )
    sentence = f"Vanaf spel 7 speelt Nel Vos voor Jan Bakker.{points}"
    desk = desk_of(club)
    for page in (SHEET, f"{SHEET}grid/"):
        assert sentence in text(desk.get(page))
    assert sentence in words(client.get(link(evening)))
    assert sentence in words(
        client.get(f"/clubs/{club.slug}/evenings/{evening.slug}/rounds/1/tables/1/")
    )
