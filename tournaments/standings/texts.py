"""The texts of the metrics, translated and with the club's own word for a pit."""

from collections.abc import Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from tournaments.standings.core import MEASURES, METRICS


def unsplit_words(places: Sequence[tuple[int, int]], pit: str) -> str:
    """That of these tables, by round, roem and pits are not known; empty for none."""
    if not places:
        return ""
    tables = [_("table %(n)s of round %(round)s") % {"round": r, "n": n} for r, n in places]
    return _(
        "For %(tables)s only the totals are known. Their roem and %(pit)s are unknown and not "
        "counted."
    ) % {"tables": get_text_list(tables, _("and")), "pit": pit}


def metric_words(key: str, pit: str) -> str:
    """What this measure looks at, to go inside a sentence."""
    return gettext(MEASURES[key].words) % {"pit": pit}


def metric_heading(key: str, pit: str) -> str:
    """The heading of the metric's column."""
    return gettext(METRICS[key].heading) % {"pit": pit}


def metric_prize(key: str, pit: str) -> str:
    """The title of the metric's side prize."""
    return gettext(METRICS[key].prize) % {"pit": pit}
