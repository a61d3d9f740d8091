"""Lists of members as clubs have them: chosen or pasted, looked at, mended, read in, taken back."""

import datetime as dt
import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from clubs.members.services import member_change
from clubs.models import Club, Member, Upload
from clubs.privacy.erasing import member_erase
from tests.clubs.lists.test_reading import xlsx
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, organiser_of
from tournaments.registration.services import presence_replace

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(client: Client) -> Club:
    """A club whose organiser has logged in."""
    club: Club = ClubFactory.create()
    client.force_login(organiser_of(club))
    return club


class Page:
    """The page of a list: what it says, and what a browser would send from it."""

    def __init__(self, client: Client, response: Any) -> None:
        self.client, self.response = client, response
        self.html = html.unescape(response.content.decode())
        self.words = " ".join(re.sub(r"<[^>]+>", " ", self.html).split())

    def under(self, heading: str) -> list[str]:
        """The lines of the first list below a heading."""
        part = self.html.split(f"{heading}</span", 1)
        if len(part) == 1:
            return []
        items = re.findall(r"<li>(.*?)</li>", part[1].split("</ul>")[0])
        return [re.sub(r"<[^>]+>", "", item) for item in items]

    def columns(self) -> list[str]:
        """What each column is read as."""
        return re.findall(r'name="column-\d+">.*?value="(\w*)" selected', self.html, re.DOTALL)

    def send(self, button: str, **typed: str) -> "Page":
        seen = re.search(r'name="seen" value="(\w+)"', self.html)
        chosen = re.findall(r'name="(column-\d+)">.*?value="(\w*)" selected', self.html, re.DOTALL)
        mended = re.findall(r'name="(mend-[\w-]+)" value="([^"]*)"', self.html)
        answers = re.findall(r'name="(answer-\d+)" value="(\w+)" checked', self.html)
        assert seen
        fields = dict(chosen) | dict(mended) | dict(answers) | {"public_as": "initials"}
        fields |= {name.replace("_", "-", 2): text for name, text in typed.items()}
        fields["public_as"] = typed.get("public_as", "initials")
        payload = fields | {"seen": seen[1], button: "yes"}
        path = self.response.request["PATH_INFO"]
        return Page(self.client, self.client.post(path, payload, follow=True))

    def yes(self, **typed: str) -> "Page":
        return self.send("import", **typed)

    def look(self, **typed: str) -> "Page":
        return self.send("look", **typed)


class Lists:
    def __init__(self, client: Client, club: Club) -> None:
        self.client, self.club = client, club
        self.url = reverse("member_import", args=[club.slug])

    def file(self, content: bytes | str, name: str = "leden.csv") -> Page:
        content = content.encode() if isinstance(content, str) else content
        payload = {"file": SimpleUploadedFile(name, content)}
        return Page(self.client, self.client.post(self.url, payload, follow=True))

    def pasted(self, text: str) -> Page:
        return Page(self.client, self.client.post(self.url, {"text": text}, follow=True))

    def take_back(self) -> Page:
        upload = Upload.objects.filter(club=self.club, done_at__isnull=False).latest("done_at")
        url = reverse("import_undo", args=[self.club.slug, upload.uuid])
        return Page(self.client, self.client.post(url, follow=True))


@pytest.fixture
def lists(client: Client, club: Club) -> Lists:
    return Lists(client, club)


def people(club: Club) -> list[str]:
    return [
        f"{member.number or '-'} {member.name}" for member in Member.objects.of(club).by_surname()
    ]


# The six lists that were refused or lost something.

FIRST = "Voornaam;Tussenvoegsel;Achternaam\nJan;van den;Berg\nMia;;Kok\n"
TITLE = "Ledenlijst Troef Maar Op\n;;\nNr;Naam;Telefoon\n1;Jan van den Berg;06 1\n2;Mia Kok;\n"
COVER = xlsx(
    ("Voorblad", [["Klaverjasclub Troef Maar Op"], ["Ledenlijst"]]),
    ("Leden", [[], [None, "Naam lid", "Telefoon"], [None, "Jan van den Berg", 622334455]]),
)
SILENT = "Nr;Naam;Tel;Mail\n1;Jan Bos;06 12345678;jan@example.org\n;Totaal leden: 1;;\n"


