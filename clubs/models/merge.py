import uuid

from django.db import models

from clubs.models.club import Club
from clubs.models.member import Member


class MemberMerge(models.Model):
    """A guest who turned out to be a member, with what it takes to take the two apart again.

    `guest` holds the guest's own details as they were; `handed_over` what became the member's,
    by kind: the ids of the rows, or the rows that had to go.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="merges")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="merges")
    guest = models.JSONField()
    handed_over = models.JSONField(default=dict)
    merged_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-merged_at", "-pk"]
        indexes = [models.Index(fields=["member", "-merged_at"], name="merge_by_member")]

    def __str__(self) -> str:
        return f"{self.guest.get('name', '')} → {self.member}"
