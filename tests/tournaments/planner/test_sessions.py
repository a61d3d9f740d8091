"""A tournament of several sessions: one list of people, one standing that runs along, a final."""

import datetime as dt
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.pairs import played_in_pairs
from tests.tournaments.public_pages import rows
from tournaments.closing.services import evening_close
from tournaments.draw.services import draw_make, draw_publish, draw_type_in
from tournaments.models import Competitor, Evening, EveningPair, Season
from tournaments.registration.check_in import presence_replace
from tournaments.rounds.services import round_close, round_start
from tournaments.seasons.services import season_create, season_rule_add
from tournaments.seasons.standings import main_standing

pytestmark = pytest.mark.django_db

NEXT = f"{EVENING}next-session/"
SECOND = EVENING.replace("21", "22")
STANDING = "/clubs/vrolijke-boer/seasons/toernooi/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def season_of(club: Club, *, live: bool = True) -> Season:
    return season_create(club=club, name="Toernooi", live=live, actor=TESTS)


def begun(evening: Evening, *points: int) -> None:
    """Draw a round of one deal, start it, and write this for North and South at each table."""
    draw_make(evening_id=evening.pk, actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    for at, figure in enumerate(points, start=1):
        write_deal(table(evening, at), 1, points={"NS": figure})


def session(club: Club, season: Season | None, *points: int) -> Evening:
    """A closed session of one round of one deal, four people a table."""
    evening = EveningFactory.create(
        club=club, season=season, rounds_planned=1, deals_per_round=1, method="lottery"
    )
    members = [MemberFactory.create(club=club) for _ in range(4 * len(points))]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    begun(evening, *points)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def asked(**answers: Any) -> dict[str, Any]:
    return {"date": "2026-11-22", "name": "Zitting 2", "first": "", "carry": "yes"} | answers


def totals(season: Season) -> list[str]:
    """What everybody has on the public page of the season, from the top."""
    page = Client().get(STANDING)
    return [cells[2] for cells in rows(page)]


@pytest.mark.full
def test_the_standing_runs_while_a_session_is_played(club: Club) -> None:
    season = season_of(club)
    session(club, season, 112, 100)
    desk = desk_of(club)
    assert "De volgende zitting van een toernooi" in text(desk.get(f"{EVENING}close/"))
    page = desk.post(NEXT, asked(), follow=True)
    assert page.redirect_chain == [(f"{SECOND}present/", 302)]
    assert messages_in(page) == [
        "De zitting is gemaakt, met 8 spelers op de lijst. Haal het vinkje weg bij wie niet komt."
    ]
    second = Evening.objects.get(date=dt.date(2026, 11, 22))
    assert (second.name, second.season, second.rounds_planned) == ("Zitting 2", season, 1)
    before = {row.member_id: 0 for row in second.registrations.all()}
    closed = {112, 50, 100, 62}
    begun(second, 90)
    seen = text(Client().get(STANDING))
    assert "wordt nu gespeeld en telt mee voor zover er geschreven is" in seen
    assert len(before) == 8
    # One of the tables has written 90 and 72: four people have that on top of what they had.
    tops = sorted(int(figure) for figure in totals(season))
    assert sum(tops) == 2 * sum(closed) + 2 * 90 + 2 * 72
    Season.objects.update(live=False)
    assert sum(int(figure) for figure in totals(season)) == 2 * sum(closed)


@pytest.mark.full
def test_1400_closed_and_1500_so_far_are_2900_live(club: Club) -> None:
    season = season_of(club)
    evening = EveningFactory.create(
        club=club, season=season, rounds_planned=1, deals_per_round=7, method="lottery"
    )
    members = [MemberFactory.create(club=club) for _ in range(4)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    begun(evening)
    seven_deals(evening, 90, 0)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert totals(season)[0] == "1.400"
    desk_of(club).post(NEXT, asked())
    second = Evening.objects.get(date=dt.date(2026, 11, 22))
    # The same people sit North and South again.
    seats = evening.rounds.get().placements.values_list("seat", "member_id")
    tables = [{seat: who for who in members for at, pk in seats if pk == who.pk for seat in at}]
    draw_type_in(evening_id=second.pk, tables=tables, sit_out=[], actor=TESTS)
    draw_publish(evening_id=second.pk, actor=TESTS)
    round_start(round_id=second.rounds.get().pk, actor=TESTS)
    seven_deals(second, 150, 40)
    assert totals(season)[:2] == ["2.900", "2.900"]


def seven_deals(evening: Evening, sixth: int, last: int) -> None:
    """Five pits of 262 for North and South, then these points."""
    for number in range(1, 6):
        write_deal(table(evening, 1), number, points={"NS": 162}, pit="NS")
    write_deal(table(evening, 1), 6, points={"NS": sixth})
    write_deal(table(evening, 1), 7, points={"NS": last or 0}, declarer="EW")


@pytest.mark.full
def test_24_rounds_in_two_sessions_have_prizes_of_each_and_in_all(club: Club) -> None:
    season = season_of(club)
    first = EveningFactory.create(
        club=club, season=season, rounds_planned=12, deals_per_round=1, method="balanced"
    )
    members = MemberFactory.create_batch(8, club=club)
    presence_replace(evening_id=first.pk, members=members, actor=TESTS)
    of_first = played_out(first, 0)
    desk = desk_of(club)
    desk.post(NEXT, asked())
    second = Evening.objects.get(date=dt.date(2026, 11, 22))
    of_second = played_out(second, 1)
    in_all = of_first + of_second
    assert sum(in_all.values()) == 24 * 2 * 2 * 162
    assert totals(season) == [in_words(figure) for _name, figure in in_all.most_common()]
    assert read_out(desk, f"{EVENING}prizes/") == usual_prizes(of_first)
    assert read_out(desk, f"{SECOND}prizes/") == usual_prizes(of_second)
    of_season = f"/clubs/vrolijke-boer/desk/seasons/{season.slug}/prizes/"
    assert read_out(desk, of_season) == usual_prizes(in_all)


def played_out(evening: Evening, session: int) -> Counter[str]:
    """Play all its rounds at two tables, close it, and add up what everybody has."""
    draw_make(evening_id=evening.pk, actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    figures: Counter[str] = Counter()
    for round_ in evening.rounds.order_by("number"):
        round_start(round_id=round_.pk, actor=TESTS)
        for at in (1, 2):
            ns = 82 + (7 * round_.number + 11 * at + 17 * session) % 69
            sat = table(evening, at, round_.number)
            write_deal(sat, 1, points={"NS": ns})
            for seat in sat.sheet.seats.select_related("member"):
                assert seat.member
                figures[seat.member.desk_name] += ns if seat.seat in "NS" else 162 - ns
        round_close(round_id=round_.pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return figures


def in_words(points: int) -> str:
    return f"{points:,}".replace(",", ".")


def read_out(desk: Client, page: str) -> list[tuple[str, list[str], str]]:
    lines = desk.get(page).context["lines"]
    return [(line.title, [*line.names], line.figure) for line in lines]


def usual_prizes(figures: Counter[str]) -> list[tuple[str, list[str], str]]:
    """The last, then the third to the first; nobody has the same."""
    assert len({*figures.values()}) == len(figures)
    first, second, third, *_others, last = figures.most_common()
    called = [("Poedelprijs", last), ("Plaats 3", third), ("Plaats 2", second)]
    return [
        (title, [name], f"{in_words(points)} punten")
        for title, (name, points) in [*called, ("De winnaar", first)]
    ]


def test_hidden_points_do_not_count_along(club: Club) -> None:
    season = season_of(club)
    session(club, season, 112)
    desk_of(club).post(NEXT, asked())
    second = Evening.objects.get(date=dt.date(2026, 11, 22))
    begun(second, 90)
    Evening.objects.filter(pk=second.pk).update(frozen=True)
    assert "wordt nu gespeeld" not in text(Client().get(STANDING))
    assert totals(season) == ["112", "112", "50", "50"]


@pytest.mark.both
def test_the_next_session_seats_by_standing(club: Club) -> None:
    session(club, season_of(club), 112, 100)
    desk_of(club).post(NEXT, asked(seated="on"))
    second = Evening.objects.get(date=dt.date(2026, 11, 22))
    places = dict(second.registrations.values_list("member_id", "seeded"))
    assert sorted(place or 0 for place in places.values()) == [1, 1, 3, 3, 5, 5, 7, 7]
    begun(second)
    seated = second.rounds.get().placements.values_list("table__number", "seat", "member_id")
    at = {(number, seat): places[member] for number, seat, member in seated}
    # First and fourth against second and third.
    assert at == {
        (1, "N"): 1,
        (1, "S"): 3,
        (1, "E"): 1,
        (1, "W"): 3,
        (2, "N"): 5,
        (2, "S"): 7,
        (2, "E"): 5,
        (2, "W"): 7,
    }
    rules = text(Client().get("/clubs/vrolijke-boer/rules/"))
    assert "De eerste ronde gaat op de stand van de zittingen daarvoor." in rules


@pytest.mark.parametrize(("carry", "in_season"), [("yes", True), ("no", False)])
def test_the_first_four_go_to_a_final(club: Club, carry: str, in_season: bool) -> None:
    season = season_of(club)
    session(club, season, 112, 100)
    desk_of(club).post(NEXT, asked(name="Finale", first="4", carry=carry))
    final = Evening.objects.get(date=dt.date(2026, 11, 22))
    assert (final.registrations.count(), final.season) == (4, season if in_season else None)
    begun(final, 60)
    # 112 and 100 so far; whoever is with 60 or with 102, the others have 62 and 50.
    figures = sorted((int(figure) for figure in totals(season)), reverse=True)
    assert figures[4:] == [62, 62, 50, 50]
    assert sum(figures[:4]) == 2 * 212 + in_season * 2 * 162
    event = AuditEvent.objects.get(action="session_started")
    assert event.data == {"from": "2026-11-21", "count": 4, "first": 4}


@pytest.mark.full
def test_who_shares_the_last_place_of_a_final_plays_too(club: Club) -> None:
    session(club, season_of(club), 112, 100)
    desk_of(club).post(NEXT, asked(first="5"))
    assert Evening.objects.get(date=dt.date(2026, 11, 22)).registrations.count() == 6


@pytest.mark.full
def test_a_final_of_more_than_there_are_is_refused(club: Club) -> None:
    session(club, season_of(club), 112, 100)
    desk = desk_of(club)
    page = desk.post(NEXT, asked(first="16", name="Finale"))
    assert page.status_code == 422
    assert "Er staan maar 8 spelers in de stand: een finale van 16 kan niet." in text(page)
    assert 'value="Finale"' in text(page)
    for nonsense in ("3", "-1", "x", "9" * 30):
        assert [*desk.post(NEXT, asked(first=nonsense)).context["form"].errors] == ["first"]
    assert Evening.objects.count() == 1


def test_a_final_of_pairs_counts_pairs(club: Club) -> None:
    season = season_of(club)
    season_rule_add(season=season, name="Paren", settings={"ranks": "pair"}, actor=TESTS)
    evening = played_in_pairs(club)
    Evening.objects.filter(pk=evening.pk).update(season=season, ranks="pair")
    evening_close(evening_id=evening.pk, actor=TESTS)
    desk = desk_of(club)
    assert "In de stand: 4 paren." in text(desk.get(NEXT))
    page = desk.post(NEXT, asked(first="5", name="Finale"))
    assert "Er staan maar 4 paren in de stand: een finale van 5 kan niet." in text(page)
    desk.post(NEXT, asked(first="2", name="Finale", seated="on"))
    final = Evening.objects.get(date=dt.date(2026, 11, 22))
    best = {pair.competitor.name for pair in EveningPair.objects.filter(evening=final)}
    winners = main_standing(season).rows[:2]
    assert [row.name for row in winners] == sorted(best, key=[r.name for r in winners].index)
    places = final.registrations.order_by("seeded").values_list("seeded", flat=True)
    assert list(places) == [1, 1, 2, 2]
    assert len(set(final.registrations.values_list("pair", flat=True))) == 2


@pytest.mark.full
def test_a_pair_that_missed_the_last_session_is_in_the_final(club: Club) -> None:
    season = season_of(club)
    season_rule_add(season=season, name="Paren", settings={"ranks": "pair"}, actor=TESTS)
    first = played_in_pairs(club)
    Evening.objects.filter(pk=first.pk).update(
        season=season, ranks="pair", date=dt.date(2026, 11, 14)
    )
    evening_close(evening_id=first.pk, actor=TESTS)
    second = played_in_pairs(club)
    Evening.objects.filter(pk=second.pk).update(season=season, ranks="pair")
    evening_close(evening_id=second.pk, actor=TESTS)
    desk_of(club).post(NEXT, asked(first="8", name="Finale"))
    final = Evening.objects.get(date=dt.date(2026, 11, 22))
    assert final.registrations.count() == 16
    names = set(EveningPair.objects.filter(evening=final).values_list("competitor", flat=True))
    assert names == set(Competitor.objects.values_list("pk", flat=True))
    assert EveningPair.objects.filter(evening=final).count() == 8


@pytest.mark.full
def test_a_session_without_people_is_refused(club: Club) -> None:
    evening = EveningFactory.create(club=club)
    desk = desk_of(club)
    assert "Deze avond is nog niet afgesloten." in text(desk.get(NEXT))
    page = desk.post(NEXT, asked())
    assert (page.status_code, Evening.objects.count()) == (422, 1)
    Evening.objects.filter(pk=evening.pk).update(state="closed")
    page = desk.post(NEXT, asked())
    assert "Er was niemand: er is niemand om mee verder te gaan." in text(page)
    assert Evening.objects.count() == 1


@pytest.mark.full
def test_the_desk_ticks_that_the_evening_counts_along(club: Club) -> None:
    season = season_of(club, live=False)
    desk = desk_of(club)
    answers = {"name": "Toernooi", "starts": "", "ends": "", "fee": "", "live": "on"}
    desk.post(f"/clubs/vrolijke-boer/desk/seasons/{season.slug}/", answers)
    season.refresh_from_db()
    assert season.live
