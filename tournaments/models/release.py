from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import Q

from clubs.models import User
from tournaments.models.evening import Evening

PUBLISHED_AS = "published_as"
"""The key under which a row of `standings` has the id that somebody had when it was published,
where the club has moved to another server since."""


def published_as(row: Mapping[str, Any]) -> int:
    """The id, at the time of publishing, of the person a row of `standings` is about."""
    return int(row.get(PUBLISHED_AS, row["member"]))


class Release(models.Model):
    """The standings of an evening as they were published: numbered, never changed.

    `standings` holds one object per row: rank, member, name, total, rounds, pits.
    `changes` lists who moved since the release before. `evening_revision` is that of the evening
    with this release: as long as it has that, nothing can have been corrected.
    """

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="releases")
    number = models.PositiveSmallIntegerField()
    standings = models.JSONField()
    changes = models.JSONField(default=list)
    reason = models.CharField(max_length=200, blank=True)
    evening_revision = models.PositiveIntegerField(null=True, blank=True)
    seal = models.CharField(max_length=64)
    user = models.ForeignKey(User, on_delete=models.RESTRICT, null=True, blank=True)
    published_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["evening", "number"], name="release_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="release_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.evening} release {self.number}"
