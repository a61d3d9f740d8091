"""The charts of a player's page, with what they show in words."""

import datetime as dt
from collections.abc import Sequence
from typing import Protocol

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.words import number, signed
from tournaments.charts import Chart, Mark
from tournaments.strengths import Then
from tournaments.views.public.season import Cell


class Line(Protocol):
    """An evening of the player."""

    @property
    def date(self) -> dt.date: ...

    @property
    def cell(self) -> Cell: ...

    @property
    def mean(self) -> int | None: ...


def season_chart(lines: Sequence[Line]) -> Chart | None:
    """The points of each evening, in order; None while there are fewer than two to see."""
    played = [line for line in lines if _points(line) is not None]
    if len(played) < 2:
        return None
    return Chart(
        key="season",
        title=_("Points per evening"),
        description=_season_in_words(played),
        marks=[_season_mark(line) for line in lines],
        figure=number,
    )


def strength_chart(past: Sequence[Then]) -> Chart:
    """The strength after each evening, in order, within how far it is sure."""
    first, last = past[0], past[-1]
    words = {
        "first": date_format(first.day, "j F Y"),
        "last": date_format(last.day, "j F Y"),
        "from": signed(first.rated.strength),
        "to": signed(last.rated.strength),
        "low": signed(last.rated.low),
        "high": signed(last.rated.high),
    }
    return Chart(
        key="strength",
        title=_("Playing strength over time"),
        description=_(
            "From %(from)s on %(first)s to %(to)s on %(last)s, now almost certainly between"
            " %(low)s and %(high)s."
        )
        % words,
        marks=[_strength_mark(then) for then in past],
        figure=signed,
    )


def _points(line: Line) -> int | None:
    """What he scored that evening; nothing where he was absent, whatever that was worth."""
    return None if line.cell.absent else line.cell.points


def _season_mark(line: Line) -> Mark:
    points, day = _points(line), date_format(line.date, "j F Y")
    if points is None:
        return Mark(line.date, None, _("%(day)s: absent") % {"day": day}, among=line.mean)
    words = _("%(day)s: %(points)s, does not count") if line.cell.dropped else "%(day)s: %(points)s"
    return Mark(
        line.date,
        points,
        words % {"day": day, "points": number(points)},
        hollow=line.cell.dropped,
        among=line.mean,
    )


def _season_in_words(played: Sequence[Line]) -> str:
    """The highest, the lowest and how many do not count."""
    best = max(played, key=lambda line: _points(line) or 0)
    worst = min(played, key=lambda line: _points(line) or 0)
    dropped = sum(line.cell.dropped for line in played)
    words = _(
        "%(evenings)s evenings: most points on %(best)s, %(most)s; fewest on %(worst)s, %(least)s."
    ) % {
        "evenings": len(played),
        "best": date_format(best.date, "j F Y"),
        "most": number(_points(best)),
        "worst": date_format(worst.date, "j F Y"),
        "least": number(_points(worst)),
    }
    if not dropped:
        return words
    more = ngettext("%(n)s does not count.", "%(n)s do not count.", dropped) % {"n": dropped}
    return f"{words} {more}"


def _strength_mark(then: Then) -> Mark:
    found = then.rated
    words = _("%(day)s: %(strength)s, between %(low)s and %(high)s") % {
        "day": date_format(then.day, "j F Y"),
        "strength": signed(found.strength),
        "low": signed(found.low),
        "high": signed(found.high),
    }
    return Mark(then.day, found.strength, words, low=found.low, high=found.high)
