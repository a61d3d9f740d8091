"""What is printed of a season and of the club's people."""

import datetime as dt
import io
import re
from pathlib import Path

import pytest
from django.test import Client

from clubs.models import Club, Member
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
)
from tests.pdfs import page_texts, sizes, words_off_the_page
from tests.tournaments.desk import EVENING, desk_of, text
from tests.tournaments.public_pages import close_evening
from tests.tournaments.season_papers import PRINTS, season_of
from tournaments.imports.results import results_import
from tournaments.models import SeasonRule
from tournaments.money.services import fee_note, fees_set
from tournaments.seasons.services import season_rule_add

pytestmark = [pytest.mark.django_db, pytest.mark.once]

MEMBERS = "/clubs/vrolijke-boer/desk/print/members.pdf"
UPRIGHT, ON_ITS_SIDE = (595, 841), (841, 595)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def paper(club: Club, path: str) -> bytes:
    response = desk_of(club).get(path)
    assert response.status_code == 200
    assert response["Content-Type"] == "application/pdf"
    content: bytes = response.content
    return content


def test_a_standing_has_what_counts_the_sum_and_what_is_dropped(club: Club) -> None:
    season, _members = season_of(club, evenings=3, players=2)
    best = {"best_per_period": 2}
    SeasonRule.objects.create(season=season, position=1, name="Beste twee", settings=best)
    content = paper(club, f"{PRINTS}standing.pdf")
    (page,) = page_texts(content)
    assert sizes(content) == [UPRIGHT]
    assert "Beste twee 2 spelers" in page
    assert "plaats naam telt som achter avonden pit 6 sep 13 sep 20 sep" in page
    # 4990 + 4989 of 4990 + 4989 + 4988; the other ten less each time, so twenty behind.
    assert "1 Jan Bakker 9.979 14.967 3 0 4.990 4.989 (4.988)" in page
    assert "2 Mia van der Meer 9.959 14.937 20 3 0 4.980 4.979 (4.978)" in page
    assert "De beste 2 van de 3 avonden tellen. Wat is doorgestreept, telt niet mee." in page


@pytest.mark.full
def test_points_for_being_absent_have_a_star_that_is_explained(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=2)
    absence = {"absence": {"with_notice": 1500, "without_notice": 0}}
    SeasonRule.objects.create(season=season, position=1, name="x", settings=absence)
    week_later = b"evening,player,score,absence\n2025-09-13,1,,notice\n2025-09-13,2,,none\n"
    source = io.BytesIO(week_later)
    results_import(club=club, season_name=season.name, source=source, actor=TESTS)
    (page,) = page_texts(paper(club, f"{PRINTS}standing.pdf"))
    assert "1 Jan Bakker 6.490 4.990 1 0 4.990 1.500*" in page
    assert "2 Mia van der Meer 4.980 4.980 1.510 1 0 4.980 0*" in page
    assert "Met een *: niet gespeeld, deze punten zijn voor het afwezig zijn." in page


@pytest.mark.full
def test_each_standing_has_its_print(club: Club) -> None:
    season, _members = season_of(club, evenings=2, players=3)
    mean = {"aggregate": "mean_per_evening"}
    SeasonRule.objects.create(season=season, position=1, name="Alles", settings={})
    SeasonRule.objects.create(season=season, position=2, name="Gemiddeld", settings=mean)
    page = text(desk_of(club).get(PRINTS))
    assert re.findall(r'standing\.pdf\?standing=(\d)"[^>]*>.*?</svg> ([^<]+)<', page) == [
        ("1", "Alles"),
        ("2", "Gemiddeld"),
    ]
    (first,) = page_texts(paper(club, f"{PRINTS}standing.pdf"))
    (second,) = page_texts(paper(club, f"{PRINTS}standing.pdf?standing=2"))
    # 4990 and 4989: together 9979, half of that 4989.5.
    assert "1 Jan Bakker 9.979 9.979 2 0" in first
    assert "plaats naam gemiddelde som" in second
    assert "1 Jan Bakker 4.989,50 9.979 2 0" in second
    client = desk_of(club)
    for asked in ("0", "3", "x", ""):
        assert client.get(f"{PRINTS}standing.pdf?standing={asked}").status_code == 404


