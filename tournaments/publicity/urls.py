"""The addresses of publicity."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.publicity.views import evening_texts, wording_edit, wording_reset

club_desk: list[URLPattern] = [
    path("texts/<slug:kind>/<slug:language>/", wording_edit, name="wording_edit"),
    path("texts/<slug:kind>/<slug:language>/reset/", wording_reset, name="wording_reset"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path(
        "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/text/",
        evening_texts,
        name="evening_texts",
    ),
]
