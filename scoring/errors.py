"""What can be wrong with writing on a score sheet."""

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.errors import DomainError
from scoring.rules import Fault, InvalidDeal, fault_message


class DealRefused(DomainError):
    """The deal cannot be: `faults` lists everything that is wrong with it."""

    def __init__(self, invalid: InvalidDeal) -> None:
        super().__init__("invalid_deal", _("This deal cannot be right. Nothing was written."))
        self.faults: tuple[Fault, ...] = invalid.faults

    def messages(self) -> list[tuple[str, str]]:
        """Per fault the field it is about and a sentence in the reader's language."""
        language = "en" if get_language() == "en" else "nl"
        return [(fault.field, fault_message(fault, language)) for fault in self.faults]
