"""A club of 400 with a whole season of deals, put straight into a database.

`python -m tests.load.big_club SLUG`: 30 evenings of 3 rounds at 100 tables of 16 deals, and one
that is being played, in a minute or two where the services would take hours. The sheets add up;
they have no trail.
"""

import datetime as dt
import os
import sys
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()

from django.db import connection, transaction
from django.utils import timezone

from clubs.audit.services import Actor
from clubs.models import Club, Member
from clubs.profile.services import club_create
from clubs.text.names import name_key, sort_key
from scoring.models import Deal, DealEntry, Regulation, Scoresheet, Seat
from scoring.regulations.services import regulation_from_preset
from scoring.rules import SEATS, evaluate, side_of
from tests.factories import full_name
from tournaments.demo.evenings import Chance
from tournaments.models import Evening, Placement, Registration, Round, Season, Table
from tournaments.releases.services import release_publish
from tournaments.seasons.services import season_create, season_rule_add

if TYPE_CHECKING:
    from scoring.rules import Seat as SeatName

BENCH = Actor.of_program("bench")
FIRST_EVENING = dt.date(2026, 1, 5)
BATCH = 5_000
KINDS_OF_DEALS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large the club and its season are; everybody comes every evening."""

    members: int = 400
    evenings: int = 30
    rounds: int = 3
    deals: int = 16


@dataclass(frozen=True, slots=True)
class Played:
    """A deal as it is written, and what it comes to."""

    written: dict[str, Any]
    result: dict[str, Any]


def big_club_make(slug: str, size: Size | None = None) -> Club:
    """The club with one season of closed and published evenings, and one evening whose rounds
    are closed but which itself is still open."""
    size = size or Size()
    club = club_create(slug=slug, name="De Grote Zaal", actor=BENCH)
    regulation = regulation_from_preset(club=club, preset="amsterdam", actor=BENCH)
    season = season_create(club=club, name="Seizoen", actor=BENCH)
    rule = {"best_per_period": max(1, size.evenings * 2 // 3)}
    season_rule_add(season=season, name="Klassement", settings=rule, actor=BENCH)
    members = _members(club, size.members)
    chance = Random(slug)
    kinds = _kinds_of_deals(regulation)
    for number in range(size.evenings + 1):
        evening = _evening(season, regulation, number, size, open_=number == size.evenings)
        with transaction.atomic():
            _play(evening, members, kinds, chance, size)
        if evening.state == Evening.State.CLOSED:
            release_publish(evening=evening, actor=BENCH)
    return club


def _members(club: Club, count: int) -> list[Member]:
    names = [full_name(number) for number in range(1, count + 1)]
    return Member.objects.bulk_create(
        Member(
            club=club,
            number=number,
            name=name,
            name_key=name_key(name),
            sort_name=sort_key(name),
        )
        for number, name in enumerate(names, start=1)
    )


def _kinds_of_deals(regulation: Regulation) -> list[Played]:
    deals = Chance("bench", regulation.rules).deals(KINDS_OF_DEALS).values()
    return [Played(dict(one), evaluate(one, regulation.rules).as_json()) for one in deals]


def _evening(
    season: Season, regulation: Regulation, number: int, size: Size, *, open_: bool
) -> Evening:
    return Evening.objects.create(
        club=season.club,
        season=season,
        regulation=regulation,
        date=FIRST_EVENING + dt.timedelta(weeks=number),
        rounds_planned=size.rounds,
        deals_per_round=size.deals,
        method=Evening.Method.BALANCED,
        state=Evening.State.RUNNING if open_ else Evening.State.CLOSED,
    )


def _play(
    evening: Evening, members: Sequence[Member], kinds: Sequence[Played], chance: Random, size: Size
) -> None:
    Registration.objects.bulk_create(
        [Registration(evening=evening, member=member) for member in members], batch_size=BATCH
    )
    for number in range(1, size.rounds + 1):
        round_ = Round.objects.create(evening=evening, number=number, state=Round.State.CLOSED)
        people = chance.sample(list(members), len(members))
        hands = [chance.choices(kinds, k=size.deals) for _ in range(len(people) // 4)]
        sheets = _sheets(evening, hands)
        tables = Table.objects.bulk_create(
            Table(round=round_, number=place, sheet=sheet)
            for place, sheet in enumerate(sheets, start=1)
        )
        _seats(round_, tables, hands, people)
        _deals(sheets, hands)


def _sheets(evening: Evening, hands: Iterable[Sequence[Played]]) -> list[Scoresheet]:
    return Scoresheet.objects.bulk_create(
        Scoresheet(
            club=evening.club,
            regulation=evening.regulation,
            deals_planned=len(hand),
            state=Scoresheet.State.CLOSED,
            version=len(hand),
            deals_entered=len(hand),
            score_ns=sum(played.result["score"]["NS"] for played in hand),
            score_ew=sum(played.result["score"]["EW"] for played in hand),
            last_entry_at=timezone.now(),
        )
        for hand in hands
    )


def _seats(
    round_: Round,
    tables: Iterable[Table],
    hands: Iterable[Sequence[Played]],
    people: Sequence[Member],
) -> None:
    seats, placements = [], []
    waiting = iter(people)
    for table, hand in zip(tables, hands, strict=True):
        for chair in SEATS:
            member = next(waiting)
            seats.append(
                Seat(sheet=table.sheet, seat=chair, member=member, **_figures(chair, hand))
            )
            placements.append(Placement(round=round_, member=member, table=table, seat=chair))
    Seat.objects.bulk_create(seats, batch_size=BATCH)
    Placement.objects.bulk_create(placements, batch_size=BATCH)


def _figures(chair: "SeatName", hand: Sequence[Played]) -> dict[str, int]:
    side = side_of(chair)
    return {
        "score": sum(played.result["players"][chair] for played in hand),
        "roem": sum(played.result["roem"][side] for played in hand),
        "pits": sum(played.result["pit"] == side for played in hand),
        "nats": sum(
            played.result["nat"] and side_of(played.written["declarer"]) == side for played in hand
        ),
        "deals": len(hand),
    }


def _deals(sheets: Sequence[Scoresheet], hands: Sequence[Sequence[Played]]) -> None:
    deals = Deal.objects.bulk_create(
        (
            Deal(sheet=sheet, number=number, version=1)
            for sheet, hand in zip(sheets, hands, strict=True)
            for number in range(1, len(hand) + 1)
        ),
        batch_size=BATCH,
    )
    now = timezone.now()
    flat = (played for hand in hands for played in hand)
    DealEntry.objects.bulk_create(
        [
            DealEntry(
                uuid=uuid.uuid4(),
                deal=deal,
                revision=1,
                written=played.written,
                result=played.result,
                actor="program:bench",
                made_at=now,
            )
            for deal, played in zip(deals, flat, strict=True)
        ],
        batch_size=BATCH,
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE scoring_deal SET current_id = (SELECT uuid FROM scoring_dealentry"
            " WHERE deal_id = scoring_deal.id) WHERE id BETWEEN %s AND %s",
            [deals[0].pk, deals[-1].pk],
        )


if __name__ == "__main__":
    big_club_make(sys.argv[1])
