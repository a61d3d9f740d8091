"""The addresses of portefeuille: an evening's folders at the desk, and for everybody."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.duplicate.api import FolderDetail, FolderPlaces, SeasonPercentages
from tournaments.duplicate.night_api import (
    EveningNight,
    EveningNightSeed,
    NightCards,
    NightDetail,
    NightListing,
    NightOpening,
    NightReleaseDetail,
    NightReleaseListing,
)
from tournaments.duplicate.views.desk import (
    evening_folders,
    folder_cards,
    folder_cards_print,
    folder_paper,
    folder_results,
    folder_ruling,
    folder_ruling_remove,
    folders_late,
)
from tournaments.duplicate.views.nights import (
    folder_night,
    league_night,
    league_night_pdf,
    league_night_release,
    league_nights,
    night_cards,
    night_desk,
    night_seed,
    nights_desk,
)
from tournaments.duplicate.views.public import (
    folder_page,
    folder_pair,
    folders_page,
    season_folders,
)

desk_evening: list[URLPattern] = [
    path("folders/", evening_folders, name="evening_folders"),
    path("folders/late/", folders_late, name="folders_late"),
    path("folders/cards/", folder_cards, name="folder_cards"),
    path("folders/cards/print/", folder_cards_print, name="folder_cards_print"),
    path("folders/night/", folder_night, name="folder_night"),
    path("folders/results/", folder_results, name="folder_results"),
    path("folders/<slug:paper>.pdf", folder_paper, name="folder_paper"),
    path("folders/rulings/<int:play>/", folder_ruling, name="folder_ruling"),
    path(
        "folders/rulings/<int:play>/remove/",
        folder_ruling_remove,
        name="folder_ruling_remove",
    ),
]

public_evening: list[URLPattern] = [
    path("folders/", folders_page, name="folders_page"),
    path("folders/<int:number>/", folder_page, name="folder_page"),
    path("folders/pairs/<int:number>/", folder_pair, name="folder_pair"),
]

api_evening: list[URLPattern] = [
    path("folders/", FolderPlaces.as_view(), name="api_folders"),
    path("folders/<int:number>/", FolderDetail.as_view(), name="api_folder"),
    path("folders/night/", EveningNight.as_view(), name="api_folder_night"),
    path("folders/night/seed/", EveningNightSeed.as_view(), name="api_folder_night_seed"),
]

api_nights: list[URLPattern] = [
    path("", NightListing.as_view(), name="api_nights"),
    path("<int:night>/", NightDetail.as_view(), name="api_night"),
    path("<int:night>/cards/", NightCards.as_view(), name="api_night_cards"),
    path("<int:night>/opening/", NightOpening.as_view(), name="api_night_opening"),
    path("<int:night>/releases/", NightReleaseListing.as_view(), name="api_night_releases"),
    path(
        "<int:night>/releases/<int:number>/",
        NightReleaseDetail.as_view(),
        name="api_night_release",
    ),
]

nights_of_league: list[URLPattern] = [
    path("nights/", league_nights, name="league_nights"),
    path("nights/<int:night>/", league_night, name="league_night"),
    path(
        "nights/<int:night>/releases/<int:number>/",
        league_night_release,
        name="league_night_release",
    ),
    path(
        "nights/<int:night>/releases/<int:number>.pdf",
        league_night_pdf,
        name="league_night_pdf",
    ),
    path("nights/<int:night>/seed/", night_seed, name="night_seed"),
    path("desk/nights/", nights_desk, name="nights_desk"),
    path("desk/nights/<int:night>/", night_desk, name="night_desk"),
    path("desk/nights/<int:night>/cards/", night_cards, name="night_cards"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(public_evening)),
    path("leagues/<slug:league>/", include(nights_of_league)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
    path("api/v1/leagues/<slug:league>/nights/", include(api_nights)),
    path(
        "api/v1/clubs/<slug:slug>/seasons/<slug:season_slug>/folders/",
        SeasonPercentages.as_view(),
        name="api_season_folders",
    ),
    path(
        "clubs/<slug:slug>/seasons/<slug:season_slug>/folders/",
        season_folders,
        name="season_folders",
    ),
]