@pytest.mark.full
def test_many_evenings_go_on_beside_and_no_line_is_split(club: Club, tmp_path: Path) -> None:
    _season, members = season_of(club, evenings=30, players=60)
    content = paper(club, f"{PRINTS}standing.pdf")
    pages = page_texts(content)
    assert set(sizes(content)) == {ON_ITS_SIDE}
    assert words_off_the_page(content, tmp_path) == []
    parts = 3
    for number, page in enumerate(pages):
        assert f"{number % parts + 1} / {parts}" in page
        assert f"pagina {number + 1} van {len(pages)}" in page
        assert page.count("plaats naam") == 1
    for start in range(0, len(pages), parts):
        lines = [re.findall(r"\b(\d{1,2}) [A-Z][a-z]+ ", page) for page in pages[start:][:parts]]
        assert lines[0] == lines[1] == lines[2]
    for part in range(parts):
        read = " ".join(pages[part::parts])
        assert all(f" {member.name} " in read for member in members)
    scores = [len(re.findall(r" 4\.\d{3}\b", page)) for page in pages]
    # Three of them are 4,200, 4,500 and 4,800 points behind.
    assert sum(scores) == 30 * 60 + 3


@pytest.mark.full
def test_a_long_name_and_strange_letters_stay_on_the_page(club: Club, tmp_path: Path) -> None:
    _season, (one, two) = season_of(club, evenings=12, players=2)
    long = "Maria Johanna Antoinette van den Nieuwenhuizen-Oosterveld tot Lingen"
    Member.objects.filter(pk=one.pk).update(name=long)
    Member.objects.filter(pk=two.pk).update(name="Ştefan Łuczak <b>&amp;")
    content = paper(club, f"{PRINTS}standing.pdf")
    page = page_texts(content)[0]
    assert "Maria Johanna" in page
    assert "Ştefan Łuczak <b>&amp;" in page
    assert words_off_the_page(content, tmp_path) == []


@pytest.mark.full
def test_a_season_without_evenings_prints_an_empty_standing(club: Club) -> None:
    season_of(club, evenings=0, players=0)
    (page,) = page_texts(paper(club, f"{PRINTS}standing.pdf"))
    assert "0 spelers" in page
    client = desk_of(club)
    assert client.get(f"{PRINTS}certificates.pdf").status_code == 404
    assert "Boekje maken" not in text(client.get(PRINTS))


def test_members_are_listed_by_surname_with_how_they_are_reached(club: Club) -> None:
    MemberFactory.create(club=club, name="Jan van der Meer", phone="06-1", email="jan@example.org")
    MemberFactory.create(club=club, name="Anna Łuczak")
    MemberFactory.create(club=club, name="Gast Gans", kind="guest", number=None)
    left = MemberFactory.create(club=club, name="Weg Wouters")
    Member.objects.filter(pk=left.pk).update(is_active=False)
    (page,) = page_texts(paper(club, MEMBERS))
    assert "Leden 2 leden nummer naam telefoon e-mail" in page
    assert "2 Anna Łuczak 1 Jan van der Meer 06-1 jan@example.org Afgedrukt" in page


@pytest.mark.full
def test_a_hundred_members_are_all_there_and_the_headings_on_every_page(
    club: Club, tmp_path: Path
) -> None:
    members = MemberFactory.create_batch(100, club=club)
    content = paper(club, MEMBERS)
    pages = page_texts(content)
    assert len(pages) == 3
    assert all(page.count("nummer naam telefoon e-mail") == 1 for page in pages)
    read = " ".join(pages)
    assert all(f"{member.number} {member.name} " in read for member in members)
    assert words_off_the_page(content, tmp_path) == []


@pytest.mark.full
def test_the_fee_stands_beside_each_member_and_adds_up(club: Club) -> None:
    season_of(club, evenings=0, players=3, fee=1750)
    (page,) = page_texts(paper(club, f"{PRINTS}fees.pdf"))
    assert "2025-2026 Contributie 3 spelers nummer naam contributie betaald datum en hoe" in page
    assert "1 Jan Bakker € 17,50" in page
    assert "3 × € 17,50 = € 52,50" in page


