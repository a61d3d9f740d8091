"""The addresses of leagues: pages for everybody, for captains, and for who runs one."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.leagues.api import (
    LeagueDetail,
    LeagueListing,
    LeagueMaking,
    LeagueSeasonDetail,
    LeagueSeasonListing,
    LeagueTrail,
)
from tournaments.leagues.captain_api import (
    CaptainAnswer,
    CaptainDetail,
    CaptainLineUp,
    HostLineUp,
    LineUpVerdict,
    MatchDayLineUps,
)
from tournaments.leagues.captain_links_api import ClubTeamCaptain, SeasonCaptains, TeamCaptain
from tournaments.leagues.club_api import (
    ClubPersonDetail,
    EventDocument,
    HostedDayAbsence,
    HostedDayListing,
    HostedDaySeating,
    NumberElsewhereDetail,
    NumberElsewhereListing,
    PullLinkDetail,
    PullLinkListing,
    RankableDetail,
    RankableListing,
)
from tournaments.leagues.division_api import (
    DivisionDetail,
    DivisionListing,
    LeagueTable,
    LeagueTeamDetail,
    LeagueTeamListing,
    LeagueTeamWithdrawal,
)
from tournaments.leagues.match_api import (
    LeagueEventListing,
    MatchDayBinding,
    MatchDayDetail,
    MatchDayListing,
    MatchDayResults,
    MatchDetail,
    MatchWalkover,
)
from tournaments.leagues.people_api import (
    ClubPeople,
    LeaguePeople,
    LeaguePersonDetail,
    OwnNumber,
)
from tournaments.leagues.ranking_api import (
    LeagueRankingDetail,
    LeagueRankingListing,
    LeagueRankingPreview,
    OfficialListDetail,
    OfficialListListing,
)
from tournaments.leagues.season_api import (
    ClubLeaving,
    LeaderDetail,
    LeaderListing,
    MatchDayTakingOver,
    NextSeason,
    PenaltyDetail,
    PenaltyListing,
    SourceDetail,
    SourceListing,
)
from tournaments.leagues.views.captain import (
    captain_answer,
    captain_line_up,
    captain_page,
    club_line_up,
    club_match_day,
    club_match_forms,
    club_team_absent,
    club_team_link,
    league_links_renew,
    league_team_link,
)
from tournaments.leagues.views.days import (
    league_fixtures,
    league_fixtures_undo,
    line_up_verdict,
    match_clear,
    match_day_change,
    match_day_desk,
    match_day_final,
    match_day_take,
    match_walkover,
)
from tournaments.leagues.views.exchange import (
    club_exchange,
    event_feed,
    event_feed_document,
    event_file,
    event_source_remove,
    league_exchange,
    number_elsewhere_end,
    pull_link_end,
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
    league_team_remove,
    league_trail,
)
from tournaments.leagues.views.public import (
    league_calendar,
    league_day,
    league_day_live,
    league_division,
    league_feed,
    league_list,
    league_page,
    league_season_page,
    league_season_pdf,
    league_table_pdf,
    league_team_calendar,
    league_team_page,
)
from tournaments.leagues.views.rankings import (
    club_league_people,
    league_number_give,
    league_number_take_back,
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
from tournaments.leagues.views.season_end import (
    league_club_leaves,
    league_next_season,
    league_next_season_undo,
    league_penalty_new,
    league_penalty_remove,
    league_team_reinstate,
    league_team_withdraw,
    match_day_forms,
)

desk: list[URLPattern] = [
    path("", league_desk, name="league_desk"),
    path("settings/", league_settings, name="league_settings"),
    path("leaders/add/", league_leader_add, name="league_leader_add"),
    path("leaders/<int:leader>/remove/", league_leader_remove, name="league_leader_remove"),
    path("trail/", league_trail, name="league_trail"),
    path("events/", league_exchange, name="league_exchange"),
    path("events/<int:source>/remove/", event_source_remove, name="event_source_remove"),
    path("seasons/<slug:league_season>/", league_season_desk, name="league_season_desk"),
    path("seasons/<slug:league_season>/rule/", league_rule, name="league_rule"),
    path("seasons/<slug:league_season>/next/", league_next_season, name="league_next_season"),
    path(
        "seasons/<slug:league_season>/next/undo/",
        league_next_season_undo,
        name="league_next_season_undo",
    ),
    path("seasons/<slug:league_season>/leaves/", league_club_leaves, name="league_club_leaves"),
    path("seasons/<slug:league_season>/links/", league_links_renew, name="league_links_renew"),
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
    path("teams/<int:team>/link/", league_team_link, name="league_team_link"),
    path("teams/<int:team>/penalties/", league_penalty_new, name="league_penalty_new"),
    path("penalties/<int:penalty>/remove/", league_penalty_remove, name="league_penalty_remove"),
    path("teams/<int:team>/remove/", league_team_remove, name="league_team_remove"),
    path("teams/<int:team>/withdraw/", league_team_withdraw, name="league_team_withdraw"),
    path("teams/<int:team>/reinstate/", league_team_reinstate, name="league_team_reinstate"),
    path("days/<int:day>/", match_day_desk, name="match_day_desk"),
    path("days/<int:day>/forms.pdf", match_day_forms, name="match_day_forms"),
    path("days/<int:day>/move/", match_day_change, name="match_day_change"),
    path("days/<int:day>/results/", match_day_take, name="match_day_take"),
    path("days/<int:day>/binding/", match_day_final, name="match_day_final"),
    path("line-ups/<int:line_up>/", line_up_verdict, name="line_up_verdict"),
    path("rankings/", rankings_desk, name="rankings_desk"),
    path("people/give/", league_number_give, name="league_number_give"),
    path(
        "people/<int:person>/take-back/",
        league_number_take_back,
        name="league_number_take_back",
    ),
    path("rankings/<int:ranking_pk>/", ranking_desk, name="ranking_desk"),
    path("rankings/<int:ranking_pk>/publish/", ranking_preview, name="ranking_preview"),
    path("matches/<int:match>/walkover/", match_walkover, name="match_walkover"),
    path("matches/<int:match>/clear/", match_clear, name="match_clear"),
]

public: list[URLPattern] = [
    path("", league_page, name="league_page"),
    path("calendar.ics", league_calendar, name="league_calendar"),
    path("feed/", league_feed, name="league_feed"),
    path("days/<int:day>/", league_day, name="league_day"),
    path("days/<int:day>/live/", league_day_live, name="league_day_live"),
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
    path("seasons/<slug:league_season>/season.pdf", league_season_pdf, name="league_season_pdf"),
    path("seasons/<slug:league_season>/<int:position>/", league_division, name="league_division"),
    path(
        "seasons/<slug:league_season>/<int:position>/table.pdf",
        league_table_pdf,
        name="league_table_pdf",
    ),
]

api: list[URLPattern] = [
    path("", LeagueDetail.as_view(), name="api_league"),
    path("trail/", LeagueTrail.as_view(), name="api_league_trail"),
    path("seasons/", LeagueSeasonListing.as_view(), name="api_league_seasons"),
    path("seasons/<slug:league_season>/", LeagueSeasonDetail.as_view(), name="api_league_season"),
    path(
        "seasons/<slug:league_season>/divisions/",
        DivisionListing.as_view(),
        name="api_divisions",
    ),
    path("divisions/<int:division>/", DivisionDetail.as_view(), name="api_division"),
    path("divisions/<int:division>/table/", LeagueTable.as_view(), name="api_league_table"),
    path("divisions/<int:division>/teams/", LeagueTeamListing.as_view(), name="api_league_teams"),
    path("divisions/<int:division>/days/", MatchDayListing.as_view(), name="api_match_days"),
    path("teams/<int:team>/", LeagueTeamDetail.as_view(), name="api_league_team"),
    path(
        "teams/<int:team>/withdrawal/",
        LeagueTeamWithdrawal.as_view(),
        name="api_league_team_withdrawal",
    ),
    path("days/<int:day>/", MatchDayDetail.as_view(), name="api_match_day"),
    path("days/<int:day>/results/", MatchDayResults.as_view(), name="api_match_day_results"),
    path("days/<int:day>/binding/", MatchDayBinding.as_view(), name="api_match_day_binding"),
    path("matches/<int:match>/", MatchDetail.as_view(), name="api_league_match"),
    path("matches/<int:match>/walkover/", MatchWalkover.as_view(), name="api_match_walkover"),
    path("leaders/", LeaderListing.as_view(), name="api_league_leaders"),
    path("leaders/<int:leader>/", LeaderDetail.as_view(), name="api_league_leader"),
    path("teams/<int:team>/penalties/", PenaltyListing.as_view(), name="api_league_penalties"),
    path("penalties/<int:penalty>/", PenaltyDetail.as_view(), name="api_league_penalty"),
    path(
        "seasons/<slug:league_season>/leaves/",
        ClubLeaving.as_view(),
        name="api_league_club_leaves",
    ),
    path("seasons/<slug:league_season>/next/", NextSeason.as_view(), name="api_league_next_season"),
    path(
        "seasons/<slug:league_season>/captains/",
        SeasonCaptains.as_view(),
        name="api_season_captains",
    ),
    path("days/<int:day>/take-over/", MatchDayTakingOver.as_view(), name="api_match_day_take"),
    path("sources/", SourceListing.as_view(), name="api_league_sources"),
    path("sources/<int:source>/", SourceDetail.as_view(), name="api_league_source"),
    path("events/", LeagueEventListing.as_view(), name="api_league_events"),
    path("days/<int:day>/line-ups/", MatchDayLineUps.as_view(), name="api_match_day_line_ups"),
    path(
        "line-ups/<int:line_up>/verdict/",
        LineUpVerdict.as_view(),
        name="api_line_up_verdict",
    ),
    path("teams/<int:team>/captain/", TeamCaptain.as_view(), name="api_team_captain"),
    path("people/", LeaguePeople.as_view(), name="api_league_people"),
    path("people/<int:person>/", LeaguePersonDetail.as_view(), name="api_league_person"),
    path("number/<uuid:uuid>/<str:code>/", OwnNumber.as_view(), name="api_own_number"),
    path("rankings/", LeagueRankingListing.as_view(), name="api_league_rankings"),
    path("rankings/<slug:ranking>/", LeagueRankingDetail.as_view(), name="api_league_ranking"),
    path(
        "rankings/<slug:ranking>/preview/",
        LeagueRankingPreview.as_view(),
        name="api_league_ranking_preview",
    ),
    path(
        "rankings/<slug:ranking>/lists/",
        OfficialListListing.as_view(),
        name="api_official_lists",
    ),
    path(
        "rankings/<slug:ranking>/lists/<int:number>/",
        OfficialListDetail.as_view(),
        name="api_official_list",
    ),
]

captain_api: list[URLPattern] = [
    path("", CaptainDetail.as_view(), name="api_captain"),
    path("matches/<int:match>/line-up/", CaptainLineUp.as_view(), name="api_captain_line_up"),
    path("matches/<int:match>/answer/", CaptainAnswer.as_view(), name="api_captain_answer"),
]

club_api: list[URLPattern] = [
    path("", LeagueMaking.as_view(), name="api_league_making"),
    path("teams/<int:team>/captain/", ClubTeamCaptain.as_view(), name="api_club_captain"),
    path(
        "matches/<int:match>/line-ups/<int:team>/",
        HostLineUp.as_view(),
        name="api_host_line_up",
    ),
    path("days/", HostedDayListing.as_view(), name="api_hosted_days"),
    path("days/<int:day>/seating/", HostedDaySeating.as_view(), name="api_hosted_day_seating"),
    path(
        "days/<int:day>/absent/<int:team>/",
        HostedDayAbsence.as_view(),
        name="api_hosted_day_absent",
    ),
    path("<slug:league>/people/", ClubPeople.as_view(), name="api_club_league_people"),
    path(
        "<slug:league>/people/<int:person>/",
        ClubPersonDetail.as_view(),
        name="api_club_league_person",
    ),
    path("<slug:league>/evenings/", RankableListing.as_view(), name="api_rankable_evenings"),
    path(
        "<slug:league>/evenings/<slug:evening_slug>/",
        RankableDetail.as_view(),
        name="api_rankable_evening",
    ),
]

club: list[URLPattern] = [
    path("", club_leagues, name="club_leagues"),
    path("<int:day>/", club_match_day, name="club_match_day"),
    path("<int:day>/forms.pdf", club_match_forms, name="club_match_forms"),
    path("<int:day>/line-ups/<int:match>/<int:team>/", club_line_up, name="club_line_up"),
    path("<int:day>/absent/<int:team>/", club_team_absent, name="club_team_absent"),
    path("teams/<int:team>/link/", club_team_link, name="club_team_link"),
]

captain: list[URLPattern] = [
    path("", captain_page, name="captain_page"),
    path("matches/<int:match>/line-up/", captain_line_up, name="captain_line_up"),
    path("matches/<int:match>/answer/", captain_answer, name="captain_answer"),
]

exchange_api: list[URLPattern] = [
    path("links/", PullLinkListing.as_view(), name="api_pull_links"),
    path("links/<int:link>/", PullLinkDetail.as_view(), name="api_pull_link"),
    path("numbers/", NumberElsewhereListing.as_view(), name="api_numbers_elsewhere"),
    path("numbers/<int:number_pk>/", NumberElsewhereDetail.as_view(), name="api_number_elsewhere"),
    path("<slug:evening_slug>/", EventDocument.as_view(), name="api_event_document"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("captain/<str:captain>/", include(captain)),
    path("clubs/<slug:slug>/desk/leagues/", include(club)),
    path("clubs/<slug:slug>/desk/events/", club_exchange, name="club_exchange"),
    path("clubs/<slug:slug>/desk/events/file/", event_file, name="event_file"),
    path("clubs/<slug:slug>/desk/events/<int:link>/end/", pull_link_end, name="pull_link_end"),
    path(
        "clubs/<slug:slug>/desk/events/numbers/<int:number_pk>/end/",
        number_elsewhere_end,
        name="number_elsewhere_end",
    ),
    path("events/<str:pull>/", event_feed, name="event_feed"),
    path("events/<str:pull>/<uuid:event>/", event_feed_document, name="event_feed_document"),
    path(
        "clubs/<slug:slug>/desk/leagues/<slug:league>/people/",
        club_league_people,
        name="club_league_people",
    ),
    path("leagues/", league_list, name="league_list"),
    path("leagues/<slug:league>/desk/", include(desk)),
    path("leagues/<slug:league>/", include(public)),
    path("api/v1/leagues/", LeagueListing.as_view(), name="api_leagues"),
    path("api/v1/leagues/<slug:league>/", include(api)),
    path("api/v1/clubs/<slug:slug>/leagues/", include(club_api)),
    path("api/v1/clubs/<slug:slug>/events/", include(exchange_api)),
    path("api/v1/captain/<str:captain>/", include(captain_api)),
]
