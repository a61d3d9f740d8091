"""Lists of members as clubs have them: chosen or pasted, looked at, mended, read in, taken back."""

import datetime as dt

import pytest
from django.test import Client

from clubs.members.services import member_change
from clubs.models import Club, Member, Upload
from clubs.privacy.erasing import member_erase
from tests.clubs.lists.test_reading import xlsx
from tests.clubs.members.list_pages import Lists, people
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, organiser_of
from tournaments.registration.check_in import presence_replace

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(client: Client) -> Club:
    """A club whose organiser has logged in."""
    club: Club = ClubFactory.create()
    client.force_login(organiser_of(club))
    return club


@pytest.fixture
def lists(client: Client, club: Club) -> Lists:
    return Lists(client, club)


# The six lists that were refused or lost something.

FIRST = "Voornaam;Tussenvoegsel;Achternaam\nJan;van den;Berg\nMia;;Kok\n"
TITLE = "Ledenlijst Troef Maar Op\n;;\nNr;Naam;Telefoon\n1;Jan van den Berg;06 1\n2;Mia Kok;\n"
COVER = xlsx(
    ("Voorblad", [["Klaverjasclub Troef Maar Op"], ["Ledenlijst"]]),
    ("Leden", [[], [None, "Naam lid", "Telefoon"], [None, "Jan van den Berg", 622334455]]),
)
SILENT = "Nr;Naam;Tel;Mail\n1;Jan Bos;06 12345678;jan@example.org\n;Totaal leden: 1;;\n"


@pytest.mark.full
def test_first_name_prefix_and_surname_apart(lists: Lists, club: Club) -> None:
    page = lists.file(FIRST)
    assert page.columns() == ["first", "prefix", "surname"]
    assert page.under("Nieuw op de lijst") == ["Jan van den Berg", "Mia Kok"]
    done = page.yes()
    assert "Ingelezen: 2 nieuw, 0 gewijzigd, 0 ongewijzigd." in done.words
    assert people(club) == ["- Jan van den Berg", "- Mia Kok"]


@pytest.mark.full
def test_a_title_above_the_headings(lists: Lists, club: Club) -> None:
    lists.file(TITLE).yes()
    assert people(club) == ["1 Jan van den Berg", "2 Mia Kok"]


@pytest.mark.full
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


@pytest.mark.full
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


@pytest.mark.full
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


@pytest.mark.full
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


@pytest.mark.full
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


def test_what_is_wrong_is_left_out_at_once(lists: Lists, club: Club) -> None:
    page = lists.file("naam;mail;geb\nJan Bos;jan@;5 mei\nMia Kok;mia@;\nPiet;p@;\n")
    page = page.send("without", mend_4_email="piet@example.org")
    assert page.under("Uit een regel weggelaten") == [
        *("Regel 2: e-mailadres", "Regel 2: geboortedatum", "Regel 3: e-mailadres"),
    ]
    page.yes()
    rows = list(club.members.order_by("name").values_list("name", "email"))
    assert rows == [("Jan Bos", ""), ("Mia Kok", ""), ("Piet", "piet@example.org")]


@pytest.mark.full
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


@pytest.mark.full
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


@pytest.mark.full
def test_namesakes_of_a_list_are_taken_back(lists: Lists, club: Club) -> None:
    MemberFactory.create(club=club, number=2, name="Jan de Vries", phone="06 1")
    text = "nr;naam;tel\n2;Jan de Vries;06 2\n24;Jan de Vries;06 3\n"
    lists.file(text).yes(answer_3="new")
    assert people(club) == ["2 Jan de Vries", "24 Jan de Vries"]
    lists.take_back()
    assert [(member.name, member.phone) for member in club.members.all()] == [
        ("Jan de Vries", "06 1")
    ]


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


@pytest.mark.full
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
