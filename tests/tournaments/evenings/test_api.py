"""Evenings, their standings and releases through the API."""

import datetime as dt
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from scoring.models import Regulation
from tests.api.caller import Caller, new_key
from tests.api.problems import not_found, problem, wrong
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    correct_deal,
    director_of,
    evening_with_draw,
    organiser_of,
    regulation_of,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tournaments.public_pages import close_evening
from tournaments.closing.services import evening_cancel
from tournaments.evenings.services import EveningRules, evening_freeze, evening_rules_change
from tournaments.models import Evening
from tournaments.releases.services import release_publish
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db
nobody = Caller(None)
EVENINGS = "clubs/vrolijke-boer/evenings/"
TONIGHT = f"{EVENINGS}2026-11-21/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def director(club: Club) -> Caller:
    return Caller(director_of(club))


def shown(club: Club, **other: Any) -> dict[str, Any]:
    regulation = regulation_of(club)
    return {
        "slug": "2026-11-21",
        "state": "planned",
        "frozen": False,
        "is_history": False,
        "season": None,
        "regulation": {"id": regulation.pk, "name": "Amsterdams", "version": 1},
        "kind": None,
        "date": "2026-11-21",
        "rounds_planned": 3,
        "deals_per_round": 16,
        "target": None,
        "method": "rotation",
        "leftover": "sit_out",
        "last_ranked": False,
        "pair_movement": "by_program",
        "teammates_may_meet": False,
        "name": "",
        "starts_at": None,
        "sit_out_score": 1600,
        "missed_score": 0,
        "phones": True,
        "writing": "one",
        "first_dealer": "left",
        "first_trump_clubs": False,
        "maker_holds_trump": False,
        "roem_by": "winner",
        "reneging_until": "count",
        "reneging_escalates": False,
        "tie": "shared",
        "tie_breaks": ["pits", "best_round", "fewest_nats"],
        "match_play_off": False,
        "twice_replaces": False,
        "interim": "rounds",
        "sit_out_as": "fixed",
        "sit_out_pits": 0,
        "leaving": "missed",
        "absence_found": False,
        "ranks": "player",
        "team_best": None,
        "revision": 2,
    } | other


