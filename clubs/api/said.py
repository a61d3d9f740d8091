"""What a program says, read strictly: a key that means nothing is a slip of its writer."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError


class Said(serializers.Serializer[Any]):
    """What is sent with a write. A key that it does not name is a fault, told with the others."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = self._unknown(data)
        try:
            found = super().to_internal_value(data)
        except ValidationError as error:
            if isinstance(error.detail, dict):
                error.detail.update(unknown)
            raise
        if unknown:
            raise ValidationError(unknown)
        return found

    def _unknown(self, data: object) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            return {}
        error = ErrorDetail("This means nothing here.", "unknown_key")
        return {str(name): [error] for name in data if name not in self.fields}


class SaidInSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """How the document tells that there are no other keys."""

    target_class = "clubs.api.said.Said"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(  # type: ignore[no-untyped-call]  # noqa: SLF001
            self.target, direction, bypass_extensions=True
        )
        return {**schema, "additionalProperties": False}
