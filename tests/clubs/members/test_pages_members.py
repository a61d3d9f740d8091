"""The members' pages: found, added, changed, taken off, merged."""

import datetime as dt
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.members.services import member_activate
from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from tests.factories import TESTS, ClubFactory, MemberFactory, evening_with_draw, organiser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(client: Client) -> Club:
    """A club whose organiser has logged in."""
    club: Club = ClubFactory.create()
    client.force_login(organiser_of(club))
    return club


def url(name: str, club: Club, *args: object) -> str:
    return reverse(name, args=[club.slug, *args])


def names(client: Client, club: Club, **query: str | int) -> list[str]:
    """The names on the list, in its order."""
    page = client.get(url("member_list", club), query).content.decode()
    return re.findall(r'<td ?><a href="[^"]*/members/\d+/">([^<]*)</a>', page)


def details(**changes: Any) -> dict[str, Any]:
    usual = {"kind": "member", "public_as": "name", "phone": "", "email": ""}
    return {"name": "Jan Bos", "number": "7"} | usual | changes


@pytest.mark.full
def test_the_list_is_in_the_order_of_the_telephone_book(client: Client, club: Club) -> None:
    for name in ["Anna Łuczak", "Jan van der Meer", "Piet Bakker", "Lies 't Hart", "Wim Mulder"]:
        MemberFactory.create(club=club, name=name)
    assert names(client, club) == [
        "Piet Bakker",
        "Lies 't Hart".replace("'", "&#x27;"),
        "Anna Łuczak",
        "Jan van der Meer",
        "Wim Mulder",
    ]
    assert names(client, club, sort="-name")[0] == "Wim Mulder"
    assert names(client, club, sort="number")[0] == "Anna Łuczak"


@pytest.mark.parametrize("people", [1, 3])
def test_the_list_takes_as_many_queries_for_one_as_for_three(
    client: Client, club: Club, people: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(people):
        MemberFactory.create(club=club)
    with django_assert_num_queries(7):
        assert len(names(client, club)) == people


def test_the_list_is_searched_and_narrowed(client: Client, club: Club) -> None:
    MemberFactory.create(club=club, name="Jan van der Meer", number=12)
    MemberFactory.create(club=club, name="Mia Kok", number=13)
    MemberFactory.create(club=club, name="Piet Gast", kind=Member.Kind.GUEST)
    gone = MemberFactory.create(club=club, name="Truus Weg", number=14)
    member_activate(member=gone, active=False, actor=TESTS)
    MemberFactory.create(club=ClubFactory.create(), name="Jan Elders")
    assert names(client, club) == ["Piet Gast", "Mia Kok", "Jan van der Meer"]
    assert names(client, club, q="MEER") == ["Jan van der Meer"]
    assert names(client, club, q="13") == ["Mia Kok"]
    assert names(client, club, q="zzz") == []
    assert names(client, club, show="guests") == ["Piet Gast"]
    assert names(client, club, show="inactive") == ["Truus Weg"]
    assert names(client, club, show="all", q="e") == ["Piet Gast", "Jan van der Meer", "Truus Weg"]


@pytest.mark.parametrize(
    "query",
    [{"q": "\0"}, {"q": "9" * 30}, {"show": "nonsense"}, {"page": "99"}, {"sort": "password"}],
)
def test_nonsense_in_the_address_breaks_nothing(
    client: Client, club: Club, query: dict[str, str]
) -> None:
    MemberFactory.create(club=club)
    assert client.get(url("member_list", club), query).status_code == 200


@pytest.mark.full
def test_fifty_on_a_page(client: Client, club: Club) -> None:
    for _number in range(51):
        MemberFactory.create(club=club)
    assert (len(names(client, club)), len(names(client, club, page=2))) == (50, 1)


def test_an_empty_list_says_what_to_do(client: Client, club: Club) -> None:
    page = client.get(url("member_list", club)).content.decode()
    assert "Er staat nog niemand op de lijst." in page


@pytest.mark.full
def test_somebody_is_added(client: Client, club: Club) -> None:
    response = client.post(url("member_add", club), details(name="  Jan   Bos "), follow=True)
    assert "Jan Bos staat op de lijst." in response.content.decode()
    assert list(club.members.values_list("name", "number", "kind")) == [("Jan Bos", 7, "member")]


@pytest.mark.full
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": " "}, "Vul dit in."),
        ({"number": "1"}, "Nummer 1 is al van Mia Kok."),
        ({"number": "0"}, "Zorg ervoor dat deze waarde minstens 1 is."),
        ({"number": "9999999999"}, "Zorg ervoor dat deze waarde hoogstens 999999999 is."),
        ({"email": "nee"}, "Voer een geldig e-mailadres in."),
        ({"name": "x" * 101}, "Zorg dat deze waarde"),
    ],
)
def test_what_is_wrong_is_reported_and_kept(
    client: Client, club: Club, changes: dict[str, str], message: str
) -> None:
    MemberFactory.create(club=club, name="Mia Kok", number=1)
    response = client.post(url("member_add", club), details(phone="0201234567", **changes))
    assert response.status_code == 422
    page = response.content.decode()
    assert message in page
    assert "Er is nog niets bewaard" in page
    assert 'value="0201234567"' in page
    assert club.members.count() == 1


