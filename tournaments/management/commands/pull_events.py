"""Reads the events of clubs on other servers, for cron or a timer."""

import logging
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from clubs.audit.services import Actor
from tournaments.leagues.pulling import source_pull
from tournaments.models import EventSource

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """`manage.py pull_events [--league WEB-NAME]`: one line for each club that had something new or
    could not be read; the status is 1 if there was one that could not."""

    help = "Read the new events of clubs by the links that leagues have of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--league", default="", metavar="WEB-NAME")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        sources = EventSource.objects.exclude(address="").select_related("league")
        if options["league"]:
            sources = sources.filter(league__slug=options["league"])
        failed = 0
        for source in sources.order_by("league_id", "pk"):
            try:
                pulled = source_pull(source, Actor.of_program("pull_events"))
            except Exception:
                # Whatever is wrong with one, the others go on.
                logger.exception("source %s of league %s", source.pk, source.league.slug)
                failed += 1
                continue
            name = f"{source.league.slug}: {source.club or 'a new club'}"
            if pulled.events:
                self.stdout.write(f"{name}: {pulled.events} events, {pulled.results} results")
            for fault in pulled.faults:
                self.stderr.write(f"{name}: {fault}")
            failed += bool(pulled.faults)
        if failed:
            raise CommandError(f"{failed} clubs were not read well.")
