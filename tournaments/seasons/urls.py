"""The addresses of seasons: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.seasons.api import SeasonDetail, SeasonList, SeasonStandings
from tournaments.seasons.views.attendance import season_attendance_page
from tournaments.seasons.views.desk import (
    season_edit,
    season_list,
    season_new,
    standing_compare,
    standing_edit,
    standing_new,
    standing_raise,
    standing_remove,
)
from tournaments.seasons.views.public import season_card, season_page
from tournaments.seasons.views.why import season_next, season_why

api_season: list[URLPattern] = [
    path("", SeasonDetail.as_view(), name="api_season"),
    path("standings/", SeasonStandings.as_view(), name="api_season_standing"),
]

desk_season: list[URLPattern] = [
    path("", season_edit, name="season_edit"),
    path("attendance/", season_attendance_page, name="season_attendance"),
    path("standings/new/", standing_new, name="standing_new"),
    path("standings/<int:pk>/", standing_edit, name="standing_edit"),
    path("standings/<int:pk>/compare/", standing_compare, name="standing_compare"),
    path("standings/<int:pk>/raise/", standing_raise, name="standing_raise"),
    path("standings/<int:pk>/remove/", standing_remove, name="standing_remove"),
]

club_desk: list[URLPattern] = [
    path("seasons/", season_list, name="season_list"),
    path("seasons/new/", season_new, name="season_new"),
]

public_season: list[URLPattern] = [
    path("", season_page, name="season_page"),
    path("card.png", season_card, name="season_card"),
    path("why/<int:pk>/", season_why, name="season_why"),
    path("next/<int:pk>/", season_next, name="season_next"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/", include(public_season)),
    path("clubs/<slug:slug>/desk/seasons/<slug:season_slug>/", include(desk_season)),
    path("api/v1/clubs/<slug:slug>/seasons/<slug:season_slug>/", include(api_season)),
    path("api/v1/clubs/<slug:slug>/seasons/", SeasonList.as_view(), name="api_seasons"),
]
