from django.db import models

from tournaments.models.evening import Evening


class EveningSummary(models.Model):
    """What everybody brings to the season from a closed evening, as it was at `revision`.

    A cache: good as long as the evening has that revision, and made anew from the sheets when it
    has another.
    """

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, related_name="summary")
    revision = models.PositiveIntegerField()
    results = models.JSONField()

    def __str__(self) -> str:
        return f"{self.evening} at {self.revision}"
