"""The addresses of the REST API of scoring, below /api/v1/."""

from django.urls import path

from scoring import api

urlpatterns = [
    path("score/", api.Score.as_view(), name="api_score"),
]
