"""The pages, the API and the prizes of a season that ranks pairs or teams."""

import datetime as dt
import json
from pathlib import Path

import pytest
from django.test import Client

from clubs.models import Club, Member
from clubs.text.errors import DomainError
from tests.api.caller import Caller, new_key
from tests.factories import TESTS, ClubFactory, correct_deal, organiser_of, table
from tests.tournaments.competitor_files import side_table, text_of
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.files import Files
from tests.tournaments.public_pages import rows, words
from tournaments.closing.services import competitor_correct
from tournaments.models import Competitor, CompetitorCorrection, Evening, Season
from tournaments.prizes.core import parse_prizes
from tournaments.registration.competitors import competitor_create, competitor_remove
from tournaments.releases.services import correction_publish
from tournaments.seasons.services import season_prizes_choose, season_rule_add

pytestmark = pytest.mark.django_db

PAIRS = [("Ann", "Bob", 2800), ("Cor", "Dik", 2700), ("Els", "Fie", 2600)]


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """A season with a standing of pairs and then one of persons, over one evening with a
    substitute: Zeb plays for Fie."""
    files = Files(ClubFactory.create(), tmp_path)
    lines = []
    for at, (one, two, score) in enumerate(PAIRS, start=1):
        people = [one, f"E{at}", "Zeb" if two == "Fie" else two, f"W{at}"]
        names = {"pair_ns": f"{one} & {two}", "pair_ew": f"E{at} & W{at}"}
        lines += side_table("2026-09-05", 1, at, people, score, names)
    files.evening(text_of(lines), season="2026")
    season = Season.objects.get()
    season_rule_add(season=season, name="Paren", settings={"ranks": "pair"}, actor=TESTS)
    season_rule_add(season=season, name="Personen", settings={}, actor=TESTS)
    return files.club


def page(club: Club, address: str = "") -> str:
    return f"/clubs/{club.slug}/seasons/2026/{address}"


@pytest.mark.full
def test_the_page_has_a_line_for_each_pair(club: Club) -> None:
    answer = Client().get(page(club))
    assert (
        "Deze stand is van vaste paren. Wie er ook voor een paar speelt, de punten zijn van het"
        " paar." in words(answer)
    )
    first = [row[:2] for row in rows(answer)[:3]]
    assert first == [["1", "Ann & Bob"], ["2", "Cor & Dik"], ["3", "Els & Fie"]]
    persons = [row[1] for row in rows(Client().get(page(club, "?standing=2")))]
    assert sorted(persons)[:3] == ["Ann", "Bob", "Cor"]
    assert "Zeb" in persons


@pytest.mark.full
def test_each_place_is_explained(club: Club) -> None:
    pk = Competitor.objects.get(name="Els & Fie").pk
    assert "Waarom staat Els & Fie op plaats 3?" in words(Client().get(page(club, f"why/{pk}/")))
    own = words(Client().get(f"/clubs/{club.slug}/competitors/{pk}/"))
    assert "Plaats 3 met 2.600 punten." in own


def test_the_api_ranks_whom_it_is_asked_for(club: Club) -> None:
    place = f"/api/v1/clubs/{club.slug}/seasons/2026/standings/"
    first = Client().get(place).json()["results"][0]
    pair = Competitor.objects.get(name="Ann & Bob").pk
    assert (first["player"], first["member"], first["competitor"]) == ("Ann & Bob", None, pair)
    person = Client().get(f"{place}?by=player").json()["results"][0]
    assert (person["player"], person["competitor"]) == ("Ann", None)
    assert Client().get(f"{place}?by=club").status_code == 404
    evening = f"/api/v1/clubs/{club.slug}/evenings/2026-09-05/standing/"
    lines = Client().get(f"{evening}?by=pair").json()["rows"]
    assert [(line["rank"], line["player"], line["total"]) for line in lines[:3]] == [
        (1, "Ann & Bob", 2800),
        (2, "Cor & Dik", 2700),
        (3, "Els & Fie", 2600),
    ]


