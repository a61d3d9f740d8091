"""The addresses of imports."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.imports.entries_views import present_list
from tournaments.imports.views import (
    import_done,
    import_evening,
    import_evening_preview,
    import_home,
    import_results,
    import_results_preview,
    import_undo,
)

club_desk: list[URLPattern] = [
    path("import/", import_home, name="import_home"),
    path("import/results/", import_results, name="import_results"),
    path("import/results/<uuid:uuid>/", import_results_preview, name="import_results_preview"),
    path("import/evening/", import_evening, name="import_evening"),
    path("import/evening/<uuid:uuid>/", import_evening_preview, name="import_evening_preview"),
    path("import/<uuid:uuid>/", import_done, name="import_done"),
    path("import/<uuid:uuid>/undo/", import_undo, name="import_undo"),
]

desk_evening: list[URLPattern] = [
    path("present/list/", present_list, name="present_list"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
]
