import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import User, Versioned
from scoring.models.sheet import SIDES_AND_SEATS, Scoresheet
from scoring.rules import SIDES


class Deal(Versioned):
    """One deal of a sheet. All are created with the sheet, at version 0, so that a first entry too
    is an UPDATE with the version in its WHERE."""

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField(default=0, editable=False)
    current = models.OneToOneField(
        "DealEntry", on_delete=models.RESTRICT, null=True, blank=True, related_name="current_of"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="deal_number_once_per_sheet"),
            models.CheckConstraint(condition=Q(number__gte=1), name="deal_number_from_1"),
            models.CheckConstraint(
                condition=Q(version=0, current=None) | Q(version__gte=1),
                name="deal_at_version_0_has_no_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"deal {self.number}"


class DealEntry(models.Model):
    """What was written of a deal, at one moment, by one person: appended, never changed.

    `written` is the deal as the contract's sheet line has it, without the regulation; null is an
    erased line. `result` is the result of that; `replayed` says that the same dealer deals this
    deal again, so that the line is still to be written. The UUID is made by the client, so that the
    same entry sent twice is recognised. `record` is the deal card by card, where a director
    replayed it: the deal of the contract with `leader` and `cards`. `side` is whose phone wrote it,
    where each side has its own link; empty for the whole table and for the desk.
    """

    class Kind(models.TextChoices):
        WRITTEN = "written", _("written")
        UNDONE = "undone", _("undone")
        SWAPPED = "swapped", _("sides swapped")
        MOVED = "moved", _("moved from another sheet")
        RESTORED = "restored", _("put back")

    uuid = models.UUIDField(primary_key=True, default=uuid.uuid4)
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="entries")
    revision = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.WRITTEN)
    replaces = models.OneToOneField(
        "self", on_delete=models.RESTRICT, null=True, blank=True, related_name="replaced_by"
    )
    written = models.JSONField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    warnings = models.JSONField(default=list)
    replayed = models.BooleanField(default=False)
    record = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    user = models.ForeignKey(User, on_delete=models.RESTRICT, null=True, blank=True)
    actor = models.CharField(max_length=60)
    side = models.CharField(max_length=2, blank=True)
    device = models.CharField(max_length=60, blank=True)
    made_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["revision"]
        constraints = [
            models.UniqueConstraint(fields=["deal", "revision"], name="deal_entry_revision_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["written", "undone", "swapped", "moved", "restored"]),
                name="deal_entry_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(revision=1, replaces=None) | Q(revision__gt=1, replaces__isnull=False),
                name="deal_entry_replaces_the_one_before",
            ),
            models.CheckConstraint(
                condition=Q(side__in=["", *SIDES]), name="deal_entry_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deal} revision {self.revision}"


class ControlTotal(models.Model):
    """The totals a paper sheet has for one side, typed to compare them with the lines; at a table
    of three those of one person, and `side` is their seat.

    A figure that is not on the paper, or was not typed, is null and not compared. A difference
    stands until it is gone or somebody accepts it with the sheet at `accepted_version`.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="control_totals")
    side = models.CharField(max_length=2)
    points = models.PositiveIntegerField(null=True, blank=True)
    roem = models.PositiveIntegerField(null=True, blank=True)
    pits = models.PositiveSmallIntegerField(null=True, blank=True)
    total = models.IntegerField(null=True, blank=True)
    accepted_version = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "side"], name="control_total_once_per_side"),
            models.CheckConstraint(
                condition=Q(side__in=SIDES_AND_SEATS), name="control_total_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.side}: {self.points} + {self.roem}"
