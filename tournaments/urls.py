"""The addresses of evenings and seasons, by the place they are at. A package that many
addresses lead to, or that is asked for most, has a list of its own."""

from django.urls import URLPattern, URLResolver, include, path

from scoring.api.score import RegulationList, Score
from tournaments.audit.views import deal_trail, member_trail, table_trail
from tournaments.copies.views import (
    bring_page,
    bring_send,
    copy_file,
    copy_folder,
    copy_folder_forget,
    copy_home,
    copy_make,
    copy_page,
    copy_send_page,
)
from tournaments.desk.views.evenings import (
    cancel,
    delete,
    deleted,
    evening_edit,
    evening_new,
    restore,
    sit_out,
)
from tournaments.desk.views.home import club_frame, desk, evening_desk, evening_list, start_away
from tournaments.desk.views.public import (
    club_calendar,
    club_card,
    club_ical,
    club_page,
    club_standing,
)
from tournaments.draw.api import DrawAdapt, DrawDetail, DrawPublish, DrawSwap
from tournaments.draw.views.draw import draw_change, draw_swap_page, draw_undo_page, evening_draw
from tournaments.draw.views.typed import (
    draw_lots,
    draw_typed,
    extra_table_page,
    extra_table_undo_page,
)
from tournaments.evenings.api import EveningDetail, EveningList
from tournaments.evenings.views import evening_rules_page
from tournaments.following.views import (
    club_feed,
    follow_page,
    follow_push,
    follow_worker,
    player_feed,
)
from tournaments.hall.views import club_screen, evening_screen, hall_desk, hall_live, hall_steer
from tournaments.hosting.views import operator_club, operator_clubs
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
from tournaments.manual.pages import manual_chapter, manual_home
from tournaments.money.api import FeePeriodList, PackageList, SeasonFees, SeasonPot, YearFees
from tournaments.money.views import (
    fee_edit,
    fee_periods,
    fee_tick,
    fees_amounts,
    fees_page,
    package_list,
    package_take_away,
    pot_entry_take_away,
    pot_page,
)
from tournaments.photos.views import photo_edit, photo_jpeg, photo_take_away
from tournaments.players.views.encounters import player_met, season_met
from tournaments.players.views.evening import competitor_page, evening_player, player_now
from tournaments.players.views.player import player_list, player_page
from tournaments.practice.views import practice, practice_clear, practice_on
from tournaments.printing.views import (
    booklet_file,
    booklet_make,
    booklet_page,
    evening_prints,
    link_renew,
    print_all_sheets,
    print_certificates,
    print_draw,
    print_fees,
    print_follow,
    print_labels,
    print_links,
    print_links_pdf,
    print_members,
    print_numbers,
    print_season,
    print_season_certificates,
    print_sheets,
    print_spare,
    print_standings,
    season_prints,
)
from tournaments.prizes.views import (
    cup_edit,
    cup_list,
    cup_page,
    cup_take_away,
    cup_win_take_back,
    evening_cup,
    evening_prizes_contents,
    evening_prizes_edit,
    evening_prizes_given,
    evening_prizes_page,
    season_cup,
    season_prizes,
    season_prizes_contents,
    season_prizes_edit,
    season_prizes_given,
    season_prizes_went,
)
from tournaments.publicity.views import (
    evening_texts,
    evening_whatsapp,
    mail_again,
    mail_sent,
    mail_write,
    wording_edit,
    wording_reset,
)
from tournaments.ratings.views import ratings_page
from tournaments.regulations.views import (
    regulation_edit,
    regulation_effects,
    regulation_list,
    regulation_new,
    rule_notes_page,
    rules_page,
)
from tournaments.results.api import EveningStanding, ReleaseDetail, ReleaseList
from tournaments.results.link_previews import evening_card
from tournaments.results.views.evening import evening_live, evening_page
from tournaments.results.views.seating import evening_table
from tournaments.rounds.api import RoundClose, RoundDetail, RoundList, RoundReopen, RoundStart
from tournaments.rounds.views import (
    board_live,
    evening_board,
    freeze_page,
    round_close_page,
    round_reopen_page,
    round_start_page,
)
from tournaments.seasons.api import SeasonDetail, SeasonList, SeasonStandings
from tournaments.seasons.views.attendance import season_attendance_page
from tournaments.seasons.views.desk import (
    season_edit,
    season_list,
    season_new,
    standing_compare,
    standing_edit,
    standing_new,
    standing_raise,
    standing_remove,
)
from tournaments.seasons.views.public import season_card, season_page
from tournaments.seasons.views.why import season_next, season_why
from tournaments.sheet_photos.views import (
    camera_desk,
    paper_sheet,
    photo_camera,
    photo_gone,
    photo_instead,
    photo_list,
    photo_page,
    photo_picture,
    table_camera,
)
from tournaments.story.views import club_records_page, player_card_picture, season_race
from tournaments.table_links.views import evening_phones, phone_set

