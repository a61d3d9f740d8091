"""Seasons made of evenings of one round with people seated by hand, and of results from before."""

import datetime as dt
import io
from typing import Any

from clubs.models import Member
from tests.factories import TESTS, EveningFactory, MemberFactory, table, write_deal
from tournaments.closing.services import evening_close
from tournaments.draw.services import draw_publish, draw_type_in
from tournaments.imports.results import results_import
from tournaments.models import Evening, Season
from tournaments.registration.check_in import presence_replace
from tournaments.rounds.services import round_close, round_start

SATURDAY = dt.date(2026, 11, 21)


def before(season: Season, *results: str) -> None:
    """Earlier results Klaverclub: date, player, score and absence."""
    text = "\n".join(["evening,player,score,absence", *results])
    source = io.BytesIO(text.encode())
    results_import(club=season.club, season_name=season.name, source=source, actor=TESTS)


def one_deal(season: Season, week: int, seats: str, *, ns: int, **plan: Any) -> Evening:
    """An evening of one round: one deal is written, in which NS play and take so many of 162."""
    evening = seated(season, week, seats, **{"deals_per_round": 1, **plan})
    write_deal(table(evening), 1, points={"NS": ns})
    return finish(evening)


def seated(season: Season, week: int, seats: str, **plan: Any) -> Evening:
    """An evening with its only round started: members by number, N E S W of table 1 first."""
    people = {str(member.number): member for member in Member.objects.of(season.club)}
    for number in sorted(set(seats) - set(people)):
        people[number] = MemberFactory.create(club=season.club)
    evening = EveningFactory.create(
        club=season.club,
        season=season,
        date=SATURDAY + dt.timedelta(weeks=week),
        rounds_planned=1,
        method="typed_in",
        **plan,
    )
    members = [people[number] for number in seats]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    tables = [members[at : at + 4] for at in range(0, len(members), 4)]
    seatings = [dict(zip("NESW", at_table, strict=False)) for at_table in tables]
    draw_type_in(evening_id=evening.pk, tables=seatings, sit_out=[], actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    return evening


def finish(evening: Evening) -> Evening:
    """Close its round, full or not, and publish."""
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="kort")
    evening_close(evening_id=evening.pk, actor=TESTS)
    return evening
