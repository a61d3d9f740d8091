"""Regulations, and the score sheets and seats that are played by them."""

import json
from functools import lru_cache

from django.db import models
from django.db.models import F, Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from clubs.models import AuditChain, Club, Member
from clubs.models.rows import Given, Prepared
from scoring import rules
from scoring.rules import SEATS, SIDES, THREE, TWO, Side, dealer_of, forehand_of, other_side
from scoring.rules import Seat as SeatName


class RegulationQuerySet(models.QuerySet["Regulation"]):
    def current(self) -> "RegulationQuerySet":
        """Of each regulation the newest version."""
        newer = Regulation.objects.filter(
            club=models.OuterRef("club"),
            name=models.OuterRef("name"),
            version__gt=models.OuterRef("version"),
        )
        return self.filter(~models.Exists(newer))


class Regulation(models.Model):
    """How a club plays and counts: one version of it, never changed once a sheet uses it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="regulations")
    name = models.CharField(_("name"), max_length=60)
    version = models.PositiveIntegerField(default=1, editable=False)
    settings = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = RegulationQuerySet.as_manager()

    class Meta:
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name", "version"], name="regulation_version_once"
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="regulation_version_from_1"),
        ]

    def __str__(self) -> str:
        return self.name if self.version == 1 else f"{self.name} ({self.version})"

    @cached_property
    def rules(self) -> rules.RuleSet:
        """The settings as the rules module reads them."""
        return _rules_of(json.dumps(self.settings))

    @property
    def is_used(self) -> bool:
        """Whether a sheet was made under it, so that it must stay as it is."""
        return self.scoresheets.exists()

    @property
    def newest(self) -> "Regulation":
        """The newest version of the same regulation."""
        same = Regulation.objects.filter(club=self.club_id, name=self.name)
        return same.select_related("club").order_by("-version")[0]


@lru_cache
def _rules_of(settings: str) -> rules.RuleSet:
    """Read once a process: a hall plays a whole evening by the same few settings."""
    return rules.parse_regulation(json.loads(settings))


class RuleNote(models.Model):
    """A club's own words about what no setting decides, for the page with its rules.

    `text_en` is for readers of the English page; where it is empty they read `text`.
    """

    class Topic(models.TextChoices):
        DEALING = "dealing", _("cutting and dealing")
        SIGNALLING = "signalling", _("signalling")
        OUT_OF_TURN = "out_of_turn", _("cards played out of turn")
        COUNTING = "counting", _("who counts")
        OTHER = "other", _("everything else")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="rule_notes")
    topic = models.CharField(max_length=11, choices=Topic.choices)
    text = models.TextField(max_length=1000)
    text_en = models.TextField(max_length=1000, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "topic"], name="rule_note_once_per_topic"),
            models.CheckConstraint(
                condition=Q(
                    topic__in=["dealing", "signalling", "out_of_turn", "counting", "other"]
                ),
                name="rule_note_topic_known",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="rule_note_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.get_topic_display()}: {self.text}"


COMPASS = ["N", "E", "S", "W"]
SIDES_AND_SEATS = ["NS", "EW", "N", "E", "S"]
LOWEST_TARGET, HIGHEST_TARGET = 162, 5_000


class Scoresheet(AuditChain):
    """One table's score sheet: a number of deals by the same four people; or `three_handed`; or
    `two_handed`, with one person a side, at N and E.

    The totals are a cache of the results of the deals; `manage.py verify` recomputes them.
    `version` rises with every change of what is written on the sheet. A planned sheet is still
    blank and waits for its round.

    With a `target` the sheet is full as soon as a side has that many points; `deals_planned` is
    then how many lines it has. `first_dealer` is empty while that is still to be drawn.
    `first_trump` is the trump suit of the first deal. With `first_reneging_replayed` the
    first proved reneging on the sheet costs nothing but a new deal.

    `play_off_ns` and `play_off_ew` are what four more deals came to after a match that ended equal;
    they decide who won it and count for nothing else.

    At a table of three each plays alone, at N, E or S, and nobody is at W. A line of such a
    sheet seats people as `scoring.rules.chairs_of` has it, and no side keeps its people: so
    `score_ns` is then the most that one of the three has, and `score_ew` the least.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    chain_kind = "sheet"

    chair: Side = "NS"
    """Whose sheet this reads as: the side that is called *we* and comes first. Not stored; set for
    a phone that the two of East and West hold."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="scoresheets")
    regulation = models.ForeignKey(
        Regulation, on_delete=models.RESTRICT, related_name="scoresheets"
    )
    three_handed = models.BooleanField(default=False)
    two_handed = models.BooleanField(default=False)
    deals_planned = models.PositiveSmallIntegerField(default=16)
    first_dealer = models.CharField(max_length=1, default="E", blank=True)
    target = models.PositiveIntegerField(null=True, blank=True)
    first_trump = models.CharField(max_length=1, blank=True)
    first_reneging_replayed = models.BooleanField(default=False)
    state = models.CharField(max_length=7, choices=State.choices, default=State.OPEN)
    version = models.PositiveIntegerField(default=0)
    deals_entered = models.PositiveSmallIntegerField(default=0)
    warnings = models.PositiveSmallIntegerField(default=0)
    score_ns = models.IntegerField(default=0)
    score_ew = models.IntegerField(default=0)
    play_off_ns = models.PositiveSmallIntegerField(null=True, blank=True)
    play_off_ew = models.PositiveSmallIntegerField(null=True, blank=True)
    last_entry_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["planned", "open", "closed"]), name="scoresheet_state_known"
            ),
            models.CheckConstraint(
                condition=Q(first_dealer__in=["", *COMPASS]),
                name="scoresheet_first_dealer_is_a_seat",
            ),
            models.CheckConstraint(
                condition=Q(deals_planned__gte=1, deals_planned__lte=99),
                name="scoresheet_deals_1_to_99",
            ),
            models.CheckConstraint(
                condition=Q(deals_entered__lte=F("deals_planned")),
                name="scoresheet_entered_at_most_planned",
            ),
            models.CheckConstraint(
                condition=Q(target=None) | Q(target__gte=LOWEST_TARGET, target__lte=HIGHEST_TARGET),
                name="scoresheet_target_162_to_5000",
            ),
            models.CheckConstraint(
                condition=Q(first_trump__in=["", "C", "D", "H", "S"]),
                name="scoresheet_first_trump_is_a_suit",
            ),
            models.CheckConstraint(
                condition=Q(three_handed=False) | Q(two_handed=False),
                name="scoresheet_of_three_or_of_two",
            ),
            models.CheckConstraint(
                condition=Q(play_off_ns=None, play_off_ew=None)
                | (
                    Q(play_off_ns__isnull=False, play_off_ew__isnull=False)
                    & ~Q(play_off_ns=F("play_off_ew"))
                ),
                name="scoresheet_play_off_has_a_winner",
            ),
        ]

    def __str__(self) -> str:
        return f"sheet {self.uuid}"

    @property
    def columns(self) -> tuple[Side, Side]:
        """The two sides in the order in which this sheet reads: *we* first."""
        return self.chair, other_side(self.chair)

    @property
    def is_full(self) -> bool:
        """Whether every deal is written, or a side has the points that end the sheet."""
        return self.deals_entered == self.deals_planned or self.done == self.target

    @property
    def ends_equal(self) -> bool:
        """Whether the sheet is full and its two couples have the same, in our game."""
        if not self.is_full or self.score_ns != self.score_ew or len(self.people) < len(SEATS):
            return False
        return self.regulation.rules.game == "klaverjas"

    @property
    def play_off(self) -> dict[str, int] | None:
        """What four more deals after an equal match came to; None while it is not decided, or when
        it is not equal any more."""
        if self.play_off_ns is None or self.play_off_ew is None or not self.ends_equal:
            return None
        return {"NS": self.play_off_ns, "EW": self.play_off_ew}

    @property
    def done(self) -> int:
        """How far the sheet is, out of `whole`: deals written, or points of the leading side."""
        if self.target is None:
            return self.deals_entered
        return max(0, min(self.target, max(self.score_ns, self.score_ew)))

    @property
    def whole(self) -> int:
        """The value of `done` on a full sheet: deals, or points."""
        return self.deals_planned if self.target is None else self.target

    def dealer(self, number: int) -> SeatName | None:
        """The dealer of deal `number` (from 1), clockwise from the first dealer; None until that is
        drawn."""
        if not self.first_dealer:
            return None
        return dealer_of(self.first_dealer, number, self.people)  # type: ignore[arg-type]

    def forehand(self, number: int) -> SeatName | None:
        """The leader of the first trick of deal `number`; None until the first dealer is drawn."""
        dealer = self.dealer(number)
        return dealer and forehand_of(dealer, self.people)

    @property
    def people(self) -> tuple[SeatName, ...]:
        """The seats in which people sit, clockwise."""
        if self.two_handed:
            return TWO
        return THREE if self.three_handed else SEATS

    @property
    def signatories(self) -> tuple[str, ...]:
        """The sides that confirm the sheet; at a table of three each person, by seat."""
        return THREE if self.three_handed else SIDES


def full_sheets(path: str = "") -> Q:
    """A filter for full sheets, like `Scoresheet.is_full`; `path` is a lookup ending in `__`."""
    written = Q(**{f"{path}deals_entered": F(f"{path}deals_planned")})
    aimed = Q(**{f"{path}target__isnull": False})
    ns = Q(**{f"{path}score_ns__gte": F(f"{path}target")})
    ew = Q(**{f"{path}score_ew__gte": F(f"{path}target")})
    return written | (aimed & (ns | ew))


class Seat(models.Model):
    """Who sits where on a sheet, from which deal on. No member: the dummy.

    A substitute who takes over halfway gets a row of their own with a later `from_deal`;
    `counts_for` names the person who gets the points when that is somebody else. An `extra` seat
    is held by somebody who plays the same round at another table too; it counts for nobody.
    The figures are a cache of the deals from `from_deal` up to the next holder's. `roem` and `pits`
    are None where a table handed in totals that do not say so.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="seats")
    seat = models.CharField(max_length=1)
    from_deal = models.PositiveSmallIntegerField(default=1)
    member = models.ForeignKey(
        Member, on_delete=models.RESTRICT, null=True, blank=True, related_name="seats"
    )
    counts_for = models.ForeignKey(
        Member, on_delete=models.RESTRICT, null=True, blank=True, related_name="credited_seats"
    )
    extra = models.BooleanField(default=False)
    score = models.IntegerField(default=0)
    roem = models.PositiveIntegerField(default=0, null=True, blank=True)
    pits = models.PositiveSmallIntegerField(default=0, null=True, blank=True)
    nats = models.PositiveSmallIntegerField(default=0)
    deals = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "seat", "from_deal"], name="seat_one_holder_per_deal"
            ),
            models.CheckConstraint(condition=Q(seat__in=COMPASS), name="seat_is_a_compass_point"),
            models.CheckConstraint(condition=Q(from_deal__gte=1), name="seat_from_deal_1"),
        ]

    def __str__(self) -> str:
        return f"{self.seat} {self.member or _('dummy')}"