def test_first_name_prefix_and_surname_apart(lists: Lists, club: Club) -> None:
    page = lists.file(FIRST)
    assert page.columns() == ["first", "prefix", "surname"]
    assert page.under("Nieuw op de lijst") == ["Jan van den Berg", "Mia Kok"]
    done = page.yes()
    assert "Ingelezen: 2 nieuw, 0 gewijzigd, 0 ongewijzigd." in done.words
    assert people(club) == ["- Jan van den Berg", "- Mia Kok"]


def test_a_title_above_the_headings(lists: Lists, club: Club) -> None:
    lists.file(TITLE).yes()
    assert people(club) == ["1 Jan van den Berg", "2 Mia Kok"]


def test_a_workbook_with_a_cover_and_a_zero_that_excel_ate(lists: Lists, club: Club) -> None:
    page = lists.file(COVER, "leden.xlsx")
    assert page.under("Anders geschreven dan in de lijst") == ["622334455 wordt 0622334455"]
    page.yes()
    assert [(m.name, m.phone) for m in club.members.all()] == [("Jan van den Berg", "0622334455")]


def test_nothing_is_lost_and_a_total_is_nobody(lists: Lists, club: Club) -> None:
    page = lists.file(SILENT)
    assert page.under("Regels die niet worden gelezen") == [
        "Regel 3, “Totaal leden: 1”: een totaal of opmerking, geen persoon"
    ]
    page.yes()
    (jan,) = club.members.all()
    assert (jan.number, jan.name, jan.phone, jan.email) == (
        1,
        "Jan Bos",
        "06 12345678",
        "jan@example.org",
    )
    assert jan.public_as == Member.PublicAs.INITIALS


def test_a_number_twice_and_a_line_twice(lists: Lists, club: Club) -> None:
    page = lists.file("nr;naam\n1;Jan Bos\n1;Mia Kok\n1;Jan Bos\n2;Piet Smit\n")
    assert "Regel 3: Mia Kok Nummer: regel 2 heeft dit nummer ook" in page.words
    assert page.under("Regels die niet worden gelezen") == [
        "Regel 4, “1 · Jan Bos”: dezelfde persoon als op regel 2"
    ]
    again = page.yes(mend_3_number="3")
    assert "zo wordt de lijst nu gelezen" in again.words
    assert people(club) == []
    again.yes()
    assert people(club) == ["1 Jan Bos", "3 Mia Kok", "2 Piet Smit"]


def test_a_faulty_line_is_left_out_or_mended_without_choosing_again(
    lists: Lists, club: Club
) -> None:
    page = lists.file(
        "naam;mail;geboren\nJan Bos;jan@;1-5-51\nMia Kok;mia@example.org;31-2-1950\n;x@x.nl;\n"
    )
    again = page.look(mend_2_email="jan@example.org", mend_3_birthday="")
    assert again.under("Nieuw op de lijst") == ["Jan Bos", "Mia Kok"]
    assert "Regel 4 Hele naam: er staat geen naam" in again.words
    again.yes()
    rows = list(club.members.order_by("name").values_list("name", "email", "birthday"))
    assert rows == [
        ("Jan Bos", "jan@example.org", dt.date(1951, 5, 1)),
        ("Mia Kok", "mia@example.org", None),
    ]


def test_surname_in_capitals_before_the_first_name(lists: Lists, club: Club) -> None:
    page = lists.pasted("PIETERSEN, Klaas\nBERG, VAN DEN, Mia\n")
    assert page.under("Anders geschreven dan in de lijst") == [
        "PIETERSEN, Klaas wordt Klaas Pietersen",
        "BERG, VAN DEN, Mia wordt Mia van den Berg",
    ]
    page.yes()
    assert people(club) == ["- Mia van den Berg", "- Klaas Pietersen"]


def test_every_field_of_a_member(lists: Lists, club: Club) -> None:
    lists.pasted(
        "Lidnr\tRoepnaam\tAchternaam\tStraat\tHuisnr\tPostcode\tWoonplaats\tGeb.datum\tLid sinds"
        "\tTel. vast\tMobiel\n"
        "12\tJan\tBos\tDorpsstraat\t3a\t1234 AB\tUrk\t5 mei 1951\t01-09-2010\t0527-123456"
        "\t622334455\n"
    ).yes(public_as="name")
    (jan,) = club.members.all()
    assert (jan.number, jan.name, jan.street, jan.postcode, jan.town) == (
        *(12, "Jan Bos", "Dorpsstraat 3a", "1234 AB", "Urk"),
    )
    assert (jan.birthday, jan.member_since) == (dt.date(1951, 5, 5), dt.date(2010, 9, 1))
    assert (jan.phone, jan.public_as) == ("0527-123456 / 0622334455", Member.PublicAs.NAME)


