"""What can be wrong with writing on a score sheet."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from clubs.errors import DomainError
from scoring.rules import Fault, InvalidDeal, fault_message
from scoring.words import reader_language


class DealRefused(DomainError):
    """The deal cannot be: `faults` lists everything that is wrong with it.

    `params["number"]` is the deal's number where the whole sheet was changed at once.
    """

    def __init__(self, invalid: InvalidDeal, number: int | None = None) -> None:
        if number is None:
            message = _("This deal cannot be right. Nothing was written.")
        else:
            message = _("Deal %(n)s cannot be right then. Nothing was written.") % {"n": number}
        super().__init__("invalid_deal", message, number=number)
        self.faults: tuple[Fault, ...] = invalid.faults

    def of_deal(self, number: int) -> "DealRefused":
        """The same refusal, saying which deal of the sheet it is about."""
        return DealRefused(InvalidDeal(self.faults), number)

    def messages(self, pit: str) -> list[tuple[str, str]]:
        """Per fault the field it is about and a sentence in the reader's language; `pit` is the
        club's word for that."""
        language = reader_language()
        return [(fault.field, fault_message(fault, language, pit)) for fault in self.faults]

    def field_errors(self) -> Iterator[tuple[str, str, str]]:
        """Every fault: the field of the deal, the contract's code, a sentence."""
        language = reader_language()
        for fault in self.faults:
            yield fault.field, fault.code, fault_message(fault, language)
