"""docs/club-rules.md leads from the words of ten clubs to settings: each is set here on its
page, and the pages say it. The figures are worked out in the tests of each."""

import datetime as dt
import html
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from clubs.models import Club
from scoring.rules import RuleSet, evaluate, parse_regulation
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.public_pages import get, words
from tournaments.evenings.kinds import KEPT
from tournaments.models import Evening, Season
from tournaments.prizes.core import PrizeScheme, parse_prizes
from tournaments.seasons.services import season_create
from tournaments.standings.core.results import AbsenceRule, CountingRule
from tournaments.standings.core.rule_json import parse_season_rule

pytestmark = pytest.mark.django_db

PAGE = (Path(__file__).parents[3] / "docs" / "club-rules.md").read_text(encoding="utf-8")
SEASON = "/clubs/vrolijke-boer/desk/seasons/winter/"
RULES = "/clubs/vrolijke-boer/rules/?evening=2026-11-21"
PLAN = {
    "date": "2026-11-21", "rounds_planned": 3, "deals_per_round": 16, "method": "rotation",
    "leftover": "sit_out", "sit_out_score": 1600, "missed_score": 0, "phones": "on",
    "writing": "one",
}  # fmt: skip
RULES_OF_EVENING = {
    "first_dealer": "left", "first_trump_clubs": "no", "maker_holds_trump": "no",
    "reneging_escalates": "no", "roem_by": "winner", "reneging_until": "count", "tie": "shared",
    "tie_1": "pits", "match_play_off": "no", "twice_replaces": "no", "interim": "rounds",
}  # fmt: skip
STANDING = {"name": "Klassement", "aggregate": "sum", "with_notice": "nothing"}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="Winter", actor=TESTS)


def test_every_setting_that_the_page_names_is_there() -> None:
    known = {
        *KEPT,
        *(field.name for field in fields(RuleSet)),
        *CountingRule().as_json(),
        *(f"absence.{name}" for name in AbsenceRule.__dataclass_fields__),
        *(field.name for field in fields(PrizeScheme)),
    }
    named = re.findall(r"`([a-z_.]+)` (?:`|\d)", PAGE)
    assert len(named) > 20
    assert set(named) - known == set()
    assert len(re.findall(r"^## \d+\. ", PAGE, re.MULTILINE)) == 10


@pytest.mark.parametrize(
    ("plan", "rules", "said"),
    [
        (
            {"method": "lottery", "sit_out_score": 1600},
            {"sit_out_as": "fixed", "sit_out_pits": "1"},
            [
                "Iedere ronde wordt er opnieuw geloot",
                "Punten voor een ronde stilzitten: 1.600, en 1 × pit.",
            ],
        ),
        (
            {},
            {"sit_out_as": "lowest", "leaving": "lowest"},
            [
                "stilzitten: wat u tekortkomt tot het laagste totaal van de avond.",
                "Wie halverwege weggaat, eindigt op het laagste totaal van wie doorspeelde.",
            ],
        ),
        (
            {},
            {"sit_out_as": "nothing"},
            ["stilzitten: geen, en de ronde telt niet mee in een gemiddelde."],
        ),
        (
            {},
            {"absence_found": "yes"},
            ["Een lid dat er niet is en zich niet heeft afgemeld, is weggebleven zonder bericht."],
        ),
        (
            {"leftover": "three_handed_rest", "method": "lottery"},
            {},
            ["Blijven er drie mensen over, dan vormen zij een tafel van drie"],
        ),
    ],
)
def test_what_is_set_for_an_evening(
    club: Club, plan: dict[str, Any], rules: dict[str, str], said: list[str]
) -> None:
    evening = EveningFactory.create(club=club)
    desk = desk_of(club)
    answers = PLAN | {"regulation": evening.regulation_id} | plan
    assert desk.post(f"{EVENING}edit/", answers).status_code == 302
    assert desk.post(f"{EVENING}rules/", RULES_OF_EVENING | rules).status_code == 302
    kept = Evening.objects.get()
    wanted = {**plan, **rules}
    yes = {"yes": "True", "no": "False"}
    assert {name: str(getattr(kept, name)) for name in wanted} == {
        name: yes.get(str(value), str(value)) for name, value in wanted.items()
    }
    page = words(get(Client(), RULES))
    assert [sentence for sentence in said if sentence not in page] == []


