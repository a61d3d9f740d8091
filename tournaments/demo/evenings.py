"""The demo's evenings, played and planned as a club does it: from the door to the prizes."""

import datetime as dt
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Club, Member
from scoring.deals.bulk_import import sheets_fill
from scoring.deals.entries import Written
from scoring.deals.services import deal_write
from scoring.disputes.submissions import sheet_answer
from scoring.models import Regulation, Scoresheet
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tournaments.closing.services import evening_cancel, evening_close
from tournaments.demo.fixtures import Chance
from tournaments.draw.services import draw_make, draw_publish
from tournaments.evenings.rules import EveningRules, evening_rules_change
from tournaments.evenings.services import EveningPlan, evening_create
from tournaments.models import Evening, Registration, Round, Season, Table
from tournaments.registration.pairs import pair_make
from tournaments.registration.services import guest_add, presence_replace, presence_set
from tournaments.rounds.services import round_close, round_start

STARTS_AT = dt.time(19, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evenings:
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
        """An evening that was played to the end and published; so many told that they would not
        come, and so many did not tell. Equal totals are settled by the `tie_breaks`, if any."""
        chance = self.chance(weeks_ago)
        evening = self.open(weeks_ago, chance, players, method=method, guest=guest)
        if tie_breaks:
            rules = EveningRules(tie=Evening.Tie.TIE_BREAKS, tie_breaks=[*tie_breaks])
            evening_rules_change(evening_id=evening.pk, rules=rules, actor=self.actor)
        if method == Evening.Method.PAIRS:
            self._pair_up(evening)
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
        """What chance has in store for that week."""
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
        """Draw what comes next, for good."""
        draw_make(evening_id=evening.pk, actor=self.actor, seed=chance.seed())
        draw_publish(evening_id=evening.pk, actor=self.actor)

    def play_round(self, round_: Round, chance: Chance) -> None:
        """A whole round, and close it."""
        round_start(round_id=round_.pk, actor=self.actor)
        sheets = Scoresheet.objects.filter(table__round=round_).select_related("regulation", "club")
        filled = [
            (sheet, chance.deals(sheet.deals_planned)) for sheet in sheets.order_by("table__number")
        ]
        sheets_fill(filled=filled, actor=self.actor, device="")
        round_close(round_id=round_.pk, actor=self.actor)

    def _pair_up(self, evening: Evening) -> None:
        """Everybody who is here with the next one on the list."""
        here = [one.member for one in evening.registrations.filter(present=True).order_by("pk")]
        for one, two in zip(here[::2], here[1::2], strict=True):
            pair_make(evening_id=evening.pk, one=one, two=two, actor=self.actor)

    def _miss(self, evening: Evening, people: int, absence: Registration.Absence) -> None:
        """The first so many members of whom nothing is known yet are absent."""
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


# Tonight at the demo: the first round is in, and in the second each table is somewhere else.


def tonight_play(evenings: Evenings, told: Mapping[str, Any]) -> None:
    """Play half of tonight's evening: `told` says how far each table is, and what goes on there."""
    chance = evenings.chance(0)
    evening = evenings.open(0, chance, told["players"], guest=told["guest"])
    evenings.draw(evening, chance)
    first, second, _third = evening.rounds.order_by("number")
    evenings.play_round(first, chance)
    round_start(round_id=second.pk, actor=evenings.actor)
    for at_table in told["tables"]:
        table = second.tables.select_related("sheet").get(number=at_table["table"])
        _play(table, at_table, chance, evenings.actor)


def _play(table: Table, told: Mapping[str, Any], chance: Chance, director: Actor) -> None:
    players = Actor(
        ref=f"table:{table.round.evening.uuid}:{table.number}:1",
        label=_("Table %(number)s") % {"number": table.number},
    )
    deals = chance.deals(told.get("deals", 0))
    deals |= {int(number): written for number, written in told.get("written", {}).items()}
    for number, written in deals.items():
        _write(table, number, written, players)
    for number, correction in told.get("corrected", {}).items():
        _write(table, int(number), correction["written"], director, correction["reason"])
    if totals := told.get("totals"):
        side_totals_write(
            sheet_id=table.sheet_id,
            totals={side: HandedIn(**total) for side, total in totals.items()},
            actor=director,
        )
    _answer(table, told.get("answers", {}), players)


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
    """Each side that has looked at the full sheet agrees, or says in a note what is wrong."""
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


# What stands in the demo's calendar after next week.


def evenings_announce(evenings: Evenings, told: Iterable[dict[str, Any]]) -> None:
    """An evening for each: so many weeks from now, perhaps under a name, perhaps called off."""
    for one in told:
        plan = EveningPlan(
            date=evenings.today + dt.timedelta(weeks=one["weeks"]),
            starts_at=STARTS_AT,
            name=one.get("name", ""),
            season=evenings.season,
            regulation=evenings.regulation,
        )
        evening = evening_create(club=evenings.club, plan=plan, actor=evenings.actor)
        if one.get("called_off"):
            evening_cancel(evening_id=evening.pk, actor=evenings.actor)