def test_somebody_is_changed(client: Client, club: Club) -> None:
    member = MemberFactory.create(club=club, name="Jan Bos", number=7)
    assert 'value="1"' in client.get(url("member_edit", club, member.pk)).content.decode()
    client.post(
        url("member_edit", club, member.pk),
        details(name="Jan Bosch", public_name="Jan B.", version="1"),
    )
    member.refresh_from_db()
    assert (member.name, member.public_name, member.version) == ("Jan Bosch", "Jan B.", 2)


def test_an_address_and_a_birthday_are_folded_until_one_is_wrong(
    client: Client, club: Club
) -> None:
    typed = {
        "street": "Zeeweg 7",
        "postcode": "1135 AB",
        "town": "Edam",
        "birthday": "1951-04-30",
        "member_since": "1998-09-01",
        "addition": "sr.",
    }
    add = url("member_add", club)
    assert (
        re.findall(r"<details[^>]*>", client.get(add).content.decode())
        == ['<details class="fold">'] * 2
    )
    wrong = client.post(add, details(**typed | {"birthday": "2190-01-01"}))
    assert wrong.status_code == 422
    assert "Een verjaardag ligt niet in de toekomst." in wrong.content.decode()
    assert re.findall(r"<details[^>]*>", wrong.content.decode()) == [
        '<details class="fold" open>',
        '<details class="fold">',
    ]
    client.post(add, details(**typed))
    assert list(club.members.values(*typed)) == [
        typed | {"birthday": dt.date(1951, 4, 30), "member_since": dt.date(1998, 9, 1)}
    ]


def test_people_are_added_one_after_another(client: Client, club: Club) -> None:
    add = url("member_add", club)
    for number in (1, 2):
        sent = details(name=f"Lid {number}", number=str(number), another="")
        page = client.post(add, sent, follow=True)
        assert page.redirect_chain == [(add, 302)]
        assert f"Lid {number} staat op de lijst." in page.content.decode()
        assert 'value="Lid' not in page.content.decode()
    assert client.post(add, details()).headers["Location"] == url("member_list", club)
    assert club.members.count() == 3


def test_who_cannot_walk_keeps_his_table(client: Client, club: Club) -> None:
    page = client.get(url("member_add", club)).content.decode()
    assert "Voor wie niet van tafel naar tafel kan lopen." in page
    client.post(url("member_add", club), details(keeps_table="on"))
    client.post(url("member_add", club), details(name="Mia Kok", number="8"))
    assert dict(club.members.values_list("number", "keeps_table")) == {7: True, 8: False}
    page = " ".join(client.get(url("member_list", club)).content.decode().split())
    assert page.count("vaste tafel") == 1
    assert re.search(r"<td ?>lid <span[^>]*><svg.*?</svg> vaste tafel</span></td>", page)


