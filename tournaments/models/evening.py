"""An evening as planned and played, with its slug: the date, with -2 for a second one that day."""

import datetime as dt
import re
import uuid
from collections import Counter
from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Versioned
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from scoring.models import Regulation
from scoring.models.sheet import HIGHEST_TARGET, LOWEST_TARGET
from tournaments.models.season import EveningKind, Season, whole_cents

MOST_ROUNDS = 40
SEATED_BY_STANDING = ("balanced", "lottery", "pairs")
"""The methods whose first round can go by the standing that people bring."""

MOST_A_DAY = 99
"""A slug has at most two digits for the number of the evening on its day."""

MOST_PITS = 16
"""More than a round has deals, at most clubs."""

_SLUG = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-([2-9]|[1-9]\d))?", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)


def parse_evening_slug(slug: str) -> tuple[dt.date, int] | None:
    """The date and the number on that day of `slug`, or None if it is not a slug.

    >>> parse_evening_slug("2026-09-05-2")
    (datetime.date(2026, 9, 5), 2)
    """
    match = _SLUG.fullmatch(slug)
    if not match:
        return None
    try:
        date = dt.date.fromisoformat(match[1])
    except ValueError:
        return None
    return (date, int(match[2] or 1)) if FIRST_DAY <= date <= LAST_DAY else None


def parse_evening_date(text: str) -> tuple[dt.date, int] | None:
    """The same for a cell of a spreadsheet: a slug, or a date with the day first, as in Dutch ones.

    >>> parse_evening_date("5-9-2026")
    (datetime.date(2026, 9, 5), 1)
    """
    match = _DAY_FIRST.fullmatch(text)
    if not match:
        return parse_evening_slug(text)
    day, _mark, month, year = match.groups()
    return parse_evening_slug(f"{year}-{month:0>2}-{day:0>2}")


def format_evening_slug(date: dt.date, sequence: int) -> str:
    """The slug of this date and number on that day; the inverse of `parse_evening_slug`.

    >>> format_evening_slug(dt.date(2026, 9, 5), 1)
    '2026-09-05'
    """
    return date.isoformat() + (f"-{sequence}" if sequence > 1 else "")


def usual_tie_breaks() -> list[str]:
    """The tie-breaks of a club that has not chosen its own."""
    return ["pits", "best_round", "fewest_nats"]


class EveningQuerySet(models.QuerySet["Evening"]):
    def of(self, club: Club) -> "EveningQuerySet":
        return self.filter(club=club)

    def by_slug(self, slug: str) -> "EveningQuerySet":
        """The evening called `2026-11-21`, or `2026-11-21-2` for a second one that day."""
        named = parse_evening_slug(slug)
        return self.filter(date=named[0], sequence=named[1]) if named else self.none()