desk_year: list[URLPattern] = [
    path("", fees_page, name="year_fees"),
    path("tick/", fee_tick, name="year_fee_tick"),
    path("amounts/", fees_amounts, name="year_fee_amounts"),
    path("<int:pk>/", fee_edit, name="year_fee"),
]

club_public: list[URLPattern] = [
    path("", club_page, name="club_page"),
    path("frame/", club_frame, name="club_frame"),
    path("card.png", club_card, name="club_card"),
    path("calendar/", club_calendar, name="club_calendar"),
    path("calendar.ics", club_ical, name="club_ical"),
    path("standing/", club_standing, name="club_standing"),
    path(
        "evenings/<slug:evening_slug>/screen/",
        evening_screen,
        name="evening_screen",
    ),
    path("evenings/<slug:evening_slug>/photo.jpg", photo_jpeg, name="photo_jpeg"),
    path("ratings/", ratings_page, name="ratings_page"),
    path("rules/", rules_page, name="rules_page"),
    path("records/", club_records_page, name="club_records"),
    path(
        "evenings/<slug:evening_slug>/players/<int:pk>/card.png",
        player_card_picture,
        name="player_card",
    ),
    path("competitors/<int:pk>/", competitor_page, name="competitor_page"),
    path("players/", player_list, name="player_list"),
    path("players/<int:pk>/", player_page, name="player_page"),
    path("players/<int:pk>/met/", player_met, name="player_met"),
    path("players/<int:pk>/now/", player_now, name="player_now"),
    path("feed/", club_feed, name="club_feed"),
    path("players/<int:pk>/feed/", player_feed, name="player_feed"),
    path("follow/", follow_page, name="follow_page"),
    path("follow/push/", follow_push, name="follow_push"),
    path("follow/sw.js", follow_worker, name="follow_worker"),
]

club_desk: list[URLPattern | URLResolver] = [
    path("settings/sheets/", paper_sheet, name="club_sheets"),
    path("copies/", copy_home, name="copy_home"),
    path("copies/make/", copy_make, name="copy_make"),
    path("copies/send/", copy_send_page, name="copy_send"),
    path("copies/folder/", copy_folder, name="copy_folder"),
    path("copies/folder/forget/", copy_folder_forget, name="copy_folder_forget"),
    path("copies/<uuid:uuid>/", copy_page, name="copy_page"),
    path("copies/<uuid:uuid>/file/", copy_file, name="copy_file"),
    path("", desk, name="desk"),
    path("start/", start_away, name="start_away"),
    path("evenings/", evening_list, name="evening_list"),
    path("evenings/new/", evening_new, name="evening_new"),
    path("evenings/deleted/", deleted, name="evenings_deleted"),
    path("import/", import_home, name="import_home"),
    path("import/results/", import_results, name="import_results"),
    path("import/results/<uuid:uuid>/", import_results_preview, name="import_results_preview"),
    path("import/evening/", import_evening, name="import_evening"),
    path("import/evening/<uuid:uuid>/", import_evening_preview, name="import_evening_preview"),
    path("import/<uuid:uuid>/", import_done, name="import_done"),
    path("import/<uuid:uuid>/undo/", import_undo, name="import_undo"),
    path("fees/", fee_periods, name="fee_periods"),
    path("fees/<int:year>/", include(desk_year)),
    path("packages/", package_list, name="package_list"),
    path("packages/<int:pk>/remove/", package_take_away, name="package_remove"),
    path("cups/", cup_list, name="cup_list"),
    path("cups/<int:pk>/", cup_page, name="cup_page"),
    path("cups/<int:pk>/edit/", cup_edit, name="cup_edit"),
    path("cups/<int:pk>/remove/", cup_take_away, name="cup_take_away"),
    path("cups/<int:pk>/wins/<int:win>/remove/", cup_win_take_back, name="cup_win_take_back"),
    path("mail/", mail_write, name="mail_write"),
    path("mail/<uuid:uuid>/", mail_sent, name="mail_sent"),
    path("mail/<uuid:uuid>/again/", mail_again, name="mail_again"),
    path("texts/<slug:kind>/<slug:language>/", wording_edit, name="wording_edit"),
    path("texts/<slug:kind>/<slug:language>/reset/", wording_reset, name="wording_reset"),
    path("regulations/", regulation_list, name="regulation_list"),
    path("regulations/new/", regulation_new, name="regulation_new"),
    path("regulations/<int:pk>/", regulation_edit, name="regulation_edit"),
    path("regulations/<int:pk>/effects/", regulation_effects, name="regulation_effects"),
    path("rules/", rule_notes_page, name="rule_notes"),
    path("seasons/", season_list, name="season_list"),
    path("seasons/new/", season_new, name="season_new"),
    path("trail/members/<int:pk>/", member_trail, name="member_trail"),
    path("practice/", practice, name="practice"),
    path("practice/clear/", practice_clear, name="practice_clear"),
    path("fees/<int:year>/print.pdf", print_fees, name="print_year_fees"),
    path("print/members.pdf", print_members, name="print_members"),
    path("print/labels.pdf", print_labels, name="print_labels"),
]

