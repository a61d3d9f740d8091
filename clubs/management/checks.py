from typing import Any

from django.core import checks

from clubs.management import catalogues


def translations_check(**options: Any) -> list[checks.CheckMessage]:
    """Warn when pages would be in English, or in old words, because a catalogue was not built."""
    outdated = len(catalogues.outdated())
    if not outdated:
        return []
    message = f"{outdated} translation catalogues are not built, or older than their source."
    hint = "Run `manage.py compilemessages`; until then pages show English or old words."
    return [checks.Warning(message, hint=hint, id="clubs.W001")]
