"""Whether what is kept of the evenings is what their sheets say, and what was published still is
what it was."""

from django.dispatch import receiver

from clubs.models import AuditEvent, Club
from scoring.deals.entries import figures_verifying
from tournaments.models import Evening, Release
from tournaments.standings.queries import release_figures
from tournaments.standings.summaries import evening_summaries, summaries_worked_out


@receiver(figures_verifying)
def summary_faults(club: Club | None, **_kwargs: object) -> list[str]:
    """The evenings of which what is kept for the season is not what their sheets come to. What is
    kept of an earlier state is no fault: it is not looked at."""
    evenings = Evening.objects.filter(summary__isnull=False, **_of("club", club))
    return [
        f"evening {evening.club.slug} {evening.slug}: what is kept of it for the season was changed"
        for evening in evenings.select_related("club").iterator()
        if evening_summaries([evening]) != summaries_worked_out([evening])
    ]


@receiver(figures_verifying)
def release_faults(club: Club | None, **_kwargs: object) -> list[str]:
    """The releases with other figures than the trail says were published. Those from before the
    trail kept that are taken on trust."""
    events = AuditEvent.objects.filter(action="published", **_of("club", club))
    told = {
        (of, ref, data["release"]): data.get("figures")
        for of, ref, data in events.values_list("club_id", "object_ref", "data").iterator()
    }
    releases = Release.objects.filter(**_of("evening__club", club)).select_related("evening__club")
    return [
        f"evening {one.evening.club.slug} {one.evening.slug}:"
        f" what was published as number {one.number} was changed"
        for one in releases.iterator()
        if (kept := told.get((one.evening.club_id, f"evening:{one.evening.uuid}", one.number)))
        and kept != release_figures(one.standings, one.changes)
    ]


def _of(path: str, club: Club | None) -> dict[str, Club]:
    return {path: club} if club else {}
