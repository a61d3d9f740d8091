"""Running a league through its pages, by who leads it."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.audit.services import chain_faults
from clubs.models import AuditEvent
from scoring.audit.verify import seal_faults, trail_faults
from tests.factories import TESTS, ClubFactory, MemberFactory, organiser_of
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues import (
    FIRST,
    division_of,
    leader_client,
    league_of,
    match_of,
    play,
)
from tests.tournaments.public_pages import get, rows, words
from tournaments.leagues.services import league_change
from tournaments.models import (
    Division,
    League,
    LeagueMatch,
    LeagueSeason,
    LeagueTeam,
    MatchDay,
)

pytestmark = pytest.mark.django_db

WORKED = [
    ("A", "B", (1386, 1326), (1230, 1502)),
    ("C", "D", (1404, 1288), (1351, 1311)),
]
"""Round 1 of the day worked out in `competitions.md`."""


def table_of(client: Client, division: Division) -> list[list[str]]:
    """Place, team, match points and difference of each line on the public page."""
    page = get(client, division_url(division))
    return [[row[0], row[1], row[2], row[9]] for row in rows(page)]


def division_url(division: Division) -> str:
    season = division.season
    return f"/leagues/{season.league.slug}/seasons/{season.slug}/{division.position}/"


def test_a_league_is_made_and_run_on_its_pages() -> None:
    club = ClubFactory.create(name="De Azen", slug="de-azen")
    desk = desk_of(club)
    made = desk.post(
        "/clubs/de-azen/desk/leagues/",
        {"name": "Competitie Noord", "language": "nl"},
        follow=True,
    )
    assert made.redirect_chain[-1][0] == "/leagues/competitie-noord/desk/"
    desk.post("/leagues/competitie-noord/desk/", {"name": "2026-2027"})
    division = Division.objects.get()
    base = f"/leagues/competitie-noord/desk/divisions/{division.pk}/"
    added = desk.post(base, {"teams": "De Azen 1\nDe Azen 2\nBoeren; Boerenclub\n\nNegens\t"})
    assert added.status_code == 302
    assert list(LeagueTeam.objects.values_list("name", "club").order_by("pk")) == [
        ("De Azen 1", "De Azen"),
        ("De Azen 2", "De Azen"),
        ("Boeren", "Boerenclub"),
        ("Negens", ""),
    ]
    assert "Speeldag 1" in words(get(desk, f"{base}fixtures/?seed=7"))
    desk.post(f"{base}fixtures/", {"seed": "7", "first": "2026-12-04", "weeks": "2"})
    day = MatchDay.objects.get()
    assert (day.date, day.matches.count()) == (dt.date(2026, 12, 4), 6)
    division.refresh_from_db()
    assert division.seed == 7


def test_teams_with_faults_are_refused_all_at_once() -> None:
    league = league_of()
    division = division_of(league, drawn=False)
    page = leader_client(league).post(
        f"/leagues/{league.slug}/desk/divisions/{division.pk}/",
        {"teams": "Nieuw\nboeren\n; Club\nZuid\nzuid"},
    )
    assert page.status_code == 422
    said = words(page)
    for line in (2, 3, 4, 5):
        assert f"Regel {line}" in said
    assert "Nieuw boeren ; Club Zuid zuid" in said  # what was typed is still there
    assert division.teams.count() == 4


@pytest.mark.full
def test_the_worked_day_by_each_kind_of_match_points(client: Client) -> None:
    expected = {
        "win_draw": {"A": "0", "B": "2", "C": "2", "D": "0"},
        "tables_and_total": {"A": "1", "B": "2", "C": "3", "D": "0"},
        "rank_of_group": {"A": "1", "B": "3", "C": "2", "D": "0"},
        "victory_points": {"A": "2,22", "B": "17,78", "C": "16,35", "D": "3,65"},
    }
    league = league_of()
    division = division_of(league, ("A", "B", "C", "D"))
    # Whoever meets in round 1 by this draw: the two matches must be of one round.
    LeagueMatch.objects.filter(pk=match_of(division, "C", "D").pk).update(
        round=match_of(division, "A", "B").round
    )
    for one, two, *tables in WORKED:
        play(division, one, two, *tables)
    for points, gained in expected.items():
        LeagueSeason.objects.filter(pk=division.season_id).update(points=points)
        assert {row[1]: row[2] for row in table_of(client, division)} == gained


def test_results_are_typed_in_and_corrected_with_a_reason(client: Client) -> None:
    league = league_of()
    division = division_of(league)
    match = match_of(division, "De Azen", "Boeren")
    url = f"/leagues/{league.slug}/desk/days/{match.day_id}/"
    leader = leader_client(league)

    def typed(*points: int) -> dict[str, object]:
        cells = [f"m{match.pk}_{table}_{side}" for table in (0, 1) for side in (0, 1)]
        match.refresh_from_db()
        return {f"m{match.pk}_version": match.version, **dict(zip(cells, points, strict=True))}

    page = leader.post(url, typed(1386, 1326, 1230, 1502), follow=True)
    assert messages_in(page) == ["1 uitslag is bewaard."]  # 120 and 140 of roem are tens
    match.refresh_from_db()
    assert (match.scores, match.binding) == ([[1386, 1326], [1230, 1502]], True)
    refused = leader.post(url, typed(1386, 1326, 1230, 1503))
    assert refused.status_code == 422
    page = leader.post(url, {**typed(1386, 1326, 1230, 1503), "reason": "Telfout"}, follow=True)
    assert "tafel 2 telt op tot 2.733" in messages_in(page)[1]
    half = leader.post(url, {f"m{match.pk}_0_0": "1386", "reason": "x"})
    assert half.status_code == 422
    assert "Gecorrigeerd: Telfout" in words(get(client, division_url(division)))
    league.refresh_from_db()
    assert chain_faults(league) == ()


def test_a_total_for_the_whole_match_will_do(client: Client) -> None:
    league = league_of()
    division = division_of(league, ("A", "B", "C", "D"), points="victory_points")
    play(division, "A", "B", (2616, 2828))
    assert {row[1]: row[2] for row in table_of(client, division)}["B"] == "17,78"


def test_who_does_not_appear_gives_the_others_their_own_mean(client: Client) -> None:
    league = league_of()
    division = division_of(league, ("A", "B", "C", "D"))
    play(division, "A", "B", (1500, 1200), (1301, 1400))
    match = match_of(division, "A", "C")
    gone = next(team for team in (match.home, match.away) if team.name == "C")
    page = leader_client(league).post(
        f"/leagues/{league.slug}/desk/matches/{match.pk}/walkover/",
        {"team": gone.pk, "reason": "Sneeuw", "version": match.version},
        follow=True,
    )
    assert messages_in(page) == ["Opgeschreven dat C er niet was."]
    assert table_of(client, division)[0] == ["1", "A", "4", "3.002"]


@pytest.mark.parametrize(
    ("stands", "expected"),
    [
        ("no", [["1", "A", "0"], ["1", "B", "0"], ["1", "C", "0"]]),
        # B and C have played nothing: half of the card points of two tables stand for their mean.
        ("yes", [["1", "B", "2"], ["1", "C", "2"], ["3", "A", "2"], ["4", "D", "0"]]),
    ],
)
def test_a_team_that_withdraws_in_mid_season(
    client: Client, stands: str, expected: list[list[str]]
) -> None:
    league = league_of()
    division = division_of(league, ("A", "B", "C", "D"), ties=["difference"])
    play(division, "A", "D", (1500, 1100), (1500, 1100))
    team = division.teams.get(name="D")
    leader = leader_client(league)
    url = f"/leagues/{league.slug}/desk/teams/{team.pk}/"
    assert leader.get(f"{url}withdraw/").status_code == 200
    leader.post(
        f"{url}withdraw/", {"results_stand": stands, "reason": "Te weinig mensen", "version": 1}
    )
    assert [row[:3] for row in table_of(client, division)] == expected
    leader.post(f"{url}reinstate/")
    assert table_of(client, division)[0][:3] == ["1", "A", "2"]
    assert len(table_of(client, division)) == 4


@pytest.mark.full
def test_a_match_day_is_moved_with_a_reason_and_says_whom_to_tell(client: Client) -> None:
    league = league_of()
    division = division_of(league)
    day = division.days.get()
    MatchDay.objects.filter(pk=day.pk).update(date=dt.date(2026, 12, 4))
    host = division.teams.get(name="Boeren")
    url = f"/leagues/{league.slug}/desk/days/{day.pk}/move/"
    move: dict[str, Any] = {"date": "2026-12-11", "host": host.pk, "place": "De Kroon"}
    leader = leader_client(league)
    assert leader.post(url, {**move, "version": day.version}).status_code == 422
    page = leader.post(url, {**move, "version": day.version, "reason": "Zaal bezet"}, follow=True)
    told = messages_in(page)[0]
    assert sorted(told.rpartition(": ")[2].strip(".").split(", ")) == sorted(FIRST)
    said = words(get(client, division_url(division)))
    assert "vrijdag 11 december 2026 · Boeren ontvangt · De Kroon Verplaatst: Zaal bezet" in said
    stale = leader.post(url, {**move, "version": day.version, "reason": "Nog eens"})
    assert stale.status_code == 422


def test_fixtures_are_taken_back_until_there_is_a_result() -> None:
    league = league_of()
    division = division_of(league)
    leader = leader_client(league)
    url = f"/leagues/{league.slug}/desk/divisions/{division.pk}/fixtures/"
    play(division, "De Azen", "Boeren", (1400, 1200), (1400, 1200))
    page = leader.post(f"{url}undo/", follow=True)
    assert "Er zijn al uitslagen" in messages_in(page)[0]
    match = match_of(division, "De Azen", "Boeren")
    clear = f"/leagues/{league.slug}/desk/matches/{match.pk}/clear/"
    leader.post(clear, {"reason": "Verkeerde dag", "version": match.version})
    leader.post(f"{url}undo/")
    assert MatchDay.objects.count() == 0
    again = leader.post(url, {"seed": "1", "weeks": "2"})
    assert again.status_code == 302
    assert LeagueMatch.objects.count() == 6


def test_a_rule_is_read_in_words_before_it_is_saved() -> None:
    league = league_of()
    season = division_of(league, drawn=False).season
    leader = leader_client(league)
    url = f"/leagues/{league.slug}/desk/seasons/{season.slug}/rule/"
    given = {
        "meeting": "four",
        "cycles": 1,
        "tables": 2,
        "deals": 16,
        "points": "victory_points",
        "win": 2,
        "draw": 1,
        "loss": 0,
        "tie_0": "wins",
        "tie_1": "",
        "tie_2": "",
        "tie_3": "",
        "exchange": 1,
        "deadline_hours": 72,
        "answer_hours": 48,
        "higher_turns": "",
        "played_by": "host",
        "regulation": "Wij beginnen om acht uur.",
        "version": season.version,
    }
    page = leader.post(url, {**given, "preview": "1"})
    assert page.status_code == 200
    assert ["1", "B", "17,78", "2.828"] in rows(page)
    season.refresh_from_db()
    assert season.points == "win_draw"
    assert leader.post(url, {**given, "win": "0"}).status_code == 422
    assert leader.post(url, given).status_code == 302
    season.refresh_from_db()
    assert (season.points, season.ties, season.version) == ("victory_points", ["wins"], 2)
    assert leader.post(url, given).status_code == 422  # somebody else was first


def test_players_are_named_as_their_club_shows_them(client: Client) -> None:
    club = ClubFactory.create(name="Boeren")
    MemberFactory.create(club=club, name="Jan de Vries", public_as="initials")
    MemberFactory.create(club=club, name="Mia Smit", public_as="hidden")
    league = league_of()
    team = division_of(league).teams.get(name="Boeren")
    leader_client(league).post(
        f"/leagues/{league.slug}/desk/teams/{team.pk}/",
        {
            "name": "Boeren",
            "club": "Boeren",
            "players": "jan de vries\nMia Smit\nPiet Los",
            "reserves": "Els Bos",
            "version": team.version,
        },
    )
    said = words(get(client, f"/leagues/{league.slug}/teams/{team.pk}/"))
    assert "Spelers J. d. V. Anoniem Piet Los Els Bos (reserve)" in said


def test_a_player_for_two_teams_of_one_club_is_refused() -> None:
    league = league_of()
    division = division_of(league, ("Azen 1", "Azen 2", "Boeren", "Negens"))
    LeagueTeam.objects.filter(name__startswith="Azen").update(club="Azen")
    leader = leader_client(league)
    for name, status in (("Azen 1", 302), ("Azen 2", 422)):
        team = division.teams.get(name=name)
        page = leader.post(
            f"/leagues/{league.slug}/desk/teams/{team.pk}/",
            {"name": name, "club": "Azen", "players": "Jan de Vries", "version": team.version},
        )
        assert page.status_code == status
    assert "Jan de Vries speelt al voor Azen 1" in words(page)


def test_who_leads_and_who_does_not() -> None:
    league = league_of()
    leader = leader_client(league)
    other = ClubFactory.create()
    stranger = desk_of(other)
    url = f"/leagues/{league.slug}/desk/settings/"
    assert stranger.get(url).status_code == 403
    assert Client().get(url).status_code == 302
    only = league.leaders.get()
    page = leader.post(f"/leagues/{league.slug}/desk/leaders/{only.pk}/remove/", follow=True)
    assert "Er zou niemand overblijven" in messages_in(page)[0]
    email = organiser_of(other).email
    leader.post(f"/leagues/{league.slug}/desk/leaders/add/", {"email": email.upper()})
    assert league.leaders.count() == 2
    second = Client()
    second.force_login(league.leaders.last().user)  # type: ignore[union-attr]
    assert second.get(url).status_code == 200


def test_the_trail_of_a_league_is_its_own_and_verifies() -> None:
    league = league_of()
    division_of(league)
    league_change(league=league, name="Noord", language="nl", version=1, actor=TESTS)
    said = words(get(leader_client(league), f"/leagues/{league.slug}/desk/trail/"))
    assert said.index("De competitie heet nu “Noord”") < said.index("Het team Boeren")
    assert list(trail_faults()) == []
    assert seal_faults() == []
    assert AuditEvent.objects.filter(chain=league.chain_name).exclude(club=None).count() == 0
    League.objects.filter(pk=league.pk).update(chain_head="0" * 64)
    assert list(trail_faults()) != []


def test_a_rule_that_would_change_the_days_waits_for_the_fixtures() -> None:
    league = league_of()
    season = division_of(league).season
    url = reverse("league_rule", args=[league.slug, season.slug])
    page = leader_client(league).get(url)
    form = page.context["form"]
    given = {bound.name: bound.value() for bound in form if bound.value() is not None}
    page = leader_client(league).post(url, {**given, "cycles": 2})
    assert page.status_code == 422
    assert "Draai het eerst terug" in words(page)
