"""The pictures of the screen in the hall, and that they turn by themselves."""

import re

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from clubs.http.pages import lean
from clubs.models import Member
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    correct_deal,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.hall import screen_held, second_round
from tests.tournaments.public_pages import (
    close_evening,
    evening_path,
    get,
    play_round,
    rows,
    speak_english,
    words,
)
from tournaments.closing.services import evening_cancel
from tournaments.evenings.services import evening_freeze
from tournaments.hall.screen import SECONDS
from tournaments.models import Evening
from tournaments.rounds.services import round_close, table_substitute

pytestmark = pytest.mark.django_db

TYPED_IN, LOTTERY = Evening.Method.TYPED_IN, Evening.Method.LOTTERY
TITLE = re.compile(r"<h1>(.*?)</h1>", re.DOTALL)


@pytest.fixture
def evening() -> Evening:
    return evening_with_draw(players=4, method=TYPED_IN)


def picture(client: Client, evening: Evening) -> str:
    """What can be read on the screen."""
    return words(get(client, evening_path(evening, "screen/")))


def title(client: Client, evening: Evening) -> str:
    found = TITLE.search(get(client, evening_path(evening, "screen/")).content.decode())
    return words(found[1]) if found else ""


def test_every_picture_names_the_club_the_evening_and_the_round(
    client: Client, evening: Evening
) -> None:
    write_deal(table(evening), 1)
    for scene in ("seats", "standings", "tables", "movers", "pits", "code", "prizes"):
        screen_held(evening, scene)
        shown = picture(client, evening)
        assert "De Vrolijke Boer" in shown
        assert "ronde 1 · 21 nov" in shown


