"""The draw at the desk: made, judged, typed in, made final, undone."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tournaments.draw.rewriting import draw_swap
from tournaments.models import Evening, Placement, Round
from tournaments.registration.check_in import presence_replace
from tournaments.rounds.services import round_close, round_start

pytestmark = pytest.mark.django_db

DRAW = f"{EVENING}draw/"
TYPE_IN = f"{DRAW}type-in/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def planned(club: Club, players: int, method: str = "rotation", rounds: int = 3) -> Evening:
    """An evening with so many people ticked: Jan Bakker, Mia van der Meer, Piet Visser, …"""
    evening = EveningFactory.create(club=club, method=method, rounds_planned=rounds)
    members = [MemberFactory.create(club=club) for _ in range(players)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    return evening


def states(evening: Evening) -> list[str]:
    return list(evening.rounds.order_by("number").values_list("state", flat=True))


def typed(*seats: str) -> dict[str, str]:
    """Names or numbers for N, S, E, W at table 1, then table 2, as the form sends them."""
    fields = [f"table_{number}_{seat}" for number in (1, 2) for seat in "NSEW"]
    return dict(zip(fields, seats, strict=False))


@pytest.mark.full
def test_a_rotation_draws_every_round_as_a_draft(club: Club) -> None:
    evening = planned(club, 9)
    desk_of(club).post(DRAW, {"action": "make"})
    assert states(evening) == ["draft"] * 3


@pytest.mark.full
def test_a_lottery_draws_one_round(club: Club) -> None:
    evening = planned(club, 8, "lottery")
    desk_of(club).post(DRAW, {"action": "make"})
    assert states(evening) == ["draft"]


def test_the_draft_says_who_sits_out_and_what_repeats(club: Club) -> None:
    evening = planned(club, 5)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    page = text(desk.get(DRAW))
    out = Placement.objects.filter(round__evening=evening, table=None, round__number=1).get()
    assert f'{out.member.name}</button> <span class="soft">(vanavond nog niet)' in page
    assert "Niemand krijgt vanavond twee keer dezelfde maat." in page
    assert "Ronde 1 tot en met 3" in page


@pytest.mark.full
def test_four_people_drawn_four_times_must_repeat(club: Club) -> None:
    planned(club, 4, rounds=4)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    page = text(desk.get(DRAW))
    # The fourth round repeats the pairs of one of the first three: two couples, six meetings.
    assert "2 keer krijgt iemand vanavond een maat die hij al had." in page
    assert "6 keer treffen twee mensen elkaar vanavond opnieuw aan tafel." in page


def test_too_few_people_are_shown(club: Club) -> None:
    evening = planned(club, 3)
    response = desk_of(club).post(DRAW, {"action": "make"}, follow=True)
    assert states(evening) == []
    assert messages_in(response) == [
        "Voor een loting moeten er minstens vier mensen zijn. Vink ze eerst aan."
    ]


@pytest.mark.full
def test_drawing_again_makes_another_draft(club: Club) -> None:
    evening = planned(club, 12)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    first = evening.rounds.get(number=1).seed
    desk.post(DRAW, {"action": "make"})
    assert (evening.rounds.get(number=1).seed, states(evening)) == (first + 1, ["draft"] * 3)


def test_the_draft_is_made_final_once_however_often_pressed(club: Club) -> None:
    evening = planned(club, 8)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    first = desk.post(DRAW, {"action": "final"}, follow=True)
    second = desk.post(DRAW, {"action": "final"}, follow=True)
    assert states(evening) == ["drawn"] * 3
    assert (messages_in(first), messages_in(second)) == (
        ["De loting is definitief. De zaal ziet hem nu."],
        [],
    )


def test_a_final_draw_is_not_drawn_over(club: Club) -> None:
    evening = evening_with_draw(club=club, started=False)
    before = list(evening.rounds.values_list("pk", flat=True))
    response = desk_of(club).post(DRAW, {"action": "make"}, follow=True)
    assert messages_in(response) == [
        "De loting is definitief. Maak hem eerst ongedaan om opnieuw te loten."
    ]
    assert list(evening.rounds.values_list("pk", flat=True)) == before


def test_undoing_asks_first(club: Club) -> None:
    evening = evening_with_draw(club=club, started=False)
    desk = desk_of(club)
    assert "Loting ongedaan maken?" in text(desk.get(f"{DRAW}undo/"))
    assert evening.rounds.count() == 3
    once = desk.post(f"{DRAW}undo/", follow=True)
    twice = desk.post(f"{DRAW}undo/", follow=True)
    assert evening.rounds.count() == 0
    assert messages_in(once) == ["De loting is weg. Wie er is, staat nog aangevinkt."]
    assert messages_in(twice) == []


@pytest.mark.full
def test_throwing_a_draft_away_speaks_of_no_lists_on_the_wall(club: Club) -> None:
    evening = planned(club, 8)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    page = text(desk.get(f"{DRAW}undo/"))
    assert "Concept weggooien?" in page
    assert "De zaal heeft deze loting nog niet gezien. Wie er is, blijft aangevinkt." in page
    desk.post(f"{DRAW}undo/")
    assert evening.rounds.count() == 0


@pytest.mark.full
def test_undoing_keeps_what_has_started(club: Club) -> None:
    evening = evening_with_draw(club=club)
    desk_of(club).post(f"{DRAW}undo/")
    assert states(evening) == ["running"]


def test_a_draw_by_hand_is_typed_by_name_and_number(club: Club) -> None:
    evening = planned(club, 9, "typed_in")
    seats = ("Jan Bakker", "  jan   BAKKER ", "3", "4", "5", "6", "7", "8")
    response = desk_of(club).post(TYPE_IN, typed("2", *seats[1:]))
    assert response.headers["Location"] == DRAW
    placed = Placement.objects.filter(round__evening=evening).order_by("table__number", "seat")
    found = [
        (one.table.number if one.table else None, one.seat, one.member.number) for one in placed
    ]
    assert sorted(found, key=str) == sorted(
        [
            (1, "N", 2),
            (1, "S", 1),
            (1, "E", 3),
            (1, "W", 4),
            (2, "N", 5),
            (2, "S", 6),
            (2, "E", 7),
            (2, "W", 8),
            (None, "", 9),
        ],
        key=str,
    )


def test_every_fault_of_a_typed_draw_is_named_and_what_was_typed_stays(club: Club) -> None:
    evening = planned(club, 8, "typed_in")
    response = desk_of(club).post(TYPE_IN, typed("1", "1", "Karel", "", "5", "6", "7", "8"))
    errors: dict[str, Any] = response.context["form"].errors
    assert (response.status_code, states(evening)) == (422, [])
    assert errors == {
        "table_1_N": ["Jan Bakker staat er twee keer in."],
        "table_1_S": ["Jan Bakker staat er twee keer in."],
        "table_1_E": ["“Karel” is niet aangevinkt als aanwezig."],
        "table_1_W": ["Hier zit nog niemand."],
    }
    assert 'value="Karel"' in text(response)


@pytest.mark.full
def test_a_part_of_a_name_that_nobody_else_has_is_enough(club: Club) -> None:
    """Jan and Piet Bakker, Mia van der Meer, Piet Visser and Truus de Vries; nobody is called
    Vis."""
    evening = planned(club, 4, "typed_in")
    other = MemberFactory.create(club=club, name="Piet Bakker")
    members = [*(one.member for one in evening.registrations.select_related("member")), other]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    desk = desk_of(club)
    response = desk.post(TYPE_IN, typed("bakker", "Piet", "van der  MEER", "Vis"))
    assert response.context["form"].errors == {
        "table_1_N": ["Er zijn 2 mensen die zo heten: typ de hele naam of het nummer."],
        "table_1_S": ["Er zijn 2 mensen die zo heten: typ de hele naam of het nummer."],
        "table_1_W": ["“Vis” is niet aangevinkt als aanwezig."],
    }
    desk.post(TYPE_IN, typed("Jan", "Piet Bakker", "van der  MEER", "de Vries"))
    seats = Placement.objects.filter(round__evening=evening).exclude(seat="")
    assert dict(seats.values_list("seat", "member__name")) == {
        "N": "Jan Bakker",
        "S": "Piet Bakker",
        "E": "Mia van der Meer",
        "W": "Truus de Vries",
    }


@pytest.mark.full
def test_a_name_that_two_share_asks_for_the_number(club: Club) -> None:
    evening = planned(club, 3, "typed_in")
    twin = MemberFactory.create(club=club, name="Jan Bakker")
    members = [*(one.member for one in evening.registrations.select_related("member")), twin]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    response = desk_of(club).post(TYPE_IN, typed("Jan Bakker", "4", "2", "3"))
    assert response.context["form"].errors == {
        "table_1_N": ["Er zijn 2 mensen die zo heten: typ de hele naam of het nummer."]
    }


@pytest.mark.full
def test_a_typed_draft_can_be_changed(club: Club) -> None:
    evening = planned(club, 8, "typed_in")
    desk = desk_of(club)
    numbers = [str(number) for number in range(1, 9)]
    desk.post(TYPE_IN, typed(*numbers))
    assert 'value="Jan Bakker"' in text(desk.get(TYPE_IN))
    desk.post(TYPE_IN, typed(*reversed(numbers)))
    north = Placement.objects.get(round__evening=evening, table__number=1, seat="N")
    assert (north.member.number, states(evening)) == (8, ["draft"])


@pytest.mark.full
def test_two_people_of_one_name_are_told_apart(club: Club) -> None:
    evening = planned(club, 3, "typed_in")
    twin = MemberFactory.create(club=club, name="Jan Bakker")
    members = [*(one.member for one in evening.registrations.select_related("member")), twin]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    desk = desk_of(club)
    assert 'value="Jan Bakker (4)"' in text(desk.get(TYPE_IN))
    desk.post(TYPE_IN, typed("Jan Bakker (4)", "Jan Bakker (1)", "2", "3"))
    north = Placement.objects.get(round__evening=evening, seat="N")
    assert north.member == twin
    draft = text(desk.get(TYPE_IN))
    assert ('value="Jan Bakker (4)"' in draft, 'value="Jan Bakker"' in draft) == (True, False)
    assert 'name="table_1_N" value="Jan Bakker (4)"' in draft


@pytest.mark.full
def test_a_draw_typed_for_each_round(club: Club) -> None:
    evening = planned(club, 8, "typed_in", rounds=2)
    desk = desk_of(club)
    numbers = [str(number) for number in range(1, 9)]
    desk.post(TYPE_IN, typed(*numbers))
    desk.post(DRAW, {"action": "final"})
    desk.post(f"{EVENING}rounds/1/start/")
    for number in (1, 2):
        for deal in range(1, 17):
            write_deal(table(evening, number), deal)
    round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    assert "Loting van ronde 2 intypen" in text(desk.get(DRAW))
    desk.post(TYPE_IN, typed(*numbers))
    assert states(evening) == ["closed", "draft"]


def test_a_draw_that_no_longer_fits_says_so(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, started=False)
    late = MemberFactory.create(club=club)
    here = [one.member for one in evening.registrations.select_related("member")]
    presence_replace(evening_id=evening.pk, members=[*here[1:], late], actor=TESTS)
    page = text(desk_of(club).get(DRAW))
    assert f"{late.name} is er, maar staat niet in de loting." in page
    assert f"{here[0].name} staat in de loting, maar is er niet." in page


def test_the_report_counts_turns_of_sitting_out(club: Club) -> None:
    evening = evening_with_draw(club=club, players=5, method="lottery", rounds=2)
    for deal in range(1, 17):
        write_deal(table(evening), deal)
    round_close(round_id=Round.objects.get(evening=evening).pk, actor=TESTS)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    first, second = Placement.objects.filter(table=None).order_by("round__number")
    assert first.member != second.member
    assert f'{second.member.name}</button> <span class="soft">(vanavond nog niet' in text(
        desk.get(DRAW)
    )


@pytest.mark.full
def test_another_drawing_is_had_by_its_number(club: Club) -> None:
    evening = planned(club, 12)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    desk.post(DRAW, {"action": "make"})
    second = evening.rounds.get(number=1).seed
    assert "Het nummer van deze loting is 2." in text(desk.get(DRAW))
    desk.post(DRAW, {"drawing": "1"})
    assert evening.rounds.get(number=1).seed == second - 1
    assert "Het nummer van deze loting is 1." in text(desk.get(DRAW))


@pytest.mark.full
def test_no_swapping_is_offered_where_pairs_stay_together(club: Club) -> None:
    evening = planned(club, 8, "lottery")
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    Evening.objects.filter(pk=evening.pk).update(method="pairs")
    why = "Paren spelen de hele avond samen, dus niemand wisselt alleen van plaats."
    page = text(desk.get(DRAW))
    assert (why in page, "swap" in page) == (True, False)
    who = evening.rounds.get().placements.all()[0].member_id
    response = desk.get(f"{DRAW}swap/?round=1&who={who}", follow=True)
    assert messages_in(response) == [why]


@pytest.mark.full
def test_no_swapping_by_address_once_the_draw_is_final(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, started=False)
    who = evening.rounds.get(number=1).placements.all()[0].member_id
    response = desk_of(club).get(f"{DRAW}swap/?round=1&who={who}", follow=True)
    assert response.redirect_chain == [(DRAW, 302)]
    why = "De loting is definitief, dus niemand wisselt nog van plaats."
    assert messages_in(response) == [f"{why} Maak de loting daarvoor eerst ongedaan."]


@pytest.mark.full
@pytest.mark.parametrize("method", ["typed_in", "lottery"])
def test_of_a_draw_that_was_typed_in_nothing_is_said_of_drawing(club: Club, method: str) -> None:
    evening = planned(club, 8, method, rounds=2)
    desk = desk_of(club)
    numbers = [str(number) for number in range(1, 9)]
    desk.post(TYPE_IN, typed(*numbers))
    desk.post(DRAW, {"action": "final"})
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    round_close(round_id=evening.rounds.get().pk, unfinished_reason="proef", actor=TESTS)
    desk.post(TYPE_IN, typed(*numbers))
    page = text(desk.get(DRAW))
    assert "4 keer krijgt iemand vanavond een maat die hij al had.</li>" in page
    assert [words in page for words in ("misschien minder", "nummer van deze loting")] == [
        False
    ] * 2


@pytest.mark.full
def test_the_last_round_by_standing_waits_for_the_round_before_it(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, method="lottery", rounds=2)
    Evening.objects.filter(pk=evening.pk).update(last_ranked=True)
    desk = desk_of(club)
    first = "Deze ronde gaat op stand: sluit eerst de vorige ronde af."
    page = text(desk.get(DRAW))
    assert [words in page for words in (first, "Ronde 2 loten", "al loten")] == [True, False, False]
    round_close(round_id=evening.rounds.get().pk, unfinished_reason="proef", actor=TESTS)
    how = "Deze ronde gaat op stand: de hoogste vier zitten aan tafel 1, enzovoort."
    page = text(desk.get(DRAW))
    assert [words in page for words in (how, "Ronde 2 loten")] == [True, True]
    desk.post(DRAW, {"action": "make"})
    page = text(desk.get(DRAW))
    assert [words in page for words in (how, "misschien minder")] == [True, False]


@pytest.mark.full
def test_a_drawing_changed_by_hand_says_so_until_it_is_drawn_again(club: Club) -> None:
    evening = planned(club, 8)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    swap_norths(evening)
    page = text(desk.get(DRAW))
    assert "Het nummer van deze loting was 1, voordat mensen van plaats wisselden." in page
    assert "Opnieuw loten maakt dat ongedaan" in page
    desk.post(DRAW, {"drawing": "1"})
    page = text(desk.get(DRAW))
    assert ("Het nummer van deze loting is 1." in page, "met de hand" in page) == (True, False)


@pytest.mark.full
def test_who_changed_places_and_back_again_leave_the_drawing_as_it_was(club: Club) -> None:
    evening = planned(club, 8)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    swap_norths(evening)
    swap_norths(evening)
    page = text(desk.get(DRAW))
    assert ("Het nummer van deze loting is 1." in page, "met de hand" in page) == (True, False)


def swap_norths(evening: Evening) -> None:
    """Let the two people at North of tables 1 and 2 change places in round 1."""
    one, other = evening.rounds.get(number=1).placements.filter(seat="N").order_by("table")
    draw_swap(
        evening_id=evening.pk, round_number=1, one=one.member, other=other.member, actor=TESTS
    )


@pytest.mark.full
@pytest.mark.parametrize("typed", ["", "0", "1000", "twee", "9" * 5000])
def test_a_number_that_no_drawing_has_is_shown_beside_the_field(club: Club, typed: str) -> None:
    evening = planned(club, 8)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    before = list(evening.rounds.values_list("pk", "seed"))
    response = desk.post(DRAW, {"drawing": typed})
    refused = {"drawing": ["Typ een nummer van 1 tot en met 999."]}
    assert (response.status_code, response.context["form"].errors) == (422, refused)
    assert list(evening.rounds.values_list("pk", "seed")) == before


@pytest.mark.full
def test_pressing_twice_draws_once_and_blames_nobody(club: Club) -> None:
    evening = planned(club, 8)
    desk = desk_of(club)
    desk.post(DRAW, {"seen": ""})
    drawn = list(evening.rounds.values_list("pk", "seed"))
    response = desk.post(DRAW, {"seen": ""}, follow=True)
    assert list(evening.rounds.values_list("pk", "seed")) == drawn
    assert messages_in(response) == ["De loting is intussen veranderd. Zo is hij nu."]


@pytest.mark.full
@pytest.mark.parametrize("path", ["print/draw.pdf", "print/sheets/1.pdf"])
def test_a_draft_is_not_printed(club: Club, path: str) -> None:
    planned(club, 8)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    assert "pdf" not in desk.get(EVENING + path, follow=True).headers["Content-Type"]
    desk.post(DRAW, {"action": "final"})
    assert desk.get(EVENING + path).headers["Content-Type"] == "application/pdf"


@pytest.mark.full
def test_who_sits_at_a_table_of_three_is_shown(club: Club) -> None:
    evening = planned(club, 7, "balanced")
    evening.leftover = Evening.Leftover.THREE_HANDED
    evening.save()
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    page = text(desk.get(DRAW))
    assert page.count("driemans, met blinde") == 3


def test_the_costs_come_as_json_for_a_script(club: Club) -> None:
    planned(club, 5)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    who, *others = Placement.objects.filter(round__number=1).values_list("member", flat=True)
    asked = {"round": "1", "who": str(who)}
    response = desk.get(f"{DRAW}swap/", asked, headers={"accept": "application/json"})
    same = {"badge": "=", "words": "geen verschil", "kind": "same"}
    assert response.json() == {"costs": {str(other): same for other in others}}
    gone = desk.get(f"{DRAW}swap/", asked | {"round": "4"}, headers={"accept": "application/json"})
    assert (gone.status_code, gone.json()) == (
        409,
        {"message": "Deze ronde is geen concept meer."},
    )


@pytest.mark.parametrize("players", [4, 12])
def test_no_page_asks_more_of_the_database_when_more_people_play(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries, players: int
) -> None:
    planned(club, players, "balanced")
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    who = Placement.objects.values_list("member", flat=True)[0]
    with django_assert_num_queries(21):
        desk.get(DRAW)
    with django_assert_num_queries(18):
        desk.get(f"{DRAW}swap/?round=1&who={who}")


@pytest.mark.full
def test_who_only_enters_deals_changes_no_places(club: Club) -> None:
    evening = planned(club, 4)
    desk_of(club).post(DRAW, {"action": "make"})
    before = list(evening.rounds.get(number=1).placements.values_list("member", "seat"))
    scorekeeper = Client()
    scorekeeper.force_login(scorekeeper_of(club))
    one, other = (str(member) for member, _seat in before[:2])
    asked = {"round": "1", "one": one, "other": other}
    assert scorekeeper.post(f"{DRAW}swap/", asked).status_code == 403
    assert list(evening.rounds.get(number=1).placements.values_list("member", "seat")) == before
