"""The addresses of merges."""

from django.urls import URLPattern, URLResolver, include, path

from clubs.merges.views import member_merge, merge_list, merge_part

club_desk: list[URLPattern] = [
    path("members/<int:pk>/merge/", member_merge, name="member_merge"),
    path("members/merges/", merge_list, name="merge_list"),
    path("members/merges/<uuid:uuid>/undo/", merge_part, name="merge_undo"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
]
