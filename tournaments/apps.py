from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from tournaments.audit import trail  # noqa: F401  # noqa: F401
        from tournaments.evenings import (
            locking,  # noqa: F401
            permissions,  # noqa: F401
        )
        from tournaments.personal_data import (
            dossier,  # noqa: F401
            erasing,  # noqa: F401
            merging,  # noqa: F401
        )
        from tournaments.table_links import services  # noqa: F401
