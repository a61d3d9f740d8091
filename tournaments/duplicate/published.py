"""The results of folders as a release keeps them, and read from it: published is published, also
when somebody types in other cards afterwards or the program comes to count otherwise. From those of
a season come its percentages."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any, cast

from django.core.cache import caches
from django.db.models import OuterRef, Subquery
from django.dispatch import receiver

from clubs.merges.services import people_today
from clubs.models import Member
from scoring.models import Folder
from tournaments.duplicate.core.scoring import PairWorth, decimal_text
from tournaments.duplicate.queries import (
    DuplicateResults,
    LineRanking,
    Ranked,
    TableResult,
    duplicate_of,
    duplicate_results,
)
from tournaments.models import Evening, Release, Season
from tournaments.releases.folders import NamedPair, folder_results_wanted, pairs_published
from tournaments.standings.core.places import shared_places

Json = Mapping[str, Any]
CACHE_SECONDS = 24 * 60 * 60


def results_shown(evening: Evening) -> DuplicateResults:
    """The folders of an evening as everybody may read them: as last published once it is closed,
    else as they are now. At most seven queries."""
    release = evening.releases.first() if evening.state == Evening.State.CLOSED else None
    if release is None or release.folders is None:
        return duplicate_results(evening, duplicate_of(evening))
    release.evening = evening
    return results_published(release)


def results_published(release: Release) -> DuplicateResults:
    """The folders of an evening as in this release, which has them."""
    kept = cast("Json", release.folders)
    pairs = pairs_published(release)
    # The seed and the night are as they are: of a night the seed comes later.
    duplicate = duplicate_of(release.evening)
    for name in ("kind", "compare", "net", "folders"):
        setattr(duplicate, name, kept[name])
    return DuplicateResults(
        duplicate,
        pairs,
        {board["folder"]: _folder(board) for board in kept["boards"]},
        [*_tables(kept)],
        [_line(line, pairs) for line in kept["lines"]],
    )


@receiver(folder_results_wanted)
def results_kept(evening: Evening, **_kwargs: object) -> dict[str, Any]:
    """The results of now in the form in which a release keeps them. Four queries, and two more
    where pairs play for teams."""
    results = duplicate_results(evening, duplicate_of(evening))
    duplicate = results.duplicate
    return {
        "kind": str(duplicate.kind),
        "compare": str(duplicate.compare),
        "net": duplicate.net,
        "folders": duplicate.folders,
        "lines": [
            {"line": line.line, "places": [_place_json(row) for row in line.rows]}
            for line in results.ranking
        ],
        "boards": [
            {
                "folder": number,
                "hands": folder.hands,
                "tables": [_table_json(each) for each in results.of_folder.get(number, ())],
            }
            for number, folder in sorted(results.folders.items())
        ],
    }


def _place_json(row: Ranked) -> Json:
    worth = row.worth
    return {
        "place": row.place,
        "pairs": [pair.number for pair in row.pairs],
        "points": str(worth.points),
        "shown": decimal_text(worth.points),
        "top": worth.top,
        "percentage": None if worth.percentage is None else f"{worth.percentage:.2f}",
        "folders": row.played,
    }


def _table_json(result: TableResult) -> Json:
    """What stays of a table's line: not the reason of a ruling, which may name people."""
    written = result.written or {}
    return {
        "round": result.round,
        "table": result.table,
        "deal": result.number,
        "pairs": dict(result.sides),
        "declarer": written.get("declarer"),
        "trump": written.get("trump"),
        "score": result.score and [*result.score],
        "nat": result.nat,
        "pit": result.pit,
        "worth": {line: str(points) for line, points in result.worth.items()},
        "top": result.top,
        "rulings": {line: percent for line, (percent, _reason) in result.ruled.items()},
    }


def _folder(board: Json) -> Folder:
    return Folder(number=board["folder"], hands=board["hands"])


def _tables(kept: Json) -> Iterator[TableResult]:
    """The lines of all tables in the order of play."""
    lines = [(board["folder"], table) for board in kept["boards"] for table in board["tables"]]
    for folder, table in sorted(lines, key=_order_of_play):
        written = {key: table[key] for key in ("declarer", "trump") if table[key]}
        yield TableResult(
            folder=folder,
            round=table["round"],
            table=table["table"],
            deal_id=0,
            number=table["deal"],
            sides=table["pairs"],
            plays={},
            written=written if table["score"] else None,
            score=table["score"] and (table["score"][0], table["score"][1]),
            nat=table["nat"],
            pit=table["pit"],
            ruled={line: (percent, "") for line, percent in table["rulings"].items()},
            has_started=True,
            is_over=True,
            worth={line: Fraction(points) for line, points in table["worth"].items()},
            top=table["top"],
        )


