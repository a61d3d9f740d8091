"""Where everybody sits, on the screen, on phones and on paper: many people, tables of three, and
people who play a round twice."""

import re
from math import ceil

import pytest
from django.test import Client

from clubs.models import Club, Member
from tests.factories import TESTS, ClubFactory, evening_with_draw
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.public_pages import evening_path, get, rows, words
from tournaments.draw.extra_tables import extra_table_make
from tournaments.models import Evening
from tournaments.printing.page import in_pages

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PAPER = f"{EVENING}print/draw.pdf"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def three_left(club: Club) -> Evening:
    """Eleven people, by hand: at table 1 Bakker, van der Meer, Visser, de Vries; at table 2
    Mulder, Smit-de Boer, Bos, van den Berg; Łuczak, Özdemir and Đặng are left over."""
    return evening_with_draw(club=club, players=11, method="typed_in", started=False)


def twice(evening: Evening) -> None:
    """Jan Bakker plays twice, so that those who are left over can play."""
    jan = Member.objects.get(number=1)
    extra_table_make(evening_id=evening.pk, round_number=1, twice=[jan], actor=TESTS)


def screen_words(client: Client, evening: Evening) -> str:
    """What the hall reads while people look for their table."""
    return words(get(client, evening_path(evening, "screen/")))


@pytest.mark.full
def test_at_a_table_of_three_the_fourth_is_a_dummy(client: Client, club: Club) -> None:
    evening = evening_with_draw(
        club=club, players=7, method="lottery", leftover="three_handed", started=False
    )
    at_two = evening.rounds.get().placements.filter(table__number=2).order_by("seat")
    names = {one.member.name for one in at_two}
    by_name = rows(get(client, evening_path(evening, "?show=names")))
    assert {row[0] for row in by_name if row[1:] == ["2", "een blinde"]} == names
    tables = words(get(client, evening_path(evening, "?show=tables")))
    east, north, south = (one.member.name for one in at_two)
    assert f"tafel 2 Noord {north} Oost {east} Zuid {south} West blinde" in tables
    assert "Bakker, Jan" in screen_words(client, evening)


@pytest.mark.full
def test_at_a_table_of_three_paper_says_so(club: Club) -> None:
    evening = evening_with_draw(
        club=club, players=7, method="lottery", leftover="three_handed", started=False
    )
    by_name, by_table = page_texts(desk_of(club).get(PAPER).content)
    for one in evening.rounds.get().placements.filter(table__number=2).select_related("member"):
        assert f"{one.member.name} met een blinde 2" in by_name
    assert by_table.count("met een blinde") == 1


@pytest.mark.full
def test_paper_of_rounds_at_the_same_table_of_three(club: Club) -> None:
    evening_with_draw(club=club, players=7, leftover="three_handed", started=False)
    by_name, by_table = page_texts(desk_of(club).get(PAPER).content)
    assert (by_name.count("met een blinde"), by_table.count("met een blinde")) == (3, 1)
    assert by_table.count(" tegen ") == 3


@pytest.mark.full
def test_who_plays_twice_has_two_lines(client: Client, three_left: Evening) -> None:
    twice(three_left)
    by_name = rows(get(client, evening_path(three_left, "?show=names")))
    lines = [row for row in by_name if row[0].startswith("Jan Bakker")]
    assert sorted(row[1] for row in lines) == ["1", "3"]
    assert [row[0] for row in lines if row[1] == "3"] == ["Jan Bakker speelt hier ook"]
    assert [row[2] for row in lines if row[1] == "1"] == ["Piet Visser"]
    assert not any(row[1] == "–" for row in by_name)
    assert screen_words(client, three_left).count("Bakker, Jan") == 2
    tables = words(get(client, evening_path(three_left, "?show=tables")))
    assert tables.count("speelt hier ook") == 1


@pytest.mark.full
def test_who_plays_twice_is_twice_on_paper(club: Club, three_left: Evening) -> None:
    twice(three_left)
    by_name, by_table = page_texts(desk_of(club).get(PAPER).content)
    assert len(re.findall(r"Jan Bakker \w+ met ", by_name)) == 2
    assert re.search(r"Jan Bakker \w+ met [^\d]+ 1 .*Jan Bakker \w+ met [^\d]+ 3 ", by_name)
    assert by_table.count("Jan Bakker") == 2
    assert "stilzitten" not in by_name + by_table


@pytest.mark.full
def test_pages_on_the_wall_say_which_part_they_are(club: Club) -> None:
    evening_with_draw(club=club, players=120, method="lottery", rounds=1, started=False)
    pages = page_texts(desk_of(club).get(PAPER).content)
    headings = [re.search(r"(?:ik\?|tafels) (\w+ – \w+) Ronde 1 ", page) for page in pages]
    # 24 people are under B, 14 under D, 7 each under H, J, K and L, 16 under M, 7 each under O and
    # P, 8 under S, 16 under V: three pages of forty.
    assert [found and found[1] for found in headings] == [
        *("B – H", "H – M", "M – V"),
        *("1 – 10", "11 – 20", "21 – 30"),
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    ("count", "most", "beside"), [(1, 42, 1), (100, 14, 2), (99, 14, 2), (400, 42, 1)]
)
def test_pages_are_about_equally_full(count: int, most: int, beside: int) -> None:
    pages = in_pages(range(count), most, beside=beside)
    assert [one for page in pages for one in page] == list(range(count))
    assert len(pages) == ceil(ceil(count / beside) / (most // beside))
    lengths = [len(page) for page in pages]
    assert max(lengths) <= most
    assert max(lengths) - min(lengths) <= 2 * beside - 1
