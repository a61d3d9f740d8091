"""The addresses of the API of seasons and evenings, below /api/v1/."""

from django.urls import URLPattern, path

from tournaments.api import evenings, releases, seasons, standings

CLUB = "clubs/<slug:slug>/"
SEASON = f"{CLUB}seasons/<slug:season_slug>/"
EVENING = f"{CLUB}evenings/<slug:evening_slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{CLUB}seasons/", seasons.SeasonList.as_view(), name="api_seasons"),
    path(SEASON, seasons.SeasonDetail.as_view(), name="api_season"),
    path(f"{SEASON}standings/", standings.SeasonStandings.as_view(), name="api_season_standing"),
    path(f"{CLUB}evenings/", evenings.EveningList.as_view(), name="api_evenings"),
    path(EVENING, evenings.EveningDetail.as_view(), name="api_evening"),
    path(f"{EVENING}standing/", standings.EveningStanding.as_view(), name="api_evening_standing"),
    path(f"{EVENING}releases/", releases.ReleaseList.as_view(), name="api_releases"),
    path(
        f"{EVENING}releases/<int:number>/",
        releases.ReleaseDetail.as_view(),
        name="api_release",
    ),
]
