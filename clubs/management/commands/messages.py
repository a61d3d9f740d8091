"""Keeps the Dutch catalogues in step with the source."""

import fcntl
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.management import catalogues


class Command(BaseCommand):
    """Update the catalogues; with an option, report on them or fill them."""

    help = "Update the Dutch catalogues from the source and compile them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        chosen = parser.add_mutually_exclusive_group()
        chosen.add_argument(
            "--check",
            action="store_true",
            help="change nothing; exit 1 with what is wrong",
        )
        chosen.add_argument(
            "--missing",
            metavar="APP",
            choices=catalogues.APPS,
            help="print the untranslated texts of an app as JSON, ready to fill",
        )
        chosen.add_argument(
            "--fill",
            metavar="FILE",
            type=Path,
            help='write translations from JSON: {"English": "Dutch", "one": ["één", "meer"]}',
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            self._check()
        elif options["missing"]:
            missing = catalogues.missing(options["missing"])
            self.stdout.write(json.dumps(missing, ensure_ascii=False, indent=1))
        else:
            self._update(_translations(options["fill"]) if options["fill"] else {})

    def _check(self) -> None:
        faults = [fault for app in catalogues.APPS for fault in catalogues.faults(app)]
        for fault in faults:
            self.stderr.write(fault)
        if faults:
            sys.exit(1)

    def _update(self, translations: dict[str, str | list[str]]) -> None:
        unknown = set(translations)
        with _alone():
            for app in catalogues.APPS:
                catalogue = catalogues.current(app)
                unknown -= catalogues.fill(catalogue, translations)
                catalogues.save(app, catalogue)
                words = catalogues.texts(catalogue)
                done = sum(map(catalogues.translated, words))
                self.stdout.write(f"{app}: {done} of {len(words)} texts translated")
        if unknown:
            raise CommandError("No text (or no plural) like this: " + ", ".join(sorted(unknown)))


def _translations(path: Path) -> dict[str, str | list[str]]:
    try:
        given: dict[str, str | list[str]] = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}") from error
    return given


@contextmanager
def _alone() -> Iterator[None]:
    """One update at a time: two people who fill catalogues at once lose nothing."""
    with Path(catalogues.__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
