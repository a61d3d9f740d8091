"""Who is who in a list of members: people who are there already, namesakes, couples, numbers."""

import pytest
from django.test import Client

from clubs.models import Club, Member
from tests.clubs.members.list_pages import Lists, people
from tests.factories import ClubFactory, MemberFactory, organiser_of

pytestmark = pytest.mark.django_db

TITLE = "Ledenlijst Troef Maar Op\n;;\nNr;Naam;Telefoon\n1;Jan van den Berg;06 1\n2;Mia Kok;\n"


@pytest.fixture
def club(client: Client) -> Club:
    """A club whose organiser has logged in."""
    club: Club = ClubFactory.create()
    client.force_login(organiser_of(club))
    return club


@pytest.fixture
def lists(client: Client, club: Club) -> Lists:
    return Lists(client, club)


@pytest.mark.full
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


@pytest.mark.full
def test_a_doubtful_name_is_the_same_person_or_left_out(lists: Lists, club: Club) -> None:
    jan = MemberFactory.create(club=club, name="Jan Bakker")
    MemberFactory.create(club=club, name="Mia Visser")
    page = lists.file("naam;tel\nJan Baker;06 12345678\nMia Viser;\n")
    page.yes(answer_2=str(jan.pk), answer_3="out")
    assert [(m.name, m.phone) for m in Member.objects.of(club).by_surname()] == [
        ("Jan Baker", "06 12345678"),
        ("Mia Visser", ""),
    ]


@pytest.mark.full
def test_two_namesakes_in_the_list_are_told_apart(lists: Lists, club: Club) -> None:
    page = lists.file("nr;naam;tel\n2;Jan de Vries;06 1\n24;Jan de Vries;06 2\n")
    assert (
        "Jan de Vries staat op regel 2 en 3 met twee nummers: dat worden twee mensen." in page.words
    )
    page.yes()
    assert people(club) == ["2 Jan de Vries", "24 Jan de Vries"]


@pytest.mark.full
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


@pytest.mark.full
def test_two_people_of_nearly_one_name_who_swap_numbers_are_asked_about(
    lists: Lists, club: Club
) -> None:
    bos = MemberFactory.create(club=club, number=1, name="Jan Bos")
    vos = MemberFactory.create(club=club, number=2, name="Jan Vos")
    page = lists.file("nr;naam\n1;Jan Vos\n2;Jan Bos\n")
    assert "Regel 2: Nummer 1 is hier van Jan Bos. In de lijst is het Jan Vos." in page.words
    page.yes(answer_2=str(vos.pk), answer_3=str(bos.pk))
    assert {bos.pk: 2, vos.pk: 1} == dict(Member.objects.values_list("pk", "number"))
    assert people(club) == ["2 Jan Bos", "1 Jan Vos"]


def test_a_remark_among_the_names_is_asked_about(lists: Lists, club: Club) -> None:
    page = lists.file("naam\nJan Bos\nWijzigingen doorgeven aan Mia Kok\n")
    assert "“Wijzigingen doorgeven aan Mia Kok” lijkt een opmerking en geen persoon." in page.words
    page.yes(answer_3="out")
    assert people(club) == ["- Jan Bos"]


@pytest.mark.full
def test_who_left_the_club_does_not_come_on_the_list(lists: Lists, club: Club) -> None:
    content = "naam;lid tot\nJan Bos;30-6-2024\nMia Kok;\nPiet Smit;31-12-2099\nRia Prins;ooit\n"
    page = lists.file(content)
    assert page.under("Regels die niet worden gelezen") == [
        "Regel 2, “Jan Bos · 30-6-2024”: geen lid meer sinds 30 juni 2024"
    ]
    assert "Lid tot: dit is geen datum die te lezen is" in page.words
    page.yes()
    assert people(club) == ["- Mia Kok", "- Piet Smit"]


def test_a_line_without_a_name_can_be_left_out(lists: Lists, club: Club) -> None:
    page = lists.file("naam;tel\nJan Bos;06 1\n;06 2\n").send("without")
    assert "Regel 3, “06 2”: overgeslagen" in page.words
    page.yes()
    assert people(club) == ["- Jan Bos"]


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


def test_a_number_that_was_given_away_since_stays_there(lists: Lists, club: Club) -> None:
    jan = MemberFactory.create(club=club, number=1, name="Jan Bos")
    lists.file("nr;naam;tel\n5;Jan Bos;\n").yes(answer_2=str(jan.pk))
    assert people(club) == ["5 Jan Bos"]
    MemberFactory.create(club=club, number=1, name="Mia Kok")
    assert "niet teruggenomen: Jan Bos." in lists.take_back().words
    assert people(club) == ["5 Jan Bos", "1 Mia Kok"]


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
