"""The paper of an evening of folders, and which evening that is."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import READ_DESK, desk_view
from clubs.models import Club
from tournaments.duplicate.pdf import guides_pdf, labels_pdf, slips_pdf
from tournaments.duplicate.published import results_shown
from tournaments.duplicate.queries import duplicate_of, duplicate_results
from tournaments.duplicate.results_pdf import boards_pdf, pairs_pdf, results_pdf
from tournaments.evenings.desk_pages import find_evening, to_evening
from tournaments.models import Evening
from tournaments.printing.views.evening import pdf_answer
from tournaments.releases.services import stale_release

OF_THE_MOVEMENT = {"labels": labels_pdf, "slips": slips_pdf, "guides": guides_pdf}
OF_RESULTS = ("results", "boards", "pairs")


@require_safe
@desk_view(READ_DESK)
def folder_paper(request: HttpRequest, club: Club, evening_slug: str, paper: str) -> HttpResponse:
    """Paper without cards: labels of folders, travel slips, guide cards, places; and once the
    evening is closed the results by folder, with its cards, and by pair."""
    evening = evening_of_folders(club, evening_slug)
    if paper in OF_RESULTS:
        return _results_paper(request, evening, paper)
    make = OF_THE_MOVEMENT.get(paper)
    if make is None:
        raise Http404
    results = duplicate_results(evening, duplicate_of(evening))
    if not results.folders or (paper != "labels" and not results.tables):
        return _no_paper(request, evening)
    return pdf_answer(make(evening, results), club, "portefeuille", paper, evening.slug)


def _no_paper(request: HttpRequest, evening: Evening) -> HttpResponse:
    messages.error(request, _("There is nothing to print yet: start with the movement."))
    return to_evening("evening_prints", evening)


def _results_paper(request: HttpRequest, evening: Evening, paper: str) -> HttpResponse:
    results = results_shown(evening)
    if not results.tables:
        return _no_paper(request, evening)
    if paper == "results":
        made = results_pdf(evening, results, stale=stale_release(evening) is not None)
    elif evening.state != Evening.State.CLOSED or results.duplicate.is_locked:
        messages.error(
            request,
            _("These have the cards, and are there once the evening is closed."),
        )
        return to_evening("evening_prints", evening)
    else:
        made = (boards_pdf if paper == "boards" else pairs_pdf)(evening, results)
    return pdf_answer(made, evening.club, "portefeuille", paper, evening.slug)


def evening_of_folders(club: Club, evening_slug: str) -> Evening:
    """This evening; Http404 if it is not played in folders."""
    evening = find_evening(club, evening_slug)
    if not evening.plays_folders:
        raise Http404
    return evening
