"""What pages about evenings show: when they start, the rounds to print, charts drawn by the server
as SVG, and the texts of a table's scripts."""

from collections.abc import Sequence

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString

from clubs.models import Club
from tournaments.draw.core.models import BLOCK_LENGTH
from tournaments.evenings.texts import start_words
from tournaments.evenings.workflow import EveningProgress
from tournaments.models import Evening, Round
from tournaments.players.charts import HEIGHT, RIGHT, WIDTH, Chart, chart_drawing
from tournaments.printing.draw_pdf import block_of, evening_seating
from tournaments.scoresheets.data import table_texts

register = template.Library()


@register.simple_tag
def rounds_to_print(progress: EveningProgress) -> list[int]:
    """The numbers of the rounds with a final draw that are not closed.

    Of a rotation's block, whose tables stay together, only the first round. Two queries if a
    rotation has more final rounds than one block.
    """
    final = [round_ for round_ in progress.rounds if round_.state != Round.State.DRAFT]
    coming = [round_.number for round_ in final if round_.state != Round.State.CLOSED]
    if progress.evening.method != Evening.Method.ROTATION:
        return coming
    return _one_of_each_block(progress.evening, coming) if len(final) > BLOCK_LENGTH else coming[:1]


@register.simple_tag
def sheets_to_print(progress: EveningProgress) -> list[int]:
    """The number of the round that comes, if its draw is final, and then of each being played."""
    coming = progress.first(Round.State.DRAWN)
    playing = [each.number for each in progress.rounds if each.state == Round.State.RUNNING]
    return [coming.number, *playing] if coming else playing


def _one_of_each_block(evening: Evening, numbers: Sequence[int]) -> list[int]:
    seating = evening_seating(evening)
    first: dict[int, int] = {}
    for number in numbers:
        first.setdefault(block_of(seating, number)[0].number, number)
    return list(first.values())


@register.inclusion_tag("tournaments/players/chart.html", name="chart")
def chart_figure(chart: Chart) -> dict[str, object]:
    """The chart as one picture, with a title and a description for screen readers."""
    return {
        "chart": chart,
        "drawing": chart_drawing(chart),
        "box": f"0 0 {WIDTH} {HEIGHT}",
        "right": str(RIGHT),
    }


@register.simple_tag(name="table_texts")
def table_texts_script(club: Club) -> SafeString:
    """The texts, as data that the page's scripts read."""
    return json_script(table_texts(club), "table-texts")


register.filter(start_words)
