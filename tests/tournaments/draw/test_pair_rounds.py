"""Fixed pairs that meet by lot, by standing or as typed in; and teams that are kept apart."""

from typing import Any

import pytest

from clubs.models import Club, Member
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tournaments.draw.services import draw_make, draw_publish, draw_type_in
from tournaments.models import Competitor, Evening, Placement, Round
from tournaments.registration.check_in import presence_replace
from tournaments.registration.pairs import pair_make
from tournaments.rounds.services import round_close, round_start

pytestmark = pytest.mark.django_db

DRAW = f"{EVENING}draw/"
TYPE_IN = f"{DRAW}type-in/"
LOTS = f"{DRAW}type-in/lots/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def in_pairs(club: Club, pairs: int, **plan: Any) -> Evening:
    """An evening with pairs 1, 2, … of the members 1 and 2, 3 and 4, …"""
    usual = {"method": "pairs", "deals_per_round": 1}
    evening = EveningFactory.create(club=club, **usual | plan)
    members = [MemberFactory.create(club=club) for _ in range(2 * pairs)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    for one, two in zip(members[::2], members[1::2], strict=True):
        pair_make(evening_id=evening.pk, one=one, two=two, actor=TESTS)
    return evening


def meetings(evening: Evening, number: int) -> list[tuple[int, int]]:
    """The numbers of the pairs that meet in a round, by table; table 0 has who sits out."""
    pair_of = dict(evening.registrations.values_list("member_id", "pair"))
    placed = Placement.objects.filter(round__evening=evening, round__number=number)
    found: dict[int, set[int]] = {}
    for at, member in placed.values_list("table__number", "member_id"):
        found.setdefault(at or 0, set()).add(pair_of[member] or 0)
    return [tuple(sorted(found[at])) for at in sorted(found)]  # type: ignore[misc]


def play(evening: Evening, number: int, *north_south: int) -> None:
    """Make a round final, play its one deal, close it."""
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_ = evening.rounds.get(number=number)
    round_start(round_id=round_.pk, actor=TESTS)
    for at, points in enumerate(north_south, start=1):
        write_deal(table(evening, at, number), 1, points={"NS": points})
    round_close(round_id=round_.pk, actor=TESTS)


def test_a_round_typed_in_by_pair_number(club: Club) -> None:
    """Round 2 by lot: 3–7, 1–4, 8–2, 5–6."""
    evening = in_pairs(club, 8, pair_movement="typed_in", rounds_planned=2)
    desk = desk_of(club)
    assert "Loting van ronde 1 intypen" in text(desk.get(DRAW))
    first = {f"table_{at}_{place}": 2 * at - 2 + place for at in range(1, 5) for place in (1, 2)}
    assert desk.post(TYPE_IN, first).headers["Location"] == DRAW
    assert meetings(evening, 1) == [(1, 2), (3, 4), (5, 6), (7, 8)]
    play(evening, 1, 100, 100, 100, 100)
    numbers = ("3", "7", "1", "4", "8", "2", "5", "6")
    lots = {
        f"table_{at}_{place}": numbers[2 * at + place - 3] for at in range(1, 5) for place in (1, 2)
    }
    assert desk.post(TYPE_IN, lots).headers["Location"] == DRAW
    assert meetings(evening, 2) == [(3, 7), (1, 4), (2, 8), (5, 6)]
    page = text(desk.get(DRAW))
    assert "1 keer treffen twee paren" not in page
    assert "Twee paren treffen elkaar vanavond twee keer." in page  # 5 and 6
    form = desk.get(TYPE_IN).context["form"]
    assert [form[name].value() for name in lots] == [int(number) for number in numbers]


def test_what_is_typed_wrong_is_said_at_each_box(club: Club) -> None:
    evening = in_pairs(club, 5, pair_movement="typed_in")
    desk = desk_of(club)
    assert "Het paar dat u niet typt, speelt deze ronde niet." in text(desk.get(TYPE_IN))
    wrong = {"table_1_1": "1", "table_1_2": "1", "table_2_1": "9", "table_2_2": ""}
    page = desk.post(TYPE_IN, wrong)
    assert (page.status_code, page.context["form"].errors) == (
        422,
        {
            "table_1_1": ["Paar 1 staat er twee keer."],
            "table_1_2": ["Paar 1 staat er twee keer."],
            "table_2_1": ["Er is geen paar 9."],
            "table_2_2": ["Hier zit nog geen paar."],
        },
    )
    right = {"table_1_1": "1", "table_1_2": "5", "table_2_1": "3", "table_2_2": "2"}
    desk.post(TYPE_IN, right)
    assert meetings(evening, 1) == [(4,), (1, 5), (2, 3)]


def test_lots_for_single_people_lead_to_the_pairs(club: Club) -> None:
    evening = in_pairs(club, 4, pair_movement="lot")
    desk = desk_of(club)
    assert desk.get(LOTS).headers["Location"] == TYPE_IN
    evening.registrations.filter(pair=4).update(pair=None)
    assert desk.get(TYPE_IN).headers["Location"] == f"{EVENING}pairs/"


def test_people_who_are_no_pair_do_not_sit_opposite_each_other(club: Club) -> None:
    evening = in_pairs(club, 2, pair_movement="lot")
    one, two, three, four = Member.objects.order_by("number")
    crossed = [{"N": one, "E": two, "S": three, "W": four}]
    with pytest.raises(DomainError) as caught:
        draw_type_in(evening_id=evening.pk, tables=crossed, sit_out=[], actor=TESTS)
    assert caught.value.params["faults"] == [
        f"Tafel 1: {one.desk_name} en {three.desk_name} zijn geen paar.",
        f"Tafel 1: {two.desk_name} en {four.desk_name} zijn geen paar.",
    ]


def test_by_lot_each_round_is_drawn_by_itself(club: Club) -> None:
    evening = in_pairs(club, 4, pair_movement="lot", rounds_planned=3)
    desk = desk_of(club)
    for number in (1, 2, 3):
        assert f"Ronde {number} loten" in text(desk.get(DRAW))
        desk.post(DRAW, {"action": "make"})
        assert evening.rounds.count() == number
        assert set(evening.rounds.values_list("movement", flat=True)) == {"lot"}
        play(evening, number, 100, 90)
    met = [two for number in (1, 2, 3) for two in meetings(evening, number)]
    assert sorted(met) == [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]


@pytest.mark.both
def test_by_standing_first_against_second(club: Club) -> None:
    evening = in_pairs(club, 4, pair_movement="by_standing", rounds_planned=3)
    desk = desk_of(club)
    desk.post(DRAW, {"action": "make"})
    assert meetings(evening, 1) == [(1, 2), (3, 4)]
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    page = text(desk.get(DRAW))
    assert "Deze ronde gaat op stand: sluit eerst de vorige ronde af." in page
    with pytest.raises(DomainError) as caught:
        draw_make(evening_id=evening.pk, actor=TESTS)
    assert caught.value.code == "standing_not_ready"
    # The even pairs sit North and South: pair 2 has 60 to 102, pair 4 has 40 to 122.
    for at, points in ((1, 60), (2, 40)):
        write_deal(table(evening, at), 1, points={"NS": points})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    page = text(desk.get(DRAW))
    assert "Deze ronde gaat op stand: de eerste tegen de tweede" in page
    desk.post(DRAW, {"action": "make"})
    # 3 with 122, 1 with 102, 2 with 60, 4 with 40.
    assert meetings(evening, 2) == [(1, 3), (2, 4)]
    assert "Op stand: de eerste tegen de tweede, de derde tegen de vierde." in text(desk.get(DRAW))


@pytest.mark.full
@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (4, "Alle paren schuiven door, op één na"),
        (6, "De even paren blijven zitten, de oneven paren schuiven elke ronde een tafel op."),
    ],
)
def test_the_draw_says_how_the_program_moves_the_pairs(club: Club, pairs: int, said: str) -> None:
    evening = in_pairs(club, pairs)
    draw_make(evening_id=evening.pk, actor=TESTS)
    page = text(desk_of(club).get(DRAW))
    assert (said in page, "Geen twee paren treffen elkaar vanavond twee keer." in page) == (
        True,
        True,
    )
    assert Round.objects.filter(evening=evening).count() == 3


