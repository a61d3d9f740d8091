"""Who always plays together and who never at one table: agreed, taken back, kept at a merge."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.members.services import member_activate
from clubs.merges.services import guest_merge, merge_preview
from clubs.models import AuditEvent, Club, Member
from clubs.text.errors import DomainError
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    scorekeeper_of,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.registration.test_pairs import evening_of_pairs, make, pairs, who
from tournaments.draw.core.models import Couple
from tournaments.draw.services import draw_make
from tournaments.models import CoupleRule, Evening, Placement
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.registration.pairs import couple_rule_add, couple_rule_remove

pytestmark = pytest.mark.django_db

COUPLES = "/clubs/vrolijke-boer/desk/couples/"
FIXED, APART = CoupleRule.Kind.FIXED, CoupleRule.Kind.APART


@pytest.fixture
def club() -> Club:
    """Members 1 … 8."""
    club = ClubFactory.create()
    for _ in range(8):
        MemberFactory.create(club=club)
    return club


def member(club: Club, number: int) -> Member:
    return Member.objects.get(club=club, number=number)


def agree(club: Club, one: int, two: int, kind: CoupleRule.Kind) -> CoupleRule:
    return couple_rule_add(
        club=club, one=member(club, one), two=member(club, two), kind=kind, actor=TESTS
    )


def agreed(club: Club) -> set[tuple[str, str, str]]:
    rules = CoupleRule.objects.filter(club=club).select_related("one", "two")
    return {(rule.one.name.split()[0], rule.two.name.split()[0], rule.kind) for rule in rules}


class TestAgreeing:
    @pytest.mark.full
    def test_the_order_in_which_two_are_named_plays_no_part(self, club: Club) -> None:
        agree(club, 2, 1, FIXED)
        agree(club, 3, 1, APART)
        assert agreed(club) == {("Jan", "Mia", "fixed"), ("Jan", "Piet", "apart")}

    @pytest.mark.each_case
    @pytest.mark.parametrize(
        ("couple", "kind", "code", "said"),
        [
            ((1, 1), APART, "couple_of_one", "Kies twee verschillende mensen."),
            ((2, 1), FIXED, "couple_known", "Dat staat hier al."),
            ((1, 2), APART, "couples_contradict", "Jan Bakker en Mia van der Meer spelen altijd"),
            ((3, 4), FIXED, "couples_contradict", "Piet Visser en Truus de Vries zitten nooit"),
            ((2, 5), FIXED, "couples_contradict", "Jan Bakker en Mia van der Meer spelen altijd"),
        ],
    )
    def test_what_contradicts_is_refused(
        self, club: Club, couple: tuple[int, int], kind: CoupleRule.Kind, code: str, said: str
    ) -> None:
        agree(club, 1, 2, FIXED)
        agree(club, 3, 4, APART)
        with pytest.raises(DomainError, match=said) as caught:
            agree(club, *couple, kind)
        assert (caught.value.code, CoupleRule.objects.count()) == (code, 2)

    @pytest.mark.full
    def test_somebody_may_be_kept_apart_from_several(self, club: Club) -> None:
        for other in (2, 3, 4):
            agree(club, 1, other, APART)
        agree(club, 1, 5, FIXED)
        assert CoupleRule.objects.count() == 4

    @pytest.mark.full
    def test_both_are_of_the_club(self, club: Club) -> None:
        stranger = MemberFactory.create(club=ClubFactory.create())
        with pytest.raises(DomainError) as caught:
            couple_rule_add(club=club, one=member(club, 1), two=stranger, kind=APART, actor=TESTS)
        assert caught.value.code == "member_of_another_club"

    @pytest.mark.full
    def test_only_the_clubs_own_is_taken_back(self, club: Club) -> None:
        rule, other = agree(club, 1, 2, FIXED), ClubFactory.create()
        assert couple_rule_remove(club=other, rule_id=rule.pk, actor=TESTS) is None
        assert CoupleRule.objects.exists()
        assert couple_rule_remove(club=club, rule_id=rule.pk, actor=TESTS) is not None
        assert couple_rule_remove(club=club, rule_id=rule.pk, actor=TESTS) is None
        assert not CoupleRule.objects.exists()

    @pytest.mark.full
    def test_it_stands_in_the_trail(self, club: Club) -> None:
        agree(club, 1, 2, FIXED)
        rule = agree(club, 3, 4, APART)
        for _ in range(2):
            couple_rule_remove(club=club, rule_id=rule.pk, actor=TESTS)
        events = AuditEvent.objects.filter(action__startswith="couple").order_by("number")
        assert [event.action for event in events] == [
            "couple_fixed",
            "couple_apart",
            "couple_rule_removed",
        ]
        page = text(desk_of(club).get("/clubs/vrolijke-boer/desk/trail/"))
        assert "Jan Bakker en Mia van der Meer spelen voortaan altijd samen" in page
        assert "Piet Visser en Truus de Vries zitten voortaan nooit aan één tafel" in page
        assert "Voor Piet Visser en Truus de Vries loot het weer vrij" in page

    @pytest.mark.parametrize("method", ["rotation", "balanced", "lottery"])
    def test_the_draw_keeps_to_it(self, club: Club, method: str) -> None:
        agree(club, 1, 2, FIXED)
        agree(club, 3, 4, APART)
        evening = EveningFactory.create(club=club, method=method)
        people = list(Member.objects.of(club))
        presence_replace(evening_id=evening.pk, members=people, actor=TESTS)
        draw_make(evening_id=evening.pk, actor=TESTS)
        for couple, expected in ((("1", "2"), True), (("3", "4"), False)):
            assert {together(evening.pk, couple)} == {expected}


class TestRefusedDraws:
    """The desk reads whom it is about, and where to look."""

    def refusal(self, evening: Evening) -> str:
        (words,) = messages_in(desk_of(evening.club).post(f"{EVENING}draw/", follow=True))
        return words

    def test_a_pair_that_is_kept_apart_since(self, club: Club) -> None:
        evening = evening_of_pairs(club)
        make(evening, (1, 2), (3, 4), (5, 6), (7, 8))
        agree(club, 3, 4, APART)
        agree(club, 1, 8, APART)
        assert self.refusal(evening) == (
            "Dit spreekt zichzelf tegen: Piet Visser en Truus de Vries spelen samen, en er is "
            "afgesproken dat zij nooit aan één tafel zitten. Wijzig het paar bij “Paren”, of de "
            "afspraak bij “Vaste maten en niet samen”."
        )

    @pytest.mark.full
    def test_pairs_of_whom_two_may_not_meet(self, club: Club) -> None:
        """One table for two pairs; member 8 is not here."""
        evening = evening_of_pairs(club, 4)
        make(evening, (1, 2), (3, 4))
        agree(club, 1, 3, APART)
        agree(club, 2, 8, APART)
        assert self.refusal(evening) == (
            "Met wat is afgesproken kan niet iedereen een plaats krijgen: Jan Bakker en Piet "
            "Visser nooit aan één tafel. Haal daarvan iets weg bij “Vaste maten en niet samen”."
        )

    @pytest.mark.full
    def test_one_table_for_two_who_are_kept_apart(self, club: Club) -> None:
        agree(club, 1, 2, FIXED)
        agree(club, 3, 4, APART)
        evening = EveningFactory.create(club=club, method="lottery")
        people = list(Member.objects.of(club).filter(number__lte=4))
        presence_replace(evening_id=evening.pk, members=people, actor=TESTS)
        assert self.refusal(evening) == (
            "Met wat is afgesproken kan niet iedereen een plaats krijgen: Piet Visser en Truus de "
            "Vries nooit aan één tafel; Jan Bakker en Mia van der Meer altijd samen. Haal daarvan "
            "iets weg bij “Vaste maten en niet samen”."
        )


def together(evening_id: int, couple: Couple) -> bool:
    """Whether these two sit at the same table in the first round."""
    placed = Placement.objects.filter(round__evening=evening_id, round__number=1)
    return len({placed.get(member__number=number).table_id for number in couple}) == 1


class TestMerging:
    @pytest.fixture
    def guest(self, club: Club) -> Member:
        return MemberFactory.create(club=club, kind=Member.Kind.GUEST, name="Jannie")

    def agree_on_guest(self, guest: Member, number: int, kind: CoupleRule.Kind) -> None:
        other = member(guest.club, number)
        couple_rule_add(club=guest.club, one=guest, two=other, kind=kind, actor=TESTS)

    def merge(self, guest: Member, number: int) -> None:
        guest_merge(guest=guest, member=member(guest.club, number), actor=TESTS)

    def test_what_was_agreed_goes_to_the_member(self, club: Club, guest: Member) -> None:
        self.agree_on_guest(guest, 2, FIXED)
        self.agree_on_guest(guest, 8, APART)
        preview = merge_preview(guest=guest, member=member(club, 5))
        assert preview.moving == [
            "altijd samen: Mia van der Meer",
            "nooit aan één tafel: Riet van den Berg",
        ]
        assert preview.refusal == ""
        self.merge(guest, 5)
        assert agreed(club) == {("Mia", "Kees", "fixed"), ("Kees", "Riet", "apart")}

    @pytest.mark.full
    def test_the_members_own_stands(self, club: Club, guest: Member) -> None:
        agree(club, 1, 2, FIXED)
        agree(club, 1, 3, APART)
        agree(club, 1, 4, APART)
        self.agree_on_guest(guest, 5, FIXED)
        self.agree_on_guest(guest, 3, APART)
        self.agree_on_guest(guest, 1, APART)
        before = agreed(club) - {("Jan", "Jannie", "apart")}
        self.merge(guest, 1)
        assert agreed(club) == {rule for rule in before if "Jannie" not in rule}

    def test_a_pair_goes_with_the_guest(self, club: Club, guest: Member) -> None:
        evening = evening_of_pairs(club)
        presence_set(evening_id=evening.pk, member=who(evening, 8), present=False, actor=TESTS)
        presence_set(evening_id=evening.pk, member=guest, present=True, actor=TESTS)
        CoupleRule.objects.all().delete()
        evening.registrations.filter(member=guest).update(pair=1)
        evening.registrations.filter(member=who(evening, 1)).update(pair=1)
        self.merge(guest, 8)
        assert pairs(evening) == {1: {1, 8}}

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("guests", "after"),
        [(None, {1: {1, 8}}), (3, {3: {3, 8}}), (8, {})],
    )
    def test_the_pair_of_who_did_not_come(
        self, club: Club, guest: Member, guests: int | None, after: dict[int, set[int]]
    ) -> None:
        """Member 8 is with 1 in a pair and not here; the guest who is he is in a pair with
        nobody, with 3, or with 8 himself."""
        evening = evening_of_pairs(club)
        make(evening, (1, 8))
        presence_set(evening_id=evening.pk, member=who(evening, 8), present=False, actor=TESTS)
        presence_set(evening_id=evening.pk, member=guest, present=True, actor=TESTS)
        listed = evening.registrations
        if guests == 8:
            listed.filter(member=who(evening, 1)).update(pair=None)
            listed.filter(member=guest).update(pair=1)
        elif guests:
            listed.filter(member__in=[guest, who(evening, guests)]).update(pair=3)
        self.merge(guest, 8)
        assert pairs(evening) == after


class TestThePage:
    @pytest.mark.full
    def test_two_people_are_agreed_on(self, club: Club) -> None:
        desk = desk_of(club)
        assert "Er is nog niets afgesproken" in text(desk.get(COUPLES))
        page = desk.post(COUPLES, {"one": "jan bakker", "two": "2", "kind": "fixed"}, follow=True)
        assert messages_in(page) == [
            "Jan Bakker en Mia van der Meer: altijd samen. Dit telt vanaf de volgende loting."
        ]
        assert 'scope="row">Jan Bakker – Mia van der Meer</th> <td>altijd samen</td>' in text(page)
        rule = CoupleRule.objects.get()
        page = desk.post(f"{COUPLES}{rule.pk}/remove/", follow=True)
        assert messages_in(page) == ["Voor Jan Bakker en Mia van der Meer loot het weer vrij."]
        assert messages_in(desk.post(f"{COUPLES}{rule.pk}/remove/", follow=True)) == []

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("typed", "faults"),
        [
            ({}, ["one", "two", "kind"]),
            ({"one": "Niemand", "two": "2", "kind": "married"}, ["one", "kind"]),
            ({"one": "2", "two": "Mia van der Meer", "kind": "apart"}, ["two"]),
            ({"one": "1", "two": "8", "kind": "fixed"}, ["__all__"]),
            ({"one": "1", "two": "7", "kind": "fixed"}, ["two"]),
        ],
    )
    def test_every_fault_is_said(
        self, club: Club, typed: dict[str, str], faults: list[str]
    ) -> None:
        agree(club, 8, 2, FIXED)
        member_activate(member=member(club, 7), active=False, actor=TESTS)
        response = desk_of(club).post(COUPLES, typed)
        assert (response.status_code, [*response.context["form"].errors]) == (422, faults)
        assert CoupleRule.objects.count() == 1

    @pytest.mark.full
    def test_who_runs_an_evening_may_agree_and_who_only_writes_may_not(self, club: Club) -> None:
        for user, status in ((director_of(club), 200), (scorekeeper_of(club), 403)):
            desk = desk_of(club)
            desk.force_login(user)
            assert desk.get(COUPLES).status_code == status
            assert desk.post(f"{COUPLES}1/remove/", follow=True).status_code == status

    def test_another_clubs_couples_are_not_shown(self, club: Club) -> None:
        other = ClubFactory.create()
        people = [MemberFactory.create(club=other) for _ in range(2)]
        couple_rule_add(club=other, one=people[0], two=people[1], kind=APART, actor=TESTS)
        assert [*desk_of(club).get(COUPLES).context["rules"]] == []

    @pytest.mark.full
    @pytest.mark.parametrize("count", [1, 3])
    def test_more_couples_ask_no_more_questions(
        self, club: Club, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        for one in range(1, 2 * count, 2):
            agree(club, one, one + 1, APART)
        desk = desk_of(club)
        with django_assert_num_queries(6):
            desk.get(COUPLES)

    @pytest.mark.full
    @pytest.mark.parametrize("page", ["members/", "settings/", "evenings/2026-11-21/draw/"])
    def test_it_is_found_from(self, club: Club, page: str) -> None:
        EveningFactory.create(club=club)
        found: Any = desk_of(club).get(f"/clubs/vrolijke-boer/desk/{page}")
        assert f'href="{COUPLES}"' in text(found)
