"""How to write a score sheet, in words, after the club's regulation."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from clubs.roem_letters import roem_letters_read
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
        _roem_rule(sheet),
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
    """What a full sheet comes to whose sum nobody knows before: of a round to so many points, or
    of three people."""
    if sheet.three_handed:
        return _("Check: in each deal the player and the others together have 162, plus the roem.")
    bonus = sheet.regulation.rules.pit_bonus
    if not bonus:
        return _("Check: we and they together have 162 for each deal, plus all roem.")
    return _(
        "Check: we and they together have 162 for each deal, plus all roem, plus %(bonus)s for "
        "each %(pit)s."
    ) % {"bonus": bonus, "pit": pit_word(sheet.club)}


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


def _roem_rule(sheet: Scoresheet) -> str:
    worth = roem_letters_read(sheet.club.roem_letters)
    if not worth:
        return _("Roem: in figures, as soon as it is announced, for the side that takes the trick.")
    letters = ", ".join(f"{letter} = {points}" for letter, points in worth.items())
    return _(
        "Roem: in figures or letters (%(letters)s), as soon as it is announced, for the side that "
        "takes the trick."
    ) % {"letters": letters}


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
