"""The club's regulations: listed, added, changed; its own rules; and the page with all rules."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.db.models import Case, Q, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view, of_club, public_view
from clubs.audit.services import Actor
from clubs.http.pages import form_saved, typed
from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import whole_number
from scoring import rules
from scoring.display.words import pit_word, reader_language
from scoring.models import Regulation, RuleNote
from scoring.regulations.forms import (
    NewRegulationForm,
    RegulationForm,
    RegulationView,
    RuleNotesForm,
    base_in_words,
)
from scoring.regulations.services import regulation_add, rule_notes_of, rule_notes_save
from scoring.rules.spoken import changes, regulation_in_words
from tournaments.evenings.texts import evening_rule_lines
from tournaments.models import Evening, EveningQuerySet
from tournaments.regulations.use import (
    evenings_played,
    regulation_change,
    regulations_in_use,
    upcoming_evenings,
)

FIELD_OF_FAULT = {"name_taken": "name", "name_missing": "name", "bad_regulation": "preset"}


@desk_view(MANAGE_CLUB)
@require_safe
def regulation_list(request: HttpRequest, club: Club) -> HttpResponse:
    """The regulations of the club, and the evenings they were played."""
    pit = pit_word(club)
    uses = [
        (use, *base_in_words(use.newest.regulation.rules, pit)) for use in regulations_in_use(club)
    ]
    return _show(request, club, "regulations/regulations.html", uses=uses)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def regulation_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a regulation, as a copy of a preset that is changed afterwards."""
    data = request.POST if request.method == "POST" else None
    form = NewRegulationForm(data, language=reader_language())
    if form.is_valid() and (added := _add(form, club, actor_of(request))):
        messages.success(request, _("%s is added. Change what is different at your club.") % added)
        return redirect("regulation_edit", club.slug, added.pk)
    status = 422 if form.errors else 200
    return _show(request, club, "regulations/regulation_new.html", form=form, status=status)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def regulation_edit(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """The settings of a regulation: a form, or for an older version a page to read."""
    regulation = _find(club, pk)
    newest = regulation.newest
    if request.method == "POST":
        return _changed(request, newest)
    if regulation != newest:
        return _show_old(request, regulation, newest)
    return _show_form(request, newest, _form(newest))


@desk_view(MANAGE_CLUB)
@require_POST
def regulation_effects(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """The effect of each setting as filled in now; saves nothing."""
    view = RegulationView(_form(_find(club, pk), request.POST), pit_word(club))
    context = {"view": view, "oob": True, "effect": view.effect_text(request.GET.get("about", ""))}
    return render(request, "scoring/regulations/_regulation_effects.html", context)


def _find(club: Club, pk: int) -> Regulation:
    if pk >= 2**63:
        raise Http404
    regulation = of_club(club, Regulation, pk=pk)
    regulation.club = club
    return regulation


def _form(regulation: Regulation, data: Any = None) -> RegulationForm:
    return RegulationForm(
        data,
        shown=regulation.rules,
        language=reader_language(),
        pit=pit_word(regulation.club),
    )


def _add(form: NewRegulationForm, club: Club, actor: Actor) -> Regulation | None:
    preset = form.cleaned_data["preset"]
    try:
        return regulation_add(club=club, name=form.chosen_name(), preset=preset, actor=actor)
    except DomainError as error:
        form.add_error(FIELD_OF_FAULT[error.code], error.message)
        return None


def _changed(request: HttpRequest, newest: Regulation) -> HttpResponse:
    form = _form(newest, request.POST)
    if not form.is_valid() or "show" in request.POST:
        return _show_form(request, newest, form)
    try:
        saved, taken = regulation_change(
            regulation=newest,
            settings=form.settings(),
            seen=form.seen.as_settings(),
            evening_ids={whole_number(text) for text in request.POST.getlist("evening")},
            actor=actor_of(request),
        )
    except VersionConflict:
        return _show_conflict(request, newest.newest, form)
    _show_saved(request, form, saved, taken)
    return redirect("regulation_list", saved.club.slug)


def _show_saved(
    request: HttpRequest, form: RegulationForm, saved: Regulation, taken: list[Evening]
) -> None:
    if form.settings() == form.seen.as_settings():
        messages.info(request, _("Nothing was changed in %s.") % saved.name)
    else:
        words = {"name": saved.name, "n": saved.version}
        messages.success(request, _("%(name)s is saved as version %(n)s.") % words)
    if taken:
        messages.success(request, _("Played by these rules: the evening of %s.") % _dates(taken))


def _dates(evenings: Iterable[Evening]) -> str:
    return ", ".join(date_format(evening.date, "j F") for evening in evenings)


def _show_form(
    request: HttpRequest,
    regulation: Regulation,
    form: RegulationForm,
    *,
    theirs: Sequence[str] | None = None,
) -> HttpResponse:
    """The form of a regulation. `theirs` is what somebody else changed in the meantime, if that is
    why nothing was saved."""
    used = regulation.is_used
    return _show(
        request,
        regulation.club,
        "regulations/regulation.html",
        status=422 if form.errors else 200 if theirs is None else 409,
        regulation=regulation,
        form=form,
        view=RegulationView(form, pit_word(regulation.club)),
        used=used,
        played=evenings_played(regulation),
        next_version=regulation.version + 1,
        theirs=theirs,
        **_upcoming(request, regulation, used=used),
    )


def _upcoming(request: HttpRequest, regulation: Regulation, *, used: bool) -> dict[str, Any]:
    """Planned evenings: those that follow a change automatically, those that may take it over, and
    those that cannot because they are drawn."""
    undrawn = list(upcoming_evenings(regulation))
    follows = [evening for evening in undrawn if evening.regulation_id == regulation.pk]
    following = [] if used else follows
    ticked = request.POST.getlist("evening")
    return {
        "following": _dates(following),
        "drawn": _dates(upcoming_evenings(regulation, drawn=True)),
        "upcoming": [
            (evening, request.method != "POST" or str(evening.pk) in ticked)
            for evening in undrawn
            if evening not in following
        ],
    }


def _show_conflict(request: HttpRequest, current: Regulation, form: RegulationForm) -> HttpResponse:
    """The regulation as somebody else left it, with what this person changed on top."""
    theirs = changes(form.seen, current.rules, reader_language(), pit_word(current.club))
    merged = _form(current, form.rebase(current.rules))
    return _show_form(request, current, merged, theirs=theirs)


def _show_old(request: HttpRequest, regulation: Regulation, newest: Regulation) -> HttpResponse:
    pit, language = pit_word(regulation.club), reader_language()
    return _show(
        request,
        regulation.club,
        "regulations/regulation_old.html",
        regulation=regulation,
        newest=newest,
        changes=changes(regulation.rules, newest.rules, language, pit),
        sections=regulation_in_words(regulation.rules, language, pit),
        played=evenings_played(regulation),
    )


def _show(
    request: HttpRequest, club: Club, template: str, *, status: int = 200, **context: object
) -> HttpResponse:
    context = {"club": club, "section": "settings", **context}
    return render(request, f"tournaments/{template}", context, status=status)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def rule_notes_page(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's own rules by topic; 409 if somebody else changed them in the meantime."""
    form = RuleNotesForm(typed(request), notes=rule_notes_of(club), version=club.rule_notes_version)
    try:
        if form_saved(form, lambda: _save_rule_notes(request, club, form)):
            messages.success(request, _("Your rules are saved. This is how people read them."))
            return redirect("rules_page", club.slug)
    except VersionConflict:
        return _show_rule_notes_conflict(request, club)
    return _show_rule_notes(request, club, form, status=422 if form.errors else 200)


def _save_rule_notes(request: HttpRequest, club: Club, form: RuleNotesForm) -> None:
    rule_notes_save(
        club=club,
        notes=form.texts(),
        seen_version=form.cleaned_data["seen"] or 0,
        actor=actor_of(request),
    )


def _show_rule_notes_conflict(request: HttpRequest, club: Club) -> HttpResponse:
    """What was typed, beside what is saved now; sent again it replaces that."""
    club.refresh_from_db(fields=["rule_notes_version"])
    version = club.rule_notes_version
    again = request.POST.copy()
    again["seen"] = str(version)
    form = RuleNotesForm(again, notes=rule_notes_of(club), version=version)
    return _show_rule_notes(request, club, form, status=409)


def _show_rule_notes(
    request: HttpRequest, club: Club, form: RuleNotesForm, *, status: int
) -> HttpResponse:
    context = {"club": club, "section": "settings", "form": form, "conflict": status == 409}
    return render(request, "tournaments/regulations/rule_notes.html", context, status=status)


PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING


class OwnRule(NamedTuple):
    """The club's own rule about a topic, and its language (`nl` or `en`)."""

    title: str
    text: str
    language: str


@require_safe
@public_view
def rules_page(request: HttpRequest, club: Club) -> HttpResponse:
    """The rules of the next evening, or of the one in `?evening=`; to read or to print."""
    slug = request.GET.get("evening", "")
    evening = get_object_or_404(_with_rules(club).by_slug(slug)) if slug else _next(club)
    regulation = evening.regulation if evening else _newest_regulation(club)
    language = reader_language()
    played = regulation.rules if regulation else rules.RuleSet()
    context = {
        "club": club,
        "evening": evening,
        "regulation": regulation,
        "sections": rules.regulation_in_words(played, language, pit_word(club)),
        "cards": rules.card_values(language),
        "evening_lines": evening_rule_lines(evening) if evening else (),
        "own_rules": list(_own_rules(club, language)),
    }
    return render(request, "tournaments/regulations/rules.html", context)


def _with_rules(club: Club) -> EveningQuerySet:
    """The evenings of the club that have a regulation."""
    evenings = Evening.objects.of(club).exclude(state=Evening.State.CANCELLED)
    return evenings.filter(regulation__isnull=False).select_related("club", "regulation")


def _next(club: Club) -> Evening | None:
    """The evening being played, else the next one, else the last one."""
    evenings = _with_rules(club)
    upcoming = Q(state=RUNNING) | Q(state=PLANNED, date__gte=timezone.localdate())
    running_first = Case(When(state=RUNNING, then=0), default=1)
    next_one = evenings.filter(upcoming).order_by(running_first, "date", "sequence").first()
    return next_one or evenings.first()


def _newest_regulation(club: Club) -> Regulation | None:
    return club.regulations.order_by("created_at", "pk").last()


def _own_rules(club: Club, language: rules.Language) -> Iterator[OwnRule]:
    for topic, note in rule_notes_of(club).items():
        if not note.text:
            continue
        english = language == "en" and bool(note.text_en)
        yield OwnRule(
            title=str(RuleNote.Topic(topic).label),
            text=note.text_en if english else note.text,
            language="en" if english else "nl",
        )
