"""Two people of a draft change places: written in full, judged, and never between two drafts."""

from collections.abc import Sequence

import pytest

from clubs.models import AuditEvent, Club, Member
from clubs.text.errors import DomainError
from scoring.models import Seat
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    type_in,
)
from tournaments.draw.report import draw_report
from tournaments.draw.rewriting import draw_swap, draw_waiting, require_swappable
from tournaments.draw.services import draft_version, draw_make, draw_publish
from tournaments.draw.texts import swap_choices
from tournaments.models import CoupleRule, Evening, Placement
from tournaments.registration.check_in import presence_replace
from tournaments.registration.competitors import competitor_create, teams_choose
from tournaments.rounds.services import round_close, round_start

pytestmark = pytest.mark.django_db


def draft(players: int, method: str = "typed_in", rounds: int = 3) -> Evening:
    """A draft; one typed in is of round 1, with members 1 2 3 4 in N E S W at table 1, 5 6 7 8 at
    table 2 …"""
    evening = EveningFactory.create(club=ClubFactory.create(), method=method, rounds_planned=rounds)
    members = [MemberFactory.create(club=evening.club) for _ in range(players)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    if method == Evening.Method.TYPED_IN:
        type_in(evening, members)
    else:
        draw_make(evening_id=evening.pk, actor=TESTS)
    return evening


def member(number: int) -> Member:
    return Member.objects.get(number=number)


def swap(evening: Evening, one: int, other: int, *, seen: str | None = None) -> Sequence[int]:
    return draw_swap(
        evening_id=evening.pk,
        round_number=1,
        one=member(one),
        other=member(other),
        seen=seen,
        actor=TESTS,
    )


def seats(evening: Evening, round_number: int = 1) -> dict[tuple[int, str], int]:
    """Who, by number, sits at which table in which seat; table 0 for who sits out."""
    placed = Placement.objects.filter(round__evening=evening, round__number=round_number)
    return {
        (one.table.number if one.table else 0, one.seat): one.member.number or 0
        for one in placed.select_related("table", "member")
    }


def on_the_sheets(evening: Evening, round_number: int = 1) -> dict[tuple[int, str], int | None]:
    """The same of the blank score sheets."""
    held = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__number=round_number
    )
    rows = held.values_list("sheet__table__number", "seat", "member__number")
    return {(table, seat): number for table, seat, number in rows}


class TestWritten:
    @pytest.mark.full
    def test_two_people_take_each_others_seat_in_draw_and_on_the_sheets(self) -> None:
        evening = draft(8)
        assert swap(evening, 2, 7) == [1]
        expected = {
            **dict(zip([(1, seat) for seat in "NESW"], [1, 7, 3, 4], strict=True)),
            **dict(zip([(2, seat) for seat in "NESW"], [5, 6, 2, 8], strict=True)),
        }
        assert seats(evening) == expected
        assert on_the_sheets(evening) == expected

    def test_somebody_sits_out_instead_of_another(self) -> None:
        evening = draft(5)
        swap(evening, 5, 4)
        expected = {(1, "N"): 1, (1, "E"): 2, (1, "S"): 3, (1, "W"): 5}
        assert seats(evening) == expected | {(0, ""): 4}
        assert on_the_sheets(evening) == expected

    def test_the_same_again_undoes_it(self) -> None:
        evening = draft(8)
        before = seats(evening)
        swap(evening, 2, 7)
        swap(evening, 2, 7)
        assert (seats(evening), on_the_sheets(evening)) == (before, before)

    @pytest.mark.full
    def test_where_tables_stay_together_it_is_for_all_their_rounds(self) -> None:
        evening = draft(8, "rotation", rounds=3)
        before = [seats(evening, number) for number in (1, 2, 3)]
        one, other = before[0][1, "N"], before[0][2, "E"]
        assert swap(evening, one, other) == [1, 2, 3]
        swapped = {one: other, other: one}
        for number, seating in enumerate(before, start=1):
            expected = {place: swapped.get(who, who) for place, who in seating.items()}
            assert seats(evening, number) == on_the_sheets(evening, number) == expected

    @pytest.mark.full
    def test_a_fresh_draw_each_round_changes_in_that_round_alone(self) -> None:
        evening = draft(4, "balanced", rounds=2)
        before = [seats(evening, number) for number in (1, 2)]
        assert swap(evening, before[0][1, "N"], before[0][1, "E"]) == [1]
        assert seats(evening, 1)[1, "N"] == before[0][1, "E"]
        assert seats(evening, 2) == before[1]

    @pytest.mark.full
    def test_the_trail_tells_of_it(self) -> None:
        evening = draft(8)
        swap(evening, 2, 7)
        event = AuditEvent.objects.filter(chain=Club.objects.get().chain_name).latest("number")
        data = {"rounds": [1], "members": [str(member(2).uuid), str(member(7).uuid)]}
        assert (event.action, event.data) == ("draw_swapped", data)


