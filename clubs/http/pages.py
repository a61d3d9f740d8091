"""What pages share: rendering, saving a form, asking for confirmation, asking for news, tables; and
what is done to every answer: what its headers say, compression, and how little a 304 says."""

import datetime as dt
import gzip
import html
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any, cast

import django_tables2 as tables
from axes.helpers import get_lockout_response
from axes.middleware import AxesMiddleware
from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django import forms
from django.conf import settings
from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django_permissions_policy import PermissionsPolicyMiddleware

from clubs.http.middleware import afterwards_done
from clubs.http.problems import outage_answer
from clubs.models import Club, Member, MemberQuerySet
from clubs.templatetags.ui import icon
from clubs.text.errors import DomainError, VersionConflict

_FIELDS = {
    "name_missing": "name",
    "number_missing": "number",
    "number_taken": "number",
    "birthday_to_come": "birthday",
    "bad_email": "email",
    "bad_networks": "networks",
    "no_picture": "picture",
    "picture_too_large": "picture",
}
"""The form field of each error code; other errors are shown above the form."""

# Parts of pages that ask for news.


@dataclass(frozen=True, slots=True)
class Poll:
    """After how many milliseconds a part of an open page asks whether there is news: `every` while
    there is some, `slowest` when nothing has changed for ten minutes (`clubs/live.js`)."""

    every: int
    slowest: int

    def context(self, tag: str) -> dict[str, object]:
        """What the template of the part needs; `tag` is the version that it shows."""
        return {"poll_every": self.every, "poll_slowest": self.slowest, "poll_tag": tag}


class Crowd:
    """How long those who ask one process for news are to wait in between, by how many they are."""

    def __init__(self, per_second: int, quickest: int, slowest: int) -> None:
        self.per_second, self.quickest, self.slowest = per_second, quickest, slowest
        self._second = 0
        self._asked = 0
        self._pause = 0

    def pause(self) -> int:
        """Count somebody who asks now; after how many milliseconds they may again, 0 if as soon as
        they like. It is off by a little when threads count at once."""
        second = int(time.time())
        if second != self._second:
            asked = self._asked if second == self._second + 1 else 0
            each = asked * max(self._pause, self.quickest) // self.per_second
            self._pause = min(each, self.slowest) if each > self.quickest else 0
            self._second, self._asked = second, 0
        self._asked += 1
        return self._pause


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmedAction:
    """A page that asks for confirmation; a POST to the same address then calls `act`.

    `act` returns a success message, or nothing if there was nothing to do, or a response, to end
    elsewhere than at `next_url`. It may raise DomainError. A `form` asks for more than a yes, such
    as a reason, and must be valid first.
    """

    title: str
    text: str
    yes: str
    back_url: str
    act: Callable[[], HttpResponse | str | None]
    next_url: str
    safe: bool = False
    form: BaseForm | None = None

    def respond(self, request: HttpRequest, page: Callable[..., HttpResponse]) -> HttpResponse:
        """Act and redirect after a POST; otherwise show the question by `page`."""
        sent = request.method == "POST"
        if sent and (self.form is None or self.form.is_valid()):
            return self._acted(request)
        return page(question=self, form=self.form, status=422 if sent else 200)

    def _acted(self, request: HttpRequest) -> HttpResponse:
        try:
            outcome = self.act()
        except DomainError as error:
            messages.error(request, error.message)
            return redirect(self.next_url)
        if isinstance(outcome, HttpResponse):
            return outcome
        if outcome:
            messages.success(request, outcome)
        return redirect(self.next_url)


def show(
    request: HttpRequest,
    template: str,
    club: Club,
    section: str,
    *,
    form: BaseForm | None = None,
    status: int | None = None,
    **context: object,
) -> HttpResponse:
    """A page of the club's desk; 422 when its form has errors."""
    faulty = form is not None and form.is_bound and bool(form.errors)
    return render(
        request,
        f"clubs/{template}",
        {"club": club, "section": section, "form": form, **context},
        status=status or (422 if faulty else 200),
    )


