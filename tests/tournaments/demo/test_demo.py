"""`manage.py demo`: a club to look at, the same each time."""

import datetime as dt
import re
from collections.abc import Iterator
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Avg
from django.test import Client
from django.urls import resolve

from clubs.merges.services import likely_same
from clubs.models import Club, Role, User
from scoring.models import DealEntry, Seat
from scoring.rules import PRESETS, evaluate
from tests.factories import ClubFactory, UserFactory
from tests.tournaments.files import everything
from tests.tournaments.public_pages import rows
from tournaments.demo.evenings import FOLDER
from tournaments.imports.deal_cells import read_deals
from tournaments.models import CoupleRule, Evening, Placement, Registration, Season
from tournaments.seasons.standings import season_standings
from tournaments.standings.queries import board_tables, evening_standings

pytestmark = pytest.mark.django_db

TODAY = dt.datetime(2026, 11, 21, 19, 30, tzinfo=dt.UTC)


@pytest.fixture
def clock() -> Iterator[None]:
    with time_machine.travel(TODAY, tick=False):
        yield


def run_demo() -> str:
    """What the command prints."""
    out = StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def count_from_one() -> None:
    """Let the empty database number its rows as a fresh one does: a draw goes by the numbers."""
    sequences = connection.introspection.sequence_list()
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_by_name_sql(no_style(), sequences):
            cursor.execute(sql)


def what_everybody_sees() -> list[object]:
    """Each evening and season with its standing, leaving out the dates."""
    evenings = list(Evening.objects.order_by("date"))
    return [
        *([(row.name, row.total, row.rounds) for row in evening_standings(e)] for e in evenings),
        *(
            [(row.rank, row.name, row.total, row.counted) for row in season_standings(season).rows]
            for season in Season.objects.order_by("starts")
        ),
    ]


@pytest.mark.usefixtures("clock")
@pytest.mark.full
def test_a_club_in_a_running_season_with_an_evening_half_played(client: Client) -> None:
    printed = run_demo()
    club = Club.objects.get()
    assert (club.slug, club.name, club.is_demo) == ("de-vier-azen", "De Vier Azen", True)
    assert (club.logo.width, club.logo.height) == (480, 301)
    assert club.members.filter(kind="member").count() == 32
    assert club.members.filter(kind="guest", erased_at=None).count() == 3
    this, last = Season.objects.all()
    assert [str(this), str(last)] == ["2026-2027", "2025-2026"]
    assert (this.fee, last.fee) == (4500, 4250)
    assert [rule.name for rule in this.rules.all()] == [
        "Beste vijf avonden",
        "Alles opgeteld",
        "Herfst en winter",
        "Meeste pitten",
    ]
    absent = Registration.objects.filter(evening__season=this, evening__state="closed")
    assert sorted(absent.exclude(absence="").values_list("absence", flat=True)) == [
        "none",
        *["notice"] * 5,
    ]
    assert this.evenings.filter(state="closed").count() == 6
    assert last.evenings.filter(is_history=True).count() == 10
    versions = this.evenings.order_by("date").values_list("regulation__version", flat=True)
    assert list(versions) == [1] * 3 + [2] * 8
    assert {row.rank for row in season_standings(this).rows if row.evenings >= 3} >= {1, 2, 3}
    assert any(row.total > row.counted for row in season_standings(this).rows)
    _next_week(this)
    _announced(this)
    _tonight(this)
    _as_people_do()
    _in_folders(client)
    _some_do_not_want_their_name_read_and_one_was_erased(club)
    _a_guest_was_found_to_be_a_member_and_another_may_be_one(club)
    _ways_in(printed, client)
    _again_it_changes_nothing_and_prints_the_same(printed)


def _announced(season: Season) -> None:
    later = season.evenings.filter(date__gt=dt.date(2026, 11, 28)).order_by("date")
    assert [(evening.date, evening.name, evening.state) for evening in later] == [
        (dt.date(2026, 12, 5), "", "cancelled"),
        (dt.date(2026, 12, 12), "Snertdrive", "planned"),
        (dt.date(2026, 12, 19), "", "planned"),
    ]


def _tonight(season: Season) -> None:
    evening = season.evenings.get(state="running")
    assert evening.date == TODAY.date()
    assert [round_.state for round_ in evening.rounds.all()] == ["closed", "running", "drawn"]
    second = evening.rounds.get(number=2)
    tables = list(board_tables(second))
    assert [table.sheet.deals_entered for table in tables] == [16, 16, 16, 13, 12, 5, 14]
    assert [table.sheet.warnings for table in tables] == [0, 0, 0, 0, 1, 0, 0]
    assert [table.disputes for table in tables] == [0, 1, 0, 0, 0, 0, 0]  # type: ignore[attr-defined]
    assert [table.sheet.side_totals.count() for table in tables] == [0, 0, 2, 0, 0, 0, 0]
    corrected = DealEntry.objects.exclude(reason="").get()
    assert corrected.deal.sheet == tables[3].sheet
    assert Placement.objects.filter(round=second, table=None).count() == 2


