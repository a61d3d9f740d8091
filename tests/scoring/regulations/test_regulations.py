import pytest

from clubs.models import AuditEvent, Club
from clubs.text.errors import DomainError, VersionConflict
from scoring.models import Regulation
from scoring.regulations.services import regulation_add, regulation_from_preset, regulation_save
from scoring.rules import PRESETS
from scoring.sheets.services import sheets_create
from tests.factories import TESTS, ClubFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    return club


def use(regulation: Regulation) -> None:
    """Make a sheet under it."""
    sheets_create(club=regulation.club, regulation=regulation, deals=4, seatings=[{}])


class TestChanging:
    @pytest.mark.both
    def test_a_used_regulation_stays_and_the_change_is_a_new_version(self, club: Club) -> None:
        first = regulation_save(
            club=club, name="Ons huis", settings={"four_jacks": 100}, actor=TESTS
        )
        use(first)
        second = regulation_save(club=club, name=" Ons  huis", settings={"nat": False}, actor=TESTS)
        assert (first.version, second.version, second.name) == (1, 2, "Ons huis")
        assert list(Regulation.objects.current()) == [second]
        first.refresh_from_db()
        assert (first.rules.four_jacks, first.rules.nat) == (100, True)
        assert (second.rules.four_jacks, second.rules.nat) == (200, False)

    def test_an_unused_regulation_is_changed_itself(self, club: Club) -> None:
        first = regulation_save(club=club, name="Ons huis", settings={"nat": False}, actor=TESTS)
        use(first)
        second = regulation_save(club=club, name="Ons huis", settings={}, actor=TESTS)
        third = regulation_save(club=club, name="Ons huis", settings={"four_jacks": 0}, actor=TESTS)
        assert (third.pk, third.version) == (second.pk, 2)
        assert Regulation.objects.get(pk=second.pk).rules.four_jacks == 0
        assert AuditEvent.objects.filter(action="regulation_saved").count() == 3

    def test_no_change_writes_nothing(self, club: Club) -> None:
        first = regulation_save(club=club, name="Ons huis", settings={"nat": False}, actor=TESTS)
        use(first)
        assert (
            regulation_save(club=club, name="Ons huis", settings={"nat": False}, actor=TESTS)
            == first
        )
        assert Regulation.objects.count() == 1
        assert AuditEvent.objects.filter(action="regulation_saved").count() == 1

    def test_who_saw_something_else_is_told_what_stands(self, club: Club) -> None:
        stands = regulation_save(club=club, name="Ons huis", settings={"nat": False}, actor=TESTS)
        with pytest.raises(VersionConflict) as caught:
            regulation_save(
                club=club, name="Ons huis", settings={"four_jacks": 0}, seen={}, actor=TESTS
            )
        assert caught.value.code == "regulation_changed"
        assert caught.value.params["current"] == stands
        assert Regulation.objects.get().rules.nat is False

    def test_who_saw_what_stands_may_change_it(self, club: Club) -> None:
        regulation_save(club=club, name="Ons huis", settings={"nat": False}, actor=TESTS)
        changed = regulation_save(
            club=club, name="Ons huis", settings={}, seen={"nat": False}, actor=TESTS
        )
        assert (changed.version, changed.rules.nat) == (1, True)


class TestAdding:
    def test_it_starts_as_the_preset(self, club: Club) -> None:
        added = regulation_add(club=club, name="Ons huis", preset="rotterdam", actor=TESTS)
        assert (added.version, added.rules) == (1, PRESETS["rotterdam"])

    def test_a_name_is_used_once(self, club: Club) -> None:
        regulation_add(club=club, name="Ons huis", preset="rotterdam", actor=TESTS)
        regulation_add(club=ClubFactory.create(), name="Ons huis", preset="utrecht", actor=TESTS)
        with pytest.raises(DomainError) as caught:
            regulation_add(club=club, name="ONS huis", preset="amsterdam", actor=TESTS)
        assert caught.value.code == "name_taken"
        assert Regulation.objects.filter(club=club).count() == 1


def test_what_is_wrong_with_the_settings_is_reported_at_once() -> None:
    with pytest.raises(DomainError) as caught:
        regulation_save(
            club=ClubFactory.create(), name="x", settings={"nat": 3, "boer": 1}, actor=TESTS
        )
    assert caught.value.code == "bad_regulation"
    faults = caught.value.params["faults"]
    assert isinstance(faults, list)
    assert len(faults) == 2
    assert not Regulation.objects.exists()


@pytest.mark.parametrize(("name", "code"), [("  ", "name_missing"), ("x" * 61, "name_too_long")])
def test_a_regulation_has_a_name(name: str, code: str) -> None:
    with pytest.raises(DomainError) as caught:
        regulation_save(club=ClubFactory.create(), name=name, settings={}, actor=TESTS)
    assert caught.value.code == code


class TestFromPreset:
    def test_is_made_once(self) -> None:
        club = ClubFactory.create()
        one = regulation_from_preset(club=club, preset="rotterdam", actor=TESTS)
        other = regulation_from_preset(club=club, preset="rotterdam", actor=TESTS)
        assert one == other
        assert (one.name, one.rules.must_trump) == ("Rotterdams", "rotterdam")

    def test_leaves_the_clubs_own_regulation_of_that_name_alone(self) -> None:
        club = ClubFactory.create()
        own = regulation_save(
            club=club, name="Amsterdams", settings={"four_jacks": 100}, actor=TESTS
        )
        preset = regulation_from_preset(club=club, preset="amsterdam", actor=TESTS)
        assert (preset.name, preset.rules.four_jacks) == ("Amsterdams (amsterdam)", 200)
        assert set(Regulation.objects.current()) == {own, preset}
        assert regulation_from_preset(club=club, preset="amsterdam", actor=TESTS) == preset

    def test_finds_the_version_that_is_the_preset(self) -> None:
        club = ClubFactory.create()
        preset = regulation_from_preset(club=club, preset="amsterdam", actor=TESTS)
        use(preset)
        regulation_save(club=club, name=preset.name, settings={"four_jacks": 100}, actor=TESTS)
        assert regulation_from_preset(club=club, preset="amsterdam", actor=TESTS) == preset

    def test_there_must_be_such_a_preset(self) -> None:
        with pytest.raises(DomainError) as caught:
            regulation_from_preset(club=ClubFactory.create(), preset="groningen", actor=TESTS)
        assert caught.value.code == "bad_regulation"
