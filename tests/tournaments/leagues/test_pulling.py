"""A league's server reads a club's: over real connections, within limits, and nowhere inside."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.live_server_helper import LiveServer

from clubs.text.errors import DomainError
from tests.factories import TESTS
from tests.nginx import free_port
from tests.tournaments.leagues import leader_client, league_of
from tests.tournaments.leagues.test_events_of_clubs import DOUBT, played, the_league
from tests.tournaments.public_pages import get, words
from tests.waiting import wait_until
from tournaments.leagues import pulling
from tournaments.leagues.event_notes import notes_in_words
from tournaments.leagues.pulling import (
    Answer,
    Unread,
    address_read,
    fetch,
    pull_link_make,
    pull_link_withdraw,
    source_add,
    source_pull,
)
from tournaments.models import EventSource, LeagueEvent, LeagueMatch, MatchDay, PullLink

HERE = ["127.0.0.0/8", "::1/128"]
ROOT = Path(__file__).parents[3]


def pull() -> tuple[int, int, list[str]]:
    """What a turn of the only source brings: events, results and faults."""
    pulled = source_pull(EventSource.objects.select_related("league").get(), TESTS)
    return pulled.events, pulled.results, pulled.faults


@pytest.mark.django_db(transaction=True)
def test_what_is_new_is_read_once(live_server: LiveServer, settings: Any, capsys: Any) -> None:
    settings.EXCHANGE_NETWORKS = HERE
    club, _day, _evening = played()
    made = pull_link_make(club=club, league=the_league().slug, actor=TESTS)
    source_add(league=the_league(), address=live_server.url + made.path, actor=TESTS)
    call_command("pull_events")
    assert capsys.readouterr().out == "competitie-noord: a new club: 1 events, 6 results\n"
    assert LeagueMatch.objects.filter(scores=[]).count() == 0
    source = EventSource.objects.get()
    assert (source.club, source.fault) == ("Boeren", "")
    assert source.tag
    assert pull() == (0, 0, [])
    LeagueEvent.objects.all().delete()
    assert pull() == (0, 0, [])  # the list is the same: nothing is asked for
    EventSource.objects.update(tag="")
    assert pull() == (1, 0, [])
    pull_link_withdraw(link=PullLink.objects.get(), actor=TESTS)
    withdrawn = "Deze link opent daar niets: hij is ingetrokken of niet compleet."
    assert pull() == (0, 0, [withdrawn])
    assert EventSource.objects.get().fault == withdrawn
    with pytest.raises(CommandError, match="1 clubs were not read well"):
        call_command("pull_events", league="competitie-noord")


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_one_that_is_wrong_keeps_no_other_away(live_server: LiveServer, settings: Any) -> None:
    settings.EXCHANGE_NETWORKS = HERE
    club, _day, _evening = played()
    made = pull_link_make(club=club, league="elders", actor=TESTS)
    source_add(league=the_league(), address=live_server.url + made.path, actor=TESTS)
    refused = "2026-12-04: Deze avond is voor de competitie “elders”, en dit is “competitie-noord”."
    assert pull() == (0, 0, [refused])
    assert EventSource.objects.get().tag == ""  # so that it is tried again
    assert pull() == (0, 0, [refused])
    PullLink.objects.update(league="competitie-noord")
    assert pull() == (1, 6, [])


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_what_an_event_had_to_say_stays_with_it(live_server: LiveServer, settings: Any) -> None:
    settings.EXCHANGE_NETWORKS = HERE
    club, day, _evening = played()
    match = LeagueMatch.objects.order_by("round", "pk")[0]
    LeagueMatch.objects.filter(pk=match.pk).update(scores=[[9, 1], [9, 1]], binding=True)
    made = pull_link_make(club=club, league=the_league().slug, actor=TESTS)
    source_add(league=the_league(), address=live_server.url + made.path, actor=TESTS)
    said = f"Ronde 1, {match}: de uitslag is bindend en blijft dus staan."
    for events, results in ((1, 5), (0, 0)):  # nothing is new the second time
        assert pull() == (events, results, [])
        assert EventSource.objects.get().fault == ""
        assert notes_in_words(LeagueEvent.objects.get().notes) == [said]
    leader, desk = leader_client(the_league()), f"/leagues/{the_league().slug}/desk/"
    assert said in words(get(leader, f"{desk}events/"))
    assert LeagueEvent.objects.get().day == day


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_an_event_waits_for_its_match_day(live_server: LiveServer, settings: Any) -> None:
    settings.EXCHANGE_NETWORKS = HERE
    club, _day, evening = played()
    MatchDay.objects.update(date=None)
    made = pull_link_make(club=club, league=the_league().slug, actor=TESTS)
    source_add(league=the_league(), address=live_server.url + made.path, actor=TESTS)
    assert [pull(), pull()] == [(1, 0, []), (0, 0, [])]
    MatchDay.objects.update(date=evening.date)
    assert [pull(), pull()] == [(1, 6, []), (0, 0, [])]


@pytest.mark.django_db
def test_a_source_that_breaks_or_goes_keeps_no_other_away(
    settings: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EXCHANGE_NETWORKS = HERE
    league = league_of()
    for name in ("breaks", "goes", "last"):
        source_add(league=league, address=f"http://127.0.0.1/{name}/", actor=TESTS)

    def server(address: str, *_rest: object) -> Answer:
        if "breaks" in address:
            raise RuntimeError
        if "goes" in address:
            EventSource.objects.filter(address=address).delete()
            raise Unread("nobody reads this")
        return Answer(200, b'{"format": "klaverclub-events", "version": 1, "events": []}', "x")

    monkeypatch.setattr(pulling, "fetch", server)  # stands for servers elsewhere
    with pytest.raises(CommandError, match="1 clubs were not read well"):
        call_command("pull_events")
    assert "source" in caplog.text
    assert [each.tag for each in EventSource.objects.order_by("pk")] == ["", "x"]


@pytest.mark.parametrize(
    "address",
    [
        "http://klaver.example/events/x/",
        "https://klaver.example:8443/events/x/",
        "https://anna@klaver.example/events/x/",
        "ftp://klaver.example/",
        "https:///events/x/",
        "https://klaver.example/" + "x" * 300,
        "https://klaver.example/a b",
        "https://klaver.example/\x00",
        "https://[::1/",
        "",
    ],
)
def test_only_https_to_a_usual_port_is_taken(address: str) -> None:
    with pytest.raises(DomainError):
        address_read(address)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]"]
)
def test_no_network_inside_is_read(host: str) -> None:
    with pytest.raises(Unread, match="besloten netwerk"):
        fetch(f"https://{host}/events/x/", {})


def test_http_goes_into_the_allowed_networks_only(settings: Any) -> None:
    settings.EXCHANGE_NETWORKS = ["10.9.0.0/16"]
    for host in ("127.0.0.1", "10.0.0.1", "192.0.2.7"):
        with pytest.raises(Unread, match="besloten netwerk"):
            fetch(f"http://{host}/events/x/", {})


@contextmanager
def server_that(answer: Any) -> Iterator[str]:
    """A server that answers every GET like this; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, *_args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/events/x/"
    server.shutdown()
    server.server_close()
    thread.join()


