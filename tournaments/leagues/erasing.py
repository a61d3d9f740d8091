"""What erasing a person does in leagues: their place in teams, the names of teams and the reasons
that name them, and the trail of each league that tells so."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import count
from uuid import uuid4

from django.db.models import Model, Q
from django.dispatch import receiver
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append, texts_erase
from clubs.models import AuditText
from clubs.privacy.erasing import REMARKS, Identifiers, league_texts_erased
from clubs.text.names import name_key
from tournaments.leagues.services import about, league_lock
from tournaments.models import (
    EventSource,
    League,
    LeagueEvent,
    LeagueMatch,
    LeaguePenalty,
    LeaguePlayer,
    LeagueTeam,
    LineUpSeat,
    MatchAnswer,
    MatchDay,
)

Names = Callable[[str, Identifiers], bool]
"""Whether a word of the person's name is in this name of a team they play in."""
OF_THE_LOGIN = {"actor", "who"}


def leagues_forget(identifiers: Identifiers, names: Names) -> None:
    """Take the person out of the teams of leagues, also where a leader only typed their name for a
    team of their club; and their name out of teams' names, reasons, the trails and the events
    that came from their club."""
    played_in = _players_forget(identifiers)
    club = identifiers.member.club
    known = Q(club_uuid=club.uuid) | Q(pk__in=played_in)
    own = list(LeagueTeam.objects.filter(known).select_related("division__season"))
    playing = League.objects.filter(seasons__divisions__teams__in=own)
    of_events = set(
        LeagueEvent.objects.filter(club_uuid=club.uuid).values_list("league", flat=True)
    )
    played = set(playing.values_list("pk", flat=True))
    locked = [league_lock(pk) for pk in sorted(played | of_events)]
    leagues = [league for league in locked if league.pk in played]
    _events_forget(identifiers, names)
    _said_of_events_forget(identifiers)
    gone = {
        *_teams_rename(own, played_in, identifiers, names),
        *_reasons_forget(leagues, {team.pk for team in own}, identifiers),
    }
    _trails_forget(leagues, own, gone, identifiers)


def _players_forget(identifiers: Identifiers) -> set[int]:
    """The ids of the teams that the person was in."""
    named = LeaguePlayer.objects.filter(
        Q(member_uuid__in=identifiers.uuids) | Q(team__club_uuid=identifiers.member.club.uuid)
    )
    uuids = set(map(str, identifiers.uuids))
    theirs = [
        player
        for player in named
        if str(player.member_uuid) in uuids
        or (player.member_uuid is None and identifiers.are_in(player.name))
    ]
    LeaguePlayer.objects.filter(pk__in=[player.pk for player in theirs]).delete()
    _line_ups_forget(identifiers)
    return {player.team_id for player in theirs}


def _line_ups_forget(identifiers: Identifiers) -> None:
    """Their seats in line-ups stay under the neutral name."""
    club = identifiers.member.club.uuid
    of_club = Q(line_up__match__home__club_uuid=club) | Q(line_up__match__away__club_uuid=club)
    seats = LineUpSeat.objects.filter(Q(member_uuid__in=identifiers.uuids) | of_club)
    uuids = set(map(str, identifiers.uuids))
    sat = [
        seat.pk
        for seat in seats
        if str(seat.member_uuid) in uuids
        or (seat.member_uuid is None and identifiers.are_in(seat.name))
    ]
    LineUpSeat.objects.filter(pk__in=sat).update(name=identifiers.neutral_name, member_uuid=None)


def _events_forget(identifiers: Identifiers, names: Names) -> None:
    """In the events of their club they are somebody unknown."""
    uuids = set(map(str, identifiers.uuids))
    for event in LeagueEvent.objects.filter(club_uuid=identifiers.member.club.uuid):
        document = event.document
        is_named = False
        for person in document["participants"]:
            is_theirs, team = person["id"] in uuids, person["team"] or ""
            if identifiers.are_in(team) or (is_theirs and names(team, identifiers)):
                person["team"], is_named = None, True
            if is_theirs:
                person["number"], is_named = None, True
        text = json.dumps(document)
        for uuid in uuids:
            text = text.replace(f'"{uuid}"', f'"{uuid4()}"')
        if is_named or text != json.dumps(document):
            LeagueEvent.objects.filter(pk=event.pk).update(document=json.loads(text))


