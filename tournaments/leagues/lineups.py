"""What captains do by link, without a login: say who plays.

The secret of a link is made with the server's key and stored nowhere. Whatever may be done wrong by
the rules of eligibility is marked, not refused: the leader decides.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.models.user import secret_hash
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import name_key, tidy_name
from tournaments.entries.texts import secret_of
from tournaments.leagues.evenings import CAPTAIN_REF, require_evening_as_read, seating_follow
from tournaments.leagues.lineup_queries import (
    FIXED_HIGHER,
    HIGHER_TEAM,
    OTHER_CLUB,
    TOO_OFTEN,
    Chosen,
    fixed_players,
    line_up_of,
    line_up_places,
    line_ups_of,
    people_of,
)
from tournaments.leagues.queries import evening_of
from tournaments.leagues.services import (
    about,
    league_audit,
    league_lock,
    require_version,
    row_write,
)
from tournaments.leagues.teams import members_by_name, reason_read
from tournaments.models import (
    SIDES,
    CaptainLink,
    LeagueMatch,
    LeaguePlayer,
    LeagueSeason,
    LeagueTeam,
    LineUp,
    LineUpSeat,
    Round,
)

LONGEST_NAME = 100


# The link.


@transaction.atomic
def captain_link_make(*, team: LeagueTeam, actor: Actor, keep: bool = False) -> CaptainLink:
    """Give a team's captain a link; the one before ends at once, also that of the season before,
    but to `keep` one that works."""
    league = league_lock(team.division.season.league_id)
    links = CaptainLink.objects.filter(team=team)
    valid = links.filter(revoked_at=None).first()
    if keep and valid is not None and captain_path(valid):
        return valid
    ended = links.filter(revoked_at=None).update(revoked_at=timezone.now())
    CaptainLink.objects.filter(team=team.continues_id, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    generation = links.count() + 1
    link = CaptainLink(
        team=team, generation=generation, digest=secret_hash(_secret(team, generation))
    )
    link.save(force_insert=True)
    action = "captain_link_renewed" if ended else "captain_link_made"
    data = {"link": generation}
    league_audit(league, actor, action, about(team), data=data, texts={"name": team.name})
    return link


def teams_to_link_again(season: LeagueSeason) -> list[LeagueTeam]:
    """The teams without a link whose captain has one of the season before. One query."""
    valid = CaptainLink.objects.filter(revoked_at=None).values("team")
    teams = LeagueTeam.objects.filter(
        division__season=season, withdrawn_on=None, continues__in=valid
    )
    teams = teams.exclude(pk__in=valid).select_related("division__season__league")
    return list(teams.order_by("division__position", "name"))


@transaction.atomic
def captain_links_renew(*, season: LeagueSeason, actor: Actor) -> list[CaptainLink]:
    """Give the captains who have a link of the season before one of this season: each club sees
    that of its teams. Doing it twice is harmless: then there are none to give."""
    league_lock(season.league_id)
    return [captain_link_make(team=team, actor=actor) for team in teams_to_link_again(season)]


@transaction.atomic
def captain_link_withdraw(*, team: LeagueTeam, actor: Actor) -> None:
    """End the link of a team's captain. Doing it twice is harmless."""
    league = league_lock(team.division.season.league_id)
    valid = CaptainLink.objects.filter(team=team, revoked_at=None)
    if valid.update(revoked_at=timezone.now()):
        texts = {"name": team.name}
        league_audit(league, actor, "captain_link_withdrawn", about(team), texts=texts)


def captain_path(link: CaptainLink) -> str:
    """The address of the captain's page; empty where the server has another key since."""
    secret = captain_secret(link)
    return reverse("captain_page", args=[secret]) if secret_hash(secret) == link.digest else ""


def captain_secret(link: CaptainLink) -> str:
    """The secret part of a captain's link: 160 bits made with the server's key."""
    return _secret(link.team, link.generation)


def captain_find(secret: str) -> CaptainLink | None:
    """The link with this secret, valid or withdrawn; None if there is none."""
    links = CaptainLink.objects.select_related("team__division__season__league")
    return links.filter(digest=secret_hash(secret)).first()


def captain_links_of(teams: Iterable[LeagueTeam]) -> dict[int, CaptainLink]:
    """The valid links of these teams' captains, by team. One query."""
    by_id = {team.pk: team for team in teams}
    links = CaptainLink.objects.filter(team__in=by_id, revoked_at=None)
    found = {link.team_id: link for link in links}
    for team_id, link in found.items():
        link.team = by_id[team_id]
    return found


def team_that_plays_on(team: LeagueTeam) -> LeagueTeam | None:
    """The same team in the season that was made of this one. One query."""
    later = LeagueTeam.objects.filter(continues=team.pk, withdrawn_on=None)
    return later.select_related("division__season").first()


