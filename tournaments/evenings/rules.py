"""The rules of an evening that are neither in its plan nor in its regulation."""

from dataclasses import asdict, dataclass, field, fields

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from scoring.models import Scoresheet
from scoring.sheets.services import sheets_prepare
from tournaments.evenings.locking import answers_apply, evening_lock, evening_touch, require_state
from tournaments.models import Evening
from tournaments.models.evening import usual_tie_breaks
from tournaments.seating.store import sheet_rules
from tournaments.standings.core import EVENING_TIE_BREAKS

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningRules:
    """How an evening is played; the defaults are what most clubs do. `tie_breaks` apply in their
    order, if `tie` is `tie_breaks`."""

    first_dealer: str = Evening.FirstDealer.LEFT
    first_trump_clubs: bool = False
    maker_holds_trump: bool = False
    roem_by: str = Evening.RoemBy.WINNER
    reneging_until: str = Evening.RenegingUntil.COUNT
    reneging_escalates: bool = False
    tie: str = Evening.Tie.SHARED
    tie_breaks: list[str] = field(default_factory=usual_tie_breaks)
    twice_replaces: bool = False


def rules_of(evening: Evening) -> EveningRules:
    """How this evening is played."""
    return EveningRules(**{rule.name: getattr(evening, rule.name) for rule in fields(EveningRules)})


@transaction.atomic
def evening_rules_change(*, evening_id: int, rules: EveningRules, actor: Actor) -> Evening:
    """Change how an evening is played. Repeating it changes nothing.

    Sheets of rounds that have not started follow; started rounds keep their rules. A change of
    how ties are broken counts at once in the current standings; published standings stay as they
    are. Raises DomainError `evening_state` for a cancelled evening, or `bad_evening` (params:
    faults by field).
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING, Evening.State.CLOSED)
    before, after = asdict(rules_of(evening)), asdict(rules)
    changed = {name: [before[name], after[name]] for name in after if after[name] != before[name]}
    if not changed:
        return evening
    _require_tie_breaks(rules)
    answers_apply(evening, rules)
    evening.save_changes(*changed)
    _sheets_follow(evening)
    evening_touch(evening, actor=actor, action="evening_rules_changed", data=changed)
    return evening


def _require_tie_breaks(rules: EveningRules) -> None:
    chosen = rules.tie_breaks
    once = len(set(chosen)) == len(chosen) and set(chosen) <= set(EVENING_TIE_BREAKS)
    if once and (chosen or rules.tie != Evening.Tie.TIE_BREAKS):
        return
    fault = _("Choose what decides between equal totals, each thing once.")
    raise DomainError("bad_evening", fault, faults={"tie_breaks": [fault]})


def _sheets_follow(evening: Evening) -> None:
    planned = Scoresheet.objects.filter(
        table__round__evening=evening, state=Scoresheet.State.PLANNED
    )
    for number in evening.rounds.values_list("number", flat=True):
        of_round = planned.filter(table__round__number=number)
        sheets_prepare(of_round, **sheet_rules(evening, number))
