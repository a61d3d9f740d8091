from django.db import models
from django.db.models import Q

from scoring.models.sheet import SIDES_AND_SEATS, Scoresheet


class ControlTotal(models.Model):
    """What a paper sheet has under its lines for one side, typed to be held against what was typed
    of those lines; at a table of three what it has for one person, and `side` is his seat.

    A figure that is not on the paper, or was not typed, is null and not compared. A difference
    stands until it is gone or somebody accepted it with the sheet at `accepted_version`.
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
