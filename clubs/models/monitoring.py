from django.db import models
from django.db.models import Q


class HealthProbe(models.Model):
    """The one row that `/healthz` writes, to learn whether anything can be saved."""

    written_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(pk=1), name="health_probe_is_one_row"),
        ]

    def __str__(self) -> str:
        return f"{self.written_at:%Y-%m-%d %H:%M:%S}"


class CspReport(models.Model):
    """What browsers reported of the content security policy, counted by what was blocked and where.

    `route` is the page's route, never its path; `blocked` is a scheme and host, or a word such as
    `inline`. Nothing says who reported it.
    """

    directive = models.CharField(max_length=40)
    blocked = models.CharField(max_length=120)
    route = models.CharField(max_length=120)
    times = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["-last_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["directive", "blocked", "route"], name="csp_report_once_per_kind"
            ),
            models.CheckConstraint(condition=Q(times__gte=1), name="csp_report_was_seen"),
        ]

    def __str__(self) -> str:
        return f"{self.directive}: {self.blocked} ({self.route})"
