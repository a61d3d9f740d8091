"""The summaries of closed evenings get everybody's longest streak of deals made."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tournaments.standings.scores import HOLDER, PLAYED_DEAL, STARTED, streaks_of

FIELDS_BEFORE = 9


def streaks_add(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    summaries = apps.get_model("tournaments", "EveningSummary")
    seats = apps.get_model("scoring", "Seat")
    deals = apps.get_model("scoring", "Deal")
    for summary in list(summaries.objects.all()):
        there = {
            "sheet__table__round__evening": summary.evening_id,
            "sheet__table__round__state__in": STARTED,
        }
        holders = (
            seats.objects.filter(**there, extra=False)
            .exclude(member=None, counts_for=None)
            .order_by("from_deal")
        )
        played = deals.objects.filter(
            **there, current__written__isnull=False, current__replayed=False
        ).order_by("sheet__table__round__number", "sheet", "number")
        streaks = streaks_of(holders.values_list(*HOLDER), played.values_list(*PLAYED_DEAL))
        known = streaks.get(summary.evening_id, {})
        summary.results = [
            [*line, known.get(line[0]) if line[1] is not None else None]
            if len(line) == FIELDS_BEFORE
            else line
            for line in summary.results
        ]
        summary.save(update_fields=["results"])


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0003_totals_handed_in_whole"),
        ("tournaments", "0012_fees_of_calendar_years"),
    ]

    operations = [migrations.RunPython(streaks_add, migrations.RunPython.noop)]