def test_the_list_of_fees_knows_who_pays_less_nothing_or_paid_already(club: Club) -> None:
    season, (jan, mia, teun, wil, loes) = season_of(club, evenings=0, players=5, fee=1750)
    fees_set(period=season, fee=1750, reduced=1000, guest=500, actor=TESTS)
    MemberFactory.create(club=club, name="Gast van Elders", number=None, kind=Member.Kind.GUEST)
    day = dt.date(2025, 9, 3)
    for member, rate, paid, remark in (
        (mia, "reduced", None, ""),
        (teun, "free", None, "erelid"),
        (wil, "usual", 1750, "per bank"),
        (loes, "usual", 750, ""),
    ):
        fee_note(
            period=season,
            member=member,
            rate=rate,
            paid=paid,
            paid_on=day if paid else None,
            remark=remark,
            actor=TESTS,
        )
    (page,) = page_texts(paper(club, f"{PRINTS}fees.pdf"))
    assert f"1 {jan.desk_name} € 17,50 " in page
    assert f"2 {mia.desk_name} € 10,00 " in page
    assert f"3 {teun.desk_name} betaalt niets erelid" in page
    assert f"4 {wil.desk_name} € 17,50 € 17,50 3 sep 2025 · per bank" in page
    assert f"5 {loes.desk_name} € 17,50 3 sep 2025 · € 7,50 betaald" in page
    assert "Gast van Elders € 5,00" in page
    assert "3 × € 17,50 + 1 × € 10,00 + 1 × € 5,00 = € 67,50" in page


@pytest.mark.full
def test_without_a_fee_the_sum_is_left_open(club: Club) -> None:
    season_of(club, evenings=0, players=1)
    (page,) = page_texts(paper(club, f"{PRINTS}fees.pdf"))
    assert "€" not in page


@pytest.mark.full
def test_an_evening_has_certificates_for_the_first_the_last_and_the_most_pits(
    club: Club, tmp_path: Path
) -> None:
    evening = evening_with_draw(club=club, players=4, method="typed_in")
    assert desk_of(club).get(f"{EVENING}print/certificates.pdf").status_code == 404
    close_evening(evening, ns=100)
    content = paper(club, f"{EVENING}print/certificates.pdf")
    pages = page_texts(content)
    # North and South share the first place with 100 points, the others the third with 62.
    read = [re.findall(r"voor (.+?) (Winnaar|Derde plaats) (\d+) punten", page) for page in pages]
    assert read == [
        [("Jan Bakker", "Winnaar", "100")],
        [("Piet Visser", "Winnaar", "100")],
        [("Mia van der Meer", "Derde plaats", "62")],
        [("Truus de Vries", "Derde plaats", "62")],
    ]
    assert all("Oorkonde" in page and "zaterdag 21 november 2026" in page for page in pages)
    assert set(sizes(content)) == {ON_ITS_SIDE}
    assert words_off_the_page(content, tmp_path) == []


@pytest.mark.full
def test_a_season_has_certificates_the_last_one_too(club: Club) -> None:
    season_of(club, evenings=1, players=5)
    pages = page_texts(paper(club, f"{PRINTS}certificates.pdf"))
    read = [re.findall(r"voor (.+?) ([\d.]+) punten 2025-2026", page)[0] for page in pages]
    assert read == [
        ("Jan Bakker Winnaar", "4.990"),
        ("Mia van der Meer Tweede plaats", "4.980"),
        ("Piet Visser Derde plaats", "4.970"),
        ("Kees Mulder Poedelprijs", "4.950"),
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "Jan Bakker Winnaar 4.990 punten Van de club · 2025-2026"),
        (
            {"aggregate": "mean_per_evening"},
            "Jan Bakker Winnaar gemiddeld 4.990,00 punten Van de club · 2025-2026",
        ),
        ({"rank_by": "evenings"}, "Jan Bakker Winnaar 1 keer Van de club · 2025-2026"),
    ],
)
def test_a_certificate_says_of_which_standing(
    club: Club, settings: dict[str, str], sentence: str
) -> None:
    season, _people = season_of(club, evenings=1, players=1)
    season_rule_add(season=season, name="Van de club", settings=settings, actor=TESTS)
    assert sentence in page_texts(paper(club, f"{PRINTS}certificates.pdf"))[0]


@pytest.mark.full
def test_a_certificate_has_the_full_name_of_who_is_public_otherwise(club: Club) -> None:
    _season, (member,) = season_of(club, evenings=1, players=1)
    Member.objects.filter(pk=member.pk).update(public_as="initials")
    assert "voor Jan Bakker Winnaar" in page_texts(paper(club, f"{PRINTS}certificates.pdf"))[0]
    assert "Jan Bakker" not in page_texts(paper(club, f"{PRINTS}standing.pdf"))[0]


@pytest.mark.full
def test_in_english(club: Club) -> None:
    season_of(club, evenings=1, players=1)
    client = desk_of(club)
    client.cookies["django_language"] = "en"
    (page,) = page_texts(client.get(f"{PRINTS}standing.pdf").content)
    assert "place name counts plain sum behind evenings pit 6 Sep" in page
    (page,) = page_texts(client.get(f"{PRINTS}certificates.pdf").content)
    assert "Certificate for Jan Bakker Winner 4,990 points 2025-2026" in page


