"""Desk pages of what the club sends out after an evening: the texts, and their wordings; and of
mail to members: write, look, send, and whom it reached."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote, urlencode
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import MAIL_MEMBERS, MANAGE_CLUB, actor_of, desk_view, of_club
from clubs.accounts.services import mail_goes_out
from clubs.http.network import private_links
from clubs.http.pages import typed
from clubs.models import Club, Member
from clubs.models.club import Language
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import whole_number
from tournaments.evenings.pages import find_evening, refusals_shown, show_evening
from tournaments.evenings.permissions import SEE_EVENING
from tournaments.models import ClubText, Evening, FeeYear, MemberMail, Season
from tournaments.money.queries import FeePeriod
from tournaments.publicity.mailing import (
    ALL,
    CHOSEN,
    THERE,
    UNPAID,
    Receivers,
    mail_progress,
    mail_send,
    mail_send_again,
    own_mails,
    receivers_of,
    text_for,
)
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
from tournaments.seasons.services import season_on

Kind = ClubText.Kind
LONGEST_LINK = 2_000
"""The longest address that every mail program accepts; some accept less than browsers do."""
_BOLD = re.compile(r"^\*(.+)\*$", re.MULTILINE)
"""A line that WhatsApp shows in bold; in a mail the stars would be read."""
NAME_FIELDS = {
    "nl": {"name": "{naam}", "first": "{voornaam}"},
    "en": {"name": "{name}", "first": "{first_name}"},
}
"""What stands for a name in a text, by language; all of them are read."""
SHOWN = 10
"""So many mails of before are listed."""


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


class MailForm(forms.Form):
    """To whom a mail goes, and what is in it."""

    to = forms.ChoiceField(label=gettext_lazy("To whom"), widget=forms.RadioSelect, initial=ALL)
    people = forms.ModelMultipleChoiceField(
        Member.objects.none(),
        label=gettext_lazy("Choose people"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    subject = forms.CharField(label=gettext_lazy("Subject"), max_length=150)
    text = forms.CharField(
        label=gettext_lazy("Text"),
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "true"}),
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        club: Club,
        evening: Evening | None,
        fees_of: FeePeriod | None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        choices = [(ALL, _("all members"))]
        if evening is not None:
            words = {"day": date_format(evening.date, "l j F")}
            choices.append((THERE, _("everybody who was there on %(day)s") % words))
        if fees_of is not None:
            words = {"season": fees_of.name}
            choices.append((UNPAID, _("who still has to pay the fee of %(season)s") % words))
        choices.append((CHOSEN, _("the people I tick below")))
        fields = NAME_FIELDS[get_language() or "en"]
        hint = _("%(name)s becomes the name of whoever reads it, %(first)s the first name.")
        self.fields["text"].help_text = hint % fields
        self.fields["to"].choices = choices  # type: ignore[attr-defined]
        people = Member.objects.of(club).active().exclude(email="").by_surname()
        self.fields["people"].queryset = people  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("to") == CHOSEN and not cleaned.get("people"):
            self.add_error("people", _("Tick at least one person."))
        return cleaned


@desk_view(MAIL_MEMBERS)
@require_http_methods(["GET", "POST"])
def mail_write(request: HttpRequest, club: Club) -> HttpResponse:
    """Write a mail to members, look at it, and send it. `?evening=` begins with its result,
    `?to=unpaid&season=` or `&year=` asks for the membership fee."""
    evening, fees_of = _evening(request, club), _fees_of(request, club)
    initial = _initial(request, club, evening)
    form = MailForm(typed(request), club=club, evening=evening, fees_of=fees_of, initial=initial)
    if not form.is_valid():
        return _show_mail(request, club, form)
    answers = form.cleaned_data
    chosen = [member.pk for member in answers["people"]]
    receivers = receivers_of(club, answers["to"], evening=evening, fees_of=fees_of, chosen=chosen)
    if "send" in request.POST:
        try:
            mail = mail_send(
                club=club,
                key=answers["key"],
                people=receivers.people,
                subject=answers["subject"],
                text=answers["text"],
                actor=actor_of(request),
            )
        except DomainError as error:
            form.add_error(None, error.message)
            return _show_mail(request, club, form)
        return redirect("mail_sent", club.slug, mail.uuid)
    return _show_mail(request, club, form, receivers)


@desk_view(MAIL_MEMBERS)
@require_safe
def mail_sent(request: HttpRequest, club: Club, uuid: UUID) -> HttpResponse:
    """How far a mail is, and whom it did not reach; the page follows it."""
    mail = of_club(club, MemberMail, uuid=uuid)
    context = {
        "club": club,
        "section": "members",
        "mail": mail,
        "progress": mail_progress(mail),
        "address": request.path,
    }
    part = "mail_live" if request.headers.get("HX-Request") else "mail_sent"
    return render(request, f"tournaments/publicity/{part}.html", context)


@desk_view(MAIL_MEMBERS)
@require_POST
def mail_again(request: HttpRequest, club: Club, uuid: UUID) -> HttpResponse:
    """Try once more with those whom a mail did not reach."""
    mail = of_club(club, MemberMail, uuid=uuid)
    with refusals_shown(request):
        if mail_send_again(mail=mail, actor=actor_of(request)):
            messages.success(request, _("It is being sent again to those it did not reach."))
    return redirect("mail_sent", club.slug, mail.uuid)


@desk_view(SEE_EVENING)
@require_safe
def evening_whatsapp(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Open WhatsApp with the published result of an evening; before that, the page of the texts."""
    evening = find_evening(club, evening_slug)
    story = EveningStory(evening)
    if not (story.is_published and story.is_current):
        return redirect("evening_texts", club.slug, evening.slug)
    text = evening_text(story, kind=ClubText.Kind.MESSAGE, language=club.language)
    if private_links(text) and "anyway" not in request.GET:
        return redirect("evening_texts", club.slug, evening.slug)
    return redirect(f"https://wa.me/?text={quote(text)}")


