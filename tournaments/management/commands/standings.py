"""Writes the standings of an evening or a season to standard output."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from clubs.management.imports import club_named
from clubs.models import Club
from tournaments.exports import csv_text, evening_rows, season_json, season_rows
from tournaments.management.evenings import evening_named
from tournaments.models import Season
from tournaments.ranking import InvalidRule, SeasonRule, parse_season_rule
from tournaments.season_standings import season_standings
from tournaments.services import season_named


class Command(BaseCommand):
    """`manage.py standings --club SLUG --evening DATE`, or
    `--season NAME --format csv|json [--rule JSON]`."""

    help = "Write the standings of an evening (CSV) or of a season (CSV or JSON)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--evening", metavar="DATE")
        which.add_argument("--season", metavar="NAME")
        parser.add_argument("--format", choices=["csv", "json"], default="csv")
        parser.add_argument("--rule", metavar="JSON", help="stands in for the season's own rule")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        club = club_named(options["club"])
        if options["evening"] is not None:
            if options["format"] != "csv" or options["rule"] is not None:
                raise CommandError("--format json and --rule are for a season.")
            rows = evening_rows(evening_named(club, options["evening"]))
            self.stdout.write(csv_text(rows))
            return
        rule = _rule(options["rule"]) if options["rule"] is not None else None
        table = season_standings(_season(club, options["season"]), rule)
        if options["format"] == "json":
            self.stdout.write(json.dumps(season_json(table), ensure_ascii=False, indent=1))
        else:
            self.stdout.write(csv_text(season_rows(table)))


def _season(club: Club, name: str) -> Season:
    season = season_named(club, name)
    if season is None:
        raise CommandError(f"There is no season '{name}' at {club.name}.")
    return season


def _rule(text: str) -> SeasonRule:
    try:
        return parse_season_rule(json.loads(text))
    except InvalidRule as invalid:
        raise CommandError(f"--rule: {invalid}") from invalid
    except (ValueError, RecursionError) as error:
        raise CommandError(f"--rule: this is not JSON: {error}") from error
