"""Who holds a table's link, and with which phone: what the pages behind the link are about."""

from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.access import Caller
from clubs.audit import Actor
from clubs.models import Club
from clubs.scoping import owned
from scoring.models import DealClaim
from scoring.sheet_view import SheetView
from scoring.two_sides import SideView
from tournaments.models import Evening, Round, Table, TableDevice, TableToken
from tournaments.permissions import link_opens, link_writes
from tournaments.queries import table_of, table_place
from tournaments.services import device_find, device_go_on, device_pair
from tournaments.views.table.phones import UNKNOWN, UnknownPhone, phone_key, phone_kind


@dataclass(frozen=True, slots=True)
class TableAccess:
    """One table on one evening, for whoever holds its link, and the phone he holds.

    `device.ref` tells the phones of a table apart in what they write; it is empty for one that
    says nothing of itself.
    """

    secret: str
    token: TableToken
    device: TableDevice | UnknownPhone = UNKNOWN

    @property
    def evening(self) -> Evening:
        return self.token.evening

    @property
    def club(self) -> Club:
        return self.token.evening.club

    @property
    def number(self) -> int:
        return self.token.table_number

    @property
    def side(self) -> str:
        """Whose link it is where each side has its own; empty for the whole table."""
        return self.token.side

    @property
    def caller(self) -> Caller:
        """Who asks, as far as anybody knows: whoever holds this link."""
        return Caller(link=self.token)

    @property
    def is_valid(self) -> bool:
        """Whether the link opens its table now."""
        return bool(link_opens.test(self.caller, self.evening))

    @property
    def late_why(self) -> DealClaim.Why | None:
        """Why what this phone brings may only be kept beside what is written, None where it may be
        written."""
        return DealClaim.Why.CUT_OFF if self._is_withdrawn or self._is_cut_off else None

    @property
    def is_late(self) -> bool:
        """Whether nobody may write any more with this link or this phone."""
        return not self.is_valid or self._is_withdrawn or self._is_cut_off

    @property
    def _is_withdrawn(self) -> bool:
        """Whether the link was taken back, or by now everybody writes on paper."""
        return not link_writes.test(self.caller, self.evening)

    @property
    def _is_cut_off(self) -> bool:
        return isinstance(self.device, TableDevice) and self.device.cut_off_at is not None

    @property
    def round_on(self) -> int:
        """The round whose people sit at this table now, or come to it next; 0 before the draw."""
        table = table_of(self.evening, self.number)
        if table is None or table.round.state != Round.State.CLOSED:
            return table.round.number if table else 0
        drawn = self.evening.rounds.filter(
            state=Round.State.DRAWN, number__gt=table.round.number, tables__number=self.number
        )
        return drawn.values_list("number", flat=True).first() or table.round.number

    def with_phone(self, request: HttpRequest, round_number: int) -> "TableAccess":
        """The same, with the phone that asks as it is known here in a round.

        A new one is paired with the round that is on, at its second visit, since one that keeps no
        cookie is new each time.
        """
        key = phone_key(request)
        if not key:
            return replace(self, device=UnknownPhone.of(request))
        token, name = self.token, phone_kind(request)
        device = device_find(token=token, key=key, round_number=round_number)
        if device is None and self.is_valid:
            came_for = max(round_number, self.round_on)
            device = device_pair(token=token, key=key, round_number=came_for, name=name)
        elif device is not None and self.is_valid:
            device = device_go_on(
                device=device, token=token, key=key, round_number=round_number, name=name
            )
        return replace(self, device=device or UnknownPhone.of(request))

    @property
    def table_now(self) -> Table | None:
        """This table in the round that is on; in the one that comes next for a phone that came to
        the table for it; None before the draw is final."""
        table = table_of(self.evening, self.number)
        came_for = self.device.round_number
        if table is not None and came_for > table.round.number:
            return self._table_in(came_for) or table
        return table

    @property
    def actor(self) -> Actor:
        """The table as the trail knows it: which link was used, not who held the phone."""
        ref = f"table:{self.evening.uuid}:{self.number}:{self.token.generation}"
        return Actor(ref=ref, label=_("Table %(number)s") % {"number": self.number})

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.secret, *args])

    def table(self, round_number: int) -> Table:
        """This table in a round that the hall may see; 404 when there is none."""
        found = self._table_in(round_number)
        if found is None:
            raise Http404
        return found

    def _table_in(self, round_number: int) -> Table | None:
        tables = (
            owned(self.club, Table)
            .exclude(round__state=Round.State.DRAFT)
            .select_related("round", "sheet")
        )
        here = tables.filter(round__evening=self.evening, number=self.number)
        found = here.filter(round__number=round_number).first()
        if found is not None:
            table_place(found, self.evening)
        return found

    def sheet_view(self, table: Table) -> SheetView:
        """The sheet of this table in a round, its lines leading to where they are corrected; for
        the phone of one side without what the other wrote of deals it still has to write itself."""
        number = table.round.number

        def url_of(deal: int) -> str:
            return self.url("table_deal", number, deal)

        if not self.side or table.sheet.three_handed:
            return SheetView(table.sheet, url_of)
        view = SideView(table.sheet, url_of, side=self.side)
        table.sheet = view.sheet
        return view
