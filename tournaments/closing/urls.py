"""The addresses of closing: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.closing.api import (
    EveningCancel,
    EveningClose,
    EveningFreeze,
    EveningReopen,
    EveningRestore,
    EveningUnfreeze,
    PlayOff,
)
from tournaments.closing.views import (
    evening_close_page,
    evening_reopen_page,
    play_off,
    release_publish_page,
)

api_evening: list[URLPattern] = [
    path("freeze/", EveningFreeze.as_view(), name="api_evening_freeze"),
    path("unfreeze/", EveningUnfreeze.as_view(), name="api_evening_unfreeze"),
    path("close/", EveningClose.as_view(), name="api_evening_close"),
    path("reopen/", EveningReopen.as_view(), name="api_evening_reopen"),
    path("cancel/", EveningCancel.as_view(), name="api_evening_cancel"),
    path("restore/", EveningRestore.as_view(), name="api_evening_restore"),
    path("play-off/", PlayOff.as_view(), name="api_play_off"),
]

desk_evening: list[URLPattern] = [
    path("close/", evening_close_page, name="evening_close"),
    path("play-off/", play_off, name="play_off"),
    path("publish/", release_publish_page, name="release_publish"),
    path("reopen/", evening_reopen_page, name="evening_reopen"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
]
