"""The addresses of the manual."""

from django.urls import URLPattern, path

from tournaments.manual.views import manual_chapter, manual_home

urlpatterns: list[URLPattern] = [
    path("help/", manual_home, name="manual_home"),
    path("help/<slug:chapter>/", manual_chapter, name="manual_chapter"),
]
