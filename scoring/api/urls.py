"""The addresses of api: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, path

from scoring.api.score import Score

urlpatterns: list[URLPattern] = [
    path("api/v1/score/", Score.as_view(), name="api_score"),
]
