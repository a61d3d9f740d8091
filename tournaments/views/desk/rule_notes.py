"""The club's own lines on the page with its rules."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.errors import VersionConflict
from clubs.models import Club
from clubs.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.views.common import form_saved, typed
from scoring.forms.rule_notes import RuleNotesForm
from scoring.services import rule_notes_of, rule_notes_save


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def rule_notes(request: HttpRequest, club: Club) -> HttpResponse:
    """What the club says itself, by topic; 409 when somebody else changed it meanwhile."""
    form = RuleNotesForm(typed(request), notes=rule_notes_of(club), version=club.rule_notes_version)
    try:
        if form_saved(form, lambda: _save(request, club, form)):
            messages.success(request, _("Your rules are saved. This is how people read them."))
            return redirect("rules_page", club.slug)
    except VersionConflict:
        return _conflict(request, club)
    return _show(request, club, form, status=422 if form.errors else 200)


def _save(request: HttpRequest, club: Club, form: RuleNotesForm) -> None:
    rule_notes_save(
        club=club,
        notes=form.texts(),
        seen_version=form.cleaned_data["seen"] or 0,
        actor=actor_of(request),
    )


def _conflict(request: HttpRequest, club: Club) -> HttpResponse:
    """What was typed, beside what stands now; saving it again is saving it knowingly."""
    club.refresh_from_db(fields=["rule_notes_version"])
    version = club.rule_notes_version
    again = request.POST.copy()
    again["seen"] = str(version)
    form = RuleNotesForm(again, notes=rule_notes_of(club), version=version)
    return _show(request, club, form, status=409)


def _show(request: HttpRequest, club: Club, form: RuleNotesForm, *, status: int) -> HttpResponse:
    context = {"club": club, "section": "settings", "form": form, "conflict": status == 409}
    return render(request, "tournaments/desk/rule_notes.html", context, status=status)
