"""The addresses of the API below an evening, by which it is run."""

from django.urls import URLPattern, path

from tournaments.api import (
    acts,
    control,
    deals,
    draw,
    draw_changes,
    pairs,
    play_off,
    registrations,
    rounds,
    seats,
    sheets,
    tables,
    totals,
)

EVENING = "clubs/<slug:slug>/evenings/<slug:evening_slug>/"
ROUND = f"{EVENING}rounds/<int:round_number>/"
TABLE = f"{ROUND}tables/<int:table_number>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENING}freeze/", acts.EveningFreeze.as_view(), name="api_evening_freeze"),
    path(f"{EVENING}unfreeze/", acts.EveningUnfreeze.as_view(), name="api_evening_unfreeze"),
    path(f"{EVENING}close/", acts.EveningClose.as_view(), name="api_evening_close"),
    path(f"{EVENING}reopen/", acts.EveningReopen.as_view(), name="api_evening_reopen"),
    path(f"{EVENING}cancel/", acts.EveningCancel.as_view(), name="api_evening_cancel"),
    path(f"{EVENING}restore/", acts.EveningRestore.as_view(), name="api_evening_restore"),
    path(
        f"{EVENING}registrations/",
        registrations.RegistrationList.as_view(),
        name="api_registrations",
    ),
    path(
        f"{EVENING}registrations/<int:pk>/",
        registrations.RegistrationDetail.as_view(),
        name="api_registration",
    ),
    path(f"{EVENING}draw/", draw.DrawDetail.as_view(), name="api_draw"),
    path(f"{EVENING}draw/publish/", draw.DrawPublish.as_view(), name="api_draw_publish"),
    path(f"{EVENING}draw/swap/", draw_changes.DrawSwap.as_view(), name="api_draw_swap"),
    path(f"{EVENING}draw/adapt/", draw_changes.DrawAdapt.as_view(), name="api_draw_adapt"),
    path(f"{EVENING}pairs/", pairs.PairList.as_view(), name="api_pairs"),
    path(f"{EVENING}pairs/as-before/", pairs.PairsAsBefore.as_view(), name="api_pairs_as_before"),
    path(f"{EVENING}pairs/<int:number>/", pairs.PairDetail.as_view(), name="api_pair"),
    path(f"{EVENING}play-off/", play_off.PlayOff.as_view(), name="api_play_off"),
    path(f"{EVENING}rounds/", rounds.RoundList.as_view(), name="api_rounds"),
    path(ROUND, rounds.RoundDetail.as_view(), name="api_round"),
    path(f"{ROUND}start/", rounds.RoundStart.as_view(), name="api_round_start"),
    path(f"{ROUND}close/", rounds.RoundClose.as_view(), name="api_round_close"),
    path(f"{ROUND}reopen/", rounds.RoundReopen.as_view(), name="api_round_reopen"),
    path(f"{ROUND}tables/", tables.TableList.as_view(), name="api_tables"),
    path(TABLE, tables.TableDetail.as_view(), name="api_table"),
    path(f"{TABLE}deals/<int:number>/", deals.DealDetail.as_view(), name="api_deal"),
    path(f"{TABLE}totals/", totals.Totals.as_view(), name="api_totals"),
    path(f"{TABLE}control/", control.ControlDetail.as_view(), name="api_control"),
    path(f"{TABLE}control/accept/", control.ControlAccept.as_view(), name="api_control_accept"),
    path(f"{TABLE}swap/", sheets.SheetSwap.as_view(), name="api_sheet_swap"),
    path(f"{TABLE}move/", sheets.SheetMove.as_view(), name="api_sheet_move"),
    path(f"{TABLE}substitutes/", seats.Substitutes.as_view(), name="api_substitutes"),
    path(f"{TABLE}first-dealer/", seats.FirstDealer.as_view(), name="api_first_dealer"),
]
