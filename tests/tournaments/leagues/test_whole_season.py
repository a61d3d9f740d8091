"""A whole season of two divisions through pages and the API: teams that withdraw, days that move, a
team that did not appear, match points off; the table is worked out again by a program apart."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from django.test import Client

from scoring.audit.verify import trail_faults
from tests.api.caller import Caller
from tests.factories import TESTS, ClubFactory, regulation_of
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues.test_captains import name_people
from tests.tournaments.leagues.test_desk_leagues import table_of
from tests.tournaments.leagues.test_evenings_of_leagues import play_round
from tests.tournaments.leagues.test_season_end import given_by, teams_in
from tests.tournaments.leagues.test_what_leagues_keep import filled_in
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close
from tournaments.models import (
    Division,
    Evening,
    League,
    LeagueMatch,
    LeaguePlayer,
    LeagueTeam,
    MatchDay,
)

pytestmark = pytest.mark.django_db

CARDS = 16 * 162


@dataclass
class Book:
    """What a secretary would keep on paper: results as played, who did not appear, who stopped,
    points off."""

    scores: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    absent: dict[int, str] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)
    struck: set[str] = field(default_factory=set)
    off: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def table(self, division: Division) -> list[tuple[str, int, int]]:
        """Team, match points and difference, best first. Written without the product: two points
        for winning, one for a draw; who is away scores 0, the other its own mean."""
        matches = list(LeagueMatch.objects.filter(day__division=division).order_by("pk"))
        names = dict(LeagueTeam.objects.filter(division=division).values_list("pk", "name"))
        played: dict[str, list[int]] = defaultdict(list)
        games: list[tuple[str, str, int | None, int | None]] = []
        for match in matches:
            home, away = names[match.home_id], names[match.away_id]
            if {home, away} & self.struck:
                continue
            if match.pk in self.absent:
                lost = self.absent[match.pk]
                games.append((home, away, 0 if lost == home else None, 0 if lost == away else None))
            elif match.pk in self.scores:
                tables = self.scores[match.pk]
                one, two = sum(a for a, _b in tables), sum(b for _a, b in tables)
                played[home].append(one)
                played[away].append(two)
                games.append((home, away, one, two))
            elif len({home, away} & self.stopped) == 1:
                gone = home in self.stopped
                games.append((home, away, 0 if gone else None, None if gone else 0))
        points: dict[str, int] = {name: 0 for name in names.values() if name not in self.struck}
        difference = dict.fromkeys(points, 0)
        for home, away, given, taken in games:
            one = self._mean(played[home]) if given is None else given
            two = self._mean(played[away]) if taken is None else taken
            points[home] += 2 * (one > two) + (one == two)
            points[away] += 2 * (two > one) + (one == two)
            difference[home] += one - two
            difference[away] += two - one
        for name, less in self.off.items():
            if name in points:
                points[name] -= less
        lines = [(name, points[name], difference[name]) for name in points]
        return sorted(lines, key=lambda line: (-line[1], -line[2]))

    @staticmethod
    def _mean(points: list[int]) -> int:
        return (2 * sum(points) + len(points)) // (2 * len(points)) if points else CARDS


class Leader:
    """Somebody who runs the league on its pages, and writes everything into a book as well."""

    def __init__(self, slug: str) -> None:
        self.client = desk_of(ClubFactory.create(name="Thuisclub", slug="thuis"))
        given = {"name": "Streekcompetitie", "language": "nl"}
        self.client.post("/clubs/thuis/desk/leagues/", given)
        self.league = League.objects.get(slug=slug)
        self.desk = f"/leagues/{slug}/desk/"
        self.api = Caller(self.league.leaders.get().user, f"/api/v1/leagues/{slug}/")
        self.book, self.chance = Book(), Random(7)

    def post(self, path: str, given: Mapping[str, Any], *, status: int = 302) -> Any:
        """Send a form of the league's pages."""
        answer = self.client.post(f"{self.desk}{path}", given)
        assert answer.status_code == status, words(answer)[:600]
        return answer

    def division_make(self, division: Division, teams: list[str], players: int) -> None:
        """Teams with their players, then the fixtures."""
        base = f"divisions/{division.pk}/"
        self.post(base, {"teams": "\n".join(f"{team}; Club {team[:-2]}" for team in teams)})
        for team in LeagueTeam.objects.filter(division=division):
            if not players:
                break
            url = f"{self.desk}teams/{team.pk}/"
            people = [f"{team.name} speler {number}" for number in range(1, players + 1)]
            given = filled_in(self.client, url)
            given |= {"players": "\n".join(people[:4]), "reserves": "\n".join(people[4:])}
            self.post(f"teams/{team.pk}/", given)
        first = {"seed": "3", "first": "2026-09-04", "weeks": "2", "starts_at": "19:30"}
        self.post(f"{base}fixtures/", first)

    def day_play(self, day: MatchDay, *, leave: int | None = None) -> None:
        """Type all results of a day; one match can be left open."""
        path = f"days/{day.pk}/"
        given = filled_in(self.client, f"{self.desk}{path}")
        for match in day.matches.select_related("home", "away"):
            if match.pk == leave or {match.home.name, match.away.name} & self.book.stopped:
                continue
            tables = [self._score() for _table in range(2)]
            self.book.scores[match.pk] = tables
            for table, (one, two) in enumerate(tables):
                given |= {f"m{match.pk}_{table}_0": one, f"m{match.pk}_{table}_1": two}
        self.post(path, given)

    def day_play_by_api(self, day: MatchDay, *, leave: int | None = None) -> None:
        """The same by a program."""
        results = []
        for match in day.matches.select_related("home", "away"):
            if match.pk == leave or {match.home.name, match.away.name} & self.book.stopped:
                continue
            self.book.scores[match.pk] = [self._score() for _table in range(2)]
            scores = [list(score) for score in self.book.scores[match.pk]]
            results.append({"match": match.pk, "version": str(match.version), "scores": scores})
        self.api.put(f"days/{day.pk}/results/", {"results": results})

    def _score(self) -> tuple[int, int]:
        cards = self.chance.randrange(1000, 1600)
        return cards + 10 * self.chance.randrange(16), CARDS - cards + 10 * self.chance.randrange(
            16
        )

    def day_move(self, day: MatchDay) -> str:
        """A week later, elsewhere; what the page says then."""
        given = filled_in(self.client, f"{self.desk}days/{day.pk}/move/")
        assert day.date is not None
        given |= {"date": day.date + dt.timedelta(weeks=1), "place": "Dorpshuis"}
        path = f"{self.desk}days/{day.pk}/move/"
        answer = self.client.post(path, {**given, "reason": "De zaal is bezet"}, follow=True)
        return messages_in(answer)[0]

    def walkover(self, match: LeagueMatch, team: LeagueTeam, reason: str) -> None:
        """A team did not appear, or counts as if it had not."""
        path = f"matches/{match.pk}/walkover/"
        given = {**filled_in(self.client, f"{self.desk}{path}"), "team": team.pk}
        self.post(path, {**given, "reason": reason})
        self.book.absent[match.pk] = team.name

    def captain_of(self, team: LeagueTeam) -> str:
        """The address of a new link for this team's captain."""
        self.post(f"teams/{team.pk}/link/", {"do": "make"})
        page = get(self.client, f"{self.desk}teams/{team.pk}/")
        address: str = page.context["address"]
        return "/captain/" + address.partition("/captain/")[2]

    def evening_at_the_host(self, day: MatchDay) -> tuple[Evening, Client]:
        """The host's club comes to this server and makes the evening of the day."""
        host = day.host
        assert host is not None
        club = ClubFactory.create(name=host.club, slug="gastheer")
        regulation_of(club)
        path = f"teams/{host.pk}/"
        self.post(path, filled_in(self.client, f"{self.desk}{path}"))
        desk = desk_of(club)
        answer = desk.post(f"/clubs/gastheer/desk/leagues/{day.pk}/")
        assert answer.status_code == 302
        return Evening.objects.get(club=club), desk

    def day_at_the_tables(self, day: MatchDay) -> None:
        """Three rounds at the host, in the first of which a team has three people; the visitors
        confirm and object, the leader corrects and makes it binding."""
        evening, desk = self.evening_at_the_host(day)
        first = coming(day.matches.filter(round=1))[0]
        captain = self.captain_of(first.away)
        three = [f"{first.away.name} speler {number}" for number in (1, 2, 3)]
        url = f"{captain}matches/{first.pk}/line-up/"
        assert name_people(Client(), url, *three, "").status_code == 302
        for number in (1, 2, 3):
            if number > 1:
                again = coming(day.matches.filter(round=number))
                for match in again:
                    if first.away in (match.home, match.away):
                        url = f"{captain}matches/{match.pk}/line-up/"
                        name_people(Client(), url, *three, f"{first.away.name} speler 4")
                desk.post(f"/clubs/gastheer/desk/leagues/{day.pk}/")
            play_round(evening, number)
        evening_close(evening_id=evening.pk, actor=TESTS)
        for number in (1, 2, 3):
            for place, match in enumerate(coming(day.matches.filter(round=number))):
                tables = [
                    (1300 + 10 * table, 1292 - 10 * table)
                    for table in (2 * place + 1, 2 * place + 2)
                ]
                if number == 1:
                    # One table was not played: what that comes to is tried elsewhere.
                    tables = [(one, two) for one, two in match.scores]
                self.book.scores[match.pk] = tables
        shown = coming(day.matches.filter(round=2))
        match = next(one for one in shown if first.away in (one.home, one.away))
        given = {"agrees": False, "words": "Tafel 1 is verwisseld", "version": str(match.version)}
        by_link = Caller(None, f"/api/v1{captain}")
        assert by_link.put(f"matches/{match.pk}/answer/", given)["answer"]["agrees"] is False
        objected = words(get(self.client, f"{self.desk}seasons/2026-2027/"))
        assert "de bezoekers maken bezwaar tegen de uitslag" in objected
        self.correct(match)
        waiting = day.matches.filter(binding=False)
        bind = {f"bind_{match.pk}": match.version for match in waiting}
        self.post(f"days/{day.pk}/binding/", bind)
        assert not day.matches.filter(binding=False).exists()

    def not_allowed(self, match: LeagueMatch, stranger: str) -> None:
        """A captain names somebody of another club; the leader does not allow it, and the match is
        lost."""
        four = [*(f"{match.home.name} speler {number}" for number in (1, 2, 3)), stranger]
        captain = Caller(None, f"/api/v1{self.captain_of(match.home)}")
        made = captain.put(f"matches/{match.pk}/line-up/", {"people": four, "version": "0"})
        assert made["marked"] == [{"name": stranger, "marks": ["other_club"]}]
        line_up = match.line_ups.get()
        assert line_up.seats.get(name=stranger).marks == ["other_club"]
        season = words(get(self.client, f"{self.desk}seasons/2026-2027/"))
        assert f"mag iedereen spelen in de opstelling van {match.home.name}?" in season
        given = {"verdict": "not_allowed", "reason": "Van een andere club"}
        given["version"] = made["version"]
        self.api.put(f"line-ups/{line_up.pk}/verdict/", given)
        self.walkover(match, match.home, "Een speler van een andere club")

    def correct(self, match: LeagueMatch) -> None:
        """Another result for a match, with a reason."""
        path = f"days/{match.day_id}/"
        given = filled_in(self.client, f"{self.desk}{path}")
        one, two = self.book.scores[match.pk][0]
        self.book.scores[match.pk][0] = (two, one)
        given |= {f"m{match.pk}_0_0": two, f"m{match.pk}_0_1": one}
        self.post(path, given, status=422)  # without a reason
        self.post(path, {**given, "reason": "Verwisseld"})

    def withdraw(self, team: LeagueTeam, *, stands: bool) -> None:
        """A team stops; what it played stands or not."""
        path = f"teams/{team.pk}/withdraw/"
        given = filled_in(self.client, f"{self.desk}{path}")
        answer = "yes" if stands else "no"
        self.post(path, {**given, "results_stand": answer, "reason": "Te weinig mensen"})
        (self.book.stopped if stands else self.book.struck).add(team.name)

    def table_agrees(self, division: Division) -> None:
        """The public table is that of the book."""
        shown = [
            (row[1].split(" ↑")[0].split(" ↓")[0], int(_plain(row[2])), int(_plain(row[3])))
            for row in table_of(Client(), division)
        ]
        assert shown == self.book.table(division)
        read = self.api.get(f"divisions/{division.pk}/table/")["rows"]
        assert [(row["name"], int(row["points"]), row["difference"]) for row in read] == shown


