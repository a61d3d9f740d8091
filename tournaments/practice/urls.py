"""The addresses of practice."""

from django.urls import URLPattern, URLResolver, path

from tournaments.practice.views import practice, practice_clear, practice_on

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/practice/", practice, name="practice"),
    path("clubs/<slug:slug>/desk/practice/clear/", practice_clear, name="practice_clear"),
    path(
        "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/practice/",
        practice_on,
        name="practice_on",
    ),
]
