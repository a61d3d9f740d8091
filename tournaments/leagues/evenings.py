"""A match day of four teams as an evening of its host: seated at four tables, results taken over.

In each of three rounds tables 1 and 2 are one match and tables 3 and 4 the other; the team that is
named first in a match sits North and South. The first two players of a team are a pair, and the
next two.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.members.services import member_change
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from scoring.models import Regulation, Scoresheet
from tournaments.draw.services import draw_publish, draw_type_in
from tournaments.evenings.services import EveningPlan, evening_create
from tournaments.leagues.matches import teams_of
from tournaments.leagues.queries import evening_of, members_elsewhere, public_kind
from tournaments.leagues.services import about, league_audit, league_lock, row_write
from tournaments.leagues.teams import STRICTNESS
from tournaments.models import (
    Evening,
    LeagueMatch,
    LeaguePlayer,
    LeagueTeam,
    MatchDay,
    Placement,
    Round,
)
from tournaments.registration.services import guests_ensure, presence_replace

FOUR = 4
TABLES_PER_MATCH = 2
SIDES = "home", "away"


@transaction.atomic
def match_day_evening_make(*, day: MatchDay, club: Club, actor: Actor) -> Evening:
    """Make the evening of a match day at the club that hosts, with its teams seated for round 1.
    Players who are no members there become guests, named in public as their own club does.

    Raises DomainError `day_not_of_four`, `evening_is_made`, `no_date`, `no_regulation`, or
    `players_missing` that names every team with fewer than four fixed players.
    """
    club = club_lock(club.pk)
    league = league_lock(day.division.season.league_id)
    season = day.division.season
    teams = teams_of(day)
    _require_ready(day, teams)
    regulation = _regulation(club)
    plan = EveningPlan(
        date=day.date,  # type: ignore[arg-type]
        name=_("%(league)s, match day %(n)s") % {"league": league.name[:50], "n": day.number},
        starts_at=day.starts_at,
        regulation=regulation,
        deals_per_round=season.deals,
        method=Evening.Method.TYPED_IN,
    )
    evening = evening_create(club=club, plan=plan, actor=actor)
    people = _people(club, teams, actor)
    everybody = [member for four in people.values() for member in four]
    presence_replace(evening_id=evening.pk, members=everybody, actor=actor)
    row_write(day, day.version, evening_uuid=evening.uuid)
    _seat(evening, day, 1, people, actor)
    league_audit(
        league,
        actor,
        "match_day_evening",
        about(day),
        data={"number": day.number, "evening": str(evening.uuid)},
    )
    return evening


def _require_ready(day: MatchDay, teams: Sequence[LeagueTeam]) -> None:
    season = day.division.season
    if len(teams) != FOUR or season.tables != TABLES_PER_MATCH:
        message = _("An evening is made of days on which four teams meet, at two tables a match.")
        raise DomainError("day_not_of_four", message)
    if evening_of(day) is not None:
        raise DomainError("evening_is_made", _("There is an evening for this match day already."))
    if day.date is None:
        raise DomainError("no_date", _("This match day has no date yet."))
    short = {team.name: team.players.filter(is_reserve=False).count() for team in teams}
    missing = [f"{name} ({count})" for name, count in short.items() if count < FOUR]
    if missing:
        message = _("Four fixed players of each team are needed. Fewer are known of: %(teams)s.")
        raise DomainError("players_missing", message % {"teams": ", ".join(missing)})


def _regulation(club: Club) -> Regulation:
    """The rules of the club's latest evening, else its newest."""
    latest = Evening.objects.of(club).exclude(regulation=None).order_by("-date", "-pk").first()
    found = latest.regulation if latest else Regulation.objects.filter(club=club).current().first()
    if found is None:
        message = _("The club has no regulation yet. Choose one in its settings first.")
        raise DomainError("no_regulation", message)
    return found


