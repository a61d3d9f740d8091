"""The common ranking of a night on which several clubs play the same cards, with names as each club
shows its people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from hashlib import sha256
from typing import Any, cast
from uuid import UUID

from django.core.cache import caches
from django.utils.translation import gettext as _

from clubs.models import Member
from tournaments.duplicate.core.nights import ClubTables, NightRanking, night_ranking
from tournaments.duplicate.core.scoring import BoardResult, Comparison
from tournaments.duplicate.nights import night_events
from tournaments.duplicate.texts import percent_words, points_words
from tournaments.models import DuplicateEvening, LeagueEvent, PersonLink, SharedNight
from tournaments.releases.folders import LINE_WORDS

CACHE_SECONDS = 24 * 60 * 60
_CENT = Decimal("0.01")


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


@dataclass(frozen=True, slots=True)
class ShownClub:
    """A club among the clubs."""

    place: int
    name: str
    figure: str
    value: Decimal
    pairs: int


@dataclass(frozen=True, slots=True)
class NightResults:
    """What a night came to."""

    pairs: Sequence[ShownPair]
    clubs: Sequence[ShownClub]


def night_results(night: SharedNight) -> NightResults:
    """The ranking of all pairs and of the clubs. Three queries; what is compared is kept by each
    process for what came in."""
    events = {str(event.event_uuid): event for event in night_events(night)}
    ranking = _ranking(night, events)
    names, clubs = _names(night, events.values()), _club_names(events)
    by_percent = night.compare == DuplicateEvening.Comparison.MATCHPOINTS
    return NightResults(
        [
            ShownPair(
                place=row.place,
                names=names.get((row.club, row.pair), "") or _("Pair %(n)s") % {"n": row.pair},
                club=clubs[row.club],
                line=str(LINE_WORDS[row.worth.line]) if row.worth.line else "",
                figure=_figure(row.value, by_percent=by_percent),
                value=_decimal(row.value),
                folders=row.boards,
            )
            for row in ranking.pairs
        ],
        [
            ShownClub(
                place=row.place,
                name=clubs[row.club],
                figure=percent_words(_decimal(row.value))
                if by_percent
                else points_words(row.value),
                value=_decimal(row.value),
                pairs=row.pairs,
            )
            for row in ranking.clubs
        ],
    )


def _figure(value: Fraction, *, by_percent: bool) -> str:
    return percent_words(_decimal(value)) if by_percent else points_words(value)


def _decimal(value: Fraction) -> Decimal:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(_CENT, rounding=ROUND_HALF_UP)


def _ranking(night: SharedNight, events: Mapping[str, LeagueEvent]) -> NightRanking:
    seen = "-".join(sorted(event.digest for event in events.values()))
    key = f"night-{night.uuid}-{night.version}-{sha256(seen.encode()).hexdigest()}"
    ranking: NightRanking | None = caches["small"].get(key)
    if ranking is None:
        tables = [
            ClubTables(
                key=uuid,
                boards={
                    board["folder"]: [_result(each) for each in board["results"]]
                    for board in event.document["folders"]["boards"]
                },
            )
            for uuid, event in sorted(events.items())
        ]
        ranking = night_ranking(tables, cast("Comparison", night.compare), net=night.net)
        caches["small"].set(key, ranking, CACHE_SECONDS)
    return ranking


def _result(each: Mapping[str, Any]) -> BoardResult:
    points, pairs = each["points"], {"NS": str(each["ns"]), "EW": str(each["ew"])}
    return BoardResult(
        ns=pairs["NS"],
        ew=pairs["EW"],
        points=points and (points["NS"], points["EW"]),
        adjusted={pairs[line]: percent for line, percent in each["rulings"].items()},
    )


def _club_names(events: Mapping[str, LeagueEvent]) -> dict[str, str]:
    """What each evening is called: its club, and the name of the evening where a club has two."""
    clubs = [event.club_uuid for event in events.values()]
    return {
        uuid: event.club if clubs.count(event.club_uuid) == 1 else f"{event.club} ({event.name})"
        for uuid, event in events.items()
    }


def _names(night: SharedNight, events: Iterable[LeagueEvent]) -> dict[tuple[str, str], str]:
    """By evening and pair, its people: of a club on this server as it shows them today, of others
    whom the league knows by a number. Somebody unknown, or erased, has no name here. Two
    queries."""
    people: dict[tuple[str, str], list[UUID]] = {}
    for event in events:
        for person in event.document["participants"]:
            if person.get("pair") is not None:
                key = str(event.event_uuid), str(person["pair"])
                people.setdefault(key, []).append(UUID(person["id"]))
    wanted = {uuid for own in people.values() for uuid in own}
    here = {
        member.uuid: member.shown_name
        for member in Member.objects.filter(club__uuid__in={event.club_uuid for event in events})
        if member.uuid in wanted
    }
    links = PersonLink.objects.filter(league=night.league_id, confirmed_at__isnull=False)
    known = dict(links.exclude(name="").values_list("member_uuid", "name"))
    return {
        key: " – ".join(name for uuid in own if (name := here.get(uuid) or known.get(uuid)))
        for key, own in people.items()
    }
