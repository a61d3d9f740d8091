"""Fixed pairs: made two at a time, taken apart, taken over; and what the page says of them."""

import datetime as dt
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.models import AuditEvent, Club, Member
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tournaments.draw.report import draw_report
from tournaments.draw.services import draw_make, draw_publish
from tournaments.models import Competitor, CoupleRule, Evening, EveningPair
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.registration.pairs import (
    pair_break,
    pair_make,
    pairs_as_before,
    pairs_number,
    pairs_of,
)

pytestmark = pytest.mark.django_db

PAIRS = f"{EVENING}pairs/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def evening_of_pairs(club: Club, players: int = 8, **plan: Any) -> Evening:
    """An evening in fixed pairs at which members 1 … `players` are here."""
    evening = EveningFactory.create(club=club, **{"method": "pairs"} | plan)
    numbered = Member.objects.of(club).filter(number__lte=players)
    have = list(numbered.order_by("number"))
    have += [MemberFactory.create(club=club) for _ in range(players - len(have))]
    presence_replace(evening_id=evening.pk, members=have, actor=TESTS)
    return evening


def who(evening: Evening, number: int) -> Member:
    return Member.objects.get(club=evening.club, number=number)


def make(evening: Evening, *couples: tuple[int, int]) -> list[int]:
    """Pairs of the members with these numbers; gives back the numbers of the pairs."""
    return [
        pair_make(evening_id=evening.pk, one=who(evening, one), two=who(evening, two), actor=TESTS)
        for one, two in couples
    ]


def leave(evening: Evening, number: int) -> None:
    presence_set(evening_id=evening.pk, member=who(evening, number), present=False, actor=TESTS)


def pairs(evening: Evening) -> dict[int, set[int | None]]:
    return {pair.number: {one.number for one in pair.people} for pair in pairs_of(evening).pairs}


def alone(evening: Evening) -> set[int | None]:
    found = {member.number for member in pairs_of(evening).alone}
    assert len(found) == evening.count_alone()
    return found


def refused(service: Any, evening: Evening, **arguments: Any) -> DomainError:
    with pytest.raises(DomainError) as caught:
        service(evening_id=evening.pk, actor=TESTS, **arguments)
    return caught.value


class TestMaking:
    @pytest.mark.full
    def test_two_share_the_lowest_free_number(self, club: Club) -> None:
        evening = evening_of_pairs(club)
        assert make(evening, (3, 1), (2, 8), (4, 5)) == [1, 2, 3]
        assert alone(evening) == {6, 7}
        pair_break(evening_id=evening.pk, number=2, actor=TESTS)
        assert make(evening, (6, 2)) == [2]
        assert pairs(evening) == {1: {1, 3}, 2: {2, 6}, 3: {4, 5}}
        assert alone(evening) == {7, 8}

    @pytest.mark.full
    def test_one_and_the_same_person_is_no_pair(self, club: Club) -> None:
        evening = evening_of_pairs(club)
        jan = who(evening, 1)
        assert refused(pair_make, evening, one=jan, two=jan).code == "pair_of_one"

    @pytest.mark.full
    def test_who_is_not_here_or_has_a_partner_is_named(self, club: Club) -> None:
        evening = evening_of_pairs(club)
        make(evening, (1, 2))
        leave(evening, 3)
        error = refused(pair_make, evening, one=who(evening, 1), two=who(evening, 3))
        assert (error.code, error.params["members"]) == (
            "pair_not_free",
            [who(evening, 1), who(evening, 3)],
        )
        assert pairs(evening) == {1: {1, 2}}

    def test_somebody_of_another_club_is_not_here(self, club: Club) -> None:
        evening, stranger = evening_of_pairs(club), MemberFactory.create(club=ClubFactory.create())
        error = refused(pair_make, evening, one=who(evening, 1), two=stranger)
        assert (error.code, error.params["members"]) == ("pair_not_free", [stranger])

    @pytest.mark.full
    def test_a_couple_that_is_kept_apart_is_no_pair(self, club: Club) -> None:
        evening = evening_of_pairs(club)
        one, two = who(evening, 1), who(evening, 2)
        CoupleRule.objects.create(club=club, one=one, two=two, kind="apart")
        assert refused(pair_make, evening, one=two, two=one).code == "pair_kept_apart"

    @pytest.mark.full
    def test_an_evening_that_is_not_in_pairs_has_none(self, club: Club) -> None:
        evening = evening_of_pairs(club, method="balanced")
        arguments = {"one": who(evening, 1), "two": who(evening, 2)}
        assert refused(pair_make, evening, **arguments).code == "no_fixed_pairs"

    @pytest.mark.full
    def test_pairs_that_are_drawn_stay(self, club: Club) -> None:
        evening = evening_of_pairs(club)
        make(evening, (1, 2), (3, 4), (5, 6), (7, 8))
        draw_make(evening_id=evening.pk, actor=TESTS)
        assert refused(pair_break, evening, number=1).code == "pairs_drawn"
        draw_publish(evening_id=evening.pk, actor=TESTS)
        assert refused(pairs_as_before, evening).code == "pairs_drawn"

    @pytest.mark.full
    def test_a_closed_evening_stays_as_it_is(self, club: Club) -> None:
        evening = evening_of_pairs(club)
        Evening.objects.update(state="closed")
        assert refused(pair_break, evening, number=1).code == "evening_state"


