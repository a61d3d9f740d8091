"""The words a club uses at its tables."""

from collections import Counter
from collections.abc import Mapping

from django.utils.translation import get_language

from clubs.models import Club
from clubs.templatetags.ui import SIDE_NAMES
from scoring import rules
from scoring.rules import SIDES, Seat


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
        "en" if get_language() == "en" else "nl",
        {side: str(SIDE_NAMES[side]).lower() for side in SIDES},
        seats=names,
        pit=pit_word(club),
    )
