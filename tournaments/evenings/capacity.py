"""How many tables a number of people makes, and who sits out, in the words of the club."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club
from clubs.models.club import SitOutWord
from scoring.models import Seat
from tournaments.draw.core.models import TABLE_SIZE, sizes
from tournaments.models import Evening
from tournaments.standings.queries import sitting_out_names

Method, Leftover = Evening.Method, Evening.Leftover
FIVE = 5


def forecast(evening: Evening, present: int) -> str:
    """What the draw will make of this number of people, in words: the tables, and what happens to
    the people left over."""
    if present < TABLE_SIZE:
        return _("too few for a table of four")
    if evening.method == Method.PAIRS:
        return _in_pairs(evening.club, present)
    if cannot_divide(evening, present):
        return _("five people do not fit at tables of four and three")
    three_left = present % TABLE_SIZE == TABLE_SIZE - 1
    if evening.leftover == Leftover.THREE_HANDED or (
        evening.leftover == Leftover.THREE_HANDED_REST and three_left
    ):
        return _with_threes(present)
    return sitting_out_forecast(evening.club, present)


def sitting_out_forecast(club: Club, present: int) -> str:
    """The same if the people left over sit out."""
    return f"{_tables(present // TABLE_SIZE)}, {sitting_out(club, present % TABLE_SIZE)}"


def forecast_as_drawn(evening: Evening, round_number: int, tables: int) -> str:
    """The same for a drawn round with this many tables, including how many people play twice;
    empty if nobody does."""
    extra = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__number=round_number, extra=True
    )
    twice = extra.values("sheet", "seat").distinct().count()
    if not twice:
        return ""
    parts = [
        _tables(tables),
        sitting_out(evening.club, len(sitting_out_names(evening, round_number))),
        ngettext("%(n)s plays twice", "%(n)s play twice", twice) % {"n": twice},
    ]
    return ", ".join(parts)


def cannot_divide(evening: Evening, present: int) -> bool:
    """Whether the program must seat exactly five people with nobody sitting out: five is the one
    number above three that is no sum of fours and threes."""
    by_program = evening.method not in (Method.PAIRS, Method.TYPED_IN)
    return by_program and evening.leftover == Leftover.THREE_HANDED and present == FIVE


def sitting_out(club: Club, count: int) -> str:
    """The number of people who sit out, zero included: "1 sits out", "2 jokers"."""
    words = _counted(club, count) if count else _nobody(club)
    return words % {"n": count}


def sitting_out_on_end(club: Club, rounds: int) -> str:
    """That the same people sit out this many rounds, and which draw avoids that."""
    if club.sit_out_word == SitOutWord.SIT_OUT:
        words = _(
            "The people who sit out do so for %(n)s rounds in a row. "
            "A fresh draw each round avoids that."
        )
    else:
        words = _(
            "The people who do not play are out for %(n)s rounds in a row. A fresh draw each "
            "round avoids that."
        )
    return words % {"n": rounds}


def sit_out_score_words(club: Club) -> str:
    """The name of the score for such a round."""
    if club.sit_out_word == SitOutWord.SIT_OUT:
        return _("Points for a round of sitting out")
    return _("Points for a round as %(word)s") % {"word": club.get_sit_out_word_display()}


def _in_pairs(club: Club, present: int) -> str:
    pairs, alone = divmod(present, 2)
    parts = [
        ngettext("%(n)s pair", "%(n)s pairs", pairs) % {"n": pairs},
        _tables(pairs // 2),
        sitting_out(club, pairs % 2 * 2),
    ]
    if alone:
        parts.append(_("one without a partner"))
    return ", ".join(parts)


def _with_threes(present: int) -> str:
    if present == FIVE:
        return _("a table of three and one of two")
    fours, threes, _out = sizes(present, "three_handed")
    if not threes:
        return ngettext("%(n)s table of four", "%(n)s tables of four", fours) % {"n": fours}
    if not fours:
        return ngettext("%(n)s table of three", "%(n)s tables of three", threes) % {"n": threes}
    return _("%(tables)s, %(threes)s of three") % {
        "tables": _tables(fours + threes),
        "threes": threes,
    }


def _tables(count: int) -> str:
    return ngettext("%(n)s table", "%(n)s tables", count) % {"n": count}


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
