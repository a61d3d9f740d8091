"""A match day as an evening of its host: its teams seated at two tables a match, as captains say.

Of four teams tables 1 and 2 are one match in each of three rounds and tables 3 and 4 the other; two
teams play one round at two tables. The team that is named first in a match sits North and South.
The first two players of a team are a pair, and the next two.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import AuditEvent, Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError, VersionConflict
from scoring.models import Regulation
from tournaments.draw.services import draw_publish, draw_type_in, draw_undo
from tournaments.evenings.services import EveningPlan, evening_create
from tournaments.leagues.guests import PeopleOfHost
from tournaments.leagues.lineup_queries import Chosen, fixed_players, line_ups_of, people_of
from tournaments.leagues.matches import teams_of, walkover_write
from tournaments.leagues.queries import absent_team, evening_of
from tournaments.leagues.services import about, league_audit, league_lock, row_write
from tournaments.leagues.teams import reason_read
from tournaments.models import (
    AWAY,
    HOME,
    SIDES,
    Evening,
    LeagueMatch,
    LeagueTeam,
    MatchDay,
    Placement,
    Round,
)
from tournaments.registration.check_in import guests_away, presence_replace, presence_update

FOUR = 4
TABLES_PER_MATCH = 2
CAPTAIN_REF = "captain:"
"""How who holds a captain's link begins in the trail."""


