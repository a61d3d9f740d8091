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
People = Mapping[tuple[str, str], Sequence[UUID]]
"""The people of each pair, by evening and number."""


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
    pairs: int


@dataclass(frozen=True, slots=True)
class NightResults:
    """What a night came to: the ranking, the people of each pair and the name of each evening.
    Lines are put into words where they are shown."""

    ranking: NightRanking
    names: Mapping[tuple[str, str], str]
    called: Mapping[str, str]
    by_percent: bool

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return len(self.ranking.pairs)

    def pairs(self, start: int = 0, stop: int | None = None) -> list[ShownPair]:
        """The pairs from one place in the list up to another."""
        return [
            ShownPair(
                place=row.place,
                names=self.names.get((row.club, row.pair), "") or _("Pair %(n)s") % {"n": row.pair},
                club=self.called[row.club],
                line=str(LINE_WORDS[row.worth.line]) if row.worth.line else "",
                figure=_figure(row.value, by_percent=self.by_percent),
                value=_decimal(row.value),
                folders=row.boards,
            )
            for row in self.ranking.pairs[start:stop]
        ]

    def clubs(self) -> list[ShownClub]:
        """All clubs."""
        return [
            ShownClub(
                place=row.place,
                name=self.called[row.club],
                figure=_figure(row.value, by_percent=self.by_percent),
                pairs=row.pairs,
            )
            for row in self.ranking.clubs
        ]


def night_results(night: SharedNight) -> NightResults:
    """The ranking of all pairs and of the clubs. Three queries, and one to compare what came in
    since this process did so last."""
    brought = night_events(night).defer("document", "notes")
    events = {str(event.event_uuid): event for event in brought}
    ranking, people = _compared(night, events)
    return NightResults(
        ranking,
        _names(night, events.values(), people),
        _club_names(events),
        night.compare == DuplicateEvening.Comparison.MATCHPOINTS,
    )


def _figure(value: Fraction, *, by_percent: bool) -> str:
    return percent_words(_decimal(value)) if by_percent else points_words(value)


def _decimal(value: Fraction) -> Decimal:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(_CENT, rounding=ROUND_HALF_UP)


def _compared(night: SharedNight, events: Mapping[str, LeagueEvent]) -> tuple[NightRanking, People]:
    """The ranking without names, and who the pairs are. Kept by each process for exactly these
    documents."""
    seen = "-".join(sorted(event.digest for event in events.values()))
    key = f"night-{night.uuid}-{night.version}-{sha256(seen.encode()).hexdigest()}"
    kept: tuple[NightRanking, People] | None = caches["small"].get(key)
    if kept is None:
        documents = dict(night_events(night).values_list("event_uuid", "document"))
        tables = [
            ClubTables(key=str(uuid), boards=_boards(document))
            for uuid, document in sorted(documents.items())
        ]
        ranking = night_ranking(tables, cast("Comparison", night.compare), net=night.net)
        kept = ranking, _people(documents)
        caches["small"].set(key, kept, CACHE_SECONDS)
    return kept


def _boards(document: Mapping[str, Any]) -> dict[int, list[BoardResult]]:
    return {
        board["folder"]: [_result(each) for each in board["results"]]
        for board in document["folders"]["boards"]
    }


def _people(documents: Mapping[UUID, Mapping[str, Any]]) -> People:
    found: dict[tuple[str, str], list[UUID]] = {}
    for uuid, document in documents.items():
        for person in document["participants"]:
            if person.get("pair") is not None:
                key = str(uuid), str(person["pair"])
                found.setdefault(key, []).append(UUID(person["id"]))
    return found


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


def _names(
    night: SharedNight, events: Iterable[LeagueEvent], people: People
) -> dict[tuple[str, str], str]:
    """By evening and pair, its people: of a club on this server as it shows them today, of others
    whom the league knows by a number. Somebody unknown, or erased, has no name here. Two
    queries."""
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
