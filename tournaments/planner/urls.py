"""The addresses of the planner: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, path

from tournaments.planner.api import GroupList, KindList
from tournaments.planner.views import (
    evening_groups,
    evening_groups_join,
    kind_delete,
    kind_edit,
    kind_list,
    kind_new,
    later_evenings,
    next_session,
    planner,
    series_page,
)

urlpatterns: list[URLPattern] = [
    path("api/v1/clubs/<slug:slug>/kinds/", KindList.as_view(), name="api_kinds"),
    path(
        "api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/groups/",
        GroupList.as_view(),
        name="api_groups",
    ),
    path("clubs/<slug:slug>/desk/planner/", planner, name="planner"),
    path("clubs/<slug:slug>/desk/planner/<uuid:uuid>/", series_page, name="series_page"),
    path(
        "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/later/",
        later_evenings,
        name="later_evenings",
    ),
    path(
        "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/next-session/",
        next_session,
        name="next_session",
    ),
    path(
        "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/groups/",
        evening_groups,
        name="evening_groups",
    ),
    path(
        "clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/groups/join/",
        evening_groups_join,
        name="evening_groups_join",
    ),
    path("clubs/<slug:slug>/desk/kinds/", kind_list, name="kind_list"),
    path("clubs/<slug:slug>/desk/kinds/new/", kind_new, name="kind_new"),
    path("clubs/<slug:slug>/desk/kinds/<int:pk>/", kind_edit, name="kind_edit"),
    path("clubs/<slug:slug>/desk/kinds/<int:pk>/delete/", kind_delete, name="kind_delete"),
]
