"""Request bodies, read strictly: an unknown key is a mistake of the caller."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError


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

    target_class = "clubs.api.strict.StrictSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(  # type: ignore[no-untyped-call]  # noqa: SLF001
            self.target, direction, bypass_extensions=True
        )
        return {**schema, "additionalProperties": False}
