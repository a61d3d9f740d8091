import datetime as dt
from typing import Any

import pytest

from clubs.members.services import member_activate, member_change, member_create
from clubs.merges.services import guest_merge
from clubs.models import AuditEvent, Member
from clubs.text.errors import DomainError, VersionConflict
from scoring.models import Seat
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tournaments.models import Placement, Registration
from tournaments.registration.check_in import guest_add, presence_set
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db


def change(member: Member, **given: Any) -> Member:
    given = {"name": member.name, "number": member.number, "kind": member.kind} | given
    given.setdefault("seen_version", member.version)
    return member_change(member=member, actor=TESTS, **given)


def code_of(caught: pytest.ExceptionInfo[DomainError]) -> str:
    return caught.value.code


class TestCreate:
    @pytest.mark.both
    def test_a_name_is_tidied_and_can_be_found_and_sorted(self) -> None:
        member = member_create(club=ClubFactory.create(), name=" Jan  van der Meer ", actor=TESTS)
        assert (member.name, member.name_key) == ("Jan van der Meer", "jan van der meer")
        assert (member.sort_name, member.kind, member.is_active) == (
            "meer, jan van der",
            "member",
            True,
        )

    @pytest.mark.parametrize(
        ("given", "code"),
        [
            ({"name": "  "}, "name_missing"),
            ({"name": "Jan", "number": 1}, "number_taken"),
            ({"name": "x" * 101}, "bad_member"),
            ({"name": "Jan", "email": "no address"}, "bad_member"),
            ({"name": "Jan", "number": 0}, "bad_member"),
            ({"name": "Jan", "kind": "king"}, "bad_member"),
            ({"name": "Jan", "phone": "0" * 31}, "bad_member"),
            ({"name": "Jan", "addition": "x" * 31}, "bad_member"),
            ({"name": "Jan", "birthday": dt.date(1899, 12, 31)}, "bad_member"),
            ({"name": "Jan", "member_since": dt.date(2200, 1, 1)}, "bad_member"),
            ({"name": "Jan", "birthday": dt.date(2190, 1, 1)}, "birthday_to_come"),
        ],
    )
    def test_is_refused(self, given: dict[str, Any], code: str) -> None:
        club = MemberFactory.create().club
        with pytest.raises(DomainError) as caught:
            member_create(club=club, actor=TESTS, **given)
        assert code_of(caught) == code
        assert Member.objects.count() == 1

    def test_another_club_may_use_the_same_number(self) -> None:
        MemberFactory.create(number=7)
        assert MemberFactory.create(number=7).number == 7

    def test_a_name_that_grows_when_folded_fits(self) -> None:
        member = MemberFactory.create(name="ﷺ" * 100)
        assert len(member.sort_name) == 200


class TestChange:
    def test_somebody_may_keep_his_table(self) -> None:
        member = member_create(
            club=ClubFactory.create(), name="Jan Bos", keeps_table=True, actor=TESTS
        )
        assert Member.objects.get().keeps_table
        assert change(member).keeps_table
        assert not change(Member.objects.get(), keeps_table=False).keeps_table

    def test_everything_at_once(self) -> None:
        member = change(
            MemberFactory.create(), name="Jan de Boer", number=9, kind="guest", email="j@b.nl"
        )
        member.refresh_from_db()
        assert (member.name, member.number, member.kind, member.email) == (
            "Jan de Boer",
            9,
            "guest",
            "j@b.nl",
        )
        assert (member.version, member.sort_name) == (2, "boer, jan de")

    @pytest.mark.both
    def test_a_stale_version_conflicts_and_shows_what_stands(self) -> None:
        member = MemberFactory.create()
        change(member, name="Jan Een")
        with pytest.raises(VersionConflict) as caught:
            change(member, name="Jan Twee", seen_version=1)
        assert caught.value.params["current"] == member
        assert Member.objects.get().name == "Jan Een"

    def test_one_may_keep_ones_number_and_not_take_anothers(self) -> None:
        one = MemberFactory.create()
        other = MemberFactory.create(club=one.club)
        with pytest.raises(DomainError) as caught:
            change(other, number=one.number)
        assert code_of(caught) == "number_taken"
        assert change(other, number=other.number).version == 2

    @pytest.mark.parametrize(
        ("given", "code"), [({"name": ""}, "name_missing"), ({"email": "x"}, "bad_member")]
    )
    def test_is_refused_and_changes_nothing(self, given: dict[str, Any], code: str) -> None:
        member = MemberFactory.create()
        with pytest.raises(DomainError) as caught:
            change(member, **given)
        assert code_of(caught) == code
        assert Member.objects.get().version == 1


def test_somebody_can_be_taken_off_the_list_and_put_back() -> None:
    member = MemberFactory.create()
    assert not member_activate(member=member, active=False, actor=TESTS).is_active
    assert member_activate(member=member, active=True, actor=TESTS).is_active
    actions = AuditEvent.objects.order_by("number").values_list("action", flat=True)
    assert list(actions)[-2:] == ["member_deactivated", "member_activated"]


