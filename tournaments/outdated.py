"""Which evenings were corrected and not published anew yet, of many evenings at once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import F, OuterRef, Subquery

from clubs.merges.queries import ids_today
from tournaments.models import Evening, Release
from tournaments.standings.core import EveningResult

Scored = Mapping[int, tuple[int, int]]


def evenings_outdated(
    evenings: Sequence[Evening], results: Iterable[EveningResult]
) -> list[Evening]:
    """Those of these closed evenings from which somebody brings other points or pits than were
    published last, in the same order; `results` is what everybody brings from them now. One query,
    and one more where an evening was touched since."""
    published = _published(evenings)
    now: dict[str, dict[int, tuple[int, int]]] = defaultdict(dict)
    for one in results:
        if one.score is not None:
            now[one.evening][int(one.player_id)] = one.score, one.pits
    return [one for one in evenings if published.get(one.pk, now[one.slug]) != now[one.slug]]


def _published(evenings: Sequence[Evening]) -> dict[int, Scored]:
    """What everybody has in the last release of those evenings (id) that were touched since."""
    same = Release.objects.filter(evening=OuterRef("evening")).order_by("-number")
    last = Release.objects.filter(evening__in=evenings, number=Subquery(same.values("number")[:1]))
    touched = dict(
        last.exclude(evening_revision=F("evening__revision")).values_list("evening", "standings")
    )
    today = ids_today(row["member"] for rows in touched.values() for row in rows) if touched else {}
    return {evening: _scored(rows, today) for evening, rows in touched.items()}


def _scored(rows: Iterable[Mapping[str, Any]], today: Mapping[int, int]) -> Scored:
    return {today.get(row["member"], row["member"]): (row["total"], row["pits"]) for row in rows}
