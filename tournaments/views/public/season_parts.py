"""The pages of a season share this: the requested standing and its evenings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from clubs.models import Club
from scoring.words import pit_word
from tournaments.models import Evening, Season
from tournaments.outdated import evenings_outdated
from tournaments.rule_words import what_counts, what_else_counts
from tournaments.season_choice import Standing, season_choices
from tournaments.season_standings import evenings_counting, season_results, standings_of
from tournaments.standings.core import EveningResult, SeasonRow, SeasonTable
from tournaments.views.public.common import Shown, asked_number, shown_people


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """One standing of a season: the evenings, including cancelled ones, everybody's results of
    the closed ones, and the table that the rule makes of these.

    The table has public names; `people` has the rest of what is public about them, by id.
    """

    club: Club
    season: Season
    standings: Sequence[Standing]
    standing: Standing
    evenings: Sequence[Evening]
    results: Sequence[EveningResult]
    table: SeasonTable
    people: dict[str, Shown]

    @property
    def query(self) -> str:
        """The query string of addresses that stay with this standing."""
        return f"?standing={self.standing.number}" if self.standing.number > 1 else ""

    @property
    def what_counts(self) -> str:
        """The rule of the standing in one sentence."""
        rule = self.standing.rule
        return what_counts(rule, evenings_counting(self.evenings, rule))

    @property
    def what_else(self) -> list[str]:
        """The rest of the rule, a sentence each."""
        return list(what_else_counts(self.standing.rule, pit_word(self.club)))

    def outdated(self) -> list[Evening]:
        """The evenings in this standing that were corrected and await publication, in order."""
        closed = [evening for evening in self.evenings if evening.slug in self.table.evenings]
        return evenings_outdated(closed, self.results)


def asked_standing(request: HttpRequest, club: Club, season_slug: str) -> SeasonStanding:
    """The standing that `?standing=` asks for, the main one by default.

    Http404 if there is no such season or standing.
    """
    season = get_object_or_404(club.seasons, slug=season_slug)
    season.club = club
    standings = season_choices(season)
    number = asked_number(request, "standing")
    wanted = 1 if number is None else number
    standing = next((choice for choice in standings if choice.number == wanted), None)
    if standing is None:
        raise Http404
    evenings = list(season.evenings.order_by("date", "sequence"))
    closed = [evening for evening in evenings if evening.state == Evening.State.CLOSED]
    results = season_results(closed)
    table = standings_of(closed, standing.rule, results)
    people = shown_people(club, (row.player_id for row in table.rows))
    rows = tuple(replace(row, name=people[row.player_id].name) for row in table.rows)
    shown = replace(table, rows=rows)
    return SeasonStanding(club, season, standings, standing, evenings, results, shown, people)


def asked_person(
    request: HttpRequest, club: Club, season_slug: str, pk: int
) -> tuple[SeasonStanding, SeasonRow]:
    """The requested standing, and this person's line in it.

    Http404 if they have no line in it or no public page.
    """
    asked = asked_standing(request, club, season_slug)
    row = next((row for row in asked.table.rows if row.player_id == str(pk)), None)
    if row is None or not asked.people[row.player_id].url:
        raise Http404
    return asked, row
