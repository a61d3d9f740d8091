"""The addresses of regulations: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, path

from scoring.regulations.api import RegulationList

urlpatterns: list[URLPattern] = [
    path("api/v1/clubs/<slug:slug>/regulations/", RegulationList.as_view(), name="api_regulations"),
]
