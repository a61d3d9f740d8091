"""The addresses of profile: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from clubs.profile.api import ClubDetail, ClubList
from clubs.profile.outside_views import club_outside, robots
from clubs.profile.views import (
    club_address,
    club_settings,
    club_trail,
    home,
    logo_png,
    logo_settings,
    logo_take_away,
    phone_check,
    user_trail,
)

club_desk: list[URLPattern] = [
    path("settings/", club_settings, name="club_settings"),
    path("logo/", logo_settings, name="club_logo"),
    path("logo/remove/", logo_take_away, name="logo_remove"),
    path("address/", club_address, name="club_address"),
    path("outside/", club_outside, name="club_outside"),
    path("trail/", club_trail, name="club_trail"),
    path("trail/by/<uuid:user>/", user_trail, name="user_trail"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("api/v1/clubs/<slug:slug>/", ClubDetail.as_view(), name="api_club"),
    path("api/v1/clubs/", ClubList.as_view(), name="api_clubs"),
    path("clubs/<slug:slug>/logo.png", logo_png, name="logo_png"),
    path("robots.txt", robots, name="robots"),
    path("clubs/<slug:slug>/phone/<str:code>/", phone_check, name="phone_check"),
    path("", home, name="home"),
]