desk_evening: list[URLPattern] = [
    path("tables/<int:number>/trail/", table_trail, name="table_trail"),
    path(
        "rounds/<int:round_number>/tables/<int:number>/deals/<int:deal_number>/",
        deal_trail,
        name="deal_trail",
    ),
    path("", evening_desk, name="evening_desk"),
    path("edit/", evening_edit, name="evening_edit"),
    path("cancel/", cancel, name="evening_cancel"),
    path("delete/", delete, name="evening_delete"),
    path("restore/", restore, name="evening_restore"),
    path("sit-out/", sit_out, name="evening_sit_out"),
    path("draw/", evening_draw, name="evening_draw"),
    path("draw/type-in/", draw_typed, name="draw_type_in"),
    path("draw/type-in/lots/", draw_lots, {"lettered": False}, name="draw_type_in_lots"),
    path("draw/type-in/letters/", draw_lots, {"lettered": True}, name="draw_type_in_letters"),
    path("draw/swap/", draw_swap_page, name="draw_swap"),
    path("draw/change/", draw_change, name="draw_change"),
    path("draw/undo/", draw_undo_page, name="draw_undo"),
    path("rounds/<int:round_number>/twice/", extra_table_page, name="play_twice"),
    path("rounds/<int:round_number>/twice/undo/", extra_table_undo_page, name="play_twice_undo"),
    path("present/list/", present_list, name="present_list"),
    path("photo/", photo_edit, name="photo_edit"),
    path("photo/remove/", photo_take_away, name="photo_remove"),
    path("sheet-photos/", photo_list, name="sheet_photos"),
    path("sheet-photos/camera/", camera_desk, name="sheet_camera"),
    path("sheet-photos/<uuid:photo>/", photo_page, name="sheet_photo"),
    path("sheet-photos/<uuid:photo>/picture.jpg", photo_picture, name="sheet_photo_picture"),
    path("sheet-photos/<uuid:photo>/remove/", photo_gone, name="sheet_photo_remove"),
    path("sheet-photos/<uuid:photo>/use/", photo_instead, name="sheet_photo_use"),
    path("print/", evening_prints, name="evening_prints"),
    path("print/certificates.pdf", print_certificates, name="print_certificates"),
    path("print/sheets/<int:round_number>.pdf", print_sheets, name="print_sheets"),
    path("print/sheets.pdf", print_all_sheets, name="print_all_sheets"),
    path("print/draw.pdf", print_draw, name="print_draw"),
    path("print/standings.pdf", print_standings, name="print_standings"),
    path("print/follow.pdf", print_follow, name="print_follow"),
    path("print/spare.pdf", print_spare, name="print_spare"),
    path("print/numbers.pdf", print_numbers, name="print_numbers"),
    path("print/links.pdf", print_links_pdf, name="print_links_pdf"),
    path("links/", print_links, name="print_links"),
    path("links/<int:number>/renew/", link_renew, name="link_renew"),
    path("links/<int:number>/<slug:side>/renew/", link_renew, name="side_link_renew"),
    path("prizes/", evening_prizes_page, name="evening_prizes"),
    path("prizes/edit/", evening_prizes_edit, name="evening_prizes_edit"),
    path("prizes/contents/", evening_prizes_contents, name="evening_prizes_contents"),
    path("prizes/given/", evening_prizes_given, name="evening_prizes_given"),
    path("cup/", evening_cup, name="evening_cup"),
    path("board/", evening_board, name="evening_board"),
    path("board/live/", board_live, name="board_live"),
    path("freeze/", freeze_page, name="evening_freeze"),
    path("rounds/<int:round_number>/start/", round_start_page, name="round_start"),
    path("rounds/<int:round_number>/close/", round_close_page, name="round_close"),
    path("rounds/<int:round_number>/reopen/", round_reopen_page, name="round_reopen"),
    path("phones/", evening_phones, name="evening_phones"),
    path(
        "phones/<int:number>/<int:phone>/cut-off/",
        phone_set,
        {"let_in": False},
        name="phone_cut_off",
    ),
    path(
        "phones/<int:number>/<int:phone>/let-in/", phone_set, {"let_in": True}, name="phone_let_in"
    ),
    path(
        "rules/",
        evening_rules_page,
        name="evening_rules",
    ),
    path("screen/", hall_desk, name="hall_desk"),
    path("screen/live/", hall_live, name="hall_live"),
    path("screen/steer/", hall_steer, name="hall_steer"),
    path(
        "practice/",
        practice_on,
        name="practice_on",
    ),
    path(
        "text/",
        evening_texts,
        name="evening_texts",
    ),
    path(
        "whatsapp/",
        evening_whatsapp,
        name="evening_whatsapp",
    ),
]

