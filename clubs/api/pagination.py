"""Pagination of long lists."""

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from django.core.paginator import Page
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

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
