"""A correction after the result is out: first who moves by it, then it is saved."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from tournaments.models import Evening
from tournaments.published import moves_of
from tournaments.services import correction_preview, release_outdated
from tournaments.views.desk.common import show_evening

ANSWER, SEEN, CHANGE = "moves", "seen", "change"


def moves_first(
    request: HttpRequest,
    evening: Evening,
    correct: Callable[[], object],
    *,
    back_url: str = "",
) -> HttpResponse | None:
    """The page that says who would move by `correct`; None where no result is out, or that page was
    answered. It sends what was posted once more; without `back_url` it offers to change it.

    Raises what `correct` raises.
    """
    if evening.state != Evening.State.CLOSED or request.POST.get(ANSWER) == SEEN:
        return None
    outdated = release_outdated(evening)
    moves = moves_of(correction_preview(evening=evening, correct=correct), public=False)
    return show_evening(
        request,
        "correction.html",
        evening,
        moves=moves,
        movers=sum(move.is_up_or_down for move in moves),
        outdated=outdated,
        release=evening.releases.first(),
        sent=_sent(request),
        action=request.get_full_path(),
        back_url=back_url,
    )


def was_published(evening: Evening) -> bool:
    """Whether a result of this evening is out, also where it is open again: a correction then needs
    a reason."""
    return evening.releases.exists()


def wants_change(request: HttpRequest) -> bool:
    """Whether somebody who saw who moves wants to change his correction first."""
    return request.POST.get(ANSWER) == CHANGE


def _sent(request: HttpRequest) -> list[tuple[str, object]]:
    """What was posted, to be posted once more."""
    own = {"csrfmiddlewaretoken", ANSWER}
    return [
        (name, value)
        for name, values in request.POST.lists()
        if name not in own
        for value in values
    ]
