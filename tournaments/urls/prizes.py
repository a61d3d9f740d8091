"""Prizes, stakes, cups, and what the club sends out after an evening: all at its desk."""

from django.urls import include, path

from tournaments.views.desk import cups, prizes, stakes, texts

DESK = "clubs/<slug:slug>/desk/"

evening_urls = [
    path("prizes/", prizes.evening_prizes_page, name="evening_prizes"),
    path("prizes/edit/", prizes.evening_prizes_edit, name="evening_prizes_edit"),
    path("cup/", cups.evening_cup, name="evening_cup"),
    path("text/", texts.evening_texts, name="evening_texts"),
    path("stake/", stakes.evening_stake, name="evening_stake"),
    path("stake/tick/", stakes.stake_tick, name="stake_tick"),
    path("stake/amounts/", stakes.stake_amounts, name="stake_amounts"),
    path("stake/other/", stakes.stake_other, name="stake_other"),
]

season_urls = [
    path("prizes/", prizes.season_prizes, name="season_prizes"),
    path("prizes/edit/", prizes.season_prizes_edit, name="season_prizes_edit"),
    path("cup/", cups.season_cup, name="season_cup"),
]

cup_urls = [
    path("", cups.cup_page, name="cup_page"),
    path("edit/", cups.cup_edit, name="cup_edit"),
    path("remove/", cups.cup_take_away, name="cup_take_away"),
    path("wins/<int:win>/remove/", cups.cup_win_take_back, name="cup_win_take_back"),
]

wording_urls = [
    path("", texts.wording_edit, name="wording_edit"),
    path("reset/", texts.wording_reset, name="wording_reset"),
]

urlpatterns = [
    path(f"{DESK}cups/", cups.cup_list, name="cup_list"),
    path(f"{DESK}cups/<int:pk>/", include(cup_urls)),
    path(f"{DESK}evenings/<slug:evening_slug>/", include(evening_urls)),
    path(f"{DESK}texts/<slug:kind>/<slug:language>/", include(wording_urls)),
    path(f"{DESK}seasons/<slug:season_slug>/", include(season_urls)),
]