class TestComingAndGoing:
    @pytest.mark.full
    def test_who_goes_keeps_his_number_and_leaves_his_partner_alone(self, club: Club) -> None:
        evening = evening_of_pairs(club, 4)
        make(evening, (1, 2), (3, 4))
        leave(evening, 2)
        assert (pairs(evening), alone(evening)) == ({1: {1, 2}, 2: {3, 4}}, {1})
        assert [[one.number for one in pair.gone] for pair in pairs_of(evening).pairs] == [[2], []]
        presence_set(evening_id=evening.pk, member=who(evening, 2), present=True, actor=TESTS)
        assert alone(evening) == set()

    def test_a_new_partner_breaks_up_the_old_pair(self, club: Club) -> None:
        evening = evening_of_pairs(club, 6)
        make(evening, (1, 2), (3, 4), (5, 6))
        leave(evening, 2)
        leave(evening, 6)
        assert make(evening, (1, 5)) == [1]
        assert pairs(evening) == {1: {1, 5}, 2: {3, 4}}
        presence_set(evening_id=evening.pk, member=who(evening, 2), present=True, actor=TESTS)
        assert alone(evening) == {2}


class TestTakingOver:
    @pytest.mark.full
    def test_of_the_last_evening_with_pairs_where_both_are_here(self, club: Club) -> None:
        make(evening_of_pairs(club, date=dt.date(2026, 11, 7)), (1, 3), (2, 4), (5, 6), (7, 8))
        make(evening_of_pairs(club, date=dt.date(2026, 11, 14)), (1, 2), (3, 4), (5, 6))
        evening_of_pairs(club, date=dt.date(2026, 11, 17))
        evening = evening_of_pairs(club)
        make(evening_of_pairs(club, date=dt.date(2026, 11, 28)), (5, 7))
        leave(evening, 6)
        make(evening, (4, 7))
        assert pairs_as_before(evening_id=evening.pk, actor=TESTS) == 1
        assert pairs(evening) == {1: {4, 7}, 2: {1, 2}}
        assert pairs_as_before(evening_id=evening.pk, actor=TESTS) == 0

    @pytest.mark.full
    def test_who_always_plays_together_goes_first_and_who_is_apart_is_left(
        self, club: Club
    ) -> None:
        make(evening_of_pairs(club, date=dt.date(2026, 11, 14)), (1, 2), (3, 4), (5, 6))
        evening = evening_of_pairs(club)
        rule = CoupleRule.objects.create
        rule(club=club, one=who(evening, 2), two=who(evening, 7), kind="fixed")
        rule(club=club, one=who(evening, 5), two=who(evening, 6), kind="apart")
        pairs_as_before(evening_id=evening.pk, actor=TESTS)
        assert pairs(evening) == {1: {2, 7}, 2: {3, 4}}

    def test_another_clubs_pairs_are_its_own(self, club: Club) -> None:
        other = ClubFactory.create()
        make(evening_of_pairs(other, date=dt.date(2026, 11, 14)), (1, 2))
        assert pairs_as_before(evening_id=evening_of_pairs(club).pk, actor=TESTS) == 0


NUMBERS = f"{PAIRS}numbers/"