class TestRefused:
    def refusal(self, evening: Evening, one: int, other: int, seen: str | None = None) -> str:
        before = seats(evening)
        with pytest.raises(DomainError) as caught:
            swap(evening, one, other, seen=seen)
        assert seats(evening) == before
        assert on_the_sheets(evening) == {place: who for place, who in before.items() if place[0]}
        return caught.value.code

    def test_of_two_organisers_at_once_the_second_looks_first(self) -> None:
        evening = draft(8)
        seen = draft_version(evening)
        swap(evening, 2, 7, seen=seen)
        assert self.refusal(evening, 2, 7, seen) == "draw_moved_on"

    def test_nobody_makes_final_what_he_did_not_see(self) -> None:
        evening = draft(8)
        seen = draft_version(evening)
        swap(evening, 2, 7)
        with pytest.raises(DomainError) as caught:
            draw_publish(evening_id=evening.pk, seen=seen, actor=TESTS)
        assert caught.value.code == "draw_moved_on"
        assert evening.rounds.get().state == "draft"

    def test_somebody_who_is_not_in_the_round(self) -> None:
        evening = draft(8)
        MemberFactory.create(club=evening.club)
        assert self.refusal(evening, 2, 9) == "not_in_round"

    @pytest.mark.full
    def test_somebody_with_himself(self) -> None:
        assert self.refusal(draft(8), 2, 2) == "not_in_round"

    @pytest.mark.full
    def test_what_the_hall_sees_already(self) -> None:
        evening = evening_with_draw(players=8, started=False)
        assert self.refusal(evening, 2, 7) == "draw_final"

    @pytest.mark.full
    def test_what_is_played_already(self) -> None:
        assert self.refusal(evening_with_draw(players=8), 2, 7) == "no_draft"

    @pytest.mark.full
    def test_an_evening_that_is_cancelled(self) -> None:
        evening = draft(8)
        Evening.objects.filter(pk=evening.pk).update(state="cancelled")
        assert self.refusal(evening, 2, 7) == "evening_state"

    def test_on_an_evening_of_pairs_nobody_is_taken_from_his_partner(self) -> None:
        evening = draft(8)
        Evening.objects.filter(pk=evening.pk).update(method="pairs")
        assert self.refusal(evening, 2, 7) == "pairs_stay_together"


TEAM_AGAINST_ITSELF = (
    "Dan speelt De Azen aan tafel 1 tegen zichzelf. Speelt u zo? Vink dan “Mensen van één team"
    " mogen aan één tafel zitten” aan waar u de avond wijzigt."
)


class TestTeams:
    """Members 1 2 3 4 sit at table 1, 5 6 7 8 at table 2; some are of one team."""

    def teams(self, evening: Evening, *people: int) -> Evening:
        team = competitor_create(
            club=evening.club, kind="team", name="De Azen", since=evening.date, actor=TESTS
        )
        ours = {member(number).pk: team for number in people}
        teams_choose(evening_id=evening.pk, wanted=ours, actor=TESTS)
        return evening

    @pytest.mark.full
    def test_a_team_is_not_set_against_itself_unless_the_evening_allows_it(self) -> None:
        evening = self.teams(draft(8), 1, 6)
        before = seats(evening)
        with pytest.raises(DomainError) as caught:
            swap(evening, 2, 6)
        assert (caught.value.code, caught.value.message) == (
            "team_against_itself",
            TEAM_AGAINST_ITSELF,
        )
        assert seats(evening) == before
        # As partners they are not against each other.
        assert swap(evening, 3, 6) == [1]
        Evening.objects.filter(pk=evening.pk).update(teammates_may_meet=True)
        assert swap(evening, 2, 6) == [1]

    @pytest.mark.full
    def test_the_page_says_so_before(self) -> None:
        evening = self.teams(draft(8), 1, 6)
        waiting = require_swappable(evening, 1)
        numbers = dict(Member.objects.values_list("pk", "number"))
        choices = swap_choices(waiting, 1, str(member(6).pk), evening.club)
        impossible = "kan niet: een team speelt dan tegen zichzelf"
        assert {numbers[one.id]: one.words for one in choices if one.badge == "!"} == {
            2: impossible,
            4: impossible,
        }

    def test_what_the_draw_could_not_avoid_may_move_and_be_undone(self) -> None:
        evening = self.teams(draft(8), 1, 2)
        assert swap(evening, 2, 5) == [1]
        # Undoing it sets them against each other again.
        assert swap(evening, 2, 5) == [1]


