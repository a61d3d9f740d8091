from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from clubs.audit.guards import guard
        from tournaments.audit import trail, verify  # noqa: F401
        from tournaments.duplicate import nights, published  # noqa: F401
        from tournaments.entries import arrivals  # noqa: F401
        from tournaments.evenings import permissions  # noqa: F401
        from tournaments.evenings import services as evenings  # noqa: F401
        from tournaments.leagues import permissions as league_permissions  # noqa: F401
        from tournaments.leagues import results  # noqa: F401
        from tournaments.models import NightRelease, RankingList
        from tournaments.personal_data import dossier, dossier_deals, erasing  # noqa: F401
        from tournaments.photos import services as photos  # noqa: F401
        from tournaments.table_links import services as table_links  # noqa: F401

        guard(RankingList, "update", "delete", "truncate")
        guard(NightRelease, "update", "delete", "truncate")
