"""The common ranking of a night on which several clubs play the same cards: worked out and
published, and read as it was published last, with names as each club shows its people.

What was published stays: the database refuses to change it. When a club publishes its evening anew,
or sends it late, the league publishes the night anew.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.audit.services import Actor
from clubs.audit.trail import describe
from clubs.models import Member, MemberMerge
from clubs.text.errors import DomainError, VersionConflict
from tournaments.duplicate.core.scoring import BoardResult, ClubTables, Comparison, night_ranking
from tournaments.duplicate.texts import percent_words, points_words
from tournaments.leagues.services import league_audit, league_lock
from tournaments.models import (
    DuplicateEvening,
    LeagueEvent,
    NightRelease,
    PersonLink,
    SharedNight,
)
from tournaments.releases.folders import LINE_WORDS

Json = Mapping[str, Any]
_CENT = Decimal("0.01")


# What came in of a night.


def night_events(night: SharedNight) -> QuerySet[LeagueEvent]:
    """What clubs brought of this night, by name."""
    of_day = night.league.events.filter(date=night.date)
    return of_day.filter(document__folders__night=str(night.uuid)).order_by("club", "pk")


def clubs_in(night: SharedNight) -> list[str]:
    """The clubs of which an evening of this night is in, by name. One query."""
    return [*dict(night_events(night).values_list("club_uuid", "club")).values()]


# Publishing.


@transaction.atomic
def night_publish(*, night: SharedNight, seen: int, actor: Actor) -> NightRelease:
    """Publish the common ranking of an open night anew, with what came in since.

    Raises DomainError `night_not_open` or `night_is_current` where there is nothing new, and
    VersionConflict for another version than `seen`.
    """
    league_lock(night.league_id)
    night = SharedNight.objects.select_related("league").get(pk=night.pk)
    if night.opened_at is None:
        raise DomainError("night_not_open", _("Open the night first."))
    if not night_is_stale(night, night_last(night)):
        message = _("Nothing came in since this was published.")
        raise DomainError("night_is_current", message)
    if not night.update_if(seen):
        raise night_moved_on()
    return release_make(night, actor)


def night_moved_on() -> VersionConflict:
    """Somebody else was first."""
    message = _("This was changed in the meantime. Look again.")
    return VersionConflict("night_moved_on", message)


def release_make(night: SharedNight, actor: Actor) -> NightRelease:
    """The next release of a night that the caller has locked, with an event in the trail."""
    last = night.releases.defer("clubs", "pairs").first()
    clubs, pairs = _worked_out(night)
    made = NightRelease(
        night=night, number=last.number + 1 if last else 1, clubs=clubs, pairs=pairs
    )
    made.seal = release_seal(made)
    made.save(force_insert=True)
    league_audit(
        night.league,
        actor,
        "night_published",
        f"sharednight:{night.pk}",
        data={"number": made.number, "seal": made.seal, "clubs": len(clubs)},
        texts={"name": night.name},
    )
    return made


def release_seal(made: NightRelease) -> str:
    """A hash over all that a release says, which the trail of the league has too."""
    said = [str(made.night.uuid), made.number, made.clubs, made.pairs]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def night_last(night: SharedNight) -> NightRelease | None:
    """The last release of a night, without its pairs, which are many. One query."""
    return night.releases.defer("pairs").first()


def night_is_stale(night: SharedNight, last: NightRelease | None) -> bool:
    """Whether clubs brought something since this was published. One query."""
    now = {
        str(uuid): number
        for uuid, number in night_events(night).values_list("event_uuid", "number")
    }
    return now != ({row["event"]: row["number"] for row in last.clubs} if last else {})


def _worked_out(night: SharedNight) -> tuple[list[Json], list[Json]]:
    """The clubs and the pairs in the order of their places, in the form in which they are kept."""
    events = {str(event.event_uuid): event for event in night_events(night)}
    tables = [
        ClubTables(key=uuid, boards=_boards(event.document))
        for uuid, event in sorted(events.items())
    ]
    ranking = night_ranking(tables, cast("Comparison", night.compare), net=night.net)
    people = {
        (uuid, pair): own
        for uuid, event in events.items()
        for pair, own in _people(event.document).items()
    }
    clubs: list[Json] = [
        {
            "place": row.place,
            "event": row.club,
            "club": events[row.club].club,
            "number": events[row.club].number,
            "value": str(row.value),
            "pairs": row.pairs,
        }
        for row in ranking.clubs
    ]
    pairs: list[Json] = [
        {
            "place": row.place,
            "event": row.club,
            "pair": int(row.pair),
            "line": row.worth.line,
            "value": str(row.value),
            "folders": row.boards,
            "people": people.get((row.club, row.pair), []),
        }
        for row in ranking.pairs
    ]
    return clubs, pairs


def _boards(document: Json) -> dict[int, list[BoardResult]]:
    return {
        board["folder"]: [_result(each) for each in board["results"]]
        for board in document["folders"]["boards"]
    }


def _result(each: Json) -> BoardResult:
    points, pairs = each["points"], {"NS": str(each["ns"]), "EW": str(each["ew"])}
    return BoardResult(
        ns=pairs["NS"],
        ew=pairs["EW"],
        points=points and (points["NS"], points["EW"]),
        adjusted={pairs[line]: percent for line, percent in each["rulings"].items()},
    )


def _people(document: Json) -> dict[str, list[str]]:
    """The people of each pair, by its number."""
    found: dict[str, list[str]] = {}
    for person in document["participants"]:
        if person.get("pair") is not None:
            found.setdefault(str(person["pair"]), []).append(person["id"])
    return found


# Reading.


@dataclass(frozen=True, slots=True)
class ShownPair:
    """A line of the common ranking."""

    place: int
    names: str
    club: str
    line: str
    figure: str
    value: Decimal
    folders: int
    row: Json


@dataclass(frozen=True, slots=True)
class ShownClub:
    """A club among the clubs."""

    place: int
    name: str
    figure: str
    value: Decimal
    pairs: int
    row: Json


@dataclass(frozen=True)
class NightResults:
    """A release of a night. Lines are put into words where they are shown."""

    release: NightRelease
    by_percent: bool

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return len(self.release.pairs)

    @cached_property
    def called(self) -> dict[str, str]:
        """What each evening is called: its club, numbered where a club has two."""
        clubs = [row["club"] for row in self.release.clubs]
        called: dict[str, str] = {}
        for at, row in enumerate(self.release.clubs):
            name, before = row["club"], clubs[:at].count(row["club"])
            called[row["event"]] = name if clubs.count(name) == 1 else f"{name} ({before + 1})"
        return called

    def pairs(self, start: int = 0, stop: int | None = None) -> list[ShownPair]:
        """The pairs from one place in the list up to another. Two or three queries."""
        rows = self.release.pairs[start:stop]
        names = _names(self.release.night, {uuid for row in rows for uuid in row["people"]})
        return [self._pair(row, names) for row in rows]

    def _pair(self, row: Json, names: Mapping[str, str]) -> ShownPair:
        known = [names[uuid] for uuid in row["people"] if uuid in names]
        value = Fraction(row["value"])
        return ShownPair(
            place=row["place"],
            names=" – ".join(known) or _("Pair %(n)s") % {"n": row["pair"]},
            club=self.called[row["event"]],
            line=str(LINE_WORDS[row["line"]]) if row["line"] else "",
            figure=self._figure(value),
            value=_decimal(value),
            folders=row["folders"],
            row=row,
        )

    def clubs(self) -> list[ShownClub]:
        """All clubs."""
        return [
            ShownClub(
                place=row["place"],
                name=self.called[row["event"]],
                figure=self._figure(Fraction(row["value"])),
                value=_decimal(Fraction(row["value"])),
                pairs=row["pairs"],
                row=row,
            )
            for row in self.release.clubs
        ]

    def _figure(self, value: Fraction) -> str:
        return percent_words(_decimal(value)) if self.by_percent else points_words(value)


def night_results(release: NightRelease) -> NightResults:
    """What a release says. No query before its pairs are read."""
    by_percent = release.night.compare == DuplicateEvening.Comparison.MATCHPOINTS
    return NightResults(release, by_percent)


def _decimal(value: Fraction) -> Decimal:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(_CENT, rounding=ROUND_HALF_UP)


def _names(night: SharedNight, uuids: set[str]) -> dict[str, str]:
    """The names of these people: of a club on this server as it shows them today, of others whom
    the league knows by a number. Somebody unknown has none here. Two queries, and one more where
    somebody is neither: they may be a guest who became a member."""
    wanted = [UUID(uuid) for uuid in uuids]
    links = PersonLink.objects.filter(
        league=night.league_id, confirmed_at__isnull=False, member_uuid__in=wanted
    )
    known = dict(links.exclude(name="").values_list("member_uuid", "name"))
    here = {member.uuid: member.shown_name for member in Member.objects.filter(uuid__in=wanted)}
    names = {str(uuid): name for uuid, name in {**known, **here}.items()}
    return names | _names_of_merged(uuids - names.keys())


def _names_of_merged(guests: set[str]) -> dict[str, str]:
    if not guests:
        return {}
    merges = MemberMerge.objects.filter(undone_at=None, guest__uuid__in=sorted(guests))
    return {
        merge.guest["uuid"]: merge.member.shown_name for merge in merges.select_related("member")
    }


describe(
    {
        "night_published": gettext_lazy(
            "Publication %(number)s of the night %(name)s was made, with %(clubs)s clubs"
        ),
    }
)
