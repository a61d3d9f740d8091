from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        from clubs.audit.guards import guard
        from clubs.merges.services import hook_register
        from scoring.audit import trail
        from scoring.models import DealEntry

        # Not "delete": an evening that is read anew from its file takes its sheets along.
        guard(DealEntry, "update", "truncate")
        # After that of tournaments, which finds by their seats where two people met.
        hook_register(trail.SeatsFollow())