public_evening: list[URLPattern] = [
    path("", evening_page, name="evening_page"),
    path("live/", evening_live, name="evening_live"),
    path("card.png", evening_card, name="evening_card"),
    path("rounds/<int:round_number>/tables/<int:number>/", evening_table, name="evening_table"),
    path("players/<int:pk>/", evening_player, name="evening_player"),
]

desk_season: list[URLPattern] = [
    path("fees/", fees_page, name="season_fees"),
    path("fees/tick/", fee_tick, name="season_fee_tick"),
    path("fees/amounts/", fees_amounts, name="season_fee_amounts"),
    path("fees/<int:pk>/", fee_edit, name="season_fee"),
    path("pot/", pot_page, name="season_pot"),
    path("pot/<int:pk>/remove/", pot_entry_take_away, name="pot_entry_remove"),
    path("print/", season_prints, name="season_prints"),
    path("print/standing.pdf", print_season, name="print_season"),
    path("print/certificates.pdf", print_season_certificates, name="print_season_certificates"),
    path("print/fees.pdf", print_fees, name="print_fees"),
    path("print/booklet/", booklet_make, name="booklet_make"),
    path("print/booklet/<uuid:job>/", booklet_page, name="booklet_page"),
    path("print/booklet/<uuid:job>.pdf", booklet_file, name="booklet_file"),
    path("prizes/", season_prizes, name="season_prizes"),
    path("prizes/edit/", season_prizes_edit, name="season_prizes_edit"),
    path("prizes/contents/", season_prizes_contents, name="season_prizes_contents"),
    path("prizes/given/", season_prizes_given, name="season_prizes_given"),
    path("prizes/went/", season_prizes_went, name="season_prizes_went"),
    path("cup/", season_cup, name="season_cup"),
    path("", season_edit, name="season_edit"),
    path("attendance/", season_attendance_page, name="season_attendance"),
    path("standings/new/", standing_new, name="standing_new"),
    path("standings/<int:pk>/", standing_edit, name="standing_edit"),
    path("standings/<int:pk>/compare/", standing_compare, name="standing_compare"),
    path("standings/<int:pk>/raise/", standing_raise, name="standing_raise"),
    path("standings/<int:pk>/remove/", standing_remove, name="standing_remove"),
]

