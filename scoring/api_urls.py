"""The addresses of the REST API of scoring, below /api/v1/."""

from django.urls import path

from scoring import api, api_regulations

urlpatterns = [
    path("score/", api.Score.as_view(), name="api_score"),
    path(
        "clubs/<slug:slug>/regulations/",
        api_regulations.RegulationList.as_view(),
        name="api_regulations",
    ),
]
