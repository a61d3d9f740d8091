"""The texts of the metrics, translated and with the club's own word for a pit."""

from django.utils.translation import gettext

from tournaments.standings.core import MEASURES, METRICS


def metric_words(key: str, pit: str) -> str:
    """What this measure looks at, to go inside a sentence."""
    return gettext(MEASURES[key].words) % {"pit": pit}


def metric_heading(key: str, pit: str) -> str:
    """The heading of the metric's column."""
    return gettext(METRICS[key].heading) % {"pit": pit}


def metric_prize(key: str, pit: str) -> str:
    """The title of the metric's side prize."""
    return gettext(METRICS[key].prize) % {"pit": pit}
