"""An evening in sentences: when it is, how it is played, how many tables so many people make."""

from collections.abc import Iterator, Mapping

from django.utils.formats import date_format, time_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.models import Club
from clubs.models.club import SitOutWord
from clubs.text.numbers import number
from scoring.display.words import pit_word
from scoring.models import Seat
from tournaments.draw.core.models import TABLE_SIZE, sizes
from tournaments.models import Evening
from tournaments.standings.queries import sitting_out_names
from tournaments.standings.texts import metric_words


def day_words(evening: Evening, day: str = "l j F") -> str:
    """The day of an evening in this date format, with the time if it is still to come."""
    return f"{date_format(evening.date, day)}{start_words(evening)}"


def start_words(evening: Evening) -> str:
    """The time to put after the day, with a comma; empty if no time is known or the evening has
    started.

    >>> start_words(Evening(starts_at=None))
    ''
    """
    if evening.starts_at is None or evening.state != Evening.State.PLANNED:
        return ""
    # Translators: the format of a time of the day, with Django's letters.
    written = _("g.i A")
    return f", {time_format(evening.starts_at, written).lower()}"


Method, Leftover, Movement = Evening.Method, Evening.Leftover, Evening.PairMovement
Dealer, RoemBy = Evening.FirstDealer, Evening.RoemBy
Until, Tie = Evening.RenegingUntil, Evening.Tie


def evening_rule_lines(evening: Evening) -> tuple[str, ...]:
    """How the evening is played, in sentences in the reader's language.

    `evening` must have its club and its regulation loaded.
    """
    return (
        length_line(evening),
        _company(evening),
        *_leftover(evening),
        *_teams(evening),
        *_last_round(evening),
        _dealer(evening),
        *_trump(evening),
        _roem(evening),
        *reneging_lines(evening),
        *_not_playing(evening),
        *who_is_ranked(evening),
        _interim(evening),
        _tie(evening),
        *_match(evening),
        *_writing(evening),
    )


def length_line(evening: Evening) -> str:
    """How many rounds an evening has, and how long one is."""
    if evening.target is None:
        deals = evening.deals_per_round
        said = ngettext("%(n)s deal", "%(n)s deals", deals) % {"n": deals}
        return ngettext(
            "We play %(rounds)s round of %(deals)s.",
            "We play %(rounds)s rounds of %(deals)s.",
            evening.rounds_planned,
        ) % {"rounds": evening.rounds_planned, "deals": said}
    return ngettext(
        "We play %(rounds)s round. It ends after the deal in which a side comes to %(target)s"
        " points.",
        "We play %(rounds)s rounds. A round ends after the deal in which a side comes to %(target)s"
        " points.",
        evening.rounds_planned,
    ) % {"rounds": evening.rounds_planned, "target": number(evening.target)}


IN_PAIRS: Mapping[str, Promise] = {
    Movement.BY_PROGRAM: gettext_lazy(
        "You have the same partner all evening. Even pairs stay at their table, odd pairs move up"
        " one each round; where few pairs play, all move, so that fewer meet twice."
    ),
    Movement.LOT: gettext_lazy(
        "You have the same partner all evening. Each round a lot decides which pairs meet; none"
        " meet twice if there is a way."
    ),
    Movement.BY_STANDING: gettext_lazy(
        "You have the same partner all evening. The first round goes by pair number: 1 against 2,"
        " 3 against 4. After that the first in the standing plays the second, the third the"
        " fourth, and so on."
    ),
    Movement.TYPED_IN: gettext_lazy(
        "You have the same partner all evening. Each round lots are drawn by hand for which pairs"
        " meet."
    ),
    Movement.FOLDERS: gettext_lazy(
        "You have the same partner all evening and everybody plays the same cards, which lie in"
        " folders. What you make of a folder is compared with what the others made of it."
    ),
}


def _company(evening: Evening) -> str:
    match evening.method:
        case Method.ROTATION:
            return _(
                "The same four people stay at a table for three rounds; everybody has each of the"
                " others as partner once."
            )
        case Method.BALANCED:
            return _(
                "Each round you play with other people, meeting as few as possible twice in "
                "an evening or often in a season."
            )
        case Method.LOTTERY:
            return _("Each round there is a new draw of who plays with whom.")
        case Method.PAIRS:
            return str(IN_PAIRS[evening.pair_movement])
    return _("Who plays with whom is drawn by hand.")


def _leftover(evening: Evening) -> Iterator[str]:
    if evening.method == Method.PAIRS:
        yield _(
            "With an odd number of pairs one pair sits out each round, no pair twice before every"
            " pair did once."
        )
    elif evening.method == Method.TYPED_IN:
        return
    elif evening.leftover == Leftover.THREE_HANDED:
        yield _(
            "If the number of players is not a multiple of four there are tables of three: each"
            " plays for himself, and whoever plays has the dummy opposite."
        )
    elif evening.leftover == Leftover.THREE_HANDED_REST:
        yield _(
            "Three people who are left over make a table of three, at which each plays for himself"
            " and whoever plays has the dummy opposite. One or two who are left over sit out in"
            " turn."
        )
    else:
        yield _("With tables of four, the people left over sit out in turn.")


def _teams(evening: Evening) -> Iterator[str]:
    if evening.teammates_may_meet:
        yield _("People of one team may meet at a table.")


def _last_round(evening: Evening) -> Iterator[str]:
    if evening.goes_by_standing(1):
        yield _("The first round goes by the standing of the sessions before.")
    if evening.last_ranked:
        yield _(
            "The last round goes by standing: numbers 1 to 4 at table 1, numbers 1 and 4 against"
            " numbers 2 and 3, and so on."
        )