CORRECTIONS = "/clubs/vrolijke-boer/desk/seasons/2026/corrections/"


def test_a_correction_of_a_pair_is_in_its_season_with_its_reason(club: Club) -> None:
    pair = Competitor.objects.get(name="Cor & Dik")
    desk = desk_of(club)
    answers = {"member": "", "competitor": pair.pk, "points": "150", "reason": "verkeerd geteld"}
    said = desk.post(CORRECTIONS, answers, follow=True)
    assert messages_in(said) == ["Cor & Dik: +150 punten. Het telt meteen mee."]
    assert "Cor & Dik: +150 · verkeerd geteld" in words(said)
    first = [row[:3] for row in rows(Client().get(page(club)))[:3]]
    assert first == [["1", "Cor & Dik", "2.850"], ["2", "Ann & Bob", "2.800"],
                     ["3", "Els & Fie", "2.600"]]  # fmt: skip
    why = words(Client().get(page(club, f"why/{pair.pk}/")))
    assert "het seizoen: +150 · verkeerd geteld" in why
    assert "2.700 + 150 = 2.850" in why
    # Its people, and who has its number, keep what they had.
    persons = {row[1]: row[2] for row in rows(Client().get(page(club, "?standing=2")))}
    assert (persons["Cor"], persons["Dik"]) == ("2.700", "2.700")
    someone = Client().get(page(club, f"why/{Member.objects.get(name='Cor').pk}/?standing=2"))
    assert "verkeerd geteld" not in words(someone)
    trail = words(desk.get(f"/clubs/{club.slug}/desk/trail/"))
    assert "Cor & Dik kreeg een correctie van 150 punten" in trail
    made = CompetitorCorrection.objects.get()
    gone = f"{CORRECTIONS}pairs/{made.pk}/remove/"
    assert "Deze correctie terugnemen?" in words(desk.get(gone))
    desk.post(gone)
    assert rows(Client().get(page(club)))[0][1] == "Ann & Bob"
    assert desk.post(gone).status_code == 302


@pytest.mark.full
def test_the_api_corrects_a_pair_and_takes_it_back(club: Club) -> None:
    api = Caller(organiser_of(club), f"/api/v1/clubs/{club.slug}/seasons/2026/")
    pair = Competitor.objects.get(name="Cor & Dik").pk
    given, key = {"competitor": pair, "points": 150, "reason": "verkeerd geteld"}, new_key()
    (one,) = api.post("competitor-corrections/", given, idempotency_key=key)["corrections"]
    api.post("competitor-corrections/", given, idempotency_key=key)
    assert (one["name"], one["points"]) == ("Cor & Dik", 150)
    assert api.get("standings/")["results"][0]["player"] == "Cor & Dik"
    assert api.post("competitor-corrections/", given | {"competitor": 9_999}, status=404)
    gone = api.ask("DELETE", f"competitor-corrections/{one['id']}/")
    assert gone == api.get("competitor-corrections/") == {"corrections": []}


def test_a_correction_is_of_a_person_or_of_a_pair(club: Club) -> None:
    desk, pair = desk_of(club), Competitor.objects.get(name="Cor & Dik")
    other = competitor_create(
        club=ClubFactory.create(slug="zilver"),
        kind="pair",
        name="Vreemd",
        since=dt.date(2026, 1, 1),
        actor=TESTS,
    )
    for member, competitor, field in (
        ("", "", "member"),
        (Member.objects.get(name="Cor").pk, pair.pk, "competitor"),
        ("", other.pk, "competitor"),
    ):
        answers = {"member": member, "competitor": competitor, "points": "5", "reason": "x"}
        said = desk.post(CORRECTIONS, answers)
        assert (said.status_code, list(said.context["form"].errors)) == (422, [field])
    assert not CompetitorCorrection.objects.exists()


