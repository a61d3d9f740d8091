"""Takes events of clubs in at a league: documents in files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.db import transaction

from clubs.audit.services import Actor
from clubs.management.shared import faults_named
from tournaments.leagues.event_documents import document_read
from tournaments.leagues.exchange import event_import
from tournaments.models import League


class Command(BaseCommand):
    """`manage.py import_event FILE … --league WEB-NAME`: all of them, or nothing."""

    help = "Import documents that export_event wrote; the same one again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
        parser.add_argument("--league", required=True, metavar="WEB-NAME")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        league = League.objects.filter(slug=options["league"]).first()
        if league is None:
            raise CommandError(f"There is no league '{options['league']}'.")
        actor = Actor.of_program("import_event")
        said = []
        with transaction.atomic(), faults_named():
            for path in options["files"]:
                try:
                    content = path.read_bytes()
                except OSError as error:
                    raise CommandError(f"{path}: {error.strerror}") from error
                document = document_read(content)
                imported = event_import(league=league, document=document, actor=actor)
                if imported.changed:
                    said += [f"{imported.event}: {imported.results} results", *imported.notes]
                else:
                    said.append(f"{imported.event}: nothing new")
        self.stdout.write("\n".join(said))
