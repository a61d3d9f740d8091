"""The append-only trail, and what is kept for those who watch the server."""

from django.db import models
from django.db.models import Q


class AuditEvent(models.Model):
    """One thing that happened: appended, never changed.

    `hash` covers every other column and the hash of the event before it. `data` and `actor` hold
    opaque ids only; names and free text stand in `AuditText`, and `commitments` binds them by
    salted hashes, so that a person can be erased and the chain still verifies. What happened in a
    league is in no club.
    """

    club = models.ForeignKey(
        "clubs.Club", on_delete=models.PROTECT, null=True, related_name="audit_events"
    )
    chain = models.CharField(max_length=50)
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    actor = models.CharField(max_length=60)
    action = models.CharField(max_length=40)
    object_ref = models.CharField(max_length=80)
    data = models.JSONField(default=dict)
    commitments = models.JSONField(default=dict)
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="audit_event_number_once"),
            models.CheckConstraint(
                condition=Q(club__isnull=False) | Q(chain__startswith="league:"),
                name="audit_event_without_club_in_league",
            ),
        ]
        indexes = [models.Index(fields=["club", "-at"], name="audit_event_by_club")]

    def __str__(self) -> str:
        return f"{self.chain} {self.number}: {self.action}"


class AuditText(models.Model):
    """Names and free text of an event. Erasing a row leaves the chain intact."""

    event = models.ForeignKey(AuditEvent, on_delete=models.CASCADE, related_name="texts")
    field = models.CharField(max_length=40)
    salt = models.CharField(max_length=32)
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "field"], name="audit_text_field_once"),
        ]

    def __str__(self) -> str:
        return f"{self.field}: {self.text}"


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
