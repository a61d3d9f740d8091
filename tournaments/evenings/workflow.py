"""How far an evening is: what is still open, its line of steps, and the next step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import OPEN_CLAIM, Deal, DealClaim, full_sheets
from tournaments.draw.core.models import BLOCK_LENGTH, TABLE_SIZE, Leftover, sizes
from tournaments.evenings.texts import (
    cannot_divide,
    forecast,
    sitting_out_forecast,
    sitting_out_on_end,
)
from tournaments.models import Evening, Round
from tournaments.standings.queries import board_tables, open_disputes

Writing = Evening.Writing


def open_claims(evening: Evening) -> QuerySet[DealClaim]:
    """The undecided claims of an evening, by round, table and deal."""
    claims = DealClaim.objects.filter(OPEN_CLAIM, deal__sheet__table__round__evening=evening)
    return claims.select_related("deal__sheet__regulation", "deal__sheet__table__round").order_by(
        "deal__sheet__table__round__number",
        "deal__sheet__table__number",
        "deal__number",
        "received_at",
    )


def unconfirmed_tables(round_: Round) -> list[int]:
    """The tables of a round where the other side still has to confirm what was written on a phone:
    each deal or the finished sheet, as the evening has it. Deals from paper need none."""
    writing = round_.evening.writing
    if writing == Writing.ONE:
        return []
    on_phone = Deal.objects.filter(
        sheet=OuterRef("sheet"), current__written__isnull=False, current__user=None
    )
    if writing == Writing.ROUND:
        tables = board_tables(round_).filter(Exists(on_phone))
        return [t.number for t in tables if t.agreed < len(t.sheet.signatories)]  # type: ignore[attr-defined]
    waiting = on_phone.filter(current__confirmations=None).exclude(current__claims__taken=False)
    if writing == Writing.BOTH:
        waiting = waiting.exclude(current__side="")
    tables = board_tables(round_).filter(Exists(waiting))
    return [table.number for table in tables]


DRAFT, DRAWN = Round.State.DRAFT, Round.State.DRAWN
RUNNING, CLOSED = Round.State.RUNNING, Round.State.CLOSED

StepName = Literal["present", "pairs", "draw", "round", "close"]


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """A round with its number of tables, and how many of those have written every deal."""

    number: int
    state: str
    tables: int
    full: int

    @property
    def is_full(self) -> bool:
        """Whether every table has written every deal."""
        return self.full == self.tables


@dataclass(frozen=True, slots=True)
class EveningProgress:
    """An evening, how many people are here, and its rounds in order.

    `alone` counts the people here without a partner, on an evening of fixed pairs.
    """

    evening: Evening
    present: int
    rounds: Sequence[RoundProgress]
    alone: int = 0

    def first(self, *states: str) -> RoundProgress | None:
        """The first round that is in one of these states."""
        return next((round_ for round_ in self.rounds if round_.state in states), None)

    @property
    def running(self) -> RoundProgress | None:
        """The first round that is being played."""
        return self.first(RUNNING)

    @property
    def unplayed(self) -> RoundProgress | None:
        """The first round that was drawn, as a draft or finally, and has not started."""
        return self.first(DRAFT, DRAWN)

    @property
    def all_played(self) -> bool:
        """Whether every round that was planned has been closed."""
        closed = sum(round_.state == CLOSED for round_ in self.rounds)
        return closed >= self.evening.rounds_planned

    @property
    def step(self) -> tuple[StepName, int]:
        """The current step, and the number of the round if it is one."""
        if self.evening.state == Evening.State.CLOSED or self.all_played:
            return "close", 0
        if self.running:
            return "round", self.running.number
        unplayed = self.unplayed
        if unplayed and unplayed.state == DRAWN and self._follows_by_itself(unplayed):
            return "round", unplayed.number
        if self.rounds:
            return "draw", 0
        return ("pairs" if self.in_pairs and self.present >= TABLE_SIZE else "present"), 0

    @property
    def in_pairs(self) -> bool:
        """Whether fixed pairs play."""
        return self.evening.method == Evening.Method.PAIRS

    def _follows_by_itself(self, round_: RoundProgress) -> bool:
        return self.evening.draws_ahead and round_.number > 1


@dataclass(frozen=True, slots=True)
class EveningStep:
    """A step of the line; `state` is done, current or todo. Rounds are for everybody at the desk,
    the other steps for the people who run the evening."""

    label: str
    url: str
    state: str
    is_round: bool = False


@dataclass(frozen=True, slots=True)
class NextStep:
    """The thing to do now: the label of its button and where it leads."""

    label: str
    url: str


def evening_progress(evening: Evening) -> EveningProgress:
    """How far this evening is, in two queries; with fixed pairs one more."""
    full = full_sheets("tables__sheet__")
    rounds = evening.rounds.order_by("number").annotate(
        table_count=Count("tables"), full_count=Count("tables", filter=full)
    )
    return EveningProgress(
        evening=evening,
        present=evening.registrations.filter(present=True).count(),
        rounds=[
            RoundProgress(*row)
            for row in rounds.values_list("number", "state", "table_count", "full_count")
        ],
        alone=evening.count_alone() if evening.method == Evening.Method.PAIRS else 0,
    )


def evening_steps(progress: EveningProgress, *, at_draw: bool = False) -> list[EveningStep]:
    """Check-in, the draw, each round, closing; empty if the evening has no steps.

    On the pages of the draw (`at_draw`), the draw is the current step as soon as the first draw is
    possible.
    """
    evening = progress.evening
    if evening.state == Evening.State.CANCELLED or evening.is_history:
        return []
    here, round_here = progress.step
    if at_draw and _may_draw_first(progress):
        here = "draw"
    drawn = "done" if progress.rounds else "todo"
    paired = "done" if here != "present" else "todo"
    closing = "current" if here == "close" else "todo"
    pairs = EveningStep(
        _("Pairs"), step_url(evening, "pairs"), "current" if here == "pairs" else paired
    )
    return [
        EveningStep(
            _("Present"), step_url(evening, "present"), "current" if here == "present" else "done"
        ),
        *([pairs] if progress.in_pairs else ()),
        EveningStep(_("Draw"), step_url(evening, "draw"), "current" if here == "draw" else drawn),
        *(
            EveningStep(
                _("Round %(n)s") % {"n": number},
                step_url(evening, "round", number),
                _round_state(progress, number, current=number == round_here),
                is_round=True,
            )
            for number in range(1, evening.rounds_planned + 1)
        ),
        EveningStep(_("Closing"), step_url(evening, "close"), closing),
    ]


def _may_draw_first(progress: EveningProgress) -> bool:
    return not progress.rounds and progress.present >= TABLE_SIZE and not before_draw(progress)


def step_url(evening: Evening, step: StepName, round_number: int = 0) -> str:
    """Where a step of the evening is done."""
    name = "evening_board" if step == "round" else f"evening_{step}"
    if step == "draw" and evening.plays_folders:
        name = "evening_folders"
    url = reverse(name, args=[evening.club.slug, evening.slug])
    return f"{url}?round={round_number}" if step == "round" else url


def next_step(progress: EveningProgress) -> NextStep | None:
    """The next thing for the organiser to do; None for a cancelled evening."""
    evening = progress.evening
    if evening.state == Evening.State.CANCELLED:
        return None
    if evening.state == Evening.State.CLOSED:
        return NextStep(_("The result"), step_url(evening, "close"))
    if progress.running:
        return _while_running(progress, progress.running)
    if progress.all_played:
        return NextStep(_("Close the evening"), step_url(evening, "close"))
    return _before_a_round(progress)


def _before_a_round(progress: EveningProgress) -> NextStep:
    evening = progress.evening
    if progress.unplayed and progress.unplayed.state == DRAWN:
        return start_step(evening, progress.unplayed)
    if progress.unplayed:
        return NextStep(_("Look at the draw and make it final"), step_url(evening, "draw"))
    if progress.present < TABLE_SIZE:
        return NextStep(_("Tick who is here"), step_url(evening, "present"))
    return draw_step(progress)


def start_step(evening: Evening, round_: RoundProgress) -> NextStep:
    """Starting a drawn round, with its number of tables."""
    label = ngettext(
        "Start round %(n)s, %(tables)s table", "Start round %(n)s, %(tables)s tables", round_.tables
    ) % {"n": round_.number, "tables": round_.tables}
    return NextStep(
        label, reverse("round_start", args=[evening.club.slug, evening.slug, round_.number])
    )


def draw_step(progress: EveningProgress) -> NextStep:
    """The draw of the next round, or what must be settled before it."""
    return before_draw(progress) or NextStep(_to_draw(progress), step_url(progress.evening, "draw"))


def before_draw(progress: EveningProgress) -> NextStep | None:
    """What must be settled before the next draw; None if nothing."""
    evening = progress.evening
    if cannot_divide(evening, progress.present):
        words = {"forecast": sitting_out_forecast(evening.club, progress.present)}
        url = reverse("evening_sit_out", args=[evening.club.slug, evening.slug])
        return NextStep(_("Continue like this: %(forecast)s") % words, url)
    if progress.alone:
        label = ngettext(
            "Make the pairs: %(n)s person has no partner",
            "Make the pairs: %(n)s people have no partner",
            progress.alone,
        )
        return NextStep(label % {"n": progress.alone}, step_url(evening, "pairs"))
    return None


def _to_draw(progress: EveningProgress) -> str:
    number = len(progress.rounds) + 1
    if progress.evening.plays_folders:
        return _("Go to the folders and the movement")
    if progress.evening.must_be_typed_in:
        return _("Type in the draw of round %(n)s") % {"n": number}
    words = {"n": number, "forecast": forecast(progress.evening, progress.present)}
    if number == 1:
        return _("Go to the draw: %(forecast)s") % words
    return _("Go to the draw of round %(n)s: %(forecast)s") % words


def block_warning(progress: EveningProgress) -> str:
    """That in a rotation people sit out, or play at a table of three, for a whole block of rounds;
    empty if nobody does, for a single round, and once a block has started."""
    evening, rounds = progress.evening, _rounds_on_end(progress)
    if rounds < 2 or progress.present < 5 or cannot_divide(evening, progress.present):
        return ""
    parts = sizes(progress.present, cast("Leftover", evening.leftover))
    if parts.threes:
        return _(
            "The people at a table of three stay there for %(n)s rounds. A fresh draw each "
            "round avoids that."
        ) % {"n": rounds}
    return sitting_out_on_end(evening.club, rounds) if parts.out else ""


def _rounds_on_end(progress: EveningProgress) -> int:
    """The number of upcoming rounds for which a rotation keeps its tables together; else 0."""
    evening, first = progress.evening, progress.unplayed
    if evening.method != Evening.Method.ROTATION or progress.step[0] == "round":
        return 0
    start = first.number if first else len(progress.rounds) + 1
    return min(BLOCK_LENGTH, evening.rounds_planned - evening.last_ranked - start + 1)


def _while_running(progress: EveningProgress, running: RoundProgress) -> NextStep:
    evening = progress.evening
    if running.is_full:
        url = reverse("round_close", args=[evening.club.slug, evening.slug, running.number])
        return NextStep(_closing_label(evening, running.number) % {"n": running.number}, url)
    label = _("Round %(n)s: %(full)s of %(tables)s tables ready") % {
        "n": running.number,
        "full": running.full,
        "tables": running.tables,
    }
    return NextStep(label, step_url(evening, "round", running.number))


def _closing_label(evening: Evening, number: int) -> str:
    claims = open_claims(evening).filter(deal__sheet__table__round__number=number)
    disputes = open_disputes(evening).filter(sheet__table__round__number=number)
    if claims.exists() or disputes.exists():
        return _("Close round %(n)s: every deal is written, not everything is settled")
    return _("Close round %(n)s: everything is in")


def _round_state(progress: EveningProgress, number: int, *, current: bool) -> str:
    state = next((r.state for r in progress.rounds if r.number == number), "")
    if current or state == RUNNING:
        return "current"
    return "done" if state == CLOSED else "todo"
