"""The texts of the metrics, with the club's own word for a pit, and of the standing while an
evening is played."""

from collections.abc import Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from clubs.text.numbers import number
from tournaments.standings.core import MEASURES, METRICS, Gap, InterimBy, Running


def unsplit_words(places: Sequence[tuple[int, int]], pit: str) -> str:
    """That of these tables, by round, roem and pits are not known; empty for none."""
    if not places:
        return ""
    tables = [_("table %(n)s of round %(round)s") % {"round": r, "n": n} for r, n in places]
    return _(
        "For %(tables)s only the totals are known. Their roem and %(pit)s are unknown and not "
        "counted."
    ) % {"tables": get_text_list(tables, _("and")), "pit": pit}


def interim_heading(playing: Sequence[int]) -> str:
    """The heading of what is written in these rounds, which are being played."""
    if len(playing) > 1:
        return _("Rounds %(rounds)s now") % {"rounds": _listed(playing)}
    return _("Round %(n)s now") % {"n": playing[0]}


def interim_words(playing: Sequence[int], over: Sequence[int], by: InterimBy) -> str:
    """What places go by while these rounds are `playing` and those are `over`."""
    if by == "average":
        rule = _("Places go by the average per deal, so that playing fast puts nobody ahead.")
    elif not over:
        rule = _("There are no places yet: they come when every table has finished the round.")
    else:
        rule = _(
            "Places are those after round %(n)s; the round being played counts once every table "
            "has finished it."
        ) % {"n": max(over)}
    return f"{playing_words(playing)} {rule}"


def playing_words(playing: Sequence[int]) -> str:
    """Which rounds are being played."""
    return ngettext(
        "Round %(rounds)s is being played.", "Rounds %(rounds)s are being played.", len(playing)
    ) % {"rounds": _listed(playing)}


def _listed(rounds: Sequence[int]) -> str:
    return get_text_list(list(map(str, rounds)), _("and"))


def gap_words(gap: Gap) -> str:
    """How far it is to the next place, or how far ahead the first is."""
    words = {"points": number(gap.points), "place": gap.place}
    if gap.ahead:
        return _("%(points)s ahead of place %(place)s") % words
    return _("%(points)s to go for place %(place)s") % words


def deals_words(running: Running) -> str:
    """How many deals these points are from; empty before the first."""
    if running.of is None:
        deals = ngettext("%(n)s deal", "%(n)s deals", running.deals)
        return deals % {"n": running.deals}
    return _("%(done)s of %(all)s") % {"done": running.deals, "all": running.of}


def metric_words(key: str, pit: str) -> str:
    """What this measure looks at, to go inside a sentence."""
    return gettext(MEASURES[key].words) % {"pit": pit}


def metric_heading(key: str, pit: str) -> str:
    """The heading of the metric's column."""
    return gettext(METRICS[key].heading) % {"pit": pit}


def metric_prize(key: str, pit: str) -> str:
    """The title of the metric's side prize."""
    return gettext(METRICS[key].prize) % {"pit": pit}
