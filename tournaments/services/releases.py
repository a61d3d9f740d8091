"""Standings as they are published: numbered, never changed."""

from django.db import transaction
from django.db.models import Max

from clubs.audit import Actor, seal
from scoring.models import Scoresheet
from tournaments.models import Evening, Release
from tournaments.queries import StandingRow, evening_standings
from tournaments.services._evening import evening_touch


@transaction.atomic
def release_publish(*, evening: Evening, actor: Actor, reason: str = "") -> Release:
    """Publish the standings as they are now as the next release, with who moved since the last."""
    previous = evening.releases.order_by("-number").first()
    rows = [_row_json(row) for row in evening_standings(evening)]
    last = evening.releases.aggregate(last=Max("number"))["last"] or 0
    release = Release.objects.create(
        evening=evening,
        number=last + 1,
        standings=rows,
        changes=_changes(previous.standings if previous else [], rows) if previous else [],
        reason=reason.strip(),
        seal=seal(Scoresheet.objects.filter(table__round__evening=evening)),
        user=actor.user,
    )
    evening_touch(
        evening,
        actor=actor,
        action="published",
        data={"release": release.number, "seal": release.seal},
        texts={"reason": release.reason},
    )
    return release


def _row_json(row: StandingRow) -> dict[str, object]:
    return {
        "rank": row.rank,
        "member": row.member_id,
        "name": row.name,
        "total": row.total,
        "rounds": {str(number): score for number, score in row.rounds.items()},
        "pits": row.pits,
    }


def _changes(
    before: list[dict[str, object]], after: list[dict[str, object]]
) -> list[dict[str, object]]:
    old = {row["member"]: row for row in before}
    return [
        {
            "member": row["member"],
            "name": row["name"],
            "rank": [old.get(row["member"], {}).get("rank"), row["rank"]],
            "total": [old.get(row["member"], {}).get("total"), row["total"]],
        }
        for row in after
        if (old.get(row["member"], {}).get("rank"), old.get(row["member"], {}).get("total"))
        != (row["rank"], row["total"])
    ]
