"""Where the API is described: `/api/schema/` for programs, `/api/docs/` for people."""

from functools import cache
from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

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
    return render(request, "clubs/api_docs.html")


@cache
def _written(as_yaml: bool) -> bytes:
    """The document, worked out once: it is the same for everybody."""
    with translation.override("en"):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]
        document: Any = generator.get_schema(public=True)  # type: ignore[no-untyped-call]
        renderer = OpenApiYamlRenderer() if as_yaml else OpenApiJsonRenderer()
        written: bytes = renderer.render(document, renderer_context={})
        return written
