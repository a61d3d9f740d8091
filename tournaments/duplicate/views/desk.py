"""The desk's pages of folders: what is played, the cards, who goes where, rulings, paper."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import READ_DESK, actor_of, desk_view
from clubs.http.pages import ConfirmedAction
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from scoring.models import Folder
from tournaments.duplicate.core.dealing import HandFault
from tournaments.duplicate.forms import (
    DuplicateForm,
    HandsForm,
    LatePairForm,
    RoundsForm,
    RulingForm,
)
from tournaments.duplicate.movement import (
    late_pair_seat,
    movement_of,
    movement_resume,
    movement_start,
)
from tournaments.duplicate.pdf import cards_pdf, guides_pdf, labels_pdf, slips_pdf
from tournaments.duplicate.published import results_shown
from tournaments.duplicate.queries import (
    DuplicateResults,
    duplicate_of,
    duplicate_results,
    late_place,
    pairs_in_order,
    pairs_named,
    without_place,
)
from tournaments.duplicate.results_pdf import boards_pdf, pairs_pdf, results_pdf
from tournaments.duplicate.services import (
    deals_in_doubt,
    duplicate_plan,
    folders_deal,
    folders_printed,
    folders_type_in,
    ruling_give,
    ruling_take_back,
    version_seen,
)
from tournaments.duplicate.texts import (
    SHORT_LINES,
    hand_fault_words,
    listed,
    movement_lines,
    play_rows,
    rounds_shown,
)
from tournaments.duplicate.views.public import hands_answer
from tournaments.evenings.kinds import folders_dealt
from tournaments.evenings.pages import (
    confirm,
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import CORRECT_DEAL, DRAW
from tournaments.models import DuplicateEvening, Evening, FolderPlay, Round
from tournaments.printing.views import pdf_answer
from tournaments.releases.folders import LINE_WORDS, NamedPair
from tournaments.releases.services import stale_release

OF_THE_MOVEMENT = {"labels": labels_pdf, "slips": slips_pdf, "guides": guides_pdf}
OF_RESULTS = ("results", "boards", "pairs")


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def evening_folders(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """How the folders are played, with the movement of the pairs that are here; a POST decides that
    or sends the pairs to their tables."""
    evening = evening_of_folders(club, evening_slug)
    action = request.POST.get("action", "")
    duplicate = duplicate_of(evening)
    plan = DuplicateForm(
        request.POST if action == "plan" else None,
        initial=_initial(duplicate),
        typed=Folder.objects.filter(pack=evening.uuid, typed=True).exists(),
    )
    given = {"start": request.POST}.get(action) or (
        request.GET if "rounds" in request.GET else None
    )
    rounds = RoundsForm(given)
    if action == "plan" and plan.is_valid() and _planned(request, evening, plan):
        return to_evening("evening_folders", evening)
    if action == "start" and rounds.is_valid():
        with refusals_shown(request):
            movement_start(
                evening_id=evening.pk,
                rounds=rounds.cleaned_data["rounds"],
                seen=_seen(request),
                actor=actor_of(request),
            )
            messages.success(request, _("The pairs have their tables. The hall sees them now."))
        return to_evening("evening_folders", evening)
    if action == "resume":
        with refusals_shown(request):
            made = movement_resume(evening_id=evening.pk, actor=actor_of(request))
            messages.success(request, _("Rounds laid out again: %(n)s.") % {"n": len(made)})
        return to_evening("evening_folders", evening)
    wanted = rounds.cleaned_data["rounds"] if given is not None and rounds.is_valid() else None
    status = 422 if plan.errors or action == "start" else 200
    return _show(request, evening, duplicate, (plan, rounds, wanted), status=status)


@desk_view(DRAW)
@require_POST
def folders_late(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Give two people who came late the place of a pair that left, or where one sits out."""
    evening = evening_of_folders(club, evening_slug)
    form = LatePairForm(request.POST, people=without_place(evening))
    if not form.is_valid():
        messages.error(request, _("Choose two people who are here and have no place yet."))
        return to_evening("evening_folders", evening)
    with refusals_shown(request):
        number = late_pair_seat(
            evening_id=evening.pk,
            one=form.cleaned_data["one"],
            two=form.cleaned_data["two"],
            actor=actor_of(request),
        )
        messages.success(request, _("They are pair %(n)s and play from now on.") % {"n": number})
    return to_evening("evening_folders", evening)


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def folder_cards(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The cards in the folders: dealt by the program, or typed in where the club shuffled."""
    evening = evening_of_folders(club, evening_slug)
    if request.POST.get("action") == "deal":
        with refusals_shown(request):
            made = folders_deal(
                evening_id=evening.pk,
                seen=_seen(request),
                drop_typed="drop_typed" in request.POST,
                actor=actor_of(request),
            )
            said = ngettext("%(n)s folder is dealt.", "%(n)s folders are dealt.", made.folders)
            messages.success(request, said % {"n": made.folders})
        return to_evening("folder_cards", evening)
    sent = request.method == "POST"
    form = HandsForm(request.POST, request.FILES) if sent else HandsForm()
    if sent and form.is_valid() and _typed_in(request, evening, form):
        return to_evening("folder_cards", evening)
    folders = list(Folder.objects.filter(pack=evening.uuid).order_by("number"))
    duplicate = duplicate_of(evening)
    return show_evening(
        request,
        "duplicate/cards.html",
        evening,
        at_draw=True,
        duplicate=duplicate,
        seen=version_seen(duplicate),
        form=form,
        typed=listed([folder.number for folder in folders if folder.typed]),
        with_cards=sum(bool(folder.hands) for folder in folders),
        may_deal=evening.state == Evening.State.PLANNED,
        status=422 if sent else 200,
    )


@desk_view(DRAW)
@require_POST
def folder_cards_print(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The cards of all folders, as dealing cards or as a file. It is a POST, and in the trail: who
    has seen these cards should not play them."""
    evening = evening_of_folders(club, evening_slug)
    kind = request.POST.get("kind", "pdf")
    if kind not in ("pdf", "json", "pbn"):
        raise Http404
    hands = {
        folder.number: folder.hands
        for folder in Folder.objects.filter(pack=evening.uuid).order_by("number")
        if folder.hands
    }
    if not hands:
        messages.error(request, _("There are no cards yet: deal them, or type them in."))
        return to_evening("folder_cards", evening)
    folders_printed(evening_id=evening.pk, kind=kind, actor=actor_of(request))
    if kind == "pdf":
        return pdf_answer(cards_pdf(evening, hands), club, _("dealing cards"), evening.slug)
    return hands_answer(evening, duplicate_of(evening), hands, kind, seed="")


@require_safe
@desk_view(READ_DESK)
def folder_results(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """What was made of each folder so far, with the director's rulings."""
    evening = evening_of_folders(club, evening_slug)
    results = duplicate_results(evening, duplicate_of(evening))
    number = whole_number(request.GET.get("folder", ""))
    numbers = sorted(results.of_folder)
    if number not in numbers:
        number = numbers[0] if numbers else 0
    played = results.of_folder.get(number, [])
    return show_evening(
        request,
        "duplicate/results.html",
        evening,
        number=number,
        in_doubt=deals_in_doubt(result.deal_id for result in played),
        numbers=numbers,
        plays_through=evening.state == Evening.State.CLOSED and _has_cards(results, number),
        rows=play_rows(club, results, played),
        rulings=[
            (result, SHORT_LINES[line], result.sides[line], percent, reason, result.plays[line])
            for result in results.tables
            for line, (percent, reason) in result.ruled.items()
        ],
    )


@desk_view(CORRECT_DEAL)
@require_http_methods(["GET", "POST"])
def folder_ruling(request: HttpRequest, club: Club, evening_slug: str, play: int) -> HttpResponse:
    """Give a pair a percentage of a folder instead of what it made there."""
    evening = evening_of_folders(club, evening_slug)
    found = _play(evening, play)
    form = RulingForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            ruling_give(
                evening_id=evening.pk,
                play_id=found.pk,
                actor=actor_of(request),
                **form.cleaned_data,
            )
        except DomainError as error:
            form.add_error(None, error.message)
        else:
            return _to_results(evening, found)
    return show_evening(
        request,
        "duplicate/ruling.html",
        evening,
        form=form,
        play=found,
        line=LINE_WORDS[found.line],
        names=_desk_names(pairs_named(evening).get(found.pair)),
        back=_results_url(evening, found),
        status=422 if form.errors else 200,
    )


@desk_view(CORRECT_DEAL)
@require_http_methods(["GET", "POST"])
def folder_ruling_remove(
    request: HttpRequest, club: Club, evening_slug: str, play: int
) -> HttpResponse:
    """Let what the pair made of the folder count again."""
    evening = evening_of_folders(club, evening_slug)
    found = _play(evening, play)

    def act() -> str:
        ruling_take_back(evening_id=evening.pk, play_id=found.pk, actor=actor_of(request))
        return _("The ruling is taken back.")

    words = {"n": found.folder.number, "pair": found.pair}
    return confirm(
        request,
        evening,
        ConfirmedAction(
            title=_("Take the ruling back?"),
            text=_("What pair %(pair)s made of folder %(n)s counts again.") % words,
            yes=_("Take it back"),
            back_url=_results_url(evening, found),
            act=act,
            next_url=_results_url(evening, found),
        ),
    )


def _has_cards(results: DuplicateResults, number: int) -> bool:
    folder = results.folders.get(number)
    return folder is not None and bool(folder.hands)


def _show(
    request: HttpRequest,
    evening: Evening,
    duplicate: DuplicateEvening,
    forms: tuple[DuplicateForm, RoundsForm, int | None],
    *,
    status: int,
) -> HttpResponse:
    plan, rounds, wanted = forms
    rounds_there = [*evening.rounds.values_list("state", flat=True)]
    states = {*rounds_there}
    running = evening.state == Evening.State.RUNNING
    drawn = bool(states - {Round.State.DRAFT})
    preview = {} if drawn else _preview(evening, duplicate, wanted)
    place = late_place(evening, duplicate) if drawn and evening.is_open else None
    late = LatePairForm(people=without_place(evening)) if place else None
    return show_evening(
        request,
        "duplicate/desk.html",
        evening,
        at_draw=True,
        duplicate=duplicate,
        plan=plan,
        rounds_form=rounds,
        drawn=drawn,
        seen=version_seen(duplicate),
        may_undo=states == {Round.State.DRAWN},
        may_resume=running and 0 < len(rounds_there) < evening.rounds_planned,
        open=evening.is_open,
        folders_known=duplicate.pk is not None,
        with_cards=folders_dealt(evening),
        late=late if late and late.fields["one"].queryset.count() > 1 else None,  # type: ignore[attr-defined]
        place=place,
        wanted=wanted,
        status=status,
        **preview,
    )


def _preview(
    evening: Evening, duplicate: DuplicateEvening, wanted: int | None
) -> Mapping[str, Any]:
    """The movement of the pairs that are here, or why there is none."""
    try:
        pairs = pairs_in_order(evening, duplicate)
        made = movement_of(duplicate, len(pairs), wanted)
    except DomainError as error:
        return {"refused": error.message}
    return {
        "lines": [*movement_lines(duplicate, len(pairs), made)],
        "rounds": rounds_shown(evening, made, pairs),
        "pairs": [NamedPair(pair.number, pair.people) for pair in pairs],
    }


def _planned(request: HttpRequest, evening: Evening, plan: DuplicateForm) -> bool:
    """Whether the page can be shown anew after a valid plan; if not, the form says why."""
    try:
        duplicate_plan(
            evening_id=evening.pk,
            plan=plan.plan(),
            seen=_seen(request),
            drop_typed=plan.cleaned_data.get("drop_typed", False),
            actor=actor_of(request),
        )
    except DomainError as error:
        if error.code == "folders_typed":
            plan.add_error("drop_typed", error.message)
            return False
        messages.error(request, error.message)
    return True


def _seen(request: HttpRequest) -> int:
    return whole_number(request.POST.get("seen", ""), otherwise=-1)


def _typed_in(request: HttpRequest, evening: Evening, form: HandsForm) -> bool:
    """Whether the hands of a valid form were taken over; if not, the form says why."""
    try:
        changed = folders_type_in(
            evening_id=evening.pk,
            hands=form.read.folders,
            instead=form.cleaned_data["instead"],
            reason=form.cleaned_data["reason"],
            actor=actor_of(request),
        )
    except DomainError as error:
        form.add_error("reason" if error.code == "reason_needed" else "text", error.message)
        for fault in cast("Sequence[HandFault]", error.params.get("faults", ())):
            form.add_error("text", hand_fault_words(fault))
        return False
    words = ngettext(
        "The cards of %(n)s folder are written.", "The cards of %(n)s folders are written.", changed
    )
    messages.success(request, words % {"n": changed})
    return True


def _initial(duplicate: DuplicateEvening) -> dict[str, object]:
    return {name: getattr(duplicate, name) for name in ("folders", "kind", "compare", "net")}


def _play(evening: Evening, play: int) -> FolderPlay:
    plays = FolderPlay.objects.filter(folder__pack=evening.uuid).select_related("folder")
    found = plays.filter(pk=play).first()
    if found is None:
        raise Http404
    return found


def _desk_names(pair: NamedPair | None) -> str:
    return pair.names(_desk_name) if pair else ""


def _desk_name(member: Member) -> str:
    return member.desk_name


def _results_url(evening: Evening, play: FolderPlay) -> str:
    return f"{evening_url('folder_results', evening)}?folder={play.folder.number}"


def _to_results(evening: Evening, play: FolderPlay) -> HttpResponse:
    answer = to_evening("folder_results", evening)
    answer["Location"] += f"?folder={play.folder.number}"
    return answer


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
