"""Tonight at the demo: the first round is in, and in the second each table is somewhere else."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from clubs.audit import Actor
from scoring.services import HandedIn, deal_write, sheet_answer, side_totals_write
from scoring.services.written import Written
from tournaments.demo.evenings import Evenings
from tournaments.demo.fixtures import Chance
from tournaments.models import Table
from tournaments.services import round_start


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
