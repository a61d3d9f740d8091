"""An evening of portefeuille in the demo: dealt, played by the cards, closed."""

import datetime as dt
from collections.abc import Mapping
from hashlib import sha256
from random import Random
from typing import Any

from scoring.deals.evaluation import Written
from scoring.deals.services import sheets_fill
from scoring.models import Scoresheet
from scoring.rules import SEATS, RuleSet, Seat, Trump, evaluate, legal_cards, sheet_line, trace
from scoring.rules.cards import DECK
from scoring.rules.hands import hands_of
from tournaments.closing.services import evening_close
from tournaments.demo.evenings import STARTS_AT, EveningMaker
from tournaments.duplicate.movement import movement_start
from tournaments.duplicate.services import DuplicatePlan, duplicate_plan, folders_deal
from tournaments.evenings.services import EveningPlan, evening_create
from tournaments.models import Evening
from tournaments.registration.services import presence_replace
from tournaments.rounds.services import round_close, round_start

SUITS: tuple[Trump, ...] = ("C", "D", "H", "S")


def folders_play(evenings: EveningMaker, data: Mapping[str, Any]) -> Evening:
    """Play an evening of folders so many `weeks_ago` and close it."""
    plan = EveningPlan(
        date=evenings.today - dt.timedelta(weeks=data["weeks_ago"]),
        starts_at=STARTS_AT,
        name=data["name"],
        regulation=evenings.regulation,
        method=Evening.Method.PAIRS,
        pair_movement=Evening.PairMovement.FOLDERS,
    )
    evening = evening_create(club=evenings.club, plan=plan, actor=evenings.actor)
    chance = evenings.chance(data["weeks_ago"])
    members = evenings.club.members.filter(kind="member").order_by("number")
    here = chance.some(list(members), 2 * data["pairs"])
    presence_replace(evening_id=evening.pk, members=here, actor=evenings.actor)
    evenings.pair_up(evening)
    folders = DuplicatePlan(folders=data["folders"])
    duplicate_plan(evening_id=evening.pk, plan=folders, actor=evenings.actor)
    seed = sha256(str(data["name"]).encode()).hexdigest()
    folders_deal(evening_id=evening.pk, seed=seed, actor=evenings.actor)
    movement_start(evening_id=evening.pk, actor=evenings.actor)
    random = Random(seed)  # noqa: S311 — nothing is at stake
    for round_ in evening.rounds.order_by("number"):
        round_start(round_id=round_.pk, actor=evenings.actor)
        sheets = Scoresheet.objects.filter(table__round=round_).order_by("table__number")
        filled = [
            (sheet, _lines(sheet, random)) for sheet in sheets.select_related("regulation", "club")
        ]
        sheets_fill(filled=filled, actor=evenings.actor, device="")
        round_close(round_id=round_.pk, actor=evenings.actor)
    evening_close(evening_id=evening.pk, actor=evenings.actor)
    return Evening.objects.get(pk=evening.pk)


def played_line(holders: str, dealer: Seat, regulation: RuleSet, random: Random) -> Written:
    """What these cards come to where all play by the rules and otherwise at random: the forehand
    plays, in the suit of which they hold most."""
    hands = {seat: [*cards] for seat, cards in hands_of(holders).items()}
    leader = SEATS[(SEATS.index(dealer) + 1) % len(SEATS)]
    trump = max(SUITS, key=lambda suit: sum(card[1] == suit for card in hands[leader]))
    played: list[str] = []
    while len(played) < len(DECK):
        now = trace(played, leader, trump, regulation)
        seat = now.next_seat or leader
        card = random.choice(legal_cards(hands[seat], now.open, trump, regulation))
        hands[seat].remove(card)
        played.append(card)
    record = {"declarer": leader, "trump": trump, "leader": leader, "cards": played}
    return sheet_line(evaluate(record, regulation))


def _lines(sheet: Scoresheet, random: Random) -> dict[int, Written]:
    deals = sheet.deals.select_related("folder").order_by("number")
    return {
        deal.number: played_line(
            deal.folder.hands if deal.folder else "",
            sheet.dealer(deal.number) or "N",
            sheet.regulation.rules,
            random,
        )
        for deal in deals
    }
