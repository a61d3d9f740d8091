"""Evenings of folders to test with."""

import datetime as dt
from random import Random
from typing import Any

from clubs.models import Club
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, write_deal
from tournaments.demo.evenings import played_line
from tournaments.duplicate.movement import movement_start
from tournaments.duplicate.services import DuplicatePlan, duplicate_plan, folders_deal
from tournaments.models import Evening, Table
from tournaments.registration.check_in import presence_replace
from tournaments.registration.pairs import pair_make
from tournaments.rounds.services import round_close, round_start

TODAY = dt.date(2026, 11, 21)
SEED = "0123456789abcdef" * 4
"""The cards are the same each time, so that nothing fails by chance."""


def with_pairs(
    pairs: int, *, club: Club | None = None, date: dt.date = TODAY, **plan: Any
) -> Evening:
    """A planned evening of folders with so many pairs of neighbours, numbered from 1."""
    club = club or ClubFactory.create()
    evening = EveningFactory.create(
        club=club,
        date=date,
        method=Evening.Method.PAIRS,
        pair_movement=Evening.PairMovement.FOLDERS,
    )
    members = [MemberFactory.create(club=club) for _ in range(2 * pairs)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    for one, two in zip(members[::2], members[1::2], strict=True):
        pair_make(evening_id=evening.pk, one=one, two=two, actor=TESTS)
    duplicate_plan(evening_id=evening.pk, plan=DuplicatePlan(**plan), actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def started(pairs: int, *, dealt: bool = True, rounds: int | None = None, **plan: Any) -> Evening:
    """The same with its movement, cards in the folders, and the first round running."""
    evening = with_pairs(pairs, **plan)
    if dealt:
        folders_deal(evening_id=evening.pk, actor=TESTS, seed=SEED)
    movement_start(evening_id=evening.pk, rounds=rounds, actor=TESTS)
    round_start(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def tables_of(evening: Evening, round_number: int = 1) -> list[Table]:
    tables = Table.objects.filter(round__evening=evening, round__number=round_number)
    return [*tables.select_related("round", "sheet__regulation").order_by("number")]


def play_round(evening: Evening, number: int, *, seed: int = 1) -> None:
    """Play all tables of a round by the cards, and close it."""
    round_ = evening.rounds.get(number=number)
    if round_.state == "drawn":
        round_start(round_id=round_.pk, actor=TESTS)
    chance = Random(f"{seed} {number}")
    for table in tables_of(evening, number):
        regulation = table.sheet.regulation.rules
        for deal in table.sheet.deals.select_related("folder").order_by("number"):
            dealer = table.sheet.dealer(deal.number) or "N"
            hands = deal.folder.hands if deal.folder else ""
            write_deal(table, deal.number, **played_line(hands, dealer, regulation, chance))
    round_close(round_id=round_.pk, actor=TESTS)


def play_all(evening: Evening) -> Evening:
    """Play all rounds."""
    for number in range(1, evening.rounds_planned + 1):
        play_round(evening, number)
    return Evening.objects.get(pk=evening.pk)