def _people(club: Club, teams: Sequence[LeagueTeam], actor: Actor) -> dict[int, list[Member]]:
    """The first four fixed players of each team as people of the club, by team: its own members,
    or else guests. A guest is public no more than at their own club, and is one player only."""
    players = [player for team in teams for player in team.players.filter(is_reserve=False)[:FOUR]]
    linked = {player.member_uuid for player in players}
    own: dict[object, Member] = {}
    guests: dict[str, list[Member]] = defaultdict(list)
    for member in Member.objects.of(club).filter(erased_at=None).order_by("pk"):
        own[member.uuid] = member
        if member.kind == Member.Kind.GUEST and member.uuid not in linked:
            guests[name_key(member.name)].append(member)
    elsewhere = members_elsewhere(players)
    found: dict[int, list[Member]] = {team.pk: [] for team in teams}
    for player in players:
        here = own.get(player.member_uuid)
        if here is None:
            known = elsewhere.get(player.member_uuid)
            shown = public_kind(player.name, known) if player.member_uuid else None
            here = _guest(club, player, guests[name_key(player.name)], shown, actor)
        found[player.team_id].append(here)
    return found


def _guest(
    club: Club, player: LeaguePlayer, namesakes: list[Member], shown: str | None, actor: Actor
) -> Member:
    """One of these guests, taken from the list and made public no more than `shown`; or a new
    one."""
    name = player.name
    if not namesakes:
        made = guests_ensure(club=club, people=[name], actor=actor, public_as=shown)
        return Member.objects.get(pk=made[name])
    guest = namesakes.pop(0)
    if shown and STRICTNESS.index(shown) > STRICTNESS.index(guest.public_as):
        guest = member_change(
            member=guest,
            seen_version=guest.version,
            actor=actor,
            name=guest.name,
            public_as=shown,
        )
    return guest


@transaction.atomic
def match_day_seat(*, day: MatchDay, evening: Evening, actor: Actor) -> int:
    """Seat the teams for the next round, once the round before is over. Returns its number.

    Raises DomainError `all_seated`, `seat_empty` where somebody was missing in round 1, and those
    of a draw that is typed in.
    """
    club = club_lock(evening.club_id)
    number = evening.rounds.exclude(state=Round.State.DRAFT).count() + 1
    if number > evening.rounds_planned:
        raise DomainError("all_seated", _("All rounds are seated already."))
    if number == 1:
        # Its draw was undone.
        people = _people(club, teams_of(day), actor)
    else:
        people = _people_of_round_1(evening, day)
    _seat(evening, day, number, people, actor)
    return number


def _people_of_round_1(evening: Evening, day: MatchDay) -> dict[int, list[Member]]:
    seats = {at: placed.member for at, placed in _placements(evening, 1).items()}
    people: dict[int, list[Member]] = {}
    for team, places in _places(list(day.matches.filter(round=1).order_by("pk"))).items():
        for table, seat in places:
            if (table, seat) not in seats:
                message = _("At table %(table)s a seat is empty in round 1, so seat this by hand.")
                raise DomainError("seat_empty", message % {"table": table})
        people[team] = [seats[at] for at in places]
    return people


def _placements(evening: Evening, number: int) -> dict[tuple[int, str], Placement]:
    """Who sits where in a round, by the number of the table and the seat."""
    placed = Placement.objects.filter(round__evening=evening, round__number=number)
    return {
        (each.table.number, each.seat): each
        for each in placed.exclude(table=None).select_related("table", "member")
        if each.table
    }


def _places(matches: Sequence[LeagueMatch]) -> dict[int, list[tuple[int, str]]]:
    """Where the four of each team sit in a round: table and seat."""
    places: dict[int, list[tuple[int, str]]] = {}
    for number, match in enumerate(matches):
        tables = range(number * TABLES_PER_MATCH + 1, (number + 1) * TABLES_PER_MATCH + 1)
        for team, seats in ((match.home_id, "NS"), (match.away_id, "EW")):
            places[team] = [(table, seat) for table in tables for seat in seats]
    return places


def _seat(
    evening: Evening,
    day: MatchDay,
    number: int,
    people: Mapping[int, Sequence[Member]],
    actor: Actor,
) -> None:
    tables: list[dict[str, Member]] = [{} for _table in range(FOUR)]
    matches = list(day.matches.filter(round=number).order_by("pk"))
    for team, places in _places(matches).items():
        for member, (table, seat) in zip(people[team], places, strict=True):
            tables[table - 1][seat] = member
    draw_type_in(evening_id=evening.pk, tables=tables, sit_out=[], actor=actor)
    draw_publish(evening_id=evening.pk, actor=actor)


