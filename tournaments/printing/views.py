"""What is printed for an evening: sheets, draw, standings, certificates and table codes; and of a
season and of the club's people."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.formats import date_format
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.timezone import localdate
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import READ_DESK, READ_MEMBERS, actor_of, desk_view, of_club, owned
from clubs.http.network import base_url, qr_svg
from clubs.http.pages import ConfirmedAction
from clubs.models import Club, Member
from clubs.models.club import PaperSheet
from clubs.text.numbers import SIDE_COLOURS, whole_number
from tournaments.evenings.pages import confirm, evening_url, find_evening, find_season, to_evening
from tournaments.evenings.permissions import CONTROL_PHONES, SEE_EVENING, SEE_LINKS
from tournaments.evenings.workflow import evening_progress, evening_steps
from tournaments.models import Evening, FeeYear, League, Round, Season, SeasonFile, Table
from tournaments.money.queries import fee_list
from tournaments.printing.booklets import BOOKLET, booklet_form, booklet_start, season_papers
from tournaments.printing.certificates import (
    certificates_pdf,
    evening_certificates,
    folder_certificates,
    season_certificates,
)
from tournaments.printing.draw_pdf import block_of, draw_pdf, evening_seating
from tournaments.printing.page import ListHeading, club_logo, evening_heading, leaves_pdf
from tournaments.printing.season_pdf import (
    PaperStanding,
    fees_pdf,
    labels_pdf,
    members_pdf,
    season_leaves,
)
from tournaments.printing.sheets_pdf import (
    can_be_read,
    evening_sheets_pdf,
    follow_pdf,
    numbers_pdf,
    readable_pdf,
    slips_pdf,
    spare_sheets_pdf,
)
from tournaments.printing.standings_pdf import standings_pdf
from tournaments.releases.folders import folder_lines
from tournaments.releases.lines import (
    competitors_published,
    live_lines,
    ranked_kind,
    release_lines,
)
from tournaments.releases.queries import by_pair, live_rows, release_rows
from tournaments.releases.services import release_is_current
from tournaments.season_files.services import season_file_has_stopped
from tournaments.seasons.standings import season_choice, season_choices
from tournaments.table_links.services import pin_address, table_links, token_renew


def pdf_answer(content: bytes, owner: Club | League, *words: str) -> HttpResponse:
    """A PDF that the browser shows but does not cache, named after the club or the league and
    these words."""
    name = "-".join(slugify(part) for part in (owner.name, *words)) + ".pdf"
    disposition = content_disposition_header(as_attachment=False, filename=name)
    response = HttpResponse(
        content,
        content_type="application/pdf",
        headers={"Content-Disposition": disposition or "inline", "Cache-Control": "no-store"},
    )
    # Browsers wrap a PDF in a page whose styles and plug-in our content policy forbids.
    response._csp_exempt = True  # type: ignore[attr-defined]  # noqa: SLF001
    return response


@require_safe
@desk_view(READ_DESK)
def evening_prints(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Everything there is to print of an evening."""
    evening = find_evening(club, evening_slug)
    rounds = list(evening.rounds.exclude(state=Round.State.DRAFT).order_by("number"))
    started = [round_ for round_ in rounds if round_.state != Round.State.DRAWN]
    return _show(
        request,
        "printing/evening.html",
        evening,
        rounds=rounds,
        started=started,
        coming=_coming_round(evening),
        has_links=bool(table_links(evening)),
        has_standings=bool(started) or evening.is_history,
        has_three=_has_three(evening),
    )


