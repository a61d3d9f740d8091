"""The addresses of money: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

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

desk_year: list[URLPattern] = [
    path("", fees_page, name="year_fees"),
    path("tick/", fee_tick, name="year_fee_tick"),
    path("amounts/", fees_amounts, name="year_fee_amounts"),
    path("<int:pk>/", fee_edit, name="year_fee"),
]

desk_season: list[URLPattern] = [
    path("fees/", fees_page, name="season_fees"),
    path("fees/tick/", fee_tick, name="season_fee_tick"),
    path("fees/amounts/", fees_amounts, name="season_fee_amounts"),
    path("fees/<int:pk>/", fee_edit, name="season_fee"),
    path("pot/", pot_page, name="season_pot"),
    path("pot/<int:pk>/remove/", pot_entry_take_away, name="pot_entry_remove"),
]

club_desk: list[URLPattern | URLResolver] = [
    path("fees/", fee_periods, name="fee_periods"),
    path("fees/<int:year>/", include(desk_year)),
    path("packages/", package_list, name="package_list"),
    path("packages/<int:pk>/remove/", package_take_away, name="package_remove"),
]

api_club: list[URLPattern] = [
    path("fees/", FeePeriodList.as_view(), name="api_fee_periods"),
    path("fees/<int:year>/", YearFees.as_view(), name="api_year_fees"),
    path("packages/", PackageList.as_view(), name="api_packages"),
    path("seasons/<slug:season_slug>/fees/", SeasonFees.as_view(), name="api_season_fees"),
    path("seasons/<slug:season_slug>/pot/", SeasonPot.as_view(), name="api_season_pot"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("clubs/<slug:slug>/desk/seasons/<slug:season_slug>/", include(desk_season)),
    path("api/v1/clubs/<slug:slug>/", include(api_club)),
]
