"""The words a club uses at its tables."""

from collections import Counter
from collections.abc import Mapping

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.words import SIDE_NAMES, number
from scoring import rules
from scoring.models import Scoresheet
from scoring.rules import SIDES, Seat


def reader_language() -> rules.Language:
    """The reader's language, as the rules know it."""
    return "en" if get_language() == "en" else "nl"


def length_words(sheet: Scoresheet) -> str:
    """How long this sheet goes on: so many deals, or until a side has so many points."""
    if sheet.target is not None:
        return _("until %(points)s points") % {"points": number(sheet.target)}
    words = ngettext("%(n)s deal", "%(n)s deals", sheet.deals_planned)
    return words % {"n": sheet.deals_planned}


def pit_word(club: Club) -> str:
    """What this club calls taking all eight tricks."""
    return str(club.get_pit_word_display())


def short_names(names: Mapping[Seat, str]) -> dict[Seat, str]:
    """First names, where they tell the people at a table apart; else the full name.

    >>> short_names({"N": "Jan Bos", "E": "Jan Vis", "S": "Riet Smit", "W": "J. de Wit"})
    {'N': 'Jan Bos', 'E': 'Jan Vis', 'S': 'Riet', 'W': 'J. de Wit'}
    """
    first = {seat: name.partition(" ")[0] for seat, name in names.items()}
    shared = Counter(word.casefold() for word in first.values())
    return {
        seat: names[seat] if shared[word.casefold()] > 1 or word.endswith(".") else word
        for seat, word in first.items()
    }


def deal_in_words(
    result: rules.DealResult, *, club: Club, names: Mapping[Seat, str]
) -> tuple[str, ...]:
    """What a deal comes to and why, one sentence per line, in the reader's language."""
    return rules.explain(
        result,
        reader_language(),
        {side: str(SIDE_NAMES[side]).lower() for side in SIDES},
        seats=names,
        pit=pit_word(club),
    )
