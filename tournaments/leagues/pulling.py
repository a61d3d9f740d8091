"""The links by which the server of a league reads the events of a club, and that reading.

A club makes a link for a league and can withdraw it; only a hash of its secret is stored. A league
keeps the whole address, since it has to ask there again and again.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from http import HTTPStatus
from http.client import HTTPException
from typing import Any
from urllib.parse import urljoin, urlsplit
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.audit.services import Actor, event_append
from clubs.audit.trail import describe
from clubs.models import Club
from clubs.models.user import SEEN_EVERY, secret_hash, secret_make
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.following.push import HTTPS_PORT, NotBrought, OutwardConnection
from tournaments.leagues.event_documents import MOST_BYTES, Json, document_read
from tournaments.leagues.exchange import Imported, event_import
from tournaments.leagues.people import league_name
from tournaments.leagues.services import league_audit, league_lock
from tournaments.models import (
    Evening,
    EventSource,
    League,
    LeagueEvent,
    MatchDay,
    PullLink,
    Release,
)

LIST_FORMAT = "klaverclub-events"
MOST_LINKS = 20
MOST_SOURCES = 100
MOST_EVENTS = 500
LONGEST_ADDRESS = 300
PATIENCE = 10.0
"""Seconds for each step of reading an answer."""
AT_MOST = 60.0
"""Seconds for one answer, and for all that is read of one club in a run."""
AGO = timedelta(days=400)
"""A link gives the evenings of so long ago, enough for a season."""
WAITS = timedelta(days=60)
"""So long an event may wait for a match day that it fits."""


# The links of a club.


@dataclass(frozen=True, slots=True)
class LinkMade:
    """A new link and its path, which can only be shown now."""

    link: PullLink
    path: str


@transaction.atomic
def pull_link_make(*, club: Club, league: str, actor: Actor) -> LinkMade:
    """A link for the league with this web name on some server.

    Raises DomainError `league_missing` or `too_many_links`.
    """
    club = club_lock(club.pk)
    name = league_name(league)
    if club.pull_links.filter(withdrawn_at=None).count() >= MOST_LINKS:
        raise DomainError("too_many_links", _("Withdraw a link first: there are too many."))
    secret = secret_make()
    link = PullLink.objects.create(
        club=club, league=name, secret_hash=secret_hash(secret), user=actor.user
    )
    _audit_link(link, actor, "pull_link_made")
    return LinkMade(link, reverse("event_feed", args=[secret]))


@transaction.atomic
def pull_link_withdraw(*, link: PullLink, actor: Actor) -> None:
    """From now on the link opens nothing; the same again changes nothing."""
    club_lock(link.club_id)
    if PullLink.objects.filter(pk=link.pk, withdrawn_at=None).update(withdrawn_at=timezone.now()):
        _audit_link(link, actor, "pull_link_withdrawn")


def pull_link_find(secret: str) -> PullLink | None:
    """The link with this secret, as long as it is not withdrawn and its club not suspended; then it
    was seen now."""
    links = PullLink.objects.filter(withdrawn_at=None, club__suspended_at=None)
    link = links.filter(secret_hash=secret_hash(secret)).select_related("club").first()
    now = timezone.now()
    if link is not None and (link.seen_at is None or link.seen_at <= now - SEEN_EVERY):
        PullLink.objects.filter(pk=link.pk).update(seen_at=now)
    return link


def _audit_link(link: PullLink, actor: Actor, action: str) -> None:
    event_append(
        chain=link.club,
        club=link.club,
        actor=actor,
        action=action,
        object_ref=f"pulllink:{link.pk}",
        texts={"league": link.league},
    )


def published_evenings(club: Club) -> "QuerySet[Any]":
    """The closed evenings of a club that were published, the latest first, each with the number of
    its newest `publication`."""
    newest = Release.objects.filter(evening=OuterRef("pk")).order_by("-number")
    evenings = Evening.objects.of(club).annotate(publication=Subquery(newest.values("number")[:1]))
    return evenings.filter(state=Evening.State.CLOSED, publication__isnull=False).order_by(
        "-date", "-sequence"
    )


def event_list(link: PullLink, base: str) -> Json:
    """What the link leads to: each event with its number and where its document is."""
    since = timezone.localdate() - AGO
    evenings = published_evenings(link.club).filter(date__gte=since)[:MOST_EVENTS]
    return {
        "format": LIST_FORMAT,
        "version": 1,
        "league": link.league,
        "club": {"id": str(link.club.uuid), "name": link.club.name},
        "events": [
            {
                "id": str(evening.uuid),
                "number": evening.publication,
                "date": evening.date.isoformat(),
                "address": f"{base}{evening.uuid}/",
            }
            for evening in evenings
        ],
    }


# The sources of a league.


@transaction.atomic
def source_add(*, league: League, address: str, actor: Actor) -> EventSource:
    """Read the events of a club at this address from now on; the same again changes nothing.

    Raises DomainError `bad_address` or `too_many_sources`.
    """
    league = league_lock(league.pk)
    address = address_read(address)
    known = league.sources.filter(address=address).first()
    if known is not None:
        return known
    if league.sources.count() >= MOST_SOURCES:
        raise DomainError("too_many_sources", _("Remove a club first: there are too many."))
    source = EventSource.objects.create(league=league, address=address)
    about = f"eventsource:{source.pk}"
    league_audit(league, actor, "source_added", about, texts={"host": source.host})
    return source


@transaction.atomic
def source_remove(*, source: EventSource, actor: Actor) -> None:
    """Read no more from there, and forget the key of the club; what came stays."""
    league = league_lock(source.league_id)
    gone, _of_each = EventSource.objects.filter(pk=source.pk).delete()
    if gone:
        about = f"eventsource:{source.pk}"
        league_audit(league, actor, "source_removed", about, texts={"host": str(source)})


def address_read(typed: str) -> str:
    """The address of a link as it was typed. Raises DomainError `bad_address`."""
    address = typed.strip()
    if fault := _address_fault(address):
        raise DomainError("bad_address", fault)
    return address


def _address_fault(address: str) -> str:
    try:
        parts = urlsplit(address)
        port, is_plain = parts.port, address.isascii() and address.isprintable()
    except ValueError:
        return _("This is no address.")
    has_host = bool(parts.hostname) and "@" not in parts.netloc
    if not has_host or not is_plain or " " in address or len(address) > LONGEST_ADDRESS:
        return _("This is no address.")
    if settings.EXCHANGE_NETWORKS and parts.scheme in ("http", "https"):
        return ""
    if parts.scheme != "https":
        return _("The address begins with https://.")
    return "" if port in (None, HTTPS_PORT) else _("The address has no port of its own.")


# Reading.


class _Outward(OutwardConnection):
    """https to the internet, or into the networks that the settings allow."""

    at_most = AT_MOST

    @property
    def networks(self) -> Sequence[str]:
        return settings.EXCHANGE_NETWORKS


class _Inward(_Outward):
    """http, into those networks only."""

    def connect(self) -> None:
        self.sock = self.reach()

    def may_reach(self, address: str) -> bool:
        return self.is_inside(address)


class Unread(Exception):
    """What a club's server did not give, in words."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered."""

    status: int
    content: bytes
    tag: str


