"""Storing the summary of an evening that its season counts with."""

from tournaments.models import Evening, EveningSummary
from tournaments.summaries import summaries_worked_out, summary_as_json


def summary_store(evening_id: int) -> None:
    """Store everybody's result of this evening as it is now.

    The revision is read first, so that a write in between makes the summary outdated, never wrong.
    """
    evening = Evening.objects.get(pk=evening_id)
    people = summaries_worked_out([evening])[evening_id]
    EveningSummary.objects.update_or_create(
        evening=evening,
        defaults={"revision": evening.revision, "results": summary_as_json(people)},
    )
