"""The addresses of members: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from clubs.members.api import MemberDetail, MemberList
from clubs.members.views.imports import member_import, member_import_preview
from clubs.members.views.members import member_active, member_add, member_edit, member_list

api_club: list[URLPattern] = [
    path("members/", MemberList.as_view(), name="api_members"),
    path("members/<int:pk>/", MemberDetail.as_view(), name="api_member"),
]

club_desk: list[URLPattern] = [
    path("members/", member_list, name="member_list"),
    path("members/add/", member_add, name="member_add"),
    path("members/import/", member_import, name="member_import"),
    path("members/import/<uuid:uuid>/", member_import_preview, name="member_import_preview"),
    path("members/<int:pk>/", member_edit, name="member_edit"),
    path("members/<int:pk>/activate/", member_active, {"active": True}, name="member_activate"),
    path(
        "members/<int:pk>/deactivate/", member_active, {"active": False}, name="member_deactivate"
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("api/v1/clubs/<slug:slug>/", include(api_club)),
]
