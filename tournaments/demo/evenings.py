"""The demo's evenings, played and planned as a club does it: from the door to the prizes.

Read from `fixtures/demo`, with random choices that are always the same.
"""

import datetime as dt
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Club, Member
from scoring.deals.evaluation import Written
from scoring.deals.services import deal_write, sheets_fill
from scoring.disputes.submissions import sheet_answer
from scoring.models import Regulation, Scoresheet
from scoring.rules import (
    SEATS,
    RuleSet,
    Seat,
    Trump,
    evaluate,
    legal_cards,
    other_side,
    sheet_line,
    side_of,
    trace,
)
from scoring.rules.cards import DECK
from scoring.rules.hands import hands_of
from scoring.sheets.services import mirrored
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tournaments.closing.services import evening_cancel, evening_close
from tournaments.draw.services import draw_make, draw_publish
from tournaments.duplicate.movement import movement_start
from tournaments.duplicate.services import DuplicatePlan, duplicate_plan, folders_deal
from tournaments.evenings.services import (
    EveningPlan,
    EveningRules,
    evening_create,
    evening_rules_change,
)
from tournaments.imports.deal_cells import read_deals
from tournaments.models import Evening, Registration, Round, Season, Table
from tournaments.registration.check_in import guest_add, presence_replace, presence_set
from tournaments.registration.pairs import pair_make
from tournaments.rounds.services import round_close, round_start

FOLDER = settings.FILES_DIR / "fixtures" / "demo"
MEMBERS = FOLDER / "members.csv"
LOGO = FOLDER / "logo.png"
SUITS: tuple[Trump, ...] = ("C", "D", "H", "S")


def read_club() -> dict[str, Any]:
    """The club, its logins and its evenings, as `club.json` has them."""
    data: dict[str, Any] = json.loads((FOLDER / "club.json").read_text(encoding="utf-8"))
    return data


class Chance:
    """The demo's random choices, always the same for the same `name`."""

    def __init__(self, name: str, regulation: RuleSet) -> None:
        self._random = Random(name)  # noqa: S311 — nothing is at stake
        self._deals = read_deals(FOLDER / "deals.csv", regulation)

    def seed(self) -> int:
        """A seed for a draw."""
        return self._random.randrange(1_000_000)

    def some(self, members: Sequence[Member], count: int) -> list[Member]:
        """So many of these people."""
        return self._random.sample(members, count)

    def score(self, average: int, spread: int) -> int:
        """A random score of an evening."""
        return round(self._random.gauss(average, spread))

    def deals(self, count: int) -> dict[int, Written]:
        """Deals 1 … `count` of a sheet, as a table writes them."""
        taken = self._random.choices(self._deals, k=count)
        return {number: self._written(deal) for number, deal in enumerate(taken, start=1)}

    def _written(self, deal: Written) -> Written:
        """The deal as played by either pair, with the points that the defenders counted."""
        written = mirrored(deal) if self._random.random() < 0.5 else dict(deal)
        counting = other_side(side_of(written["declarer"]))  # type: ignore[arg-type]
        points = written.pop("points")
        if "pit" not in written:
            written["points"] = {counting: points[counting]}  # type: ignore[index]
        return written


