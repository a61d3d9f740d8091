"""Sitting out a round, in the words of the club."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club
from clubs.models.club import SitOutWord


def sitting_out(club: Club, count: int) -> str:
    """The number of people who sit out, zero included: "1 sits out", "2 jokers"."""
    words = _counted(club, count) if count else _nobody(club)
    return words % {"n": count}


def sitting_out_on_end(club: Club, rounds: int) -> str:
    """That the same people sit out this many rounds, and which draw avoids that."""
    if club.sit_out_word == SitOutWord.SIT_OUT:
        words = _(
            "Who sits out, sits out %(n)s rounds on end. With a fresh draw each round that changes."
        )
    else:
        words = _(
            "Who does not play, is out for %(n)s rounds on end. "
            "With a fresh draw each round that changes."
        )
    return words % {"n": rounds}


def sit_out_score_words(club: Club) -> str:
    """The name of the score for such a round."""
    if club.sit_out_word == SitOutWord.SIT_OUT:
        return _("Points for a round of sitting out")
    return _("Points for a round as %(word)s") % {"word": club.get_sit_out_word_display()}


def _counted(club: Club, count: int) -> str:
    match club.sit_out_word:
        case SitOutWord.STANDING:
            return ngettext("%(n)s standing number", "%(n)s standing numbers", count)
        case SitOutWord.DRAWN_OUT:
            return ngettext("%(n)s drawn out", "%(n)s drawn out", count)
        case SitOutWord.JOKER:
            return ngettext("%(n)s joker", "%(n)s jokers", count)
        case SitOutWord.SIT_OUT:
            return ngettext("%(n)s sits out", "%(n)s sit out", count)
    return f"%(n)s × {_escaped(club.sit_out_word)}"


def _nobody(club: Club) -> str:
    match club.sit_out_word:
        case SitOutWord.STANDING:
            return _("no standing number")
        case SitOutWord.DRAWN_OUT:
            return _("nobody drawn out")
        case SitOutWord.JOKER:
            return _("no joker")
        case SitOutWord.SIT_OUT:
            return _("nobody sits out")
    return _("no %(word)s") % {"word": _escaped(club.sit_out_word)}


def _escaped(word: str) -> str:
    """A club's own word, escaped for a text with %(n)s."""
    return word.replace("%", "%%")