@transaction.atomic
def match_day_evening_make(*, day: MatchDay, club: Club, actor: Actor) -> Evening:
    """Make the evening of a match day at the club that hosts, with its teams seated for round 1.
    Players who are no members there become guests, named in public as their own club does.

    Raises DomainError `not_two_tables`, `evening_is_made`, `no_date`, `no_regulation`, or
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
        rounds_planned=day.matches.aggregate(last=Max("round"))["last"],
        deals_per_round=season.deals,
        method=Evening.Method.TYPED_IN,
    )
    evening = evening_create(club=club, plan=plan, actor=actor)
    row_write(day, day.version, evening_uuid=evening.uuid)
    _seat(evening, day, 1, actor)
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
    if season.tables != TABLES_PER_MATCH:
        message = _("An evening is made of days on which a match is played at two tables.")
        raise DomainError("not_two_tables", message)
    if evening_of(day) is not None:
        raise DomainError("evening_is_made", _("There is an evening for this match day already."))
    if day.date is None:
        raise DomainError("no_date", _("This match day has no date yet."))
    named = _chosen(day, 1)
    fewer = {
        team.name: team.players.filter(is_reserve=False).count()
        for team in teams
        if team.pk in _playing(day, 1) and named[team.pk] is None
    }
    missing = [f"{name} ({count})" for name, count in fewer.items() if count < FOUR]
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


People = Mapping[int, Sequence[Member | None]]
"""Who plays for each team in the order of the places of its line-up; None where nobody does."""


def _playing(day: MatchDay, number: int) -> set[int]:
    """The teams that appear in a round."""
    matches = day.matches.filter(round=number).select_related(*SIDES)
    return {
        team
        for match in matches
        if absent_team(match) is None
        for team in (match.home_id, match.away_id)
    }


def _chosen(day: MatchDay, number: int) -> dict[int, list[Chosen | None] | None]:
    """By team who its captain named for this round, or else for the last one before; None where no
    line-up was made yet."""
    season = day.division.season
    matches = list(day.matches.filter(round__lte=number).select_related(*SIDES))
    line_ups = line_ups_of(matches)
    chosen: dict[int, list[Chosen | None] | None] = {}
    for match in sorted(matches, key=lambda match: match.round):
        for side, team in ((HOME, match.home_id), (AWAY, match.away_id)):
            line_up = line_ups.get((match.pk, side))
            if line_up is not None:
                chosen[team] = people_of(line_up, season)
            chosen.setdefault(team, None)
    return chosen


def _people(evening: Evening, day: MatchDay, number: int, actor: Actor) -> People:
    """Who is to play in a round: as the captains say, else as in round 1, else the first four fixed
    players."""
    playing = _playing(day, number)
    chosen = {team: people for team, people in _chosen(day, number).items() if team in playing}
    before = _people_of_round_1(evening, day) if number > 1 else {}
    stay = {team: before[team] for team, people in chosen.items() if not people and team in before}
    wanted = {
        team: people or fixed_players(team, FOUR)
        for team, people in chosen.items()
        if team not in stay
    }
    everybody = [person for people in wanted.values() for person in people if person]
    host = PeopleOfHost(evening, day, everybody, _sat_for(evening, day, number))
    named: dict[int, list[Member | None]] = {
        team: [host.find(person, team, actor) if person else None for person in people]
        for team, people in wanted.items()
    }
    _arrive(evening, {member for four in named.values() for member in four if member}, actor)
    return {**stay, **named}


def _sat_for(evening: Evening, day: MatchDay, number: int) -> dict[int, set[int]]:
    """The teams that people sat for in the rounds before this one, by the id of the member."""
    sat: dict[int, set[int]] = defaultdict(set)
    for before in range(1, number):
        seats = placements_of(evening, before)
        matches = list(day.matches.filter(round=before).order_by("pk"))
        for team, places in places_of(matches, seats).items():
            for member_id in [seats[at].member_id for at in places if at in seats]:
                sat[member_id].add(team)
    return dict(sat)


@transaction.atomic
def match_day_seat(*, day: MatchDay, evening: Evening, actor: Actor) -> int:
    """Seat the teams for the next round, once the round before is over. Returns its number.

    Raises DomainError `all_seated`, `seat_empty` where somebody was missing in round 1, and those
    of a draw that is typed in.
    """
    club_lock(evening.club_id)
    league_lock(day.division.season.league_id)
    number = evening.rounds.exclude(state=Round.State.DRAFT).count() + 1
    if number > evening.rounds_planned:
        raise DomainError("all_seated", _("All rounds are seated already."))
    _seat(evening, day, number, actor)
    return number


def require_evening_as_read(day: MatchDay) -> None:
    """Raises VersionConflict if the evening of a day is another than when it was read, for a
    service that holds the lock of the league."""
    if MatchDay.objects.values_list("evening_uuid", flat=True).get(pk=day.pk) != day.evening_uuid:
        message = _("Somebody else changed this meanwhile. Look at it again, then save.")
        raise VersionConflict("changed_meanwhile", message)


@transaction.atomic
def team_absent(*, day: MatchDay, team: LeagueTeam, reason: str, actor: Actor) -> int:
    """The host says that a team did not appear: so in all its matches of the day without a result,
    until the leader makes it binding. Seats that are drawn and not played yet follow. Returns in
    how many.

    Raises DomainError `reason_missing`, `reason_too_long`, or `absent_already` where none is left;
    and VersionConflict.
    """
    evening = evening_of(day)
    if evening is not None:
        club_lock(evening.club_id)
    league_lock(day.division.season.league_id)
    require_evening_as_read(day)
    reason_read(reason)
    left = [
        match
        for match in day.matches.select_related(*SIDES, "day__division__season__league")
        if team.pk in (match.home_id, match.away_id) and not match.is_over
    ]
    if not left:
        message = _("There are results of all matches of %s on this day already.")
        raise DomainError("absent_already", message % team.name)
    for match in left:
        walkover_write(
            match=match, team=team, reason=reason, version=match.version, actor=actor, binding=False
        )
    drawn = evening.rounds.filter(state=Round.State.DRAWN).first() if evening else None
    if evening and drawn and _playing(day, drawn.number):
        seating_follow(day=day, evening=evening, number=drawn.number, actor=actor)
    return len(left)


def seating_follow(*, day: MatchDay, evening: Evening, number: int, actor: Actor) -> None:
    """Seat a round anew that is seated and has not begun; others stay as they are. A guest whom a
    captain made by link and who sits nowhere any more goes. For a service that holds the locks of
    the club and the league."""
    waiting = evening.rounds.filter(number__gte=number, state=Round.State.DRAWN)
    if list(waiting.values_list("number", flat=True)) != [number]:
        return
    made = _guests_of_captains(evening, number)
    draw_undo(evening_id=evening.pk, actor=actor)
    if made:
        presence_update(evening_id=evening.pk, arrived=[], left=made, actor=actor)
    _seat(evening, day, number, actor)
    if made:
        placed = Placement.objects.filter(round__evening=evening, member__in=made)
        seated = set(placed.values_list("member_id", flat=True))
        gone = [guest for guest in made if guest.pk not in seated]
        evening.registrations.filter(member__in=gone, paid=None).delete()
        guests_away(club=evening.club, guests=gone, actor=actor)


def _guests_of_captains(evening: Evening, number: int) -> list[Member]:
    """The guests in this round only whom captains made by link, as the club's trail has it."""
    placed = Placement.objects.filter(round__evening=evening)
    guests = Member.objects.filter(
        pk__in=placed.filter(round__number=number).values("member"), kind=Member.Kind.GUEST
    ).exclude(pk__in=placed.exclude(round__number=number).values("member"))
    by_ref = {f"member:{guest.uuid}": guest for guest in guests}
    by_link = AuditEvent.objects.filter(
        club=evening.club_id,
        action="member_added",
        actor__startswith=CAPTAIN_REF,
        object_ref__in=by_ref,
    )
    return [by_ref[ref] for ref in by_link.values_list("object_ref", flat=True)]


