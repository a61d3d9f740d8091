"""The addresses of results: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.results.api import EveningStanding, ReleaseDetail, ReleaseList
from tournaments.results.link_previews import evening_card
from tournaments.results.views.evening import evening_live, evening_page
from tournaments.results.views.seating import evening_table

api_evening: list[URLPattern] = [
    path("standing/", EveningStanding.as_view(), name="api_evening_standing"),
    path("releases/", ReleaseList.as_view(), name="api_releases"),
    path("releases/<int:number>/", ReleaseDetail.as_view(), name="api_release"),
]

public_evening: list[URLPattern] = [
    path("", evening_page, name="evening_page"),
    path("live/", evening_live, name="evening_live"),
    path("card.png", evening_card, name="evening_card"),
    path("rounds/<int:round_number>/tables/<int:number>/", evening_table, name="evening_table"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(public_evening)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
]