public_season: list[URLPattern] = [
    path("", season_page, name="season_page"),
    path("card.png", season_card, name="season_card"),
    path("why/<int:pk>/", season_why, name="season_why"),
    path("next/<int:pk>/", season_next, name="season_next"),
    path("race/", season_race, name="season_race"),
    path("met/", season_met, name="season_met"),
]

api_club: list[URLPattern] = [
    path("fees/", FeePeriodList.as_view(), name="api_fee_periods"),
    path("fees/<int:year>/", YearFees.as_view(), name="api_year_fees"),
    path("packages/", PackageList.as_view(), name="api_packages"),
    path("regulations/", RegulationList.as_view(), name="api_regulations"),
    path("seasons/<slug:season_slug>/fees/", SeasonFees.as_view(), name="api_season_fees"),
    path("seasons/<slug:season_slug>/pot/", SeasonPot.as_view(), name="api_season_pot"),
]

api_evening: list[URLPattern] = [
    path("draw/", DrawDetail.as_view(), name="api_draw"),
    path("draw/publish/", DrawPublish.as_view(), name="api_draw_publish"),
    path("draw/swap/", DrawSwap.as_view(), name="api_draw_swap"),
    path("draw/adapt/", DrawAdapt.as_view(), name="api_draw_adapt"),
    path("rounds/", RoundList.as_view(), name="api_rounds"),
    path("rounds/<int:round_number>/", RoundDetail.as_view(), name="api_round"),
    path("rounds/<int:round_number>/start/", RoundStart.as_view(), name="api_round_start"),
    path("rounds/<int:round_number>/close/", RoundClose.as_view(), name="api_round_close"),
    path("rounds/<int:round_number>/reopen/", RoundReopen.as_view(), name="api_round_reopen"),
    path("standing/", EveningStanding.as_view(), name="api_evening_standing"),
    path("releases/", ReleaseList.as_view(), name="api_releases"),
    path("releases/<int:number>/", ReleaseDetail.as_view(), name="api_release"),
]

api_season: list[URLPattern] = [
    path("", SeasonDetail.as_view(), name="api_season"),
    path("standings/", SeasonStandings.as_view(), name="api_season_standing"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    # First what a hall full of phones asks for.
    path("", include("tournaments.scoresheets.urls")),
    path("", include("tournaments.closing.urls")),
    path("", include("tournaments.duplicate.urls")),
    path("", include("tournaments.entries.urls")),
    path("", include("tournaments.leagues.urls")),
    path("", include("tournaments.planner.urls")),
    path("", include("tournaments.registration.urls")),
    path("operator/", operator_clubs, name="operator_clubs"),
    path("operator/<slug:slug>/", operator_club, name="operator_club"),
    path("clubs/<slug:slug>/", include(club_public)),
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(public_evening)),
    path("clubs/<slug:slug>/desk/seasons/<slug:season_slug>/", include(desk_season)),
    path("clubs/<slug:slug>/seasons/<slug:season_slug>/", include(public_season)),
    path("api/v1/clubs/<slug:slug>/", include(api_club)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
    path("api/v1/clubs/<slug:slug>/seasons/<slug:season_slug>/", include(api_season)),
    path("t/<slug:secret>/photo/", table_camera, name="table_camera"),
    path("camera/<str:camera>/", photo_camera, name="photo_camera"),
    path("copy/", bring_send, name="bring_send"),
    path("copy/<uuid:uuid>/", bring_page, name="bring_page"),
    path(
        "api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/",
        EveningDetail.as_view(),
        name="api_evening",
    ),
    path("api/v1/clubs/<slug:slug>/evenings/", EveningList.as_view(), name="api_evenings"),
    path("tv/<int:club>/", club_screen, name="club_screen"),
    path("help/", manual_home, name="manual_home"),
    path("help/<slug:chapter>/", manual_chapter, name="manual_chapter"),
    path("api/v1/clubs/<slug:slug>/seasons/", SeasonList.as_view(), name="api_seasons"),
    path("api/v1/score/", Score.as_view(), name="api_score"),
]