def _people_of_round_1(evening: Evening, day: MatchDay) -> People:
    """Who sat for each team in round 1; teams of which a table was not played are left out."""
    seats = {at: placed.member for at, placed in placements_of(evening, 1).items()}
    people: dict[int, list[Member | None]] = {}
    matches = list(day.matches.filter(round=1).order_by("pk"))
    for team, places in places_of(matches, seats).items():
        if len(places) < FOUR:
            continue
        for table, seat in places:
            if (table, seat) not in seats:
                message = _("At table %(table)s a seat is empty in round 1, so seat this by hand.")
                raise DomainError("seat_empty", message % {"table": table})
        people[team] = [seats[at] for at in places]
    return people


def placements_of(evening: Evening, number: int) -> dict[tuple[int, str], Placement]:
    """Who sits where in a round, by the number of the table and the seat."""
    placed = Placement.objects.filter(round__evening=evening, round__number=number)
    return {
        (each.table.number, each.seat): each
        for each in placed.exclude(table=None).select_related("table", "member")
        if each.table
    }


def tables_of(
    matches: Iterable[LeagueMatch], there: Iterable[tuple[int, int]]
) -> dict[int, list[int | None]]:
    """At which tables of the evening these matches are played, by match in the order of their
    rounds; None where one cannot be. `there` is each table there is: round and number.

    Where a round has another number of tables than it was seated at, somebody drew it anew by hand:
    then its matches are at the usual tables.
    """
    of_round: dict[int, list[LeagueMatch]] = defaultdict(list)
    for match in matches:
        of_round[match.round].append(match)
    count = Counter(number for number, _table in set(there))
    found: dict[int, list[int | None]] = {}
    for number, ours in of_round.items():
        seated_at = [table for match in ours for table in match.tables if table]
        for place, match in enumerate(ours):
            usual = range(place * TABLES_PER_MATCH + 1, (place + 1) * TABLES_PER_MATCH + 1)
            is_kept = match.tables and len(seated_at) == count[number]
            found[match.pk] = list(match.tables if is_kept else usual)
    return found


def places_of(
    matches: Sequence[LeagueMatch], seats: Iterable[tuple[int, str]]
) -> dict[int, list[tuple[int, str]]]:
    """Where the people of each team sit in a round: table and seat. `seats` are all those in which
    somebody sits."""
    number = matches[0].round if matches else 0
    at = tables_of(matches, [(number, table) for table, _seat in seats])
    places: dict[int, list[tuple[int, str]]] = {}
    for match in matches:
        tables = [table for table in at[match.pk] if table]
        for team, side in ((match.home_id, "NS"), (match.away_id, "EW")):
            places[team] = [(table, seat) for table in tables for seat in side]
    return places


def _seat(evening: Evening, day: MatchDay, number: int, actor: Actor) -> None:
    """Seat a round: a table at which somebody is missing is not played, and its people sit out."""
    people = _people(evening, day, number, actor)
    matches = list(day.matches.filter(round=number).order_by("pk"))
    tables: list[dict[str, Member]] = []
    nth: dict[int, list[int | None]] = {}
    for match in matches:
        nth[match.pk] = []
        for place in range(0, FOUR, TABLES_PER_MATCH):
            four = [
                (people.get(team) or [None] * FOUR)[place + partner]
                for team in (match.home_id, match.away_id)
                for partner in (0, 1)
            ]
            seating = {seat: member for seat, member in zip("NSEW", four, strict=True) if member}
            is_full = len(seating) == len(four)
            nth[match.pk].append(len(tables) if is_full else None)
            tables += [seating] if is_full else []
    there = evening.registrations.filter(present=True).values_list("member_id", flat=True)
    out = set(there) - {member.pk for seating in tables for member in seating.values()}
    sit_out = list(Member.objects.filter(pk__in=out))
    made = draw_type_in(evening_id=evening.pk, tables=tables, sit_out=sit_out, actor=actor)
    draw_publish(evening_id=evening.pk, actor=actor)
    numbers = list(made.tables.order_by("number").values_list("number", flat=True))
    for match in matches:
        played = [None if at is None else numbers[at] for at in nth[match.pk]]
        # No part of the result, which others may have read already.
        LeagueMatch.objects.filter(pk=match.pk).update(tables=played)


def _arrive(evening: Evening, people: Collection[Member], actor: Actor) -> None:
    """Whoever is named is here; before anything is played nobody else is."""
    begun = Round.State.RUNNING, Round.State.CLOSED
    if not evening.rounds.filter(state__in=begun).exists():
        presence_replace(evening_id=evening.pk, members=people, actor=actor)
        return
    there = evening.registrations.filter(present=True).values_list("member_id", flat=True)
    if arrived := [member for member in people if member.pk not in set(there)]:
        presence_update(evening_id=evening.pk, arrived=arrived, left=[], actor=actor)
