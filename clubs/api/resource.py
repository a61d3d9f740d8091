"""Base classes of the API's views: permissions, language, the club of an address, and pages of long
lists; and its OpenAPI document.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any, ClassVar, cast, final

from csp.decorators import csp_update
from django.core.paginator import Page
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import (
    Direction,
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    inline_serializer,
)
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, MethodNotAllowed, NotFound, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.access.permissions import Action, Target, require
from clubs.api.requests import VARY
from clubs.audit.services import Actor
from clubs.http.problems import PROBLEM_JSON
from clubs.models import ApiToken, Club, User

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
        if self.method == "GET" and getattr(self.view, "read_is_refused", False):
            yield 422

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


# Base classes of views.


_AT_LEAST_1 = {"type": "integer", "minimum": 1}


class Pages(PageNumberPagination):
    """`?page=2&page_size=50`; `next` and `previous` are paths, because no link is built from the
    `Host` header."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    @classmethod
    def of(
        cls,
        view: APIView,
        rows: QuerySet[Any] | Sequence[Any],
        serializer: type[serializers.BaseSerializer[Any]],
        **context: object,
    ) -> Response:
        """The requested page of `rows`. Raises NotFound for a page that does not exist."""
        pages = cls()
        page = pages.paginate_queryset(rows, view.request, view)
        return pages.get_paginated_response(serializer(page, many=True, context=context).data)

    @classmethod
    def parameters(cls) -> list[OpenApiParameter]:
        """What a reader of a list may ask for."""
        size = f"How many a page holds, at most {cls.max_page_size}; {cls.page_size} by itself."
        return [
            OpenApiParameter(cls.page_query_param, _AT_LEAST_1, description="Which page."),
            OpenApiParameter(str(cls.page_size_query_param), _AT_LEAST_1, description=size),
        ]

    @staticmethod
    @cache
    def answer(
        serializer: type[serializers.BaseSerializer[Any]],
    ) -> serializers.BaseSerializer[Any]:
        """A page of such things, for the document."""
        link = serializers.CharField(allow_null=True, help_text="The address of another page.")
        return inline_serializer(
            f"PageOf{serializer.__name__.removesuffix('Serializer')}",
            {
                "count": serializers.IntegerField(help_text="How many there are in all."),
                "next": link,
                "previous": serializers.CharField(allow_null=True),
                "results": serializer(many=True),
            },
        )

    def get_next_link(self) -> str | None:
        return self._link(self._page.next_page_number()) if self._page.has_next() else None

    def get_previous_link(self) -> str | None:
        before = self._page.has_previous()
        return self._link(self._page.previous_page_number()) if before else None

    @property
    def _page(self) -> Page[Any]:
        return cast("Page[Any]", self.page)

    def _link(self, number: int) -> str:
        request = cast("Request", self.request)
        query = request.query_params.copy()
        query[self.page_query_param] = str(number)
        return f"{request.path}?{query.urlencode()}"


class StrictSerializer(serializers.Serializer[Any]):
    """The body of a write. An unknown key is an error, reported with the others."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = self._unknown(data)
        try:
            value = super().to_internal_value(data)
        except ValidationError as error:
            if isinstance(error.detail, dict):
                error.detail.update(unknown)
            raise
        if unknown:
            raise ValidationError(unknown)
        return value

    def _unknown(self, data: object) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            return {}
        error = ErrorDetail("This means nothing here.", "unknown_key")
        return {str(name): [error] for name in data if name not in self.fields}


class StrictInSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Says in the OpenAPI document that there are no other keys."""

    target_class = "clubs.api.resource.StrictSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(  # type: ignore[no-untyped-call]  # noqa: SLF001
            self.target, direction, bypass_extensions=True
        )
        return {**schema, "additionalProperties": False}


@final
class Anybody:
    """In place of an action: no login is needed."""


ANYBODY = Anybody()
Needs = Mapping[str, Action | Anybody]


class IsAllowed(BasePermission):
    """Checks what the resource `needs`."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method not in view.allowed_methods:
            raise MethodNotAllowed(request.method or "")
        need = view.need(request.method)
        if isinstance(need, Action):
            require(request, need, view.target())
        return True


class Resource(APIView):
    """A view of the API. `needs` says by method ("get", "post" …) what its caller must be allowed
    to do, or ANYBODY; a method that it does not name cannot be served. `tag` is the chapter of the
    documentation that it stands in. With `read_is_refused` a GET can be refused by the rules of the
    house (422), as writes can."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    permission_classes = [IsAllowed]
    schema = ApiSchema()
    needs: ClassVar[Needs] = {}
    tag: ClassVar[str] = ""
    read_is_refused: ClassVar[bool] = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        served = {name for name in cls.http_method_names if hasattr(cls, name)} - {"head"}
        if served != set(cls.needs):
            raise TypeError(f"{cls.__name__}: `needs` must name {sorted(served)}")

    @classmethod
    def need(cls, method: str) -> Action | Anybody:
        """What the caller of this method must be allowed to do. Raises KeyError for others."""
        return cls.needs["get" if method == "HEAD" else method.lower()]

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        translation.activate("en")
        return super().initialize_request(request, *args, **kwargs)

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        answer = super().finalize_response(request, response, *args, **kwargs)
        answer.headers["Content-Language"] = "en"
        return answer

    @property
    def default_response_headers(self) -> dict[str, str]:
        own = {"Vary": ", ".join(VARY), "Cache-Control": "private, no-cache"}
        return {**super().default_response_headers, **own}

    def given(self, serializer: type[StrictSerializer]) -> dict[str, Any]:
        """What was sent. Raises ValidationError that names every fault."""
        read = serializer(data=self.request.data)
        read.is_valid(raise_exception=True)
        return dict(read.validated_data)

    @property
    def actor(self) -> Actor:
        """The caller as an actor of the trail, with the name of their token."""
        user, token = cast("User", self.request.user), self.request.auth
        by = Actor.of_user(user)
        if not isinstance(token, ApiToken):
            return by
        return Actor(ref=by.ref, label=f"{by.label} ({token.name})", user=user)


class NotHere(Resource):
    """Every address below /api/v1/ where there is nothing: 404 as a problem, whatever is asked."""

    authentication_classes = []
    schema = None  # type: ignore[assignment]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound


class ClubResource(Resource):
    """An address below `clubs/SLUG/`: has the `club`."""

    club: Club

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.find(**kwargs)
        super().initial(request, *args, **kwargs)

    def find(self, **names: Any) -> None:
        """Look up what the address is about, by the names in it. Http404 where there is none.

        Before anything is asked of the caller, so only what anybody may know that it exists.
        """
        self.club = get_object_or_404(Club, slug=names["slug"], suspended_at=None)

    @property
    def key_space(self) -> str:
        """What the Idempotency-Keys of writes here are apart by."""
        return str(self.club.uuid)

    def target(self) -> Target:
        """What the caller must be allowed to do it to: the club, or something of it."""
        return self.club
