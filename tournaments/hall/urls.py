"""The addresses of the screen in the hall; `tv/1` is short enough for a remote control."""

from django.urls import URLPattern, path

from tournaments.hall.views import club_screen, evening_screen, hall_desk, hall_live, hall_steer

DESK = "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/screen/"

urlpatterns: list[URLPattern] = [
    path("tv/<int:club>/", club_screen, name="club_screen"),
    path(
        "clubs/<slug:slug>/evenings/<slug:evening_slug>/screen/",
        evening_screen,
        name="evening_screen",
    ),
    path(DESK, hall_desk, name="hall_desk"),
    path(f"{DESK}live/", hall_live, name="hall_live"),
    path(f"{DESK}steer/", hall_steer, name="hall_steer"),
]
