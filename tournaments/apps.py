from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from tournaments import (  # noqa: F401
            dossier,
            dossier_deals,
            erasing,
            merging,
            permissions,
            receivers,
            trail,
            verify,
        )
        from tournaments.services import links  # noqa: F401
