"""A draw by lots, typed in at the desk."""

from typing import Any

import pytest

from clubs.models import Club, Member
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import EVENING, desk_of, text
from tests.tournaments.public_pages import words
from tournaments.draw.services import draw_make, draw_type_in
from tournaments.models import Evening, Placement
from tournaments.registration.check_in import presence_replace

pytestmark = pytest.mark.django_db

DRAW = f"{EVENING}draw/"
BY_TABLE = f"{DRAW}type-in/"
LOTS = f"{DRAW}type-in/lots/"
LETTERS = f"{DRAW}type-in/letters/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def planned(club: Club, players: int, **plan: Any) -> Evening:
    """An evening with so many people ticked, with numbers from 1."""
    evening = EveningFactory.create(club=club, **{"method": "typed_in"} | plan)
    members = [MemberFactory.create(club=club) for _ in range(players)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    return evening


def lots(*drawn: str) -> dict[str, str]:
    """The lots of the people with number 1, 2, … as the form sends them."""
    members = Member.objects.order_by("number")
    return {f"lot_{who.pk}": lot for who, lot in zip(members, drawn, strict=False)}


def seated(evening: Evening) -> list[tuple[int, str, int | None]]:
    """Table, seat and the number of the person in it, in order; table 0 for who does not play."""
    placed = Placement.objects.filter(round__evening=evening).select_related("table", "member")
    return sorted(
        (one.table.number if one.table else 0, one.seat, one.member.number) for one in placed
    )


def faults(response: Any) -> dict[int | str, list[str]]:
    """What is said at each person's box, by his number; what belongs to nobody under 0."""
    assert response.status_code == 422
    numbers = {f"lot_{who.pk}": who.number or 0 for who in Member.objects.all()}
    errors = response.context["form"].errors
    return {numbers.get(name, 0): list(found) for name, found in errors.items()}


@pytest.mark.full
def test_numbers_seat_everybody(club: Club) -> None:
    evening = planned(club, 9)
    drawn = lots("1", "2", "3", "4", "8", "7", "6", "5", "")
    response = desk_of(club).post(LOTS, drawn)
    assert response.headers["Location"] == DRAW
    assert seated(evening) == [
        (0, "", 9),
        *((1, "E", 2), (1, "N", 1), (1, "S", 3), (1, "W", 4)),
        *((2, "E", 7), (2, "N", 8), (2, "S", 6), (2, "W", 5)),
    ]
    assert list(evening.rounds.values_list("number", "state")) == [(1, "draft")]


@pytest.mark.full
def test_letters_seat_everybody(club: Club) -> None:
    evening = planned(club, 4)
    # By surname 1 Bakker, 2 van der Meer, 3 Visser, 4 de Vries: the first with a letter is N or E.
    desk_of(club).post(LETTERS, lots("1B", "1 a", " 1b", "1A"))
    assert seated(evening) == [(1, "E", 1), (1, "N", 2), (1, "S", 4), (1, "W", 3)]


@pytest.mark.full
def test_the_draft_is_filled_in_again_either_way(club: Club) -> None:
    evening = planned(club, 5)
    desk = desk_of(club)
    desk.post(LOTS, lots("4", "3", "2", "", "1"))
    for path, expected in (
        (LOTS, ["4", "3", "2", None, "1"]),
        (LETTERS, ["1B", "1A", "1B", None, "1A"]),
    ):
        form = desk.get(path).context["form"]
        members = Member.objects.order_by("number")
        assert [form[f"lot_{who.pk}"].initial for who in members] == expected
    assert 'value="Kees Mulder"' in text(desk.get(BY_TABLE))
    assert evening.rounds.count() == 1


def test_every_fault_stands_at_its_box_and_what_was_typed_stays(club: Club) -> None:
    evening = planned(club, 13)
    typed = ("1", "1", "0", "zes", "52", "4A", "", "", "9", "10", "11", "12", "5")
    response = desk_of(club).post(LOTS, lots(*typed))
    assert faults(response) == {
        0: [
            "Tafel 1: niemand heeft nog 2, 3 en 4.",
            "Tafel 2: niemand heeft nog 6, 7 en 8.",
        ],
        1: ["Lot 1 staat ook bij Mia van der Meer."],
        2: ["Lot 1 staat ook bij Jan Bakker."],
        3: ["“0” is geen lot. Typ een nummer zoals 10, of een tafel zoals 3A."],
        4: ["“zes” is geen lot. Typ een nummer zoals 10, of een tafel zoals 3A."],
        5: ["Lot 52 bestaat niet: met 13 mensen is 12 het laatste."],
        6: ["De meesten hebben een nummer. Gebruik voor iedereen dezelfde soort loten."],
        7: ["Nog geen lot. Maar één iemand speelt niet."],
        8: ["Nog geen lot. Maar één iemand speelt niet."],
    }
    assert evening.rounds.count() == 0
    assert 'value="zes"' in text(response)


@pytest.mark.full
def test_three_people_with_the_same_letter_are_reported(club: Club) -> None:
    planned(club, 4)
    response = desk_of(club).post(LETTERS, lots("1A", "1A", "1A", "1B"))
    three = "Lot 1A is voor twee mensen; "
    assert faults(response) == {
        0: ["Tafel 1: niemand heeft nog 1B."],
        1: [f"{three}Mia van der Meer en Piet Visser hebben het ook."],
        2: [f"{three}Jan Bakker en Piet Visser hebben het ook."],
        3: [f"{three}Jan Bakker en Mia van der Meer hebben het ook."],
    }


@pytest.mark.full
def test_nothing_typed_is_one_fault(club: Club) -> None:
    planned(club, 8)
    assert faults(desk_of(club).post(LOTS, {})) == {0: ["Er is nog geen lot ingetypt."]}


@pytest.mark.full
def test_tables_of_three_where_the_evening_has_them(club: Club) -> None:
    evening = planned(club, 7, leftover="three_handed")
    desk_of(club).post(LOTS, lots("1", "2", "3", "4", "5", "6", "7"))
    assert seated(evening)[4:] == [(2, "E", 6), (2, "N", 5), (2, "S", 7)]


@pytest.mark.full
def test_a_table_of_three_is_a_fault_where_people_sit_out(club: Club) -> None:
    planned(club, 7)
    response = desk_of(club).post(LOTS, lots("1", "2", "3", "4", "5", "6", "7"))
    too_high = "Lot {} bestaat niet: met 7 mensen is 4 het laatste."
    assert faults(response) == {number: [too_high.format(number)] for number in (5, 6, 7)}


@pytest.mark.full
def test_with_tables_of_three_a_lot_that_was_forgotten_is_reported(club: Club) -> None:
    planned(club, 7, leftover="three_handed")
    response = desk_of(club).post(LOTS, lots("1", "2", "3", "", "5", "6", "7"))
    assert faults(response) == {4: ["Nog geen lot."]}


@pytest.mark.full
def test_five_people_play_at_one_table(club: Club) -> None:
    evening = planned(club, 5, leftover="three_handed")
    desk_of(club).post(LOTS, lots("1", "2", "3", "4", ""))
    assert seated(evening)[0] == (0, "", 5)


@pytest.mark.full
def test_a_table_of_three_typed_by_table(club: Club) -> None:
    evening = planned(club, 7, leftover="three_handed")
    names = {"1_N": "1", "1_S": "2", "1_E": "3", "1_W": "4", "2_N": "5", "2_S": "6", "2_W": "7"}
    desk = desk_of(club)
    missing = desk.post(BY_TABLE, {f"table_{at}": who for at, who in names.items() if who != "4"})
    assert missing.context["form"].errors == {
        "table_1_W": ["Hier zit nog niemand."],
        "table_2_E": ["Hier zit nog niemand."],
    }
    desk.post(BY_TABLE, {f"table_{at}": who for at, who in names.items()})
    assert seated(evening)[4:] == [(2, "E", 7), (2, "N", 5), (2, "S", 6)]


@pytest.mark.full
def test_by_table_two_colours_play_against_each_other_and_nobody_sits_north(club: Club) -> None:
    planned(club, 4)
    page = words(desk_of(club).get(BY_TABLE))
    seats = "Tafel 1 Groen, eerste Groen, tweede Bruin, eerste Bruin, tweede"
    assert seats in page
    assert not [word for word in ("Noord", "Oost", "Zuid", "West") if word in page]


@pytest.mark.full
def test_without_tables_of_three_the_last_table_stays_empty(club: Club) -> None:
    evening = planned(club, 7, leftover="three_handed")
    typed = {f"table_1_{seat}": str(number) for number, seat in enumerate("NESW", start=1)}
    desk_of(club).post(BY_TABLE, typed)
    assert [row[:2] for row in seated(evening)] == [(0, "")] * 3 + [(1, seat) for seat in "ENSW"]


@pytest.mark.full
def test_the_next_round_of_a_balanced_evening_can_be_typed(club: Club) -> None:
    evening = planned(club, 8, method="balanced")
    draw_make(evening_id=evening.pk, actor=TESTS)
    desk = desk_of(club)
    assert desk.get(LOTS).context["round_number"] == 1
    desk.post(LOTS, lots(*(str(number) for number in range(1, 9))))
    assert list(evening.rounds.values_list("number", "state")) == [(1, "draft")]
    assert seated(evening)[1] == (1, "N", 1)


@pytest.mark.full
def test_people_can_be_listed_by_number(club: Club) -> None:
    evening = planned(club, 3)
    guest = MemberFactory.create(club=club, name="Anna Aalders", kind="guest")
    here = [one.member for one in evening.registrations.select_related("member")]
    presence_replace(evening_id=evening.pk, members=[guest, *here], actor=TESTS)
    desk = desk_of(club)
    by_name = [member.number for member, _box in desk.get(LOTS).context["form"].rows()]
    by_number = [
        member.number for member, _box in desk.get(f"{LOTS}?order=number").context["form"].rows()
    ]
    assert (by_name, by_number) == ([None, 1, 2, 3], [1, 2, 3, None])


@pytest.mark.parametrize("method", ["rotation", "pairs"])
def test_where_tables_follow_from_each_other_nothing_is_typed(club: Club, method: str) -> None:
    evening = planned(club, 4, method=method)
    desk = desk_of(club)
    for path in (BY_TABLE, LOTS, LETTERS):
        assert desk.get(path).headers["Location"] == DRAW
        assert desk.post(path, lots("1", "2", "3", "4")).headers["Location"] == DRAW
    assert "Zelf een loting intypen" not in text(desk.get(DRAW))
    four = dict(zip("NESW", Member.objects.order_by("number"), strict=True))
    with pytest.raises(DomainError) as caught:
        draw_type_in(evening_id=evening.pk, tables=[four], sit_out=[], actor=TESTS)
    assert caught.value.code == "draw_by_program"
    assert evening.rounds.count() == 0


def test_a_draft_that_somebody_else_made_meanwhile_is_not_written_over(club: Club) -> None:
    evening = planned(club, 4)
    mine, other = desk_of(club), desk_of(club)
    seen = {"seen": mine.get(LOTS).context["seen"]}
    other.post(LOTS, lots("1", "2", "3", "4"))
    refused = mine.post(LOTS, lots("4", "3", "2", "1") | seen)
    [sentence] = faults(refused)[0]
    assert sentence.startswith("Iemand anders heeft het concept intussen veranderd.")
    assert seated(evening)[1] == (1, "N", 1)
    mine.post(LOTS, lots("4", "3", "2", "1") | {"seen": refused.context["seen"]})
    assert seated(evening)[1] == (1, "N", 4)