class TestNumbers:
    """What the pairs drew at the door, or a lot of the program."""

    @pytest.mark.both
    def test_pairs_get_the_numbers_they_drew(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club), desk_of(club)
        make(evening, (1, 2), (3, 4), (5, 6), (7, 8))
        assert "De paren nummeren" in text(desk.get(PAIRS))
        assert [bound.initial for bound in desk.get(NUMBERS).context["form"]] == [1, 2, 3, 4]
        drawn = {"pair_1": "4", "pair_2": "1", "pair_3": "12", "pair_4": "2"}
        page = desk.post(NUMBERS, drawn, follow=True)
        assert page.redirect_chain == [(PAIRS, 302)]
        assert messages_in(page) == ["De paren hebben nu deze nummers."]
        assert pairs(evening) == {1: {3, 4}, 2: {7, 8}, 4: {1, 2}, 12: {5, 6}}
        event = AuditEvent.objects.filter(action="pairs_numbered").get()
        assert event.data == {"numbers": {"1": 4, "2": 1, "3": 12, "4": 2}, "count": 4}
        draw_make(evening_id=evening.pk, actor=TESTS)
        names = {member.number: member.pk for member in Member.objects.of(club)}
        placed = evening.rounds.get(number=1).placements.values_list("table__number", "member")
        at_table_1 = {names[number] for number in (3, 4, 7, 8)}
        assert {member for table, member in placed if table == 1} == at_table_1

    @pytest.mark.full
    def test_the_pairs_of_the_club_go_along(self, club: Club) -> None:
        evening = evening_of_pairs(club)
        make(evening, (1, 2), (3, 4), (5, 6))
        known = [Competitor.objects.create(club=club, kind="pair", name=name) for name in "ABC"]
        for number, pair in enumerate(known, start=1):
            EveningPair.objects.filter(evening=evening, number=number).update(competitor=pair)
        pairs_number(evening_id=evening.pk, numbers={1: 2, 2: 1, 3: 9}, actor=TESTS)
        rows = EveningPair.objects.filter(evening=evening).order_by("number")
        assert [*rows.values_list("number", "competitor__name")] == [(1, "B"), (2, "A"), (9, "C")]

    def test_two_pairs_of_one_number_are_said_at_both(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club), desk_of(club)
        make(evening, (1, 2), (3, 4), (5, 6))
        page = desk.post(NUMBERS, {"pair_1": "7", "pair_2": "7", "pair_3": "3"})
        assert (page.status_code, page.context["form"].errors) == (
            422,
            {name: ["Twee paren hebben dit nummer."] for name in ("pair_1", "pair_2")},
        )
        assert 'value="7"' in text(page)
        for nonsense in ("", "0", "1000", "x", "9" * 40):
            page = desk.post(NUMBERS, {"pair_1": nonsense, "pair_2": "2", "pair_3": "3"})
            assert (page.status_code, [*page.context["form"].errors]) == (422, ["pair_1"])
        assert pairs(evening) == {1: {1, 2}, 2: {3, 4}, 3: {5, 6}}

    @pytest.mark.full
    def test_a_lot_numbers_them_from_one(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club), desk_of(club)
        make(evening, (1, 2), (3, 4), (5, 6), (7, 8))
        pairs_number(evening_id=evening.pk, numbers={2: 40}, actor=TESTS)
        page = desk.post(NUMBERS, {"action": "lot"}, follow=True)
        assert messages_in(page) == ["De paren zijn door het lot genummerd."]
        assert sorted(pairs(evening)) == [1, 2, 3, 4]
        assert {frozenset(pair) for pair in pairs(evening).values()} == {
            frozenset(pair) for pair in ((1, 2), (3, 4), (5, 6), (7, 8))
        }

    def test_after_the_draw_they_stay(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club, 4), desk_of(club)
        make(evening, (1, 2), (3, 4))
        assert refused(pairs_number, evening, numbers={7: 1}).code == "pair_unknown"
        draw_make(evening_id=evening.pk, actor=TESTS)
        assert refused(pairs_number, evening, numbers={1: 2, 2: 1}).code == "pairs_drawn"
        assert "Met deze nummers is al geloot." in text(desk.get(NUMBERS))

    @pytest.mark.full
    def test_without_pairs_there_is_nothing_to_number(self, club: Club) -> None:
        evening_of_pairs(club)
        assert "Er zijn nog geen paren." in text(desk_of(club).get(NUMBERS))


