"""The standings of a season at the desk: the formula as a form, and a look before saving."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditText, Club
from tests.factories import TESTS, ClubFactory, EveningFactory, director_of, evening_with_draw
from tests.tournaments.desk import desk_of, messages_in, text
from tests.tournaments.public_pages import close_evening, rows, words
from tournaments.models import Evening, Season, SeasonRule
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = pytest.mark.django_db

SEASON = "/clubs/vrolijke-boer/desk/seasons/winter/"
NEW = f"{SEASON}standings/new/"
SATURDAY = dt.date(2026, 11, 21)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="Winter", actor=TESTS)


@pytest.fixture
def desk(club: Club) -> Client:
    return desk_of(club)


def answers(**changed: Any) -> dict[str, Any]:
    usual = {"name": "Klassement", "aggregate": "sum", "with_notice": "nothing"}
    return usual | changed


def evenings(season: Season, *points: int) -> None:
    """Closed evenings a week apart from 21 November; NS took so many of 162."""
    for week, ns in enumerate(points):
        day = SATURDAY + dt.timedelta(weeks=week)
        evening = evening_with_draw(
            players=4,
            club=season.club,
            season=season,
            date=day,
            method=Evening.Method.TYPED_IN,
        )
        close_evening(evening, ns=ns)


def edit(rule: SeasonRule, more: str = "") -> str:
    return f"{SEASON}standings/{rule.pk}/{more}"


def test_the_whole_formula_is_filled_in_and_comes_back(desk: Client, season: Season) -> None:
    EveningFactory.create(club=season.club, season=season, date=dt.date(2026, 12, 19))
    response = desk.post(
        NEW,
        answers(
            name="Vier per periode",
            best=4,
            aggregate="mean_per_round",
            minimum=3,
            best_periods=2,
            excluded=["2026-12-19"],
            with_notice="fixed",
            notice_points=4000,
            without_notice=-100,
            rank_by="pits",
            tie_1="best_round",
            tie_3="lot",
            period_1_from="2026-09-01",
            period_1_to="2026-10-12",
            period_4_from="2026-10-13",
            period_4_to="2026-11-30",
        ),
    )
    assert response.status_code == 302
    rule = season.rules.get()
    assert rule.name == "Vier per periode"
    assert rule.settings == {
        "periods": [["2026-09-01", "2026-10-12"], ["2026-10-13", "2026-11-30"]],
        "best_per_period": 4,
        "best_periods": 2,
        "aggregate": "mean_per_round",
        "minimum_evenings": 3,
        "excluded": ["2026-12-19"],
        "absence": {"with_notice": 4000, "without_notice": -100},
        "tie_breaks": ["best_round", "lot"],
        "rank_by": "pits",
        "ranks": "player",
        "team": {"best": None},
    }
    form = desk.get(edit(rule)).context["form"]
    asked = ["best", "aggregate", "minimum", "best_periods", "excluded", "with_notice"]
    assert [form[name].initial for name in asked] == [
        4,
        "mean_per_round",
        3,
        2,
        ["2026-12-19"],
        "fixed",
    ]
    more = ["notice_points", "without_notice", "rank_by", "tie_1", "tie_2", "period_2_from"]
    assert [form[name].initial for name in more] == [
        4000,
        -100,
        "pits",
        "best_round",
        "lot",
        "2026-10-13",
    ]


@pytest.mark.full
def test_the_best_evening_can_break_a_tie(desk: Client, season: Season) -> None:
    desk.post(NEW, answers(tie_1="best_evening"))
    rule = season.rules.get()
    assert rule.settings["tie_breaks"] == ["best_evening"]
    page = desk.get(edit(rule))
    choices = dict(page.context["form"].fields["tie_1"].choices)
    assert choices["best_evening"] == "de hoogste avond"


@pytest.mark.full
def test_left_empty_every_evening_counts(desk: Client, season: Season) -> None:
    desk.post(NEW, answers())
    assert season.rules.get().settings == {
        "periods": None,
        "best_per_period": None,
        "best_periods": None,
        "aggregate": "sum",
        "minimum_evenings": 0,
        "excluded": [],
        "absence": {"with_notice": None, "without_notice": 0},
        "tie_breaks": [],
        "rank_by": None,
        "ranks": "player",
        "team": {"best": None},
    }


def test_every_fault_stands_beside_its_question(desk: Client, season: Season) -> None:
    response = desk.post(
        NEW,
        answers(
            name="",
            best=0,
            aggregate="grootste",
            with_notice="fixed",
            excluded=["2026-12-19"],
            tie_1="pits",
            tie_2="pits",
            period_1_from="2026-09-01",
            period_1_to="2026-10-12",
            period_2_from="2026-10-12",
            period_2_to="2026-11-30",
            period_3_from="2026-12-02",
            period_3_to="2026-12-01",
            period_4_from="2027-01-01",
            period_5_from="ooit",
        ),
    )
    assert response.status_code == 422
    errors = response.context["form"].errors
    assert {field: [str(fault) for fault in faults] for field, faults in errors.items()} == {
        "name": ["Vul dit in."],
        "best": ["Zorg ervoor dat deze waarde minstens 1 is."],
        "aggregate": [
            "Selecteer een geldige keuze. grootste is geen beschikbare keuze.",
        ],
        "notice_points": ["Vul in hoeveel punten."],
        "excluded": ["Selecteer een geldige keuze. 2026-12-19 is geen beschikbare keuze."],
        "tie_2": ["Dit staat hierboven al."],
        "period_2_to": ["Deze dagen overlappen die van een andere periode."],
        "period_3_to": ["De laatste dag kan niet vóór de eerste dag liggen."],
        "period_4_to": ["Vul beide dagen in, of geen van beide."],
        "period_5_from": ["Voer een geldige datum in."],
    }
    assert not season.rules.exists()


def test_a_look_saves_nothing_and_compares_with_what_stands(desk: Client, season: Season) -> None:
    evenings(season, 100, 60)
    rule = season_rule_add(season=season, name="Klassement", settings={}, actor=TESTS)
    page = desk.post(edit(rule), answers(best=1, show="1", seen=rule.version, tie_1="best_round"))
    assert "Zo wordt het. Er is nog niets bewaard." in words(page)
    assert "De beste van de 2 avonden telt." in words(page)
    # place, place now, name, what the place goes by, that now, moves, plain sum, evenings.
    # The second evening NS, who played, are nat with 60: EW have 62 + 162, NS 100 + 0.
    assert rows(page) == [
        ["1", "1", "Mia van der Meer", "162", "224", "0", "224", "2"],
        ["1", "1", "Truus de Vries", "162", "224", "0", "224", "2"],
        ["3", "3", "Jan Bakker", "100", "100", "0", "100", "2"],
        ["3", "3", "Piet Visser", "100", "100", "0", "100", "2"],
    ]
    rule.refresh_from_db()
    assert rule.settings["best_per_period"] is None


@pytest.mark.full
def test_a_change_is_saved(desk: Client, season: Season) -> None:
    rule = season_rule_add(season=season, name="Klassement", settings={}, actor=TESTS)
    seen = rule.version
    page = desk.post(edit(rule), answers(name="Beste vijf", best=5, seen=seen), follow=True)
    assert messages_in(page) == ["Beste vijf is bewaard."]
    rule.refresh_from_db()
    assert (rule.name, rule.settings["best_per_period"]) == ("Beste vijf", 5)


def test_two_who_change_at_once_do_not_undo_each_other(desk: Client, season: Season) -> None:
    rule = season_rule_add(season=season, name="Klassement", settings={}, actor=TESTS)
    seen = rule.version
    desk.post(edit(rule), answers(best=5, seen=seen))
    page = desk.post(edit(rule), answers(best=6, seen=seen))
    assert page.status_code == 409
    assert "Iemand anders heeft dit klassement intussen bewaard" in words(page)
    rule.refresh_from_db()
    assert rule.settings["best_per_period"] == 5
    desk.post(edit(rule), answers(best=6, seen=page.context["seen"]))
    rule.refresh_from_db()
    assert rule.settings["best_per_period"] == 6


@pytest.mark.full
def test_an_absence_without_notice_may_be_dropped(desk: Client, season: Season) -> None:
    desk.post(NEW, answers(best=1, may_be_dropped="on"), follow=True)
    rule = season.rules.get()
    assert rule.settings["absence"] == {
        "with_notice": None, "without_notice": 0, "may_be_dropped": True,
    }  # fmt: skip
    page = desk.get(edit(rule))
    assert page.context["form"]["may_be_dropped"].value() is True
    assert "Zo'n avond zonder bericht mag worden weggestreept" in words(page)


def test_after_the_first_result_a_change_needs_a_reason(desk: Client, season: Season) -> None:
    rule = season_rule_add(season=season, name="Klassement", settings={}, actor=TESTS)
    assert "reason" not in desk.get(edit(rule)).context["form"].fields
    evenings(season, 100, 90)
    seen = rule.version
    refused = desk.post(edit(rule), answers(best=1, seen=seen))
    assert refused.status_code == 422
    assert refused.context["form"].errors == {
        "reason": ["Er tellen al uitslagen mee volgens deze regel. Schrijf waarom u die wijzigt."]
    }
    renamed = desk.post(edit(rule), answers(name="Stand", seen=seen), follow=True)
    assert messages_in(renamed) == ["Stand is bewaard."]
    rule.refresh_from_db()
    assert (rule.changed_on, rule.reason) == (None, "")
    given = answers(best=1, seen=rule.version, reason="zo stond het in het reglement")
    desk.post(edit(rule), given, follow=True)
    rule.refresh_from_db()
    assert rule.settings["best_per_period"] == 1
    assert AuditText.objects.filter(text="zo stond het in het reglement").count() == 1
    public = words(Client().get("/clubs/vrolijke-boer/seasons/winter/"))
    assert "Wat telt is tijdens het seizoen gewijzigd, op" in public
    assert ": zo stond het in het reglement" in public
    gone = desk.post(edit(rule, "remove/"))
    assert (gone.status_code, season.rules.count()) == (422, 1)
    desk.post(edit(rule, "remove/"), {"reason": "niet meer nodig"})
    assert season.rules.count() == 0


@pytest.mark.full
def test_leading_the_season_after_a_result_needs_a_reason(desk: Client, season: Season) -> None:
    for name in ("Een", "Twee", "Drie"):
        season_rule_add(season=season, name=name, settings={}, actor=TESTS)
    one, two, three = season.rules.order_by("position")
    evenings(season, 100)
    # Below the first nobody asks.
    assert messages_in(desk.post(edit(three, "raise/"), follow=True)) == [
        "Drie staat nu een plaats hoger."
    ]
    asked = desk.get(edit(three, "raise/"))
    assert f'href="{edit(three, "raise/")}"' in desk.get(SEASON).content.decode()
    assert "Drie naar boven zetten?" in words(asked)
    assert desk.post(edit(three, "raise/")).status_code == 422
    assert list(season.rules.values_list("name", flat=True)) == ["Een", "Drie", "Twee"]
    desk.post(edit(three, "raise/"), {"reason": "de leden kozen deze"})
    assert list(season.rules.values_list("name", flat=True)) == ["Drie", "Een", "Twee"]
    public = words(Client().get("/clubs/vrolijke-boer/seasons/winter/"))
    assert ": de leden kozen deze" in public
    # What leads the season instead of one that is taken away says why, too.
    desk.post(edit(three, "remove/"), {"reason": "toch niet"})
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.reason, two.reason) == ("toch niet", "")
    assert ": toch niet" in words(Client().get("/clubs/vrolijke-boer/seasons/winter/"))


@pytest.mark.full
def test_the_first_standing_after_a_result_needs_a_reason(desk: Client, season: Season) -> None:
    evenings(season, 100)
    refused = desk.post(NEW, answers(best=1))
    assert refused.status_code == 422
    assert list(refused.context["form"].errors) == ["reason"]
    desk.post(NEW, answers(best=1, reason="zo stond het in het reglement"))
    assert season.rules.get().reason == "zo stond het in het reglement"
    # What comes beside it changes nothing.
    desk.post(NEW, answers(name="Anders"))
    assert season.rules.count() == 2


@pytest.mark.full
def test_what_if_we_counted_differently(desk: Client, season: Season) -> None:
    # Jan and Piet have 150, 100 and nat: 250, the best 150. The others 12, 62 and 162: 236.
    rule = season_rule_add(season=season, name="Som", settings={}, actor=TESTS)
    best = {"best_per_period": 1}
    other = season_rule_add(season=season, name="Beste", settings=best, actor=TESTS)
    evenings(season, 150, 100, 20)
    address = edit(rule, "compare/")
    page = desk.get(address)
    assert "Wat als Som anders telde?" in words(page)
    now = rows(desk.post(address, answers(best=1)))
    assert [[row[0], row[1], *row[3:6]] for row in now] == [
        ["1", "3", "162", "236", "+2"], ["1", "3", "162", "236", "+2"],
        ["3", "1", "150", "250", "−2"], ["3", "1", "150", "250", "−2"],
    ]  # fmt: skip
    like = rows(desk.get(f"{address}?like={other.pk}"))
    assert like == now
    rule.refresh_from_db()
    assert rule.settings["best_per_period"] is None


@pytest.mark.full
def test_a_name_that_is_taken_is_said_beside_the_name(desk: Client, season: Season) -> None:
    season_rule_add(season=season, name="Klassement", settings={}, actor=TESTS)
    page = desk.post(NEW, answers(name="klassement"))
    assert page.context["form"].errors == {
        "name": ["Er is in dit seizoen al een klassement dat Klassement heet."]
    }


def test_a_standing_is_moved_up_and_taken_away(desk: Client, season: Season) -> None:
    season_rule_add(season=season, name="Een", settings={}, actor=TESTS)
    two = season_rule_add(season=season, name="Twee", settings={}, actor=TESTS)
    assert messages_in(desk.post(edit(two, "raise/"), follow=True)) == [
        "Twee staat nu een plaats hoger."
    ]
    assert "Twee weghalen?" in text(desk.get(edit(two, "remove/")))
    assert messages_in(desk.post(edit(two, "remove/"), follow=True)) == ["Twee is weggehaald."]
    assert messages_in(desk.post(edit(two, "remove/"), follow=True)) == []
    assert list(season.rules.values_list("name", flat=True)) == ["Een"]


@pytest.mark.full
def test_an_evening_that_left_the_season_stays_ticked(desk: Client, season: Season) -> None:
    settings = {"excluded": ["2026-12-19"]}
    rule = season_rule_add(season=season, name="Klassement", settings=settings, actor=TESTS)
    form = desk.get(edit(rule)).context["form"]
    assert form.fields["excluded"].choices == [("2026-12-19", "2026-12-19")]


@pytest.mark.full
def test_as_many_periods_as_are_sent_are_read(desk: Client, season: Season) -> None:
    months = {
        f"period_{month}_{end}": f"2026-{month:02}-{day}"
        for month in range(1, 13)
        for end, day in (("from", "01"), ("to", "28"))
    }
    desk.post(NEW, answers(**months))
    rule = season.rules.get()
    assert len(rule.settings["periods"]) == 12
    assert len(list(desk.get(edit(rule)).context["form"].periods)) == 14


@pytest.mark.parametrize("more", ["", "raise/", "remove/"])
def test_a_standing_of_another_season_is_not_found_here(
    desk: Client, season: Season, more: str
) -> None:
    other = season_create(club=season.club, name="Zomer", actor=TESTS)
    rule = season_rule_add(season=other, name="Klassement", settings={}, actor=TESTS)
    assert desk.get(edit(rule, more)).status_code == 404
    desk.post(edit(rule, more), answers(name="Anders", seen=rule.version))
    rule.refresh_from_db()
    assert rule.name == "Klassement"


@pytest.mark.full
def test_only_who_organises_decides_what_counts(club: Club, season: Season) -> None:
    rule = season_rule_add(season=season, name="Klassement", settings={}, actor=TESTS)
    director = Client()
    director.force_login(director_of(club))
    paths = [SEASON, NEW, edit(rule), edit(rule, "raise/"), edit(rule, "remove/")]
    assert [director.post(path, answers()).status_code for path in paths] == [403] * 5
    assert [Client().post(path).status_code for path in paths] == [302] * 5
    assert list(season.rules.values_list("name", flat=True)) == ["Klassement"]
