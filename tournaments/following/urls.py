"""The addresses of following."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.following.views import (
    club_feed,
    follow_page,
    follow_push,
    follow_worker,
    player_feed,
)

club_public: list[URLPattern] = [
    path("feed/", club_feed, name="club_feed"),
    path("players/<int:pk>/feed/", player_feed, name="player_feed"),
    path("follow/", follow_page, name="follow_page"),
    path("follow/push/", follow_push, name="follow_push"),
    path("follow/sw.js", follow_worker, name="follow_worker"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/", include(club_public)),
]
