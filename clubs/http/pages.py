"""What pages share: rendering, saving a form, asking for confirmation, and asking for news."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict

_FIELDS = {
    "name_missing": "name",
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