def teams_of_day(day: MatchDay) -> set[str]:
    """The names of the teams that meet."""
    return {name for pair in day.matches.values_list("home__name", "away__name") for name in pair}


def coming(matches: Any) -> list[LeagueMatch]:
    """These matches with all that services read of them, in order."""
    known = matches.select_related(
        "home__division", "away__division", "day__division__season__league"
    )
    return list(known.order_by("pk"))


def _plain(figure: str) -> str:
    return figure.replace(".", "").replace("−", "-").replace("\N{NO-BREAK SPACE}", "")


def division_named(name: str) -> Division:
    return Division.objects.select_related("season__league").get(name=name)


def season_of(upper: list[str], lower: list[str], *, players: int) -> Leader:
    """A season with two divisions, drawn."""
    leader = Leader("streekcompetitie")
    leader.post("", {"name": "2026-2027"})
    rule = "seasons/2026-2027/rule/"
    leader.post(rule, {**filled_in(leader.client, leader.desk + rule), "exchange": "1"})
    leader.post("seasons/2026-2027/", {"name": "Klasse 2"})
    leader.division_make(division_named("Klasse 1"), upper, players)
    leader.division_make(division_named("Klasse 2"), lower, 0)
    return leader


def rolled_over(leader: Leader) -> list[list[str]]:
    """The teams of the next season's divisions, made twice."""
    url = f"{leader.desk}seasons/2026-2027/next/"
    for _time in range(2):
        leader.post("seasons/2026-2027/next/", given_by(leader.client, url))
    assert leader.league.seasons.count() == 2
    return teams_in(leader.league.seasons.all()[0])


