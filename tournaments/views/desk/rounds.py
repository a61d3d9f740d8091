"""A round is started, closed, opened again; the standings are hidden and shown."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from clubs.models import Club
from clubs.permissions import actor_of, desk_view
from clubs.scoping import owned
from clubs.views.common import ConfirmedAction
from scoring.models import Scoresheet
from tournaments.doubts import round_doubts
from tournaments.forms.reason import ReasonForm
from tournaments.models import Round
from tournaments.permissions import CLOSE_ROUND, FREEZE, START_ROUND
from tournaments.services import evening_freeze, round_close, round_reopen, round_start
from tournaments.steps import step_url
from tournaments.views.desk.common import (
    confirm,
    evening_url,
    find_evening,
    find_round,
    refusals_told,
    show_evening,
    to_evening,
)


@desk_view(START_ROUND)
@require_http_methods(["GET", "POST"])
def round_start_page(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Let the tables of a drawn round play. Pressing the button twice is no fault."""
    round_ = find_round(club, evening_slug, round_number)
    tables = round_.tables.count()

    def act() -> str | None:
        if round_.state == Round.State.RUNNING:
            return None
        round_start(round_id=round_.pk, actor=actor_of(request))
        return _("Round %(n)s is on.") % {"n": round_number}

    confirmation = ConfirmedAction(
        title=_("Start round %(n)s?") % {"n": round_number},
        text=ngettext(
            "%(tables)s table goes to play. Who comes in after this plays from the next draw on.",
            "%(tables)s tables go to play. Who comes in after this plays from the next draw on.",
            tables,
        )
        % {"tables": tables},
        yes=_("Start round %(n)s") % {"n": round_number},
        back_url=evening_url("evening_draw", round_.evening),
        act=act,
        next_url=_board_url(round_),
        safe=True,
    )
    return confirm(request, round_.evening, confirmation)


@desk_view(CLOSE_ROUND)
@require_http_methods(["GET", "POST"])
def round_close_page(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Close a round; when tables are not finished, say which and ask why all the same."""
    round_ = find_round(club, evening_slug, round_number)
    unfinished = _unfinished(round_)
    form = ReasonForm(request.POST if request.method == "POST" else None) if unfinished else None

    def act() -> str | None:
        if round_.state == Round.State.CLOSED:
            return None
        reason = form.given if form else ""
        round_close(round_id=round_.pk, unfinished_reason=reason, actor=actor_of(request))
        return _("Round %(n)s is closed.") % {"n": round_number}

    def page(**context: Any) -> HttpResponse:
        doubts = round_doubts(round_)
        return show_evening(request, "round_close.html", round_.evening, doubts=doubts, **context)

    confirmation = ConfirmedAction(
        title=_("Close round %(n)s?") % {"n": round_number},
        text=_closing_words(unfinished),
        yes=_("Close round %(n)s all the same") % {"n": round_number}
        if unfinished
        else _("Close round %(n)s") % {"n": round_number},
        back_url=_board_url(round_),
        act=act,
        next_url=_board_url(round_),
        safe=not unfinished,
        form=form,
    )
    return confirmation.respond(request, page)


@desk_view(CLOSE_ROUND)
@require_http_methods(["GET", "POST"])
def round_reopen_page(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Open a closed round again."""
    round_ = find_round(club, evening_slug, round_number)

    def act() -> str | None:
        if round_.state == Round.State.RUNNING:
            return None
        round_reopen(round_id=round_.pk, actor=actor_of(request))
        return _("Round %(n)s is open again.") % {"n": round_number}

    confirmation = ConfirmedAction(
        title=_("Open round %(n)s again?") % {"n": round_number},
        text=_(
            "The tables of this round can write again. One wrong deal you can also put right "
            "without this: open the table and correct it."
        ),
        yes=_("Open round %(n)s again") % {"n": round_number},
        back_url=_board_url(round_),
        act=act,
        next_url=_board_url(round_),
    )
    return confirm(request, round_.evening, confirmation)


@desk_view(FREEZE)
@require_POST
def freeze(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Hide the standings from the hall, or show them again."""
    evening = find_evening(club, evening_slug)
    frozen = request.POST.get("frozen") == "1"
    with refusals_told(request):
        evening_freeze(evening_id=evening.pk, frozen=frozen, actor=actor_of(request))
        messages.success(
            request,
            _("The hall no longer sees the standings.")
            if frozen
            else _("The hall sees the standings again."),
        )
    return to_evening("evening_board", evening)


def _board_url(round_: Round) -> str:
    return step_url(round_.evening, "round", round_.number)


def _unfinished(round_: Round) -> list[int]:
    sheets = owned(round_.club, Scoresheet).filter(table__round=round_).select_related("table")
    return [sheet.table.number for sheet in sheets.order_by("table__number") if not sheet.is_full]


def _closing_words(unfinished: list[int]) -> str:
    if not unfinished:
        return _("Every table is ready. After this only you can still correct a deal.")
    return ngettext(
        "Table %(tables)s is not ready yet. Its deals so far count; say why it stops here.",
        "Tables %(tables)s are not ready yet. Their deals so far count; say why it stops here.",
        len(unfinished),
    ) % {"tables": ", ".join(map(str, unfinished))}
