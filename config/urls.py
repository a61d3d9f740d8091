"""The addresses of the whole site; each app adds its own."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from clubs.api import document
from clubs.api.resource import NotHere
from clubs.health import health

handler500 = "clubs.unavailable.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health, name="healthz"),
    path("api/schema/", document.schema, name="api_schema"),
    path("api/docs/", document.docs, name="api_docs"),
    path("api/v1/", include("clubs.api.urls")),
    path("api/v1/", include("scoring.api_urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("api/v1/", include("tournaments.api.evening_urls")),
    re_path(r"^api/v1/", NotHere.as_view(), name="api_not_found"),
    path("", include("tournaments.urls")),
    path("", include("clubs.urls")),
]
