"""The addresses of money."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.money.views import (
    fee_edit,
    fee_tick,
    fees_amounts,
    fees_page,
    package_list,
    package_take_away,
    pot_entry_take_away,
    pot_page,
)

desk_season: list[URLPattern] = [
    path("fees/", fees_page, name="season_fees"),
    path("fees/tick/", fee_tick, name="season_fee_tick"),
    path("fees/amounts/", fees_amounts, name="season_fee_amounts"),
    path("fees/<int:pk>/", fee_edit, name="season_fee"),
    path("pot/", pot_page, name="season_pot"),
    path("pot/<int:pk>/remove/", pot_entry_take_away, name="pot_entry_remove"),
]

club_desk: list[URLPattern] = [
    path("packages/", package_list, name="package_list"),
    path("packages/<int:pk>/remove/", package_take_away, name="package_remove"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("clubs/<slug:slug>/desk/seasons/<slug:season_slug>/", include(desk_season)),
]
