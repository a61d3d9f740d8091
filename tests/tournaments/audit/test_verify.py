"""What somebody with the database may change of evenings, and `verify` notices."""

from collections.abc import Callable

import pytest
from django.db.models import QuerySet

from clubs.audit.guards import triggers_install
from clubs.merges.services import guest_merge, merge_undo
from clubs.models import AuditEvent, AuditText, Club, Member
from clubs.privacy.erasing import member_erase
from scoring.models import Deal, DealEntry, Scoresheet, Seat
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.made_once import evening_made_once
from tests.scoring.audit.test_verify import verify
from tests.tampering import triggers_lift
from tournaments.closing.services import evening_close, evening_reopen
from tournaments.models import Evening, EveningSummary, Release, Round, Table
from tournaments.models.season import EntryFees
from tournaments.registration.entry_fees import entry_fee_pay, entry_fees_set
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

EVENING = "evening vrolijke-boer 2026-11-21"
SOUND = "every trail are as they were written."


@pytest.fixture
def evening() -> Evening:
    """A closed evening of eight people, among them a guest, at two tables."""
    club = ClubFactory.create()
    return evening_made_once("closed, with a guest", lambda: _closed(club))


def _closed(club: Club) -> Evening:
    MemberFactory.create_batch(7, club=club)
    guest = MemberFactory.create(club=club, name="Gijs Gast", kind=Member.Kind.GUEST, number=8)
    evening = evening_with_draw(club=club, players=8, rounds=1, deals_per_round=4)
    entry_fees_set(evening_id=evening.pk, fees=EntryFees(stake_member=300), actor=TESTS)
    entry_fee_pay(evening_id=evening.pk, member=guest, cents=300, actor=TESTS)
    for place in (1, 2):
        for number in range(1, 5):
            write_deal(table(evening, place), number)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS, reason="zoals het was")
    return Evening.objects.get(pk=evening.pk)


def member(number: int) -> Member:
    return Member.objects.get(number=number)


def names_swapped(release: Release) -> None:
    one, two = release.standings[:2]
    one["name"], two["name"] = two["name"], one["name"]
    one["shown_name"], two["shown_name"] = two["shown_name"], one["shown_name"]
    release.save()


def members_swapped(release: Release) -> None:
    """As in a club that moved: the hash of the figures is about the ids of then."""
    one, two = release.standings[:2]
    one["published_as"], two["published_as"] = one["member"], two["member"]
    one["member"], two["member"] = two["member"], one["member"]
    release.save()


def unsalted(release: Release) -> None:
    release.standings[0]["name"] = "Iemand Anders"
    release.salts[0][0] = ""
    release.save()


def seats_swapped(sheet: Scoresheet) -> None:
    north, east = (sheet.seats.get(seat=seat) for seat in "NE")
    for seat, other in ((north, east), (east, north)):
        Seat.objects.filter(pk=seat.pk).update(member=other.member_id)
    EveningSummary.objects.all().delete()


def sheet_gone(sheet: Scoresheet) -> None:
    Table.objects.filter(sheet=sheet).update(
        sheet=Scoresheet.objects.create(club=sheet.club, regulation=sheet.regulation)
    )
    rows_gone(Scoresheet.objects.filter(pk=sheet.pk))


def rows_gone(sheets: QuerySet[Scoresheet]) -> None:
    Deal.objects.filter(sheet__in=sheets).update(current=None)
    DealEntry.objects.filter(deal__sheet__in=sheets).delete()
    for sheet in list(sheets):
        AuditText.objects.filter(event__chain=sheet.chain_name).delete()
        AuditEvent.objects.filter(chain=sheet.chain_name).delete()
        sheet.delete()


def evening_gone(evening: Evening) -> None:
    """With all its sheets, entries and chains, as if it never was."""
    sheets = Scoresheet.objects.filter(table__round__evening=evening)
    ids = list(sheets.values_list("pk", flat=True))
    Round.objects.filter(evening=evening).delete()
    rows_gone(Scoresheet.objects.filter(pk__in=ids))
    evening.delete()


def chain_shortened(sheet: Scoresheet) -> None:
    """The last deal of a sheet never written."""
    last = AuditEvent.objects.get(chain=sheet.chain_name, number=sheet.chain_length)
    AuditText.objects.filter(event=last).delete()
    last.delete()
    before = AuditEvent.objects.get(chain=sheet.chain_name, number=sheet.chain_length - 1)
    Scoresheet.objects.filter(pk=sheet.pk).update(
        chain_length=before.number, chain_head=before.hash
    )


