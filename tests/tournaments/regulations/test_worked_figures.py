"""What clubs count otherwise, each with the figure it was worked out with, through a page, a file
or a command; those that a test of their package has are there."""

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client

from clubs.models import Club
from scoring.regulations.services import regulation_save
from scoring.rules import SEATS
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, evening_with_draw
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.files import Files
from tests.tournaments.public_pages import rows
from tests.tournaments.scoresheets.test_desk_grid import write
from tournaments.models import Season
from tournaments.registration.check_in import presence_update
from tournaments.registration.entry_fees import entry_fees_tick
from tournaments.seasons.services import season_rule_add

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def files(club: Club, tmp_path: Path) -> Files:
    return Files(club, tmp_path)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # Best 1 of 2 by pits: the evening of 4,000 with its 3 is dropped, 1 is kept.
        ({"best_per_period": 1, "rank_by": "pits"}, [["Piet", "2"], ["Jan", "1"]]),
        # Roem 500 and 300 as a mean: 400.
        (
            {"aggregate": "mean_per_evening", "rank_by": "roem"},
            [["Jan", "400"], ["Piet", "395"]],
        ),
    ],
)
def test_a_standing_by_pits_or_roem_obeys_the_rest(
    files: Files, rule: dict[str, Any], expected: list[list[str]]
) -> None:
    files.results(
        "evening,player,score,pits,roem\n"
        "2026-09-05,Jan,5000,1,500\n2026-09-12,Jan,4000,3,300\n"
        "2026-09-05,Piet,5000,2,390\n2026-09-12,Piet,4000,0,400\n"
    )
    season_rule_add(season=Season.objects.get(), name="Anders", settings=rule, actor=TESTS)
    page = Client().get(f"/clubs/{files.club.slug}/seasons/2026/")
    assert [row[1:3] for row in rows(page)] == expected


def test_ten_places_of_each_of_seven_periods_are_seventy_prizes(files: Files) -> None:
    people = [chr(ord("A") + at) * 3 for at in range(11)]
    lines = [
        f"2026-{month:02}-07,{name},{4000 + 100 * at + month}"
        for month in range(1, 8)
        for at, name in enumerate(people)
    ]
    files.results("\n".join(["evening,player,score", *lines, ""]))
    season = Season.objects.get()
    periods = [[f"2026-{month:02}-01", f"2026-{month:02}-28"] for month in range(1, 8)]
    season_rule_add(season=season, name="Klassement", settings={"periods": periods}, actor=TESTS)
    address = f"/clubs/{files.club.slug}/desk/seasons/2026/prizes/"
    answers = {"kind": "none", "poedel": "no", "periods": "yes", "period_places": 10}
    page = desk_of(files.club).post(f"{address}edit/", answers, follow=True)
    given = [(", ".join(line.names), line.figure) for line in page.context["lines"]]
    assert len(given) == 70
    assert sorted(given) == sorted(
        (name, f"{4000 + 100 * at + month:,} punten".replace(",", "."))
        for month in range(1, 8)
        for at, name in enumerate(people)
        if at
    )


def test_reneging_is_waived_twice_in_deal_7_and_deal_8_begins_anew(club: Club) -> None:
    rules = regulation_save(
        club=club, name="Twee keer", settings={"reneges_replayed": 2}, actor=TESTS
    )
    evening_with_draw(club=club, players=4, rounds=1, deals_per_round=8, regulation=rules)
    desk = desk_of(club)

    def reneged(number: int, seen: int) -> str:
        answer = write(
            desk, number, points_ns="", mark="reneged:E", seen_version=seen, uuid=uuid4()
        )
        assert answer.status_code == 200
        score: str = answer.json()["line"]["score"]
        return score

    # Dealt again, dealt again, 162 + 100.
    assert [reneged(7, seen) for seen in range(3)] == ["opnieuw gegeven"] * 2 + ["262–0"]
    assert reneged(8, 0) == "opnieuw gegeven"


@pytest.mark.parametrize(
    ("roem", "score"), [([20], {"NS": 20, "EW": 262}), ([100], {"NS": 100, "EW": 262})]
)
def test_roem_held_in_the_hand_stays_with_a_side_without_a_trick(
    roem: list[int], score: dict[str, int]
) -> None:
    deal = {"declarer": "EW", "trump": "H", "pit": "EW", "roem": {"NS": roem}}
    body = deal | {"regulation": {"roem_from": "hand"}}
    answer = Client().post("/api/v1/score/", body, content_type="application/json").json()
    assert answer["score"] == score


@pytest.mark.full
@pytest.mark.parametrize("evenings", [15, 25, 30, 40])
def test_a_fee_by_package(club: Club, evenings: int) -> None:
    jan = MemberFactory.create(club=club, name="Jan Bakker")
    evening = EveningFactory.create(club=club)
    presence_update(evening_id=evening.pk, arrived=[jan], left=(), actor=TESTS)
    desk = desk_of(club)
    bought = {"member": jan.pk, "evenings": evenings, "price": "30", "bought_on": "2026-11-01"}
    desk.post(f"/clubs/{club.slug}/desk/packages/", bought)
    entry_fees_tick(evening_id=evening.pk, paid=[jan], taken_back=(), actor=TESTS)
    (row,) = desk.get(f"{EVENING}stake/").context["fees"].rows
    assert (row.paid, row.by_package, row.left) == (3000 // evenings, True, evenings - 1)


@pytest.mark.once
@pytest.mark.parametrize("people", [88, 250])
def test_people_of_one_company_never_share_a_table(
    people: int, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    names = [f"p{at:03}" for at in range(people)]
    teams, left = [], list(names)
    for size in [4, 7, 12, 3, 9] * 20:
        teams.append(left[:size])
        left = left[size:]
    companies = [team for team in teams if len(team) > 1]
    asked = {"players": names, "rounds": 2, "method": "balanced", "teams": companies, "seed": 1}
    monkeypatch.setattr(sys, "stdin", given(asked))
    call_command("draw")
    rounds = json.loads(capfdbinary.readouterr().out)["rounds"]
    of = {name: number for number, team in enumerate(companies) for name in team}
    for drawn in rounds:
        for table in drawn["tables"]:
            at = [of[table[seat]] for seat in SEATS if table[seat] in of]
            assert len(at) == len({*at})


@pytest.mark.once
@pytest.mark.parametrize(("people", "sizes", "out"), [(15, [4, 4, 4, 3], 0), (13, [4, 4, 4], 1)])
def test_three_handed_only_for_a_rest_of_three(
    people: int,
    sizes: list[int],
    out: int,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    names = [f"p{at:02}" for at in range(people)]
    asked = {"players": names, "rounds": 3, "method": "lottery", "leftover": "three_handed_rest"}
    monkeypatch.setattr(sys, "stdin", given(asked))
    call_command("draw")
    for drawn in json.loads(capfdbinary.readouterr().out)["rounds"]:
        assert [sum(seat in table for seat in SEATS) for table in drawn["tables"]] == sizes
        assert len(drawn["sit_out"]) == out


def given(asked: dict[str, Any]) -> TextIOWrapper:
    return TextIOWrapper(BytesIO(json.dumps(asked).encode()))
