"""What the pages about a club share."""

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
    "bad_email": "email",
    "no_picture": "picture",
    "picture_too_large": "picture",
}
"""Beside which field of a form a refusal is shown; the others stand above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmedAction:
    """A page that asks before something is done; yes sends the same address a POST, which does it.

    `act` does it and returns the message that says so, or nothing when it was done already; or a
    response, to end elsewhere than at `next_url`. It may refuse with a DomainError. A `form` asks
    for more than a yes, such as a reason, and must be valid first.
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
        """Act and redirect after a yes; otherwise the question, shown by `page`."""
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
    """A page of the club's desk; 422 when its form holds something that is wrong."""
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
    """What was sent to be saved; None when the page is only looked at."""
    return request.POST if request.method == "POST" else None


def form_saved(form: BaseForm, save: Callable[[], object]) -> bool:
    """Whether something was sent, is right, and `save` has kept it; a refusal is put in the form.

    A VersionConflict is let through: it needs a page of its own.
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