@pytest.mark.full
def test_a_pair_with_a_correction_stays(club: Club) -> None:
    pair = competitor_create(
        club=club, kind="pair", name="Nieuw", since=dt.date(2026, 1, 1), actor=TESTS
    )
    season = Season.objects.get()
    competitor_correct(season=season, competitor=pair, points=-5, reason="x", actor=TESTS)
    with pytest.raises(DomainError) as refused:
        competitor_remove(competitor=pair, actor=TESTS)
    assert refused.value.code == "competitor_played"


@pytest.mark.full
def test_prizes_for_the_first_three_go_to_three_pairs(club: Club) -> None:
    season = Season.objects.get()
    season_prizes_choose(
        season=season, scheme=parse_prizes({"first": 3, "poedel": False}), actor=TESTS
    )
    said = words(desk_of(club).get(f"/clubs/{club.slug}/desk/seasons/2026/prizes/"))
    for name in ("Ann & Bob", "Cor & Dik", "Els & Fie"):
        assert name in said
    assert "E1 & W1" not in said


@pytest.mark.full
def test_the_form_asks_who_is_in_the_standing(club: Club) -> None:
    season = Season.objects.get()
    rule = season.rules.order_by("position").first()
    assert rule is not None
    address = f"/clubs/{club.slug}/desk/seasons/2026/standings/{rule.pk}/"
    desk = desk_of(club)
    asked = {"name": "Teams", "ranks": "team", "team_best": "3", "aggregate": "sum"}
    desk.post(
        address, asked | {"with_notice": "nothing", "seen": rule.version, "reason": "afgesproken"}
    )
    rule.refresh_from_db()
    assert (rule.settings["ranks"], rule.settings["team"]) == ("team", {"best": 3})
    said = words(Client().get(page(club)))
    assert "Van een team tellen de beste 3 spelers van de avond." in said
    assert json.loads(json.dumps(rule.settings))["rank_by"] is None


@pytest.mark.full
@pytest.mark.parametrize("place", ["", "why/{}/"])
def test_a_correction_that_is_not_published_is_told(club: Club, place: str) -> None:
    pk = Competitor.objects.get(name="Ann & Bob").pk
    address = page(club, place.format(pk))
    assert Client().get(address).context["stale_evenings"] == []
    correct_deal(table(Evening.objects.get()), 1, ns=10, reason="Verkeerd geteld")
    evening = Evening.objects.get()
    told = Client().get(address)
    assert told.status_code == 200
    assert [column.slug for column in told.context["stale_evenings"]] == [evening.slug]
    correction_publish(evening=evening, actor=TESTS)
    assert Client().get(address).context["stale_evenings"] == []


@pytest.mark.full
def test_a_season_of_pairs_without_a_standing_is_compared_with_what_everybody_sees(
    tmp_path: Path,
) -> None:
    files = Files(ClubFactory.create(), tmp_path)
    for day, score in (("2026-09-05", 2800), ("2026-09-12", 2400)):
        names = {"pair_ns": "Ann & Bob", "pair_ew": "Cor & Dik"}
        lines = side_table(day, 1, 1, ["Ann", "Cor", "Bob", "Dik"], score, names)
        files.evening(text_of(lines), season="2026")
    files.club.evenings.update(ranks=Evening.Ranks.PAIR)
    desk, place = desk_of(files.club), f"/clubs/{files.club.slug}/desk/seasons/2026/"
    assert "Wat als wij anders telden?" in words(desk.get(place))
    form = desk.get(f"{place}standings/new/").context["form"]
    assert form["ranks"].value() == "pair"
    asked = {"name": "Proef", "aggregate": "sum", "with_notice": "nothing", "ranks": "pair"}
    page = desk.post(f"{place}standings/new/", asked | {"best": 1, "show": "1"})
    preview = page.context["preview"]
    assert {line.name: line.before for line in preview.lines} == {
        row[1]: int(row[0]) for row in rows(Client().get(f"/clubs/{files.club.slug}/seasons/2026/"))
    }
    assert page.context["side_by_side"] is True
    assert not Season.objects.get().rules.exists()
