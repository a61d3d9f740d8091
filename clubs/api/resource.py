"""Base classes of the API's views: permissions, language, the club of an address, and pages of long
lists."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, cast, final

from django.core.paginator import Page
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import translation
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, MethodNotAllowed, NotFound, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.access.permissions import Action, Target, require
from clubs.api.requests import VARY
from clubs.api.schema import ApiSchema
from clubs.audit.services import Actor
from clubs.models import ApiToken, Club, User

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
    documentation that it stands in."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    permission_classes = [IsAllowed]
    schema = ApiSchema()
    needs: ClassVar[Needs] = {}
    tag: ClassVar[str] = ""

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
        self.club = get_object_or_404(Club, slug=names["slug"])

    @property
    def key_space(self) -> str:
        """What the Idempotency-Keys of writes here are apart by."""
        return str(self.club.uuid)

    def target(self) -> Target:
        """What the caller must be allowed to do it to: the club, or something of it."""
        return self.club
