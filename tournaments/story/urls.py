"""The addresses of cards, races and records."""

from django.urls import URLPattern, path

from tournaments.story.views import club_records_page, player_card_picture, season_race

urlpatterns: list[URLPattern] = [
    path("clubs/<slug:slug>/records/", club_records_page, name="club_records"),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/race/", season_race, name="season_race"),
    path(
        "clubs/<slug:slug>/evenings/<slug:evening_slug>/players/<int:pk>/card.png",
        player_card_picture,
        name="player_card",
    ),
]