def fetch(address: str, headers: Mapping[str, str], seconds: float = AT_MOST) -> Answer:
    """Read what is at an address, within these seconds; redirects are not followed. Raises
    Unread."""
    if fault := _address_fault(address):
        raise Unread(fault)
    parts = urlsplit(address)
    secure = parts.scheme == "https"
    kind = _Outward if secure else _Inward
    port = parts.port or (HTTPS_PORT if secure else 80)
    connection = kind(parts.hostname or "", port, timeout=PATIENCE)
    connection.at_most = max(seconds, 1.0)
    try:
        path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        connection.request("GET", path, headers={**headers, "Accept": "application/json"})
        response = connection.getresponse()
        content = response.read(MOST_BYTES + 1)
        tag = response.headers.get("ETag", "")
    except NotBrought as error:
        raise Unread(_("This address is in a network inside.")) from error
    except (OSError, HTTPException, UnicodeError) as error:
        raise Unread(_("The server does not answer.")) from error
    finally:
        connection.close()
    if len(content) > MOST_BYTES:
        raise Unread(_("The server sends more than an event can be."))
    return Answer(response.status, content, tag[:100] if tag.isprintable() else "")


@dataclass(slots=True)
class Pulled:
    """What came of reading one source: how many events were new or newer, the results of matches
    they brought, and what went wrong."""

    source: EventSource
    events: int = 0
    results: int = 0
    faults: list[str] = field(default_factory=list)


def source_pull(source: EventSource, actor: Actor) -> Pulled:
    """Read the events of a source that the league does not have yet. What is wrong with one does
    not keep the others away; it is written with the source in the language of the league, and
    tried again the next time."""
    with translation.override(source.league.language):
        return _pull(Pulled(source), actor)


