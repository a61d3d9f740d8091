"""Somebody is erased while others write: two real connections at the same moment."""

import uuid

import pytest
from django.core.management import call_command

from clubs.members.services import member_change
from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from scoring.deals.services import deal_write
from scoring.models import DealEntry
from tests.concurrency import at_once, outcomes
from tests.factories import TESTS, ClubFactory, MemberFactory, evening_with_draw, table, write_deal
from tests.tournaments.public_pages import close_evening
from tournaments.models import Evening

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    return club


def test_twice_at_once_is_once(club: Club) -> None:
    jan = MemberFactory.create(club=club)
    answers = at_once([lambda: member_erase(member=jan, actor=TESTS)] * 2)
    assert outcomes(answers) == {"ok": 1, "member_erased": 1}
    assert Member.objects.get().name == "Oud-lid 1"


def test_a_change_of_his_details_does_not_bring_them_back(club: Club) -> None:
    jan = MemberFactory.create(club=club)

    def change() -> Member:
        return member_change(
            member=jan,
            seen_version=1,
            name="Jan Bakker",
            number=1,
            kind="member",
            phone="0612345678",
            actor=TESTS,
        )

    at_once([change, lambda: member_erase(member=jan, actor=TESTS)])
    left = Member.objects.get()
    assert (left.name, left.phone, left.number) == ("Oud-lid 1", "", None)


def test_a_correction_at_his_table_is_not_lost(club: Club) -> None:
    """Whichever comes first, both are there, and every trail verifies."""
    evening = evening_with_draw(club=club, players=4, rounds=1, deals_per_round=2)
    write_deal(table(evening), 1, points={"NS": 100})
    close_evening_with_remark(evening_id=evening.pk)
    sheet = table(evening).sheet

    def correct() -> DealEntry:
        return deal_write(
            sheet_id=sheet.pk,
            number=1,
            seen_version=3,
            uuid=uuid.uuid4(),
            written={"declarer": "NS", "trump": "H", "points": {"NS": 120}},
            actor=TESTS,
            reason="nageteld",
            closed_too=True,
        )

    jan = Member.objects.get(number=1)
    answers = at_once([correct, lambda: member_erase(member=jan, actor=TESTS)])
    assert outcomes(answers) == {"ok": 2}
    reasons = DealEntry.objects.filter(deal__number=1).order_by("revision")
    *before, last = reasons.values_list("reason", flat=True)
    assert (before, last in ("", "nageteld")) == (["", "", ""], True)
    call_command("verify")


def close_evening_with_remark(*, evening_id: int) -> None:
    """A correction says that Jan counted wrong; then the evening is closed, which writes deal 1
    once more."""
    evening = Evening.objects.get(pk=evening_id)
    deal_write(
        sheet_id=table(evening).sheet_id,
        number=1,
        seen_version=1,
        uuid=uuid.uuid4(),
        written={"declarer": "NS", "trump": "H", "points": {"NS": 101}},
        actor=TESTS,
        reason="Jan telde verkeerd",
    )
    close_evening(evening)
