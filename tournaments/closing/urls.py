"""The addresses of closing: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.closing.api import (
    CompetitorCorrectionDetail,
    CompetitorCorrections,
    EveningCancel,
    EveningClose,
    EveningCorrectionDetail,
    EveningCorrections,
    EveningFreeze,
    EveningReopen,
    EveningRestore,
    EveningUnfreeze,
    PlayOff,
    SeasonCorrectionDetail,
    SeasonCorrections,
)
from tournaments.closing.views import (
    competitor_correction_remove_page,
    evening_close_page,
    evening_correction_remove,
    evening_corrections,
    evening_reopen_page,
    play_off,
    release_publish_page,
    season_correction_remove,
    season_corrections,
)

api_evening: list[URLPattern] = [
    path("freeze/", EveningFreeze.as_view(), name="api_evening_freeze"),
    path("unfreeze/", EveningUnfreeze.as_view(), name="api_evening_unfreeze"),
    path("close/", EveningClose.as_view(), name="api_evening_close"),
    path("reopen/", EveningReopen.as_view(), name="api_evening_reopen"),
    path("cancel/", EveningCancel.as_view(), name="api_evening_cancel"),
    path("restore/", EveningRestore.as_view(), name="api_evening_restore"),
    path("play-off/", PlayOff.as_view(), name="api_play_off"),
    path("corrections/", EveningCorrections.as_view(), name="api_evening_corrections"),
    path(
        "corrections/<int:pk>/",
        EveningCorrectionDetail.as_view(),
        name="api_evening_correction",
    ),
]

desk_evening: list[URLPattern] = [
    path("close/", evening_close_page, name="evening_close"),
    path("play-off/", play_off, name="play_off"),
    path("publish/", release_publish_page, name="release_publish"),
    path("reopen/", evening_reopen_page, name="evening_reopen"),
    path("corrections/", evening_corrections, name="evening_corrections"),
    path(
        "corrections/<int:pk>/remove/", evening_correction_remove, name="evening_correction_remove"
    ),
]

desk_season: list[URLPattern] = [
    path("corrections/", season_corrections, name="season_corrections"),
    path("corrections/<int:pk>/remove/", season_correction_remove, name="season_correction_remove"),
    path(
        "corrections/pairs/<int:pk>/remove/",
        competitor_correction_remove_page,
        name="competitor_correction_remove",
    ),
]

api_season: list[URLPattern] = [
    path("corrections/", SeasonCorrections.as_view(), name="api_season_corrections"),
    path(
        "corrections/<int:pk>/",
        SeasonCorrectionDetail.as_view(),
        name="api_season_correction",
    ),
    path(
        "competitor-corrections/",
        CompetitorCorrections.as_view(),
        name="api_competitor_corrections",
    ),
    path(
        "competitor-corrections/<int:pk>/",
        CompetitorCorrectionDetail.as_view(),
        name="api_competitor_correction",
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("clubs/<slug:slug>/desk/seasons/<slug:season_slug>/", include(desk_season)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
    path("api/v1/clubs/<slug:slug>/seasons/<slug:season_slug>/", include(api_season)),
]