@pytest.mark.full
@pytest.mark.parametrize(
    ("answers", "settings", "said"),
    [
        ({"best": 7}, {"best_per_period": 7}, ["De beste 7 avonden tellen."]),
        (
            {"aggregate": "mean_per_round", "minimum": 10},
            {"aggregate": "mean_per_round", "minimum_evenings": 10},
            [
                "De plaats hangt af van uw gemiddelde per boompje.",
                "U krijgt een plaats als u 10 avonden hebt gespeeld.",
            ],
        ),
        (
            {"with_notice": "lowest", "may_be_dropped": "on"},
            {"absence": {"with_notice": "lowest", "without_notice": 0, "may_be_dropped": True}},
            [
                "Wie zich heeft afgemeld krijgt de laagste score van die avond.",
                "Zo'n avond zonder bericht mag worden weggestreept, net als iedere andere.",
            ],
        ),
        (
            {"best": 5, "rank_by": "pits"},
            {"best_per_period": 5, "rank_by": "pits"},
            ["Daarvoor worden alleen de avonden opgeteld die tellen: die met de meeste punten."],
        ),
        (
            {"aggregate": "mean_per_evening", "rank_by": "roem"},
            {"aggregate": "mean_per_evening", "rank_by": "roem"},
            ["Daarvoor nemen wij het gemiddelde per avond, van de avonden die tellen."],
        ),
        (
            {
                "best": 4, "best_periods": 1, "period_1_from": "2026-09-01",
                "period_1_to": "2026-10-12", "period_2_from": "2026-10-13",
                "period_2_to": "2026-11-30",
            },
            {
                "best_per_period": 4, "best_periods": 1,
                "periods": [["2026-09-01", "2026-10-12"], ["2026-10-13", "2026-11-30"]],
            },
            ["In elke periode tellen de beste 4 avonden."],
        ),
    ],
)  # fmt: skip
def test_what_is_set_for_a_standing(
    club: Club, season: Season, answers: dict[str, Any], settings: dict[str, Any], said: list[str]
) -> None:
    saved = desk_of(club).post(f"{SEASON}standings/new/", STANDING | answers)
    assert saved.status_code == 302
    kept = season.rules.get().settings
    assert {key: kept[key] for key in settings} == settings
    assert parse_season_rule(kept).as_json() == kept
    page = words(get(Client(), "/clubs/vrolijke-boer/seasons/winter/"))
    assert [sentence for sentence in said if sentence not in page] == []


@pytest.mark.full
def test_prizes_for_places_of_each_period(club: Club, season: Season) -> None:
    answers = {"kind": "none", "poedel": "no", "periods": "yes", "period_places": 10}
    page = desk_of(club).post(f"{SEASON}prizes/edit/", answers, follow=True)
    season.refresh_from_db()
    assert parse_prizes(season.prizes).period_places == 10
    assert "de eerste 10 van iedere periode" in words(page)


def test_reneging_is_waived_twice_in_a_deal() -> None:
    # Deal by deal as a sheet keeps it: tests/scoring/test_replays.py.
    rules = parse_regulation({"preset": "amsterdam", "reneges_replayed": 2, "reneging_roem": 100})
    deal = {"declarer": "NS", "trump": "H", "reneged": "E"}
    scores = [evaluate({**deal, "replays": replays}, rules).score for replays in (0, 1, 2)]
    assert scores == [{"NS": 0, "EW": 0}, {"NS": 0, "EW": 0}, {"NS": 162 + 100, "EW": 0}]


LINK = re.compile(r'<a [^>]*href="([^"#]+)"[^>]*>(.*?)</a>', re.DOTALL)
HERE = {
    "reglement": [["Instellingen", "Reglementen", "Amsterdams"]],
    "speelavond": [["Avonden", "28 nov", "Avond wijzigen"]],
    "spelregels van de avond": [
        ["Avonden", "28 nov", "Avond wijzigen", "Spelregels van deze avond"]
    ],
    "klassement": [["Seizoenen", "Winter", "Klassement toevoegen"]],
    "prijzen van het seizoen": [
        ["Seizoenen", "Winter", "De prijzen van het seizoen", "De prijzen kiezen"]
    ],
    "": [
        ["Avonden", "21 nov", "Avond afsluiten"],
        ["Avonden", "21 nov", "Avond afsluiten", "De lijst om voor te lezen", "Inleg en pot"],
        ["Leden", "Strippenkaarten: avonden die vooruit betaald zijn"],
        ["Seizoenen", "Winter"],
        ["Seizoenen", "Winter", "De prijzen van het seizoen", "Wat zijn de prijzen?"],
    ],
}  # fmt: skip
"""How one gets to each of the pages from the desk, by what is pressed; "" is said in full."""


def walked(desk: Client, steps: list[str]) -> str:
    """The words of all pages on the way."""
    page = desk.get("/clubs/vrolijke-boer/desk/", follow=True)
    read = [words(page)]
    for step in steps:
        links = LINK.findall(page.content.decode())
        hrefs = [href for href, label in links if step in words(label)]
        assert hrefs, f"{step} is not on {page.request['PATH_INFO']}"
        page = desk.get(html.unescape(hrefs[-1]), follow=True)
        assert page.status_code == 200
        read.append(words(page))
    return " ".join(read)


@pytest.mark.full
def test_the_pages_say_what_the_page_of_ten_clubs_says(club: Club, season: Season) -> None:
    evening_with_draw(players=8, club=club, season=season)
    EveningFactory.create(club=club, season=season, date=dt.date(2026, 11, 28))
    desk, labels = desk_of(club), re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")
    read = {here: " ".join(walked(desk, way) for way in ways) for here, ways in HERE.items()}
    every = " ".join(read.values())
    rows_of_clubs = re.findall(r"^\| \"(.*)\" \| (.*) \|$", PAGE, re.MULTILINE)
    assert len(rows_of_clubs) == 23
    for rule, answer in rows_of_clubs:
        for part in answer.split("; "):
            here = next((place for place in HERE if place and place in part.split("*")[0]), "")
            text = read[here] if here else every
            missing = [label for label in labels.findall(part) if label not in text]
            assert missing in ([], ["Op papier geteld? Geef alleen de totalen door"]), rule
