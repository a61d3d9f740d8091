from django.apps import AppConfig
from django.core.checks import register
from django.db.models.signals import post_migrate


class ClubsConfig(AppConfig):
    name = "clubs"

    def ready(self) -> None:
        from django.forms import BooleanField, ChoiceField, Field, FileField
        from django.utils.translation import gettext_lazy as _

        from clubs.access import permissions  # noqa: F401
        from clubs.audit.guards import guard, triggers_install
        from clubs.management.shared import translations_check
        from clubs.models import AuditEvent
        from clubs.sign_in import devices

        register(translations_check)
        Field.default_error_messages["required"] = _("Fill this in.")
        ChoiceField.default_error_messages["required"] = _("Make a choice.")
        FileField.default_error_messages["required"] = _("Choose a file.")
        BooleanField.default_error_messages = {"required": _("Tick this first.")}
        guard(AuditEvent, "update", "delete", "truncate")
        post_migrate.connect(triggers_install, sender=self)
        devices.connect()