# By hand.


def test_columns_are_assigned_by_hand(lists: Lists, club: Club) -> None:
    page = lists.file("Wie;Sterkte;Tel\nJan Bos;5;\nMia Kok;6;\n")
    assert page.columns() == ["", "", "phone"]
    assert "In welke kolom staan de namen?" in page.words
    assert page.under("Kolommen die niet worden gelezen") == [
        "Wie: Jan Bos, Mia Kok",
        "Sterkte: 5, 6",
    ]
    again = page.look(column_0="name")
    assert again.under("Kolommen die niet worden gelezen") == ["Sterkte: 5, 6"]
    again.yes()
    assert people(club) == ["- Jan Bos", "- Mia Kok"]


def test_a_column_chosen_last_is_shown_before_it_is_read(lists: Lists, club: Club) -> None:
    page = lists.file("naam;zegt\nJan Bos;9\n").yes(column_1="number")
    assert "zo wordt de lijst nu gelezen" in page.words
    assert people(club) == []
    page.yes()
    assert people(club) == ["9 Jan Bos"]


def test_another_sheet_is_chosen(lists: Lists, club: Club) -> None:
    sheets: list[tuple[str, list[list[object]]]]
    sheets = [("2024", [["naam"], ["Jan Bos"], ["Mia Kok"]]), ("2025", [["naam"], ["Jan Bos"]])]
    page = lists.file(xlsx(*sheets), "leden.xlsx")
    assert page.under("Nieuw op de lijst") == ["Jan Bos", "Mia Kok"]
    again = page.look(sheet="1")
    assert again.under("Nieuw op de lijst") == ["Jan Bos"]


# Who is who.


def test_a_list_half_of_whose_people_are_there(lists: Lists, club: Club) -> None:
    MemberFactory.create(club=club, number=1, name="Jan Bos", phone="06 1")
    MemberFactory.create(club=club, kind=Member.Kind.GUEST, name="Wim Smit")
    page = lists.file("nummer;naam;tel\n1;Jan Bos;06 2\n2;Mia Kok;\n3;Wim Smit;\n4;Jan Boss;\n")
    assert page.under("Bijgewerkt") == [
        "Jan Bos: telefoon 06 1 wordt 06 2",
        "Wim Smit: een gast die lid wordt; nummer 3 komt erbij",
    ]
    assert page.under("Nieuw op de lijst") == ["2 Mia Kok"]
    assert "Regel 5: Jan Boss: er is al iemand die bijna zo heet." in page.words
    refused = page.yes()
    assert refused.response.status_code == 422
    assert "beantwoord eerst de vragen" in refused.words
    assert people(club) == ["1 Jan Bos", "- Wim Smit"]
    done = refused.yes(answer_5="new")
    assert "Ingelezen: 2 nieuw, 2 gewijzigd, 0 ongewijzigd." in done.words
    assert people(club) == ["1 Jan Bos", "4 Jan Boss", "2 Mia Kok", "3 Wim Smit"]


def test_a_doubtful_name_is_the_same_person_or_left_out(lists: Lists, club: Club) -> None:
    jan = MemberFactory.create(club=club, name="Jan Bakker")
    MemberFactory.create(club=club, name="Mia Visser")
    page = lists.file("naam;tel\nJan Baker;06 12345678\nMia Viser;\n")
    page.yes(answer_2=str(jan.pk), answer_3="out")
    assert [(m.name, m.phone) for m in Member.objects.of(club).by_surname()] == [
        ("Jan Baker", "06 12345678"),
        ("Mia Visser", ""),
    ]


def test_two_namesakes_in_the_list_are_told_apart(lists: Lists, club: Club) -> None:
    page = lists.file("nr;naam;tel\n2;Jan de Vries;06 1\n24;Jan de Vries;06 2\n")
    assert (
        "Jan de Vries staat op regel 2 en 3 met twee nummers: dat worden twee mensen." in page.words
    )
    page.yes()
    assert people(club) == ["2 Jan de Vries", "24 Jan de Vries"]


def test_a_couple_on_one_line_is_asked_about(lists: Lists, club: Club) -> None:
    page = lists.file("naam\nJan en Mia Bos\nPiet Smit\n")
    assert "“Jan en Mia Bos” lijkt over twee mensen te gaan." in page.words
    page.yes(answer_2="out")
    assert people(club) == ["- Piet Smit"]