def test_the_list_tells_who_is_not_shown_by_name(client: Client, club: Club) -> None:
    for number, how in enumerate(("name", "initials", "hidden", "name"), start=1):
        MemberFactory.create(club=club, number=number, name=f"Lid {number}", public_as=how)
    member_erase(member=club.members.get(number=4), actor=TESTS)
    page = client.get(url("member_list", club), {"show": "all"}).content.decode()
    marks = re.findall(r'<td ?>lid ?(?:<span class="mark nowrap">(.*?)</span>)?</td>', page)
    assert marks == ["", "gewist", "voorletters", "anoniem"]


def test_a_change_of_his_table_meanwhile_is_shown_in_words(client: Client, club: Club) -> None:
    member = MemberFactory.create(club=club, number=1, name="Jan Bos", keeps_table=True)
    edit = url("member_edit", club, member.pk)
    client.post(edit, details(number="1", keeps_table="on", phone="111", version="1"))
    response = client.post(edit, details(number="2", phone="111", version="1"))
    rows = re.findall(
        r'<th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td>', response.content.decode()
    )
    assert rows == [
        ("Nummer", "1", "2"),
        ("Blijft de hele avond aan dezelfde tafel", "ja", "nee"),
    ]


def test_two_people_change_somebody_and_nothing_is_lost(client: Client, club: Club) -> None:
    member = MemberFactory.create(club=club, name="Jan Bos", number=7)
    edit = url("member_edit", club, member.pk)
    client.post(edit, details(phone="111", version="1"))
    response = client.post(edit, details(phone="222", email="jan@example.org", version="1"))
    page = response.content.decode()
    assert response.status_code == 409
    assert "Iemand anders was u net voor" in page
    rows = re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td>', page)
    assert rows == [("Telefoon", "111", "222"), ("E-mailadres", "–", "jan@example.org")]
    member.refresh_from_db()
    assert (member.phone, member.email) == ("111", "")
    version = re.search(r'name="version" value="(\d+)"', page)
    assert version is not None
    client.post(edit, details(phone="222", email="jan@example.org", version=version[1]))
    member.refresh_from_db()
    assert (member.phone, member.email, member.version) == ("222", "jan@example.org", 3)


@pytest.mark.full
def test_somebody_is_taken_off_the_list_and_put_back(client: Client, club: Club) -> None:
    member = MemberFactory.create(club=club, name="Jan Bos")
    off, on = url("member_deactivate", club, member.pk), url("member_activate", club, member.pk)
    assert "Jan Bos van de lijst halen?" in client.get(off).content.decode()
    assert names(client, club) == ["Jan Bos"]
    client.post(off)
    assert names(client, club) == []
    assert "Jan Bos terugzetten op de lijst?" in client.get(on).content.decode()
    client.post(on)
    assert names(client, club) == ["Jan Bos"]


