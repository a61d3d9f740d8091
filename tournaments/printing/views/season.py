"""What is printed of a season and of the club's people."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access.permissions import READ_MEMBERS, actor_of, desk_view, of_club
from clubs.models import Club, Member
from clubs.text.numbers import whole_number
from tournaments.evenings.desk_pages import find_season
from tournaments.evenings.permissions import SEE_EVENING
from tournaments.models import Evening, FeeYear, Season, SeasonFile
from tournaments.money.queries import fee_list
from tournaments.printing.booklets import BOOKLET, booklet_form, booklet_start, season_papers
from tournaments.printing.certificates import certificates_pdf, season_certificates
from tournaments.printing.page import ListHeading, club_logo, leaves_pdf
from tournaments.printing.season_pdf import (
    PaperStanding,
    fees_pdf,
    labels_pdf,
    members_pdf,
    season_leaves,
)
from tournaments.printing.views.evening import pdf_answer
from tournaments.season_files.services import season_file_has_stopped
from tournaments.seasons.standings import season_choice, season_choices


@require_safe
@desk_view(SEE_EVENING)
def season_prints(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Everything there is to print of a season."""
    season = find_season(club, season_slug)
    return render(
        request,
        "tournaments/printing/season.html",
        {
            "club": club,
            "section": "seasons",
            "season": season,
            "played": season.evenings.filter(state=Evening.State.CLOSED).exists(),
            "standings": season_choices(season),
            "last": _booklets(season).defer("content").exclude(content=None).last(),
        },
    )


@require_safe
@desk_view(SEE_EVENING)
def print_season(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """The season's standing, or with `?standing=2` its second one."""
    season = find_season(club, season_slug)
    standing = _requested_standing(request, season)
    heading = ListHeading(club, season.name, standing.name, club_logo(club))
    pdf = leaves_pdf(season_leaves(heading, standing), title=standing.name, author=club.name)
    return pdf_answer(pdf, club, season.name, standing.name)


@require_safe
@desk_view(SEE_EVENING)
def print_season_certificates(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Certificates by the season's standing, or with `?standing=2` by its second one."""
    season = find_season(club, season_slug)
    standing = _requested_standing(request, season)
    certificates = season_certificates(season, standing)
    if not certificates:
        raise Http404
    occasion = f"{standing.name} · {season.name}" if season.rules.exists() else season.name
    given = date_format(localdate(), "j F Y")
    pdf = certificates_pdf(club, occasion, certificates, given=given)
    return pdf_answer(pdf, club, season.name, _("certificates"))


@require_safe
@desk_view(READ_MEMBERS)
def print_fees(
    request: HttpRequest, club: Club, season_slug: str = "", year: int = 0
) -> HttpResponse:
    """What everybody pays of the fee of a season or a calendar year, with a box to tick once they
    have."""
    period = find_season(club, season_slug) if season_slug else of_club(club, FeeYear, year=year)
    period.club = club
    return pdf_answer(fees_pdf(fee_list(period)), club, period.name, _("membership fees"))


@require_safe
@desk_view(READ_MEMBERS)
def print_members(request: HttpRequest, club: Club) -> HttpResponse:
    """The present members, by surname."""
    members = club.members.active().filter(kind=Member.Kind.MEMBER).by_surname()
    return pdf_answer(members_pdf(club, list(members)), club, _("members"))


@require_safe
@desk_view(READ_MEMBERS)
def print_labels(request: HttpRequest, club: Club) -> HttpResponse:
    """An address label for each present member or guest with an address, by surname."""
    members = list(club.members.active().with_address().by_surname())
    if not members:
        raise Http404
    return pdf_answer(labels_pdf(club, members), club, _("address labels"))


@require_POST
@desk_view(SEE_EVENING)
def booklet_make(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Start making the season booklet, and show its progress."""
    season = find_season(club, season_slug)
    user, language = actor_of(request).user, get_language() or club.language
    if not season.evenings.filter(state=Evening.State.CLOSED).exists() or user is None:
        return redirect("season_prints", club.slug, season.slug)
    job = booklet_start(season=season, user=user, language=language)
    return redirect("booklet_page", club.slug, season.slug, job.uuid)


@require_safe
@desk_view(SEE_EVENING)
def booklet_page(request: HttpRequest, club: Club, season_slug: str, job: str) -> HttpResponse:
    """The booklet's progress, and then its link. The page reloads itself, also without scripts."""
    season = find_season(club, season_slug)
    booklet = get_object_or_404(_booklets(season), uuid=job)
    stopped, is_ready = season_file_has_stopped(booklet), booklet.content is not None
    context = {
        "club": club,
        "section": "seasons",
        "season": season,
        "job": booklet,
        "stopped": stopped,
        "busy": not stopped and not is_ready,
        "size": len(booklet.content or b""),
    }
    template = (
        "printing/booklet_live.html"
        if request.headers.get("HX-Request")
        else "printing/booklet.html"
    )
    response = render(request, f"tournaments/{template}", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
@desk_view(SEE_EVENING)
def booklet_file(request: HttpRequest, club: Club, season_slug: str, job: str) -> HttpResponse:
    """The booklet itself, to read; with `?folded=1` to print and fold."""
    season = find_season(club, season_slug)
    booklet: SeasonFile = get_object_or_404(_booklets(season).exclude(content=None), uuid=job)
    folded = request.GET.get("folded") == "1"
    content = booklet_form(bytes(booklet.content or b""), folded=folded)
    words = _("booklet to fold") if folded else _("booklet")
    return pdf_answer(content, club, season.name, words)


def _booklets(season: Season) -> QuerySet[SeasonFile]:
    return season.files.filter(what=BOOKLET)


def _requested_standing(request: HttpRequest, season: Season) -> PaperStanding:
    """The standing with the number in `?standing=`, 1 by default; Http404 if there is none."""
    standing = season_choice(season, whole_number(request.GET.get("standing", "1")))
    if standing is None:
        raise Http404
    return next(season_papers(season, [standing]))
