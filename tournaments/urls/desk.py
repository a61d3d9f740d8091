"""The desk: where the organiser and the director run the evening."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.views.desk import (
    arbiter,
    board,
    closing,
    couples,
    draw,
    draw_swap,
    draw_typed,
    evening_rules,
    evenings,
    home,
    latecomers,
    pairs,
    play_twice,
    present,
    phones,
    rounds,
    seasons,
    sheet,
    sheet_acts,
)

table_urls = [
    path("", sheet.table_sheet, name="table_sheet"),
    path("preview/", sheet.table_preview, name="table_preview"),
    path("swap/", sheet_acts.table_swap, name="table_swap"),
    path("move/", sheet_acts.table_move, name="table_move"),
    path("substitute/", sheet_acts.substitute, name="table_substitute"),
    path("totals/", sheet_acts.table_totals, name="table_totals"),
    path("totals/clear/", sheet_acts.table_totals_clear, name="table_totals_clear"),
    path("dealer/", sheet_acts.table_first_dealer, name="table_dealer"),
    path("settle/", sheet_acts.table_settle, name="table_settle"),
    path("cards/<int:deal_number>/", arbiter.table_cards, name="table_cards"),
    path("cards/<int:deal_number>/found/", arbiter.table_cards_found, name="table_cards_found"),
    path(
        "cards/<int:deal_number>/<int:revision>/",
        arbiter.table_cards_record,
        name="table_cards_record",
    ),
]

round_urls: list[URLPattern | URLResolver] = [
    path("start/", rounds.round_start, name="round_start"),
    path("close/", rounds.round_close, name="round_close"),
    path("reopen/", rounds.round_reopen, name="round_reopen"),
    path("twice/", play_twice.play_twice, name="play_twice"),
    path("twice/undo/", play_twice.play_twice_undo, name="play_twice_undo"),
    path("tables/<int:number>/", include(table_urls)),
]

evening_urls: list[URLPattern | URLResolver] = [
    path("", home.evening_desk, name="evening_desk"),
    path("rules/", evening_rules.evening_rules, name="evening_rules"),
    path("edit/", evenings.evening_edit, name="evening_edit"),
    path("cancel/", evenings.cancel, name="evening_cancel"),
    path("restore/", evenings.restore, name="evening_restore"),
    path("sit-out/", evenings.sit_out, name="evening_sit_out"),
    path("present/", present.evening_present, name="evening_present"),
    path("present/tick/", present.present_tick, name="present_tick"),
    path("present/guest/", present.present_guest, name="present_guest"),
    path("present/sign-off/", present.present_sign_off, name="present_sign_off"),
    path("present/as-before/", present.present_as_before, name="present_as_before"),
    path("pairs/", pairs.evening_pairs, name="evening_pairs"),
    path("pairs/as-before/", pairs.pairs_as_before, name="pairs_as_before"),
    path("pairs/<int:number>/break/", pairs.pair_break, name="pair_break"),
    path("draw/", draw.evening_draw, name="evening_draw"),
    path("draw/type-in/", draw_typed.draw_typed, name="draw_type_in"),
    path(
        "draw/type-in/lots/",
        draw_typed.draw_lots,
        {"lettered": False},
        name="draw_type_in_lots",
    ),
    path(
        "draw/type-in/letters/",
        draw_typed.draw_lots,
        {"lettered": True},
        name="draw_type_in_letters",
    ),
    path("draw/swap/", draw_swap.draw_swap, name="draw_swap"),
    path("draw/change/", latecomers.draw_change, name="draw_change"),
    path("draw/undo/", draw.draw_undo, name="draw_undo"),
    path("board/", board.evening_board, name="evening_board"),
    path("board/live/", board.board_live, name="board_live"),
    path("freeze/", rounds.freeze, name="evening_freeze"),
    path("rounds/<int:round_number>/", include(round_urls)),
    path("close/", closing.evening_close, name="evening_close"),
    path("play-off/", closing.play_off, name="play_off"),
    path("publish/", closing.release_publish, name="release_publish"),
    path("reopen/", closing.evening_reopen, name="evening_reopen"),
]
    path("phones/", phones.evening_phones, name="evening_phones"),
    path(
        "phones/<int:number>/<int:phone>/cut-off/",
        phones.phone_set,
        {"let_in": False},
        name="phone_cut_off",
    ),
    path(
        "phones/<int:number>/<int:phone>/let-in/",
        phones.phone_set,
        {"let_in": True},
        name="phone_let_in",
    ),

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", home.desk, name="desk"),
    path("clubs/<slug:slug>/desk/evenings/", home.evening_list, name="evening_list"),
    path("clubs/<slug:slug>/desk/evenings/new/", evenings.evening_new, name="evening_new"),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(evening_urls)),
    path("clubs/<slug:slug>/desk/couples/", couples.couple_rules, name="couple_rules"),
    path(
        "clubs/<slug:slug>/desk/couples/<int:pk>/remove/",
        couples.couple_remove,
        name="couple_remove",
    ),
    path("clubs/<slug:slug>/desk/seasons/", seasons.season_list, name="season_list"),
    path("clubs/<slug:slug>/desk/seasons/new/", seasons.season_new, name="season_new"),
    path(
        "clubs/<slug:slug>/desk/seasons/<slug:season_slug>/",
        seasons.season_edit,
        name="season_edit",
    ),
]
