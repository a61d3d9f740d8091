"""Two names in an old file of the demo's club: one was found to be a member, one may be."""

import io
from typing import Any

from clubs.audit import Actor
from clubs.merges.services import guest_merge
from clubs.models import Club, Upload
from clubs.services import upload_keep, upload_source
from tournaments.models import Season
from tournaments.services import results_plan
from tournaments.services.uploads import uploaded_results_import


def namesakes_make(club: Club, told: list[dict[str, Any]], actor: Actor) -> None:
    """Read a file into last season with each of these names, on an evening that the member of
    that number was not at; join the guest to the member where that `is_found`."""
    season = Season.objects.filter(club=club).earliest("starts")
    lines = [f"{_missed_by(season, one['number'])};{one['name']};{one['score']}" for one in told]
    text = "\n".join(["datum;speler;punten", *lines])
    upload = upload_keep(
        club=club,
        kind=Upload.Kind.RESULTS,
        file=io.BytesIO(text.encode()),
        name="nagekomen uitslagen.csv",
        details={"season": season.name},
        actor=actor,
    )
    plan = results_plan(club=club, season_name=season.name, source=upload_source(upload))
    uploaded_results_import(upload=upload, seen=plan.fingerprint, actor=actor)
    for one in told:
        if one["is_found"]:
            guest = club.members.get(name=one["name"])
            member = club.members.get(number=one["number"])
            guest_merge(guest=guest, member=member, actor=actor)


def _missed_by(season: Season, number: int) -> str:
    """The last evening of the season that the member of this number has no result of."""
    missed = season.evenings.exclude(past_results__member__number=number)
    return missed.latest("date", "sequence").slug
