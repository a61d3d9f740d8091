"""How to write a score sheet, in words, after the club's regulation."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from clubs.words import number, suit_name
from scoring.models import Scoresheet
from scoring.rules import Regulation
from scoring.words import pit_word


def legend(sheet: Scoresheet) -> list[str]:
    """What each column wants, one sentence or two for each."""
    regulation = sheet.regulation.rules
    return [
        *_expectations(sheet),
        *_three(sheet),
        _(
            "Points: card points with the last trick. The side that did not play counts; the other "
            "side has the rest of 162."
        ),
        _("Roem: in figures, as soon as it is announced, for the side that takes the trick."),
        _nat_rule(regulation),
        _pit_rule(regulation, pit_word(sheet.club)),
        _("Reneged, or anything else: write the word on the line and call the director."),
    ]


def _three(sheet: Scoresheet) -> Iterator[str]:
    if sheet.three_handed:
        yield _(
            "Three people: whoever plays has the dummy opposite him, the other two are against "
            "him. Each of those two gets all that they took together."
        )


def check_rule(sheet: Scoresheet) -> str:
    """What both totals of a full sheet come to together; of three people, what a deal does."""
    if sheet.three_handed:
        return _("Check: in each deal the player and the others together have 162, plus the roem.")
    deals, bonus = sheet.deals_planned, sheet.regulation.rules.pit_bonus
    words = {
        "deals": deals,
        "sum": number(deals * 162),
        "bonus": bonus,
        "pit": pit_word(sheet.club),
    }
    if sheet.target is not None:
        return _check_rule_to_target(words)
    if bonus:
        return (
            _(
                "Check: we and they together have %(deals)s × 162 = %(sum)s, plus all roem, plus "
                "%(bonus)s for each %(pit)s."
            )
            % words
        )
    return _("Check: we and they together have %(deals)s × 162 = %(sum)s, plus all roem.") % words


def _check_rule_to_target(words: Mapping[str, object]) -> str:
    if not words["bonus"]:
        return _("Check: we and they together have 162 for each deal, plus all roem.")
    return (
        _(
            "Check: we and they together have 162 for each deal, plus all roem, plus %(bonus)s for "
            "each %(pit)s."
        )
        % words
    )


def _expectations(sheet: Scoresheet) -> Iterator[str]:
    """What this evening plays otherwise than most."""
    if sheet.target is not None:
        words = {"points": number(sheet.target)}
        yield _end(sheet) % words
    if not sheet.first_dealer:
        yield _("Who draws the highest card deals first.")
    if sheet.first_trump:
        yield _("In the first deal %(suit)s are trump.") % {"suit": suit_name(sheet.first_trump)}
    if sheet.first_reneging_replayed:
        yield _("The first time somebody reneges the deal is played again.")


def _end(sheet: Scoresheet) -> str:
    if sheet.three_handed:
        return _("The round ends after the deal in which somebody comes to %(points)s points.")
    return _("The round ends after the deal in which a side comes to %(points)s points.")


def _nat_rule(regulation: Regulation) -> str:
    if not regulation.nat:
        return _("Nat is not played: both sides keep what they took.")
    if regulation.nat_roem == "lost":
        return _("Nat: write “nat” for who played; the others get 162 and their own roem.")
    return _("Nat: write “nat” for who played; the others get 162 and the roem of both sides.")


def _pit_rule(regulation: Regulation, pit: str) -> str:
    words = {"pit": pit, "bonus": regulation.pit_bonus, "counter": regulation.counter_pit_bonus}
    if not regulation.pit_bonus:
        return _("All eight tricks: write “%(pit)s”; it brings nothing extra.") % words
    if regulation.pit_bonus == regulation.counter_pit_bonus:
        return _("All eight tricks: write “%(pit)s”; that is %(bonus)s extra.") % words
    return (
        _(
            "All eight tricks: write “%(pit)s”; that is %(bonus)s extra, %(counter)s for who did "
            "not play."
        )
        % words
    )
