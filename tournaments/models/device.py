from django.db import models
from django.db.models import Q

from tournaments.models.evening import Evening


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
        """What an entry written with this phone says of it: the same in every round."""
        return f"phone:{self.number}"


class PinGuard(models.Model):
    """Slows down who guesses a table's PIN: wrong ones in a row, and until when none is heard."""

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="pin_guards")
    table_number = models.PositiveSmallIntegerField()
    failures = models.PositiveIntegerField(default=0)
    blocked_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "table_number"], name="pin_guard_once_per_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening} table {self.table_number}: {self.failures} wrong"
