"""The standings of an evening in fixed pairs: one line for each pair."""

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from scoring.models import Seat
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.hall import screen_held
from tests.tournaments.registration.test_pairs import evening_of_pairs, make
from tests.tournaments.table_pages import words
from tournaments.closing.services import evening_close, play_off_write
from tournaments.draw.services import draw_make, draw_publish
from tournaments.models import Evening
from tournaments.releases.queries import by_pair, live_rows, public_standings, written_so_far
from tournaments.rounds.services import round_close, round_start, table_substitute
from tournaments.standings.queries import evening_standings, play_off_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def four_pairs(club: Club, **plan: object) -> Evening:
    """Pairs 1-2, 3-4, 5-6 and 7-8, one deal a round, the first round running."""
    return started(evening_of_pairs(club, 8, rounds_planned=1, deals_per_round=1, **plan), 8)


def started(evening: Evening, players: int) -> Evening:
    make(evening, *((number, number + 1) for number in range(1, players, 2)))
    draw_make(evening_id=evening.pk, actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def side(evening: Evening, table_number: int, side: str) -> tuple[int | None, ...]:
    """The numbers of who sit at this side, in order."""
    seats = Seat.objects.filter(sheet=table(evening, table_number).sheet, seat__in=list(side))
    return tuple(sorted(seats.values_list("member__number", flat=True), key=lambda one: one or 0))


def name(numbers: tuple[int | None, ...]) -> str:
    names = Member.objects.filter(number__in=numbers).values_list("public_name", "name")
    return " – ".join(sorted((shown or full for shown, full in names), key=str.casefold))


def lines(evening: Evening) -> list[tuple[int | None, str, int]]:
    """Each pair with everything that is written of it so far."""
    rows = by_pair(public_standings(evening))
    return [(row.rank, row.name, written_so_far(row)) for row in rows]


@pytest.mark.full
def test_a_pair_has_one_line_and_places_are_of_pairs(club: Club) -> None:
    evening = four_pairs(club)
    write_deal(table(evening, 1), 1, points={"NS": 90})
    write_deal(table(evening, 2), 1, points={"NS": 100})
    assert lines(evening) == [
        (1, name(side(evening, 2, "NS")), 100),
        (2, name(side(evening, 1, "NS")), 90),
        (3, name(side(evening, 1, "EW")), 72),
        (4, name(side(evening, 2, "EW")), 62),
    ]


@pytest.mark.full
def test_an_evening_without_pairs_has_everybody(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, rounds=1, method="typed_in")
    rows = live_rows(evening)
    assert by_pair(rows) == rows


@pytest.mark.both
def test_equal_pairs_share_a_place_and_pits_may_decide(club: Club) -> None:
    evening = four_pairs(club)
    write_deal(table(evening, 1), 1, points={"NS": 90})
    write_deal(table(evening, 2), 1, points={"NS": 90})
    assert [rank for rank, _, _ in lines(evening)] == [1, 1, 3, 3]
    Seat.objects.filter(sheet=table(evening, 2).sheet, seat__in="NS").update(pits=1)
    Evening.objects.update(tie="tie_breaks")
    evening.refresh_from_db()
    assert lines(evening)[:2] == [
        (1, name(side(evening, 2, "NS")), 90),
        (2, name(side(evening, 1, "NS")), 90),
    ]


@pytest.mark.full
def test_partners_have_one_lot(club: Club) -> None:
    evening = four_pairs(club, tie="tie_breaks", tie_breaks=["lot"])
    write_deal(table(evening, 1), 1, points={"NS": 90})
    write_deal(table(evening, 2), 1, points={"NS": 90})
    assert [row.rank for row in evening_standings(evening)] == [1, 1, 3, 3, 5, 5, 7, 7]
    assert [rank for rank, _, _ in lines(evening)] == [1, 2, 3, 4]


@pytest.mark.full
def test_partners_alone_at_the_top_play_no_extra_deals(club: Club) -> None:
    evening = four_pairs(club, tie="play_off")
    write_deal(table(evening, 1), 1, points={"NS": 90})
    write_deal(table(evening, 2), 1, points={"NS": 100})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    assert play_off_rows(evening) == []
    Seat.objects.filter(sheet=table(evening, 1).sheet, seat__in="NS").update(score=100)
    assert len(play_off_rows(evening)) == 4


def test_extra_deals_settle_the_first_place_between_pairs(club: Club) -> None:
    evening = four_pairs(club, tie="play_off")
    write_deal(table(evening, 1), 1, points={"NS": 90})
    write_deal(table(evening, 2), 1, points={"NS": 90})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    first = {Seat.objects.get(sheet=table(evening, 2).sheet, seat=seat).member_id for seat in "NS"}
    extra = {
        row.member_id: 300 if row.member_id in first else 248 for row in play_off_rows(evening)
    }
    play_off_write(evening_id=evening.pk, scores=extra, actor=TESTS)
    assert lines(evening)[:2] == [
        (1, name(side(evening, 2, "NS")), 90),
        (2, name(side(evening, 1, "NS")), 90),
    ]


@pytest.mark.full
def test_what_is_taken_off_one_of_them_is_taken_off_the_pair_once(club: Club) -> None:
    """NS 90, and 50 off for the one at North: the pair has 40, and so has he, his partner 90."""
    evening = four_pairs(club)
    fine = {"seat": "N", "points": -50, "reason": "te laat"}
    write_deal(table(evening, 1), 1, points={"NS": 90}, corrections=[fine])
    row = next(row for row in lines(evening) if row[1] == name(side(evening, 1, "NS")))
    assert row[2] == 40
    both = {one.total for one in evening_standings(evening) if one.total in (40, 90)}
    assert both == {40, 90}


@pytest.mark.full
def test_who_stands_in_plays_for_the_pair(club: Club) -> None:
    """Deal 1 90-72 with the pair itself, deal 2 100-62 with a substitute who has his own points:
    the pair has 190."""
    evening = evening_of_pairs(club, 8, rounds_planned=1, deals_per_round=2)
    evening = started(evening, 8)
    pair = name(side(evening, 1, "NS"))
    write_deal(table(evening, 1), 1, points={"NS": 90})
    substitute = Member.objects.create(club=club, name="Ida Invaller", number=99)
    table_substitute(
        table_id=table(evening, 1).pk,
        seat="N",
        member=substitute,
        from_deal=2,
        for_himself=True,
        actor=TESTS,
    )
    write_deal(table(evening, 1), 2, points={"NS": 100})
    # The other table still plays, so nobody has a place.
    assert (None, pair, 190) in lines(evening)
    assert "Ida Invaller" not in {line for _, line, _ in lines(evening)}


def test_a_pair_that_sits_out_has_the_evenings_score_once(club: Club) -> None:
    evening = evening_of_pairs(club, 6, rounds_planned=1, deals_per_round=1, sit_out_score=80)
    evening = started(evening, 6)
    assert [total for _, _, total in lines(evening)] == [0, 0]
    write_deal(table(evening, 1), 1, points={"NS": 90})
    assert [total for _, _, total in lines(evening)] == [90, 80, 72]
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    assert [total for _, _, total in lines(evening)] == [90, 80, 72]


class TestWhereItIsShown:
    @pytest.fixture
    def evening(self, club: Club) -> Evening:
        evening = four_pairs(club)
        write_deal(table(evening, 1), 1, points={"NS": 90})
        write_deal(table(evening, 2), 1, points={"NS": 100})
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        evening_close(evening_id=evening.pk, actor=TESTS)
        return Evening.objects.get()

    @pytest.mark.full
    def test_a_release_keeps_the_pairs(self, evening: Evening) -> None:
        release = evening.releases.get()
        before = lines(evening)
        assert [row["pair"]["rank"] for row in release.standings] == [1, 1, 2, 2, 3, 3, 4, 4]
        evening.registrations.update(pair=None)
        assert lines(evening) == before

    def test_on_the_public_page_and_the_screen(self, client: Client, evening: Evening) -> None:
        address = f"/clubs/{evening.club.slug}/evenings/{evening.slug}/"
        page = client.get(address)
        assert [(row.rank, row.name, row.total) for row in page.context["rows"]] == lines(evening)
        screen_held(evening, scene="standings")
        assert "3 Jan Bakker M. van der Meer 72" in words(client.get(f"{address}screen/"))

    def test_on_the_page_of_one_of_them(self, client: Client, evening: Evening) -> None:
        second = Seat.objects.get(sheet=table(evening, 1).sheet, seat="N").member
        assert second is not None
        address = f"/clubs/{evening.club.slug}/evenings/{evening.slug}/players/{second.pk}/"
        page = client.get(address)
        assert (page.context["row"].rank, page.context["players"]) == (2, 4)

    def test_at_the_desk(self, club: Club, evening: Evening) -> None:
        shown = words(desk_of(club).get(f"/clubs/{club.slug}/desk/"))
        assert f"1. {name(side(evening, 2, 'NS'))} 100" in shown
        assert f"2. {name(side(evening, 1, 'NS'))} 90" in shown

    def test_on_paper(self, club: Club, evening: Evening) -> None:
        (page,) = page_texts(desk_of(club).get(f"{EVENING}print/standings.pdf").content)
        assert "4 paren" in page
        for _, pair, _ in lines(evening):
            assert pair in page

    @pytest.mark.full
    def test_the_file_of_the_command_goes_on_having_a_line_a_player(
        self, club: Club, evening: Evening, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call_command("standings", club=club.slug, evening=evening.slug)
        assert len(capsys.readouterr().out.splitlines()) == 1 + 8


@pytest.mark.parametrize("players", [8, 16])
def test_the_number_of_queries_does_not_grow(
    club: Club, players: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = evening_of_pairs(club, players, rounds_planned=1, deals_per_round=1)
    evening = started(evening, players)
    with django_assert_num_queries(7):
        evening_standings(evening)