def test_a_couple_on_one_line_comes_as_two(lists: Lists, club: Club) -> None:
    page = lists.file("nr;naam;tel\n7;Jan en Mia van der Bos;06 1\n8;Fam. Kok;06 2\n")
    assert "twee mensen: Jan van der Bos en Mia van der Bos" in page.words
    page.yes(answer_2="two", answer_3="new")
    assert [(m.number, m.name, m.phone) for m in Member.objects.of(club).by_surname()] == [
        (7, "Jan van der Bos", "06 1"),
        (None, "Mia van der Bos", "06 1"),
        (8, "Fam. Kok", "06 2"),
    ]


def test_the_list_of_another_club(lists: Lists, club: Club) -> None:
    for number, name in enumerate(["Jan Bos", "Mia Kok", "Piet Smit"], 1):
        MemberFactory.create(club=club, number=number, name=name)
    page = lists.file("nr;naam\n1;Theo Dijk\n2;Ria Prins\n3;Wil Maas\n")
    assert "Is dit de lijst van een andere club?" in page.words
    assert "Regel 2: Nummer 1 is hier van Jan Bos. In de lijst is het Theo Dijk." in page.words
    assert page.yes().response.status_code == 422
    assert people(club) == ["1 Jan Bos", "2 Mia Kok", "3 Piet Smit"]
    page = page.yes(answer_2="new", answer_3="out", answer_4="out")
    assert "Regel 2: Theo Dijk Nummer: nummer 1 is hier van Jan Bos" in page.words
    assert people(club) == ["1 Jan Bos", "2 Mia Kok", "3 Piet Smit"]
    page.send("without").yes()
    assert people(club) == ["1 Jan Bos", "- Theo Dijk", "2 Mia Kok", "3 Piet Smit"]


@pytest.mark.both
def test_two_people_swap_numbers_and_swap_back(lists: Lists, club: Club) -> None:
    jan = MemberFactory.create(club=club, number=1, name="Jan Bos")
    mia = MemberFactory.create(club=club, number=2, name="Mia Kok")
    page = lists.file("nr;naam\n1;Mia Kok\n2;Jan Bos\n")
    assert "dezelfde persoon als Mia Kok (2): nummer 2 wordt 1" in page.words
    page.yes(answer_2=str(mia.pk), answer_3=str(jan.pk))
    assert people(club) == ["2 Jan Bos", "1 Mia Kok"]
    assert "is weer weg" in lists.take_back().words
    assert people(club) == ["1 Jan Bos", "2 Mia Kok"]


def test_a_number_that_somebody_keeps_is_not_lost_without_a_word(lists: Lists, club: Club) -> None:
    MemberFactory.create(club=club, number=1, name="Jan Bos")
    mia = MemberFactory.create(club=club, number=2, name="Mia Kok")
    page = lists.file("nr;naam\n1;Mia Kok\n").yes(answer_2=str(mia.pk))
    assert "Regel 2: Mia Kok Nummer: nummer 1 is hier van Jan Bos" in page.words
    page.look(mend_2_number="7").yes()
    assert people(club) == ["1 Jan Bos", "7 Mia Kok"]


@pytest.mark.both
def test_a_number_that_was_given_away_since_stays_there(lists: Lists, club: Club) -> None:
    jan = MemberFactory.create(club=club, number=1, name="Jan Bos")
    lists.file("nr;naam;tel\n5;Jan Bos;\n").yes(answer_2=str(jan.pk))
    assert people(club) == ["5 Jan Bos"]
    MemberFactory.create(club=club, number=1, name="Mia Kok")
    assert "niet teruggenomen: Jan Bos." in lists.take_back().words
    assert people(club) == ["5 Jan Bos", "1 Mia Kok"]


def test_what_is_wrong_is_left_out_at_once(lists: Lists, club: Club) -> None:
    page = lists.file("naam;mail;geb\nJan Bos;jan@;5 mei\nMia Kok;mia@;\nPiet;p@;\n")
    page = page.send("without", mend_4_email="piet@example.org")
    assert page.under("Uit een regel weggelaten") == [
        *("Regel 2: e-mailadres", "Regel 2: geboortedatum", "Regel 3: e-mailadres"),
    ]
    page.yes()
    rows = list(club.members.order_by("name").values_list("name", "email"))
    assert rows == [("Jan Bos", ""), ("Mia Kok", ""), ("Piet", "piet@example.org")]


