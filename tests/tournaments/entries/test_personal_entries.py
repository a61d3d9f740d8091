"""What becomes of entries when somebody is erased, or turns out to be a member."""

import pytest

from clubs.merges.services import guest_merge, merge_undo
from clubs.privacy.dossier import dossier_of
from clubs.privacy.erasing import member_erase
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.entries import enter, on_list, open_entries
from tournaments.models import Entry, EntryPerson, Evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    return EveningFactory.create(club=ClubFactory.create())


def test_somebody_who_is_erased_is_off_the_list_and_the_first_who_waits_is_in(
    evening: Evening,
) -> None:
    jan = MemberFactory.create(club=evening.club, name="Jan Bakker")
    open_entries(evening, maximum=1)
    enter(evening, "Jan Bakker", email="jan@example.org", town="Edam")
    enter(evening, "Mia Kok")
    (kept,) = [part for part in dossier_of(jan) if part.key == "entries"]
    assert [list(row) for row in kept.rows] == [
        [evening.slug, 1, "Jan Bakker", "op de lijst", "Edam", "jan@example.org", "", "", "nee"]
    ]
    member_erase(member=jan, actor=TESTS)
    assert on_list(evening, "entered") == ["Mia Kok"]
    assert not EntryPerson.objects.filter(name="Jan Bakker").exists()


@pytest.mark.full
def test_a_partner_stays_without_the_contact_details(evening: Evening) -> None:
    jan = MemberFactory.create(club=evening.club, name="Jan Bakker")
    open_entries(evening, kind="pair")
    enter(evening, "Jan Bakker", "Mia Kok", email="jan@example.org")
    member_erase(member=jan, actor=TESTS)
    entry = Entry.objects.get()
    assert (entry.email, entry.people.get().name) == ("", "Mia Kok")


def test_a_guest_who_is_a_member_keeps_one_entry_and_an_undo_gives_it_back(
    evening: Evening,
) -> None:
    guest = MemberFactory.create(club=evening.club, name="J. Bakker", kind="guest")
    member = MemberFactory.create(club=evening.club, name="Jan Bakker")
    first, second = enter(evening, "J. Bakker"), enter(evening, "Jan Bakker")
    other = EveningFactory.create(club=evening.club)
    alone = enter(other, "J. Bakker")
    merge = guest_merge(guest=guest, member=member, actor=TESTS)
    entries = (first, second, alone)
    assert [entry.people.get().member for entry in entries] == [None, member, member]
    merge_undo(merge=merge, actor=TESTS)
    names = [getattr(entry.people.get().member, "name", None) for entry in entries]
    assert names == ["J. Bakker", "Jan Bakker", "J. Bakker"]
