"""The API's OpenAPI document."""

from collections.abc import Iterator, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import Direction, OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from clubs.access.permissions import Action
from clubs.http.problems import PROBLEM_JSON

WRITES = "POST", "PUT", "PATCH", "DELETE"


class FieldErrorSerializer(serializers.Serializer[Any]):
    """What is wrong with one field of what was sent."""

    field = serializers.CharField(help_text="A path such as `roem.NS.1`; empty: all of it.")
    code = serializers.CharField()
    message = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """Why it did not go as asked (RFC 9457). Go by `code`; `detail` is for people."""

    type = serializers.CharField(default="about:blank")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    errors = FieldErrorSerializer(many=True, required=False)  # type: ignore[assignment]
    current = serializers.JSONField(
        required=False, help_text="With 409: what stands now, as the resource shows it."
    )


REASONS: Mapping[int, tuple[str, str, str]] = {
    400: ("This cannot be read.", "bad_json", "This is not JSON."),
    401: ("Log in, or send a token that is good.", "not_authenticated", "Log in first."),
    403: ("Not your task, or not what the token is for.", "not_allowed", "This is not your task."),
    404: ("There is no such thing here.", "not_found", "Not found."),
    405: ("This cannot be done to it.", "method_not_allowed", 'Method "PUT" not allowed.'),
    409: (
        "Somebody else was first: `current` is what stands now.",
        "version_conflict",
        "Somebody else changed this in the meantime.",
    ),
    413: ("This is too large.", "too_large", "This is too large."),
    415: ("Send JSON.", "unsupported_media_type", "Unsupported media type."),
    422: (
        "What was sent is wrong, or the rules of the house refuse it; nothing was written.",
        "name_missing",
        "Fill in a name.",
    ),
    429: ("Too often: wait for so many seconds as `Retry-After` says.", "throttled", "Too often."),
    503: ("The database does not answer; try again.", "unavailable", "Try again."),
}


def problem_response(status: int) -> OpenApiResponse:
    """A refusal as the document has it, with an example."""
    reason, code, detail = REASONS[status]
    title = HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code}
    example = OpenApiExample(code, value=body, media_type=PROBLEM_JSON)
    return OpenApiResponse(ProblemSerializer, reason, [example])


def key_parameter(*, required: bool) -> OpenApiParameter:
    """The Idempotency-Key of a write."""
    description = "A UUID of your own making: the same key again writes nothing and answers alike."
    return _header("Idempotency-Key", description, required=required, schema={"format": "uuid"})


def version_parameter() -> OpenApiParameter:
    """The version that a write names, where it is not in what is sent."""
    return _header("If-Match", "The ETag that you saw, in place of `version` in the body.")


def known_parameter() -> OpenApiParameter:
    """Which state of a thing the reader has already."""
    return _header("If-None-Match", "The ETag that you have: 304 as long as that is the newest.")


class ApiSchema(AutoSchema):
    """Adds to every operation who may do it and the ways in which it can fail."""

    view: Any

    def get_tags(self) -> list[str]:
        tag = getattr(self.view, "tag", "")
        return [tag] if tag else list(super().get_tags())

    def get_auth(self) -> list[Any]:
        """Logins and tokens; first of all nothing, where that is enough."""
        ways = [way for way in super().get_auth() if way]
        return ways if self._action() else [{}, *ways]

    def get_description(self) -> str:  # type: ignore[override]
        description, action = super().get_description(), self._action()
        if action is None:
            return str(description)
        scope = f", with a token of scope `{action.scope}`" if action.scope else ""
        return f"{description}\n\nFor who may {action.about}{scope}."

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status in self._refusals():
            bodies.setdefault(str(status), self._refusal(status, direction))
        return dict(sorted(bodies.items()))

    def _refusal(self, status: int, direction: Direction) -> dict[str, str]:
        """Where the document tells of this refusal, once for all operations."""
        schema = self._get_response_for_code(  # type: ignore[no-untyped-call]
            problem_response(status), str(status), [PROBLEM_JSON], direction
        )
        kind = ResolvedComponent.RESPONSE
        name = f"Problem{status}"
        component = ResolvedComponent(name, kind, schema, name)  # type: ignore[no-untyped-call]
        self.registry.register_on_missing(component)
        return dict(component.ref)

    def _refusals(self) -> Iterator[int]:
        yield from (401, 429, 503)
        if self._action() or self.method in WRITES:
            yield 403
        if "{" in self.path:
            yield 404
        if self.method in WRITES:
            yield from (400, 409, 413, 415, 422)
        elif self._has_query():
            yield from (400, 404)

    def _has_query(self) -> bool:
        return any(parameter["in"] == "query" for parameter in self._get_parameters())

    def _action(self) -> Action | None:
        """What the caller must be allowed to do; None where they need not be known."""
        need = self.view.need(self.method) if hasattr(self.view, "need") else None
        return need if isinstance(need, Action) else None


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the document tells of personal tokens."""

    target_class = "clubs.accounts.logins.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        description = "A personal token: `Token` and a space, then the token."
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": description,
        }


def _header(
    name: str, description: str, *, required: bool = False, schema: Mapping[str, str] | None = None
) -> OpenApiParameter:
    kind = {"type": "string", **(schema or {})}
    return OpenApiParameter(
        name, kind, OpenApiParameter.HEADER, required=required, description=description
    )


# The pages: `/api/schema/` for programs, `/api/docs/` for people.

YAML = "application/yaml", "application/vnd.oai.openapi", "application/x-yaml", "text/yaml"


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The OpenAPI 3 document: JSON, or YAML for who asks for that."""
    wants_yaml = request.get_preferred_type(["application/json", *YAML]) in YAML
    content = _written(wants_yaml)
    kind = "application/yaml" if wants_yaml else "application/json"
    answer = HttpResponse(content, content_type=kind, headers={"Content-Language": "en"})
    patch_vary_headers(answer, ["Accept"])
    return answer


@csp_update({"img-src": ["data:"]})
@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every operation, to be read and tried, by Swagger UI from our own server."""
    return render(request, "clubs/api/docs.html")


@cache
def _written(as_yaml: bool) -> bytes:
    """The document, generated once: it is the same for everybody."""
    with translation.override("en"):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]
        document: Any = generator.get_schema(public=True)  # type: ignore[no-untyped-call]
        renderer = OpenApiYamlRenderer() if as_yaml else OpenApiJsonRenderer()
        written: bytes = renderer.render(document, renderer_context={})
        return written
