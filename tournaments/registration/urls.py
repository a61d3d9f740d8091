"""The addresses of registration: pages and, below /api/v1/, the API."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.registration.api import (
    PairDetail,
    PairList,
    PairNumbers,
    PairsAsBefore,
    RegistrationDetail,
    RegistrationList,
)
from tournaments.registration.competitors_api import (
    CompetitorDetail,
    CompetitorList,
    CompetitorPeople,
    CompetitorPerson,
    EveningTeams,
)
from tournaments.registration.views.check_in import (
    check_in_as_before,
    check_in_guest,
    check_in_page,
    check_in_sign_off,
    check_in_tick,
    entry_fee_amounts,
    entry_fee_other,
    entry_fee_tick,
    entry_fees_page,
)
from tournaments.registration.views.competitors import (
    competitor_edit,
    competitor_join,
    competitor_leave,
    competitor_list,
    competitor_remove_page,
    competitor_return,
    evening_teams,
    pair_plays_for_page,
)
from tournaments.registration.views.pairs import (
    couple_rule_remove_page,
    couple_rules_page,
    evening_pairs,
    pair_break_page,
    pair_numbers_page,
    pairs_as_before_page,
)

api_evening: list[URLPattern] = [
    path("registrations/", RegistrationList.as_view(), name="api_registrations"),
    path("registrations/<int:pk>/", RegistrationDetail.as_view(), name="api_registration"),
    path("pairs/", PairList.as_view(), name="api_pairs"),
    path("pairs/numbers/", PairNumbers.as_view(), name="api_pair_numbers"),
    path("pairs/as-before/", PairsAsBefore.as_view(), name="api_pairs_as_before"),
    path("pairs/<int:number>/", PairDetail.as_view(), name="api_pair"),
    path("teams/", EveningTeams.as_view(), name="api_teams"),
]

api_club: list[URLPattern] = [
    path("competitors/", CompetitorList.as_view(), name="api_competitors"),
    path("competitors/<int:pk>/", CompetitorDetail.as_view(), name="api_competitor"),
    path("competitors/<int:pk>/people/", CompetitorPeople.as_view(), name="api_competitor_people"),
    path(
        "competitors/<int:pk>/people/<int:person>/",
        CompetitorPerson.as_view(),
        name="api_competitor_person",
    ),
]

desk_evening: list[URLPattern] = [
    path("present/", check_in_page, name="evening_present"),
    path("present/tick/", check_in_tick, name="present_tick"),
    path("present/guest/", check_in_guest, name="present_guest"),
    path("present/sign-off/", check_in_sign_off, name="present_sign_off"),
    path("present/as-before/", check_in_as_before, name="present_as_before"),
    path("pairs/", evening_pairs, name="evening_pairs"),
    path("pairs/as-before/", pairs_as_before_page, name="pairs_as_before"),
    path("pairs/numbers/", pair_numbers_page, name="pair_numbers"),
    path("pairs/<int:number>/break/", pair_break_page, name="pair_break"),
    path("pairs/<int:number>/for/", pair_plays_for_page, name="pair_for"),
    path("teams/", evening_teams, name="evening_teams"),
    path("stake/", entry_fees_page, name="evening_stake"),
    path("stake/tick/", entry_fee_tick, name="stake_tick"),
    path("stake/amounts/", entry_fee_amounts, name="stake_amounts"),
    path("stake/other/", entry_fee_other, name="stake_other"),
]

club_desk: list[URLPattern] = [
    path("couples/", couple_rules_page, name="couple_rules"),
    path("couples/<int:pk>/remove/", couple_rule_remove_page, name="couple_remove"),
    path("competitors/", competitor_list, name="competitor_list"),
    path("competitors/<int:pk>/", competitor_edit, name="competitor_edit"),
    path("competitors/<int:pk>/join/", competitor_join, name="competitor_join"),
    path("competitors/<int:pk>/remove/", competitor_remove_page, name="competitor_remove"),
    path(
        "competitors/<int:pk>/people/<int:person>/leave/",
        competitor_leave,
        name="competitor_leave",
    ),
    path(
        "competitors/<int:pk>/people/<int:person>/return/",
        competitor_return,
        name="competitor_return",
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("clubs/<slug:slug>/desk/evenings/<slug:evening_slug>/", include(desk_evening)),
    path("api/v1/clubs/<slug:slug>/evenings/<slug:evening_slug>/", include(api_evening)),
    path("api/v1/clubs/<slug:slug>/", include(api_club)),
]
