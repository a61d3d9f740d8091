"""The addresses of leagues: pages for everybody, and for who runs one."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.leagues.views.days import (
    club_match_day,
    league_fixtures,
    league_fixtures_undo,
    match_clear,
    match_day_change,
    match_day_desk,
    match_day_final,
    match_day_take,
    match_walkover,
)
from tournaments.leagues.views.league import (
    club_leagues,
    division_desk,
    division_edit,
    division_take_away,
    league_desk,
    league_leader_add,
    league_leader_remove,
    league_rule,
    league_season_desk,
    league_settings,
    league_team_edit,
    league_team_reinstate,
    league_team_remove,
    league_team_withdraw,
    league_trail,
)
from tournaments.leagues.views.public import (
    league_calendar,
    league_division,
    league_list,
    league_page,
    league_season_page,
    league_table_pdf,
    league_team_calendar,
    league_team_page,
)
from tournaments.leagues.views.rankings import (
    club_league_people,
    league_person,
    league_person_end,
    league_person_link,
    league_ranking,
    league_ranking_list,
    league_ranking_pdf,
    league_rankings,
    ranking_desk,
    ranking_preview,
    rankings_desk,
)

desk: list[URLPattern] = [
    path("", league_desk, name="league_desk"),
    path("settings/", league_settings, name="league_settings"),
    path("leaders/add/", league_leader_add, name="league_leader_add"),
    path("leaders/<int:leader>/remove/", league_leader_remove, name="league_leader_remove"),
    path("trail/", league_trail, name="league_trail"),
    path("seasons/<slug:league_season>/", league_season_desk, name="league_season_desk"),
    path("seasons/<slug:league_season>/rule/", league_rule, name="league_rule"),
    path("divisions/<int:division>/", division_desk, name="division_desk"),
    path("divisions/<int:division>/edit/", division_edit, name="division_edit"),
    path("divisions/<int:division>/remove/", division_take_away, name="division_take_away"),
    path("divisions/<int:division>/fixtures/", league_fixtures, name="league_fixtures"),
    path(
        "divisions/<int:division>/fixtures/undo/",
        league_fixtures_undo,
        name="league_fixtures_undo",
    ),
    path("teams/<int:team>/", league_team_edit, name="league_team_edit"),
    path("teams/<int:team>/remove/", league_team_remove, name="league_team_remove"),
    path("teams/<int:team>/withdraw/", league_team_withdraw, name="league_team_withdraw"),
    path("teams/<int:team>/reinstate/", league_team_reinstate, name="league_team_reinstate"),
    path("days/<int:day>/", match_day_desk, name="match_day_desk"),
    path("days/<int:day>/move/", match_day_change, name="match_day_change"),
    path("days/<int:day>/results/", match_day_take, name="match_day_take"),
    path("days/<int:day>/binding/", match_day_final, name="match_day_final"),
    path("rankings/", rankings_desk, name="rankings_desk"),
    path("rankings/<int:ranking_pk>/", ranking_desk, name="ranking_desk"),
    path("rankings/<int:ranking_pk>/publish/", ranking_preview, name="ranking_preview"),
    path("matches/<int:match>/walkover/", match_walkover, name="match_walkover"),
    path("matches/<int:match>/clear/", match_clear, name="match_clear"),
]

public: list[URLPattern] = [
    path("", league_page, name="league_page"),
    path("calendar.ics", league_calendar, name="league_calendar"),
    path("teams/<int:team>/", league_team_page, name="league_team_page"),
    path("teams/<int:team>/calendar.ics", league_team_calendar, name="league_team_calendar"),
    path("rankings/", league_rankings, name="league_rankings"),
    path("rankings/<slug:ranking>/", league_ranking, name="league_ranking"),
    path("rankings/<slug:ranking>/<int:number>/", league_ranking_list, name="league_ranking_list"),
    path(
        "rankings/<slug:ranking>/<int:number>/list.pdf",
        league_ranking_pdf,
        name="league_ranking_pdf",
    ),
    path("people/<int:person>/", league_person, name="league_person"),
    path("number/<uuid:uuid>/<str:code>/", league_person_link, name="league_person_link"),
    path("number/<uuid:uuid>/<str:code>/end/", league_person_end, name="league_person_end"),
    path("seasons/<slug:league_season>/", league_season_page, name="league_season_page"),
    path("seasons/<slug:league_season>/<int:position>/", league_division, name="league_division"),
    path(
        "seasons/<slug:league_season>/<int:position>/table.pdf",
        league_table_pdf,
        name="league_table_pdf",
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/leagues/", club_leagues, name="club_leagues"),
    path("clubs/<slug:slug>/desk/leagues/<int:day>/", club_match_day, name="club_match_day"),
    path(
        "clubs/<slug:slug>/desk/leagues/<slug:league>/people/",
        club_league_people,
        name="club_league_people",
    ),
    path("leagues/", league_list, name="league_list"),
    path("leagues/<slug:league>/desk/", include(desk)),
    path("leagues/<slug:league>/", include(public)),
]
