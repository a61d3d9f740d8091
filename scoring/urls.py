"""The addresses of the API of scoring; its pages belong to tournaments."""

from django.urls import URLPattern, path

from scoring.api.score import RegulationList, Score

urlpatterns: list[URLPattern] = [
    path("api/v1/clubs/<slug:slug>/regulations/", RegulationList.as_view(), name="api_regulations"),
    path("api/v1/score/", Score.as_view(), name="api_score"),
]
