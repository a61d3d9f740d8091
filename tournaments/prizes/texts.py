"""The prizes in words: what is read out at the prize-giving."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club
from clubs.text.numbers import number
from scoring.display.words import pit_word
from tournaments.prizes.core import Award, PrizeScheme
from tournaments.standings.core import METRICS
from tournaments.standings.texts import metric_prize


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A moment of the prize-giving as it is read out: the title, the winners, their figure, and a
    note if they are tied. `key` names it for programs, such as `place-1` or `side-pits`."""

    key: str
    title: str
    names: Sequence[str]
    figure: str
    note: str
    members: Sequence[int]
    place: int | None


def prize_lines(club: Club, awards: Sequence[Award]) -> list[PrizeLine]:
    """The awards in words, in the same order."""
    return [
        PrizeLine(
            key="-".join(filter(None, (award.kind, award.key or str(award.place or "")))),
            title=_title(award, club),
            names=[winner.name for winner in award.people],
            figure=_figure(award),
            note=_note(award),
            members=[int(member_id) for winner in award.people for member_id in winner.ids],
            place=award.place,
        )
        for award in awards
    ]


def side_prize_name(side: str, club: Club) -> str:
    """The title of a side prize."""
    return metric_prize(side, pit_word(club))


def scheme_words(scheme: PrizeScheme, club: Club) -> str:
    """What can be won, in a sentence or two."""
    sentences = [_places(scheme)]
    others = [side_prize_name(side, club) for side in scheme.sides]
    if scheme.periods:
        others.append(_("the best of each period"))
    if scheme.poedel:
        others.append(_("the booby prize"))
    if others:
        sentences.append(_("Also: %(prizes)s.") % {"prizes": _listed(others)})
    return " ".join(sentences)


def period_key(start: dt.date, end: dt.date) -> str:
    """The key of a period in a prize-giving."""
    return f"{start.isoformat()}/{end.isoformat()}"


def _listed(words: Sequence[str]) -> str:
    lowered = [word[:1].lower() + word[1:] for word in words]
    return ", ".join(lowered)


def _places(scheme: PrizeScheme) -> str:
    match scheme.kind:
        case "none":
            return _("No prizes for places.")
        case "first":
            return ngettext(
                "A prize for the winner.", "A prize for the first %(n)s places.", scheme.first
            ) % {"n": scheme.first}
        case "formula_of_four":
            return _("Prizes for places 1 to 4, and then 8, 12, 16 and so on.")
        case "given":
            places = ", ".join(str(place) for place in scheme.given)
            return _("Prizes for the places %(places)s.") % {"places": places}
        case "one_per_four":
            return _("One prize for every four players, for the highest places.")
        case "everybody":
            return _("A prize for everybody.")


def _title(award: Award, club: Club) -> str:
    match award.kind:
        case "poedel":
            return _("Booby prize")
        case "side":
            return side_prize_name(award.key, club)
        case "period":
            start, end = (dt.date.fromisoformat(day) for day in award.key.split("/"))
            days = {"start": date_format(start, "j F"), "end": date_format(end, "j F")}
            return _("Best from %(start)s to %(end)s") % days
        case "place":
            if award.place == 1:
                return _("The winner")
            return _("Place %(n)s") % {"n": award.place}


def _figure(award: Award) -> str:
    figure = award.people[0].figure
    if award.kind == "side" and METRICS[award.key].is_count:
        return _("%(n)s times") % {"n": figure} if figure > 1 else _("once")
    points = number(figure, 2 if isinstance(figure, Decimal) else None)
    return _("%(points)s points") % {"points": points}


def _note(award: Award) -> str:
    people = len(award.people)
    if people == 1:
        return ""
    if not award.is_shared:
        return _("Equal: there is a prize for each of them.")
    text = ngettext(
        "Equal: %(n)s prize for %(people)s people. They share it or draw lots.",
        "Equal: %(n)s prizes for %(people)s people. They share them or draw lots.",
        award.prizes,
    )
    return text % {"n": award.prizes, "people": people}
