from django.db import models
from django.db.models import Q

from clubs.models import Member
from tournaments.models.evening import Evening


class Rating(models.Model):
    """How strong somebody was thought to be after an evening: the mean `mu` and how sure that is.

    A cache of what the deals and totals say; the command `ratings` makes it anew.
    """

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="ratings")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evening", "member"], name="rating_once_per_evening"),
            models.CheckConstraint(condition=Q(sigma__gt=0), name="rating_never_certain"),
        ]
        indexes = [models.Index(fields=["member", "evening"], name="rating_by_member")]

    def __str__(self) -> str:
        return f"{self.member}: {self.mu:.1f} ± {self.sigma:.1f}"
