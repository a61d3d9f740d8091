from django.apps import AppConfig
from django.core.checks import register
from django.db.models.signals import post_migrate


class ClubsConfig(AppConfig):
    name = "clubs"

    def ready(self) -> None:
        from clubs import permissions  # noqa: F401
        from clubs.checks import translations_check
        from clubs.models import AuditEvent
        from clubs.triggers import guard, triggers_install

        register(translations_check)
        guard(AuditEvent, "update", "delete", "truncate")
        post_migrate.connect(triggers_install, sender=self)
