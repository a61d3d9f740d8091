"""The addresses of scoresheets: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.scoresheets.api import DealDetail
from tournaments.scoresheets.tables_api import (
    FirstDealer,
    SheetMove,
    SheetSwap,
    Substitutes,
    TableDetail,
    TableList,
)
from tournaments.scoresheets.totals_api import (
    ControlAccept,
    ControlDetail,
    MatchPlayOff,
    Totals,
)
from tournaments.scoresheets.views.claims import (
    claim_decide_page,
    evening_claims,
    table_cards,
    table_cards_found,
    table_cards_record,
)
from tournaments.scoresheets.views.confirm import (
    table_answer,
    table_chair,
    table_claim,
    table_confirm,
    table_dispute,
    table_object,
)
from tournaments.scoresheets.views.deals import table_deal, table_undo
from tournaments.scoresheets.views.desk import deal_restore_page, table_preview, table_sheet
from tournaments.scoresheets.views.desk_acts import (
    match_play_off,
    match_play_off_take_off,
    substitute,
    table_first_dealer,
    table_move,
    table_settle,
    table_swap,
    table_totals,
    table_totals_clear,
)
from tournaments.scoresheets.views.grid import table_grid, table_grid_control, table_grid_line
from tournaments.scoresheets.views.table import (
    table_dealer,
    table_hand_in,
    table_language,
    table_page,
    table_pair,
    table_play_off,
    table_restore,
    table_round,
    table_state,
    table_worker,
)
from tournaments.table_links.views import club_pin, pin

api_evening: list[URLPattern] = [
    path("rounds/<int:round_number>/tables/", TableList.as_view(), name="api_tables"),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/",
        TableDetail.as_view(),
        name="api_table",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/deals/<int:number>/",
        DealDetail.as_view(),
        name="api_deal",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/totals/",
        Totals.as_view(),
        name="api_totals",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/play-off/",
        MatchPlayOff.as_view(),
        name="api_match_play_off",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/control/",
        ControlDetail.as_view(),
        name="api_control",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/control/accept/",
        ControlAccept.as_view(),
        name="api_control_accept",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/swap/",
        SheetSwap.as_view(),
        name="api_sheet_swap",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/move/",
        SheetMove.as_view(),
        name="api_sheet_move",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/substitutes/",
        Substitutes.as_view(),
        name="api_substitutes",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:table_number>/first-dealer/",
        FirstDealer.as_view(),
        name="api_first_dealer",
    ),
]

desk_evening: list[URLPattern] = [
    path("claims/", evening_claims, name="evening_claims"),
    path("claims/<uuid:claim>/", claim_decide_page, name="claim_decide"),
    path("rounds/<int:round_number>/tables/<int:number>/", table_sheet, name="table_sheet"),
    path(
        "rounds/<int:round_number>/tables/<int:number>/preview/",
        table_preview,
        name="table_preview",
    ),
    path("rounds/<int:round_number>/tables/<int:number>/grid/", table_grid, name="table_grid"),
    path(
        "rounds/<int:round_number>/tables/<int:number>/grid/lines/<int:deal_number>/",
        table_grid_line,
        name="table_grid_line",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/grid/control/",
        table_grid_control,
        name="table_grid_control",
    ),
    path("rounds/<int:round_number>/tables/<int:number>/swap/", table_swap, name="table_swap"),
    path("rounds/<int:round_number>/tables/<int:number>/move/", table_move, name="table_move"),
    path(
        "rounds/<int:round_number>/tables/<int:number>/substitute/",
        substitute,
        name="table_substitute",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/totals/", table_totals, name="table_totals"
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/totals/clear/",
        table_totals_clear,
        name="table_totals_clear",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/play-off/",
        match_play_off,
        name="match_play_off",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/play-off/clear/",
        match_play_off_take_off,
        name="match_play_off_clear",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/dealer/",
        table_first_dealer,
        name="table_dealer",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/deals/<int:deal_number>/restore/",
        deal_restore_page,
        name="deal_restore",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/settle/", table_settle, name="table_settle"
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/cards/<int:deal_number>/",
        table_cards,
        name="table_cards",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/cards/<int:deal_number>/found/",
        table_cards_found,
        name="table_cards_found",
    ),
    path(
        "rounds/<int:round_number>/tables/<int:number>/cards/<int:deal_number>/<int:revision>/",
        table_cards_record,
        name="table_cards_record",
    ),
]

table: list[URLPattern] = [
    path("", pin, name="pin"),
    path("sw.js", table_worker, name="table_worker"),
    path("<slug:secret>/", table_page, name="table_page"),
    path("<slug:secret>/pair/", table_pair, name="table_pair"),
    path("<slug:secret>/state/", table_state, name="table_state"),
    path("<slug:secret>/language/", table_language, name="table_language"),
    path("<slug:secret>/rounds/<int:round_number>/", table_round, name="table_round"),
    path(
        "<slug:secret>/rounds/<int:round_number>/deals/<int:number>/", table_deal, name="table_deal"
    ),
    path(
        "<slug:secret>/rounds/<int:round_number>/deals/<int:number>/undo/",
        table_undo,
        name="table_undo",
    ),
    path(
        "<slug:secret>/rounds/<int:round_number>/deals/<int:number>/restore/",
        table_restore,
        name="table_restore",
    ),
    path("<slug:secret>/rounds/<int:round_number>/chair/", table_chair, name="table_chair"),
    path("<slug:secret>/rounds/<int:round_number>/confirm/", table_confirm, name="table_confirm"),
    path(
        "<slug:secret>/rounds/<int:round_number>/deals/<int:number>/object/<slug:side>/",
        table_object,
        name="table_object",
    ),
    path(
        "<slug:secret>/rounds/<int:round_number>/claims/<uuid:claim>/",
        table_claim,
        name="table_claim",
    ),
    path("<slug:secret>/rounds/<int:round_number>/dealer/", table_dealer, name="table_dealer"),
    path("<slug:secret>/rounds/<int:round_number>/totals/", table_hand_in, name="table_hand_in"),
    path(
        "<slug:secret>/rounds/<int:round_number>/play-off/", table_play_off, name="table_play_off"
    ),
    path("<slug:secret>/rounds/<int:round_number>/answer/", table_answer, name="table_answer"),
    path(
        "<slug:secret>/rounds/<int:round_number>/dispute/<slug:side>/",
        table_dispute,
        name="table_dispute",
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("t/", include(table)),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
    path("clubs/<slug:slug>/table/", club_pin, name="club_pin"),
]
