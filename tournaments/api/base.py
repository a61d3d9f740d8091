"""What addresses of the API below an evening share: finding it, and what its reader may see."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.response import Response

from clubs.access import Target, may
from clubs.api.etags import content_hash, etag, tagged, with_tag
from clubs.api.idempotency import idempotent
from clubs.api.problems import FieldError, Problem
from clubs.api.resource import ClubResource
from clubs.errors import VersionConflict
from clubs.models import Member
from clubs.permissions import READ_DESK
from scoring.services import sheets_lock
from scoring.sheet_view import SheetView
from tournaments.api.tables_shown import WholeTableSerializer
from tournaments.models import Evening, Round, Table
from tournaments.permissions import SEE_STANDING

Json = dict[str, Any]
LARGEST = 2**31 - 1
"""No number that is sent is kept in a wider column."""


class EveningResource(ClubResource):
    """An address below `evenings/DATE/`: has the `evening`."""

    evening: Evening

    def find(self, **names: Any) -> None:
        super().find(**names)
        found = Evening.objects.of(self.club).by_slug(names["evening_slug"])
        self.evening = get_object_or_404(found.select_related("season", "regulation"))
        self.evening.club = self.club

    def target(self) -> Target:
        return self.evening

    @property
    def about(self) -> str:
        """What an Idempotency-Key of a write here counts for."""
        return f"evening {self.evening.uuid}"

    @property
    def knows_names(self) -> bool:
        """Whether the reader is of the club, so that he reads full names and remarks."""
        return may(self.request, READ_DESK, self.club)

    @property
    def sees_points(self) -> bool:
        """Whether the reader may see points now: the hall not while they are hidden."""
        return may(self.request, SEE_STANDING, self.evening)

    def shown(self, version: object, data: Any) -> HttpResponse:
        """This, under a tag of its own; 304 for who has it already."""
        tag = etag(version, content_hash(data))
        return tagged(self.request, tag, lambda: Response(data))

    def people(self, asked: Mapping[str, int]) -> dict[str, Member]:
        """The people of the club who are asked for by id, each under the field he is asked in.

        Raises Problem 422 naming each field where there is nobody.
        """
        found = Member.objects.of(self.club).in_bulk(asked.values())
        message = "Nobody of this club has this id."
        missing = [field for field, pk in asked.items() if pk not in found]
        if missing:
            errors = [FieldError(field, "unknown_member", message) for field in missing]
            raise Problem(422, "unknown_member", message, errors=errors)
        return {field: found[pk] for field, pk in asked.items()}

    def listed_people(self, field: str, ids: Sequence[int]) -> list[Member]:
        """Likewise those of a list, in its order."""
        asked = {f"{field}.{place}": pk for place, pk in enumerate(ids)}
        return list(self.people(asked).values())


class RoundResource(EveningResource):
    """An address below `rounds/N/`: has the `round`, of which the draw is final."""

    round: Round

    def find(self, **names: Any) -> None:
        super().find(**names)
        final = self.evening.rounds.exclude(state=Round.State.DRAFT)
        self.round = get_object_or_404(final, number=names["round_number"])
        self.round.evening = self.evening


class TableResource(RoundResource):
    """An address below `tables/T/`: has the `table` with its sheet."""

    table: Table

    def find(self, **names: Any) -> None:
        super().find(**names)
        tables = self.round.tables.select_related("sheet__regulation")
        self.table = get_object_or_404(tables, number=names["table_number"])
        self.table.round, self.table.sheet.club = self.round, self.club

    def target(self) -> Target:
        return self.table

    @property
    def about(self) -> str:
        return f"sheet {self.table.sheet.uuid}"

    def hold(self, seen: str) -> None:
        """Hold the sheet until the end of the transaction. Raises VersionConflict where it is no
        longer at the version that was `seen`."""
        (sheet,) = sheets_lock(self.table.sheet_id)
        self.table.sheet.version = sheet.version
        if str(sheet.version) != seen:
            message = _("The sheet has changed. Look at it once more.")
            raise VersionConflict("sheet_moved_on", message, current=self.table)

    def table_json(self) -> Json:
        """The table with everything on its sheet."""
        context = {
            "full": self.knows_names,
            "points": self.sees_points,
            "round": self.round,
            "view": SheetView(self.table.sheet),
        }
        payload: Json = WholeTableSerializer(self.table, context=context).data
        return payload

    def show_current(self, current: Any) -> object:
        """What stands now, for who saw an older version."""
        self.find(**self.kwargs)
        return self.table_json()

    def whole_table(self, act: Callable[[], object]) -> HttpResponse:
        """The table after `act`, under the version of its sheet, or what this was answered before;
        `act` is done once."""
        answer = idempotent(self.request, about=self.about, act=lambda: self._after(act))
        sheet: Any = (answer.data or {}).get("sheet")
        return with_tag(answer, etag(sheet["version"])) if sheet else answer

    def _after(self, act: Callable[[], object]) -> Response:
        act()
        return Response(self.show_current(self.table))