class SideTotal(models.Model):
    """What one side handed in of a whole sheet, where no deals were written; at a table of three
    what one person did, and `side` is their seat.

    `total` is what the paper comes to, roem and bonuses included. `points`, `roem` and `pits` are
    what it is made of, as far as that was said: card points as they stand on the sheet, after nat.
    Without a `total` all three are known, and it is their sum with the regulation's bonus for each
    pit. The director's correction comes on top.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="side_totals")
    side = models.CharField(max_length=2)
    total = models.PositiveIntegerField(null=True, blank=True)
    points = models.PositiveIntegerField(null=True, blank=True)
    roem = models.PositiveIntegerField(null=True, blank=True)
    pits = models.PositiveSmallIntegerField(null=True, blank=True)
    correction = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "side"], name="side_total_once_per_side"),
            models.CheckConstraint(
                condition=Q(side__in=SIDES_AND_SEATS), name="side_total_side_known"
            ),
            models.CheckConstraint(
                condition=Q(total__isnull=False)
                | Q(points__isnull=False, roem__isnull=False, pits__isnull=False),
                name="side_total_or_its_parts",
            ),
        ]

    def __str__(self) -> str:
        parts = self.total if self.points is None else f"{self.points} + {self.roem}"
        return f"{self.side}: {parts}"


class Confirmation(models.Model):
    """One side says that the sheet as it stood at `sheet_version` is right, or that it isn't. At a
    table of three each person says so, and `side` is their seat."""

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="confirmations")
    side = models.CharField(max_length=2)
    sheet_version = models.PositiveIntegerField()
    agrees = models.BooleanField()
    note = models.CharField(max_length=200, blank=True)
    by = models.CharField(max_length=60)
    at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "side", "sheet_version"], name="confirmation_once_per_side"
            ),
            models.CheckConstraint(
                condition=Q(side__in=SIDES_AND_SEATS), name="confirmation_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.side} {'agrees' if self.agrees else 'disagrees'}"


_holding = Prepared(
    lambda: (
        Seat.objects.filter(sheet=Given(Seat, "sheet"))
        .select_related("member", "counts_for")
        .order_by("from_deal", "pk")
    )
)


def holders_of(sheet: Scoresheet) -> list[Seat]:
    """Who sat where on the sheet, in order of the deals from which they did."""
    seats = _holding.rows(sheet=sheet.pk)
    for seat in seats:
        seat.sheet = sheet
    return seats
