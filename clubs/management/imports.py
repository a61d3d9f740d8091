"""What the commands that read files share: finding the club, reporting faults."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from clubs.files.reading import FileFaults
from clubs.models import Club
from clubs.text.errors import DomainError


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
