"""The addresses of evenings: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, path

from tournaments.evenings.api import EveningDetail, EveningList
from tournaments.evenings.views import evening_rules_page

urlpatterns: list[URLPattern] = [
    path(
        "api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/",
        EveningDetail.as_view(),
        name="api_evening",
    ),
    path("api/v1/clubs/<slug:slug>/evenings/", EveningList.as_view(), name="api_evenings"),
    path(
        "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/rules/",
        evening_rules_page,
        name="evening_rules",
    ),
]
