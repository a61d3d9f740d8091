"""The addresses of the whole site; each app adds its own."""

from django.urls import URLPattern, URLResolver, include, path

from clubs.health import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health, name="healthz"),
    path("api/v1/", include("scoring.api_urls")),
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
]
