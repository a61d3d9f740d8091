"""Members and team that somebody with the database changes without a word in the trail."""

import pytest

from clubs.members.services import member_activate, member_change
from clubs.models import Club, Member, Role
from clubs.privacy.erasing import member_erase
from clubs.profile.services import role_grant, role_revoke
from scoring.audit.verify import people_faults, team_faults
from tests.factories import TESTS, ClubFactory, MemberFactory, UserFactory

pytestmark = pytest.mark.django_db

ORGANISER, DIRECTOR = Role.Kind.ORGANISER, Role.Kind.DIRECTOR


@pytest.fixture
def jan() -> Member:
    return MemberFactory.create(name="Jan Bakker")


@pytest.mark.parametrize("change", [{"name": "Piet Bos"}, {"erased_at": "2026-11-21T12:00Z"}])
def test_a_member_who_was_changed_in_the_database(jan: Member, change: dict[str, object]) -> None:
    Member.objects.filter(pk=jan.pk).update(number=None, is_active=False, **change)
    fault = f"member vrolijke-boer {jan.pk}: the name is not as the trail has it"
    assert list(people_faults()) == [fault]


@pytest.mark.both
def test_what_the_program_does_with_members_is_no_fault(jan: Member) -> None:
    other = MemberFactory.create(club=jan.club)
    member_change(
        member=jan, seen_version=1, actor=TESTS, name="Jan  Bakker-Bos", number=9, kind="guest"
    )
    member_activate(member=other, active=False, actor=TESTS)
    member_erase(member=jan, actor=TESTS)
    assert list(people_faults()) == []


def club_with_team() -> Club:
    club = ClubFactory.create()
    role_grant(club=club, email="een@example.org", kind=ORGANISER, actor=TESTS)
    role_grant(club=club, email="twee@example.org", kind=ORGANISER, actor=TESTS)
    role = role_grant(club=club, email="twee@example.org", kind=DIRECTOR, actor=TESTS)
    role_revoke(
        role=role_grant(club=club, email="drie@example.org", kind=DIRECTOR, actor=TESTS),
        actor=TESTS,
    )
    assert role.user.email == "twee@example.org"
    assert list(team_faults()) == []
    return club


def test_a_stranger_made_organiser() -> None:
    club, stranger = club_with_team(), UserFactory.create()
    Role.objects.create(user=stranger, club=club, kind=ORGANISER)
    fault = f"the trail tells of no organiser {stranger.uuid}"
    assert list(team_faults(club)) == [f"team vrolijke-boer: {fault}"]


def test_a_director_made_organiser() -> None:
    club = club_with_team()
    director = Role.objects.select_related("user").get(kind=DIRECTOR)
    Role.objects.update(kind=ORGANISER)
    fault = f"the trail tells of no organiser {director.user.uuid}"
    assert list(team_faults(club)) == [f"team vrolijke-boer: {fault}"]


def test_an_organiser_taken_out() -> None:
    club = club_with_team()
    gone = Role.objects.select_related("user").get(kind=ORGANISER)
    gone.delete()
    fault = f"organiser {gone.user.uuid} is missing"
    assert list(team_faults(club)) == [f"team vrolijke-boer: {fault}"]
