"""The addresses of clubs, people and accounts; each package has its own."""

from django.urls import URLResolver, include, path

urlpatterns: list[URLResolver] = [
    path("", include("clubs.accounts.urls")),
    path("", include("clubs.members.urls")),
    path("", include("clubs.merges.urls")),
    path("", include("clubs.monitoring.urls")),
    path("", include("clubs.privacy.urls")),
    path("", include("clubs.profile.urls")),
    path("", include("clubs.sign_in.urls")),
]
