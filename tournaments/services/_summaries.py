"""Keeping what an evening brings to its season."""

from tournaments.models import Evening, EveningSummary
from tournaments.summaries import summaries_worked_out, summary_as_json


def summary_store(evening_id: int) -> None:
    """Keep what everybody made of this evening as it is now.

    The revision is read first: what is written after it makes what is kept outdated, never wrong.
    """
    evening = Evening.objects.get(pk=evening_id)
    people = summaries_worked_out([evening])[evening_id]
    EveningSummary.objects.update_or_create(
        evening=evening,
        defaults={"revision": evening.revision, "results": summary_as_json(people)},
    )
