"""What everybody may read, without a login."""

from django.urls import include, path

from tournaments.views.public import (
    calendar,
    cards,
    club,
    evening,
    evening_player,
    met,
    player,
    ratings,
    screen,
    season,
    season_met,
    table,
)

evening_urls = [
    path("", evening.evening_page, name="evening_page"),
    path("live/", evening.evening_live, name="evening_live"),
    path("players/<int:pk>/", evening_player.evening_player, name="evening_player"),
    path("card.png", cards.evening_card, name="evening_card"),
    path("screen/", screen.evening_screen, name="evening_screen"),
    path(
        "rounds/<int:round_number>/tables/<int:number>/", table.evening_table, name="evening_table"
    ),
]

urlpatterns = [
    path("clubs/<slug:slug>/", club.club_page, name="club_page"),
    path("clubs/<slug:slug>/card.png", cards.club_card, name="club_card"),
    path("clubs/<slug:slug>/calendar/", calendar.club_calendar, name="club_calendar"),
    path("clubs/<slug:slug>/calendar.ics", calendar.club_ical, name="club_ical"),
    path("clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(evening_urls)),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/", season.season_page, name="season_page"),
    path(
        "clubs/<slug:slug>/seasons/<slug:season_slug>/met/",
        season_met.season_met,
        name="season_met",
    ),
    path("clubs/<slug:slug>/players/<int:pk>/", player.player_page, name="player_page"),
    path("clubs/<slug:slug>/players/<int:pk>/met/", met.player_met, name="player_met"),
    path("clubs/<slug:slug>/ratings/", ratings.ratings_page, name="ratings_page"),
]