class Evening(Versioned):
    """One club evening, planned, being played or played.

    `together` is what groups in one hall have in common; their tables start at `first_table`.

    `revision` counts everything that changes what the public may see of it, each deal included;
    `version` only changes of its plan, its details and its rules.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        RUNNING = "running", _("running")
        CLOSED = "closed", _("closed")
        CANCELLED = "cancelled", _("cancelled")

    class Method(models.TextChoices):
        ROTATION = "rotation", _("tables stay together, everybody partners everybody")
        BALANCED = "balanced", _("new tables each round, meeting as many people as possible")
        LOTTERY = "lottery", _("a fresh draw each round")
        PAIRS = "pairs", _("fixed pairs")
        TYPED_IN = "typed_in", _("drawn by hand, typed in")

    class PairMovement(models.TextChoices):
        BY_PROGRAM = "by_program", _("the program moves them, so that few pairs meet twice")
        LOT = "lot", _("by lot each round, by the program")
        BY_STANDING = "by_standing", _("by standing: first against second, third against fourth")
        TYPED_IN = "typed_in", _("drawn by hand each round, typed in by pair number")
        FOLDERS = "folders", _("portefeuille: everybody plays the same cards, in folders")

    class Leftover(models.TextChoices):
        SIT_OUT = "sit_out", _("they sit out, in turn")
        THREE_HANDED = "three_handed", _("tables of three, with a dummy")
        THREE_HANDED_REST = (
            "three_handed_rest",
            _("three left over make a table, one or two sit out"),
        )

    class SitOutAs(models.TextChoices):
        FIXED = "fixed", _("a fixed number of points")
        LOWEST = "lowest", _("what it takes to come to the lowest total of the evening")
        NOTHING = "nothing", _("nothing: the round does not count, in a mean neither")

    class Leaving(models.TextChoices):
        MISSED = "missed", _("the points for a missed round, for each round they miss")
        LOWEST = "lowest", _("the lowest total of those who played on")

    class FirstDealer(models.TextChoices):
        LEFT = "left", _("who sits left of the scorekeeper")
        DRAWN = "drawn", _("whoever draws the highest card")

    class RoemBy(models.TextChoices):
        WINNER = "winner", _("the side that takes the trick")
        COMPLETER = "completer", _("whoever completes it")
        ANYONE = "anyone", _("anyone at the table, opponents too")
        ALWAYS = "always", _("nobody: it is always written")

    class RenegingUntil(models.TextChoices):
        COUNT = "count", _("until the points are counted")
        NEXT_TRICK = "next_trick", _("until the next trick is led")

    class Tie(models.TextChoices):
        SHARED = "shared", _("they share the place")
        PLAY_OFF = "play_off", _("four more deals for the first place, one per dealer")
        TIE_BREAKS = "tie_breaks", _("something else decides, such as the most pits")

    class Ranks(models.TextChoices):
        PLAYER = "player", _("persons")
        PAIR = "pair", _("fixed pairs")
        TEAM = "team", _("teams")

    class Interim(models.TextChoices):
        ROUNDS = "rounds", _("the rounds that are over; the round being played stands apart")
        AVERAGE = "average", _("the average per deal")

    class Writing(models.TextChoices):
        ONE = "one", _("one writes for the whole table")
        DEAL = "deal", _("one side writes, the other confirms each deal")
        ROUND = "round", _("one side writes, the other confirms the finished round")
        BOTH = "both", _("both sides write, and the two are compared")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="evenings")
    season = models.ForeignKey(
        Season,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="evenings",
        verbose_name=_("season"),
    )
    kind = models.ForeignKey(
        EveningKind,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="evenings",
        verbose_name=_("kind of evening"),
    )
    # What evenings that were planned in one go have in common.
    series = models.UUIDField(null=True, blank=True, editable=False, db_index=True)
    together = models.UUIDField(null=True, blank=True, editable=False, db_index=True)
    date = models.DateField(_("date"))
    starts_at = models.TimeField(_("start"), null=True, blank=True)
    sequence = models.PositiveSmallIntegerField(default=1, editable=False)
    name = models.CharField(_("name"), max_length=80, blank=True)
    regulation = models.ForeignKey(
        Regulation,
        on_delete=models.RESTRICT,
        null=True,
        blank=True,
        related_name="evenings",
        verbose_name=_("regulation"),
    )
    rounds_planned = models.PositiveSmallIntegerField(
        _("rounds"), default=3, validators=[MinValueValidator(1), MaxValueValidator(MOST_ROUNDS)]
    )
    deals_per_round = models.PositiveSmallIntegerField(
        _("deals per round"), default=16, validators=[MinValueValidator(1), MaxValueValidator(99)]
    )
    target = models.PositiveIntegerField(
        _("points that end a round"),
        null=True,
        blank=True,
        validators=[MinValueValidator(LOWEST_TARGET), MaxValueValidator(HIGHEST_TARGET)],
    )
    first_dealer = models.CharField(
        _("who deals first"), max_length=5, choices=FirstDealer.choices, default=FirstDealer.LEFT
    )
    first_trump_clubs = models.BooleanField(_("in the first deal clubs are trump"), default=False)
    maker_holds_trump = models.BooleanField(
        _("who makes trump must hold a card of it"), default=False
    )
    roem_by = models.CharField(
        _("who announces roem"), max_length=9, choices=RoemBy.choices, default=RoemBy.WINNER
    )
    reneging_until = models.CharField(
        _("how long reneging can be charged"),
        max_length=10,
        choices=RenegingUntil.choices,
        default=RenegingUntil.COUNT,
    )
    reneging_escalates = models.BooleanField(
        _("the first reneging at a table only costs a new deal"), default=False
    )
    tie = models.CharField(
        _("equal after the last round"), max_length=10, choices=Tie.choices, default=Tie.SHARED
    )
    tie_breaks = models.JSONField(default=usual_tie_breaks)
    match_play_off = models.BooleanField(
        _("a match at a table that ends equal is played off over four more deals"), default=False
    )
    ranks = models.CharField(
        _("who is ranked"), max_length=6, choices=Ranks.choices, default=Ranks.PLAYER
    )
    team_best = models.PositiveSmallIntegerField(
        _("how many of a team count"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(99)],
    )
    twice_replaces = models.BooleanField(
        _("a round played twice may replace a lower one of one's own"), default=False
    )
    interim = models.CharField(
        _("what places go by during the evening"),
        max_length=7,
        choices=Interim.choices,
        default=Interim.ROUNDS,
    )
    method = models.CharField(
        _("who plays with whom"), max_length=10, choices=Method.choices, default=Method.ROTATION
    )
    pair_movement = models.CharField(
        _("how fixed pairs meet"),
        max_length=11,
        choices=PairMovement.choices,
        default=PairMovement.BY_PROGRAM,
    )
    teammates_may_meet = models.BooleanField(
        _("people of one team may sit at one table"), default=False
    )
    leftover = models.CharField(
        _("when the number cannot be divided by four"),
        max_length=17,
        choices=Leftover.choices,
        default=Leftover.SIT_OUT,
    )
    first_ranked = models.BooleanField(
        _("the first round is drawn by the standing that people bring"), default=False
    )
    last_ranked = models.BooleanField(_("the last round is drawn by standing"), default=False)
    sit_out_score = models.PositiveIntegerField(
        _("score for sitting out a round"), default=1600, validators=[MaxValueValidator(99_999)]
    )
    missed_score = models.PositiveIntegerField(
        _("score for a missed round"), default=0, validators=[MaxValueValidator(99_999)]
    )
    sit_out_as = models.CharField(
        _("what sitting out a round is worth"),
        max_length=7,
        choices=SitOutAs.choices,
        default=SitOutAs.FIXED,
    )
    sit_out_pits = models.PositiveSmallIntegerField(
        _("pits for sitting out a round"), default=0, validators=[MaxValueValidator(MOST_PITS)]
    )
    leaving = models.CharField(
        _("what somebody gets who leaves halfway"),
        max_length=6,
        choices=Leaving.choices,
        default=Leaving.MISSED,
    )
    absence_found = models.BooleanField(
        _("who is neither present nor signed off stays away without notice"), default=False
    )
    phones = models.BooleanField(_("deals may be written on a phone at the table"), default=True)
    writing = models.CharField(
        _("who writes at the table"), max_length=5, choices=Writing.choices, default=Writing.ONE
    )
    stake_member = whole_cents(_("stake for a member"))
    stake_guest = whole_cents(_("stake for a guest"))
    prizes = models.JSONField(default=dict, blank=True)
    frozen = models.BooleanField(_("standings hidden until the prizes"), default=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PLANNED)
    is_history = models.BooleanField(default=False, editable=False)
    seed = models.PositiveIntegerField(default=0, editable=False)
    first_table = models.PositiveSmallIntegerField(default=1, editable=False)
    revision = models.PositiveIntegerField(default=1, editable=False)
    # How often somebody's points of the evening were corrected; 0 if never, so that none are read.
    corrected = models.PositiveIntegerField(default=0, editable=False)

    objects: ClassVar[EveningQuerySet] = EveningQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["-date", "-sequence"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "date", "sequence"], name="evening_once_per_club_and_date"
            ),
            models.CheckConstraint(
                condition=Q(date__gte=FIRST_DAY, date__lte=LAST_DAY),
                name="evening_date_within_reach",
            ),
            models.CheckConstraint(
                condition=Q(sequence__gte=1, sequence__lte=MOST_A_DAY),
                name="evening_sequence_1_to_99",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["planned", "running", "closed", "cancelled"]),
                name="evening_state_known",
            ),
            models.CheckConstraint(
                condition=Q(method__in=["rotation", "balanced", "lottery", "pairs", "typed_in"]),
                name="evening_method_known",
            ),
            models.CheckConstraint(condition=Q(first_table__gte=1), name="evening_table_from_1"),
            models.CheckConstraint(
                condition=Q(leftover__in=["sit_out", "three_handed", "three_handed_rest"]),
                name="evening_leftover_known",
            ),
            models.CheckConstraint(
                condition=Q(sit_out_as__in=["fixed", "lowest", "nothing"]),
                name="evening_sit_out_as_known",
            ),
            models.CheckConstraint(
                condition=Q(sit_out_pits__lte=MOST_PITS), name="evening_sit_out_pits_at_most_16"
            ),
            models.CheckConstraint(
                condition=Q(leaving__in=["missed", "lowest"]), name="evening_leaving_known"
            ),
            models.CheckConstraint(
                condition=Q(rounds_planned__gte=1, rounds_planned__lte=MOST_ROUNDS),
                name="evening_rounds_1_to_40",
            ),
            models.CheckConstraint(
                condition=Q(
                    pair_movement__in=["by_program", "lot", "by_standing", "typed_in", "folders"]
                ),
                name="evening_pair_movement_known",
            ),
            models.CheckConstraint(
                condition=Q(deals_per_round__gte=1, deals_per_round__lte=99),
                name="evening_deals_1_to_99",
            ),
            models.CheckConstraint(
                condition=Q(target=None) | Q(target__gte=LOWEST_TARGET, target__lte=HIGHEST_TARGET),
                name="evening_target_162_to_5000",
            ),
            models.CheckConstraint(
                condition=Q(first_dealer__in=["left", "drawn"]), name="evening_first_dealer_known"
            ),
            models.CheckConstraint(
                condition=Q(roem_by__in=["winner", "completer", "anyone", "always"]),
                name="evening_roem_by_known",
            ),
            models.CheckConstraint(
                condition=Q(reneging_until__in=["count", "next_trick"]),
                name="evening_reneging_until_known",
            ),
            models.CheckConstraint(
                condition=Q(tie__in=["shared", "play_off", "tie_breaks"]), name="evening_tie_known"
            ),
            models.CheckConstraint(
                condition=Q(interim__in=["rounds", "average"]), name="evening_interim_known"
            ),
            models.CheckConstraint(
                condition=Q(ranks__in=["player", "pair", "team"]), name="evening_ranks_known"
            ),
            models.CheckConstraint(
                condition=Q(team_best=None) | Q(team_best__gte=1), name="evening_team_best_from_1"
            ),
            models.CheckConstraint(
                condition=Q(writing__in=["one", "deal", "round", "both"]),
                name="evening_writing_known",
            ),
            models.CheckConstraint(
                condition=Q(is_history=True) | Q(regulation__isnull=False),
                name="evening_has_a_regulation_unless_history",
            ),
        ]
        indexes = [models.Index(fields=["season", "date"], name="evening_by_season")]

    def __str__(self) -> str:
        return self.name or self.slug

    @property
    def slug(self) -> str:
        """The evening's place in addresses: its date, with -2 for a second one that day."""
        return format_evening_slug(self.date, self.sequence)

    @property
    def is_open(self) -> bool:
        """Whether it is still to be played, or being played."""
        return self.state in (self.State.PLANNED, self.State.RUNNING)

    @property
    def is_frozen(self) -> bool:
        """Whether points are hidden from the public until the prize-giving."""
        return self.state == self.State.RUNNING and self.frozen

    @property
    def shows_scores(self) -> bool:
        """Whether the public may see points now: places, totals and what is on the sheets."""
        return self.state in (self.State.RUNNING, self.State.CLOSED) and not self.is_frozen

    @property
    def shows_sheets(self) -> bool:
        """Whether the public may see what was written of each deal: where points are shown, and no
        other club may still be playing the same cards. A query where folders are played."""
        if not self.shows_scores or not self.plays_folders:
            return self.shows_scores
        duplicate = getattr(self, "duplicate", None)
        return duplicate is None or not duplicate.is_locked

    @property
    def plays_folders(self) -> bool:
        """Whether everybody plays the same cards: portefeuille."""
        movement = self.PairMovement.FOLDERS
        return self.method == self.Method.PAIRS and self.pair_movement == movement

    @property
    def draws_ahead(self) -> bool:
        """Whether one draw covers all upcoming rounds; otherwise each round is drawn by itself."""
        if self.method == self.Method.PAIRS:
            return self.pair_movement in (self.PairMovement.BY_PROGRAM, self.PairMovement.FOLDERS)
        return self.method in (self.Method.ROTATION, self.Method.BALANCED)

    @property
    def may_be_typed_in(self) -> bool:
        """Whether the next round may also be drawn by hand; else who plays with whom is fixed."""
        if self.method == self.Method.PAIRS:
            return not self.draws_ahead
        return self.method != self.Method.ROTATION

    @property
    def must_be_typed_in(self) -> bool:
        """Whether every round is drawn by hand."""
        if self.method == self.Method.PAIRS:
            return self.pair_movement == self.PairMovement.TYPED_IN
        return self.method == self.Method.TYPED_IN

    def goes_by_standing(self, number: int) -> bool:
        """Whether the round with this number is drawn by the standing before it."""
        if number == 1:
            return self.first_ranked and self.method in SEATED_BY_STANDING
        if self.method == self.Method.PAIRS:
            return self.pair_movement == self.PairMovement.BY_STANDING
        return self.last_ranked and number == self.rounds_planned

    @property
    def groups(self) -> "list[Evening]":
        """The groups that play at once in the hall, A first; none without. A query if any."""
        if self.together is None:
            return []
        groups = Evening.objects.filter(club=self.club_id, together=self.together)
        return [*groups.exclude(state="cancelled").select_related("club").order_by("sequence")]

    def count_alone(self) -> int:
        """The number of people present whose partner is not, with fixed pairs. One query."""
        present = self.registrations.filter(present=True)
        by_pair = Counter(present.values_list("pair", flat=True))
        return by_pair.pop(None, 0) + sum(1 for people in by_pair.values() if people < 2)