@pytest.mark.full
def test_scenes_take_turns_by_themselves_and_start_again(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        titles = []
        for _ in range(4):
            titles.append(title(client, evening))
            clock.shift(SECONDS)
    assert sorted(titles[:3]) == ["0 van 1 tafel klaar", "Kijk mee op uw telefoon", "Tussenstand"]
    assert titles[3] == titles[0]


def test_an_open_screen_asks_for_what_it_shows_until_there_is_another_picture(
    client: Client, evening: Evening, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    write_deal(table(evening), 1)
    path = evening_path(evening, "screen/?live=1")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        page = lean(get(client, evening_path(evening, "screen/")).content).decode()
        assert 'data-poll="?live=1"' in page
        part = get(client, path)
        assert part.content.decode().strip() in page
        seen = {"If-None-Match": part.headers["ETag"]}
        with django_assert_num_queries(2):
            assert client.get(path, headers=seen).status_code == 304
        clock.shift(SECONDS)
        assert client.get(path, headers=seen).status_code == 200
        seen = {"If-None-Match": get(client, path).headers["ETag"]}
        assert client.get(path, headers=seen).status_code == 304
        write_deal(table(evening), 2)
        assert client.get(path, headers=seen).status_code == 200


@pytest.mark.full
def test_without_scripts_the_page_reloads_and_it_may_stay_awake(
    client: Client, evening: Evening
) -> None:
    page = get(client, evening_path(evening, "screen/"))
    reload = f'<noscript><meta http-equiv="refresh" content="{SECONDS}"></noscript>'
    assert reload in page.content.decode()
    policy = page.headers["Permissions-Policy"]
    assert "screen-wake-lock=(self)" in policy
    assert "camera=()" in policy
    other = get(client, evening_path(evening)).headers["Permissions-Policy"]
    assert "screen-wake-lock=()" in other


@pytest.mark.parametrize("players", [4, 12])
def test_a_picture_asks_no_more_of_the_database_when_more_people_play(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, players: int
) -> None:
    evening = evening_with_draw(players=players, method=TYPED_IN)
    write_deal(table(evening), 1, declarer="NS", points={"NS": 162}, pit="NS")
    screen_held(evening)
    with django_assert_num_queries(12):
        get(client, evening_path(evening, "screen/"))


# The standings.


@pytest.mark.full
def test_places_stand_in_two_columns_with_the_total_beside_the_name(client: Client) -> None:
    evening = evening_with_draw(players=28, method=TYPED_IN)
    play_round(evening)
    names, ranks = [], []
    for turn, counts in enumerate(([7, 7], [7, 7])):
        screen_held(evening, "standings", turn)
        page = get(client, evening_path(evening, "screen/"))
        assert f"Tussenstand {turn + 1}/2" in words(page)
        columns = [rows(page, table=column) for column in range(len(counts))]
        assert [len(column) for column in columns] == counts
        names += [row[2] for column in columns for row in column]
        ranks += [row[0] for column in columns for row in column]
    assert (len(names), len(set(names))) == (28, 28)
    assert ranks[:5] == ["1", "1", "3", "3", "5"]
    screen_held(evening, "standings")
    assert rows(get(client, evening_path(evening, "screen/")))[0] == ["1", "", "Jan Bakker", "90"]


@pytest.mark.full
def test_only_the_first_three_places_of_all_stand_out(client: Client) -> None:
    evening = evening_with_draw(players=28, method=TYPED_IN)
    play_round(evening)
    found = []
    for turn in (0, 1):
        screen_held(evening, "standings", turn)
        page = get(client, evening_path(evening, "screen/")).content.decode()
        found.append(page.count('<tr class="podium">'))
    assert found == [4, 0]  # 1, 1, 3 and 3


@pytest.mark.full
def test_who_rose_since_the_round_before_has_an_arrow(client: Client) -> None:
    evening = evening_with_draw(players=8, method=LOTTERY, rounds=2)
    second_round(evening)
    two = table(evening, 1, 2)
    write_deal(two, 1, declarer="EW", points={"EW": 140})
    round_close(round_id=two.round_id, actor=TESTS, unfinished_reason="kort")
    screen_held(evening, "standings")
    page = get(client, evening_path(evening, "screen/"))
    trends = {row[2]: row[1] for column in (0, 1) for row in rows(page, table=column)}
    east = two.sheet.seats.get(seat="E").member
    assert east is not None
    assert trends[east.name] in ("▲", "")
    assert set(trends.values()) <= {"▲", "▼", ""}
    assert "▲" in trends.values()


@pytest.mark.full
def test_climbers_of_the_last_round_that_is_over(client: Client) -> None:
    evening = evening_with_draw(players=8, method=LOTTERY, rounds=3)
    second_round(evening)
    write_deal(table(evening, 2, 2), 1, points={"NS": 162}, pit="NS")
    screen_held(evening, "movers")
    nothing = "Als er twee rondes klaar zijn, ziet u hier wie er gestegen is."
    assert nothing in picture(client, evening)
    play_round(evening, number=2)
    shown = picture(client, evening)
    assert "De stijgers van ronde 2" in shown
    assert re.search(r"▲ \d [\w' .-]+ plaats \d\b", shown)


def test_long_names_have_initials_and_hidden_names_stay_hidden(
    client: Client, evening: Evening
) -> None:
    Member.objects.filter(number=1).update(name="Johanna Petronella van der Meer")
    Member.objects.filter(number=2).update(public_name="M.")
    write_deal(table(evening), 1)
    screen_held(evening, "standings")
    shown = picture(client, evening)
    assert "J. van der Meer" in shown
    assert "Mia" not in shown


@pytest.mark.full
def test_what_tells_namesakes_apart_stands_behind_a_name_however_long(client: Client) -> None:
    club = ClubFactory.create()
    for number in (7, 9):
        name = "Wilhelmina van den Oudenalder"
        MemberFactory.create(club=club, name=name, number=number)
    evening = evening_with_draw(club=club, players=4, method=TYPED_IN)
    write_deal(table(evening), 1)
    screen_held(evening, "standings")
    page = get(client, evening_path(evening, "screen/"))
    named = {row[2] for column in (0, 1) for row in rows(page, table=column)}
    assert {"W. v.d. Oudenalder (7)", "W. v.d. Oudenalder (9)"} < named
    screen_held(evening, "seats")
    assert "Oudenalder, Wilhelmina van den (7)" in picture(client, evening)


def test_frozen_standings_stay_secret_a_little_longer(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1, points={"NS": 162}, pit="NS")
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    for scene in ("standings", "movers", "pits"):
        screen_held(evening, scene)
        shown = picture(client, evening)
        assert "262" not in shown
        assert "Jan" not in shown
        assert "De stand blijft nog even geheim" in shown
    screen_held(evening, "tables")
    assert "1/16" in picture(client, evening)


# Where to sit.


@pytest.mark.full
def test_before_a_round_the_screen_says_where_everybody_sits(client: Client) -> None:
    evening = evening_with_draw(players=5, method=TYPED_IN, started=False)
    assert title(client, evening) == "Waar zit ik?"
    page = get(client, evening_path(evening, "screen/"))
    assert [rows(page, table=column) for column in (0, 1)] == [
        [["1", "Bakker, Jan"], ["1", "Meer, Mia van der"], ["–", "Mulder, Kees stilzitten"]],
        [["1", "Visser, Piet"], ["1", "Vries, Truus de"]],
    ]


@pytest.mark.full
@pytest.mark.parametrize(("players", "columns"), [(40, 2), (100, 3)])
def test_a_hall_finds_everybody_and_no_letters_overlap(
    client: Client, players: int, columns: int
) -> None:
    evening = evening_with_draw(players=players, method=LOTTERY, rounds=1, started=False)
    found, letters = [], []
    for turn in range(-(-players // (9 * columns))):
        screen_held(evening, "seats", turn)
        page = get(client, evening_path(evening, "screen/"))
        letters += re.findall(r'class="hall-letters"[^>]*>([^<]+)<', page.content.decode())
        for column in range(page.content.decode().count('<table class="hall-seating"')):
            found += [row[1] for row in rows(page, table=column)]
    assert (len(found), len(set(found))) == (players, players)
    spans = [span.split(" – ") for span in letters]
    ends = [(spans[at][-1], spans[at + 1][0]) for at in range(len(spans) - 1)]
    assert all(last != first for last, first in ends)
    assert max(len(span) for span in letters) <= (25 if columns == 2 else 15)
    assert letters[0].startswith("B")


@pytest.mark.full
def test_who_was_replaced_is_not_sent_to_the_table(client: Client, evening: Evening) -> None:
    late = MemberFactory.create(club=evening.club, name="Nel Invaller")
    table_substitute(
        table_id=table(evening).pk,
        seat="N",
        member=late,
        from_deal=1,
        for_himself=True,
        actor=TESTS,
    )
    screen_held(evening, "seats")
    shown = picture(client, evening)
    assert "Invaller, Nel" in shown
    assert "Bakker, Jan" not in shown


# Tables, pits, the code.


@pytest.mark.full
def test_tables_show_how_far_they_are(client: Client) -> None:
    evening = evening_with_draw(players=8, method=TYPED_IN, deals_per_round=2)
    write_deal(table(evening), 1)
    write_deal(table(evening), 2)
    write_deal(table(evening, 2), 1)
    screen_held(evening, "tables")
    shown = picture(client, evening)
    assert "1 van 2 tafels klaar" in shown
    assert "Tafel 1 klaar Tafel 2 1/2" in shown


@pytest.mark.full
def test_the_last_pits_name_who_made_them(client: Client, evening: Evening) -> None:
    screen_held(evening, "pits")
    assert "Nog niemand maakte een pit." in picture(client, evening)
    write_deal(table(evening), 1, points={"NS": 162}, pit="NS")
    assert "Wie maakte een pit?" in picture(client, evening)
    assert "Jan Bakker – Piet Visser tafel 1" in picture(client, evening)
    write_deal(table(evening), 1)
    assert "Nog niemand maakte een pit." in picture(client, evening)


@pytest.mark.full
def test_a_pit_at_a_table_of_three_is_of_whom_it_counts_for(client: Client) -> None:
    evening = evening_with_draw(players=7, rounds=1, method=LOTTERY, leftover="three_handed")
    of_three = table(evening, 2)
    line = {"declarer": "N", "pit": "NS", "points": {"NS": 162}, "seats": ["N", "E", "W"]}
    write_deal(of_three, 1, **line)
    screen_held(evening, "pits")
    (seat,) = of_three.sheet.seats.filter(pits=1)
    assert seat.member is not None
    assert f"{seat.member.name} tafel 2" in picture(client, evening)


@pytest.mark.full
def test_a_closed_evening_shows_the_podium_among_what_takes_turns(
    client: Client, evening: Evening
) -> None:
    close_evening(evening)
    screen_held(evening)
    assert title(client, evening) == "De winnaars"
    assert "Piet Visser 90 1" in picture(client, evening)
    screen_held(evening, turn=1)
    assert title(client, evening) == "Eindstand"
    correct_deal(table(evening), 1, ns=120, reason="verkeerd geteld")
    screen_held(evening)
    assert title(client, evening) == "Eindstand"


@pytest.mark.full
def test_who_cannot_scan_the_code_reads_where_to_go(
    client: Client, evening: Evening, settings: Settings
) -> None:
    settings.PUBLIC_URL = "https://klaver.example"
    screen_held(evening, "code")
    assert "Kunt u niet scannen? Ga naar klaver.example" in picture(client, evening)


@pytest.mark.full
def test_the_screen_has_something_to_say_at_any_time(client: Client, evening: Evening) -> None:
    close_evening(evening)
    screen_held(evening, "standings")
    assert "Eindstand" in picture(client, evening)
    planned = EveningFactory.create(club=evening.club)
    screen_held(planned)
    assert "zaterdag 21 november De loting komt hier zodra die er is." in picture(client, planned)
    evening_cancel(evening_id=planned.pk, actor=TESTS)
    assert "Deze avond gaat niet door." in picture(client, planned)
    speak_english(client)
    assert "This evening is called off." in picture(client, planned)


def test_a_television_finds_tonight_by_a_short_address(client: Client, evening: Evening) -> None:
    address = f"/tv/{evening.club_id}/"
    EveningFactory.create(club=evening.club, date=timezone.localdate())
    assert client.get(address).headers["Location"] == evening_path(evening, "screen/")
    assert client.get("/tv/999999/").status_code == 404
    Evening.objects.filter(pk=evening.pk).update(state="closed")
    today = Evening.objects.get(date=timezone.localdate())
    assert client.get(address).headers["Location"] == evening_path(today, "screen/")
    Evening.objects.all().delete()
    assert client.get(address).headers["Location"] == evening.club.get_absolute_url()
