"""The addresses of draw: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.draw.api import DrawAdapt, DrawDetail, DrawPublish, DrawSwap
from tournaments.draw.views.changes import draw_change
from tournaments.draw.views.draw import draw_swap_page, draw_undo_page, evening_draw
from tournaments.draw.views.typed import (
    draw_lots,
    draw_typed,
    extra_table_page,
    extra_table_undo_page,
)

api_evening: list[URLPattern] = [
    path("draw/", DrawDetail.as_view(), name="api_draw"),
    path("draw/publish/", DrawPublish.as_view(), name="api_draw_publish"),
    path("draw/swap/", DrawSwap.as_view(), name="api_draw_swap"),
    path("draw/adapt/", DrawAdapt.as_view(), name="api_draw_adapt"),
]

desk_evening: list[URLPattern] = [
    path("draw/", evening_draw, name="evening_draw"),
    path("draw/type-in/", draw_typed, name="draw_type_in"),
    path("draw/type-in/lots/", draw_lots, {"lettered": False}, name="draw_type_in_lots"),
    path("draw/type-in/letters/", draw_lots, {"lettered": True}, name="draw_type_in_letters"),
    path("draw/swap/", draw_swap_page, name="draw_swap"),
    path("draw/change/", draw_change, name="draw_change"),
    path("draw/undo/", draw_undo_page, name="draw_undo"),
    path("rounds/<int:round_number>/twice/", extra_table_page, name="play_twice"),
    path("rounds/<int:round_number>/twice/undo/", extra_table_undo_page, name="play_twice_undo"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
]
