"""The addresses of the API of clubs, below /api/v1/."""

from django.urls import URLPattern, path

from clubs.api import clubs, members

CLUB = "clubs/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path("clubs/", clubs.ClubList.as_view(), name="api_clubs"),
    path(CLUB, clubs.ClubDetail.as_view(), name="api_club"),
    path(f"{CLUB}members/", members.MemberList.as_view(), name="api_members"),
    path(f"{CLUB}members/<int:pk>/", members.MemberDetail.as_view(), name="api_member"),
]