def _next_week(season: Season) -> None:
    planned = season.evenings.filter(state="planned").earliest("date")
    assert planned.date == dt.date(2026, 11, 28)
    assert planned.registrations.filter(present=True).count() == 19
    assert planned.registrations.filter(absence="notice").count() == 3
    assert {round_.state for round_ in planned.rounds.all()} == {"draft"}
    assert (planned.method, planned.rounds.count()) == ("balanced", 3)
    _agreed(planned)


def _agreed(planned: Evening) -> None:
    """One keeps his table, and two are kept apart; the draft does as is agreed."""
    keeps = planned.club.members.get(keeps_table=True)
    apart = CoupleRule.objects.get(club=planned.club, kind="apart")
    seats = Placement.objects.filter(round__evening=planned, table__isnull=False)
    tables = [
        set(seats.filter(member=member).values_list("round__number", "table__number"))
        for member in (keeps, apart.one, apart.two)
    ]
    assert len({number for _round, number in tables[0]}) == 1
    assert min(map(len, tables)) >= 2
    assert not tables[1] & tables[2]


def _as_people_do() -> None:
    """About 1530 for sixteen deals, one of which is nat; a pit in three sheets."""
    seats = Seat.objects.filter(deals=16).aggregate(Avg("score"), Avg("nats"), Avg("pits"))
    assert 1500 < seats["score__avg"] < 1560
    assert 0.5 < seats["nats__avg"] < 2
    assert 0.1 < seats["pits__avg"] < 0.6


def _in_folders(client: Client) -> None:
    evening = Evening.objects.get(pair_movement=Evening.PairMovement.FOLDERS)
    assert (evening.state, evening.releases.count()) == ("closed", 1)
    page = f"/clubs/de-vier-azen/evenings/{evening.slug}/folders/"
    best, *_others = rows(client.get(page))
    assert re.fullmatch(r"\d\d,\d\d% punten: \d+", best[-1])
    assert [line["line"] for line in evening.releases.get().folders["lines"]] == ["NS", "EW"]


def _some_do_not_want_their_name_read_and_one_was_erased(club: Club) -> None:
    members = club.members
    assert [members.get(number=number).shown_name for number in (24, 29)] == ["G. d. G.", "Anoniem"]
    assert members.exclude(erased_at=None).get().name == "Oud-gast 1"


def _a_guest_was_found_to_be_a_member_and_another_may_be_one(club: Club) -> None:
    merge = club.merges.get()
    assert (merge.guest["name"], merge.member.name) == ("T. Kok", "Truus Kok")
    assert [(couple.guest.name, couple.other.name) for couple in likely_same(club)] == [
        ("Corrie v.d. Berg", "Corrie van den Berg")
    ]
    assert club.uploads.get().outcome["added"] == 2


def _ways_in(printed: str, client: Client) -> None:
    paths = re.findall(r"http://[^/]+(/\S*)", printed)
    assert [resolve(path).url_name for path in paths] == [
        "club_page",
        "league_page",
        "login",
        "evening_screen",
        "table_page",
    ]
    assert [client.get(path).status_code for path in paths] == [200] * 5
    logins = re.findall(r"(\S+@example\.org), wachtwoord (\S+)", printed)
    roles = [User.objects.get(email=email).roles.get().kind for email, _password in logins]
    assert roles == [Role.Kind.ORGANISER, Role.Kind.DIRECTOR, Role.Kind.SCOREKEEPER]
    for email, password in logins:
        assert User.objects.get(email=email).check_password(password)


def _again_it_changes_nothing_and_prints_the_same(printed: str) -> None:
    before = everything()
    assert run_demo() == printed
    assert everything() == before


@pytest.mark.once
@pytest.mark.full
def test_it_is_the_same_whenever_it_is_made() -> None:
    seen = []
    for moment in ("2026-11-21T20:00+01:00", "2027-07-02T09:00+02:00"):
        with time_machine.travel(moment, tick=False), transaction.atomic():
            count_from_one()
            run_demo()
            seen.append(what_everybody_sees())
            transaction.set_rollback(True)
    assert seen[0] == seen[1]


def test_every_deal_of_the_fixture_can_be_played() -> None:
    deals = read_deals(FOLDER / "deals.csv", PRESETS["amsterdam"])
    assert len(deals) == 320
    assert [deal for deal in deals if evaluate(deal, PRESETS["amsterdam"]).warnings] == []


def test_a_database_that_is_not_a_demo_is_left_alone() -> None:
    Club.objects.filter(pk=ClubFactory.create().pk).update(is_demo=True)
    ClubFactory.create()
    before = everything()
    with pytest.raises(CommandError, match="Deze database is geen demo") as caught:
        run_demo()
    assert caught.value.returncode == 1
    assert everything() == before


def test_somebody_elses_login_is_left_alone() -> None:
    UserFactory.create(email="organisator@example.org")
    with pytest.raises(CommandError):
        run_demo()
    assert User.objects.get().check_password("geheim")
    assert not Club.objects.exists()
