"""What commands share: the catalogues in the tree, finding the club, and naming faults.

Of every `<domain>.po` a `.mo` is built, which programs read and git does not keep. Babel builds
them, because GNU gettext is a system package that a server where nobody is root may lack."""

import datetime as dt
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from clubs.files.reading import FileFaults
from clubs.models import Club
from clubs.text.errors import DomainError

APPS = "clubs", "scoring", "tournaments"
_ALWAYS = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def sources() -> list[Path]:
    """Every `.po` file of the apps and of the packages inside them."""
    base = Path(settings.BASE_DIR)
    return sorted(
        path for app in APPS for path in (base / app).glob("**/locale/*/LC_MESSAGES/*.po")
    )


def outdated() -> list[Path]:
    """The `.po` files with no `.mo` beside them, or with one older than they are."""
    return [source for source in sources() if not _is_built(source)]


def build(source: Path) -> Path:
    """Write the `.mo` beside `source` in one step: a server may be reading the old one."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    # Not when it was built: the same words give the same file.
    catalogue.creation_date = catalogue.revision_date = _ALWAYS
    target = source.with_suffix(".mo")
    handle, draft = tempfile.mkstemp(dir=target.parent)
    with os.fdopen(handle, "wb") as file:
        write_mo(file, catalogue)
    Path(draft).chmod(0o644)
    return Path(draft).replace(target)


def _is_built(source: Path) -> bool:
    target = source.with_suffix(".mo")
    return target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns


def translations_check(**options: Any) -> list[checks.CheckMessage]:
    """Warn when pages would be in English, or in old words, because a catalogue was not built."""
    count = len(outdated())
    if not count:
        return []
    message = f"{count} translation catalogues are not built, or older than their source."
    hint = "Run `manage.py compilemessages`; until then pages show English or old words."
    return [checks.Warning(message, hint=hint, id="clubs.W001")]


def club_named(slug: str) -> Club:
    """The club with this web name. Raises CommandError when there is none."""
    try:
        return Club.objects.listed().get(slug=slug)
    except Club.DoesNotExist:
        raise CommandError(f"There is no club '{slug}'.") from None


@contextmanager
def faults_named() -> Iterator[None]:
    """Turn what somebody can mend into a CommandError with each fault on a line of its own."""
    try:
        yield
    except (FileFaults, DomainError) as error:
        nothing = _("Nothing has been changed.")
        raise CommandError(f"{nothing}\n{error}") from error
