"""The addresses of players."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.players.views.competitors import competitor_page
from tournaments.players.views.encounters import player_met, season_met
from tournaments.players.views.evening import evening_player, player_now
from tournaments.players.views.player import player_list, player_page

club_public: list[URLPattern] = [
    path("competitors/<int:pk>/", competitor_page, name="competitor_page"),
    path("players/", player_list, name="player_list"),
    path("players/<int:pk>/", player_page, name="player_page"),
    path("players/<int:pk>/met/", player_met, name="player_met"),
    path("players/<int:pk>/now/", player_now, name="player_now"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/", include(club_public)),
    path(
        "clubs/<slug:slug>/evenings/<slug:evening_slug>/players/<int:pk>/",
        evening_player,
        name="evening_player",
    ),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/met/", season_met, name="season_met"),
]
