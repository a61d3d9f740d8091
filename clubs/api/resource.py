"""Base classes of the API's views: permissions, language, and the club of an address."""

from collections.abc import Mapping
from typing import Any, ClassVar, cast, final

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import translation
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, MethodNotAllowed, NotFound, ValidationError
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.access.permissions import Action, Target, require
from clubs.api.etags import VARY
from clubs.api.schema import ApiSchema
from clubs.audit.services import Actor
from clubs.models import ApiToken, Club, User


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
