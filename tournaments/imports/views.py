"""Desk pages for importing earlier results and evenings: choose, preview, import, undo."""

from collections.abc import Callable
from io import BytesIO

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.audit.services import Actor
from clubs.files.reading import FileFault, FileFaults
from clubs.http.pages import typed
from clubs.lists.reading import list_read
from clubs.members.forms import ListForm
from clubs.members.imports import upload_keep, upload_source, upload_waiting
from clubs.members.list_import import member_list_undo
from clubs.models import Club, Member, Upload
from clubs.text.errors import DomainError, VersionConflict
from scoring.display.words import reader_language
from tournaments.imports.forms import EveningFileForm, ResultsListForm, posted_choices
from tournaments.imports.list_layout import ROUNDS
from tournaments.imports.results_check import USES, ListCheck, list_check
from tournaments.imports.uploads import (
    EveningImportPreview,
    evening_import_preview,
    evening_import_undo,
    list_choices_save,
    results_import_undo,
    uploaded_evening_import,
    uploaded_results_import,
)
from tournaments.models import Evening, Season

RESULTS, EVENING, MEMBERS = Upload.Kind.RESULTS, Upload.Kind.EVENING, Upload.Kind.MEMBERS


@desk_view(MANAGE_CLUB)
@require_safe
def import_home(request: HttpRequest, club: Club) -> HttpResponse:
    """What can be imported, and earlier imports."""
    done = Upload.objects.filter(club=club, done_at__isnull=False).defer("content")
    return _show(request, club, "imports/imports.html", uploads=done.select_related("user")[:50])


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def import_results(request: HttpRequest, club: Club) -> HttpResponse:
    """Choose a file of results."""
    posted = request.POST if request.method == "POST" else None
    form = ResultsListForm(posted, request.FILES or None, club=club)
    if form.is_valid():
        name, content = form.content()
        try:
            list_read(content)
        except FileFaults as error:
            form.add_error("file", error.faults[0].message)
        else:
            upload = upload_keep(
                club=club,
                kind=RESULTS,
                file=BytesIO(content),
                name=name,
                details={"season": form.cleaned_data["season"]},
                actor=actor_of(request),
            )
            return redirect("import_results_preview", club.slug, upload.uuid)
    return _show(request, club, "imports/import_results.html", form=form)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def import_results_preview(request: HttpRequest, club: Club, uuid: str) -> HttpResponse:
    """Preview a list of results; ask, mend, then confirm the import."""
    upload = _waiting(club, RESULTS, uuid)
    check, form = list_check(upload), _list_form(request, upload)
    if request.method != "POST":
        answered = "answered" in request.GET
        return _show_check(request, upload, check, form=form, answered=answered)
    choices = posted_choices(check, request.POST)
    is_confirmed = request.POST.get("do") != "check"
    if choices != check.results_list.choices:
        public_as = form.cleaned_data["public_as"] if form.is_valid() else ""
        list_choices_save(upload=upload, choices=choices, public_as=public_as)
        query = "?answered" if is_confirmed else ""
        return redirect(reverse("import_results_preview", args=[club.slug, uuid]) + query)
    try:
        if is_confirmed and check.is_ready and form.is_valid():
            if _is_imported(request, upload, uploaded_results_import, form):
                return redirect("import_done", club.slug, upload.uuid)
            return _show_check(request, upload, list_check(upload), 409, form=form)
    except DomainError as error:
        return _refused(request, club, error)
    return _show_check(request, upload, check, 422, form=form)


def _list_form(request: HttpRequest, upload: Upload) -> ListForm:
    return ListForm(typed(request), club=upload.club, chosen=upload.details.get("public_as", ""))


def _show_check(
    request: HttpRequest, upload: Upload, check: ListCheck, status: int = 200, **context: object
) -> HttpResponse:
    season = check.preview.plan.season if check.preview else True
    return _show(
        request,
        upload.club,
        "imports/import_results_preview.html",
        status,
        upload=upload,
        check=check,
        uses=[(key, words % {"n": ROUNDS.get(key)}) for key, words in USES.items()],
        season_name=upload.details["season"],
        is_new_season=season is None,
        **context,
    )


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def import_evening(request: HttpRequest, club: Club) -> HttpResponse:
    """Choose a file with the deals of an evening."""
    posted = request.POST if request.method == "POST" else None
    form = EveningFileForm(posted, request.FILES or None, club=club, language=reader_language())
    faults: list[FileFault] = []
    if form.is_valid():
        chosen = form.cleaned_data
        try:
            evening_import_preview(
                club=club,
                source=chosen["file"],
                regulation=chosen["preset"],
                season_name=chosen["season"],
            )
        except FileFaults as error:
            faults = error.faults
        except DomainError as error:
            form.add_error("file", error.message)
        else:
            upload = _keep(request, club, EVENING, form)
            return redirect("import_evening_preview", club.slug, upload.uuid)
    return _show(request, club, "imports/import_evening.html", form=form, faults=faults)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def import_evening_preview(request: HttpRequest, club: Club, uuid: str) -> HttpResponse:
    """Preview an evening, then confirm the import."""
    upload = _waiting(club, EVENING, uuid)
    return _preview(
        request,
        upload,
        "imports/import_evening_preview.html",
        _evening_shown,
        uploaded_evening_import,
    )


