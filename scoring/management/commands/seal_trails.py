"""Seals every trail with this server's key, after another one was used."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from clubs.archives.rows import require_migrated
from clubs.archives.whole import snapshot
from clubs.audit.services import is_sealed, seal_anew
from scoring.audit.verify import carriers_of, faults


class Command(BaseCommand):
    """`manage.py seal_trails`: only says what it would do, without `--yes`."""

    help = "Seal every trail anew that this server's key did not seal, if `verify` finds no more."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--yes", action="store_true", help="do it")

    @no_translations
    def handle(self, *args: Any, yes: bool, **options: Any) -> None:
        require_migrated()
        with snapshot():
            heads = [head for head in carriers_of(None) if not is_sealed(head)]
            differences = list(faults(sealed=False)) if heads else []
        for fault in differences:
            self.stderr.write(fault)
        if differences:
            raise CommandError("Nothing has been sealed: the trails are not as they were written.")
        if not heads:
            self.stdout.write("Every trail is sealed with this server's key.")
        elif yes:
            self.stdout.write(f"{seal_anew(heads)} trails are sealed anew.")
        else:
            raise CommandError(
                f"{len(heads)} trails are not sealed with this server's key. A new seal is right"
                " only if the key was changed: it hides what somebody without the key did before."
                " Compare with `verify --heads` first, then say --yes."
            )
