"""A match day of four teams as an evening of its host: seated at four tables, results taken over.

In each of three rounds tables 1 and 2 are one match and tables 3 and 4 the other; the team that is
named first in a match sits North and South. The first two players of a team are a pair, and the
next two.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from scoring.models import Regulation, Scoresheet
from tournaments.draw.services import draw_publish, draw_type_in
from tournaments.evenings.services import EveningPlan, evening_create
from tournaments.leagues.matches import teams_of
from tournaments.leagues.services import about, league_audit, league_lock, row_write
from tournaments.models import Evening, LeagueMatch, LeagueTeam, MatchDay, Table
from tournaments.registration.services import guests_ensure, presence_replace

FOUR = 4
TABLES_PER_MATCH = 2


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
    if day.evening_uuid is not None:
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
    """The first four fixed players of each team as people of the club, by team."""
    own = {member.uuid: member for member in Member.objects.of(club)}
    guests = {
        name_key(member.name): member for member in own.values() if member.kind == Member.Kind.GUEST
    }
    found: dict[int, list[Member]] = {}
    for team in teams:
        players = list(team.players.filter(is_reserve=False)[:FOUR])
        elsewhere = {
            member.uuid: str(member.public_as)
            for member in Member.objects.filter(uuid__in=[each.member_uuid for each in players])
        }
        found[team.pk] = []
        for player in players:
            uuid = player.member_uuid
            member = (uuid and own.get(uuid)) or guests.get(name_key(player.name))
            if member is None:
                shown = elsewhere.get(uuid) if uuid else None
                name = player.name
                made = guests_ensure(club=club, people=[name], actor=actor, public_as=shown)
                member = Member.objects.get(pk=made[name])
            found[team.pk].append(member)
    return found


@transaction.atomic
def match_day_seat(*, day: MatchDay, evening: Evening, actor: Actor) -> int:
    """Seat the teams for the next round, once the round before is over. Returns its number.

    Raises DomainError `all_seated`, and those of a draw that is typed in.
    """
    club_lock(evening.club_id)
    number = evening.rounds.count() + 1
    if number > evening.rounds_planned:
        raise DomainError("all_seated", _("All rounds are seated already."))
    first = Table.objects.filter(round__evening=evening, round__number=1)
    seats = {
        (table.number, seat): member
        for table in first
        for seat, member in table.placements.values_list("seat", "member")
    }
    members = Member.objects.in_bulk(seats.values())
    people = {
        team: [members[seats[at]] for at in places]
        for team, places in _places(list(day.matches.filter(round=1).order_by("pk"))).items()
    }
    _seat(evening, day, number, people, actor)
    return number


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


def evening_of(day: MatchDay) -> Evening | None:
    """The evening that was made of a match day, as long as it is on this server."""
    if day.evening_uuid is None:
        return None
    return Evening.objects.select_related("club").filter(uuid=day.evening_uuid).first()


@transaction.atomic
def match_day_take_over(*, day: MatchDay, actor: Actor) -> int:
    """Take the results over from the closed evening; what is binding stays. Returns how many.

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
    taken = 0
    for number in range(1, evening.rounds_planned + 1):
        for place, match in enumerate(day.matches.filter(round=number).order_by("pk")):
            tables = (TABLES_PER_MATCH * place + 1, TABLES_PER_MATCH * place + 2)
            found = [scores[number, table] for table in tables if (number, table) in scores]
            if match.binding or len(found) != TABLES_PER_MATCH or match.scores == found:
                continue
            match.scores, match.walkover = found, None
            match.save_changes("scores", "walkover")
            taken += 1
    data = {"number": day.number, "results": taken}
    league_audit(league, actor, "match_day_taken_over", about(day), data=data)
    return taken


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
