"""What a draw will do is foretold for each way of drawing, and five people are helped along."""

import pytest

from clubs.models import AuditEvent, Club, Member
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, evening_with_draw
from tests.tournaments.desk import EVENING, desk_of, text
from tournaments.draw.extra_tables import extra_table_make
from tournaments.evenings.services import evening_sit_out
from tournaments.evenings.texts import forecast
from tournaments.models import Evening
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.rounds.services import round_start

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("players", "foretold"),
    [
        (3, "te weinig voor een tafel van vier"),
        (4, "1 tafel van vier"),
        (5, "vijf mensen passen niet aan tafels van vier en drie"),
        (6, "2 tafels van drie"),
        (7, "2 tafels, waarvan 1 van drie"),
        (8, "2 tafels van vier"),
        (9, "3 tafels van drie"),
        (37, "10 tafels, waarvan 3 van drie"),
        (400, "100 tafels van vier"),
    ],
)
def test_with_tables_of_three(players: int, foretold: str) -> None:
    evening = Evening(club=Club(), leftover="three_handed")
    assert forecast(evening, players) == foretold


@pytest.mark.full
def test_by_hand_five_people_are_three_and_two() -> None:
    evening = Evening(club=Club(), method="typed_in", leftover="three_handed")
    assert forecast(evening, 5) == "een tafel van drie en een van twee"


@pytest.mark.parametrize(
    ("players", "foretold"),
    [
        (3, "te weinig voor een tafel van vier"),
        (5, "2 paren, 1 tafel, niemand zit stil, één zonder maat"),
        (8, "4 paren, 2 tafels, niemand zit stil"),
        (10, "5 paren, 2 tafels, 2 zitten stil"),
    ],
)
@pytest.mark.parametrize("leftover", ["sit_out", "three_handed"])
def test_with_pairs(players: int, foretold: str, leftover: str) -> None:
    evening = Evening(club=Club(), method="pairs", leftover=leftover)
    assert forecast(evening, players) == foretold


@pytest.mark.full
@pytest.mark.parametrize(
    ("players", "rounds", "last_ranked", "said"),
    [(7, 3, False, 3), (7, 2, False, 2), (7, 1, False, 0), (8, 3, False, 0), (7, 4, True, 3)],
)
def test_a_rotation_warns_who_stays_at_a_table_of_three(
    players: int, rounds: int, last_ranked: bool, said: int
) -> None:
    evening = three_handed(players, rounds_planned=rounds, last_ranked=last_ranked)
    page = text(desk_of(evening.club).get(f"{EVENING}present/"))
    sentence = f"Wie aan een tafel van drie zit, zit daar {said} rondes."
    assert ("tafel van drie zit, zit" in page, sentence in page) == (said > 0, said > 0)


def test_five_at_tables_of_three_are_offered_to_let_one_sit_out() -> None:
    evening = three_handed(5)
    desk = desk_of(evening.club)
    page = text(desk.get(f"{EVENING}present/"))
    assert "vijf mensen passen niet aan tafels van vier en drie" in page
    assert "Dan zo: 1 tafel, 1 zit stil" in page
    asked = desk.post(f"{EVENING}present/", {"next": "draw"}, follow=True)
    assert asked.redirect_chain == [(f"{EVENING}sit-out/", 302)]
    assert "Met 5 mensen: 1 tafel, 1 zit stil?" in text(asked)
    assert "Dan zo: 1 tafel, 1 zit stil" in text(desk.get(f"{EVENING}draw/"))
    assert desk.post(f"{EVENING}sit-out/").headers["Location"] == f"{EVENING}draw/"
    assert Evening.objects.get().leftover == "sit_out"
    desk.post(f"{EVENING}draw/", {"action": "make"})
    assert Evening.objects.get().rounds.count() == 3


@pytest.mark.full
def test_letting_sit_out_twice_is_shown_once_in_the_trail() -> None:
    evening = three_handed(5)
    before = Evening.objects.get().revision
    for _ in range(2):
        evening_sit_out(evening_id=evening.pk, actor=TESTS)
    assert Evening.objects.get().revision == before + 1
    event = AuditEvent.objects.get(action="evening_changed")
    assert event.data == {"date": "2026-11-21", "leftover": ["three_handed", "sit_out"]}


@pytest.mark.full
def test_an_evening_that_was_called_off_stays_as_it_is() -> None:
    club = ClubFactory.create()
    evening_with_draw(club=club, players=4, started=False)
    Evening.objects.update(state="cancelled", leftover="three_handed")
    page = desk_of(club).post(f"{EVENING}sit-out/", follow=True)
    assert "Dat kan nu niet: de avond is" in text(page)
    assert Evening.objects.get().leftover == "three_handed"


@pytest.mark.parametrize(
    ("players", "plan", "offered"),
    [
        (7, {}, True),
        (10, {"method": "lottery"}, True),
        (5, {}, False),
        (8, {}, False),
        (6, {"method": "pairs"}, False),
        (7, {"method": "typed_in"}, False),
        (7, {"leftover": "three_handed"}, False),
    ],
)
def test_tables_of_three_are_offered_where_some_would_sit_out(
    players: int, plan: dict[str, str], offered: bool
) -> None:
    evening = evening_of(players, **plan)
    page = text(desk_of(evening.club).get(f"{EVENING}draw/"))
    link = f'<a href="{EVENING}edit/">Liever tafels van drie? Wijzig de avond</a>'
    assert (link in page) == offered


@pytest.mark.full
def test_once_a_round_was_drawn_tables_of_three_are_not_offered() -> None:
    evening = evening_of(7, method="lottery")
    desk = desk_of(evening.club)
    desk.post(f"{EVENING}draw/", {"action": "make"})
    assert "Liever tafels van drie" not in text(desk.get(f"{EVENING}draw/"))


def test_who_plays_twice_is_counted_as_long_as_the_draw_fits_who_is_here() -> None:
    evening = evening_with_draw(players=7, method="typed_in", started=False)
    one = Member.objects.get(number=1)
    extra_table_make(evening_id=evening.pk, round_number=1, twice=[one], actor=TESTS)
    desk = desk_of(evening.club)
    sentence = "2 tafels, niemand zit stil, 1 speelt twee keer"
    assert sentence in text(desk.get(f"{EVENING}present/"))
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    assert sentence in text(desk.get(f"{EVENING}present/"))


@pytest.mark.full
def test_once_somebody_left_who_plays_twice_is_not_counted() -> None:
    evening = evening_with_draw(players=7, method="typed_in", started=False)
    one, six = (Member.objects.get(number=number) for number in (1, 6))
    extra_table_make(evening_id=evening.pk, round_number=1, twice=[one], actor=TESTS)
    presence_set(evening_id=evening.pk, member=six, present=False, actor=TESTS)
    page = text(desk_of(evening.club).get(f"{EVENING}present/"))
    assert "1 tafel, 2 zitten stil" in page
    assert "speelt twee keer" not in page


def three_handed(players: int, **plan: object) -> Evening:
    """A planned evening of tables of three, with so many people here."""
    return evening_of(players, leftover="three_handed", **plan)


def evening_of(players: int, **plan: object) -> Evening:
    """A planned evening with so many people here."""
    evening = EveningFactory.create(**plan)
    members = [MemberFactory.create(club=evening.club) for _ in range(players)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    return evening
