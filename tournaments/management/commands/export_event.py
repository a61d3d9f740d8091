"""Writes the document of a published evening for a league to standard output."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, no_translations

from clubs.management.shared import club_named, faults_named
from tournaments.leagues.event_documents import document_text, event_document
from tournaments.management.shared import evening_named


class Command(BaseCommand):
    """`manage.py export_event --club SLUG --date DATE --league WEB-NAME`."""

    help = "Export a published evening as a signed JSON document, as import_event reads it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--date", required=True, help="2026-09-05, or 2026-09-05-2")
        parser.add_argument("--league", required=True, help="the web name of the league it is for")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        evening = evening_named(club_named(options["club"]), options["date"])
        with faults_named():
            document = event_document(evening, options["league"])
        self.stdout.write(document_text(document), ending="")