def test_lines_and_sheets_beside_the_list_are_said(lists: Lists, club: Club) -> None:
    old: list[list[object]] = [["naam"], ["Oud Lid"]]
    new: list[list[object]] = [["Jan Bos had nr 1"], ["nr", "naam"], [2, "Mia Kok"], [3, "Jan Bos"]]
    page = lists.file(xlsx(("Oud", old), ("Leden", new)), "leden.xlsx")
    assert "Bladen die niet worden gelezen Oud (2 regels)" in page.words
    assert page.under("Regels die niet worden gelezen") == [
        "Regel 1, “Jan Bos had nr 1”: boven de lijst"
    ]


def test_the_line_with_the_headings_is_chosen(lists: Lists, club: Club) -> None:
    page = lists.file("Naam;Nr\nVaste spelers;\nWie;Lid\nJan Bos;4\n")
    assert page.under("Nieuw op de lijst") == ["Vaste spelers", "Wie", "Jan Bos"]
    page = page.look(heading="3")
    assert page.columns() == ["", "name"]
    page = page.look(column_0="name", column_1="number")
    assert page.under("Nieuw op de lijst") == ["4 Jan Bos"]
    page.look(heading="0", column_0="name")
    assert page.look(heading="0").columns() == ["name", "number"]


def test_surnames_first_without_a_comma(lists: Lists, club: Club) -> None:
    page = lists.file("Naam\nVAN DER BERG JAN\nBOS MIA\nDE WIT J.P.\n")
    assert page.columns() == ["turned"]
    assert "Het lijkt erop dat de achternaam voorop staat" in page.words
    assert page.under("Nieuw op de lijst") == ["Jan van der Berg", "Mia Bos", "J.P. de Wit"]
    page = page.look(column_0="name")
    assert page.under("Nieuw op de lijst") == ["van der Berg Jan", "Bos Mia", "J.P. de Wit"]


def test_birthdays_of_an_american_list(lists: Lists, club: Club) -> None:
    lists.file("Name,Birthday\nJan Bos,3/4/1955\nMia Kok,3/14/1955\n").yes()
    birthdays = list(club.members.order_by("name").values_list("birthday", flat=True))
    assert birthdays == [dt.date(1955, 3, 4), dt.date(1955, 3, 14)]


def test_numbering_is_no_number_and_greetings_are_nobody(lists: Lists, club: Club) -> None:
    rows = "1. Jan Bos   0612345678\n2. Piet Smit\n3. Mia Kok\n"
    page = lists.pasted(f"Hoi Mia,\n\n{rows}\nGroet, Wim\n")
    assert page.under("Kolommen die niet worden gelezen") == ["kolom 1: 1., 2., 3."]
    assert [line.split(":")[0] for line in page.under("Regels die niet worden gelezen")] == [
        *("Regel 1, “Hoi Mia,”", "Regel 7, “Groet, Wim”"),
    ]
    page.yes()
    assert people(club) == ["- Jan Bos", "- Mia Kok", "- Piet Smit"]


def test_since_when_may_be_a_year_or_a_month(lists: Lists, club: Club) -> None:
    page = lists.file("naam;lid sinds\nJan Bos;1998\nMia Kok;sept 2010\n")
    assert page.under("Anders geschreven dan in de lijst") == [
        *("1998 wordt 1 januari 1998", "sept 2010 wordt 1 september 2010"),
    ]
    page.yes()
    since = list(club.members.order_by("name").values_list("member_since", flat=True))
    assert since == [dt.date(1998, 1, 1), dt.date(2010, 9, 1)]


def test_the_same_list_twice(lists: Lists, club: Club) -> None:
    lists.file(TITLE).yes()
    page = lists.file(TITLE)
    assert "Iedereen in deze lijst staat er al" in page.words
    assert 'name="import"' not in page.html


def test_the_club_changed_meanwhile(lists: Lists, club: Club) -> None:
    page = lists.file("naam\nJan Bos\n")
    MemberFactory.create(club=club, kind=Member.Kind.GUEST, name="Jan Bos")
    again = page.yes()
    assert again.response.status_code == 409
    assert again.under("Bijgewerkt") == ["Jan Bos: een gast die lid wordt"]
    assert club.members.get().kind == Member.Kind.GUEST
    again.yes()
    assert club.members.get().kind == Member.Kind.MEMBER