def in_teams(evening: Evening, size: int) -> None:
    """Teams of so many people, by number."""
    rows = list(evening.registrations.order_by("member__number"))
    for first in range(0, len(rows), size):
        team = Competitor.objects.create(club=evening.club, kind="team", name=f"Team {first}")
        for row in rows[first : first + size]:
            row.team = team
            row.save(update_fields=["team"])


@pytest.mark.full
@pytest.mark.parametrize("method", ["pairs", "balanced", "lottery", "rotation"])
def test_people_of_one_team_do_not_meet(club: Club, method: str) -> None:
    evening = in_pairs(club, 8, method="pairs", pair_movement="by_program")
    in_teams(evening, 4)
    Evening.objects.filter(pk=evening.pk).update(method=method)
    draw_make(evening_id=evening.pk, actor=TESTS)
    team_of = dict(evening.registrations.values_list("member_id", "team_id"))
    seated = Placement.objects.filter(round__evening=evening, table__isnull=False)
    at: dict[int, list[int]] = {}
    for number, member in seated.values_list("table_id", "member_id"):
        at.setdefault(number or 0, []).append(team_of[member] or 0)
    people_of_one_team = 2 if method == "pairs" else 1
    assert {max(map(teams.count, teams)) for teams in at.values()} == {people_of_one_team}
    page = text(desk_of(club).get(DRAW))
    assert "Niemand zit aan tafel met iemand van het eigen team." in page


