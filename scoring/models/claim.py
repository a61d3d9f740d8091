import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from scoring.models.deal import Deal, DealEntry
from scoring.rules import SIDES

OPEN_CLAIM = Q(decided_at=None)


class DealConfirmation(models.Model):
    """One side says that a deal is written as it was; at a table of three one person, by seat.

    It is about one entry: a correction needs a confirmation of its own.
    """

    entry = models.ForeignKey(DealEntry, on_delete=models.CASCADE, related_name="confirmations")
    side = models.CharField(max_length=2)
    actor = models.CharField(max_length=60)
    device = models.CharField(max_length=60, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "side"], name="deal_confirmation_once_per_side"
            ),
            models.CheckConstraint(
                condition=Q(side__in=[*SIDES, "N", "E", "S"]), name="deal_confirmation_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.side}: {self.entry}"


class DealClaim(models.Model):
    """A value for a deal that differs from what stands: stored beside it until somebody decides.

    `against` is what stood when it was received, null for an empty line. `written` and `result` are
    as in `DealEntry`. `taken` says how it was decided: the deal was written so, or what stood was
    left. The UUID is the client's, so that the same claim sent twice is recognised. A value that is
    the SAME as what stands is stored too, and is decided from the start.
    """

    class Why(models.TextChoices):
        DIFFERENT = "different", _("two phones wrote it differently")
        OBJECTED = "objected", _("the other side counted something else")
        LATE = "late", _("it came when the sheet was done")
        CUT_OFF = "cut_off", _("it came from a phone that may no longer write here")
        SAME = "same", _("it says what stands already")

    uuid = models.UUIDField(primary_key=True, default=uuid.uuid4)
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="claims")
    against = models.ForeignKey(
        DealEntry, on_delete=models.RESTRICT, null=True, blank=True, related_name="claims"
    )
    why = models.CharField(max_length=9, choices=Why.choices)
    written = models.JSONField()
    result = models.JSONField()
    reason = models.CharField(max_length=200, blank=True)
    side = models.CharField(max_length=2, blank=True)
    user = models.ForeignKey(
        User, on_delete=models.RESTRICT, null=True, blank=True, related_name="+"
    )
    actor = models.CharField(max_length=60)
    device = models.CharField(max_length=60, blank=True)
    made_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=60, blank=True)
    taken = models.BooleanField(null=True, blank=True)

    class Meta:
        ordering = ["received_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["deal", "actor", "device"],
                condition=OPEN_CLAIM,
                name="deal_claim_one_open_per_device",
            ),
            models.CheckConstraint(
                condition=Q(why__in=["different", "objected", "late", "cut_off", "same"]),
                name="deal_claim_why_known",
            ),
            models.CheckConstraint(
                condition=Q(side__in=["", *SIDES]), name="deal_claim_side_known"
            ),
            models.CheckConstraint(
                condition=Q(decided_at=None, taken=None)
                | Q(decided_at__isnull=False, taken__isnull=False),
                name="deal_claim_decided_one_way",
            ),
            models.CheckConstraint(
                condition=~Q(why="same") | Q(taken=True, decided_at__isnull=False),
                name="deal_claim_same_is_no_dispute",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deal}: {self.why}"