@pytest.mark.full
def test_a_guest_turns_out_to_be_a_member(client: Client, club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    member = MemberFactory.create(club=club, name="Mia Kok", number=90)
    guest = club.members.get(number=1)
    Member.objects.filter(pk=guest.pk).update(kind=Member.Kind.GUEST, number=None)
    merge = url("member_merge", club, guest.pk)
    assert "Mia Kok" in client.get(merge).content.decode()
    asked = client.get(merge, {"member": member.pk}).content.decode()
    assert f"Is gast {guest.name} dezelfde als Mia Kok?" in asked
    assert "de avond van 21 november 2026" in asked
    assert club.members.filter(pk=guest.pk).exists()
    client.post(merge, {"member": member.pk})
    assert not club.members.filter(pk=guest.pk).exists()
    assert list(evening.registrations.filter(member=member)) != []


def test_a_merge_that_cannot_be_is_explained(client: Client, club: Club) -> None:
    evening_with_draw(club=club, players=4)
    guest, member = club.members.order_by("number")[:2]
    Member.objects.filter(pk=guest.pk).update(kind=Member.Kind.GUEST)
    response = client.post(url("member_merge", club, guest.pk), {"member": member.pk})
    assert response.status_code == 422
    assert "stonden op de lijst van dezelfde avond." in response.content.decode()
    assert club.members.filter(pk=guest.pk).exists()


@pytest.mark.parametrize("pk", ["0", "abc", "999999"])
def test_a_merge_with_nobody(client: Client, club: Club, pk: str) -> None:
    guest = MemberFactory.create(club=club, kind=Member.Kind.GUEST)
    response = client.post(url("member_merge", club, guest.pk), {"member": pk})
    assert response.status_code == 422
    assert club.members.count() == 1


def test_only_a_guest_is_merged(client: Client, club: Club) -> None:
    member = MemberFactory.create(club=club)
    assert client.get(url("member_merge", club, member.pk)).status_code == 404


@pytest.mark.full
def test_the_pages_speak_english_too(client: Client, club: Club) -> None:
    client.cookies["django_language"] = "en"
    assert (
        "There is nobody on the list yet." in client.get(url("member_list", club)).content.decode()
    )


def said(response: Any) -> list[str]:
    """The messages at the top of a page, without their links."""
    return [re.sub(r" <a .*", "", str(message)) for message in response.context["messages"]]


def test_the_second_of_a_name_is_said_at_once_with_a_way_to_tell_them_apart(
    client: Client, club: Club
) -> None:
    jan = MemberFactory.create(club=club, name="Jan de Vries", number=2, town="Edam")
    add, sent = url("member_add", club), details(name="jan de Vries", number="24")
    page: Any = client.post(add, sent, follow=True)
    assert said(page) == [
        "jan de Vries (24) staat op de lijst.",
        (
            "Er is al een Jan de Vries (nr. 2, Edam)."
            " Op lijsten staan ze nu als Jan de Vries (Edam) en jan de Vries (24)."
        ),
    ]
    assert names(client, club) == ["Jan de Vries (Edam)", "jan de Vries (24)"]
    link = re.search(r'href="([^"]+)#id_addition"', page.content.decode())
    assert link is not None
    form = client.get(link[1]).content.decode()
    assert re.findall(r"<details[^>]*>", form)[1] == '<details class="fold" open>'
    client.post(link[1], details(name="Jan de Vries", number="24", addition="jr.", version="1"))
    assert names(client, club) == ["Jan de Vries (Edam)", "Jan de Vries (jr.)"]
    jan.refresh_from_db()
    assert (jan.desk_name, jan.shown_name) == ("Jan de Vries (Edam)", "Jan de Vries (2)")


def test_of_a_name_that_nobody_else_has_nothing_is_said(client: Client, club: Club) -> None:
    MemberFactory.create(club=club, name="Mia Kok", number=2)
    page: Any = client.post(url("member_add", club), details(), follow=True)
    assert said(page) == ["Jan Bos staat op de lijst."]


@pytest.mark.full
def test_people_of_one_name_in_a_list_are_said_when_it_is_read(client: Client, club: Club) -> None:
    MemberFactory.create(club=club, name="Mia Kok", number=1)
    MemberFactory.create(club=club, name="mia kok", number=2)
    lines = "number,name\n3,Jan Bos\n4,Jan Bos\n5,Wim Zwart\n2,Mia Kok\n"
    file = SimpleUploadedFile("leden.csv", lines.encode())
    preview: Any = client.post(url("member_import", club), {"file": file}, follow=True)
    seen = re.search(r'name="seen" value="([^"]+)"', preview.content.decode())
    assert seen is not None
    page: Any = client.post(
        preview.request["PATH_INFO"],
        {"seen": seen[1], "import": "yes", "public_as": "name"},
        follow=True,
    )
    assert said(page)[0] == (
        "Sommige mensen heten hetzelfde. Op lijsten staan ze nu als Jan Bos (3), Jan Bos (4)."
    )


@pytest.mark.full
def test_a_birthday_to_come_is_told_beside_what_else_is_wrong(client: Client, club: Club) -> None:
    typed = {"name": "Jan", "kind": "member", "public_as": "name", "birthday": "2031-01-01"}
    page = client.post(reverse("member_add", args=[club.slug]), typed | {"email": "geen"})
    assert page.status_code == 422
    html = page.content.decode()
    assert re.findall(r'href="#id_(\w+)"', html) == ["email", "birthday"]
