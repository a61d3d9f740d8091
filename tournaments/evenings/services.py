"""An evening as a whole: its lock, revision and trail, and what makes it count up; planned,
changed, deleted, its standings hidden or shown; and the rules of it that are neither in its plan
nor in its regulation."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import F, Max
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club, Member
from clubs.namesakes.services import member_changed
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import tidy_name
from scoring.deals.entries import sheet_changed
from scoring.models import Regulation, Scoresheet
from scoring.sheets.services import sheets_prepare
from tournaments.draw.core.models import BLOCK_LENGTH
from tournaments.models import (
    EntriesStart,
    EntryList,
    Evening,
    EveningKind,
    PrizesAndFees,
    Season,
)
from tournaments.models.evening import MOST_A_DAY, usual_tie_breaks
from tournaments.models.table import writing_changed
from tournaments.seating.store import sheet_rules
from tournaments.standings.core.metrics import EVENING_TIE_BREAKS
from tournaments.standings.summaries import summary_store

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
CLOSED, CANCELLED = Evening.State.CLOSED, Evening.State.CANCELLED


def evening_lock(evening_id: int) -> Evening:
    """The evening as it is now, held until the end of the transaction.

    The club is what is locked, as in every write except of a deal. The evening's own row is left
    to the sheets, which count its revision up while they hold their own lock.
    """
    club_id = Evening.objects.values_list("club_id", flat=True).get(pk=evening_id)
    club = club_lock(club_id)
    evening = Evening.objects.select_related("regulation", "season", "kind").get(pk=evening_id)
    evening.club = club
    return evening


def evening_touch(
    evening: Evening,
    *,
    actor: Actor,
    action: str,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Increment the evening's revision and record what happened in the club's trail."""
    evening_note(evening, actor=actor, action=action, data=data, texts=texts)
    revision_bump(evening.pk)


