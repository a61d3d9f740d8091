"""The addresses of privacy."""

from django.urls import URLPattern, URLResolver, include, path

from clubs.privacy.views import member_data, member_erase_page

club_desk: list[URLPattern] = [
    path("members/<int:pk>/data/", member_data, name="member_data"),
    path("members/<int:pk>/erase/", member_erase_page, name="member_erase"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
]
