"""Verification of evenings: stored summaries match the sheets, and releases match the trail."""

from django.dispatch import receiver

from clubs.models import AuditEvent, Club
from scoring.deals.entries import figures_verifying
from tournaments.models import Evening, Release
from tournaments.standings.queries import release_figures
from tournaments.standings.summaries import evening_summaries, summaries_worked_out


@receiver(figures_verifying)
def summary_faults(club: Club | None, **_kwargs: object) -> list[str]:
    """The evenings whose stored summary is not what their sheets add up to. A summary of an earlier
    revision is not used, so it is not a fault."""
    evenings = Evening.objects.filter(summary__isnull=False, **_of("club", club))
    return [
        f"evening {evening.club.slug} {evening.slug}: its stored summary was changed"
        for evening in evenings.select_related("club").iterator()
        if evening_summaries([evening]) != summaries_worked_out([evening])
    ]


@receiver(figures_verifying)
def release_faults(club: Club | None, **_kwargs: object) -> list[str]:
    """The releases with other figures than the trail says were published.

    Releases from before the trail recorded figures are trusted.
    """
    events = AuditEvent.objects.filter(action="published", **_of("club", club))
    recorded = {
        (of, ref, data["release"]): data.get("figures")
        for of, ref, data in events.values_list("club_id", "object_ref", "data").iterator()
    }
    releases = Release.objects.filter(**_of("evening__club", club)).select_related("evening__club")
    return [
        f"evening {release.evening.club.slug} {release.evening.slug}:"
        f" what was published as number {release.number} was changed"
        for release in releases.iterator()
        if (figures := recorded.get(_key(release)))
        and figures != release_figures(release.standings, release.changes)
    ]


def _key(release: Release) -> tuple[int, str, int]:
    evening = release.evening
    return evening.club_id, f"evening:{evening.uuid}", release.number


def _of(path: str, club: Club | None) -> dict[str, Club]:
    return {path: club} if club else {}