@desk_view(MANAGE_CLUB)
@require_safe
def import_done(request: HttpRequest, club: Club, uuid: str) -> HttpResponse:
    """What an import made."""
    done = Upload.objects.filter(club=club, done_at__isnull=False).defer("content")
    upload = get_object_or_404(done, uuid=uuid)
    made = upload.outcome
    return _show(
        request,
        club,
        "imports/import_done.html",
        section="members" if upload.kind == MEMBERS else "seasons",
        upload=upload,
        season=Season.objects.filter(club=club, pk=made.get("season")).first(),
        evenings=Evening.objects.of(club).filter(pk__in=made.get("evenings", [])),
        guests=Member.objects.of(club).filter(pk__in=made.get("guests", [])).by_surname(),
    )


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def import_undo(request: HttpRequest, club: Club, uuid: str) -> HttpResponse:
    """Ask for confirmation, then undo the import of results or of an evening."""
    done = Upload.objects.filter(club=club, outcome__has_key="undo")
    upload = get_object_or_404(done.defer("content"), uuid=uuid)
    if request.method != "POST":
        return _show(request, club, "imports/import_undo.html", upload=upload)
    try:
        staying = _undo(upload, actor_of(request))
    except DomainError as error:
        return _refused(request, club, error)
    if staying:
        names = ", ".join(staying)
        messages.warning(
            request,
            gettext("Changed or used since, so not undone: %(names)s.") % {"names": names},
        )
    messages.success(
        request, gettext("The import of %(file)s has been undone.") % {"file": upload.name}
    )
    return redirect("import_home", club.slug)


def _undo(upload: Upload, actor: Actor) -> list[str]:
    """Undo an import; returns the names of members for whom that was not possible."""
    if upload.kind == MEMBERS:
        return member_list_undo(upload=upload, actor=actor).staying
    undo = evening_import_undo if upload.kind == EVENING else results_import_undo
    undo(upload=upload, actor=actor)
    return []


def _waiting(club: Club, kind: Upload.Kind, uuid: str) -> Upload:
    upload = upload_waiting(club=club, kind=kind, uuid=uuid)
    if upload is None:
        raise Http404
    upload.club = club
    return upload


def _preview(
    request: HttpRequest,
    upload: Upload,
    template: str,
    preview_of: Callable[[Upload], object],
    import_file: Callable[..., object],
) -> HttpResponse:
    """Preview a file; once confirmed, import it if it would still do the same as was previewed."""
    club, is_confirmed = upload.club, request.method == "POST"
    form = _list_form(request, upload)
    try:
        if form.is_valid() and _is_imported(request, upload, import_file, form):
            return redirect("import_done", club.slug, upload.uuid)
        preview = preview_of(upload)
    except FileFaults as error:
        return _show(request, club, "imports/import_faults.html", faults=error.faults)
    except DomainError as error:
        return _refused(request, club, error)
    status = 409 if is_confirmed else 200
    return _show(request, club, template, status, upload=upload, preview=preview, form=form)


def _is_imported(
    request: HttpRequest, upload: Upload, import_file: Callable[..., object], form: ListForm
) -> bool:
    """Import the file; False if it would now do something else than was previewed."""
    try:
        import_file(
            upload=upload,
            seen=request.POST.get("seen", ""),
            public_as=form.cleaned_data["public_as"],
            actor=actor_of(request),
        )
    except VersionConflict:
        return False
    return True


def _evening_shown(upload: Upload) -> EveningImportPreview:
    return evening_import_preview(
        club=upload.club,
        source=upload_source(upload),
        regulation=upload.details["preset"],
        season_name=upload.details["season"],
    )


def _keep(request: HttpRequest, club: Club, kind: Upload.Kind, form: Form) -> Upload:
    chosen = dict(form.cleaned_data)
    file = chosen.pop("file")
    file.seek(0)
    return upload_keep(
        club=club,
        kind=kind,
        file=file,
        name=file.name,
        details=chosen,
        actor=actor_of(request),
    )


def _refused(request: HttpRequest, club: Club, error: DomainError) -> HttpResponse:
    messages.error(request, error.message)
    return redirect("import_home", club.slug)


def _show(
    request: HttpRequest, club: Club, template: str, status: int = 200, **context: object
) -> HttpResponse:
    form = context.get("form")
    is_faulty = bool(context.get("faults")) or (isinstance(form, Form) and bool(form.errors))
    context = {"section": "seasons"} | context | {"club": club, "changed": status == 409}
    return render(
        request,
        f"tournaments/{template}",
        context,
        status=422 if is_faulty else status,
    )
