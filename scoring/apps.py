from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        from clubs.audit.guards import guard
        from scoring.audit import trail  # noqa: F401
        from scoring.models import DealEntry

        # Not "delete": an evening that is read anew from its file takes its sheets along.
        guard(DealEntry, "update", "truncate")
