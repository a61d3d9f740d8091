"""Points that the director gives somebody, or takes off, for an evening or a season as a whole."""

import json

import pytest
from django.test import Client

from clubs.models import AuditEvent, AuditText, Club, Member
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, ClubFactory, director_of, evening_with_draw, table
from tests.tournaments.desk import EVENING, desk_of, messages_in
from tests.tournaments.pairs import played_in_pairs
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close, person_correct
from tournaments.models import Evening, PersonCorrection, Season
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create
from tournaments.seasons.standings import season_leaders, season_standings
from tournaments.standings.competitors import evening_by
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

PAGE = f"{EVENING}corrections/"
SEASON = "/clubs/vrolijke-boer/desk/seasons/winter/corrections/"
PUBLIC = "/clubs/vrolijke-boer/evenings/2026-11-21/"
WHY = "/clubs/vrolijke-boer/seasons/winter/why/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    """The one table hands in 324–324."""
    season = season_create(club=club, name="Winter", actor=TESTS)
    evening = evening_with_draw(
        club=club, players=4, rounds=1, deals_per_round=4, method="typed_in", season=season
    )
    totals = {"NS": HandedIn(total=324), "EW": HandedIn(total=324)}
    side_totals_write(sheet_id=table(evening).sheet_id, totals=totals, actor=TESTS)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    return evening


def member(number: int) -> Member:
    return Member.objects.get(number=number)


def totals(evening: Evening) -> dict[int | None, int]:
    numbers = dict(Member.objects.values_list("pk", "number"))
    rows = evening_standings(Evening.objects.get(pk=evening.pk))
    return {numbers[row.member_id]: row.total for row in rows}


def answers(number: int, points: int, reason: str = "te laat") -> dict[str, object]:
    return {"member": member(number).pk, "points": points, "reason": reason}


@pytest.mark.full
def test_one_of_a_side_gets_a_hundred_less(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    page = desk.post(PAGE, answers(1, -100), follow=True)
    assert messages_in(page) == [f"{member(1).name}: −100 punten. Het telt meteen mee."]
    assert totals(evening) == {1: 224, 2: 324, 3: 324, 4: 324}
    (event,) = AuditEvent.objects.filter(action="person_corrected")
    assert event.data == {"member": str(member(1).uuid), "points": -100}
    assert AuditText.objects.get(event=event, field="reason").text == "te laat"


def test_it_is_in_the_release_and_on_the_page_with_its_reason(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    desk.post(PAGE, answers(1, -100))
    release = evening_close(evening_id=evening.pk, actor=TESTS)
    rows = {row["member"]: (row["total"], row.get("correction")) for row in release.standings}
    assert rows[member(1).pk] == (224, -100)
    assert rows[member(3).pk] == (324, None)
    page = words(get(Client(), PUBLIC))
    assert f"Correcties in deze totalen: {member(1).name} −100: te laat." in page


def test_after_closing_it_waits_to_be_published(club: Club, evening: Evening) -> None:
    evening_close(evening_id=evening.pk, actor=TESTS)
    desk = desk_of(club)
    desk.post(PAGE, answers(1, -100))
    assert desk.get(f"{EVENING}close/").context["stale_release"].number == 1
    assert totals(evening)[1] == 224
    row = next(r for r in season_standings(Season.objects.get()).rows if r.name == member(1).name)
    assert (row.total, row.best_round) == (224, 324)


@pytest.mark.full
def test_it_is_taken_back_after_a_question(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    desk.post(PAGE, answers(1, -100))
    made = PersonCorrection.objects.get()
    asked = desk.get(f"{PAGE}{made.pk}/remove/")
    assert "Deze correctie terugnemen?" in words(asked)
    gone = desk.post(f"{PAGE}{made.pk}/remove/", follow=True)
    assert messages_in(gone) == ["De correctie is teruggenomen."]
    assert totals(evening)[1] == 324
    assert desk.post(f"{PAGE}{made.pk}/remove/").status_code == 302
    assert AuditEvent.objects.filter(action="person_correction_removed").count() == 1


@pytest.mark.parametrize(
    ("changed", "field"),
    [({"points": 0}, "points"), ({"points": 100_000}, "points"), ({"reason": " "}, "reason"),
     ({"member": 0}, "member")],
)  # fmt: skip
def test_what_is_missing_stands_beside_its_question(
    club: Club, evening: Evening, changed: dict[str, object], field: str
) -> None:
    page = desk_of(club).post(PAGE, answers(1, -100) | changed)
    assert (page.status_code, list(page.context["form"].errors)) == (422, [field])
    assert not PersonCorrection.objects.exists()


def test_a_correction_for_the_season(club: Club, evening: Evening) -> None:
    evening_close(evening_id=evening.pk, actor=TESTS)
    season = Season.objects.get()
    assert season_leaders(season, 4)[0].value == 324
    desk = desk_of(club)
    desk.post(SEASON, answers(2, 50, "organiseerde de drive"))
    season.refresh_from_db()
    first = season_leaders(season, 4)[0]
    assert (first.player_id, first.value) == (str(member(2).pk), 374)
    page = words(get(Client(), f"{WHY}{member(2).pk}/"))
    assert "het seizoen: +50 · organiseerde de drive" in page
    assert "324 + 50 = 374" in page
    made = PersonCorrection.objects.get()
    desk.post(f"{SEASON}{made.pk}/remove/")
    season.refresh_from_db()
    assert season_leaders(season, 4)[0].value == 324


@pytest.mark.full
def test_a_director_corrects_an_evening_and_not_a_season(club: Club, evening: Evening) -> None:
    director = Client()
    director.force_login(director_of(club))
    statuses = [director.get(url).status_code for url in (PAGE, SEASON)]
    assert statuses == [200, 403]


def test_the_api_gives_and_takes_back(club: Club, evening: Evening) -> None:
    desk = desk_of(club)
    address = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/corrections/"
    given = json.dumps(answers(1, -100))
    made = desk.post(address, given, content_type="application/json")
    assert made.status_code == 200, made.content
    (one,) = made.json()["corrections"]
    assert (one["member"], one["points"], one["reason"]) == (member(1).pk, -100, "te laat")
    assert totals(evening)[1] == 224
    gone = desk.delete(f"{address}{one['id']}/")
    assert gone.json() == {"corrections": []}
    season = "/api/v1/clubs/vrolijke-boer/seasons/winter/corrections/"
    assert desk.post(season, given, content_type="application/json").status_code == 200
    assert len(desk.get(season).json()["corrections"]) == 1


def test_of_a_fixed_pair_it_counts_for_the_pair(club: Club) -> None:
    evening = played_in_pairs(club)
    before = {row.pair.number: row.pair.total for row in evening_standings(evening) if row.pair}
    row = evening_standings(evening)[0]
    assert row.pair is not None
    one = Member.objects.get(pk=row.member_id)
    person_correct(about=evening, member=one, points=-30, reason="te laat", actor=TESTS)
    evening = Evening.objects.get(pk=evening.pk)
    after = {row.pair.number: row.pair.total for row in evening_standings(evening) if row.pair}
    assert after == before | {row.pair.number: before[row.pair.number] - 30}
    by_pair = evening_by(evening, "pair")
    assert sorted(one.total for one in by_pair) == sorted(after.values())
    assert {tuple(one.rounds) for one in by_pair} == {(1,)}
    assert sorted(one.correction for one in by_pair) == [-30, *[0] * (len(by_pair) - 1)]