def _pull(pulled: Pulled, actor: Actor) -> Pulled:
    source = pulled.source
    end = time.monotonic() + AT_MOST
    tag = source.tag
    try:
        is_asked_anew = not tag or _waiting(source).exists()
        listed = fetch(source.address, {} if is_asked_anew else {"If-None-Match": tag})
        if listed.status != HTTPStatus.NOT_MODIFIED:
            for each in _listed(source, listed):
                _pull_one(pulled, each, actor, end)
            tag = "" if pulled.faults else listed.tag
    except Unread as error:
        pulled.faults.append(str(error))
    except EventSource.DoesNotExist:  # removed meanwhile
        tag = ""
    fault = "\n".join(pulled.faults)[:5000]
    columns = {"tag": tag, "pulled_at": timezone.now(), "fault": fault}
    if not EventSource.objects.filter(pk=source.pk).update(**columns):
        pulled.faults.clear()
    return pulled


def _waiting(source: EventSource) -> "QuerySet[LeagueEvent]":
    """The events of late that brought no results, on a date that has a match day by now."""
    if source.club_uuid is None:
        return LeagueEvent.objects.none()
    days = MatchDay.objects.filter(division__season__league=source.league_id)
    return LeagueEvent.objects.filter(
        league=source.league_id,
        club_uuid=source.club_uuid,
        day=None,
        date__gte=timezone.localdate() - WAITS,
        date__in=days.exclude(date=None).values("date"),
    )


def _pull_one(pulled: Pulled, each: Json, actor: Actor, end: float) -> None:
    source = pulled.source
    known = source.league.events.filter(event_uuid=each["id"], number__gte=each["number"])
    if known.exists() and not _waiting(source).filter(event_uuid=each["id"]).exists():
        return
    day = each["date"]
    try:
        if (left := end - time.monotonic()) <= 0:
            raise Unread(_("This takes too long; the rest follows the next time."))
        answer = fetch(each["address"], {}, left)
        if answer.status != HTTPStatus.OK:
            raise Unread(_status_words(answer))
        imported: Imported = event_import(
            league=source.league,
            document=document_read(answer.content),
            actor=actor,
            source=source,
        )
    except Unread as error:
        pulled.faults.append(f"{day}: {error}")
        return
    except DomainError as error:
        lines = error.params.get("lines")
        faults = lines if isinstance(lines, list) else [error.message]
        pulled.faults += [f"{day}: {line}" for line in faults]
        return
    pulled.events += imported.changed
    pulled.results += imported.results


def _listed(source: EventSource, answer: Answer) -> list[Json]:
    """The events in a list, each with its id, number, date and address. Raises Unread."""
    if answer.status != HTTPStatus.OK:
        raise Unread(_status_words(answer))
    try:
        found = json.loads(answer.content)
        is_list = found["format"] == LIST_FORMAT and found["version"] == 1
        events = [_list_line(source, each) for each in found["events"]] if is_list else None
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        events = None
    if events is None or len(events) > MOST_EVENTS:
        raise Unread(_("What is at this address is no list of events."))
    return events


def _list_line(source: EventSource, each: Any) -> Json:
    address = urljoin(source.address, str(each["address"]))
    here, there = urlsplit(source.address), urlsplit(address)
    if (here.scheme, here.netloc) != (there.scheme, there.netloc):
        raise ValueError(each)
    number = each["number"]
    if not isinstance(number, int) or not 0 < number < 2**31:
        raise ValueError(number)
    day = date.fromisoformat(each["date"]).isoformat()
    return {"id": UUID(each["id"]), "number": number, "date": day, "address": address}


def _status_words(answer: Answer) -> str:
    if answer.status == HTTPStatus.NOT_FOUND:
        return _("This link opens nothing there: it was withdrawn, or is not whole.")
    if answer.status == HTTPStatus.CONFLICT:
        return _("The club corrected this evening and has not published it anew yet.")
    return _("The server answers with %(status)s.") % {"status": answer.status}


describe(
    {
        "pull_link_made": gettext_lazy("A link was made with which the league “%(league)s” reads"),
        "pull_link_withdrawn": gettext_lazy("The link for the league “%(league)s” was withdrawn"),
        "source_added": gettext_lazy("Events are read at %(host)s from now on"),
        "source_removed": gettext_lazy("Events of %(host)s are read no more"),
        "event_imported": gettext_lazy("The event of %(club)s on %(date)s came in"),
        "event_imported_again": gettext_lazy(
            "A later publication of the event of %(club)s on %(date)s came in"
        ),
    }
)
