"""Answers to what went wrong: problems of RFC 9457 for programs, 503 while there is no database."""

import logging
import math
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, InternalError, OperationalError
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response

from clubs.text.errors import DomainError, VersionConflict

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
_BUSY_OR_BROKEN = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
_TOO_COMPLEX = "54"
"""The class of PostgreSQL's errors for a statement beyond its limits."""
_READ_ONLY = "25006"
"""PostgreSQL's error for a write where nothing may be written, as on a standby."""


def is_outage(error: BaseException | None) -> bool:
    """Whether the database is gone, restarting, full or too busy: a later retry can succeed.

    Databases also call a statement that is too large for them an "operational" error: that is a
    fault of the program, and waiting does not help.
    """
    cause = getattr(error, "__cause__", None)
    state = str(getattr(cause, "sqlstate", None) or "")
    if isinstance(error, InternalError):
        return state == _READ_ONLY
    if not isinstance(error, OperationalError):
        return isinstance(error, InterfaceError)
    if code := getattr(cause, "sqlite_errorcode", None):
        return code & 0xFF in _BUSY_OR_BROKEN
    return not state.startswith(_TOO_COMPLEX)


def outage_answer(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """The 503 for a view that had no database; None for any other error.

    Nothing is half saved then, since every write is one transaction; a phone stores its deal and
    sends it again.
    """
    if not is_outage(error):
        return None
    logger.error("No database: %s", error)
    return unavailable(request)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for a 500; or for a 503, where the database failed outside a view, such as when the
    session was saved."""
    if is_outage(sys.exception()):
        return unavailable(request)
    return defaults.server_error(request)


def unavailable(request: HttpRequest) -> HttpResponse:
    """The 503 response: JSON for a client that prefers it, else a page that needs no database."""
    if _wants_json(request):
        message = _("Please wait a moment: nothing can be saved just now.")
        response: HttpResponse = JsonResponse({"status": "unavailable", "message": message})
        response.status_code = 503
    else:
        response = render(request, "503.html", status=503)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    response.headers["Cache-Control"] = "no-store"
    return response


def _wants_json(request: HttpRequest) -> bool:
    try:
        return request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    except ValueError:
        return False


# Errors of the API as problems of RFC 9457: a code for programs, a sentence for people.

PROBLEM_JSON = "application/problem+json"


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field of the request; `field` is a path such as `roem.NS.1`, empty for
    the request as a whole."""

    field: str
    code: str
    message: str


class Problem(exceptions.APIException):
    """An error response. `current` is the resource as it stands now, on a version conflict."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Iterable[FieldError] = (),
        current: object = None,
    ) -> None:
        super().__init__(detail, code)
        self.status_code = status
        self.wait: int | None = None
        self.errors = tuple(errors)
        self.current = current


def query_problem(form: BaseForm) -> Problem:
    """The problem for an invalid query string (400), with an error for each parameter."""
    errors = [
        FieldError(name, fault["code"] or "invalid", fault["message"])
        for name, faults in form.errors.get_json_data().items()
        for fault in faults
    ]
    return Problem(400, "bad_query", " ".join(error.message for error in errors), errors=errors)


def too_large() -> Problem:
    """The problem for a request body that is too large (413)."""
    return Problem(413, "too_large", "This is too large.")


def problem_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The response to an exception of an API view; None for a bug."""
    problem = _as_problem(error, context["view"])
    if problem is None:
        return None
    headers = dict(_headers(problem))
    return Response(_body(problem), problem.status_code, headers=headers, content_type=PROBLEM_JSON)


def problem_answer(problem: Problem) -> HttpResponse:
    """The response where no API view was reached."""
    return JsonResponse(_body(problem), status=problem.status_code, content_type=PROBLEM_JSON)


def _as_problem(error: Exception, view: object) -> exceptions.APIException | None:
    problem: exceptions.APIException | None = None
    match error:
        case exceptions.ValidationError():
            problem = _invalid(error)
        case exceptions.APIException():
            problem = error
        case VersionConflict():
            show = getattr(view, "show_current", None)
            current = show(error.params.get("current")) if show else None
            problem = Problem(409, error.code, error.message, current=current)
        case DomainError():
            problem = Problem(422, error.code, error.message, errors=_faults(error))
        case RequestDataTooBig():
            problem = too_large()
        case Http404():
            problem = exceptions.NotFound()
        case PermissionDenied():
            problem = exceptions.PermissionDenied()
        case _ if is_outage(error):
            problem = Problem(503, "unavailable", "Please wait: nothing can be saved just now.")
            problem.wait = RETRY_SECONDS
    return problem


def _headers(problem: exceptions.APIException) -> Iterator[tuple[str, str]]:
    """WWW-Authenticate and Retry-After, where they apply."""
    if auth := getattr(problem, "auth_header", None):
        yield "WWW-Authenticate", auth
    if wait := getattr(problem, "wait", None):
        yield "Retry-After", str(math.ceil(wait))


def _body(problem: exceptions.APIException) -> dict[str, object]:
    """The members of a problem; `errors` and `current` only where there are any."""
    status = problem.status_code
    body: dict[str, object] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": str(problem.detail),
        "code": problem.get_codes(),
    }
    if isinstance(problem, Problem) and problem.errors:
        body["errors"] = [asdict(error) for error in problem.errors]
    if isinstance(problem, Problem) and problem.current is not None:
        body["current"] = problem.current
    return body


def _invalid(error: exceptions.ValidationError) -> Problem:
    """The problem for the errors of a serializer."""
    errors = list(_flat(error.detail, ()))
    return Problem(422, "invalid", " ".join(item.message for item in errors), errors=errors)


def _flat(detail: Any, path: Sequence[str]) -> Iterator[FieldError]:
    """The nested errors of a serializer as a flat list, each with the path of its field."""
    if isinstance(detail, Mapping):
        for name, below in detail.items():
            whole = name == "non_field_errors"
            yield from _flat(below, path if whole else (*path, str(name)))
    elif isinstance(detail, list):
        for place, below in enumerate(detail):
            is_text = isinstance(below, exceptions.ErrorDetail)
            yield from _flat(below, path if is_text else (*path, str(place)))
    else:
        yield FieldError(".".join(path), detail.code or "invalid", str(detail))


def _faults(error: DomainError) -> Iterator[FieldError]:
    """The errors of a service by field, where it gives them."""
    yield from (FieldError(field, code, message) for field, code, message in error.field_errors())