def _said_of_events_forget(identifiers: Identifiers) -> None:
    """What was said of events and names them goes."""
    for event in LeagueEvent.objects.exclude(notes=[]).defer("document"):
        kept = [
            note
            for note in event.notes
            if not identifiers.are_in(" ".join(map(str, note.values())))
        ]
        if kept != event.notes:
            LeagueEvent.objects.filter(pk=event.pk).update(notes=kept)
    for source in EventSource.objects.exclude(fault=""):
        if identifiers.are_in(source.fault):
            EventSource.objects.filter(pk=source.pk).update(fault="")


def _teams_rename(
    own: Iterable[LeagueTeam],
    played_in: Collection[int],
    identifiers: Identifiers,
    names: Names,
) -> Iterator[str]:
    """Teams that are called after the person get a neutral name; the names that they had."""
    for team in own:
        if identifiers.are_in(team.name) or (
            team.pk in played_in and names(team.name, identifiers)
        ):
            yield team.name
            season = team.division.season_id
            others = LeagueTeam.objects.filter(division__season=season).exclude(pk=team.pk)
            taken = {name_key(name) for name in others.values_list("name", flat=True)}
            free = (_("Team %(n)s") % {"n": n} for n in count(1))
            team.name = next(name for name in free if name_key(name) not in taken)
            team.save_changes("name")


def _reasons_forget(
    leagues: Collection[League], own: set[int | None], identifiers: Identifiers
) -> Iterator[str]:
    """Empty what was written in these leagues and names the person; the texts. Of their club's own
    teams a first name alone says enough."""
    written = _("erased")
    for row, field, neutral, teams in _remarks(leagues, written):
        text = getattr(row, field)
        means = identifiers.are_meant_in if own & teams else identifiers.are_in
        if text and means(text):
            yield text
            type(row)._default_manager.filter(pk=row.pk).update(**{field: neutral})


def _remarks(
    leagues: Collection[League], written: str
) -> Iterator[tuple[Model, str, str, set[int | None]]]:
    """Each row with a remark: the column, what stands there instead, and the teams it is about."""
    for team in LeagueTeam.objects.filter(division__season__league__in=leagues):
        yield team, "withdrawn_why", written, {team.pk}
    for penalty in LeaguePenalty.objects.filter(team__division__season__league__in=leagues):
        yield penalty, "reason", written, {penalty.team_id}
    matches = LeagueMatch.objects.filter(day__division__season__league__in=leagues)
    for match in matches.exclude(reason=""):
        yield match, "reason", written, {match.home_id, match.away_id}
    answers = MatchAnswer.objects.filter(match__day__division__season__league__in=leagues)
    for answer in answers.exclude(words="").select_related("match"):
        yield answer, "words", written, {answer.match.home_id, answer.match.away_id}
    for day in MatchDay.objects.filter(division__season__league__in=leagues):
        yield day, "moved_why", "", {day.host_id}
        yield day, "place", "", {day.host_id}


def _trails_forget(
    leagues: Collection[League],
    own: Collection[LeagueTeam],
    gone: Collection[str],
    identifiers: Identifiers,
) -> None:
    """Delete from the trails of these leagues what names the person, and the texts that went."""
    chains = [league.chain_name for league in leagues]
    texts = AuditText.objects.filter(event__chain__in=chains).exclude(field="actor")
    matches = LeagueMatch.objects.filter(Q(home__in=own) | Q(away__in=own))
    refs = {about(row) for rows in (own, matches) for row in rows}
    for text, field, ref in texts.values_list("text", "field", "event__object_ref").distinct():
        meant = field in REMARKS and ref in refs and identifiers.are_meant_in(text)
        if text in gone or meant or identifiers.are_in(text):
            texts_erase(texts.filter(text=text), identifiers.erased)


@receiver(league_texts_erased)
def trails_tell(texts: dict[str, dict[str, list[int]]], actor: Actor, **_kwargs: object) -> None:
    """An event in the trail of each league that lost texts, so that it verifies wherever the club
    of that person is."""
    uuids = [chain.partition(":")[2] for chain in texts]
    for league in League.objects.filter(uuid__in=uuids).order_by("pk"):
        fields = texts[league.chain_name]
        action = "login_erased" if fields.keys() <= OF_THE_LOGIN else "texts_erased"
        event_append(
            chain=league,
            club=None,
            actor=actor,
            action=action,
            object_ref="login" if action == "login_erased" else "league",
            data={"texts": {league.chain_name: fields}},
        )
