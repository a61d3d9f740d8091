"""Writes the standings of an evening or a season to standard output."""

import json
from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from clubs.management.shared import club_named
from clubs.models import Club
from tournaments.management.shared import evening_named
from tournaments.models import Season
from tournaments.seasons.services import season_named
from tournaments.seasons.standings import season_choice, season_standings
from tournaments.standings.core.results import RANKS, CountingRule
from tournaments.standings.core.rule_json import InvalidRule, parse_season_rule
from tournaments.standings.texts import csv_text, evening_rows, season_json, season_rows


class Command(BaseCommand):
    """`manage.py standings --club SLUG --evening DATE`, or
    `--season NAME --format csv|json [--standing N | --rule JSON]`; `--by player|pair|team`."""

    help = "Write the standings of an evening (CSV) or of a season (CSV or JSON)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--evening", metavar="DATE")
        which.add_argument("--season", metavar="NAME")
        parser.add_argument("--format", choices=["csv", "json"], default="csv")
        rule = parser.add_mutually_exclusive_group()
        rule.add_argument(
            "--rule", metavar="JSON", help="use this rule instead of the season's own"
        )
        rule.add_argument(
            "--standing",
            metavar="N",
            type=int,
            help="which of the season's standings; 1, the main one, by default",
        )
        parser.add_argument(
            "--by", choices=RANKS, help="who is ranked; by default whom the evening or season ranks"
        )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        club = club_named(options["club"])
        if options["evening"] is not None:
            self._evening(club, options)
            return
        season = _season(club, options["season"])
        rule = _rule(season, options["rule"], options["standing"])
        table = season_standings(season, replace(rule, ranks=options["by"] or rule.ranks))
        if options["format"] == "json":
            self.stdout.write(json.dumps(season_json(table), ensure_ascii=False, indent=1))
        else:
            self.stdout.write(csv_text(season_rows(table)))

    def _evening(self, club: Club, options: dict[str, Any]) -> None:
        evening = evening_named(club, options["evening"])
        by = options["by"] or evening.ranks
        of_a_season = options["rule"] is not None and by != "team"
        if options["format"] != "csv" or options["standing"] is not None or of_a_season:
            raise CommandError("--format json, --rule and --standing are for a season.")
        best = None if options["rule"] is None else _parsed(options["rule"])[0].team_best
        self.stdout.write(csv_text(evening_rows(evening, by, best)))


def _season(club: Club, name: str) -> Season:
    season = season_named(club, name)
    if season is None:
        raise CommandError(f"There is no season '{name}' at {club.name}.")
    return season


def _rule(season: Season, text: str | None, number: int | None) -> CountingRule:
    standing = season_choice(season, 1 if number is None else number)
    if text is not None:
        rule, says_who = _parsed(text)
        usual = standing.rule.ranks if standing else rule.ranks
        return rule if says_who else replace(rule, ranks=usual)
    if standing is None:
        raise CommandError(f"'{season.name}' has no standing {number}.")
    return standing.rule


def _parsed(text: str) -> tuple[CountingRule, bool]:
    """The rule, and whether it says who is ranked."""
    try:
        given = json.loads(text)
        return parse_season_rule(given), "ranks" in given
    except InvalidRule as invalid:
        raise CommandError(f"--rule: {invalid}") from invalid
    except (ValueError, RecursionError) as error:
        raise CommandError(f"--rule: this is not JSON: {error}") from error