RELEASE = f"{EVENING}: what was published as number 1 was changed"
Act = Callable[[Evening], object]
TAMPERED: dict[str, tuple[str, Act]] = {
    "names": (RELEASE, lambda evening: names_swapped(evening.releases.get())),
    "no salt": (RELEASE, lambda evening: unsalted(evening.releases.get())),
    "members": (RELEASE, lambda evening: members_swapped(evening.releases.get())),
    "seal": (RELEASE, lambda evening: evening.releases.update(seal="0" * 64)),
    "time": (RELEASE, lambda evening: evening.releases.update(published_at="2026-11-20T20:00Z")),
    "reason": (RELEASE, lambda evening: evening.releases.update(reason="een foutje")),
    "no release": (
        f"{EVENING}: what was published as number 1 is missing",
        lambda evening: evening.releases.all().delete(),
    ),
    "a release too many": (
        f"{EVENING}: what is stored as number 2 was never published",
        lambda evening: Release.objects.create(evening=evening, number=2, standings=[]),
    ),
    "seal of a round": (
        f"{EVENING}: the seal of round 1 was changed",
        lambda evening: evening.rounds.update(seal="0" * 64),
    ),
    "presence": (
        f"{EVENING}: who was there, or who paid, was changed",
        lambda evening: evening.registrations.filter(member=member(3)).update(present=False),
    ),
    "not on the list": (
        f"{EVENING}: who was there, or who paid, was changed",
        lambda evening: evening.registrations.filter(member=member(3)).delete(),
    ),
    "paid": (
        f"{EVENING}: who was there, or who paid, was changed",
        lambda evening: evening.registrations.filter(member=member(3)).update(paid=300),
    ),
    "stakes": (
        f"{EVENING}: the entry fee was changed",
        lambda evening: Evening.objects.update(stake_member=500),
    ),
    "state": (
        f"{EVENING}: it is no longer closed",
        lambda evening: Evening.objects.update(state="running"),
    ),
    "seats": (
        f"{EVENING}: who sat where was changed",
        lambda evening: seats_swapped(table(evening).sheet),
    ),
    "sheet": (
        f"{EVENING}: the sheet of round 1, table 1 is missing",
        lambda evening: sheet_gone(table(evening).sheet),
    ),
    "chain": (
        f"{EVENING}: the trails of its sheets are not as they were sealed by event 20",
        lambda evening: chain_shortened(table(evening).sheet),
    ),
    "evening": (f"{EVENING}: it is missing", evening_gone),
}


@pytest.mark.each_case
@pytest.mark.parametrize("kind", TAMPERED)
def test_what_was_changed_in_the_database_is_reported(evening: Evening, kind: str) -> None:
    assert verify()[-1].endswith(SOUND)
    fault, act = TAMPERED[kind]
    triggers_lift()
    act(evening)
    triggers_install()
    assert fault in verify()


@pytest.mark.both
def test_what_the_program_does_with_a_closed_evening_is_no_fault(evening: Evening) -> None:
    entry_fee_pay(evening_id=evening.pk, member=member(2), cents=300, actor=TESTS)
    entry_fee_pay(evening_id=evening.pk, member=member(8), cents=None, actor=TESTS)
    entry_fees_set(evening_id=evening.pk, fees=EntryFees(stake_guest=500), actor=TESTS)
    assert verify()[-1].endswith(SOUND)
    newcomer = MemberFactory.create(club=evening.club, name="Gijs de Gast")
    merge = guest_merge(guest=member(8), member=newcomer, actor=TESTS)
    assert verify()[-1].endswith(SOUND)
    merge_undo(merge=merge, actor=TESTS)
    assert verify()[-1].endswith(SOUND)
    member_erase(member=member(8), actor=TESTS)
    assert verify()[-1].endswith(SOUND)
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    assert verify()[-1].endswith(SOUND)
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert verify()[-1].endswith(SOUND)


def test_a_merged_guest_who_is_erased_leaves_no_fault(evening: Evening) -> None:
    newcomer = MemberFactory.create(club=evening.club, name="Gijs de Gast")
    guest_merge(guest=member(8), member=newcomer, actor=TESTS)
    member_erase(member=newcomer, actor=TESTS)
    assert verify()[-1].endswith(SOUND)
