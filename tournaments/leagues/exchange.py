"""Events of clubs as a league takes them in: from a file, or by the link of a club."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, cast
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Club
from clubs.text.names import name_key
from tournaments.leagues.event_documents import (
    Json,
    bad_event,
    content_faults,
    document_faults,
    is_signed,
    named_faults,
    public_key,
    signed_part,
)
from tournaments.leagues.event_notes import (
    Note,
    kept_of_numbers,
    note,
    notes_in_words,
    notes_to_keep,
)
from tournaments.leagues.guests import (
    Numbered,
    TeamsFound,
    members_by_number,
    teams_in,
    visitors_in,
)
from tournaments.leagues.matches import scores_set
from tournaments.leagues.people import numbers_follow
from tournaments.leagues.services import league_audit, league_lock
from tournaments.models import (
    EventSource,
    League,
    LeagueEvent,
    LeaguePlayer,
    LeagueTeam,
    MatchDay,
)

Seats = Mapping[str, str]
event_judged: Final = Signal()
"""Sent with a `league` and a `document` for it, to be answered with what else is wrong with it."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a document: the event it is now, whether that is new or newer than what was
    there, and how many results of matches it brought."""

    event: LeagueEvent
    changed: bool
    results: int = 0

    @property
    def notes(self) -> Sequence[str]:
        """What could not be used of it, in sentences."""
        return notes_in_words(self.event.notes)


@transaction.atomic
def event_import(
    *, league: League, document: Json, actor: Actor, source: EventSource | None = None
) -> Imported:
    """Take a document in; the same one again changes nothing. Results of matches that it brings are
    written where they are not binding yet; what could not be used is kept with the event. One that
    came before its match day fits is looked at again for its results.

    Raises DomainError `bad_event` that names every fault, and EventSource.DoesNotExist where the
    source was removed meanwhile; then nothing was written.
    """
    if faults := document_faults(document):
        raise bad_event(faults)
    league = league_lock(league.pk)
    source = source and league.sources.get(pk=source.pk)
    club_uuid = UUID(document["club"]["id"])
    known = _source_of(league, club_uuid, source)
    faults = [
        *named_faults(content_faults(document)),
        *_origin_faults(league, document, known, source),
        *_name_faults(league, document, known),
    ]
    if not faults:
        sent = event_judged.send(sender=League, league=league, document=document)
        answers = cast("Iterable[tuple[object, list[str]]]", sent)
        faults = named_faults(fault for _receiver, found in answers for fault in found)
    if faults:
        raise bad_event(faults)
    digest = hashlib.sha256(signed_part(document)).hexdigest()
    event_uuid = UUID(document["event"]["id"])
    before = league.events.filter(event_uuid=event_uuid).select_related("day").first()
    is_same = before is not None and before.digest == digest
    if before is not None and is_same and before.day_id is not None:
        return Imported(before, changed=False)
    fit = _fit(league, document)
    if before is not None and is_same and fit.day is None:
        _notes_store(before, [*fit.notes, *kept_of_numbers(before.notes)])
        return Imported(before, changed=False)
    faults = [*(() if is_same else _order_faults(document, before)), *named_faults(fit.faults)]
    if faults:
        raise bad_event(faults)
    doubt = _says_itself(fit.day, known, club_uuid)
    event = _event_store(league, document, digest, before, fit)
    _source_store(league, document, known)
    results = _results_store(fit)
    notes = [*fit.notes, *numbers_follow(league=league, document=document, actor=actor)]
    notes += _doubts(fit.day, before, doubt if results else None)
    _notes_store(event, notes)
    league_audit(
        league,
        actor,
        "event_imported" if before is None else "event_imported_again",
        f"leagueevent:{event.pk}",
        data={
            "event": str(event_uuid),
            "number": event.number,
            "date": event.date.isoformat(),
            "results": results,
        },
        texts={"club": event.club},
    )
    return Imported(event, changed=True, results=results)


def _source_of(league: League, club: UUID, source: EventSource | None) -> EventSource | None:
    """What the league knows of this club; else the source it comes from, as long as that has
    brought nothing."""
    known = league.sources.filter(club_uuid=club).first()
    return known or (source if source and source.club_uuid is None else None)


def _origin_faults(
    league: League, document: Json, known: EventSource | None, source: EventSource | None
) -> Iterator[str]:
    """Whether it is of this league, whole, and signed by the club that it says."""
    if document["league"] != league.slug:
        words = {"other": document["league"], "league": league.slug}
        yield _("This event is for the league “%(other)s”, and this is “%(league)s”.") % words
    name, key = document["club"]["name"], document["club"]["key"]
    if not is_signed(document, key):
        yield _("The signature is not right: something was changed after %s exported this.") % name
    if source and source.club_uuid and source.club_uuid != UUID(document["club"]["id"]):
        yield _("This link is of %(club)s, and the event says it is of %(other)s.") % {
            "club": source.club,
            "other": name,
        }
    here = Club.objects.listed().filter(uuid=document["club"]["id"]).first()
    expected = public_key(here) if here else known.key if known else ""
    if expected and expected != key:
        yield (
            _(
                "%s signs with another key than before. Ask the club; if it is right, remove the"
                " club from the list first."
            )
            % name
        )


def _name_faults(league: League, document: Json, known: EventSource | None) -> Iterator[str]:
    """Whether it calls itself what another club of this league is called."""
    uuid, name = UUID(document["club"]["id"]), document["club"]["name"]
    if Club.objects.filter(uuid=uuid).exists():
        return
    words = {"name": name}
    others = league.sources.exclude(club_uuid=None).exclude(club_uuid=uuid)
    if any(name_key(other.club) == name_key(name) for other in others):
        yield _("Another club is known here as %(name)s, and this one is not that club.") % words
    teams = LeagueTeam.objects.filter(division__season__league=league).exclude(club="")
    named = {
        club_uuid
        for club, club_uuid in teams.values_list("club", "club_uuid").distinct()
        if name_key(club) == name_key(name)
    }
    if named - {None, uuid}:
        yield _("%(name)s is a club on this server, and this one is not that club.") % words
    before = known.club if known and known.club_uuid else name
    if named and name_key(before) != name_key(name):
        words["before"] = before
        yield (
            _(
                "This club was %(before)s until now, and calls itself %(name)s, of which teams play"
                " here. Ask the club; if it is right, remove it from the list first."
            )
            % words
        )


def _says_itself(day: MatchDay | None, known: EventSource | None, club: UUID) -> Note | None:
    """What is to be said where only the document itself says that its club hosts the match day: it
    was never here before, or the host is of no club."""
    host = day.host if day else None
    is_new = known is None or known.club_uuid is None
    is_named = host is not None and bool(host.club)
    if day is None or (is_named and not is_new) or (host and host.club_uuid):
        return None
    if Club.objects.filter(uuid=club).exists():
        return None
    return note("says_itself", day=day.number)


def _doubts(day: MatchDay | None, before: LeagueEvent | None, doubt: Note | None) -> list[Note]:
    """What is to be asked about a day; a later publication does not answer it."""
    asked = [each for each in (before.notes if before else []) if each["about"] == "says_itself"]
    asked = [each for each in asked if day is not None and each["day"] == day.number]
    return asked or ([doubt] if doubt else [])


def brought_from_elsewhere(day: MatchDay) -> list[tuple[LeagueEvent, EventSource | None]]:
    """The events of clubs on other servers that brought the results of a day, and where each came
    from. Three queries."""
    here = Club.objects.values("uuid")
    events = list(day.events.exclude(club_uuid__in=here).defer("document"))
    league = day.division.season.league
    sources = {source.club_uuid: source for source in league.sources.all()} if events else {}
    return [(event, sources.get(event.club_uuid)) for event in events]


def _order_faults(document: Json, before: LeagueEvent | None) -> Iterator[str]:
    """Whether a later publication is there already, or another document of this one."""
    if before is None:
        return
    number = document["event"]["number"]
    if str(before.club_uuid) != document["club"]["id"]:
        yield _("This event came from another club before: %s.") % before.club
    elif number < before.number:
        yield _("A later publication of this evening is here already: number %s.") % before.number
    elif number == before.number and _played(document) != _played(before.document):
        yield _("Publication %s of this evening is here with another content.") % number


def _played(document: Json) -> object:
    return document["sessions"], document.get("folders")


def _event_store(
    league: League, document: Json, digest: str, before: LeagueEvent | None, fit: "_Fit"
) -> LeagueEvent:
    kept = {name: value for name, value in document.items() if name != "signature"}
    kept["participants"] = [
        {name: value for name, value in person.items() if name not in ("name", "code")}
        for person in document["participants"]
    ]
    # Somebody who was erased since stays so.
    stored = before.document if before and before.digest == digest else kept
    day = fit.day or (before.day if before else None)
    members = visitors_in(day, document, fit.numbered) if day else {}
    for person in stored["participants"]:
        if member := members.get(person["id"]):
            person["member"] = member
    columns = {
        "club_uuid": UUID(document["club"]["id"]),
        "club": document["club"]["name"],
        "number": document["event"]["number"],
        "name": document["event"]["name"],
        "date": date.fromisoformat(document["event"]["date"]),
        "digest": digest,
        "document": stored,
        "day": day,
    }
    event = before or LeagueEvent(league=league, event_uuid=UUID(document["event"]["id"]))
    for name, value in columns.items():
        setattr(event, name, value)
    event.save()
    return event


def _notes_store(event: LeagueEvent, notes: Sequence[Note]) -> None:
    kept = notes_to_keep(notes)
    if kept != event.notes:  # one that waits for its day is looked at again at every turn
        event.notes = kept
        LeagueEvent.objects.filter(pk=event.pk).update(notes=kept)


def _source_store(league: League, document: Json, known: EventSource | None) -> None:
    """Remember the club with its key, and its name of today."""
    source = known or EventSource(league=league)
    source.club = document["club"]["name"]
    source.club_uuid, source.key = UUID(document["club"]["id"]), document["club"]["key"]
    if known is None:
        source.save()
    else:
        source.save_changes("club", "club_uuid", "key")


# Which match day it is.


@dataclass(slots=True)
class _Fit:
    """The match day that a document is of, with the scores of its matches by their ids; what is
    wrong, and what could not be used."""

    day: MatchDay | None = None
    scores: dict[int, list[list[int]]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    numbered: Numbered = field(default_factory=dict)


def _fit(league: League, document: Json) -> _Fit:
    """Find the match day by its date and its teams; not one of which another club is the host or
    brought an event, or that is played as another evening."""
    fit = _Fit(numbered=members_by_number(league, document))
    club = UUID(document["club"]["id"])
    played_on = MatchDay.objects.filter(
        Q(host=None) | Q(host__club_uuid=None) | Q(host__club_uuid=club),
        Q(evening_uuid=None) | Q(evening_uuid=document["event"]["id"]),
        division__season__league=league,
        date=document["event"]["date"],
    )
    name = name_key(document["club"]["name"])
    best: tuple[int, MatchDay, TeamsFound] | None = None
    for day in played_on.select_related("division__season", "host__division"):
        host = day.host
        if host and not host.club_uuid and host.club and name_key(host.club) != name:
            continue
        found = teams_in(day, document, fit.numbered)
        meet = {team.pk for team in found.teams.values()}
        if len(meet) < 2:
            continue
        if other := day.events.exclude(club_uuid=club).first():
            fit.notes.append(note("brought_before", day=day.number, club=other.club))
        elif best is None or len(meet) > best[0]:
            best = (len(meet), day, found)
    if best is None:
        return fit
    _count, fit.day, found = best
    fit.faults += _two_clubs(fit.day, document)
    _read_matches(fit, found.teams, document)
    if found.unclear and any(each["about"] == "tables_missing" for each in fit.notes):
        fit.notes.append(note("namesakes", day=fit.day.number, n=found.unclear))
    return fit


def _two_clubs(day: MatchDay, document: Json) -> Iterator[str]:
    """Who plays here for a team of one club, and this season for one of another: as the league
    lists them, or by the number it gave them in an event that came before."""
    season = day.division.season_id
    teams = LeagueTeam.objects.filter(division__season=season).exclude(club="")
    clubs = {name_key(team.name): team.club for team in teams}
    listed: dict[str, list[str]] = defaultdict(list)
    of_season = LeaguePlayer.objects.filter(team__division__season=season)
    ids = [person["id"] for person in document["participants"]]
    for player in of_season.filter(member_uuid__in=ids).select_related("team"):
        listed[str(player.member_uuid)].append(player.team.name)
    if any(person["number"] for person in document["participants"]):
        earlier = LeagueEvent.objects.filter(day__division__season=season)
        other_events = earlier.exclude(event_uuid=document["event"]["id"])
        for known in other_events.values_list("document__participants", flat=True):
            for person in known:
                if person["number"] and person["team"]:
                    listed[person["number"]].append(person["team"])
    for person in document["participants"]:
        club = clubs.get(name_key(person["team"] or ""))
        others = [*listed[person["id"]], *listed.get(person["number"] or "", [])]
        for other in others:
            elsewhere = clubs.get(name_key(other))
            if club and elsewhere and name_key(club) != name_key(elsewhere):
                words = {"name": person["name"], "team": person["team"], "other": other}
                message = _(
                    "%(name)s plays here for %(team)s, and this season for %(other)s, of another"
                    " club (%(club)s)."
                )
                yield message % {**words, "club": elsewhere}
                break


def _read_matches(fit: _Fit, teams: Mapping[str, LeagueTeam], document: Json) -> None:
    """The scores of each match from the tables at which its two teams sat."""
    if fit.day is None:
        return
    tables = fit.day.division.season.tables
    at: dict[tuple[int, int, int], list[list[int]]] = defaultdict(list)
    for session in document["sessions"]:
        for line in session["tables"]:
            one, two = (_side(line["players"], side, teams) for side in ("NS", "EW"))
            if one and two and line["points"]:
                ns, ew = line["points"]["NS"], line["points"]["EW"]
                at[session["number"], one, two].append([ns, ew])
                at[session["number"], two, one].append([ew, ns])
    for match in fit.day.matches.select_related("home", "away"):
        scores = at.get((match.round, match.home_id, match.away_id), [])
        if len(scores) == tables and all(points >= 0 for score in scores for points in score):
            fit.scores[match.pk] = scores
        else:
            found = {"n": len(scores), "tables": tables}
            fit.notes.append(note("tables_missing", round=match.round, match=str(match), **found))


def _side(players: Seats, side: str, teams: Mapping[str, LeagueTeam]) -> int | None:
    """The team for which both at this side play."""
    of_side = {team.pk for seat in side if (team := teams.get(players.get(seat, "")))}
    return of_side.pop() if len(of_side) == 1 else None


def _results_store(fit: _Fit) -> int:
    """Write the results that are not binding and differ; returns how many. What was said of a
    result goes when it becomes another."""
    if fit.day is None:
        return 0
    count = 0
    for match in fit.day.matches.select_related("home", "away").order_by("pk"):
        scores = fit.scores.get(match.pk)
        if scores is None or match.scores == scores:
            continue
        if match.binding:
            fit.notes.append(note("binding", round=match.round, match=str(match)))
            continue
        scores_set(match, scores)
        count += 1
    return count
