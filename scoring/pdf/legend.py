"""How to write a score sheet under its club's regulation, in words at its foot."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from clubs.text.numbers import number, roem_letters_read, suit_name
from scoring.display.words import pit_word
from scoring.models import Scoresheet
from scoring.pdf.head import Form
from scoring.rules import RuleSet


def legend(sheet: Scoresheet, form: Form, *, ticked: bool = False) -> list[str]:
    """What goes into each column, in a sentence or two each; on a small sheet only what people at
    a table ask, in one paragraph. On a `ticked` sheet nat, pit and what else happened have a box
    of their own, and roem is in figures."""
    regulation = sheet.regulation.rules
    if regulation.game != "klaverjas":
        return []
    if form.is_small:
        return [" ".join([*_expectations(sheet), *_in_short(sheet)])]
    return [
        *_expectations(sheet),
        *_three(sheet),
        *_bid_rule(regulation),
        _(
            "Points: card points with the last trick. The side that did not play counts; the other "
            "side has the rest of 162."
        ),
        *(_ticked(sheet) if ticked else _in_words(sheet)),
    ]


def _in_words(sheet: Scoresheet) -> Iterator[str]:
    regulation = sheet.regulation.rules
    yield _roem_rule(sheet)
    yield _nat_rule(regulation)
    yield _pit_rule(regulation, pit_word(sheet.club))
    yield _("Reneged, or anything else: write the word on the line and call the director.")


def _ticked(sheet: Scoresheet) -> Iterator[str]:
    regulation, words = sheet.regulation.rules, {"pit": pit_word(sheet.club)}
    yield _("Roem: the sum of the deal, for the side that takes the trick; none is left empty.")
    if regulation.nat_roem == "lost":
        rest = _("the others get 162 and their own roem")
    else:
        rest = _("the others get 162 and the roem of both sides")
    if regulation.nat:
        yield _("Nat: tick “nat” and write the card points as they were taken; %(rest)s.") % {
            "rest": rest
        }
    else:
        yield _nat_rule(regulation)
    if regulation.pit_bonus:
        words["bonus"] = str(regulation.pit_bonus)
        yield _("All eight tricks: tick “%(pit)s”; that is %(bonus)s extra.") % words
    else:
        yield _("All eight tricks: tick “%(pit)s”; it brings nothing extra.") % words
    yield _("Reneged, or anything else: tick “else”, write it down and call the director.")


def _in_short(sheet: Scoresheet) -> Iterator[str]:
    regulation, pit = sheet.regulation.rules, pit_word(sheet.club)
    yield from _bid_rule(regulation)
    yield _("The side that did not play counts; the other has the rest of 162.")
    letters = _roem_letters(sheet)
    if letters:
        yield _("Roem: %(letters)s.") % {"letters": letters}
    if not regulation.nat:
        yield _("Nat is not played.")
    elif regulation.nat_roem == "lost":
        yield _("Nat: the others get 162 and their own roem.")
    else:
        yield _("Nat: the others get 162 and all roem.")
    if regulation.pit_bonus:
        yield _("All tricks: “%(pit)s”, %(bonus)s extra.") % {
            "pit": pit,
            "bonus": regulation.pit_bonus,
        }
    yield _("Reneged: write it down and call the director.")


def _three(sheet: Scoresheet) -> Iterator[str]:
    if sheet.three_handed:
        yield _(
            "Three people: whoever plays has the dummy opposite them and plays against the other "
            "two. Each of those two gets everything they took together."
        )


def check_rule(sheet: Scoresheet) -> str:
    """How to check a sheet whose sum is not known before the round: with a target, or of three
    people; of another game only what to write is said."""
    if sheet.regulation.rules.game != "klaverjas":
        return _("A game other than klaverjas is played: only the totals at the foot count.")
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
    """What is unusual about this evening."""
    if sheet.target is not None:
        words = {"points": number(sheet.target)}
        yield _end(sheet) % words
    if not sheet.first_dealer:
        yield _("Whoever draws the highest card deals first.")
    if sheet.first_trump:
        yield _("In the first deal %(suit)s are trump.") % {"suit": suit_name(sheet.first_trump)}
    if sheet.first_reneging_replayed:
        yield _("The first time somebody reneges the deal is played again.")


def _end(sheet: Scoresheet) -> str:
    if sheet.three_handed:
        return _("The round ends after the deal in which somebody comes to %(points)s points.")
    return _("The round ends after the deal in which a side comes to %(points)s points.")


def _roem_rule(sheet: Scoresheet) -> str:
    letters = _roem_letters(sheet)
    if not letters:
        return _("Roem: in figures, as soon as it is announced, for the side that takes the trick.")
    return _(
        "Roem: in figures or letters (%(letters)s), as soon as it is announced, for the side that "
        "takes the trick."
    ) % {"letters": letters}


def _roem_letters(sheet: Scoresheet) -> str:
    worth = roem_letters_read(sheet.club.roem_letters)
    return ", ".join(f"{letter} = {points}" for letter, points in worth.items())


def _bid_rule(regulation: RuleSet) -> Iterator[str]:
    if regulation.asks_bid:
        yield _("The bid: after who plays. Whoever plays needs at least that.")


def _nat_rule(regulation: RuleSet) -> str:
    if not regulation.nat:
        return _("Nat is not played: both sides keep what they took.")
    if regulation.nat_roem == "lost":
        return _(
            "Nat: write “nat” for the side that played; the others get 162 and their own roem."
        )
    return _(
        "Nat: write “nat” for the side that played; the others get 162 and the roem of both sides."
    )


def _pit_rule(regulation: RuleSet, pit: str) -> str:
    words = {"pit": pit, "bonus": regulation.pit_bonus, "counter": regulation.counter_pit_bonus}
    if not regulation.pit_bonus:
        return _("All eight tricks: write “%(pit)s”; it brings nothing extra.") % words
    if regulation.pit_bonus == regulation.counter_pit_bonus:
        return _("All eight tricks: write “%(pit)s”; that is %(bonus)s extra.") % words
    return (
        _(
            "All eight tricks: write “%(pit)s”; that is %(bonus)s extra, %(counter)s for the "
            "side that did not play."
        )
        % words
    )
