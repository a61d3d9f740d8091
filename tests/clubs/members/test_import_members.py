"""`import_members` and `create_club`, as contract.md section 3 has them."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from clubs.members.services import member_activate
from clubs.models import AuditEvent, Club, Member, Role, User
from tests.factories import TESTS, ClubFactory, MemberFactory, UserFactory, organiser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def import_list(club: Club, tmp_path: Path) -> "Importer":
    return Importer(club, tmp_path / "list.csv")


class Importer:
    """Runs the command on a text and gives back what it printed."""

    def __init__(self, club: Club, path: Path) -> None:
        self.club, self.path = club, path

    def __call__(self, text: str) -> str:
        self.path.write_text(text)
        out = StringIO()
        call_command("import_members", str(self.path), club=self.club.slug, stdout=out)
        return out.getvalue()

    def faults(self, text: str) -> list[str]:
        """The faulty lines; whoever was a member still is, and nobody else."""
        before = people(self.club)
        with pytest.raises(CommandError) as caught:
            self(text)
        assert people(self.club) == before
        return str(caught.value).splitlines()[1:]


def people(club: Club) -> list[tuple[int | None, str, str, str, str]]:
    members = Member.objects.of(club).by_surname()
    return list(members.values_list("number", "name", "email", "phone", "kind"))


@pytest.mark.both
def test_a_list_with_dutch_headings_becomes_members(club: Club, import_list: Importer) -> None:
    printed = import_list(
        "Nummer;Naam;E-mail;Telefoon;Geboren\n"
        "12;Jan  van der Meer;jan@example.org;06-12345678;1941\n"
        ";Mia Łuczak;;;\n"
    )
    assert printed == "De Vrolijke Boer: 2 added, 0 changed, 0 unchanged\n"
    assert people(club) == [
        (None, "Mia Łuczak", "", "", "member"),
        (12, "Jan van der Meer", "jan@example.org", "06-12345678", "member"),
    ]


def test_the_same_list_again_changes_nothing(club: Club, import_list: Importer) -> None:
    text = "number,name\n1,Jan Bos\n2,Jan Bos\n,Mia Kok\n"
    import_list(text)
    before, events = people(club), AuditEvent.objects.count()
    assert import_list(text) == "De Vrolijke Boer: 0 added, 0 changed, 3 unchanged\n"
    assert people(club) == before
    assert AuditEvent.objects.count() == events


def test_a_number_says_who_it_is_and_empty_cells_change_nothing(
    club: Club, import_list: Importer
) -> None:
    MemberFactory.create(
        club=club,
        number=7,
        name="Jan Bos",
        public_name="Jan B.",
        email="jan@example.org",
        keeps_table=True,
    )
    assert import_list("number,name,email,phone\n7,,,0201234567\n").endswith(
        "1 changed, 0 unchanged\n"
    )
    assert people(club) == [(7, "Jan Bos", "jan@example.org", "0201234567", "member")]
    member = Member.objects.get()
    assert (member.public_name, member.keeps_table) == ("Jan B.", True)
    import_list("number,name\n7,Jan Bosch\n")
    assert people(club) == [(7, "Jan Bosch", "jan@example.org", "0201234567", "member")]


def test_a_name_says_who_it_is_without_regard_to_case_and_spaces(
    club: Club, import_list: Importer
) -> None:
    MemberFactory.create(club=club, number=7, name="Jan Bos")
    import_list("name,phone\n  jan   BOS ,123\n")
    assert people(club) == [(7, "jan BOS", "", "123", "member")]


def test_somebody_without_a_number_gets_the_one_in_the_list(
    club: Club, import_list: Importer
) -> None:
    MemberFactory.create(club=club, number=None, name="Jan Bos")
    import_list("number,name\n9,Jan Bos\n")
    assert people(club) == [(9, "Jan Bos", "", "", "member")]


def test_another_number_is_another_person(club: Club, import_list: Importer) -> None:
    MemberFactory.create(club=club, number=1, name="Jan Bos")
    import_list("number,name\n2,Jan Bos\n")
    assert people(club) == [(1, "Jan Bos", "", "", "member"), (2, "Jan Bos", "", "", "member")]


def test_a_guest_in_the_list_becomes_a_member(club: Club, import_list: Importer) -> None:
    MemberFactory.create(club=club, name="Jan Bos", kind=Member.Kind.GUEST)
    import_list("name\nJan Bos\n")
    assert people(club) == [(None, "Jan Bos", "", "", "member")]


def test_who_was_taken_off_the_list_stays_off(club: Club, import_list: Importer) -> None:
    member = MemberFactory.create(club=club, number=1, name="Jan Bos")
    member_activate(member=member, active=False, actor=TESTS)
    import_list("number,name,phone\n1,Jan Bos,123\n")
    assert not Member.objects.get().is_active


def test_another_club_has_its_own_people(club: Club, import_list: Importer) -> None:
    elsewhere = MemberFactory.create(number=1, name="Jan Bos")
    import_list("number,name\n1,Mia Kok\n")
    elsewhere.refresh_from_db()
    assert elsewhere.name == "Jan Bos"


@pytest.mark.both
def test_every_faulty_line_is_named_and_nothing_written(club: Club, import_list: Importer) -> None:
    MemberFactory.create(club=club, number=1, name="Jan Bos")
    MemberFactory.create(club=club, number=2, name="Jan Bos")
    text = (
        "nummer,naam,e-mail\n"
        "3,Mia Kok,mia@example.org\n"
        "abc,Piet Smit,\n"
        "4,Truus Dekker,no address\n"
        "5,,\n"
        ",Jan Bos,\n"
        "3,Kees Mol,\n"
        ",Mia Kok,\n"
        "0,Wim Mol,\n"
    )
    assert import_list.faults(text) == [
        "line 3: nummer: 'abc' is not a whole number",
        "line 4: e-mail: Enter a valid email address.",
        "line 5: naam: fill in a name",
        "line 6: naam: more than one person has this name; add the number",
        "line 7: line 2 is about the same person",
        "line 8: line 2 is about the same person",
        "line 9: nummer: Ensure this value is greater than or equal to 1.",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("name\n" + "x" * 101 + "\n", "line 2: name: Ensure this value has at most 100"),
        ("number\n1\n", "line 1: name: there is no column with this heading, only: number"),
        ("name\nJan\nJAN\n", "line 3: line 2 is about the same person"),
        ("number,name\n,Jan\n5,Jan\n", "line 3: line 2 is about the same person"),
        ("number,name\n5,Jan\n,Jan\n", "line 3: line 2 is about the same person"),
    ],
)
def test_one_faulty_line(import_list: Importer, text: str, fault: str) -> None:
    (named,) = import_list.faults(text)
    assert named.startswith(fault)


def test_a_club_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no club 'nowhere'"):
        call_command("import_members", str(tmp_path / "x.csv"), club="nowhere")


def test_a_new_club_has_an_organiser_who_sets_a_password(client: Client) -> None:
    out = StringIO()
    call_command("create_club", "de-boer", name="De Boer", organiser="Ans@Example.org", stdout=out)
    role = Role.objects.get()
    assert (role.club.slug, role.club.name, role.kind) == ("de-boer", "De Boer", "organiser")
    assert not role.user.has_usable_password()
    link = re.search(r"http://[^/]+(/password/set/\S+)", out.getvalue())
    assert link is not None
    assert client.get(link[1], follow=True).status_code == 200


def test_a_slug_is_taken_once_and_a_bad_address_makes_no_club() -> None:
    ClubFactory.create(slug="de-boer")
    with pytest.raises(CommandError, match="de-boer"):
        call_command("create_club", "de-boer", name="De Boer")
    for slug, email in [("new", "no address"), ("NOT A SLUG", "ans@example.org")]:
        with pytest.raises(CommandError):
            call_command("create_club", slug, name="New", organiser=email)
    assert [club.slug for club in Club.objects.all()] == ["de-boer"]


def test_who_logs_in_already_keeps_the_password(client: Client) -> None:
    user = UserFactory.create(email="ans@example.org")
    client.force_login(user)
    out = StringIO()
    call_command("create_club", "b", name="B", organiser="ANS@example.org", stdout=out)
    assert "logt in met het wachtwoord van tot nu toe" in out.getvalue()
    assert "/password/set/" not in out.getvalue()
    assert "bekend van" not in out.getvalue()


def test_where_a_login_is_known_from_is_said(client: Client) -> None:
    """Any organiser can make a login for an address that is not his."""
    client.force_login(organiser_of(ClubFactory.create(name="De Boer")))
    out = StringIO()
    email = User.objects.get().email
    call_command("create_club", "b", name="B", organiser=email, stdout=out)
    assert "Dat account is bekend van De Boer: ga na van wie het is." in out.getvalue()
