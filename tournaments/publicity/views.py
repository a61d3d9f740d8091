"""Desk pages of what the club sends out after an evening: the texts, and their wordings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote, urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.http.network import private_links
from clubs.models import Club
from clubs.models.club import Language
from clubs.text.errors import DomainError, VersionConflict
from tournaments.evenings.desk_pages import find_evening, show_evening
from tournaments.evenings.permissions import SEE_EVENING
from tournaments.models import ClubText, Evening
from tournaments.publicity.texts import EveningStory, evening_text, text_values
from tournaments.publicity.wordings import (
    FIELDS,
    NEWSPAPER,
    STANDARD,
    ClubWording,
    club_wording,
    fault_words,
    field_name,
    wording_faults,
    wording_fill,
    wording_save,
)

Kind = ClubText.Kind
LONGEST_LINK = 2_000
"""The longest address that every mail program accepts; some accept less than browsers do."""


class WordingForm(forms.Form):
    """A wording, with the version that the change started from."""

    wording = forms.CharField(
        label=gettext_lazy("The text, with fields in braces"),
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "true", "autocomplete": "off"}),
        strip=False,
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)


@dataclass(frozen=True, slots=True)
class TextOut:
    """A text ready to send, with the address that opens it in a program, if it `fits` there."""

    kind: str
    title: str
    text: str
    share_url: str
    share: str
    fits: bool = True


@dataclass(frozen=True, slots=True)
class FieldHelp:
    """A field of a wording and its value for the last evening."""

    name: str
    value: str


@desk_view(SEE_EVENING)
@require_safe
def evening_texts(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The texts for the group and the newspaper, in the requested language. Before the result is
    published they are only shown with `?anyway`."""
    evening = find_evening(club, evening_slug)
    language = _language(request, club)
    story = EveningStory(evening)
    is_shown = story.is_published or "anyway" in request.GET
    is_told = is_shown and story.rows
    texts = [_text_out(story, kind, language) for kind in Kind] if is_told else []
    return show_evening(
        request,
        "publicity/texts.html",
        evening,
        language=language,
        languages=Language.choices,
        story=story,
        private_links=private_links("\n".join(text.text for text in texts)),
        anyway="anyway" in request.GET,
        texts=texts,
    )


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def wording_edit(request: HttpRequest, club: Club, kind: str, language: str) -> HttpResponse:
    """The club's own wording, with a preview; 409 if somebody else changed it meanwhile."""
    text = _ClubsText.find(club, kind, language)
    if request.method != "POST":
        initial = {"wording": text.wording, "seen": text.version}
        return _show(request, text, WordingForm(initial=initial), text.wording)
    form = WordingForm(request.POST)
    typed = request.POST.get("wording", "").replace("\r\n", "\n")
    if form.is_valid() and "preview" in request.POST:
        if faults := wording_faults(typed):
            form.add_error("wording", [fault_words(fault) for fault in faults])
    elif form.is_valid():
        try:
            _save(request, text, form)
        except VersionConflict as conflict:
            return _conflict(request, text, typed, cast("ClubWording", conflict.params["current"]))
        except DomainError as error:
            form.add_error("wording", [str(fault) for fault in _faults(error)])
        else:
            messages.success(request, _("The wording is saved."))
            return redirect("wording_edit", club.slug, kind, language)
    return _show(request, text, form, typed)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def wording_reset(request: HttpRequest, club: Club, kind: str, language: str) -> HttpResponse:
    """Back to the standard wording, after confirmation."""
    text = _ClubsText.find(club, kind, language)
    if request.method != "POST":
        context = {"club": club, "section": "settings", "text": text}
        return render(request, "tournaments/publicity/wording_reset.html", context)
    wording_save(
        club=club,
        kind=kind,
        language=language,
        wording=STANDARD[kind, language],
        seen_version=text.version,
        actor=actor_of(request),
    )
    messages.success(request, _("The standard wording is back."))
    return redirect("wording_edit", club.slug, kind, language)


