"""A sheet of no table yet: to keep ready for who comes late, or for a sheet that got coffee."""

from scoring.models import Scoresheet
from scoring.rules import SEATS, Seat
from scoring.sheet_view import SheetView


class SpareView(SheetView):
    """A sheet that is not in the database: nobody is named and nothing is written on it."""

    def __init__(self, sheet: Scoresheet) -> None:
        super().__init__(sheet)
        self.deals, self.holders, self.handed_in = [], [], {}

    def names(self, number: int) -> dict[Seat, str]:
        """Room to write the names in."""
        return dict.fromkeys(SEATS, "")