def test_who_cannot_be_kept_apart_is_counted_unless_they_may_meet(club: Club) -> None:
    evening = in_pairs(club, 4, rounds_planned=3)
    in_teams(evening, 6)
    draw_make(evening_id=evening.pk, actor=TESTS)
    desk = desk_of(club)
    said = "Aan 3 tafels zitten mensen van één team bij elkaar: het kon niet anders."
    assert said in text(desk.get(DRAW))
    Evening.objects.filter(pk=evening.pk).update(teammates_may_meet=True)
    draw_make(evening_id=evening.pk, actor=TESTS)
    assert "van één team" not in text(desk.get(DRAW))


@pytest.mark.full
def test_a_kind_the_form_and_the_rules_know_how_pairs_meet(club: Club) -> None:
    evening = in_pairs(club, 4, pair_movement="by_standing", teammates_may_meet=True)
    desk = desk_of(club)
    form = desk.get("/clubs/vrolijke-boer/desk/evenings/new/").context["form"]
    assert [form[name].value() for name in ("pair_movement", "teammates_may_meet")] == [
        "by_standing",
        True,
    ]
    facts = text(desk.get("/clubs/vrolijke-boer/desk/"))
    assert "vaste paren, op stand: de eerste tegen de tweede" in facts
    draw_make(evening_id=evening.pk, actor=TESTS)
    page = text(desk.get(f"{EVENING}edit/"))
    assert "op stand: de eerste tegen de tweede, de derde tegen de vierde" in page


@pytest.mark.full
def test_forty_rounds_are_drawn(club: Club) -> None:
    evening = in_pairs(club, 4, rounds_planned=40)
    draw_make(evening_id=evening.pk, actor=TESTS)
    assert Round.objects.filter(evening=evening).count() == 40
    page = desk_of(club).get(DRAW, follow=True)
    assert (page.status_code, messages_in(page)) == (200, [])
