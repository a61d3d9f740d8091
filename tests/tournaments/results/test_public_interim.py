"""The standing while a round is being played: no place is only speed, wherever it is shown."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.factories import TESTS, MemberFactory, director_of, evening_with_draw, table, write_deal
from tests.pdfs import page_texts
from tests.tournaments.hall import screen_held
from tests.tournaments.public_pages import evening_path, get, rows, speak_english, words
from tournaments.draw.services import draw_make, draw_publish
from tournaments.evenings.services import (
    EveningRules,
    evening_freeze,
    evening_rules_change,
    rules_of,
)
from tournaments.models import Evening, Round
from tournaments.releases.queries import live_rows
from tournaments.rounds.services import round_close, round_start, table_substitute
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

TYPED_IN, LOTTERY = Evening.Method.TYPED_IN, Evening.Method.LOTTERY


@pytest.fixture
def evening() -> Evening:
    """Two rounds of two deals at two tables, in the order of the members; the first is running."""
    return evening_with_draw(players=8, rounds=2, method=LOTTERY, deals_per_round=2)


def by_average(evening: Evening) -> Evening:
    rules = EveningRules(interim=Evening.Interim.AVERAGE)
    evening_rules_change(evening_id=evening.pk, rules=rules, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def play(evening: Evening, number: int, table_number: int, *points: int) -> None:
    """North and South of a table take so many in each deal from the first."""
    for deal, taken in enumerate(points, start=1):
        write_deal(table(evening, table_number, number), deal, points={"NS": taken})


def second_round(evening: Evening) -> None:
    """Round 1 is over, 180 and 144 at table 1, 200 and 124 at table 2; round 2 has begun."""
    play(evening, 1, 1, 90, 90)
    play(evening, 1, 2, 100, 100)
    round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    draw_make(evening_id=evening.pk, actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)


def places(evening: Evening) -> list[tuple[int | None, str]]:
    return [(row.rank, row.name) for row in live_rows(Evening.objects.get(pk=evening.pk))]


@pytest.mark.full
def test_in_the_first_round_points_stand_by_name_with_their_deals(
    client: Client, evening: Evening
) -> None:
    play(evening, 1, 1, 90)
    page = get(client, evening_path(evening))
    assert "Ronde 1 wordt gespeeld. Er zijn nog geen plaatsen" in words(page)
    shown = rows(page)
    assert [row[0] for row in shown] == ["–"] * 8
    assert [row[1] for row in shown] == sorted((row[1] for row in shown), key=str.casefold)
    north = table(evening).sheet.seats.get(seat="N").member
    assert north is not None
    assert ["–", north.name, "90", "1 van 2", "0"] in shown
    assert "Pl. Naam Ronde 1 nu Spellen Pit" in words(page)
    speak_english(client)
    assert "There are no places yet" in words(get(client, evening_path(evening)))


@pytest.mark.full
def test_a_fast_table_stays_where_it_was(client: Client, evening: Evening) -> None:
    second_round(evening)
    before = places(evening)
    assert [rank for rank, _name in before] == [1, 1, 3, 3, 5, 5, 7, 7]
    play(evening, 2, 1, 162, 162)
    assert places(evening) == before
    page = get(client, evening_path(evening))
    assert "De plaatsen zijn die na ronde 1; de lopende ronde telt mee" in words(page)
    assert "Pl. Naam Totaal Ronde 2 nu Ronde 1 Pit" in words(page)
    assert [row[2] for row in rows(page)] == ["200"] * 2 + ["180"] * 2 + ["144"] * 2 + ["124"] * 2
    assert {row[3] for row in rows(page)} == {"324 (2 van 2)", "0 (2 van 2)", "0 (0 van 2)"}


@pytest.mark.full
def test_a_round_counts_as_soon_as_every_table_has_finished_it(evening: Evening) -> None:
    play(evening, 1, 1, 90, 90)
    play(evening, 1, 2, 100)
    assert {rank for rank, _name in places(evening)} == {None}
    write_deal(table(evening, 2), 2, points={"NS": 100})
    assert [rank for rank, _name in places(evening)] == [1, 1, 3, 3, 5, 5, 7, 7]
    # And no more once one of them takes a deal back.
    write_deal(table(evening, 2), 2, replayed=True)
    assert {rank for rank, _name in places(evening)} == {None}


@pytest.mark.parametrize("interim", Evening.Interim.values)
def test_when_everything_is_played_the_places_are_the_final_ones(interim: str) -> None:
    """With people sitting out, a missed round, and ties that something decides."""
    evening = evening_with_draw(players=9, rounds=2, method=LOTTERY, deals_per_round=2)
    Evening.objects.update(
        interim=interim, sit_out_score=250, missed_score=40, tie="tie_breaks", tie_breaks=["pits"]
    )
    second_round(evening)
    play(evening, 2, 1, 162, 40)
    play(evening, 2, 2, 90, 90)
    evening = Evening.objects.get()
    played = [(row.rank, row.total, row.rounds) for row in live_rows(evening)]
    round_close(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    final = evening_standings(evening)
    assert played == [(row.rank, row.total, row.rounds) for row in final]
    assert [(row.rank, row.member_id) for row in live_rows(evening)] == [
        (row.rank, row.member_id) for row in final
    ]


@pytest.mark.full
def test_who_sits_out_waits_for_the_round_like_everybody(client: Client) -> None:
    evening = evening_with_draw(players=5, method=TYPED_IN, deals_per_round=2)
    play(evening, 1, 1, 90)
    assert {rank for rank, _name in places(evening)} == {None}
    assert ["–", "Kees Mulder", "–", "–", "0"] in rows(get(client, evening_path(evening)))
    write_deal(table(evening), 2)
    assert places(evening)[0] == (1, "Kees Mulder")


@pytest.mark.full
def test_the_only_table_has_places_at_once() -> None:
    evening = evening_with_draw(players=4, method=TYPED_IN)
    write_deal(table(evening), 1)
    assert [rank for rank, _name in places(evening)] == [1, 1, 3, 3]


@pytest.mark.full
def test_a_round_that_was_closed_early_counts_as_it_stands(
    evening: Evening,
) -> None:
    play(evening, 1, 1, 90)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="kort")
    assert [rank for rank, _name in places(evening)] == [1, 1, 3, 3, 5, 5, 5, 5]


@pytest.mark.full
def test_who_took_over_a_seat_has_the_deals_they_played(client: Client) -> None:
    evening = evening_with_draw(players=8, method=TYPED_IN, deals_per_round=4)
    play(evening, 1, 1, 90)
    substitute = MemberFactory.create(club=evening.club, name="Ida Invaller")
    table_substitute(
        table_id=table(evening).pk,
        seat="N",
        member=substitute,
        from_deal=2,
        for_himself=True,
        actor=TESTS,
    )
    write_deal(table(evening), 2, points={"NS": 100})
    now = {row[1]: " ".join(row[2:4]) for row in rows(get(client, evening_path(evening)))}
    assert (now["Jan Bakker"], now["Ida Invaller"], now["Piet Visser"]) == (
        "90 1 van 4",
        "100 1 van 4",
        "190 2 van 4",
    )


class TestByTheAverage:
    def test_places_move_with_every_deal_and_not_with_speed(
        self, client: Client, evening: Evening
    ) -> None:
        evening = by_average(evening)
        play(evening, 1, 1, 90)
        play(evening, 1, 2, 90, 90)
        page = get(client, evening_path(evening))
        assert "De plaatsen gaan naar het gemiddelde per spel" in words(page)
        assert [row[0] for row in rows(page)] == ["1"] * 4 + ["5"] * 4
        assert "Pl. Naam Per spel Totaal Pit" in words(page)
        assert {tuple(row[2:4]) for row in rows(page)} == {
            ("90,00", "90 (1 van 4)"),
            ("90,00", "180 (2 van 4)"),
            ("72,00", "72 (1 van 4)"),
            ("72,00", "144 (2 van 4)"),
        }

    @pytest.mark.full
    def test_a_round_that_is_over_has_the_round_now_beside_it(
        self, client: Client, evening: Evening
    ) -> None:
        second_round(by_average(evening))
        play(evening, 2, 1, 162)
        page = get(client, evening_path(evening))
        assert "Pl. Naam Per spel Totaal Ronde 2 nu Ronde 1 Pit" in words(page)
        # 200 and 162 in three deals, or 124 in two.
        assert rows(page)[0][2] in ("120,67", "114,00", "102,00", "95,33")
        assert {row[4] for row in rows(page)} == {"162 (1 van 2)", "0 (1 van 2)", "0 (0 van 2)"}

    @pytest.mark.full
    def test_not_where_points_end_a_round(self, evening: Evening) -> None:
        Evening.objects.update(target=1001)
        evening = by_average(evening)
        play(evening, 1, 1, 90)
        assert {rank for rank, _name in places(evening)} == {None}

    @pytest.mark.full
    def test_it_counts_at_once_and_the_next_evening_takes_it_over(self, evening: Evening) -> None:
        revision = evening.revision
        changed = by_average(evening)
        assert changed.revision > revision
        assert rules_of(changed).interim == "average"


class TestEverywhereElse:
    def test_on_the_screen_in_the_hall(self, client: Client, evening: Evening) -> None:
        play(evening, 1, 1, 90)
        screen_held(evening, "standings")
        shown = words(get(client, evening_path(evening, "screen/")))
        assert "Ronde 1 wordt gespeeld. Nog geen plaatsen." in shown
        assert "1/2" in shown
        play(evening, 1, 2, 100, 100)
        play(evening, 1, 1, 90, 90)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        draw_make(evening_id=evening.pk, actor=TESTS)
        draw_publish(evening_id=evening.pk, actor=TESTS)
        round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
        screen_held(evening, "standings")
        assert "Stand na ronde 1" in words(get(client, evening_path(evening, "screen/")))

    @pytest.mark.full
    def test_on_the_screen_by_the_average(self, client: Client, evening: Evening) -> None:
        evening = by_average(evening)
        play(evening, 1, 1, 90)
        screen_held(evening, "standings")
        page = get(client, evening_path(evening, "screen/"))
        assert "Stand naar punten per spel" in words(page)
        assert rows(page)[0][0::3] == ["1", "90,00"]

    @pytest.mark.full
    def test_in_a_frame_and_in_a_shared_link(self, client: Client, evening: Evening) -> None:
        play(evening, 1, 1, 90)
        shown = words(get(client, f"/clubs/{evening.club.slug}/frame/?show=evening"))
        assert "Er zijn nog geen plaatsen" in shown
        page = get(client, evening_path(evening)).content.decode()
        assert "Nu bezig." in page
        assert "Aan kop" not in page

    @pytest.mark.full
    def test_on_paper(self, client: Client, evening: Evening) -> None:
        second_round(evening)
        play(evening, 2, 1, 162)
        client.force_login(director_of(evening.club))
        path = f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/print/standings.pdf"
        (page,) = page_texts(get(client, path).content)
        assert "De plaatsen zijn die na ronde 1" in page
        assert "1 van 2" in page
        assert "ronde 2 nu" in page

    @pytest.mark.full
    def test_a_person_reads_what_it_takes(self, client: Client, evening: Evening) -> None:
        second_round(evening)
        third = live_rows(evening)[2]
        page = words(get(client, evening_path(evening, f"players/{third.member_id}/")))
        assert "Plaats 3 van 8 na ronde 1 Nog 20 voor plaats 1 Totaal 180" in page
        assert "Lopende ronde 0 (0 van 2)" in page
        first = live_rows(evening)[0]
        page = words(get(client, evening_path(evening, f"players/{first.member_id}/")))
        assert "Plaats 1 van 8 na ronde 1 20 voor op plaats 3" in page

    def test_nothing_of_it_while_it_is_frozen(self, client: Client, evening: Evening) -> None:
        second_round(evening)
        evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
        page = words(get(client, evening_path(evening)))
        assert "De plaatsen zijn die na ronde 1" not in page
        assert "200" not in page


@pytest.mark.parametrize("players", [8, 16])
def test_it_asks_no_more_of_the_database_when_more_people_play(
    django_assert_num_queries: DjangoAssertNumQueries, players: int
) -> None:
    evening = evening_with_draw(players=players, method=TYPED_IN)
    write_deal(table(evening), 1)
    assert Round.objects.get(number=1).state == Round.State.RUNNING
    evening = Evening.objects.get(pk=evening.pk)
    with django_assert_num_queries(4):
        live_rows(evening)
