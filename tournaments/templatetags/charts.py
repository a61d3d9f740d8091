"""Charts, drawn by the server as SVG."""

from django import template

from tournaments.players.charts import HEIGHT, RIGHT, WIDTH, Chart, chart_drawing

register = template.Library()


@register.inclusion_tag("tournaments/players/chart.html", name="chart")
def chart_figure(chart: Chart) -> dict[str, object]:
    """The chart as one picture, with a title and a description for screen readers."""
    return {
        "chart": chart,
        "drawing": chart_drawing(chart),
        "box": f"0 0 {WIDTH} {HEIGHT}",
        "right": str(RIGHT),
    }
