"""Score sheets and deals in words: the club's terms, the reader's language, refusals."""

from collections import Counter
from collections.abc import Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.text.errors import DomainError
from clubs.text.numbers import SEAT_NAMES, SIDE_NAMES, SIDES_OF_THREE, number
from scoring import rules
from scoring.models import Scoresheet
from scoring.rules import Fault, InvalidDeal, Seat, Side, fault_message


def reader_language() -> rules.Language:
    """The reader's language, as the rules know it."""
    return "en" if get_language() == "en" else "nl"


def length_words(sheet: Scoresheet) -> str:
    """The length of this sheet: a number of deals, or a number of points."""
    if sheet.target is not None:
        return _("until %(points)s points") % {"points": number(sheet.target)}
    words = ngettext("%(n)s deal", "%(n)s deals", sheet.deals_planned)
    return words % {"n": sheet.deals_planned}


def pit_word(club: Club) -> str:
    """What this club calls taking all eight tricks."""
    return str(club.get_pit_word_display())


def short_names(names: Mapping[Seat, str]) -> dict[Seat, str]:
    """First names where they are unique at the table, else full names.

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
    result: rules.DealResult, *, sheet: Scoresheet, names: Mapping[Seat, str]
) -> tuple[str, ...]:
    """The result of a deal and why, one sentence a line, in the reader's language."""
    return rules.explain(
        result,
        reader_language(),
        {side: str(word).lower() for side, word in side_words(sheet).items()},
        seats=names,
        pit=pit_word(sheet.club),
    )


def deal_of_three_in_words(
    result: rules.DealResult, *, sheet: Scoresheet, names: Mapping[Seat, str]
) -> tuple[str, ...]:
    """The same for a deal of three people, with their `names` by seat on the sheet."""
    declarer: Seat = result.deal.declarer  # type: ignore[assignment]
    chairs = rules.chairs_of(declarer)
    own, others = rules.sides_of(declarer)
    first, second = (names[seat] for seat in chairs if seat != declarer)
    both = _("%(one)s and %(other)s each") % {"one": first, "other": second}
    return rules.explain(
        result,
        reader_language(),
        {own: names[declarer], others: both},
        seats={chair: names[seat] for seat, chair in chairs.items()},
        pit=pit_word(sheet.club),
    )


def side_words(sheet: Scoresheet) -> Mapping[Side, str | Promise]:
    """What the two sides are called, in the order of the columns: we and they, or at a table of
    three the player and the others."""
    names = SIDES_OF_THREE if sheet.three_handed else SIDE_NAMES
    return dict(zip(sheet.columns, names.values(), strict=True))


def side_word(sheet: Scoresheet, side: str) -> str:
    """What this sheet calls one side; one of three people by their seat."""
    words = side_words(sheet)
    return str(words[side] if side in words else SEAT_NAMES[side])  # type: ignore[index]


class DealRefused(DomainError):
    """A deal that is impossible: `faults` lists everything that is wrong with it.

    `params["number"]` is the deal's number where the whole sheet was changed at once.
    """

    def __init__(self, invalid: InvalidDeal, number: int | None = None) -> None:
        if number is None:
            message = _("This deal is not possible. Nothing was written.")
        else:
            message = _("Deal %(n)s would not be possible then. Nothing was written.") % {
                "n": number
            }
        super().__init__("invalid_deal", message, number=number)
        self.faults: tuple[Fault, ...] = invalid.faults

    def of_deal(self, number: int) -> "DealRefused":
        """The same refusal, saying which deal of the sheet it is about."""
        return DealRefused(InvalidDeal(self.faults), number)

    def messages(self, pit: str) -> list[tuple[str, str]]:
        """For each fault its field and a sentence in the reader's language; `pit` is the club's
        word for it."""
        language = reader_language()
        return [(fault.field, fault_message(fault, language, pit)) for fault in self.faults]

    def field_errors(self) -> Iterator[tuple[str, str, str]]:
        """For each fault the field of the deal, the contract's code and a sentence."""
        language = reader_language()
        for fault in self.faults:
            yield fault.field, fault.code, fault_message(fault, language)
