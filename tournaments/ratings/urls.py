"""The addresses of ratings."""

from django.urls import URLPattern, path

from tournaments.ratings.views import ratings_page

urlpatterns: list[URLPattern] = [
    path("clubs/<slug:slug>/ratings/", ratings_page, name="ratings_page"),
]
