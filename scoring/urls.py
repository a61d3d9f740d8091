"""The addresses of the scoring API; each package has its own."""

from django.urls import URLResolver, include, path

urlpatterns: list[URLResolver] = [
    path("", include("scoring.api.urls")),
    path("", include("scoring.regulations.urls")),
]