@require_safe
@desk_view(SEE_EVENING)
def print_certificates(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Certificates by the standings as last published."""
    evening = find_evening(club, evening_slug)
    closed = evening.state == Evening.State.CLOSED
    release = evening.releases.first() if closed else None
    if release is None:
        return _nothing(request, evening, _("Certificates are there once the evening is closed."))
    rows = release_rows(release)
    if places := folder_lines(release):
        certificates = folder_certificates(evening, places, rows)
    else:
        lines = competitors_published(release, ranked_kind(release), rows)
        certificates = evening_certificates(evening, lines or rows)
    heading = evening_heading(evening, "")
    return _pdf(certificates_pdf(club, heading.occasion, certificates), evening, _("certificates"))


@require_safe
@desk_view(READ_DESK)
def print_sheets(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """The score sheets of a round to write on. `?filled=1` prints what was written, `?table=4` only
    that table, `?halved=1` two on a page."""
    evening = find_evening(club, evening_slug)
    round_ = evening.rounds.exclude(state=Round.State.DRAFT).filter(number=round_number).first()
    if round_ is None:
        return _not_drawn(request, evening, round_number)
    tables = _tables(request, evening).filter(round=round_)
    words = _("score sheets round %(n)s") % {"n": round_number}
    return _sheets(request, evening, tables, words)


@require_safe
@desk_view(READ_DESK)
def print_all_sheets(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The score sheets of every round that is drawn, round by round, with the same parameters."""
    evening = find_evening(club, evening_slug)
    return _sheets(request, evening, _tables(request, evening), _("score sheets"))


@require_safe
@desk_view(READ_DESK)
def print_spare(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """A score sheet without names, with `?halved=1` two on a page; with `?three=1` for a table of
    three."""
    evening = find_evening(club, evening_slug)
    if evening.regulation is None:
        raise Http404
    halved, three = (request.GET.get(name) == "1" for name in ("halved", "three"))
    pdf = spare_sheets_pdf(evening, halved=halved, three=three)
    return _pdf(pdf, evening, _("spare sheet"))


@require_safe
@desk_view(READ_DESK)
def print_draw(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The draw by name and by table of the current or next round, or of `?round=2`."""
    evening = find_evening(club, evening_slug)
    seating = evening_seating(evening)
    requested = _requested(request, "round")
    number = _coming_round(evening) if requested is None else requested
    if not any(round_.number == number for round_ in seating):
        return _not_drawn(request, evening, number)
    return _pdf(draw_pdf(evening, block_of(seating, number)), evening, _("draw"))


@require_safe
@desk_view(READ_DESK)
def print_standings(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The standings as last published, or as they are now while the evening is not closed.
    `?by=player` prints the people of an evening that ranks pairs or teams."""
    evening = find_evening(club, evening_slug)
    closed = evening.state == Evening.State.CLOSED
    release = evening.releases.first() if closed else None
    rows = release_rows(release) if release else live_rows(evening)
    lines = release_lines(release, rows) if release else live_lines(evening, rows)
    if request.GET.get("by") == "player":
        lines = by_pair(rows)
    if not lines:
        return _nothing(request, evening, _("There are no standings yet: no round has started."))
    stale = release is not None and not release_is_current(release)
    paper = standings_pdf(evening, lines, release=release, stale=stale)
    return _pdf(paper, evening, _("standings"))


@require_safe
@desk_view(READ_DESK)
def print_numbers(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """A large number for each table of the rounds that are drawn."""
    evening = find_evening(club, evening_slug)
    drawn = (
        owned(club, Table).filter(round__evening=evening).exclude(round__state=Round.State.DRAFT)
    )
    numbers = list(drawn.order_by("number").values_list("number", flat=True).distinct())
    if not numbers:
        return _not_drawn(request, evening, 1)
    return _pdf(numbers_pdf(evening, numbers), evening, _("table numbers"))


@require_safe
@desk_view(READ_DESK)
def print_follow(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The code with which the hall follows the evening, for the wall and for the tables."""
    evening = find_evening(club, evening_slug)
    if evening.state == Evening.State.CANCELLED:
        raise Http404
    return _pdf(follow_pdf(evening), evening, _("follow the standings"))


@require_safe
@desk_view(SEE_LINKS)
def print_links(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The link of each table, as a QR code and as text."""
    evening = find_evening(club, evening_slug)
    links = table_links(evening)
    return _show(
        request,
        "printing/links.html",
        evening,
        round_number=_coming_round(evening),
        links=[(link, qr_svg(link.url)) for link in links],
        pin_address=pin_address(club),
        base=base_url(club),
    )


@require_safe
@desk_view(SEE_LINKS)
def print_links_pdf(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """A card with the code for each table."""
    evening = find_evening(club, evening_slug)
    links = table_links(evening)
    if not links:
        return to_evening("print_links", evening)
    return _pdf(slips_pdf(evening, links), evening, _("table cards"))


@require_http_methods(["GET", "HEAD", "POST"])
@desk_view(CONTROL_PHONES)
def link_renew(
    request: HttpRequest, club: Club, evening_slug: str, number: int, side: str = ""
) -> HttpResponse:
    """Replace the link of a table or of one of its sides; the old one stops working."""
    evening = find_evening(club, evening_slug)
    if not any((link.number, link.side) == (number, side) for link in table_links(evening)):
        raise Http404
    words = {"n": f"{number} ({SIDE_COLOURS[side]})" if side else number}
    links_url = evening_url("print_links", evening)

    def act() -> str:
        token_renew(evening_id=evening.pk, table_number=number, side=side, actor=actor_of(request))
        return _("Table %(n)s has a new code. The old one no longer works.") % words

    confirmation = ConfirmedAction(
        title=_("Replace the code of table %(n)s?") % words,
        text=_(
            "Phones that have this table open can no longer write, and what was printed for it no "
            "longer works. Deals that were written stay."
        ),
        yes=_("Replace the code"),
        back_url=links_url,
        act=act,
        next_url=links_url,
    )
    return confirm(request, evening, confirmation)


def _tables(request: HttpRequest, evening: Evening) -> QuerySet[Table]:
    """The tables of rounds with a final draw, or the one that is asked for."""
    tables = Table.objects.filter(round__evening=evening).exclude(round__state=Round.State.DRAFT)
    number = _requested(request, "table")
    chosen = tables if number is None else tables.filter(number=number)
    return chosen.select_related("round", "sheet__regulation", "sheet__club").order_by(
        "round__number", "number"
    )


def _sheets(
    request: HttpRequest, evening: Evening, tables: QuerySet[Table], words: str
) -> HttpResponse:
    """The sheets of these tables as a PDF; Http404 if there are none."""
    chosen = list(tables)
    if not chosen:
        raise Http404
    filled, halved = (request.GET.get(name) == "1" for name in ("filled", "halved"))
    links = [] if filled else table_links(evening)
    wants_reading = evening.club.paper_sheet == PaperSheet.READING and not filled
    if wants_reading and can_be_read(chosen):
        pdf = readable_pdf(evening, chosen, links=links, halved=halved)
    else:
        pdf = evening_sheets_pdf(evening, chosen, links=links, filled=filled, halved=halved)
    return _pdf(pdf, evening, words)


def _has_three(evening: Evening) -> bool:
    """Whether there is a table of three, or may come to be one."""
    tables = Table.objects.filter(round__evening=evening, sheet__three_handed=True)
    return evening.leftover != Evening.Leftover.SIT_OUT or tables.exists()


def _requested(request: HttpRequest, name: str) -> int | None:
    """The number in the query string; None if it is missing, 0 if it is not a number."""
    return whole_number(request.GET[name]) if name in request.GET else None


def _coming_round(evening: Evening) -> int:
    """The current or next round with a final draw, else the last one; 1 if there is none."""
    rounds = evening.rounds.exclude(state=Round.State.DRAFT).order_by("number")
    states = dict(rounds.values_list("number", "state"))
    coming = [number for number, state in states.items() if state != Round.State.CLOSED]
    return (coming[:1] or list(states)[-1:] or [1])[0]


def _not_drawn(request: HttpRequest, evening: Evening, number: int) -> HttpResponse:
    if not 1 <= number <= evening.rounds_planned:
        raise Http404
    words = _("Round %(n)s has no final draw yet, so there is nothing to print.") % {"n": number}
    return _nothing(request, evening, words)


def _nothing(request: HttpRequest, evening: Evening, words: str) -> HttpResponse:
    return _show(request, "printing/nothing.html", evening, words=words, status=404)


def _show(
    request: HttpRequest, template: str, evening: Evening, *, status: int = 200, **context: object
) -> HttpResponse:
    shared = {
        "club": evening.club,
        "section": "evenings",
        "evening": evening,
        "steps": evening_steps(evening_progress(evening)),
    }
    template = f"tournaments/{template}"
    return render(request, template, {**shared, **context}, status=status)


def _pdf(content: bytes, evening: Evening, words: str) -> HttpResponse:
    return pdf_answer(content, evening.club, evening.slug, words)


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