def confirm(
    request: HttpRequest, club: Club, section: str, confirmation: ConfirmedAction
) -> HttpResponse:
    """Ask on a page of the club's desk, and act on a yes."""
    return confirmation.respond(request, partial(show, request, "confirm.html", club, section))


def typed(request: HttpRequest) -> QueryDict | None:
    """The data of a POST; None for other requests."""
    return request.POST if request.method == "POST" else None


def form_saved(form: BaseForm, save: Callable[[], object]) -> bool:
    """Whether the form is valid and `save` succeeded; a DomainError becomes an error of the form.

    VersionConflict is not caught: it needs a page of its own.
    """
    if not form.is_valid():
        return False
    try:
        save()
    except VersionConflict:
        raise
    except DomainError as error:
        form.add_error(_FIELDS.get(error.code), error.message)
        return False
    return True


def see_other(url: str) -> HttpResponse:
    """After a write: the page that shows it, so that reloading writes nothing again."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


WORTH_PACKING = 500
PACKED = re.compile(r"text/|image/svg\+xml|application/([\w.-]+\+)?json")
LINE_START = re.compile(rb"\n\s+")
AS_TYPED = b"<pre", b"<textarea"
"""In these a line may begin with spaces, or be empty."""
PADDING = 100
"""Up to so many bytes that say nothing, so that a length tells little of what is in the page."""
OF_UNCHANGED = {"etag", "cache-control", "content-location", "expires", "last-modified", "vary"}
"""What HTTP asks of an answer that says "unchanged": the rest is what the browser has already."""
FROM_OURSELVES = {"", "none", "same-origin"}
OTHER_POLICY = frozenset({"_csp_config", "_csp_exempt", "_csp_replace", "_csp_update"})
"""How an answer says that it has another policy than all others."""
WITHOUT_NAMES = frozenset({"club_calendar", "club_ical", "logo_png", "rules_page"})
"""The public pages of a club that name nobody."""


class HeadersMiddleware(CSPMiddleware):
    """What all our answers say: how pages may be framed, what they may load and use, where browsers
    report, and whether search engines may show them. In one place, and each text made once:
    building the policy alone took longer than the rest of an empty answer. No page has a nonce.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        # Looking a setting up takes as long as a header.
        self.frames, self.is_debug = settings.X_FRAME_OPTIONS, settings.DEBUG
        self.content = build_policy()
        self.permissions = PermissionsPolicyMiddleware.compute_header_value(
            {**settings.PERMISSIONS_POLICY}, name="PERMISSIONS_POLICY"
        )
        # Browsers heed it over https only; elsewhere `report-uri` does, which they ignore where
        # there is a `report-to`.
        self.reports = f'csp="{settings.CSP_REPORTS}"' if settings.HTTPS else ""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = cast("HttpResponseBase", self.get_response(request))
        headers = response.headers
        if not getattr(response, "xframe_options_exempt", False):
            headers.setdefault("X-Frame-Options", self.frames)
        if self.is_debug or not OTHER_POLICY.isdisjoint(vars(response)):
            response = self.process_response(request, response)
        else:
            headers.setdefault(HEADER, self.content)
        if permissions := getattr(response, "_permissions_policy_override", self.permissions):
            headers["Permissions-Policy"] = permissions
        if self.reports:
            headers["Reporting-Endpoints"] = self.reports
        if not _is_searchable(request):
            headers["X-Robots-Tag"] = "noindex"
        return response


def _is_searchable(request: HttpRequest) -> bool:
    """Whether search engines may show this: the front page, and what its club lets them show."""
    match, club = request.resolver_match, getattr(request, "club", None)
    if match is None or "/desk/" in match.route:
        return False
    if club is None:
        return match.view_name == "home"
    shown = club.search_engines
    return shown == "names" or (shown == "plain" and match.view_name in WITHOUT_NAMES)


