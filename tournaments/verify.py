"""Whether what is kept of the evenings is what their sheets say."""

from django.dispatch import receiver

from scoring.signals import figures_asked
from tournaments.models import Evening
from tournaments.summaries import evening_summaries, summaries_worked_out


@receiver(figures_asked)
def summary_faults(**_kwargs: object) -> list[str]:
    """The evenings of which what is kept for the season is not what their sheets come to. What is
    kept of an earlier state is no fault: it is not looked at."""
    evenings = Evening.objects.filter(summary__isnull=False).select_related("club")
    return [
        f"evening {evening.club.slug} {evening.slug}: what is kept of it for the season was changed"
        for evening in evenings.iterator()
        if evening_summaries([evening]) != summaries_worked_out([evening])
    ]
