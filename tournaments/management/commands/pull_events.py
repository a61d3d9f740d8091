"""Reads the events of clubs on other servers, and the seeds of nights, for cron or a timer."""

import logging
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from clubs.audit.services import Actor
from tournaments.duplicate.nights import seeds_pull
from tournaments.leagues.pulling import source_pull
from tournaments.models import EventSource

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """`manage.py pull_events [--league WEB-NAME]`: one line for each club that had something new or
    could not be read, and for each evening that got the seed of its night or could not; the status
    is 1 if there was one that could not. With a league no seeds are asked for."""

    help = "Read the new events of clubs by the links that leagues have of them, and nights' seeds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--league", default="", metavar="WEB-NAME")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        actor = Actor.of_program("pull_events")
        failed = self._events(actor, options["league"])
        if not options["league"]:
            failed += self._seeds(actor)
        if failed:
            raise CommandError(f"{failed} clubs were not read well.")

    def _events(self, actor: Actor, league: str) -> int:
        """Read what clubs have; how many could not be read."""
        sources = EventSource.objects.exclude(address="").select_related("league")
        if league:
            sources = sources.filter(league__slug=league)
        failed = 0
        for source in sources.order_by("league_id", "pk"):
            try:
                pulled = source_pull(source, actor)
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
        return failed

    def _seeds(self, actor: Actor) -> int:
        """Ask for the seeds that evenings wait for; how many could not be read."""
        failed = 0
        for evening, faults in seeds_pull(actor):
            name = f"{evening.club.slug}: {evening.slug}"
            if not faults:
                self.stdout.write(f"{name}: the night is open")
            for fault in faults:
                self.stderr.write(f"{name}: {fault}")
            failed += bool(faults)
        return failed
