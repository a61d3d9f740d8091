"""The addresses of the whole site; each app adds its own."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from clubs.api.resource import NotHere, docs, schema

handler500 = "clubs.http.problems.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/schema/", schema, name="api_schema"),
    path("api/docs/", docs, name="api_docs"),
    path("", include("tournaments.urls")),
    path("", include("clubs.urls")),
    re_path(r"^api/v1/", NotHere.as_view(), name="api_not_found"),
]