class AnswerMiddleware(AxesMiddleware):
    """What is done to the answer of a view: 503 with Retry-After where it had no database, another
    one where the login is locked, and what `afterwards` was asked for."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self.get_response(request)
        if getattr(request, "axes_locked_out", False):
            typed_in = getattr(request, "axes_credentials", None)
            response = get_lockout_response(request, response, typed_in)
        afterwards_done(request, response)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return outage_answer(request, error)


class SizeMiddleware:
    """Compresses pages and other texts, and sends with a 304 only what must go with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 304:
            for name in [*response.headers]:
                if name.lower() not in OF_UNCHANGED and name != "Poll-Pause":
                    del response.headers[name]
        elif not response.streaming and PACKED.match(response.headers.get("Content-Type", "")):
            self._pack(request, response)
        return response

    def _pack(self, request: HttpRequest, response: HttpResponse) -> None:
        if response.has_header("Content-Encoding") or len(response.content) < WORTH_PACKING:
            return
        patch_vary_headers(response, ["Accept-Encoding"])
        if not may_pack(request):
            return
        content = response.content
        if response.headers["Content-Type"].startswith("text/html"):
            content = lean(content)
        response.content = packed(content, padding=secrets.randbelow(PADDING + 1))
        response.headers["Content-Length"] = str(len(response.content))
        response.headers["Content-Encoding"] = "gzip"
        tag = response.headers.get("ETag", "")
        if tag.startswith('"'):
            response.headers["ETag"] = f"W/{tag}"


def may_pack(request: HttpRequest) -> bool:
    """Whether who asks takes gzip; and no other site made a browser ask it in somebody's name, to
    learn from the length of the answer what is in it (BREACH)."""
    asked_by = request.headers.get("Sec-Fetch-Site", "")
    is_own = asked_by in FROM_OURSELVES or not request.COOKIES
    return is_own and takes_gzip(request.headers.get("Accept-Encoding", ""))


def lean(page: bytes) -> bytes:
    """A page of HTML without empty lines and what its lines are indented by."""
    return page if any(tag in page for tag in AS_TYPED) else LINE_START.sub(b"\n", page)


def packed(content: bytes, *, padding: int = 0) -> bytes:
    """The content as gzip, with so many bytes more than it takes."""
    file = BytesIO()
    name = "x" * padding
    with gzip.GzipFile(filename=name, mode="wb", compresslevel=6, fileobj=file, mtime=0) as into:
        into.write(content)
    return file.getvalue()


def takes_gzip(accepted: str) -> bool:
    """Whether a value of Accept-Encoding names gzip, and not as what must not be sent.

    >>> takes_gzip("br, GZip;q=0.5"), takes_gzip("gzip;q=0")
    (True, False)
    """
    for coding in accepted.split(","):
        name, _, quality = "".join(coding.split()).lower().partition(";q=")
        if name == "gzip":
            return quality.strip("0.") != "" or not quality
    return False


# Tables and form fields that several pages share, and filling markup of hundreds of lines.


def fill(markup: str, *values: object) -> SafeString:
    """`markup` with each `%s` filled by one of `values`, escaped unless it is safe; some four times
    as fast as `format_html`."""
    return SafeString(markup % tuple(map(_escaped, values)))


def fill_each(markup: str, rows: Iterable[Iterable[object]]) -> SafeString:
    """`markup` once for each of `rows`, filled by its values."""
    # Most values are figures: the first test keeps a function call for each of them out.
    lines = [
        markup % tuple([value if type(value) is SafeString else _escaped(value) for value in row])
        for row in rows
    ]
    return SafeString("".join(lines))


def _escaped(value: Any) -> object:
    kind = type(value)
    if kind is str:
        return html.escape(value)
    return value if kind is int or kind is SafeString else conditional_escape(value)


PER_PAGE = 50


def _edit_url(record: Member) -> str:
    return reverse("member_edit", args=[record.club.slug, record.pk])