def _evening(request: HttpRequest, club: Club) -> Evening | None:
    """The evening in the address, else the last one that was played or is being played."""
    wanted = request.GET.get("evening", "")
    if wanted:
        return find_evening(club, wanted)
    states = [Evening.State.RUNNING, Evening.State.CLOSED]
    return Evening.objects.of(club).filter(state__in=states, is_history=False).first()


def _fees_of(request: HttpRequest, club: Club) -> FeePeriod | None:
    """The season or the year in the address, else today's of which a fee is asked, the year
    first."""
    if wanted := request.GET.get("season", ""):
        return of_club(club, Season, slug=wanted)
    if wanted := request.GET.get("year", ""):
        return of_club(club, FeeYear, year=whole_number(wanted))
    this_year = club.fee_years.filter(year=timezone.localdate().year, fee__isnull=False).first()
    if this_year is not None:
        return this_year
    season = season_on(club, timezone.localdate())
    if season is not None:
        season.club = club
    return season if season is not None and season.fee is not None else None


def _initial(request: HttpRequest, club: Club, evening: Evening | None) -> dict[str, object]:
    initial: dict[str, object] = {"key": uuid4(), "to": request.GET.get("to", ALL)}
    if evening is not None and "evening" in request.GET:
        story = EveningStory(evening)
        if story.is_published:
            text = evening_text(story, kind=ClubText.Kind.MESSAGE, language=club.language)
            plain = _BOLD.sub(r"\1", text)
            initial |= {"subject": plain.partition("\n")[0].strip()[:150], "text": plain}
    return initial


def _show_mail(
    request: HttpRequest, club: Club, form: MailForm, receivers: Receivers | None = None
) -> HttpResponse:
    context: dict[str, object] = {
        "club": club,
        "section": "members",
        "form": form,
        "goes_out": mail_goes_out(),
        "chosen": CHOSEN,
        "earlier": club.mails.all()[:SHOWN],
    }
    text = form["text"].value() or ""
    context["private_links"] = private_links(text)
    if receivers is not None:
        people = {member.pk: member for member in receivers.people}
        wanted = people.get(whole_number(request.POST.get("preview", "")))
        member = wanted or next(iter(people.values()), None)
        subject = form.cleaned_data["subject"]
        context |= {
            "receivers": receivers,
            "reader": member,
            "preview": text_for(form.cleaned_data["text"], member),
            "own": own_mails(receivers.people, subject, form.cleaned_data["text"]),
            "whole": text_for(form.cleaned_data["text"], None),
        }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "tournaments/publicity/mail_write.html", context, status=status)