class TestJudged:
    """Members 1 2 3 4 played at table 1 in the first round, and 5 6 7 8 at table 2."""

    def costs(self, evening: Evening, who: int, number: int = 1) -> dict[int, tuple[str, str]]:
        waiting = draw_waiting(evening)
        assert waiting
        choices = swap_choices(waiting, number, str(member(who).pk), evening.club)
        numbers = dict(Member.objects.values_list("pk", "number"))
        return {numbers[one.id] or 0: (one.badge, one.words) for one in choices}

    @pytest.mark.full
    def test_a_first_round_makes_no_difference_to_anybody(self) -> None:
        costs = self.costs(draft(5), 1)
        assert costs == dict.fromkeys([2, 3, 4, 5], ("=", "geen verschil"))

    @pytest.mark.full
    def test_what_is_better_stands_first(self) -> None:
        evening = draft(8)
        draw_publish(evening_id=evening.pk, actor=TESTS)
        round_start(round_id=evening.rounds.get().pk, actor=TESTS)
        round_close(round_id=evening.rounds.get().pk, unfinished_reason="proef", actor=TESTS)
        type_in(evening, list(Member.objects.order_by("number")))
        better = ("−2", "2 keer minder dezelfde maat, 6 herhalingen minder")
        partners = ("−2", "2 keer minder dezelfde maat")
        costs = self.costs(evening, 1, number=2)
        assert costs == {
            **dict.fromkeys([5, 6, 7, 8], better),
            **dict.fromkeys([2, 4], partners),
            3: ("=", "geen verschil"),
        }
        assert [sorted([*costs][:4]), sorted([*costs][4:6]), [*costs][6:]] == [
            [5, 6, 7, 8],
            [2, 4],
            [3],
        ]

    def test_who_would_sit_out_twice_is_named_with_all_rounds_of_his_tables(self) -> None:
        # Five people, two times three rounds at one table: one sits out each time.
        evening = draft(5, "rotation", rounds=6)
        first, second = (seats(evening, number)[0, ""] for number in (1, 4))
        badge, words = self.costs(evening, first)[second]
        again = f"3 keer vaker dezelfde maat, {member(second).name} zit dan vanavond 6 rondes stil"
        assert words.startswith(again)
        assert badge == "+3"
        third = next(number for number in range(1, 6) if number not in (first, second))
        assert "stil" not in self.costs(evening, first)[third][1]

    def test_a_couple_that_must_not_meet_is_warned_of_and_not_forbidden(self) -> None:
        evening = draft(8)
        one, two = member(1), member(5)
        CoupleRule.objects.create(club=evening.club, one=one, two=two, kind="apart")
        words = "dan zitten twee mensen bij elkaar voor wie dat niet de bedoeling is"
        assert self.costs(evening, 1)[6] == ("!", words + ", geen verschil")
        swap(evening, 1, 6)
        warning = (
            "Ronde 1: Jan Bakker en Kees Mulder zitten bij elkaar aan tafel 2, en dat mag niet."
        )
        assert draw_report(evening).warnings == [warning]

    def test_a_fixed_couple_taken_apart_is_warned_of(self) -> None:
        evening = draft(8)
        CoupleRule.objects.create(club=evening.club, one=member(1), two=member(3), kind="fixed")
        assert draw_report(evening).warnings == []
        swap(evening, 3, 2)
        assert draw_report(evening).warnings == [
            "Ronde 1: Jan Bakker en Piet Visser horen altijd samen te spelen en zijn geen maten."
        ]

    def test_somebody_who_keeps_his_table_is_warned_of(self) -> None:
        evening = draft(8, "balanced", rounds=2)
        Member.objects.filter(number=1).update(keeps_table=True)
        draw_make(evening_id=evening.pk, actor=TESTS)
        assert draw_report(evening).warnings == []
        first = {number: place for place, number in seats(evening, 1).items()}
        away = next(who for who, (table, _seat) in first.items() if table != first[1][0])
        swap(evening, 1, away)
        tables = f"van tafel {first[away][0]} naar tafel {first[1][0]}"
        assert draw_report(evening).warnings == [
            f"Ronde 2: Jan Bakker houdt zijn tafel, en gaat {tables}."
        ]