class MemberTable(tables.Table):
    """People of one club, in the order they come in until a heading is clicked."""

    name = tables.Column(linkify=_edit_url, order_by=("sort_name", "number"))
    number = tables.Column(attrs={"td": {"class": "num"}, "th": {"class": "num"}})
    kind = tables.Column(verbose_name=_("Kind"))
    phone = tables.Column(orderable=False, attrs={"td": {"class": "nowrap"}})
    is_active = tables.Column(verbose_name=_("Active"), orderable=False)

    class Meta:
        model = Member
        fields = ["name", "number", "kind", "phone", "is_active"]
        template_name = "components/table.html"
        empty_text = _("Nobody found.")
        default = ""

    def render_name(self, *, record: Member) -> str:
        return record.desk_name

    def render_kind(self, *, value: str, record: Member) -> str:
        """Member or guest, with a sign for who does not change tables, is not shown by name, or was
        erased."""
        signs = [
            format_html('<span class="mark nowrap">{}</span>', sign) for sign in _signs(record)
        ]
        return format_html_join(" ", "{}", [[value], *([sign] for sign in signs)])

    def render_is_active(self, *, value: bool) -> Any:
        return _("yes") if value else _("no")


def _signs(record: Member) -> list[str]:
    signs: list[str] = []
    if record.keeps_table:
        signs.append(format_html("{} {}", icon("lock"), gettext("fixed table")))
    if record.erased_at is not None:
        signs.append(gettext("erased"))
    elif record.public_as == Member.PublicAs.HIDDEN:
        signs.append(gettext("anonymous"))
    elif record.public_as == Member.PublicAs.INITIALS:
        signs.append(gettext("initials"))
    return signs


def sort_and_page(table: tables.Table, request: HttpRequest, per_page: int) -> None:
    """Sort by `?sort=`, ignoring unknown columns, and turn to `?page=`."""
    requested = request.GET.getlist("sort")
    known = [name for name in requested if name.removeprefix("-") in table.columns.names()]
    if known:
        table.order_by = known
    table.paginate(per_page=per_page)
    table.page = table.paginator.get_page(request.GET.get("page"))


def member_table(request: HttpRequest, members: MemberQuerySet, **options: Any) -> MemberTable:
    """The page of `members` that the request asks for; its caption says how many there are."""
    table = MemberTable(members, **options)
    sort_and_page(table, request, PER_PAGE)
    count = table.paginator.count
    table.caption = ngettext("%(count)s person", "%(count)s people", count) % {"count": count}
    return table


class ExplainedRadios(forms.RadioSelect):
    """Radio buttons with a sentence under each choice that `hints` has one for."""

    def __init__(self, *args: Any, hints: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hints = hints

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The choice as Django makes it, with its `hint` and the id the page gives that."""
        option: dict[str, Any] = super().create_option(*args, **kwargs)
        hint = self.hints.get(str(option["value"]))
        if hint:
            described_by = f"{option['attrs']['id']}_hint"
            option |= {"hint": hint, "hint_id": described_by}
            option["attrs"]["aria-describedby"] = described_by
        return option


@dataclass(frozen=True, slots=True)
class FormPart:
    """Questions of a form that are folded behind what they are about and what is answered now."""

    title: str
    fields: Sequence[forms.BoundField]

    is_needed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it must be looked at, as where something must be answered otherwise."""
        return self.is_needed or any(field.errors for field in self.fields)

    @property
    def answers(self) -> str:
        """What is answered now, as `evening_form.js` says it too."""
        return " · ".join(words for field in self.fields for words in _answered(field))


def _answered(bound: forms.BoundField) -> Iterator[str]:
    value = bound.value()
    match bound.field:
        case forms.BooleanField():
            if value:
                yield str(bound.label)
        case forms.ChoiceField() as field:
            yield from (words for key, words in _choices(field) if key == str(value))
        case forms.DateField() if isinstance(value, dt.date):
            yield f"{bound.label}: {date_format(value)}"
        case _ if value not in (None, ""):
            yield f"{bound.label}: {value}"


def _choices(field: forms.ChoiceField) -> Iterator[tuple[str, str]]:
    for key, words in field.widget.choices:
        yield str(key), str(words)
