"""What somebody gets who sits out or leaves halfway, as a club sets it on the page, with the worked
figures; each sentence of it is on the page with the rules."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import Club, Member
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, type_in
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close
from tournaments.draw.services import draw_publish
from tournaments.models import Evening, Season
from tournaments.registration.check_in import presence_set
from tournaments.rounds.services import round_close, round_start
from tournaments.seasons.services import season_create
from tournaments.seasons.standings import season_standings
from tournaments.standings.core.results import CountingRule
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

PUBLIC = "/clubs/vrolijke-boer/evenings/2026-11-21/"
RULES = "/clubs/vrolijke-boer/rules/?evening=2026-11-21"
USUAL = {
    "first_dealer": "left", "first_trump_clubs": "no", "maker_holds_trump": "no",
    "reneging_escalates": "no", "roem_by": "winner", "reneging_until": "count", "tie": "shared",
    "match_play_off": "no", "twice_replaces": "no", "interim": "rounds", "tie_1": "pits",
}  # fmt: skip


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def started(club: Club, players: int, rounds: int, **plan: Any) -> Evening:
    """People in order of number, 1 2 3 4 at N E S W; who is left over sits out."""
    return evening_with_draw(
        club=club, players=players, rounds=rounds, method="typed_in", deals_per_round=16, **plan
    )


def chosen(club: Club, **answers: str) -> Client:
    """What the organiser sets on the page of how the evening is played."""
    desk = desk_of(club)
    assert desk.post(f"{EVENING}rules/", USUAL | answers).status_code == 302
    return desk


def play(evening: Evening, round_number: int, ns: int, ew: int) -> None:
    """Table 1 hands in these totals, and the round is closed."""
    sheet = table(evening, 1, round_number).sheet_id
    totals = {"NS": HandedIn(total=ns), "EW": HandedIn(total=ew)}
    side_totals_write(sheet_id=sheet, totals=totals, actor=TESTS)
    round_close(
        round_id=evening.rounds.get(number=round_number).pk, actor=TESTS, unfinished_reason="test"
    )


def seat(evening: Evening, *numbers: int) -> None:
    """The next round, with these people and nobody else."""
    for member in Member.objects.filter(club=evening.club).exclude(number__in=numbers):
        if evening.registrations.filter(member=member, present=True).exists():
            presence_set(evening_id=evening.pk, member=member, present=False, actor=TESTS)
    round_ = type_in(evening, [Member.objects.get(number=number) for number in numbers])
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=round_.pk, actor=TESTS)


def totals(evening: Evening) -> dict[int | None, int]:
    evening.refresh_from_db()
    numbers = dict(Member.objects.values_list("pk", "number"))
    return {numbers[row.member_id]: row.total for row in evening_standings(evening)}


@pytest.mark.full
def test_sitting_out_is_worth_points_and_a_pit(club: Club) -> None:
    evening = started(club, 5, 1)
    chosen(club, sit_out_pits="1")
    play(evening, 1, 1500, 1092)
    row = evening_standings(Evening.objects.get())[0]
    assert (row.total, row.pits, row.rounds) == (1600, 1, {1: 1600})
    assert "Punten voor een ronde stilzitten: 1.600, en 1 × pit." in words(get(Client(), RULES))


def test_sitting_out_all_evening_is_worth_the_lowest_of_the_evening(club: Club) -> None:
    # Others end on 5,400 and 3,100.
    evening = started(club, 5, 3)
    chosen(club, sit_out_as="lowest")
    for round_number, (ns, ew) in enumerate([(1800, 1000), (1800, 1000), (1800, 1100)], start=1):
        if round_number > 1:
            type_in(evening, list(Member.objects.order_by("number")))
            draw_publish(evening_id=evening.pk, actor=TESTS)
            round_start(round_id=evening.rounds.get(number=round_number).pk, actor=TESTS)
        play(evening, round_number, ns, ew)
    assert totals(evening) == {1: 5400, 2: 3100, 3: 5400, 4: 3100, 5: 3100}
    evening_close(evening_id=evening.pk, actor=TESTS)
    page = get(Client(), PUBLIC)
    assert (
        "Kees Mulder (ronde 1, 2, 3). Wat dat oplevert: wat u tekortkomt tot het laagste totaal van"
        " de avond." in words(page)
    )
    assert (
        "Punten voor een ronde stilzitten: wat u tekortkomt tot het laagste totaal van de avond."
        in words(get(Client(), RULES))
    )


def test_a_round_out_counts_for_nothing_in_a_mean(club: Club) -> None:
    # 1,400 and one round out: mean 1,400.00.
    season: Season = season_create(club=club, name="Winter", actor=TESTS)
    evening = started(club, 5, 2, season=season)
    chosen(club, sit_out_as="nothing")
    play(evening, 1, 1700, 892)
    type_in(evening, [Member.objects.get(number=at) for at in (5, 2, 3, 4, 1)])
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    play(evening, 2, 1400, 1192)
    evening_close(evening_id=evening.pk, actor=TESTS)
    table_ = season_standings(season, CountingRule(aggregate="mean_per_round"))
    five = next(row for row in table_.rows if row.name == Member.objects.get(number=5).name)
    assert (str(five.average), five.boompjes, five.total) == ("1400.00", 1, 1400)
    assert "geen, en de ronde telt niet mee in een gemiddelde" in words(get(Client(), RULES))


def test_who_leaves_halfway_ends_on_the_lowest_total_of_who_played_on(club: Club) -> None:
    # 5 to 8 have 1,400 or 1,192 in one round and go home; who played on end on 3,000 and 2,184.
    evening = started(club, 8, 2)
    chosen(club, leaving="lowest")
    sheet = table(evening, 2).sheet_id
    handed = {"NS": HandedIn(total=1400), "EW": HandedIn(total=1192)}
    side_totals_write(sheet_id=sheet, totals=handed, actor=TESTS)
    play(evening, 1, 1500, 1092)
    assert totals(evening)[5] == 1400
    seat(evening, 1, 2, 3, 4)
    assert totals(evening)[5] == 1400
    play(evening, 2, 1500, 1092)
    assert totals(evening) == {
        1: 3000,
        3: 3000,
        2: 2184,
        4: 2184,
        5: 2184,
        6: 2184,
        7: 2184,
        8: 2184,
    }
    assert "Wie halverwege weggaat, eindigt op het laagste totaal van wie doorspeelde." in words(
        get(Client(), RULES)
    )


@pytest.mark.full
def test_without_that_they_keep_what_they_played(club: Club) -> None:
    evening = started(club, 8, 2)
    play(evening, 1, 1500, 1092)
    seat(evening, 1, 2, 3, 4)
    play(evening, 2, 1500, 1092)
    assert totals(evening)[5] == 0