def people_to_begin_with(match: LeagueMatch, side: str) -> list[Chosen | None]:
    """Who a form proposes: the line-up that is there, else that of the latest round of the day
    before this one, else the first fixed players."""
    season = match.day.division.season
    team = match.team_id_of(side)
    of_day = match.day.matches.filter(Q(home=team) | Q(away=team), round__lte=match.round)
    line_ups = line_ups_of(of_day.select_related("home", "away"))
    mine = [line_up for line_up in line_ups.values() if line_up.team.pk == team]
    if mine:
        return people_of(max(mine, key=lambda line_up: line_up.match.round), season)
    return fixed_players(team, len(line_up_places(season)))


def captain_actor(link: CaptainLink) -> Actor:
    """The holder of a link, as the trail names them."""
    label = _("captain of %(team)s, by link %(n)s")
    return Actor(
        ref=f"{CAPTAIN_REF}{link.team_id}:{link.generation}",
        label=label % {"team": link.team.name, "n": link.generation},
    )


def _secret(team: LeagueTeam, generation: int) -> str:
    value = f"{team.division.season.league.uuid}:{team.pk}:{generation}"
    return secret_of("tournaments.captain_link", value)


# Line-ups.


@transaction.atomic
def line_up_write(
    *,
    match: LeagueMatch,
    side: str,
    people: Sequence[str],
    version: int,
    actor: Actor,
) -> LineUp:
    """Say who plays for a team: a name for each place (table 1, its two partners, table 2, …),
    empty where nobody does. Whoever is not on the team's list is a substitute. `version` is that of
    the line-up that was read, 0 of none. Seats that are drawn and not played yet follow.

    Raises DomainError `team_withdrawn`, `round_begun`, `result_is_there`, or `bad_line_up` that
    names every fault; and VersionConflict.
    """
    evening = evening_of(match.day)
    if evening is not None:
        club_lock(evening.club_id)
    season = match.day.division.season
    league = league_lock(season.league_id)
    require_evening_as_read(match.day)
    require_open(match, side)
    names = [tidy_name(name) for name in people]
    if faults := _line_up_faults(season, names):
        raise DomainError("bad_line_up", " ".join(faults), lines=faults)
    team = match.team_of(side)
    chosen = _chosen(team, names)
    line_up = line_up_of(match, side)
    if line_up is None:
        line_up = LineUp(match=match, side=side)
        require_version(LineUp(version=0), version)
        line_up.save()
    else:
        row_write(line_up, version, verdict="", verdict_why="")
        line_up.seats.all().delete()
    marks = marks_of(match, team, [person for person in chosen if person])
    LineUpSeat.objects.bulk_create(
        LineUpSeat(
            line_up=line_up,
            table=table,
            partner=partner,
            name=person.name,
            member_uuid=person.member_uuid,
            substitute=person.substitute,
            marks=marks[person],
        )
        for (table, partner), person in zip(line_up_places(season), chosen, strict=True)
        if person
    )
    data = {"number": match.day.number, "round": match.round}
    texts = {"team": team.name, "who": ", ".join(filter(None, names))}
    league_audit(league, actor, "line_up_written", about(match), data=data, texts=texts)
    if evening is not None:
        seating_follow(day=match.day, evening=evening, number=match.round, actor=actor)
    return LineUp.objects.select_related("match__home", "match__away").get(pk=line_up.pk)


def require_open(match: LeagueMatch, side: str) -> None:
    """Raises DomainError `team_withdrawn`, `round_begun` or `result_is_there` where there is no
    line-up to write any more."""
    now = LeagueMatch.objects.select_related(*SIDES).get(pk=match.pk)
    team = now.team_of(side)
    if team.withdrawn_on is not None:
        message = _("%s has withdrawn, so nobody plays for it any more.")
        raise DomainError("team_withdrawn", message % team.name)
    if now.is_over:
        raise DomainError("result_is_there", _("There is a result already, so the line-up stays."))
    evening = evening_of(match.day)
    begun = Round.State.RUNNING, Round.State.CLOSED
    if evening and evening.rounds.filter(number=match.round, state__in=begun).exists():
        message = _(
            "Round %(n)s has begun, so its line-up stays. Somebody has to leave? The club that"
            " hosts can seat a substitute."
        )
        raise DomainError("round_begun", message % {"n": match.round})


def _line_up_faults(season: LeagueSeason, names: Sequence[str]) -> list[str]:
    places = line_up_places(season)
    there = [name for name in names if name]
    faults = []
    if len(names) != len(places) or len(there) < len(places) - 1:
        message = ngettext(
            "Name at least %(fewest)s person; one place may stay open.",
            "Name at least %(fewest)s people; one place may stay open.",
            len(places) - 1,
        )
        faults.append(message % {"fewest": len(places) - 1})
    times = Counter(map(name_key, there))
    twice = sorted({name for name in there if times[name_key(name)] > 1})
    faults += [_("%s is there more than once.") % name for name in twice]
    faults += [_("“%s” is too long.") % name for name in there if len(name) > LONGEST_NAME]
    return faults