def sends(status: int, content: bytes, **headers: str) -> Any:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    return answer


@pytest.mark.django_db
def test_an_odd_server_is_said(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EXCHANGE_NETWORKS = HERE
    monkeypatch.setattr(pulling, "MOST_BYTES", 1000)
    league = league_of()
    no_list = "Wat op dit adres staat, is geen lijst van avonden."
    no_event = (
        "Dit is geen avond van een club: het is geen bestand dat een server heeft geëxporteerd."
    )
    event = b'{"id": "00000000-0000-4000-8000-000000000000", "number": 1, "date": "2026-12-04"'
    there = b'{"format": "klaverclub-events", "version": 1, "events": [%s, "address": "%s"}]}'
    told = {}
    for name, answer in {
        "redirect": sends(302, b"", Location="http://127.0.0.1/"),
        "fault": sends(500, b""),
        "no json": sends(200, b"<html>"),
        "no list": sends(200, b"[1]"),
        "elsewhere": sends(200, there % (event, b"https://evil.example/")),
        "no day": sends(200, (there % (event, b"/")).replace(b"-04", b"-99")),
        "no text": sends(200, (there % (event, b"/")).replace(b'"/"', b"5")),
        "too large": sends(200, b"x" * 1001),
        "no http": lambda handler: handler.wfile.write(b"hello\r\n\r\n"),
    }.items():
        with server_that(answer) as address:
            source_add(league=league, address=address, actor=TESTS)
            told[name] = pull()
        EventSource.objects.all().delete()
    assert {name: faults for name, (_events, _results, faults) in told.items()} == {
        "redirect": ["De server antwoordt met 302."],
        "fault": ["De server antwoordt met 500."],
        "no json": [no_list],
        "no list": [no_list],
        "elsewhere": [no_list],
        "no day": [no_list],
        "no text": [f"2026-12-04: {no_event}"],
        "too large": ["De server stuurt meer dan een avond kan zijn."],
        "no http": ["De server antwoordt niet."],
    }


@pytest.mark.full
@pytest.mark.once
def test_two_servers_with_a_database_and_a_key_each(tmp_path: Path) -> None:
    """A club's server with an evening, and a league's that reads it: processes of their own."""
    club, league = Machine(tmp_path / "club"), Machine(tmp_path / "league")
    evening = ROOT / "tests" / "data" / "evening-12-players.csv"
    club.manage("create_club", "azen", "--name", "De Azen")
    club.manage("import_evening", str(evening), "--club", "azen", "--regulation", "rotterdam")
    path = club.python(
        "from tournaments.leagues.pulling import *; from clubs.models import Club; "
        "from clubs.audit.services import Actor; a = Actor.of_program('test'); "
        "print(pull_link_make(club=Club.objects.get(), league='noord', actor=a).path)"
    )
    with club.served() as address:
        league.python(
            "from tournaments.leagues.pulling import *; from clubs.models import User; "
            "from tournaments.leagues.services import league_create; "
            "from clubs.audit.services import Actor; a = Actor.of_program('test'); "
            "u = User.objects.create_user('a@example.org'); "
            "l = league_create(name='Noord', leader=u, actor=a); "
            f"source_add(league=l, address='{address}{path}', actor=a)"
        )
        assert league.manage("pull_events") == "noord: a new club: 1 events, 0 results"
        assert league.manage("pull_events") == ""
        document = "import json; from tournaments.models import *; e = LeagueEvent.objects.get(); "
        said = league.python(
            document + "print(e.club, e.date, e.number, len(e.document['sessions']))"
        )
        assert said == "De Azen 2026-09-05 1 3"
        totals = "print(sorted(p['total'] for p in e.document['participants'])[-1])"
        assert league.python(document + totals) == "5591"
        assert league.manage("verify").endswith("every trail are as they were written.")


BEGIN = """
import datetime as dt, json
from clubs.audit.services import Actor
from clubs.models import Club, Member, User
from tournaments.leagues.event_notes import notes_in_words
from tournaments.leagues.matches import fixtures_draw
from tournaments.leagues.people import *
from tournaments.leagues.pulling import *
from tournaments.leagues.services import league_create, league_season_create
from tournaments.leagues.teams import TeamLine, teams_add
from tournaments.models import *
from tournaments.releases.services import release_publish
actor = Actor.of_program("test")
"""
MAKE_LEAGUE = """
user = User.objects.create_user("a@example.org")
league = league_create(name="Noord", leader=user, actor=actor)
division = league_season_create(league=league, name="2026-2027", actor=actor).divisions.get()
names = ("Azen", "Boeren", "Negens", "Vrouwen")
teams_add(division=division, lines=[TeamLine(name) for name in names], actor=actor)
fixtures_draw(division=division, seed=1, first=dt.date(2026, 9, 5), actor=actor)
person = person_number_give(league=league, actor=actor)
matches = LeagueMatch.objects.order_by("round", "pk")
played = [[match.round, match.home.name, match.away.name] for match in matches]
print(json.dumps({"matches": played, "number": person.number, "code": person_code(person)}))
"""
NOTE_NUMBER = """
member = Member.objects.get(name="Azen 1")
number_elsewhere_write(member=member, league="noord", number={number}, code="{code}", actor=actor)
print(pull_link_make(club=Club.objects.get(), league="noord", actor=actor).path)
"""
AS_IT_CAME = """
matches = LeagueMatch.objects.order_by("round", "pk")
event = LeagueEvent.objects.get()
print(json.dumps({
    "scores": [match.scores for match in matches],
    "number": event.number,
    "notes": notes_in_words(event.notes),
    "known": [[link.person.number, link.name] for link in PersonLink.objects.all()],
}))
"""


def day_file(matches: list[tuple[int, str, str]]) -> str:
    """A match day as a club writes it down: in each round two matches, at two tables each."""
    lines = ["evening,round,table,n,e,s,w,deal,declarer,total_ns,total_ew,team_ns,team_ew"]
    for place, (number, home, away) in enumerate(matches):
        for pair in (1, 3):
            table = 2 * (place % 2) + (pair + 1) // 2
            seats = [f"{home} {pair}", f"{away} {pair}", f"{home} {pair + 1}", f"{away} {pair + 1}"]
            totals = [str(1300 + 10 * table), str(1292 - 10 * table)]
            cells = ["2026-09-05", str(number), str(table), *seats, "16", "", *totals, home, away]
            lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


@pytest.mark.full
@pytest.mark.once
def test_a_match_day_and_a_number_go_from_one_server_to_another(tmp_path: Path) -> None:
    """The league's server draws the fixtures and gives a number; the club's plays the day."""
    club, league = Machine(tmp_path / "club"), Machine(tmp_path / "league")
    made = json.loads(league.python(BEGIN + MAKE_LEAGUE))
    file = tmp_path / "day.csv"
    file.write_text(day_file(made["matches"]), encoding="utf-8")
    club.manage("create_club", "azen", "--name", "De Azen")
    club.manage("import_evening", str(file), "--club", "azen", "--regulation", "rotterdam")
    path = club.python(BEGIN + NOTE_NUMBER.format(**made))
    with club.served() as address:
        add = f"source_add(league=League.objects.get(), address='{address}{path}', actor=actor)"
        league.python(BEGIN + add)
        assert league.manage("pull_events") == "noord: a new club: 1 events, 6 results"
        came = json.loads(league.python(BEGIN + AS_IT_CAME))
        assert came == {
            "scores": [[[1310, 1282], [1320, 1272]], [[1330, 1262], [1340, 1252]]] * 3,
            "number": 1,
            "notes": [DOUBT],
            "known": [[made["number"], "Azen 1"]],
        }
        # A later publication comes by itself, and the same again not.
        club.python(
            BEGIN + "release_publish(evening=Evening.objects.get(), actor=actor, reason='x')"
        )
        assert league.manage("pull_events") == "noord: De Azen: 1 events, 0 results"
        assert league.manage("pull_events") == ""
        assert json.loads(league.python(BEGIN + AS_IT_CAME)) == {**came, "number": 2}
        for machine in (club, league):
            assert machine.manage("verify").endswith("every trail are as they were written.")
    with pytest.raises(AssertionError, match="1 clubs were not read well"):
        league.manage("pull_events")


class Machine:
    """A server with a folder, a database and a key of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.env = {
            **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
            "DATABASE_URL": f"sqlite:///{folder / 'klaverclub.sqlite3'}",
            "DATA_DIR": str(folder),
            "SECRET_KEY": f"the key of {folder.name}, which nobody else has",
            "EXCHANGE_NETWORKS": "127.0.0.0/8",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        self.manage("migrate")

    def manage(self, *words: str) -> str:
        run = [sys.executable, "manage.py", *words]
        done = subprocess.run(
            run, check=False, env=self.env, cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def python(self, code: str) -> str:
        return self.manage("shell", "--no-imports", "-c", code)

    @contextmanager
    def served(self) -> Iterator[str]:
        port = free_port()
        serve = f"gunicorn config.wsgi --bind 127.0.0.1:{port} --threads 2 --no-control-socket"
        server = subprocess.Popen(
            [sys.executable, "-m", *serve.split()],
            env=self.env,
            cwd=ROOT,
            stderr=subprocess.DEVNULL,
        )
        address = f"http://127.0.0.1:{port}"
        try:
            wait_until(lambda: _answers(f"{address}/healthz"))
            yield address
        finally:
            server.terminate()
            server.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