class TestMerge:
    @pytest.mark.both
    def test_what_the_guest_played_becomes_the_members(self) -> None:
        evening = evening_with_draw(players=4, method="lottery", started=False, rounds=1)
        member = MemberFactory.create(club=evening.club)
        guest = Member.objects.get(number=1)
        Member.objects.filter(pk=guest.pk).update(kind="guest")
        guest.refresh_from_db()
        guest_merge(guest=guest, member=member, actor=TESTS)
        assert not Member.objects.filter(pk=guest.pk).exists()
        assert Registration.objects.filter(member=member).count() == 1
        assert Placement.objects.filter(member=member).count() == 1
        assert Seat.objects.filter(member=member).count() == 1

    @pytest.mark.full
    def test_the_points_of_a_guest_go_along(self) -> None:
        evening = evening_with_draw(players=4, method="typed_in", rounds=1, deals_per_round=1)
        guest = Member.objects.get(number=1)
        Member.objects.filter(pk=guest.pk).update(kind="guest")
        write_deal(table(evening), 1)
        member = MemberFactory.create(club=evening.club)
        before = evening.revision
        guest_merge(guest=Member.objects.get(pk=guest.pk), member=member, actor=TESTS)
        totals = {row.member_id: row.total for row in evening_standings(evening)}
        assert totals[member.pk] == 90
        evening.refresh_from_db()
        assert evening.revision > before

    @pytest.mark.full
    def test_two_who_were_there_together_are_two_people(self) -> None:
        evening = EveningFactory.create()
        member = MemberFactory.create(club=evening.club)
        presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
        guest = guest_add(evening_id=evening.pk, name="Anna Łuczak", actor=TESTS).member
        with pytest.raises(DomainError) as caught:
            guest_merge(guest=guest, member=member, actor=TESTS)
        assert code_of(caught) == "merge_both_played"
        assert Registration.objects.count() == 2

    @pytest.mark.parametrize("who_came", ["guest", "member"])
    def test_a_tick_that_was_taken_back_stands_in_nobodys_way(self, who_came: str) -> None:
        evening = EveningFactory.create()
        member = MemberFactory.create(club=evening.club)
        guest = guest_add(evening_id=evening.pk, name="Anna Łuczak", actor=TESTS).member
        for who in (guest, member):
            is_here = who == (guest if who_came == "guest" else member)
            presence_set(evening_id=evening.pk, member=who, present=is_here, actor=TESTS)
        guest_merge(guest=guest, member=member, actor=TESTS)
        registration = Registration.objects.get()
        assert (registration.member, registration.present) == (member, True)

    @pytest.mark.full
    def test_who_left_early_was_there(self) -> None:
        evening = evening_with_draw(players=4, method="lottery", rounds=1)
        left = Member.objects.get(number=1)
        presence_set(evening_id=evening.pk, member=left, present=False, actor=TESTS)
        guest = guest_add(evening_id=evening.pk, name="Anna Łuczak", actor=TESTS).member
        with pytest.raises(DomainError) as caught:
            guest_merge(guest=guest, member=left, actor=TESTS)
        assert code_of(caught) == "merge_both_played"

    def test_only_a_guest_of_this_club_can_be_merged(self) -> None:
        member = MemberFactory.create()
        guest = MemberFactory.create(club=member.club, kind="guest")
        stranger = MemberFactory.create(kind="guest")
        for who, into, code in (
            (member, guest, "merge_not_a_guest"),
            (guest, guest, "merge_same"),
            (stranger, member, "merge_same"),
        ):
            with pytest.raises(DomainError) as caught:
                guest_merge(guest=who, member=into, actor=TESTS)
            assert code_of(caught) == code

    @pytest.mark.full
    def test_a_guest_is_merged_once(self) -> None:
        member = MemberFactory.create()
        guest = MemberFactory.create(club=member.club, kind="guest")
        stale = Member.objects.get(pk=guest.pk)
        guest_merge(guest=guest, member=member, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            guest_merge(guest=stale, member=member, actor=TESTS)
        assert code_of(caught) == "guest_gone"


class TestMatching:
    @pytest.mark.both
    def test_by_words_of_the_name_or_by_number(self) -> None:
        club = ClubFactory.create()
        for name in ("Jan van der Meer", "Anna Łuczak", "Janna Bos"):
            MemberFactory.create(club=club, name=name)
        found = {
            text: [member.name for member in Member.objects.of(club).matching(text).by_surname()]
            for text in ("jan", "meer jan", "luczak", "ŁUCZAK", "3", "9" * 30, "")
        }
        assert found == {
            "jan": ["Janna Bos", "Jan van der Meer"],
            "meer jan": ["Jan van der Meer"],
            "luczak": ["Anna Łuczak"],
            "ŁUCZAK": ["Anna Łuczak"],
            "3": ["Janna Bos"],
            "9" * 30: [],
            "": ["Janna Bos", "Anna Łuczak", "Jan van der Meer"],
        }