def payload(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer without its version, which nobody can foretell."""
    return {key: value for key, value in answer.items() if key != "version"}


def slugs(answer: dict[str, Any]) -> list[str]:
    return [evening["slug"] for evening in answer["results"]]


def test_anybody_reads_an_evening(club: Club) -> None:
    season = season_create(club=club, name="2026", actor=TESTS)
    EveningFactory.create(club=club, season=season, starts_at=dt.time(19, 30))
    assert payload(nobody.get(TONIGHT)) == shown(club, season="2026", starts_at="19:30:00")
    assert nobody.get(f"{EVENINGS}2026-11-22/", status=404) == not_found()
    assert nobody.get(f"{EVENINGS}vandaag/", status=404) == not_found()


def test_the_list_can_be_narrowed(club: Club) -> None:
    season = season_create(club=club, name="2026", actor=TESTS)
    EveningFactory.create(club=club, season=season)
    EveningFactory.create(club=club)
    evening_cancel(
        evening_id=EveningFactory.create(club=club, date=dt.date(2026, 11, 28)).pk, actor=TESTS
    )
    EveningFactory.create(club=ClubFactory.create())
    assert slugs(nobody.get(EVENINGS)) == ["2026-11-28", "2026-11-21-2", "2026-11-21"]
    assert slugs(nobody.get(f"{EVENINGS}?season=2026")) == ["2026-11-21"]
    assert slugs(nobody.get(f"{EVENINGS}?state=cancelled")) == ["2026-11-28"]
    assert slugs(nobody.get(f"{EVENINGS}?since=2026-11-22")) == ["2026-11-28"]
    assert slugs(nobody.get(f"{EVENINGS}?until=2026-11-22&page_size=1")) == ["2026-11-21-2"]
    faults = nobody.get(f"{EVENINGS}?since=soon&state=x", status=400)
    assert [(error["field"], error["code"]) for error in faults["errors"]] == [
        ("state", "invalid_choice"),
        ("since", "invalid"),
    ]


def test_the_list_takes_three_queries_however_many_there_are(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    season = season_create(club=club, name="2026", actor=TESTS)
    EveningFactory.create(club=club, season=season)
    nobody.get(EVENINGS)
    with django_assert_num_queries(3):
        nobody.get(EVENINGS)
    EveningFactory.create(club=club, season=season)
    EveningFactory.create(club=club)
    with django_assert_num_queries(3):
        assert nobody.get(EVENINGS)["count"] == 3


@pytest.mark.full
@pytest.mark.parametrize(
    ("path", "queries"),
    [
        (f"{TONIGHT}releases/", 4),
        ("clubs/vrolijke-boer/regulations/", 3),
    ],
)
def test_the_other_lists_take_as_many_for_one_as_for_three(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries, path: str, queries: int
) -> None:
    evening = evening_with_draw(players=4, club=club)
    close_evening(evening)
    assert nobody.get(path)["count"] == 1
    with django_assert_num_queries(queries):
        nobody.get(path)
    for preset in ("rotterdam", "utrecht"):
        release_publish(evening=evening, actor=TESTS)
        regulation_of(club, preset)
    with django_assert_num_queries(queries):
        assert nobody.get(path)["count"] == 3


def test_an_evening_is_planned_once(club: Club, director: Caller) -> None:
    season_create(club=club, name="2026", actor=TESTS)
    sent = {
        "date": "2026-11-21",
        "season": "2026",
        "preset": "rotterdam",
        "rounds_planned": 4,
        "starts_at": "19:30",
        "tie": "tie_breaks",
        "tie_breaks": ["pits"],
    }
    key = new_key()
    made = director.post(EVENINGS, sent, status=201, idempotency_key=key)
    rotterdam = Regulation.objects.get(name="Rotterdams")
    assert payload(made) == shown(
        club,
        season="2026",
        regulation={"id": rotterdam.pk, "name": "Rotterdams", "version": 1},
        rounds_planned=4,
        starts_at="19:30:00",
        tie="tie_breaks",
        tie_breaks=["pits"],
        revision=made["revision"],
    )
    assert director.post(EVENINGS, sent, status=201, idempotency_key=key) == made
    assert payload(nobody.get(TONIGHT)) == payload(made) | {"revision": 2}
    second = {"date": "2026-11-21", "regulation": rotterdam.pk}
    assert director.post(EVENINGS, second, status=201)["slug"] == "2026-11-21-2"


def test_what_is_wrong_with_a_plan_is_reported_all_at_once(director: Caller) -> None:
    sent = {
        "date": "1812-01-01",
        "preset": "leiden",
        "rounds_planned": 0,
        "target": 100,
        "method": "chance",
        "starts_at": "half acht",
        "tie_breaks": ["luck"],
    }
    answer = director.post(EVENINGS, sent, status=422)
    assert [(error["field"], error["code"]) for error in answer["errors"]] == [
        ("date", "min_value"),
        ("preset", "invalid_choice"),
        ("rounds_planned", "min_value"),
        ("target", "min_value"),
        ("method", "invalid_choice"),
        ("starts_at", "invalid"),
        ("tie_breaks.0", "invalid_choice"),
    ]


def test_what_is_of_another_club_cannot_be_used(director: Caller) -> None:
    other = ClubFactory.create()
    season = season_create(club=other, name="Elders", actor=TESTS)
    date = "2026-11-21"
    theirs = {"date": date, "regulation": regulation_of(other).pk}
    assert director.post(EVENINGS, theirs, status=422) == wrong(
        "regulation",
        "unknown_regulation",
        "The club has no regulation with this id.",
        whole="unknown_regulation",
    )
    there = {"date": date, "preset": "amsterdam", "season": season.slug}
    assert director.post(EVENINGS, there, status=422) == wrong(
        "season", "unknown_season", "The club has no season with this slug.", whole="unknown_season"
    )
    assert not Evening.objects.exists()


def test_a_day_has_as_many_evenings_as_an_address_can_tell_apart(
    club: Club, director: Caller
) -> None:
    EveningFactory.create(club=club)
    Evening.objects.update(sequence=98)
    sent = {"date": "2026-11-21", "preset": "amsterdam"}
    assert director.post(EVENINGS, sent, status=201)["slug"] == "2026-11-21-99"
    told_so = "There are 99 evenings on this day already."
    assert director.post(EVENINGS, sent, status=422) == wrong(
        "date", "invalid", told_so, whole="bad_evening"
    )


@pytest.mark.full
def test_a_regulation_is_said_once(club: Club, director: Caller) -> None:
    neither = director.post(EVENINGS, {"date": "2026-11-21"}, status=422)
    assert neither == wrong(
        "regulation",
        "missing",
        "Give a preset, or the id of a regulation.",
        whole="missing",
    )
    both = {"date": "2026-11-21", "preset": "amsterdam", "regulation": regulation_of(club).pk}
    assert director.post(EVENINGS, both, status=422)["code"] == "bad_value"


def test_a_planned_evening_is_changed_and_may_move_to_another_day(
    club: Club, director: Caller
) -> None:
    EveningFactory.create(club=club)
    version = nobody.get(TONIGHT)["version"]
    sent = {
        "date": "2026-11-28",
        "method": "balanced",
        "name": "Kerst",
        "roem_by": "anyone",
        "version": version,
    }
    changed = director.ask("PATCH", TONIGHT, sent)
    assert payload(changed) == shown(
        club,
        slug="2026-11-28",
        date="2026-11-28",
        method="balanced",
        name="Kerst",
        roem_by="anyone",
        revision=4,
    )
    assert nobody.get(TONIGHT, status=404) == not_found()
    assert nobody.get(f"{EVENINGS}2026-11-28/") == changed


@pytest.mark.full
def test_a_running_evening_keeps_its_draw_and_changes_in_the_rest(
    club: Club, director: Caller
) -> None:
    evening_with_draw(players=4, club=club)
    seen = nobody.send("GET", TONIGHT)
    sent = {"rounds_planned": 4}
    refused = director.ask("PATCH", TONIGHT, sent, if_match=seen.headers["ETag"], status=422)
    assert refused["code"] == "evening_state"
    other = {"name": "Feest", "missed_score": 1450}
    changed = director.ask("PATCH", TONIGHT, other, if_match=seen.headers["ETag"])
    now = {"name": "Feest", "missed_score": 1450, "revision": seen.json()["revision"] + 1}
    assert payload(changed) == payload(seen.json()) | now


@pytest.mark.full
def test_deals_that_come_in_do_not_stand_in_the_way_of_a_change(
    club: Club, director: Caller
) -> None:
    evening = evening_with_draw(players=4, club=club)
    seen = nobody.send("GET", TONIGHT)
    write_deal(table(evening), 1)
    assert nobody.send("GET", TONIGHT).headers["ETag"] != seen.headers["ETag"]
    changed = director.ask("PATCH", TONIGHT, {"name": "X"}, if_match=seen.headers["ETag"])
    assert changed["name"] == "X"


@pytest.mark.full
def test_who_saw_an_older_plan_is_shown_what_stands_now(club: Club, director: Caller) -> None:
    EveningFactory.create(club=club)
    version = nobody.get(TONIGHT)["version"]
    now = director.ask("PATCH", TONIGHT, {"name": "X", "version": version})
    late = director.ask("PATCH", TONIGHT, {"name": "Y", "version": version}, status=409)
    told_so = "Somebody else changed this in the meantime."
    assert late == problem(409, "version_conflict", told_so, current=now)
    assert director.ask("PATCH", TONIGHT, {"name": "Y"}, status=422)["code"] == "version_missing"


def test_only_who_leads_evenings_plans_and_changes_them(club: Club) -> None:
    EveningFactory.create(club=club)
    sent = {"date": "2026-11-28", "preset": "amsterdam", "version": "x"}
    for method, path in (("POST", EVENINGS), ("PATCH", TONIGHT)):
        assert nobody.ask(method, path, sent, status=401)["code"] == "not_authenticated"
        for other in (scorekeeper_of(club), organiser_of(ClubFactory.create())):
            answer = Caller(other).ask(method, path, sent, status=403)
            assert answer["code"] == "not_allowed"
        token = Caller(organiser_of(club), scopes=("read", "members", "deals"))
        assert token.ask(method, path, sent, status=403)["code"] == "scope_missing"


def standing(**other: Any) -> dict[str, Any]:
    return {"state": "running", "hidden": False, "ranked_by": "total"} | other


def line(rank: int, name: str, total: int, **rounds: int) -> dict[str, Any]:
    return {
        "rank": rank,
        "member": Member.objects.get(name=name).pk,
        "player": name,
        "total": total,
        "rounds": {number.removeprefix("r"): score for number, score in rounds.items()},
        "pits": 0,
        "pair": None,
        "counted": total,
        "average": None,
        "running": None,
        "competitor": None,
    }


def four_lines() -> list[dict[str, Any]]:
    return [
        line(1, "Jan Bakker", 100, r1=100),
        line(1, "Piet Visser", 100, r1=100),
        line(3, "Mia van der Meer", 62, r1=62),
        line(3, "Truus de Vries", 62, r1=62),
    ]


def without_revision(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "revision"}


def test_the_standing_is_live_while_people_play(club: Club) -> None:
    evening = evening_with_draw(players=4, club=club, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1, points={"NS": 100})
    answer = nobody.get(f"{TONIGHT}standing/")
    assert without_revision(answer) == standing(rows=four_lines())


@pytest.mark.full
@pytest.mark.parametrize(
    ("interim", "rank", "counted", "average"),
    [("rounds", None, 0, None), ("average", 1, 100, "100.00")],
)
def test_what_is_written_stays_the_total_while_places_go_by_something_else(
    club: Club, interim: str, rank: int | None, counted: int, average: str | None
) -> None:
    evening = evening_with_draw(players=8, club=club, method=Evening.Method.TYPED_IN)
    evening_rules_change(evening_id=evening.pk, rules=EveningRules(interim=interim), actor=TESTS)
    write_deal(table(evening), 1, points={"NS": 100})
    answer = nobody.get(f"{TONIGHT}standing/")
    assert answer["ranked_by"] == interim
    assert next(row for row in answer["rows"] if row["player"] == "Jan Bakker") == {
        **line(1, "Jan Bakker", 100, r1=100),
        "rank": rank,
        "counted": counted,
        "average": average,
        "running": {"points": 100, "deals": 1, "of": 16},
    }


def test_hidden_points_are_for_who_works_there(club: Club) -> None:
    evening = evening_with_draw(players=4, club=club, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1, points={"NS": 100})
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    path, keeper = f"{TONIGHT}standing/", scorekeeper_of(club)
    for other in (
        nobody,
        Caller(organiser_of(ClubFactory.create())),
        Caller(keeper, scopes=("deals", "evening", "members")),
    ):
        assert without_revision(other.get(path)) == standing(hidden=True, rows=[])
    assert without_revision(Caller(keeper).get(path)) == standing(rows=four_lines())


def test_who_has_the_tag_of_who_may_see_more_is_not_told_that_nothing_changed(club: Club) -> None:
    evening = evening_with_draw(players=4, club=club)
    write_deal(table(evening), 1)
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    path = f"{TONIGHT}standing/"
    tag = Caller(organiser_of(club)).send("GET", path).headers["ETag"]
    assert nobody.send("GET", path, if_none_match=tag).status_code == 200


@pytest.mark.full
def test_the_standing_has_a_tag_that_follows_the_deals(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = evening_with_draw(players=4, club=club)
    path = f"{TONIGHT}standing/"
    tag = nobody.send("GET", path).headers["ETag"]
    with django_assert_num_queries(3):
        assert nobody.send("GET", path, if_none_match=tag).status_code == 304
    write_deal(table(evening), 1)
    assert nobody.send("GET", path, if_none_match=tag).status_code == 200


@pytest.mark.full
def test_public_names_for_the_public_and_full_names_for_who_works_there(club: Club) -> None:
    evening = evening_with_draw(players=4, club=club, method=Evening.Method.TYPED_IN)
    jan = Member.objects.get(name="Jan Bakker")
    Member.objects.filter(pk=jan.pk).update(public_as=Member.PublicAs.HIDDEN)
    close_evening(evening, ns=100)
    path = f"{TONIGHT}standing/"
    hidden = {**line(1, "Jan Bakker", 100, r1=100), "member": None, "player": "Anonymous"}
    assert [row for row in nobody.get(path)["rows"] if row["rank"] == 1] == [
        hidden,
        line(1, "Piet Visser", 100, r1=100),
    ]
    full = Caller(organiser_of(club)).get(path)
    assert full["rows"] == four_lines()


@pytest.mark.full
def test_what_was_published_is_numbered_and_kept(club: Club) -> None:
    evening = evening_with_draw(players=4, club=club, method=Evening.Method.TYPED_IN)
    first = close_evening(evening, ns=100)
    correct_deal(table(evening), 1, ns=60, reason="verteld")
    second = release_publish(evening=evening, actor=TESTS, reason="verteld")
    releases = nobody.get(f"{TONIGHT}releases/")
    assert releases["count"] == 2
    assert [(one["number"], one["reason"], one["seal"]) for one in releases["results"]] == [
        (2, "verteld", second.seal),
        (1, "", first.seal),
    ]
    one = nobody.get(f"{TONIGHT}releases/1/")
    assert (one["rows"], one["moves"]) == (four_lines(), [])
    two = nobody.get(f"{TONIGHT}releases/2/")
    assert [row["player"] for row in two["rows"]][:2] == ["Mia van der Meer", "Truus de Vries"]
    moved = {move["player"]: move for move in two["moves"]}
    assert len(moved) == 4
    assert moved["Mia van der Meer"] == {
        "player": "Mia van der Meer",
        "old_rank": 3,
        "rank": 1,
        "old_total": 62,
        "total": 162,
    }
    assert nobody.get(f"{TONIGHT}releases/3/", status=404) == not_found()


@pytest.mark.full
def test_the_regulations_of_a_club_are_read(club: Club) -> None:
    regulation = regulation_of(club)
    regulation_of(ClubFactory.create(), "rotterdam")
    answer = nobody.get("clubs/vrolijke-boer/regulations/")
    assert answer["results"] == [
        {
            "id": regulation.pk,
            "name": "Amsterdams",
            "version": 1,
            "settings": regulation.settings,
        }
    ]
