import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.club import Club
from clubs.models.user import User


class Upload(models.Model):
    """A file that somebody wants to have read in: kept from when its preview is shown until he says
    yes, and for a day at the most. What it came to stays, without the file.

    `details` is what was chosen with it, such as the season; `outcome` what was made of it.
    """

    class Kind(models.TextChoices):
        MEMBERS = "members", _("members")
        RESULTS = "results", _("results")
        EVENING = "evening", _("an evening with its deals")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="uploads")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    kind = models.CharField(max_length=7, choices=Kind.choices)
    name = models.CharField(max_length=100)
    content = models.BinaryField()
    details = models.JSONField(default=dict)
    outcome = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-done_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["members", "results", "evening"]), name="upload_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.name}"
