"""EntryFees, cups and wordings when several people write at the same moment, on either database."""

import datetime as dt
from functools import partial

import pytest

from clubs.audit.services import chain_faults
from clubs.models import AuditEvent, Club, Member
from tests.concurrency import at_once, outcomes
from tests.factories import TESTS, ClubFactory, evening_with_draw
from tournaments.models import ClubText, Cup, CupWin, Evening
from tournaments.prizes.given import cup_add, cup_win_add
from tournaments.publicity.wordings import wording_save
from tournaments.registration.entry_fees import entry_fee_list, entry_fee_pay

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    return evening_with_draw(club=club, players=4, started=False)


def test_at_two_doors_a_stake_is_paid_once(club: Club, evening: Evening) -> None:
    jan = Member.objects.get(number=1)
    pays = partial(entry_fee_pay, evening_id=evening.pk, member=jan, cents=250, actor=TESTS)
    assert outcomes(at_once([pays] * 4)) == {"ok": 4}
    assert entry_fee_list(evening).pot == 250
    assert AuditEvent.objects.filter(action="stake_paid").count() == 1
    assert chain_faults(Club.objects.get()) == ()


def test_who_pay_at_the_same_moment_are_all_in_the_pot(club: Club, evening: Evening) -> None:
    people = list(Member.objects.order_by("number"))
    acts = [
        partial(entry_fee_pay, evening_id=evening.pk, member=member, cents=250, actor=TESTS)
        for member in people
    ]
    assert outcomes(at_once(acts)) == {"ok": 4}
    assert entry_fee_list(evening).pot == 1000


def test_a_cup_is_added_once(club: Club) -> None:
    adds = partial(cup_add, club=club, name="De Zilveren Klaver", actor=TESTS)
    assert outcomes(at_once([adds] * 3)) == {"ok": 1, "cup_exists": 2}
    assert Cup.objects.count() == 1


def test_a_cup_that_is_kept_goes_to_nobody_else(club: Club, evening: Evening) -> None:
    cup = cup_add(club=club, name="De Zilveren Klaver", wins_to_keep=1, actor=TESTS)
    wins = [
        partial(cup_win_add, cup=cup, member=member, won_on=dt.date(2026, 6, 1), actor=TESTS)
        for member in Member.objects.order_by("number")
    ]
    assert outcomes(at_once(wins)) == {"ok": 1, "cup_kept": 3}
    assert CupWin.objects.count() == 1


def test_of_two_wordings_one_is_saved(club: Club) -> None:
    save = partial(
        wording_save,
        club=club,
        kind="message",
        language="nl",
        seen_version=0,
        actor=TESTS,
    )
    acts = [partial(save, wording=text) for text in ("Een", "Twee", "Drie")]
    assert outcomes(at_once(acts)) == {"ok": 1, "wording_changed": 2}
    assert ClubText.objects.count() == 1