def _chosen(team: LeagueTeam, names: Sequence[str]) -> list[Chosen | None]:
    """Who these names are: players of the team, whose club may know them by this name, or else
    substitutes from the team's club. Raises DomainError `bad_line_up` of somebody who is there
    twice."""
    listed = {name_key(player.name): player for player in team.players.all()}
    others = [name for name in names if name and name_key(name) not in listed]
    members = members_by_name(team.club_uuid, others) if others else {}
    of_team: dict[UUID | None, LeaguePlayer] = {
        player.member_uuid: player for player in listed.values() if player.member_uuid
    }
    people: list[Chosen | None] = []
    for name in names:
        key = name_key(name)
        player = listed.get(key) or of_team.get(members.get(key))
        if not name:
            people.append(None)
        elif player is not None:
            people.append(Chosen(player.name, player.member_uuid))
        else:
            people.append(Chosen(name, members.get(key), substitute=True))
    times: Counter[UUID | None] = Counter(
        person.member_uuid for person in people if person and person.member_uuid
    )
    twice = {person.name for person in people if person and times[person.member_uuid] > 1}
    if faults := [_("%s is there more than once.") % name for name in sorted(twice)]:
        raise DomainError("bad_line_up", " ".join(faults), lines=faults)
    return people


def marks_of(
    match: LeagueMatch, team: LeagueTeam, people: Sequence[Chosen]
) -> Mapping[Chosen, list[str]]:
    """What the rules of eligibility say of these people in a team's line-up. Three queries."""
    season = match.day.division.season
    listed = LeaguePlayer.objects.filter(team__division__season=season)
    lists = list(listed.exclude(team=team).select_related("team__division"))
    played = LineUpSeat.objects.filter(line_up__match__day__division__season=season)
    turns = list(
        played.exclude(line_up__match__day__number=match.day.number)
        .select_related("line_up__match__home__division", "line_up__match__away__division")
        .annotate(on_day=F("line_up__match__day__number"))
    )
    return {person: _marks(season, team, person, lists, turns) for person in people}


def listed_for_others(team: LeagueTeam) -> list[tuple[str, str]]:
    """The players of a team who are on the list of a team of another club this season too, with
    the name of that team. Two queries."""
    people = [Chosen(player.name, player.member_uuid) for player in team.players.all()]
    listed = LeaguePlayer.objects.filter(team__division__season=team.division.season_id)
    return [
        (person.name, other.team.name)
        for other in listed.exclude(team=team).select_related("team").order_by("team__name", "pk")
        for person in people
        if _is_same(person, other.name, other.member_uuid) and not _of_one_club(team, other.team)
    ]


def _marks(
    season: LeagueSeason,
    team: LeagueTeam,
    person: Chosen,
    lists: Sequence[LeaguePlayer],
    turns: Sequence[LineUpSeat],
) -> list[str]:
    own = [player for player in lists if _is_same(person, player.name, player.member_uuid)]
    seats = [seat for seat in turns if _is_same(person, seat.name, seat.member_uuid)]
    height = team.division.position
    marks = []
    teams = [player.team for player in own] + [seat.line_up.team for seat in seats]
    if any(not _of_one_club(team, other) for other in teams):
        marks.append(OTHER_CLUB)
    own = [player for player in own if _of_one_club(team, player.team)]
    if any(not player.is_reserve and player.team.division.position < height for player in own):
        marks.append(FIXED_HIGHER)
    if any(player.team.division.position > height for player in own):
        marks.append(HIGHER_TEAM)
        lowest = max(player.team.division.position for player in own)
        used = {seat.on_day for seat in seats if seat.line_up.team.division.position < lowest}  # type: ignore[attr-defined]
        if season.higher_turns is not None and len(used) >= season.higher_turns:
            marks.append(TOO_OFTEN)
    return marks


def _is_same(person: Chosen, name: str, uuid: object) -> bool:
    """By their member where both are known, else by name."""
    if person.member_uuid and uuid:
        return person.member_uuid == uuid
    return name_key(person.name) == name_key(name)


def _of_one_club(one: LeagueTeam, two: LeagueTeam) -> bool:
    if one.pk == two.pk or (one.club_uuid and one.club_uuid == two.club_uuid):
        return True
    return bool(one.club) and name_key(one.club) == name_key(two.club)


@transaction.atomic
def line_up_judge(
    *, line_up: LineUp, verdict: str, reason: str, version: int, actor: Actor
) -> LineUp:
    """Decide whether somebody in a line-up was allowed to play.

    Raises DomainError `bad_verdict`, `reason_missing` or `reason_too_long`, and VersionConflict.
    """
    match = line_up.match
    league = league_lock(match.day.division.season.league_id)
    if verdict not in LineUp.Verdict.values:
        raise DomainError("bad_verdict", _("Choose whether it is allowed."))
    why = reason_read(reason)
    row_write(line_up, version, verdict=verdict, verdict_why=why)
    data = {"number": match.day.number, "round": match.round}
    texts = {"team": line_up.team.name, "reason": why}
    league_audit(league, actor, f"line_up_{verdict}", about(match), data=data, texts=texts)
    return line_up
