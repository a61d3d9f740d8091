"""The public page of an evening: what everybody sees of it, and when."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.merges.services import guest_merge, merge_undo
from clubs.models import Club, Member
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import (
    close_evening,
    evening_path,
    get,
    play_round,
    rows,
    speak_english,
    words,
)
from tournaments.closing.services import evening_cancel, evening_close, evening_reopen
from tournaments.draw.services import draw_make, draw_publish
from tournaments.evenings.services import evening_freeze
from tournaments.evenings.texts import length_line
from tournaments.models import Evening
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.releases.queries import PublicRow
from tournaments.releases.services import stale_release
from tournaments.results.standing import podium
from tournaments.rounds.services import round_reopen, round_start, table_substitute

pytestmark = pytest.mark.django_db

FOUR = ["Jan Bakker", "Mia van der Meer", "Piet Visser", "Truus de Vries"]
TYPED_IN = Evening.Method.TYPED_IN
STANDINGS_OF_ONE_DEAL = [
    ["1", "Jan Bakker", "90", "90", "0"],
    ["1", "Piet Visser", "90", "90", "0"],
    ["3", "Mia van der Meer", "72", "72", "0"],
    ["3", "Truus de Vries", "72", "72", "0"],
]


@pytest.fixture
def evening() -> Evening:
    """One table, seats in order N E S W, the first round running."""
    return evening_with_draw(players=4, method=TYPED_IN)


def test_a_planned_evening_says_what_is_to_come(client: Client) -> None:
    evening = EveningFactory.create(name="Kerstdrive")
    page = get(client, evening_path(evening))
    assert "Kerstdrive zaterdag 21 november 2026" in words(page)
    assert "gepland 3 rondes van 16 spellen Na de loting vindt u hier uw tafel." in words(page)
    assert rows(page) == []


@pytest.mark.full
def test_one_round_of_one_deal_is_said_as_one(client: Client) -> None:
    evening = EveningFactory.create(rounds_planned=1, deals_per_round=1)
    assert "gepland 1 ronde van 1 spel Na de loting" in words(get(client, evening_path(evening)))
    desk = desk_of(evening.club)
    assert "1 ronde van 1 spel, " in words(get(desk, f"/clubs/{evening.club.slug}/desk/"))
    assert length_line(evening) == "Wij spelen 1 ronde van 1 spel."


@pytest.mark.each_case
@pytest.mark.parametrize("more", ["", "live/", "?show=names", "?show=tables", "screen/"])
def test_a_draft_of_the_draw_is_nobodys_business(client: Client, more: str) -> None:
    evening = EveningFactory.create()
    people = [MemberFactory.create(club=evening.club) for _ in range(4)]
    presence_replace(evening_id=evening.pk, members=people, actor=TESTS)
    draw_make(evening_id=evening.pk, actor=TESTS)

    assert "Bakker" not in get(client, evening_path(evening, more)).content.decode()
    assert client.get(evening_path(evening, "rounds/1/tables/1/")).status_code == 404
    draw_publish(evening_id=evening.pk, actor=TESTS)
    assert "Bakker" in get(client, evening_path(evening, more)).content.decode()
    assert client.get(evening_path(evening, "rounds/1/tables/1/")).status_code == 200


@pytest.mark.full
def test_a_final_draw_opens_on_where_everybody_sits(client: Client) -> None:
    evening = evening_with_draw(players=5, method=TYPED_IN, started=False)
    page = get(client, evening_path(evening))
    assert "Zaterdag 21 november 2026 geloot 3 rondes van 16 spellen" in words(page)
    assert "Loting van ronde 1" in words(page)
    assert rows(page) == [
        ["Jan Bakker", "1", "Piet Visser"],
        ["Mia van der Meer", "1", "Truus de Vries"],
        ["Kees Mulder", "–", "stilzitten"],
        ["Piet Visser", "1", "Jan Bakker"],
        ["Truus de Vries", "1", "Mia van der Meer"],
    ]


@pytest.mark.full
def test_who_sits_out_is_called_by_the_clubs_own_word(client: Client) -> None:
    evening = evening_with_draw(players=5, method=TYPED_IN)
    Club.objects.update(sit_out_word="joker")
    assert "Joker: Kees Mulder" in words(get(client, evening_path(evening, "?show=tables")))
    assert ["Kees Mulder", "–", "joker"] in rows(get(client, evening_path(evening, "?show=names")))


@pytest.mark.full
def test_before_the_first_deal_there_is_no_place_to_show(client: Client, evening: Evening) -> None:
    page = get(client, evening_path(evening))
    assert "zodra een tafel een spel schrijft" in words(page)
    assert rows(page) == []


@pytest.mark.full
def test_a_running_evening_shows_places_as_they_are_now(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1)
    page = get(client, evening_path(evening))
    assert rows(page) == STANDINGS_OF_ONE_DEAL
    assert "Ronde 1 wordt gespeeld. De stand loopt vanzelf mee." in words(page)
    write_deal(table(evening), 2, pit="EW", declarer="EW", points={})
    assert rows(get(client, evening_path(evening)))[0] == [
        *("1", "Mia van der Meer", "334", "334", "1"),
    ]


@pytest.mark.full
def test_a_tables_sheet_can_be_read_while_it_is_written(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1, declarer="N", roem={"NS": [20]})
    assert "Tellijst van tafel 1 1 van 16 spellen" in words(
        get(client, evening_path(evening, "?show=tables"))
    )
    sheet = get(client, evening_path(evening, "rounds/1/tables/1/"))
    assert "Wij Jan Bakker – Piet Visser 38 voor 110" in words(sheet)
    assert rows(sheet)[0][2:] == ["90", "20", "110", "72", "", "72"]
    assert "/desk/" not in sheet.content.decode()


@pytest.mark.full
def test_before_the_round_a_table_shows_who_sits_there(client: Client) -> None:
    evening = evening_with_draw(players=4, method=TYPED_IN, started=False)
    page = words(get(client, evening_path(evening, "rounds/1/tables/1/")))
    assert all(name in page for name in FOUR)
    assert "De tellijst kunt u hier lezen zodra de ronde is begonnen." in page


@pytest.mark.each_case
@pytest.mark.parametrize("more", ["", "?show=tables", "?show=names", "live/", "rounds/1/tables/1/"])
def test_frozen_hides_every_point_and_keeps_the_draw(
    client: Client, evening: Evening, more: str
) -> None:
    write_deal(table(evening), 1, points={"NS": 93})
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    for who in (client, Client()):
        shown = words(get(who, evening_path(evening, more)))
        assert "93" not in shown
        assert "69" not in shown
        assert "geheim" in shown.casefold()
        client.force_login(director_of(evening.club))

    evening_freeze(evening_id=evening.pk, frozen=False, actor=TESTS)
    if more not in ("?show=tables", "?show=names"):
        assert "93" in words(get(client, evening_path(evening, more)))


@pytest.mark.full
def test_frozen_still_tells_people_where_they_sit(client: Client, evening: Evening) -> None:
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    named = get(client, evening_path(evening, "?show=names&q=visser"))
    assert rows(named) == [["Piet Visser", "1", "Jan Bakker"]]
    tables = get(client, evening_path(evening, "?show=tables"))
    assert "Mia van der Meer" in words(tables)
    assert "Tellijst" not in words(tables)


@pytest.mark.full
def test_a_closed_evening_shows_what_was_published(client: Client, evening: Evening) -> None:
    close_evening(evening)
    page = get(client, evening_path(evening))
    assert rows(page) == STANDINGS_OF_ONE_DEAL
    assert "uitslag 1 Gepubliceerd op" in words(page)
    Evening.objects.update(sit_out_score=1)
    table(evening).sheet.seats.update(score=1)
    assert rows(get(client, evening_path(evening))) == STANDINGS_OF_ONE_DEAL


@pytest.mark.full
def test_the_first_three_places_stand_on_a_podium(client: Client) -> None:
    evening = evening_with_draw(players=8, method=TYPED_IN)
    write_deal(table(evening, 2), 1, points={"NS": 80})
    close_evening(evening)
    steps = re.findall(r'<li class="podium-(\d)">(.*?)</li>', get_text(client, evening), re.DOTALL)
    assert [(place, words(step)) for place, step in steps] == [
        ("1", "Annie Smit-de Boer Riet van den Berg 1 162"),
        ("3", "Jan Bakker Piet Visser 3 90"),
    ]


@pytest.mark.full
def test_where_more_share_a_place_than_fit_there_is_no_podium() -> None:
    shared = [PublicRow(1, pk, "Jan", 90, {1: 90}, 0) for pk in range(4)]
    assert podium(shared, str) == []
    assert [step.place for step in podium([*shared[:3], shared[0]._replace(rank=4)], str)] == [1]


@pytest.mark.full
def test_between_rounds_arrows_say_who_went_up_and_down(client: Client) -> None:
    evening = evening_with_draw(players=4, rounds=2)
    play_round(evening, number=1)
    assert "data-move" not in get_text(client, evening)
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    assert "data-move" not in get_text(client, evening)
    play_round(evening, number=2, ns=60)
    arrows = re.findall(
        r'class="(\w+)" data-move="(\d*)" title="([^"]*)"', get_text(client, evening)
    )
    assert arrows == [
        ("same", "", "dezelfde plaats"),
        ("up", "1", "1 plaats omhoog"),
        ("down", "2", "2 plaatsen omlaag"),
        ("down", "1", "1 plaats omlaag"),
    ]


def get_text(client: Client, evening: Evening) -> str:
    return get(client, evening_path(evening)).content.decode()


@pytest.mark.full
def test_a_correction_is_a_new_release_beside_the_old_one(client: Client, evening: Evening) -> None:
    close_evening(evening)
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    reopened = words(get(client, evening_path(evening)))
    assert "Deze avond is weer geopend en wordt nagekeken. Gepubliceerd is uitslag 1" in reopened

    round_reopen(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    play_round(evening, ns=85)
    evening_close(evening_id=evening.pk, actor=TESTS, reason="Verkeerd geteld")
    page = get(client, evening_path(evening))
    assert [row[2] for row in rows(page)] == ["85", "85", "77", "77"]
    assert "Reden: Verkeerd geteld" in words(page)
    assert "Jan Bakker : blijft op plaats 1, van 90 naar 85 punten" in words(page)

    before = get(client, evening_path(evening, "?release=1"))
    assert rows(before) == STANDINGS_OF_ONE_DEAL
    assert "U kijkt naar uitslag 1. De laatste is uitslag 2" in words(before)
    assert f'href="{evening_path(evening)}?release=2"' in before.content.decode()


@pytest.mark.full
def test_a_release_published_stays_readable_while_the_evening_is_open_and_frozen(
    client: Client, evening: Evening
) -> None:
    close_evening(evening)
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    assert rows(get(client, evening_path(evening))) == []
    assert rows(get(client, evening_path(evening, "?release=1"))) == STANDINGS_OF_ONE_DEAL


def test_an_evening_called_off_says_so(client: Client) -> None:
    evening = evening_with_draw(players=4, started=False)
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    page = words(get(client, evening_path(evening)))
    assert "afgelast Deze avond gaat niet door. Er is niet gespeeld." in page
    assert "Bakker" not in page


@pytest.mark.full
@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("luczak", ["Wim Łuczak"]),
        ("MEER mia", ["Mia van der Meer"]),
        ("ozd", ["Corrie Özdemir"]),
        ("niemand", []),
        ("", 12),
    ],
)
def test_a_name_is_found_without_accents_capitals_or_javascript(
    client: Client, wanted: str, found: list[str] | int
) -> None:
    evening = evening_with_draw(players=12)
    page = get(client, evening_path(evening, f"?show=names&q={wanted}"))
    names = [row[0] for row in rows(page)]
    assert names == found if isinstance(found, list) else len(names) == found
    assert ("niemand met de naam ‘niemand’" in words(page)) == (not names)


@pytest.mark.full
def test_earlier_rounds_can_be_looked_back_at(client: Client) -> None:
    evening = evening_with_draw(players=8, method=Evening.Method.LOTTERY, rounds=2)
    round_1 = rows(get(client, evening_path(evening, "?round=1")))
    play_round(evening)
    draw_make(evening_id=evening.pk, actor=TESTS, seed=5)
    assert rows(get(client, evening_path(evening, "?show=names"))) == round_1
    draw_publish(evening_id=evening.pk, actor=TESTS)

    now = get(client, evening_path(evening, "?show=names"))
    assert "Loting van ronde 2" in words(now)
    assert rows(now) != round_1
    assert rows(get(client, evening_path(evening, "?show=names&round=1"))) == round_1


@pytest.mark.full
def test_a_substitute_sits_where_he_took_over(client: Client, evening: Evening) -> None:
    substitute = MemberFactory.create(club=evening.club)
    table_substitute(
        table_id=table(evening).pk,
        seat="N",
        member=substitute,
        from_deal=3,
        for_himself=True,
        actor=TESTS,
    )
    assert rows(get(client, evening_path(evening, "?show=names"))) == [
        ["Jan Bakker vervangen door Kees Mulder", "1", "Piet Visser"],
        ["Mia van der Meer", "1", "Truus de Vries"],
        ["Kees Mulder", "1", "Piet Visser"],
        ["Piet Visser", "1", "Kees Mulder"],
        ["Truus de Vries", "1", "Mia van der Meer"],
    ]
    seats = words(get(client, evening_path(evening, "?show=tables")))
    assert "Wij Kees Mulder invaller" in seats
    assert "Jan Bakker" not in seats


PAGES = ["", "?show=names", "?show=tables", "live/", "rounds/1/tables/1/"]


@pytest.mark.each_case
@pytest.mark.parametrize("more", PAGES)
def test_nobody_reads_a_hidden_name_an_address_or_a_number(
    client: Client, evening: Evening, more: str
) -> None:
    Member.objects.filter(number=1).update(
        public_name="J.", email="jan@thuis.example", phone="0612345678"
    )
    for state in ("running", "closed"):
        if state == "running":
            write_deal(table(evening), 1)
        else:
            close_evening(evening)
        page = get(client, evening_path(evening, more)).content.decode()
        assert "J." in words(page)
        assert re.search(r"\bJan\b", page) is None  # a form's token can hold these letters
        assert "thuis.example" not in page
        assert "0612345678" not in page


def test_a_hidden_name_cannot_be_searched_for(client: Client, evening: Evening) -> None:
    Member.objects.filter(number=1).update(public_name="J.")
    assert rows(get(client, evening_path(evening, "?show=names&q=bakker"))) == []


@pytest.mark.full
def test_a_guest_who_became_a_member_is_that_member_in_what_was_published(client: Client) -> None:
    club = ClubFactory.create()
    guest = MemberFactory.create(club=club, kind=Member.Kind.GUEST, number=1, name="Jo Gast")
    evening = evening_with_draw(players=4, method=TYPED_IN, club=club)
    close_evening(evening)
    member = MemberFactory.create(club=club, name="Jo Gastman", public_name="Jo G.")
    others = ["Piet Visser", "Mia van der Meer", "Truus de Vries"]
    merge = guest_merge(guest=guest, member=member, actor=TESTS)
    page = get(client, evening_path(evening))
    assert [row[1] for row in rows(page)] == ["Jo G.", *others]
    assert stale_release(Evening.objects.get(pk=evening.pk)) is None
    merge_undo(merge=merge, actor=TESTS)
    page = get(client, evening_path(evening))
    assert [row[1] for row in rows(page)] == ["Jo Gast", *others]
    assert stale_release(Evening.objects.get(pk=evening.pk)) is None


@pytest.mark.full
@pytest.mark.parametrize(
    "path",
    [
        "/clubs/vrolijke-boer/evenings/2026-11-22/",
        "/clubs/vrolijke-boer/evenings/2026-11-21-1/",
        "/clubs/vrolijke-boer/evenings/2026-11-21-3/",
        "/clubs/vrolijke-boer/evenings/2026-W47-6/",
        "/clubs/vrolijke-boer/evenings/2026-13-45/",
        "/clubs/vrolijke-boer/evenings/gisteren/",
        "/clubs/club-2/evenings/2026-11-21/",
        "/clubs/nergens/evenings/2026-11-21/",
        "/clubs/vrolijke-boer/evenings/2026-11-21/?round=4",
        "/clubs/vrolijke-boer/evenings/2026-11-21/?round=0",
        "/clubs/vrolijke-boer/evenings/2026-11-21/?show=names&round=x",
        "/clubs/vrolijke-boer/evenings/2026-11-21/?release=1",
        "/clubs/vrolijke-boer/evenings/2026-11-21/?release=99999999999999999999",
        "/clubs/vrolijke-boer/evenings/2026-11-21/rounds/1/tables/2/",
        "/clubs/vrolijke-boer/evenings/2026-11-21/rounds/4/tables/1/",
        "/clubs/vrolijke-boer/evenings/2026-11-21/rounds/99999999999999999999/tables/1/",
        "/clubs/vrolijke-boer/evenings/2026-11-22/live/",
        "/clubs/vrolijke-boer/evenings/2026-11-22/screen/",
    ],
)
def test_what_is_not_there_is_not_found(client: Client, evening: Evening, path: str) -> None:
    ClubFactory.create()
    assert client.get(path).status_code == 404


def test_two_evenings_on_one_day_each_have_their_page(client: Client, evening: Evening) -> None:
    second = EveningFactory.create(club=evening.club)
    assert evening_path(second) == "/clubs/vrolijke-boer/evenings/2026-11-21-2/"
    page = words(get(client, evening_path(second)))
    assert "Zaterdag 21 november 2026 (2)" in page
    assert "gepland" in page


@pytest.mark.full
def test_nothing_can_be_written_here(client: Client, evening: Evening) -> None:
    for more in ("", "live/", "screen/", "rounds/1/tables/1/"):
        assert client.post(evening_path(evening, more)).status_code == 405


@pytest.mark.full
def test_the_page_speaks_english_to_who_asks(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1)
    speak_english(client)
    page = words(get(client, evening_path(evening)))
    assert "Standings so far" in page
    assert "Round 1 is being played. The standings keep up by themselves." in page
    assert "Saturday 21 November 2026" in page


@pytest.mark.full
def test_who_sat_out_stands_below_the_standings(client: Client) -> None:
    evening = evening_with_draw(players=5, method=TYPED_IN)
    close_evening(evening)
    assert "Stilzitten: Kees Mulder (ronde 1). Dat geeft 1.600 punten per ronde." in words(
        get(client, evening_path(evening))
    )


@pytest.mark.parametrize("players", [4, 12])
def test_no_page_asks_more_of_the_database_when_more_people_play(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, players: int
) -> None:
    evening = evening_with_draw(players=players, method=TYPED_IN)
    write_deal(table(evening), 1)
    path = evening_path(evening)
    for more, queries in {
        "": 8,
        "?show=names": 6,
        "?show=tables": 6,
        "rounds/1/tables/1/": 5,
    }.items():
        with django_assert_num_queries(queries):
            get(client, path + more)
    close_evening(evening)
    # In a transaction nothing is kept of the story: tests/tournaments/story says what it costs.
    with django_assert_num_queries(16):
        get(client, path)


@pytest.mark.full
def test_a_latecomer_is_not_in_the_draw_before_it_is_made_again(
    client: Client, evening: Evening
) -> None:
    late = MemberFactory.create(club=evening.club)
    presence_set(evening_id=evening.pk, member=late, present=True, actor=TESTS)
    assert late.name not in words(get(client, evening_path(evening, "?show=names")))


@pytest.mark.full
def test_the_next_round_of_a_rotation_is_known_beforehand(client: Client) -> None:
    evening = evening_with_draw(players=4)
    first = rows(get(client, evening_path(evening, "?show=names")))
    second = rows(get(client, evening_path(evening, "?show=names&round=2")))
    assert [row[:2] for row in first] == [row[:2] for row in second]
    assert [row[2] for row in first] != [row[2] for row in second]
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    assert rows(get(client, evening_path(evening, "?show=names"))) == second