STARTS_AT = dt.time(19, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningMaker:
    """Makes evenings of one season; who comes and what is dealt follows from the week."""

    club: Club
    season: Season
    regulation: Regulation
    today: dt.date
    actor: Actor

    def play(
        self,
        *,
        weeks_ago: int,
        players: int,
        method: str = Evening.Method.ROTATION,
        guest: str = "",
        signed_off: int = 0,
        stayed_away: int = 0,
        tie_breaks: Sequence[str] = (),
    ) -> None:
        """An evening played to the end and published, with so many people `signed_off` and
        `stayed_away` without notice. Equal totals are settled by the `tie_breaks`, if any."""
        chance = self.chance(weeks_ago)
        evening = self.open(weeks_ago, chance, players, method=method, guest=guest)
        if tie_breaks:
            rules = EveningRules(tie=Evening.Tie.TIE_BREAKS, tie_breaks=[*tie_breaks])
            evening_rules_change(evening_id=evening.pk, rules=rules, actor=self.actor)
        if method == Evening.Method.PAIRS:
            self.pair_up(evening)
        self._miss(evening, signed_off, Registration.Absence.NOTICE)
        self._miss(evening, stayed_away, Registration.Absence.NONE)
        while evening.rounds.filter(state=Round.State.CLOSED).count() < evening.rounds_planned:
            self.draw(evening, chance)
            for round_ in evening.rounds.filter(state=Round.State.DRAWN):
                self.play_round(round_, chance)
        evening_close(evening_id=evening.pk, actor=self.actor)

    def plan(self, *, players: int, signed_off: int, method: str) -> None:
        """Next week's evening: who has signed up, who has signed off, and a first draft of the
        draw."""
        chance = self.chance(-1)
        evening = self.open(-1, chance, players, method=method)
        self._miss(evening, signed_off, Registration.Absence.NOTICE)
        draw_make(evening_id=evening.pk, actor=self.actor, seed=chance.seed())

    def chance(self, weeks_ago: int) -> Chance:
        """The random choices of that week."""
        return Chance(f"week {weeks_ago}", self.regulation.rules)

    def open(
        self,
        weeks_ago: int,
        chance: Chance,
        players: int,
        *,
        method: str = Evening.Method.ROTATION,
        guest: str = "",
    ) -> Evening:
        """An evening with so many members present, and perhaps a guest."""
        date = self.today - dt.timedelta(weeks=weeks_ago)
        plan = EveningPlan(
            date=date,
            starts_at=STARTS_AT,
            season=self.season,
            regulation=self.regulation,
            method=method,
        )
        evening = evening_create(club=self.club, plan=plan, actor=self.actor)
        here = chance.some(list(self._members()), players)
        presence_replace(evening_id=evening.pk, members=here, actor=self.actor)
        if guest:
            guest_add(evening_id=evening.pk, name=guest, actor=self.actor)
        return evening

    def draw(self, evening: Evening, chance: Chance) -> None:
        """Draw the next rounds and make the draw final."""
        draw_make(evening_id=evening.pk, actor=self.actor, seed=chance.seed())
        draw_publish(evening_id=evening.pk, actor=self.actor)

    def play_round(self, round_: Round, chance: Chance) -> None:
        """Play a whole round and close it."""
        round_start(round_id=round_.pk, actor=self.actor)
        sheets = Scoresheet.objects.filter(table__round=round_).select_related("regulation", "club")
        filled = [
            (sheet, chance.deals(sheet.deals_planned)) for sheet in sheets.order_by("table__number")
        ]
        sheets_fill(filled=filled, actor=self.actor, device="")
        round_close(round_id=round_.pk, actor=self.actor)

    def pair_up(self, evening: Evening) -> None:
        """Pair everybody who is here with the next person on the list."""
        registrations = evening.registrations.filter(present=True).order_by("pk")
        here = [registration.member for registration in registrations]
        for member, partner in zip(here[::2], here[1::2], strict=True):
            pair_make(evening_id=evening.pk, one=member, two=partner, actor=self.actor)

    def _miss(self, evening: Evening, people: int, absence: Registration.Absence) -> None:
        """Record the first so many members without a registration as absent."""
        known = evening.registrations.values("member")
        for member in self._members().exclude(pk__in=known)[:people]:
            presence_set(
                evening_id=evening.pk,
                member=member,
                present=False,
                absence=absence,
                actor=self.actor,
            )

    def _members(self) -> QuerySet[Member]:
        return self.club.members.filter(kind=Member.Kind.MEMBER).order_by("number")


def tonight_play(evenings: EveningMaker, data: Mapping[str, Any]) -> None:
    """Play half of tonight's evening: the first round, and the second as far as `data` says for
    each table."""
    chance = evenings.chance(0)
    evening = evenings.open(0, chance, data["players"], guest=data["guest"])
    evenings.draw(evening, chance)
    first, second, _third = evening.rounds.order_by("number")
    evenings.play_round(first, chance)
    round_start(round_id=second.pk, actor=evenings.actor)
    for at_table in data["tables"]:
        table = second.tables.select_related("sheet").get(number=at_table["table"])
        _play(table, at_table, chance, evenings.actor)


def _play(table: Table, data: Mapping[str, Any], chance: Chance, director: Actor) -> None:
    players = Actor(
        ref=f"table:{table.round.evening.uuid}:{table.number}:1",
        label=_("Table %(number)s") % {"number": table.number},
    )
    deals = chance.deals(data.get("deals", 0))
    deals |= {int(number): written for number, written in data.get("written", {}).items()}
    for number, written in deals.items():
        _write(table, number, written, players)
    for number, correction in data.get("corrected", {}).items():
        _write(table, int(number), correction["written"], director, correction["reason"])
    if totals := data.get("totals"):
        side_totals_write(
            sheet_id=table.sheet_id,
            totals={side: HandedIn(**total) for side, total in totals.items()},
            actor=director,
        )
    _answer(table, data.get("answers", {}), players)


def _write(table: Table, number: int, written: Written, actor: Actor, reason: str = "") -> None:
    deal_write(
        sheet_id=table.sheet_id,
        number=number,
        seen_version=1 if reason else 0,
        uuid=uuid.uuid4(),
        written=written,
        actor=actor,
        reason=reason,
    )


def _answer(table: Table, notes: Mapping[str, Any], players: Actor) -> None:
    """Each side that checked the full sheet agrees, or says in a note what is wrong."""
    table.sheet.refresh_from_db()
    for side, note in notes.items():
        sheet_answer(
            sheet_id=table.sheet_id,
            side="NS" if side == "NS" else "EW",
            seen_version=table.sheet.version,
            agrees=not note,
            note=note,
            actor=players,
        )


def evenings_announce(evenings: EveningMaker, data: Iterable[dict[str, Any]]) -> None:
    """Plan these later evenings: so many weeks from now, some with a name or called off."""
    for announced in data:
        plan = EveningPlan(
            date=evenings.today + dt.timedelta(weeks=announced["weeks"]),
            starts_at=STARTS_AT,
            name=announced.get("name", ""),
            season=evenings.season,
            regulation=evenings.regulation,
        )
        evening = evening_create(club=evenings.club, plan=plan, actor=evenings.actor)
        if announced.get("called_off"):
            evening_cancel(evening_id=evening.pk, actor=evenings.actor)


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