def _dealer(evening: Evening) -> str:
    if evening.first_dealer == Dealer.DRAWN:
        return _(
            "In each round whoever draws the highest card deals first;"
            " after that everybody in turn."
        )
    return _(
        "In each round whoever sits left of the scorekeeper deals first;"
        " after that everybody in turn."
    )


def _trump(evening: Evening) -> Iterator[str]:
    if evening.first_trump_clubs:
        yield _("In the first deal of the evening clubs are trumps.")
    if evening.maker_holds_trump:
        yield _("Whoever makes trumps must hold a card of that suit.")


def _roem(evening: Evening) -> str:
    match evening.roem_by:
        case RoemBy.WINNER:
            return _("The side that takes the trick calls the roem. Roem not called is lost.")
        case RoemBy.COMPLETER:
            return _("Whoever completes roem calls it. Roem not called is lost.")
        case RoemBy.ANYONE:
            return _(
                "Anyone at the table may call roem, opponents too. Roem that nobody calls is lost."
            )
    return _("Roem need not be called: it is always written.")


def reneging_lines(evening: Evening) -> Iterator[str]:
    """How long reneging can be claimed, and whether a first offence is waived."""
    if evening.reneging_until == Until.NEXT_TRICK:
        yield _("Reneging can be claimed until the next trick is led, not later.")
    else:
        yield _("Reneging can be claimed until the points are counted, not later.")
    replayed = evening.regulation is not None and evening.regulation.rules.reneging == "replay"
    if evening.reneging_escalates and not replayed:
        yield _(
            "The first reneging at a table costs only a new deal; from then on the penalty counts."
        )


def _not_playing(evening: Evening) -> Iterator[str]:
    yield _("%(what)s: %(points)s.") % {
        "what": sit_out_score_words(evening.club),
        "points": sit_out_worth(evening),
    }
    yield _("Points for a round that you miss: %(points)s.") % {
        "points": number(evening.missed_score)
    }
    if evening.leaving == Evening.Leaving.LOWEST:
        yield _("Whoever leaves halfway ends on the lowest total of those who played on.")
    if evening.absence_found:
        yield _("A member who is not there and has not signed off has stayed away without notice.")
    if evening.twice_replaces:
        yield _(
            "Somebody who plays a round twice for others may let it replace a lower round of"
            " their own."
        )


def sit_out_worth(evening: Evening) -> str:
    """What sitting out a round is worth, to put after what it is called."""
    match evening.sit_out_as:
        case Evening.SitOutAs.LOWEST:
            worth = _("what you lack to the lowest total of the evening")
        case Evening.SitOutAs.NOTHING:
            return _("none, and the round does not count in a mean")
        case _:
            worth = number(evening.sit_out_score)
    if not evening.sit_out_pits:
        return worth
    pits = {"worth": worth, "n": evening.sit_out_pits, "pit": pit_word(evening.club)}
    return _("%(worth)s, and %(n)s × %(pit)s") % pits


def who_is_ranked(evening: Evening) -> Iterator[str]:
    """Who has a line in the standing, where that is not everybody by themselves."""
    if evening.ranks == Evening.Ranks.PAIR:
        yield _("Fixed pairs are ranked: the points are the pair's, whoever plays for it.")
    elif evening.ranks == Evening.Ranks.TEAM and evening.team_best is None:
        yield _("Teams are ranked: a team has the points of all its pairs together.")
    elif evening.ranks == Evening.Ranks.TEAM:
        yield ngettext(
            "Teams are ranked: of a team the best %(n)s player counts.",
            "Teams are ranked: of a team the best %(n)s players count.",
            evening.team_best or 0,
        ) % {"n": evening.team_best}


def _interim(evening: Evening) -> str:
    if evening.interim == Evening.Interim.AVERAGE and evening.target is None:
        return _("During the evening places go by the average per deal.")
    return _("During the evening places go by the rounds that are over.")


def _match(evening: Evening) -> Iterator[str]:
    if evening.match_play_off:
        yield _(
            "If a match at a table ends equal, they play four more deals, each dealing once. That "
            "only decides who won the match."
        )


def _tie(evening: Evening) -> str:
    match evening.tie:
        case Tie.PLAY_OFF:
            return _(
                "People with an equal total in first place play four more deals, one dealt by each."
            )
        case Tie.TIE_BREAKS:
            return _("Between equal totals these decide, in this order: %(chain)s.") % {
                "chain": ", ".join(
                    metric_words(key, pit_word(evening.club)) for key in evening.tie_breaks
                )
            }
    return _("People with equal totals share the place.")


def tie_decided_line(evening: Evening) -> str:
    """What decided the order of equal totals."""
    if evening.tie == Tie.PLAY_OFF:
        return _("Equal in first place: four more deals decided it.")
    return _tie(evening)


def _writing(evening: Evening) -> Iterator[str]:
    if not evening.phones:
        yield _("Deals are written on paper; no phones at the table.")
        return
    yield _("Deals are written on a phone at the table or on paper.")
    match evening.writing:
        case Evening.Writing.DEAL:
            yield _("On a phone one side writes, and the other confirms each deal.")
        case Evening.Writing.ROUND:
            yield _("On a phone one side writes, and the other confirms the finished round.")
        case Evening.Writing.BOTH:
            yield _("On a phone both sides write, and the two are compared.")


# How many tables a number of people makes, and who sits out.


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