def test_a_small_season_of_one_day() -> None:
    leader = season_of(
        [f"Boven{n} 1" for n in range(4)], [f"Onder{n} 1" for n in range(4)], players=4
    )
    for name in ("Klasse 1", "Klasse 2"):
        division = division_named(name)
        leader.day_play(division.days.get())
        leader.table_agrees(division)
    best = [leader.book.table(division_named(name)) for name in ("Klasse 1", "Klasse 2")]
    assert rolled_over(leader) == [
        sorted([*(line[0] for line in best[0][:3]), best[1][0][0]]),
        sorted([*(line[0] for line in best[1][1:]), best[0][3][0]]),
    ]
    assert list(trail_faults()) == []


@pytest.mark.full
def test_sixteen_teams_play_five_days_and_two_divisions_roll_over() -> None:
    names = [f"Boven{n:02d} 1" for n in range(16)]
    leader = season_of(names, [f"Onder{n} 1" for n in range(4)], players=15)
    upper, lower = division_named("Klasse 1"), division_named("Klasse 2")
    assert LeaguePlayer.objects.count() == 240
    assert sorted(set(upper.days.values_list("number", flat=True))) == [1, 2, 3, 4, 5]
    pairs = {
        frozenset(pair)
        for pair in LeagueMatch.objects.filter(day__division=upper).values_list("home", "away")
    }
    assert len(pairs) == LeagueMatch.objects.filter(day__division=upper).count() == 120
    days = list(upper.days.order_by("number", "group"))
    moved = days[4]
    said = leader.day_move(moved)
    assert said.startswith("Speeldag 2 is nu op")
    moved.refresh_from_db()
    assert (moved.date, moved.place) == (dt.date(2026, 9, 25), "Dorpshuis")
    for day in days[:4]:
        leader.day_play(day)
    leader.table_agrees(upper)
    # A team did not appear on day 2; the others of that day play on.
    absent = days[5].matches.select_related("home", "away")[0]
    for day in days[4:8]:
        leader.day_play_by_api(day, leave=absent.pk)
    leader.walkover(absent, absent.away, "Niet verschenen")
    leader.table_agrees(upper)
    # A result was the wrong way round, and one team was late with its line-up.
    leader.correct(days[0].matches.select_related("home", "away")[1])
    late = upper.teams.get(name=names[2])
    leader.post(f"teams/{late.pk}/penalties/", {"points": "2", "reason": "Te laat"})
    leader.book.off[late.name] += 2
    leader.table_agrees(upper)
    # One team stops and what it played stands; another as if it had never been there.
    leader.withdraw(upper.teams.get(name=names[7]), stands=True)
    at_home = next(day for day in days[8:12] if names[7] not in teams_of_day(day))
    leader.day_at_the_tables(at_home)
    for day in days[8:12]:
        if day != at_home:
            leader.day_play(day)
    leader.withdraw(upper.teams.get(name=names[11]), stands=False)
    leader.table_agrees(upper)
    wrong = next(
        match
        for match in coming(LeagueMatch.objects.filter(day__in=days[12:16]))
        if not {match.home.name, match.away.name} & {names[7], names[11], names[0]}
    )
    leader.not_allowed(wrong, f"{names[0]} speler 1")
    for day in days[12:]:
        leader.day_play(day, leave=wrong.pk)
    leader.day_play(lower.days.get())
    for division in (upper, lower):
        leader.table_agrees(division)
    first, second = leader.book.table(upper), leader.book.table(lower)
    assert (len(first), len(second)) == (15, 4)
    # Two of sixteen stop: one goes up by place and two to fill the division, nobody goes down.
    ranked = [line[0] for line in first if line[0] != names[7]]
    made = rolled_over(leader)
    assert made == [
        sorted([*ranked, *(line[0] for line in second[:2])]),
        sorted(line[0] for line in second[2:]),
    ]
    said = words(get(Client(), "/leagues/streekcompetitie/seasons/2026-2027/"))
    assert "Boven02 1: strafpunten: 2. Te laat" in said
    assert list(trail_faults()) == []
