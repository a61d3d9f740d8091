import pytest

from clubs.errors import DomainError
from scoring.models import Regulation
from scoring.services import regulation_from_preset, regulation_save
from tests.factories import TESTS, ClubFactory

pytestmark = pytest.mark.django_db


def test_a_change_makes_a_new_version_and_no_change_does_not() -> None:
    club = ClubFactory.create()
    first = regulation_save(club=club, name="Ons huis", settings={"four_jacks": 100}, actor=TESTS)
    same = regulation_save(club=club, name="Ons huis", settings={"four_jacks": 100}, actor=TESTS)
    second = regulation_save(club=club, name=" Ons  huis", settings={"nat": False}, actor=TESTS)
    assert same == first
    assert (first.version, second.version, second.name) == (1, 2, "Ons huis")
    assert list(Regulation.objects.current()) == [second]
    assert (first.rules.four_jacks, second.rules.four_jacks, second.rules.nat) == (100, 200, False)


def test_what_is_wrong_with_the_settings_is_told_at_once() -> None:
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
        regulation_save(club=club, name=preset.name, settings={"four_jacks": 100}, actor=TESTS)
        assert regulation_from_preset(club=club, preset="amsterdam", actor=TESTS) == preset

    def test_there_must_be_such_a_preset(self) -> None:
        with pytest.raises(DomainError) as caught:
            regulation_from_preset(club=ClubFactory.create(), preset="groningen", actor=TESTS)
        assert caught.value.code == "bad_regulation"