def evening_note(
    evening: Evening,
    *,
    actor: Actor,
    action: str,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Record something in the club's trail that changes nothing for the public."""
    event_append(
        chain=evening.club,
        club=evening.club,
        actor=actor,
        action=action,
        object_ref=f"evening:{evening.uuid}",
        data=data,
        texts=texts,
    )


def revision_bump(evening_id: int) -> None:
    """Tell every page that shows this evening that it changed."""
    Evening.objects.filter(pk=evening_id).update(revision=F("revision") + 1)


def require_state(evening: Evening, *states: Evening.State) -> None:
    """Raises DomainError `evening_state` unless the evening is in one of `states`."""
    if evening.state not in states:
        raise DomainError(
            "evening_state",
            _("That cannot be done now: the evening is %(state)s.")
            % {"state": evening.get_state_display()},
            state=evening.state,
        )


def answers_apply(evening: Evening, answers: "DataclassInstance") -> None:
    """Set these answers on a locked evening, without saving it.

    Raises DomainError `bad_evening` (params: faults by field).
    """
    for answer in fields(answers):
        setattr(evening, answer.name, getattr(answers, answer.name))
    evening.name = tidy_name(evening.name)
    try:
        evening.clean_fields()
    except ValidationError as error:
        raise DomainError(
            "bad_evening", " ".join(error.messages), faults=error.message_dict
        ) from error
    # Foreign keys do not know clubs: somebody could post the id of another club's regulation.
    owners = {
        owned.club_id for owned in (evening.regulation, evening.season, evening.kind) if owned
    }
    if owners - {evening.club_id}:
        raise DomainError(
            "bad_evening",
            _("Choose a regulation and a season of this club."),
            faults={},
        )


# Signal receivers: evenings follow changes of their score sheets and people.


# Written out: with each deal that is saved, building it took longer than running it.
COUNT_UP = (
    "UPDATE tournaments_evening SET revision = revision + 1 WHERE id IN ("
    "SELECT played.evening_id FROM tournaments_table AS sat"
    " JOIN tournaments_round AS played ON played.id = sat.round_id WHERE sat.sheet_id = %s)"
)


@receiver(sheet_changed)
def evening_follows_its_sheets(sheet: Scoresheet, **_kwargs: object) -> None:
    """An evening's revision rises with each change of a sheet; a closed evening's summary is
    stored again."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT_UP, [sheet.pk])
    if sheet.state == Scoresheet.State.CLOSED:
        over = Evening.objects.filter(rounds__tables__sheet=sheet, state=Evening.State.CLOSED)
        for evening_id in over.values_list("pk", flat=True):
            summary_store(evening_id)


@receiver(member_changed)
def evenings_follow_the_name(member: Member, **_kwargs: object) -> None:
    """Pages of planned and running evenings show a member's new name at once."""
    open_to_all = Evening.objects.filter(
        registrations__member=member, state__in=[Evening.State.PLANNED, Evening.State.RUNNING]
    )
    for evening_id in sorted(open_to_all.values_list("pk", flat=True)):
        revision_bump(evening_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningDetails:
    """What an organiser may change even after the draw."""

    season: Season | None = None
    kind: EveningKind | None = None
    name: str = ""
    starts_at: dt.time | None = None
    sit_out_score: int = 1600
    missed_score: int = 0
    phones: bool = True
    writing: str = Evening.Writing.ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningPlan(EveningDetails):
    """What an organiser decides about an evening. With a `target`, a round ends at this number of
    points instead of a number of deals."""

    date: dt.date
    regulation: Regulation
    rounds_planned: int = 3
    deals_per_round: int = 16
    target: int | None = None
    method: str = Evening.Method.ROTATION
    leftover: str = Evening.Leftover.SIT_OUT
    last_ranked: bool = False
    pair_movement: str = Evening.PairMovement.BY_PROGRAM
    teammates_may_meet: bool = False


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
    match_play_off: bool = False
    twice_replaces: bool = False
    interim: str = Evening.Interim.ROUNDS
    sit_out_as: str = Evening.SitOutAs.FIXED
    sit_out_pits: int = 0
    leaving: str = Evening.Leaving.MISSED
    absence_found: bool = False
    ranks: str = Evening.Ranks.PLAYER
    team_best: int | None = None


def rules_of(evening: Evening) -> EveningRules:
    """How this evening is played."""
    return EveningRules(**{rule.name: getattr(evening, rule.name) for rule in fields(EveningRules)})


@transaction.atomic
def evening_create(
    *,
    club: Club,
    plan: EveningPlan,
    actor: Actor,
    rules: EveningRules | None = None,
    prizes: PrizesAndFees | None = None,
    entries: EntriesStart | None = None,
) -> Evening:
    """Plan an evening, with these rules and prizes or the usual ones, and entries if they are to
    begin like that; a second evening on the same day becomes number 2 of that day.

    Raises DomainError `bad_evening` (params: faults by field).
    """
    club = club_lock(club.pk)
    evening = Evening(club=club, sequence=next_sequence(club, plan.date))
    _plan_apply(evening, plan)
    answers_apply(evening, rules or EveningRules())
    answers_apply(evening, prizes or PrizesAndFees())
    evening.save()
    if entries is not None:
        entries_begin(evening, entries)
    evening_touch(evening, actor=actor, action="evening_created", data={"date": str(plan.date)})
    return evening


def entries_begin(evening: Evening, start: EntriesStart) -> EntryList:
    """Decide about the entries of an evening as `start` says, whatever was decided before. The
    caller has locked the evening."""
    known = EntryList.objects.filter(evening=evening).first() or EntryList(evening=evening)
    for name in ("kind", "is_open", "maximum", "keep_days", "walk_ins"):
        setattr(known, name, getattr(start, name))
    known.deadline = None
    if start.closes_at is not None:
        day = evening.date - dt.timedelta(days=start.days_before)
        known.deadline = timezone.make_aware(dt.datetime.combine(day, start.closes_at))
    known.version += 1 if known.pk else 0
    known.save()
    return known


@transaction.atomic
def evening_change(*, evening_id: int, plan: EveningPlan, actor: Actor) -> Evening:
    """Change the plan of an evening that has no draw yet.

    Raises DomainError `evening_state`, `bad_evening` (params: faults by field), or
    `evening_drawn` when there is a draw.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED)
    if evening.rounds.exists():
        raise DomainError("evening_drawn", _("Undo the draw first, then change the evening."))
    if plan.date != evening.date:
        evening.sequence = next_sequence(evening.club, plan.date)
    _plan_apply(evening, plan)
    evening.version += 1
    evening.save()
    evening_touch(evening, actor=actor, action="evening_changed", data={"date": str(plan.date)})
    return evening


@transaction.atomic
def evening_sit_out(*, evening_id: int, actor: Actor) -> Evening:
    """From the next draw on people left over sit out, instead of playing at tables of three.

    Raises DomainError `evening_state`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    if evening.leftover == Evening.Leftover.SIT_OUT:
        return evening
    was, evening.leftover = evening.leftover, Evening.Leftover.SIT_OUT
    evening.save_changes("leftover")
    changed = {"date": str(evening.date), "leftover": [was, evening.leftover]}
    evening_touch(evening, actor=actor, action="evening_changed", data=changed)
    return evening


def last_ranked_fault(*, method: str, rounds: int) -> str:
    """Why the last of so many rounds cannot be drawn by standing, as a sentence; empty if it can.

    There must be a round before it, the program must draw it, and it must not break up fixed pairs
    or the three rounds for which a table of a rotation stays together.
    """
    match method:
        case Evening.Method.PAIRS:
            return _(
                "With fixed pairs the last round cannot go by standing: partners stay together."
            )
        case Evening.Method.TYPED_IN:
            return _("You draw by hand: then the program cannot draw the last round by standing.")
        case _ if rounds == 1:
            return _("There is no standing before the first round. Play more than one round.")
        case Evening.Method.ROTATION if rounds % BLOCK_LENGTH != 1:
            return _(
                "Tables stay together for three rounds. With the last round by standing after that"
                " you play 4 rounds, or 7."
            )
    return ""


@transaction.atomic
def evening_details_change(*, evening_id: int, details: EveningDetails, actor: Actor) -> Evening:
    """Change what no draw depends on, also while the evening runs and after it was closed.

    A new score for sitting out or a missed round counts at once in the current standings;
    published standings stay as they are. When both sides start or stop writing, the tables get
    other links. Repeating it changes nothing.

    Raises DomainError `evening_state` for a cancelled evening, or `bad_evening` (params: faults by
    field).
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING, CLOSED)
    before, name = _details_of(evening), evening.name
    answers_apply(evening, details)
    after = _details_of(evening)
    changed = {name: [before[name], after[name]] for name in after if after[name] != before[name]}
    if not changed and evening.name == name:
        return evening
    evening.save_changes(*(field.name for field in fields(details)))
    if "writing" in changed:
        writing_changed.send(sender=Evening, evening=evening)
    evening_touch(
        evening,
        actor=actor,
        action="evening_changed",
        data={"date": str(evening.date), **changed},
        texts={"name": evening.name},
    )
    # The season reads the stored summary of a closed evening, so it must follow a new score.
    if evening.state == CLOSED:
        summary_store(evening.pk)
    return evening


@transaction.atomic
def evening_freeze(*, evening_id: int, frozen: bool, actor: Actor) -> Evening:
    """Hide the standings from the hall until the prize-giving, or show them again."""
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    evening.frozen = frozen
    evening.save(update_fields=["frozen"])
    evening_touch(evening, actor=actor, action="evening_frozen" if frozen else "evening_thawed")
    return evening


def _plan_apply(evening: Evening, plan: EveningPlan) -> None:
    answers_apply(evening, plan)
    fault = last_ranked_fault(method=plan.method, rounds=plan.rounds_planned)
    if plan.last_ranked and fault:
        raise DomainError("bad_evening", fault, faults={"last_ranked": [fault]})


def next_sequence(club: Club, date: dt.date) -> int:
    """The number that a new evening has on its day."""
    last = Evening.objects.filter(club=club, date=date).aggregate(last=Max("sequence"))["last"]
    if last == MOST_A_DAY:
        fault = _("There are %(n)s evenings on this day already.") % {"n": MOST_A_DAY}
        raise DomainError("bad_evening", fault, faults={"date": [fault]})
    return (last or 0) + 1


def _details_of(evening: Evening) -> Mapping[str, object]:
    """The details as the audit trail has them: ids and numbers, no names."""
    return {
        "season": evening.season_id,
        "kind": evening.kind_id,
        "starts_at": evening.starts_at and evening.starts_at.isoformat("minutes"),
        "sit_out_score": evening.sit_out_score,
        "missed_score": evening.missed_score,
        "phones": evening.phones,
        "writing": evening.writing,
    }


@transaction.atomic
def evening_rules_change(*, evening_id: int, rules: EveningRules, actor: Actor) -> Evening:
    """Change how an evening is played. Repeating it changes nothing.

    Sheets of rounds that have not started follow; started rounds keep their rules. A change of
    how ties are broken, of what sitting out and leaving are worth, or of what places go by during
    the evening, counts at once in the current standings; published standings stay as they are.
    Raises DomainError `evening_state` for a cancelled evening, or `bad_evening` (params: faults by
    field).
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
    if evening.state == CLOSED:
        summary_store(evening.pk)
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
