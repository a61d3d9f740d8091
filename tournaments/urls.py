"""The addresses of evenings and seasons; each package has its own."""

from django.urls import URLResolver, include, path

# First what a hall full of phones asks for.
urlpatterns: list[URLResolver] = [
    path("", include("tournaments.scoresheets.urls")),
    path("", include("tournaments.results.urls")),
    path("", include("tournaments.audit.urls")),
    path("", include("tournaments.closing.urls")),
    path("", include("tournaments.copies.urls")),
    path("", include("tournaments.desk.urls")),
    path("", include("tournaments.draw.urls")),
    path("", include("tournaments.entries.urls")),
    path("", include("tournaments.evenings.urls")),
    path("", include("tournaments.following.urls")),
    path("", include("tournaments.hall.urls")),
    path("", include("tournaments.imports.urls")),
    path("", include("tournaments.leagues.urls")),
    path("", include("tournaments.manual.urls")),
    path("", include("tournaments.money.urls")),
    path("", include("tournaments.photos.urls")),
    path("", include("tournaments.planner.urls")),
    path("", include("tournaments.players.urls")),
    path("", include("tournaments.practice.urls")),
    path("", include("tournaments.printing.urls")),
    path("", include("tournaments.prizes.urls")),
    path("", include("tournaments.publicity.urls")),
    path("", include("tournaments.ratings.urls")),
    path("", include("tournaments.registration.urls")),
    path("", include("tournaments.regulations.urls")),
    path("", include("tournaments.rounds.urls")),
    path("", include("tournaments.seasons.urls")),
    path("", include("tournaments.story.urls")),
    path("", include("tournaments.table_links.urls")),
]