@dataclass(frozen=True, slots=True)
class _ClubsText:
    """A text that a club sends out, in one language, with its current wording."""

    club: Club
    kind: str
    language: str
    wording: str
    version: int

    @classmethod
    def find(cls, club: Club, kind: str, language: str) -> "_ClubsText":
        """Http404 if there is no such text."""
        if (kind, language) not in STANDARD:
            raise Http404
        return cls(club, kind, language, *club_wording(club, kind, language))

    @property
    def is_own(self) -> bool:
        return self.wording != STANDARD[self.kind, self.language]

    @property
    def joined(self) -> bool:
        return self.kind == NEWSPAPER


def _save(request: HttpRequest, text: _ClubsText, form: WordingForm) -> None:
    wording_save(
        club=text.club,
        kind=text.kind,
        language=text.language,
        wording=form.cleaned_data["wording"],
        seen_version=form.cleaned_data["seen"],
        actor=actor_of(request),
    )


def _faults(error: DomainError) -> Sequence[str]:
    return cast("Sequence[str]", error.params["faults"])


def _conflict(
    request: HttpRequest, text: _ClubsText, typed: str, current: ClubWording
) -> HttpResponse:
    """What was typed, beside the current wording; saving again overwrites that knowingly."""
    again = request.POST.copy()
    again["seen"] = str(current.version)
    return _show(request, text, WordingForm(again), typed, current=current.text)


def _show(
    request: HttpRequest, text: _ClubsText, form: WordingForm, wording: str, *, current: str = ""
) -> HttpResponse:
    last = Evening.objects.of(text.club).filter(state=Evening.State.CLOSED).first()
    values = text_values(EveningStory(last), text.language) if last else {}
    sound = not wording_faults(wording)
    context = {
        "club": text.club,
        "section": "settings",
        "form": form,
        "text": text,
        "title": Kind(text.kind).label,
        "choices": _choices(text),
        "fields": _fields(values, text.language),
        "last": last,
        "preview": wording_fill(wording, values, joined=text.joined) if sound else "",
        "current": current,
    }
    status = 409 if current else 422 if form.is_bound and form.errors else 200
    return render(request, "tournaments/publicity/wording.html", context, status=status)


def _fields(values: dict[str, str], language: str) -> list[FieldHelp]:
    return [
        FieldHelp(f"{{{field_name(field, language)}}}", values.get(english, ""))
        for field, english in FIELDS.items()
    ]


def _choices(text: _ClubsText) -> list[tuple[str, str, bool]]:
    """The name and address of each text, and whether it is this one."""
    return [
        (
            f"{Kind(kind).label} ({Language(language).label})",
            reverse("wording_edit", args=[text.club.slug, kind, language]),
            (kind, language) == (text.kind, text.language),
        )
        for kind, language in STANDARD
    ]


def _text_out(story: EveningStory, kind: Kind, language: str) -> TextOut:
    text = evening_text(story, kind=kind, language=language)
    if kind == Kind.MESSAGE:
        return TextOut(
            kind, _("Message"), text, f"https://wa.me/?text={quote(text)}", _("Open in WhatsApp")
        )
    url, fits = _mail(text)
    return TextOut(kind, _("Newspaper"), text, url, _("Send by e-mail"), fits=fits)


def _mail(text: str) -> tuple[str, bool]:
    """The address that opens the mail program, and whether the text fits in it."""
    subject = {"subject": text.partition("\n")[0]}
    whole = f"mailto:?{urlencode({**subject, 'body': text}, quote_via=quote)}"
    if len(whole) <= LONGEST_LINK:
        return whole, True
    return f"mailto:?{urlencode(subject, quote_via=quote)}", False


def _language(request: HttpRequest, club: Club) -> str:
    """The requested language, else the club's."""
    language = request.GET.get("language", "")
    return language if language in Language.values else club.language