def _order_of_play(line: tuple[int, Json]) -> tuple[int, int, int]:
    _folder, table = line
    return table["round"], table["table"], table["deal"]


def _line(line: Json, pairs: Mapping[int, NamedPair]) -> LineRanking:
    return LineRanking(
        line["line"], tuple(_ranked(row, line["line"], pairs) for row in line["places"])
    )


def _ranked(row: Json, line: Any, pairs: Mapping[int, NamedPair]) -> Ranked:
    percentage = row["percentage"]
    worth = PairWorth(
        pair=str(row["pairs"][0]),
        line=line,
        points=Fraction(row["points"]),
        top=row["top"],
        percentage=None if percentage is None else Decimal(percentage),
    )
    own = tuple(pairs.get(number, NamedPair(number)) for number in row["pairs"])
    return Ranked(row["place"], worth, own, row["folders"])


@dataclass(frozen=True, slots=True)
class SeasonPercentage:
    """Somebody's place in the standing of percentages: the mean of their evenings, by evening."""

    place: int
    member: Member
    mean: Decimal
    by_evening: Mapping[str, Decimal]


def season_percentages(season: Season) -> list[SeasonPercentage]:
    """The standing of a season by the mean of everybody's percentages on its closed evenings of
    folders that are compared by matchpoints, as published last. Three queries, one more where an
    evening was not read yet by this process, and one where a guest became a member."""
    newest = Release.objects.filter(evening=OuterRef("evening")).order_by("-number")
    published = Release.objects.filter(
        evening__season=season,
        evening__state=Evening.State.CLOSED,
        number=Subquery(newest.values("number")[:1]),
    )
    dated = published.select_related("evening").only("evening__date", "evening__sequence")
    last = {release.evening.slug: release.pk for release in dated}
    percentages = _percentages(last.values())
    members = people_today({pk for of_evening in percentages.values() for pk in of_evening})
    percents: dict[int, dict[str, Decimal]] = defaultdict(dict)
    for slug, release in last.items():
        for pk, percent in percentages[release].items():
            if pk in members:
                percents[members[pk].pk][slug] = percent
    people = {member.pk: member for member in members.values()}
    means = {
        pk: (sum(own.values(), Decimal(0)) / len(own)).quantize(
            Decimal("0.01"), rounding=ROUND_HALF_UP
        )
        for pk, own in percents.items()
    }
    ordered = sorted(means, key=lambda pk: (-means[pk], people[pk].sort_name, pk))
    equal = [[*same] for _mean, same in groupby(ordered, key=means.__getitem__)]
    return [
        SeasonPercentage(place, people[pk], means[pk], percents[pk])
        for place, group in shared_places(equal)
        for pk in group
    ]


def _percentages(releases: Collection[int]) -> dict[int, dict[int, Decimal]]:
    """By release the percentage of everybody who played there, by the id they had then. Each
    process keeps them: a release never changes."""
    cache = caches["small"]
    keys = {f"folders-published-{pk}": pk for pk in releases}
    known: dict[str, dict[int, Decimal]] = cache.get_many(keys)
    missing = [pk for key, pk in keys.items() if key not in known]
    stored = Release.objects.filter(pk__in=missing).values_list("pk", "folders", "standings")
    for pk, folders, standings in stored if missing else ():
        key = f"folders-published-{pk}"
        known[key] = _percentages_of(folders, standings)
        cache.set(key, known[key], CACHE_SECONDS)
    return {pk: known[key] for key, pk in keys.items()}


def _percentages_of(
    folders: Mapping[str, Any] | None, standings: Sequence[Mapping[str, Any]]
) -> dict[int, Decimal]:
    """None of what was not compared by matchpoints."""
    of_pair = {
        pair: Decimal(row["percentage"])
        for line in (folders or {"lines": ()})["lines"]
        for row in line["places"]
        for pair in row["pairs"]
        if row["percentage"] is not None
    }
    return {
        row["member"]: of_pair[row["pair"]["number"]]
        for row in standings
        if row.get("pair") and row["pair"]["number"] in of_pair
    }