# From the evening back to the league.


@transaction.atomic
def match_day_take_over(*, day: MatchDay, actor: Actor) -> tuple[int, list[LeagueMatch]]:
    """Take the results over from the closed evening; what is binding stays, and so does a match
    at whose tables others sat than its teams. Returns how many, and those matches.

    Raises DomainError `evening_is_open`.
    """
    league = league_lock(day.division.season.league_id)
    evening = evening_of(day)
    if evening is None or evening.state != Evening.State.CLOSED:
        message = _("The evening of this match day is not closed yet.")
        raise DomainError("evening_is_open", message)
    sheets = Scoresheet.objects.filter(table__round__evening=evening).annotate(
        round_number=F("table__round__number"), table_number=F("table__number")
    )
    scores = {
        (sheet.round_number, sheet.table_number): [sheet.score_ns, sheet.score_ew]
        for sheet in sheets
    }
    taken, otherwise = 0, []
    teams = _teams_by_member(evening, day)
    for number in range(1, evening.rounds_planned + 1):
        matches = list(day.matches.filter(round=number).order_by("pk").select_related(*SIDES))
        strange = _seated_otherwise(matches, _placements(evening, number), teams)
        for place, match in enumerate(matches):
            tables = (TABLES_PER_MATCH * place + 1, TABLES_PER_MATCH * place + 2)
            found = [scores[number, table] for table in tables if (number, table) in scores]
            if match.binding or len(found) != TABLES_PER_MATCH or match.scores == found:
                continue
            if strange & {match.home_id, match.away_id}:
                otherwise.append(match)
                continue
            match.scores, match.walkover, match.reason = found, None, ""
            match.save_changes("scores", "walkover", "reason")
            taken += 1
    data = {"number": day.number, "results": taken}
    league_audit(league, actor, "match_day_taken_over", about(day), data=data)
    return taken, otherwise


def _teams_by_member(evening: Evening, day: MatchDay) -> dict[int, int]:
    """The team of each person by their id: of whom it lists by that name, and else for which they
    sat in round 1."""
    listed: dict[object, set[int]] = defaultdict(set)
    for player in LeaguePlayer.objects.filter(team__in=teams_of(day)):
        listed[player.member_uuid or name_key(player.name)].add(player.team_id)
        listed[name_key(player.name)].add(player.team_id)
    seats = _placements(evening, 1)
    first = {
        seats[at].member_id: team
        for team, places in _places(list(day.matches.filter(round=1).order_by("pk"))).items()
        for at in places
        if at in seats
    }
    people = Member.objects.filter(placements__round__evening=evening).distinct()
    known = {}
    for member in people:
        by_list = listed.get(member.uuid) or listed.get(name_key(member.name)) or set()
        team = next(iter(by_list)) if len(by_list) == 1 else first.get(member.pk)
        if team is not None:
            known[member.pk] = team
    return known


def _seated_otherwise(
    matches: Sequence[LeagueMatch],
    placed: Mapping[tuple[int, str], Placement],
    teams: Mapping[int, int],
) -> set[int]:
    """The teams in whose seats somebody of another team sat, but to help out beside their own."""
    return {
        team
        for team, places in _places(matches).items()
        for at in places
        if at in placed and not placed[at].substitute
        if teams.get(placed[at].member_id, team) != team
    }


@transaction.atomic
def match_day_bind(*, day: MatchDay, actor: Actor) -> int:
    """Make the results of a day binding: from now on one is corrected with a reason only. Returns
    how many were not."""
    league = league_lock(day.division.season.league_id)
    waiting = [match for match in day.matches.filter(binding=False) if match.scores]
    for match in waiting:
        match.binding = True
        match.save_changes("binding")
    if waiting:
        data = {"number": day.number, "results": len(waiting)}
        league_audit(league, actor, "match_day_binding", about(day), data=data)
    return len(waiting)