# What is no list.


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "Dit is een foto of plaatje."),
        (b"PK\x03\x04 half", "Dit bestand is beschadigd"),
        (b"", "Er staat niets in dit bestand."),
    ],
)
def test_what_is_no_list_is_told_and_changes_nothing(
    lists: Lists, club: Club, content: bytes, words: str
) -> None:
    page = lists.file(content, "leden.png")
    assert page.response.status_code == 422
    assert words in page.words
    assert not Upload.objects.exists()


def test_neither_a_file_nor_a_text(lists: Lists) -> None:
    page = lists.pasted("  ")
    assert page.response.status_code == 422
    assert "Kies een bestand of plak de lijst." in page.words


def test_a_list_of_thousands(lists: Lists, club: Club) -> None:
    page = lists.file("naam\n" + "Jan Bos\n" * 2001)
    assert "Deze lijst heeft meer dan 2000 regels." in page.words
    assert people(club) == []


# Taking it back.


@pytest.mark.both
def test_a_list_is_taken_back_and_read_in_again(lists: Lists, club: Club) -> None:
    guest = MemberFactory.create(club=club, kind=Member.Kind.GUEST, name="Jan Bos", phone="06 1")
    before = Member.objects.values_list("name", "number", "kind", "phone", "birthday")
    stood = list(before)
    text = "nr;naam;tel;geboren\n1;Jan Bos;06 2;1-5-1951\n2;Mia Kok;;\n"
    lists.file(text).yes()
    assert people(club) == ["1 Jan Bos", "2 Mia Kok"]
    assert "is weer weg" in lists.take_back().words
    assert list(before.all()) == stood
    guest.refresh_from_db()
    lists.file(text).yes()
    assert people(club) == ["1 Jan Bos", "2 Mia Kok"]


def test_namesakes_of_a_list_are_taken_back(lists: Lists, club: Club) -> None:
    MemberFactory.create(club=club, number=2, name="Jan de Vries", phone="06 1")
    text = "nr;naam;tel\n2;Jan de Vries;06 2\n24;Jan de Vries;06 3\n"
    lists.file(text).yes(answer_3="new")
    assert people(club) == ["2 Jan de Vries", "24 Jan de Vries"]
    lists.take_back()
    assert [(member.name, member.phone) for member in club.members.all()] == [
        ("Jan de Vries", "06 1")
    ]


@pytest.mark.both
def test_who_played_or_was_changed_since_stays(lists: Lists, club: Club) -> None:
    MemberFactory.create(club=club, name="Piet Smit", phone="06 1")
    lists.file("naam;tel\nPiet Smit;06 2\nJan Bos;06 3\nMia Kok;\nWim Prins;\n").yes()
    jan, mia, piet = (club.members.get(name=name) for name in ["Jan Bos", "Mia Kok", "Piet Smit"])
    evening = EveningFactory.create(club=club)
    presence_replace(evening_id=evening.pk, members=[jan], actor=TESTS)
    for member, phone in ((mia, "06 9"), (piet, "06 8")):
        member_change(
            member=member, seen_version=member.version, actor=TESTS, name=member.name, phone=phone
        )
    page = lists.take_back()
    assert "niet teruggenomen: Jan Bos, Mia Kok, Piet Smit." in page.words
    assert not club.members.filter(name="Wim Prins").exists()
    piet.refresh_from_db()
    assert piet.phone == "06 8"


@pytest.mark.both
def test_what_is_kept_to_take_it_back_goes_when_somebody_is_erased(
    lists: Lists, club: Club
) -> None:
    jan = MemberFactory.create(club=club, name="Jan Bos", phone="0612345678")
    MemberFactory.create(club=club, name="Mia Kok", phone="0687654321")
    lists.file("naam;tel\nJan Bos;06 2\nMia Kok;06 3\n").yes()
    jan.refresh_from_db()
    member_erase(member=jan, actor=TESTS)
    kept = str(Upload.objects.get().outcome)
    assert "0612345678" not in kept
    assert "0687654321" in kept


def test_english(lists: Lists, club: Club, client: Client) -> None:
    client.cookies["django_language"] = "en"
    page = lists.file("Nr;Naam;Tel\n1;PIETERSEN, Klaas;622334455\n;Total: 1;\n")
    assert page.under("Written in another way") == [
        "PIETERSEN, Klaas becomes Klaas Pietersen",
        "622334455 becomes 0622334455",
    ]
    assert page.under("Lines that are not read") == [
        "Line 3, “Total: 1”: a total or a remark, not a person"
    ]