@pytest.mark.full
def test_everything_stands_in_the_trail(club: Club) -> None:
    make(evening_of_pairs(club, date=dt.date(2026, 11, 14)), (3, 4))
    evening = evening_of_pairs(club)
    make(evening, (1, 2))
    pairs_as_before(evening_id=evening.pk, actor=TESTS)
    for _ in range(2):
        pair_break(evening_id=evening.pk, number=1, actor=TESTS)
    message = AuditEvent.objects.filter(action__startswith="pair").order_by("number")
    uuids = {number: str(who(evening, number).uuid) for number in (1, 2, 3, 4)}
    assert [(event.action, event.data) for event in message[1:]] == [
        ("pair_made", {"pair": 1, "member": uuids[1], "partner": uuids[2]}),
        ("pairs_taken_over", {"pairs": {"2": [uuids[3], uuids[4]]}, "count": 1}),
        ("pair_broken", {"pair": 1}),
    ]
    page = text(desk_of(club).get("/clubs/vrolijke-boer/desk/trail/"))
    assert "Jan Bakker en Mia van der Meer werden paar 1" in page
    assert "Paren die al bekend waren, zijn gemaakt: 1" in page
    assert "Paar 1 werd uit elkaar gehaald" in page


class TestThePage:
    @pytest.mark.full
    def test_the_way_to_the_draw_goes_past_the_pairs(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club, 4), desk_of(club)
        assert "Naar de paren" in text(desk.get(f"{EVENING}present/"))
        pressed = desk.post(f"{EVENING}present/", shown(evening, next="draw"))
        assert pressed.headers["Location"] == PAIRS
        desk_page = text(desk.get("/clubs/vrolijke-boer/desk/"))
        assert "Paren maken: 4 spelers zonder maat" in desk_page
        assert "Paren maken: 4 spelers zonder maat" in text(desk.get(f"{EVENING}draw/"))
        assert steps(desk.get(PAIRS)) == [
            ("Aanwezig", "done"),
            ("Paren", "current"),
            ("Loting", "todo"),
            ("Ronde 1", "todo"),
        ]
        make(evening, (1, 2), (3, 4))
        page = text(desk.get(PAIRS))
        assert "Naar de loting: 2 paren, 1 tafel, niemand zit stil" in page
        pressed = desk.post(f"{EVENING}present/", shown(evening, next="draw"))
        assert pressed.headers["Location"] == f"{EVENING}draw/"

    def test_two_names_make_a_pair(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club), desk_of(club)
        page = desk.post(PAIRS, {"one": "jan  BAKKER", "two": "3"}, follow=True)
        assert page.redirect_chain == [(f"{PAIRS}?made", 302)]
        assert messages_in(page) == ["Paar 1: Jan Bakker en Piet Visser."]
        assert pairs(evening) == {1: {1, 3}}
        assert focus(page) == ["one"]

    @pytest.mark.full
    def test_a_name_of_the_list_is_filled_in(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club), desk_of(club)
        page = desk.get(PAIRS, {"one": who(evening, 4).pk})
        assert (page.context["form"]["one"].value(), focus(page)) == ("Truus de Vries", ["two"])
        for nonsense in ("", "x", "9" * 30):
            assert desk.get(PAIRS, {"one": nonsense}).context["form"]["one"].value() is None

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("typed", "faults"),
        [
            ({"one": "", "two": "Niemand"}, ["one", "two"]),
            ({"one": "1", "two": "Jan Bakker"}, ["two"]),
            ({"one": "5", "two": "1"}, ["one"]),
            ({"one": "a\0b", "two": "9" * 5000}, ["one", "two"]),
        ],
    )
    def test_every_fault_is_said(
        self, club: Club, typed: dict[str, str], faults: list[str]
    ) -> None:
        evening, desk = evening_of_pairs(club), desk_of(club)
        make(evening, (5, 6))
        response = desk.post(PAIRS, typed)
        assert (response.status_code, [*response.context["form"].errors]) == (422, faults)
        assert pairs(evening) == {1: {5, 6}}

    @pytest.mark.full
    def test_what_the_house_refuses_is_said(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club), desk_of(club)
        CoupleRule.objects.create(club=club, one=who(evening, 1), two=who(evening, 2), kind="apart")
        page = text(desk.post(PAIRS, {"one": "1", "two": "2"}))
        assert "Jan Bakker en Mia van der Meer zitten bij de club nooit aan één tafel." in page

    def test_pairs_are_taken_apart_and_taken_over(self, club: Club) -> None:
        make(evening_of_pairs(club, date=dt.date(2026, 11, 14)), (1, 2), (3, 4))
        evening, desk = evening_of_pairs(club), desk_of(club)
        assert "De 2 paren maken die al bekend zijn" in text(desk.get(PAIRS))
        page = desk.post(f"{PAIRS}as-before/", follow=True)
        assert (messages_in(page), "al bekend" in text(page)) == (["2 paren gemaakt."], False)
        page = desk.post(f"{PAIRS}2/break/", follow=True)
        assert (messages_in(page), pairs(evening)) == (["Paar 2 is uit elkaar."], {1: {1, 2}})
        assert messages_in(desk.post(f"{PAIRS}2/break/", follow=True)) == []
        assert messages_in(desk.post(f"{PAIRS}{'9' * 30}/break/", follow=True)) == []

    @pytest.mark.full
    def test_who_is_left_over_is_told_what_to_do(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club, 5), desk_of(club)
        make(evening, (1, 2), (3, 4))
        page = text(desk.get(PAIRS))
        assert "Voor Kees Mulder is er niemand over." in page
        assert 'name="one"' not in page
        leave(evening, 4)
        page = text(desk.get(PAIRS))
        assert "2 spelers zonder maat" in page
        assert "Truus de Vries is er niet" in page

    @pytest.mark.full
    def test_after_the_draw_they_are_shown_as_they_are(self, club: Club) -> None:
        evening, desk = evening_of_pairs(club, 4), desk_of(club)
        make(evening, (1, 2), (3, 4))
        draw_make(evening_id=evening.pk, actor=TESTS)
        page = text(desk.get(PAIRS))
        assert "Met deze paren is al geloot." in page
        assert "Uit elkaar<span" not in page
        assert "Jan Bakker – Mia van der Meer" in page
        refused = desk.post(f"{PAIRS}1/break/", follow=True)
        assert messages_in(refused) == [
            "Met deze paren is al geloot. Maak eerst de loting ongedaan."
        ]

    @pytest.mark.full
    def test_being_partners_all_evening_is_no_repeat(self, club: Club) -> None:
        evening = evening_of_pairs(club, rounds_planned=2)
        make(evening, (1, 2), (3, 4), (5, 6), (7, 8))
        draw_make(evening_id=evening.pk, actor=TESTS)
        page = text(desk_of(club).get(f"{EVENING}draw/"))
        assert "Geen twee paren treffen elkaar vanavond twee keer." in page
        assert ("2e keer maat" in page, "2e keer samen" in page) == (False, False)

    @pytest.mark.full
    def test_pairs_that_meet_again_are_shown_once_at_their_table(self, club: Club) -> None:
        # At two tables everybody met everybody after three rounds.
        evening = evening_of_pairs(club, rounds_planned=4)
        make(evening, (1, 2), (3, 4), (5, 6), (7, 8))
        draw_make(evening_id=evening.pk, actor=TESTS)
        report = draw_report(evening)
        assert [[table.repeats for table in block.tables] for block in report.blocks] == [
            [[], []],
            [[], []],
            [[], []],
            [["Deze paren treffen elkaar voor de 2e keer"]] * 2,
        ]

    @pytest.mark.full
    def test_an_evening_without_pairs_says_so(self, club: Club) -> None:
        evening_of_pairs(club, method="lottery")
        assert "Deze avond wordt niet met vaste paren gespeeld." in text(desk_of(club).get(PAIRS))

    @pytest.mark.full
    @pytest.mark.parametrize("count", [1, 3])
    def test_more_pairs_ask_no_more_questions(
        self, club: Club, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        evening, desk = evening_of_pairs(club, 12), desk_of(club)
        make(evening, *((one, one + 1) for one in range(1, 2 * count, 2)))
        with django_assert_num_queries(14):
            desk.get(PAIRS)


def shown(evening: Evening, **given: object) -> dict[str, object]:
    """What the page of who is here sends when nothing was ticked or unticked."""
    here = [*evening.registrations.filter(present=True).values_list("member_id", flat=True)]
    return {"here": here, "shown": here, **given}


def focus(response: Any) -> list[str]:
    """Which of the two fields asks to be typed in."""
    fields = response.context["form"].fields
    return [name for name in ("one", "two") if "autofocus" in fields[name].widget.attrs]


def steps(response: Any) -> list[tuple[str, str]]:
    return [(step.label, step.state) for step in response.context["steps"]][:4]
