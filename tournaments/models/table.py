import uuid

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Member, Versioned
from scoring.models import Scoresheet
from scoring.rules import THREE
from tournaments.models.evening import Evening


class Round(Versioned):
    """One round of an evening: a draft of the draw, then final, played and closed.

    `seal` fixes the trail of every sheet of the round as it stood when the round was closed.
    `search_ms` is how long the search for its draw took, with the rounds drawn along with it.
    `version` counts the changes of who sits where before it starts. `swaps` lists the pairs of
    people, by uuid, who changed places since it was drawn and did not change back. `movement` is
    how the program let its fixed pairs meet, empty without them.
    """

    class DrawnBy(models.TextChoices):
        PROGRAM = "program"
        HAND = "hand"

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        DRAWN = "drawn", _("drawn")
        RUNNING = "running", _("running")
        CLOSED = "closed", _("closed")

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=7, choices=State.choices, default=State.DRAFT)
    seed = models.PositiveIntegerField(default=0)
    seal = models.CharField(max_length=64, blank=True)
    search_ms = models.PositiveIntegerField(default=0)
    drawn_by = models.CharField(max_length=7, choices=DrawnBy.choices, default=DrawnBy.PROGRAM)
    swaps = models.JSONField(default=list, blank=True)
    movement = models.CharField(max_length=11, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["evening", "number"], name="round_once_per_evening"),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "drawn", "running", "closed"]),
                name="round_state_known",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_1"),
            models.CheckConstraint(
                condition=Q(drawn_by__in=["program", "hand"]), name="round_drawn_by_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening} {self.number}"

    @property
    def club(self) -> Club:
        """The club of the round."""
        return self.evening.club


class Table(models.Model):
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    sheet = models.OneToOneField(Scoresheet, on_delete=models.RESTRICT, related_name="table")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once_per_round"),
            models.CheckConstraint(condition=Q(number__gte=1), name="table_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.round} table {self.number}"

    @property
    def club(self) -> Club:
        """The club of the table."""
        return self.round.evening.club


class Placement(models.Model):
    """Where somebody is in a round: at a table, or sitting out. A seat that a substitute takes
    besides their own is marked, and exempt from "once a round"."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="placements")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="placements")
    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, null=True, blank=True, related_name="placements"
    )
    seat = models.CharField(max_length=1, blank=True)
    substitute = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "member"],
                condition=Q(substitute=False),
                name="placement_once_per_round",
            ),
            models.UniqueConstraint(
                fields=["table", "seat"],
                condition=Q(substitute=False, table__isnull=False),
                name="placement_seat_once",
            ),
            models.CheckConstraint(
                condition=Q(table=None, seat="", substitute=False)
                | Q(table__isnull=False, seat__in=["N", "E", "S", "W"]),
                name="placement_at_a_seat_or_out",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.seat or 'sits out'}"


class TableToken(models.Model):
    """A link that lets a phone write at one table for one evening. Only its hash is kept.

    Where both sides write each has its own, and `side` is whose it is; else it is empty.
    """

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="tokens")
    table_number = models.PositiveSmallIntegerField()
    side = models.CharField(max_length=2, blank=True)
    generation = models.PositiveSmallIntegerField(default=1)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "table_number", "side"],
                condition=Q(revoked_at=None),
                name="table_token_one_valid_per_side",
            ),
            models.CheckConstraint(
                condition=Q(side__in=["", "NS", "EW"]), name="table_token_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening} table {self.table_number}, link {self.generation}"


class CoupleRule(models.Model):
    """Two people who are always partners when both play, or who never share a table.

    `one` is the one with the lower id, so that a couple is written in one way only.
    """

    class Kind(models.TextChoices):
        FIXED = "fixed", _("always partners")
        APART = "apart", _("never at one table")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="couple_rules")
    one = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")
    two = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=5, choices=Kind.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "two"], name="couple_rule_once_per_couple"),
            models.CheckConstraint(
                condition=Q(one__lt=F("two")), name="couple_rule_lower_id_first"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["fixed", "apart"]), name="couple_rule_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one} – {self.two}: {self.get_kind_display()}"

    def clean(self) -> None:
        """Raises ValidationError if one of two partners has another one."""
        both = (self.one_id, self.two_id)
        others = CoupleRule.objects.filter(Q(one__in=both) | Q(two__in=both), kind=self.kind)
        if self.kind == self.Kind.FIXED and others.exclude(pk=self.pk).exists():
            raise ValidationError(_("One of these two always plays with somebody else."))


class TableDevice(models.Model):
    """A phone that opened a table's link, with the right to write there for one round.

    `digest` is the SHA-256 of what the phone keeps in its cookie. `number` counts the phones of
    this table this evening, from 1, and stays with the phone from round to round. Before the first
    draw is final the round is 0.
    """

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="devices")
    table_number = models.PositiveSmallIntegerField()
    round_number = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    number = models.PositiveSmallIntegerField()
    side = models.CharField(max_length=2, blank=True)
    name = models.CharField(max_length=60, blank=True)
    first_at = models.DateTimeField(auto_now_add=True)
    last_at = models.DateTimeField()
    cut_off_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["table_number", "round_number", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "table_number", "round_number", "digest"],
                name="table_device_once_per_round",
            ),
            models.UniqueConstraint(
                fields=["evening", "table_number", "round_number", "number"],
                name="table_device_number_once",
            ),
            models.CheckConstraint(
                condition=Q(side__in=["", "NS", "EW"]), name="table_device_side_known"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="table_device_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.evening} table {self.table_number}, phone {self.number}"

    @property
    def ref(self) -> str:
        """The name of this phone in what it writes: the same in every round."""
        return f"phone:{self.number}"


class PinGuard(models.Model):
    """Slows down guessing of a table's PIN: wrong PINs in a row, and until when it is blocked.

    One counts what a client gets wrong at a table, one what it gets wrong at all of them (table 0),
    and one what everybody gets wrong at a table (no client). `client` is a keyed hash.
    """

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="pin_guards")
    table_number = models.PositiveSmallIntegerField()
    client = models.CharField(max_length=64, blank=True)
    failures = models.PositiveIntegerField(default=0)
    blocked_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "table_number", "client"], name="pin_guard_once_per_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening} table {self.table_number}: {self.failures} wrong"


writing_changed = Signal()
"""Sent with `evening`, inside the transaction that changes who writes at its tables."""


class SheetPhoto(Versioned):
    """A picture of a page of a score sheet.

    While it waits, `content` is the file as it was sent. A process of its own reads that; from then
    on `content` is the page drawn anew, a JPEG without metadata. A file with several sheets becomes
    several rows, by `number`; `done` says how many answers there were, or how many there are as
    yet. `read` is what was read: deals and totals. `decided` are the numbers of the deals that
    somebody wrote from this picture, or left as they were. `sent_by` is who sent it, as the trail
    names them. Nothing is kept of the name of the file.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        READ = "read"
        REFUSED = "refused"
        WRITTEN = "written"

    USED = (State.READ, State.WRITTEN)

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="sheet_photos")
    sha256 = models.CharField(max_length=64)
    number = models.PositiveSmallIntegerField(default=1)
    sheet = models.ForeignKey(
        Scoresheet, on_delete=models.CASCADE, null=True, related_name="photos"
    )
    page = models.PositiveSmallIntegerField(null=True)
    content = models.BinaryField(null=True)
    read = models.JSONField(default=dict)
    decided = models.JSONField(default=list)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    problem = models.CharField(max_length=20, blank=True)
    sent_by = models.CharField(max_length=60, blank=True)
    done = models.PositiveSmallIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "sha256", "number"], name="sheet_photo_once_per_evening"
            ),
            models.UniqueConstraint(
                fields=["sheet", "page"],
                condition=Q(state__in=["read", "written"]),
                name="sheet_photo_one_of_a_page",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "read", "refused", "written"]),
                name="sheet_photo_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state="refused") & ~Q(problem="") | ~Q(state="refused") & Q(problem=""),
                name="sheet_photo_refused_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "refused"]) | Q(sheet__isnull=False, page__gte=1),
                name="sheet_photo_read_of_a_page",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening}: {self.sha256[:8]} {self.number}, {self.state}"

    @property
    def device(self) -> str:
        """What entries and the trail name as the source of a deal that was read from it."""
        return f"photo:{self.sha256[:40]}"

    @property
    def strips(self) -> dict[int, str]:
        """For each of its deals the part of the page that shows it, in millimetres, with a little
        above and below it."""
        return {
            deal["deal"]: f"{left:g} {top - 1:g} {width:g} {height + 2:g}"
            for deal in self.read.get("deals", ())
            for left, top, width, height in [deal["box"]]
        }

    @property
    def written(self) -> list[int]:
        """The deals for which the paper has something, whether it can be read or not."""
        deals = self.read.get("deals", ())
        return [deal["deal"] for deal in deals if deal["line"] or not deal["sure"]]

    @property
    def blank(self) -> list[int]:
        """The deals for which the paper has nothing."""
        written = set(self.written)
        numbers = (deal["deal"] for deal in self.read.get("deals", ()))
        return [number for number in numbers if number not in written]

    @property
    def is_blank(self) -> bool:
        """Whether there is no deal on it at all."""
        return not self.written

    @property
    def is_of_three(self) -> bool:
        """Whether the sheet is one for three people: their totals stand at its foot."""
        return set(self.read.get("totals", ())) == set(THREE)

    @property
    def is_spare(self) -> bool:
        """Whether people wrote on the sheet of which table it is."""
        return bool(self.read.get("named"))


class CameraLink(Versioned):
    """A secret address with which a phone sends pictures of the sheets of an evening, and can do
    nothing else. It is made anew with the next `generation`; without a digest there is none."""

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, related_name="camera_link")
    generation = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True, db_index=True)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.evening}: {self.generation}"
