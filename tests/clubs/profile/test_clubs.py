import pytest

from clubs.models import AuditEvent, Club, Role, User
from clubs.profile.services import club_create, role_grant, role_revoke
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, director_of, organiser_of

pytestmark = pytest.mark.django_db


class TestClubCreate:
    def test_starts_a_trail(self) -> None:
        club = club_create(slug="de-boer", name=" De Boer ", actor=TESTS)
        assert (club.name, club.slug, club.language) == ("De Boer", "de-boer", "nl")
        assert AuditEvent.objects.get(chain=club.chain_name).action == "club_created"

    @pytest.mark.parametrize(
        ("slug", "name", "code"),
        [
            ("vrolijke-boer", "x", "slug_taken"),
            ("De Boer", "x", "bad_club"),
            ("-boer", "x", "bad_club"),
            ("boer\n", "x", "bad_club"),
            ("boer", " ", "bad_club"),
            ("boer", "x" * 101, "bad_club"),
        ],
    )
    def test_is_refused(self, slug: str, name: str, code: str) -> None:
        ClubFactory.create()
        with pytest.raises(DomainError) as caught:
            club_create(slug=slug, name=name, actor=TESTS)
        assert caught.value.code == code
        assert Club.objects.count() == 1


class TestRoles:
    @pytest.mark.both
    def test_a_role_makes_a_login_where_there_is_none(self) -> None:
        club = ClubFactory.create()
        role = role_grant(club=club, email=" Riet@Example.org ", kind="director", actor=TESTS)
        assert role.user.email == "Riet@example.org"
        assert not role.user.has_usable_password()
        again = role_grant(club=club, email="riet@example.org", kind="organiser", actor=TESTS)
        assert (again.pk, again.kind, User.objects.count()) == (role.pk, "organiser", 1)

    @pytest.mark.parametrize(
        ("email", "kind", "code"),
        [("riet", "director", "bad_email"), ("riet@example.org", "king", "bad_role")],
    )
    def test_is_refused(self, email: str, kind: str, code: str) -> None:
        with pytest.raises(DomainError) as caught:
            role_grant(club=ClubFactory.create(), email=email, kind=kind, actor=TESTS)
        assert caught.value.code == code
        assert not User.objects.exists()

    def test_the_last_organiser_stays_one(self) -> None:
        club = ClubFactory.create()
        organiser = organiser_of(club)
        director_of(club)
        role = Role.objects.get(user=organiser)
        with pytest.raises(DomainError) as caught:
            role_revoke(role=role, actor=TESTS)
        assert caught.value.code == "last_organiser"
        with pytest.raises(DomainError) as caught:
            role_grant(club=club, email=organiser.email, kind="director", actor=TESTS)
        assert caught.value.code == "last_organiser"

    def test_one_of_two_organisers_may_go(self) -> None:
        club = ClubFactory.create()
        organisers = [organiser_of(club), organiser_of(club)]
        role_revoke(role=Role.objects.get(user=organisers[0]), actor=TESTS)
        assert [role.user for role in Role.objects.filter(club=club)] == [organisers[1]]

    def test_organising_elsewhere_does_not_count(self) -> None:
        club = ClubFactory.create()
        organiser = organiser_of(club)
        role_grant(club=ClubFactory.create(), email=organiser.email, kind="organiser", actor=TESTS)
        with pytest.raises(DomainError):
            role_revoke(role=Role.objects.get(user=organiser, club=club), actor=TESTS)
