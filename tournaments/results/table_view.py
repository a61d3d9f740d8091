"""A table of a round: who sits there, and its sheet where the public may see it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubs.access.scoping import owned
from scoring.display.sheet_view import SheetView
from scoring.rules import SEATS, Seat
from tournaments.evenings.public_pages import evening_view
from tournaments.models import Evening, Round, Table
from tournaments.results.seating_view import round_seating


class PublicSheet(SheetView):
    """A score sheet with the names that the public may read."""

    def names(self, number: int) -> dict[Seat, str]:
        """The public names of the people at the table in deal `number`."""
        names = super().names(number)
        for seat in SEATS:
            holder = self.holder(seat, number)
            if holder is not None and holder.member is not None:
                names[seat] = holder.member.shown_name
        return names


@require_safe
@evening_view
def evening_table(
    request: HttpRequest, evening: Evening, round_number: int, number: int
) -> HttpResponse:
    """Who sits at this table, and its score sheet once the round has started.

    Drafts are not shown, and no points while the standings are frozen.
    """
    table = get_object_or_404(
        owned(evening.club, Table)
        .select_related("round", "sheet__regulation")
        .exclude(round__state=Round.State.DRAFT),
        round__evening=evening,
        round__number=round_number,
        number=number,
    )
    table.round.evening, table.sheet.club = evening, evening.club
    started = table.round.state != Round.State.DRAWN
    context: dict[str, object] = {
        "club": evening.club,
        "evening": evening,
        "table": table,
        "started": started,
    }
    if started and evening.shows_scores:
        context["sheet"] = PublicSheet(table.sheet)
    else:
        seating = round_seating(evening.club, table.round, table=number)
        context["seats"] = seating.tables[0].seats
    return render(request, "tournaments/results/table.html", context)
