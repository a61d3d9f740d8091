"""The addresses of prizes."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.prizes.given_views import (
    evening_prizes_contents,
    evening_prizes_given,
    season_prizes_contents,
    season_prizes_given,
    season_prizes_went,
)
from tournaments.prizes.views import (
    cup_edit,
    cup_list,
    cup_page,
    cup_take_away,
    cup_win_take_back,
    evening_cup,
    evening_prizes_edit,
    evening_prizes_page,
    season_cup,
    season_prizes,
    season_prizes_edit,
)

desk_evening: list[URLPattern] = [
    path("prizes/", evening_prizes_page, name="evening_prizes"),
    path("prizes/edit/", evening_prizes_edit, name="evening_prizes_edit"),
    path("prizes/contents/", evening_prizes_contents, name="evening_prizes_contents"),
    path("prizes/given/", evening_prizes_given, name="evening_prizes_given"),
    path("cup/", evening_cup, name="evening_cup"),
]

desk_season: list[URLPattern] = [
    path("prizes/", season_prizes, name="season_prizes"),
    path("prizes/edit/", season_prizes_edit, name="season_prizes_edit"),
    path("prizes/contents/", season_prizes_contents, name="season_prizes_contents"),
    path("prizes/given/", season_prizes_given, name="season_prizes_given"),
    path("prizes/went/", season_prizes_went, name="season_prizes_went"),
    path("cup/", season_cup, name="season_cup"),
]

club_desk: list[URLPattern] = [
    path("cups/", cup_list, name="cup_list"),
    path("cups/<int:pk>/", cup_page, name="cup_page"),
    path("cups/<int:pk>/edit/", cup_edit, name="cup_edit"),
    path("cups/<int:pk>/remove/", cup_take_away, name="cup_take_away"),
    path("cups/<int:pk>/wins/<int:win>/remove/", cup_win_take_back, name="cup_win_take_back"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("clubs/<slug:slug>/desk/seasons/<slug:season_slug>/", include(desk_season)),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
]
