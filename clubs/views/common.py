"""What the pages about a club share."""

from collections.abc import Callable
from dataclasses import dataclass

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from clubs.errors import DomainError, VersionConflict
from clubs.models import Club

_FIELDS = {
    "name_missing": "name",
    "number_taken": "number",
    "bad_email": "email",
    "no_picture": "picture",
    "picture_too_large": "picture",
}
"""Beside which field of a form a refusal is shown; the others stand above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked before something is done, and what the answers say."""

    title: str
    text: str
    yes: str
    back_url: str
    safe: bool = False


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


def ask(request: HttpRequest, club: Club, section: str, question: Question) -> HttpResponse:
    """A page with one question; yes sends the same address a POST."""
    return show(request, "confirm.html", club, section, question=question)


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
