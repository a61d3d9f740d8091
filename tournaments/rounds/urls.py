"""The addresses of rounds: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.rounds.api import RoundClose, RoundDetail, RoundList, RoundReopen, RoundStart
from tournaments.rounds.views import (
    board_live,
    evening_board,
    freeze_page,
    round_close_page,
    round_reopen_page,
    round_start_page,
)

api_evening: list[URLPattern] = [
    path("rounds/", RoundList.as_view(), name="api_rounds"),
    path("rounds/<int:round_number>/", RoundDetail.as_view(), name="api_round"),
    path("rounds/<int:round_number>/start/", RoundStart.as_view(), name="api_round_start"),
    path("rounds/<int:round_number>/close/", RoundClose.as_view(), name="api_round_close"),
    path("rounds/<int:round_number>/reopen/", RoundReopen.as_view(), name="api_round_reopen"),
]

desk_evening: list[URLPattern] = [
    path("board/", evening_board, name="evening_board"),
    path("board/live/", board_live, name="board_live"),
    path("freeze/", freeze_page, name="evening_freeze"),
    path("rounds/<int:round_number>/start/", round_start_page, name="round_start"),
    path("rounds/<int:round_number>/close/", round_close_page, name="round_close"),
    path("rounds/<int:round_number>/reopen/", round_reopen_page, name="round_reopen"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
]
