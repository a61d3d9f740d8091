import uuid

from django.db import models
from django.db.models import F, Q

from clubs.models import User
from tournaments.models.season import Season


class PaperJob(models.Model):
    """A season booklet that is being made: how many of its parts are done, and then the PDF.

    It stands in the database, so that any server can say how far it is.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="paper_jobs")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=1)
    failed = models.BooleanField(default=False)
    pdf = models.BinaryField(null=True)
    started_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(done__lte=F("parts")), name="paper_job_done_of_all"),
        ]

    def __str__(self) -> str:
        return f"{self.season}: {self.done}/{self.parts}"