@pytest.mark.full
@pytest.mark.each_case
@pytest.mark.parametrize(
    ("path", "director"),
    [
        (PRINTS, 200),
        (f"{PRINTS}standing.pdf", 200),
        (f"{PRINTS}certificates.pdf", 200),
        (f"{PRINTS}fees.pdf", 403),
        (MEMBERS, 403),
    ],
)
def test_who_may_print_what(club: Club, path: str, director: int) -> None:
    season_of(club, evenings=1, players=1)
    cast = {
        organiser_of(club): 200,
        director_of(club): director,
        scorekeeper_of(club): 403,
        organiser_of(ClubFactory.create()): 403,
    }
    for user, status in cast.items():
        client = Client()
        client.force_login(user)
        assert client.get(path).status_code == status
    assert Client().get(path).status_code == 302
    gone = path.replace("2025-2026", "1999")
    if gone != path:
        assert desk_of(club).get(gone).status_code == 404


@pytest.mark.full
def test_a_director_is_not_offered_the_lists_of_members(club: Club) -> None:
    season_of(club, evenings=1, players=1)
    client = Client()
    client.force_login(director_of(club))
    page = text(client.get(PRINTS))
    assert "members.pdf" not in page
    assert "fees.pdf" not in page


@pytest.mark.full
def test_the_page_of_an_evening_leads_to_all_its_paper(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8)
    sheets = f"{EVENING}print/sheets"
    assert re.findall(r'href="([^"]*\.pdf[^"]*)"', text(desk_of(club).get(f"{EVENING}print/"))) == [
        f"{EVENING}print/draw.pdf?round=1",
        f"{EVENING}print/links.pdf",
        f"{EVENING}print/numbers.pdf",
        f"{EVENING}print/follow.pdf",
        *(f"{sheets}/1.pdf{query}" for query in ("", "?halved=1")),
        *(f"{sheets}/1.pdf?filled=1{query}" for query in ("", "&amp;halved=1")),
        *(f"{sheets}/{n}.pdf{query}" for n in (2, 3) for query in ("", "?halved=1")),
        *(f"{sheets}.pdf{query}" for query in ("", "?halved=1")),
        *(f"{EVENING}print/spare.pdf{query}" for query in ("", "?halved=1")),
        f"{EVENING}print/standings.pdf",
    ]
    close_evening(evening)
    assert f"{EVENING}print/certificates.pdf" in text(desk_of(club).get(f"{EVENING}print/"))


@pytest.mark.full
def test_before_a_draw_there_are_only_sheets_without_names(club: Club) -> None:
    EveningFactory.create(club=club)
    page = text(desk_of(club).get(f"{EVENING}print/"))
    assert "Er is meer af te drukken zodra een loting definitief is." in page
    assert re.findall(r'href="([^"]*\.pdf[^"]*)"', page) == [
        f"{EVENING}print/follow.pdf",
        f"{EVENING}print/spare.pdf",
        f"{EVENING}print/spare.pdf?halved=1",
    ]


def test_where_three_may_play_there_is_a_spare_sheet_for_them(club: Club) -> None:
    EveningFactory.create(club=club, leftover="three_handed")
    client = desk_of(club)
    found = re.findall(r'href="([^"]*spare[^"]*)"', text(client.get(f"{EVENING}print/")))
    queries = ("", "?halved=1", "?three=1", "?three=1&amp;halved=1")
    assert found == [f"{EVENING}print/spare.pdf{query}" for query in queries]
    (page,) = page_texts(client.get(f"{EVENING}print/spare.pdf?three=1").content)
    assert "Speler punten roem Tegen punten roem totaal 1 2 3" in page
    Club.objects.update(paper_sheet="reading")
    (page,) = page_texts(client.get(f"{EVENING}print/spare.pdf?three=1&halved=1").content)
    assert page.count("1, 2 en 3 zijn de spelers van de tafel in de volgorde van de loting.") == 2


@pytest.mark.full
def test_every_member_on_the_desk_finds_the_way(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=1)
    client = desk_of(club)
    edit = f"/clubs/vrolijke-boer/desk/seasons/{season.slug}/"
    assert f'href="{PRINTS}"' in text(client.get(edit))
    assert f'href="{MEMBERS}"' in text(client.get("/clubs/vrolijke-boer/desk/members/"))
    evening_with_draw(club=club, players=4)
    assert f'href="{EVENING}print/"' in text(client.get(f"{EVENING}close/"))
