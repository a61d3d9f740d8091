"""How an evening is played: set in a page, and what each answer changes."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club
from clubs.text.errors import DomainError
from scoring.models import Regulation, Scoresheet
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.table_pages import fields_of, link, playing, words, write
from tournaments.closing.services import evening_cancel
from tournaments.draw.services import draw_make, draw_undo
from tournaments.evenings.services import EveningRules, evening_rules_change, rules_of
from tournaments.models import Evening
from tournaments.rounds.services import round_close, round_start
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

SETTINGS = {"writing": "one", "sit_out_score": "1600", "missed_score": "0"}
RULES = f"{EVENING}rules/"
USUAL: dict[str, str] = {
    "first_dealer": "left",
    "first_trump_clubs": "no",
    "maker_holds_trump": "no",
    "reneging_escalates": "no",
    "roem_by": "winner",
    "reneging_until": "count",
    "tie": "shared",
    "tie_1": "pits",
    "tie_2": "best_round",
    "tie_3": "fewest_nats",
    "tie_4": "",
    "match_play_off": "no",
    "twice_replaces": "no",
    "interim": "rounds",
    "sit_out_as": "fixed",
    "sit_out_pits": "0",
    "leaving": "missed",
    "absence_found": "no",
    "ranks": "player",
    "team_best": "",
}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def setting(desk: Client, **answers: str) -> Any:
    """Set these answers in the page, the others as usual."""
    return desk.post(RULES, USUAL | answers, follow=True)


def the_sheet(round_number: int = 1) -> Scoresheet:
    return Scoresheet.objects.get(table__round__number=round_number, table__number=1)


class TestThePage:
    def test_shows_what_is_set(self, club: Club) -> None:
        EveningFactory.create(club=club, first_dealer="drawn", tie="play_off", target=1001)
        page = desk_of(club).get(RULES)
        form = page.context["form"]
        shown = {name: form[name].value() for name in form.fields}
        changed = {"first_dealer": "drawn", "tie": "play_off"}
        assert {name: str("" if value is None else value) for name, value in shown.items()} == (
            USUAL | changed
        )
        assert "tot 1.001 punten" in words(page)

    def test_says_one_sentence_with_each_question(self, club: Club) -> None:
        EveningFactory.create(club=club)
        form = desk_of(club).get(RULES).context["form"]
        asked = {name: field for name, field in form.fields.items() if "tie_" not in name}
        assert {str(field.help_text).count(".") for field in asked.values()} == {1}

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("answers", "kept"),
        [
            ({"first_dealer": "drawn"}, {"first_dealer": "drawn"}),
            ({"first_trump_clubs": "yes"}, {"first_trump_clubs": True}),
            ({"maker_holds_trump": "yes"}, {"maker_holds_trump": True}),
            ({"roem_by": "always"}, {"roem_by": "always"}),
            ({"reneging_until": "next_trick"}, {"reneging_until": "next_trick"}),
            ({"reneging_escalates": "yes"}, {"reneging_escalates": True}),
            ({"tie": "tie_breaks"}, {"tie": "tie_breaks"}),
            ({"tie_2": "lot", "tie_3": ""}, {"tie_breaks": ["pits", "lot"]}),
            (
                {"tie_1": "", "tie_2": "roem", "tie_3": "", "tie_4": "pits"},
                {"tie_breaks": ["roem", "pits"]},
            ),
            ({"match_play_off": "yes"}, {"match_play_off": True}),
            ({"twice_replaces": "yes"}, {"twice_replaces": True}),
            ({"interim": "average"}, {"interim": "average"}),
            ({"ranks": "team", "team_best": "3"}, {"ranks": "team", "team_best": 3}),
            ({"sit_out_as": "lowest"}, {"sit_out_as": "lowest"}),
            ({"sit_out_pits": "1"}, {"sit_out_pits": 1}),
            ({"leaving": "lowest"}, {"leaving": "lowest"}),
            ({"absence_found": "yes"}, {"absence_found": True}),
        ],
    )
    def test_saves_each_answer_and_only_that(
        self, club: Club, answers: dict[str, str], kept: dict[str, Any]
    ) -> None:
        revision = Evening.objects.get(pk=EveningFactory.create(club=club).pk).revision
        saved = setting(desk_of(club), **answers)
        assert messages_in(saved) == ["De spelregels van de avond zijn bewaard."]
        assert rules_of(Evening.objects.get()) == EveningRules(**kept)
        assert Evening.objects.get().revision == revision + 1
        (event,) = AuditEvent.objects.filter(action="evening_rules_changed")
        assert {name: after for name, (_before, after) in event.data.items()} == kept

    def test_the_same_again_changes_nothing(self, club: Club) -> None:
        EveningFactory.create(club=club)
        before = Evening.objects.values().get()
        setting(desk_of(club))
        assert Evening.objects.values().get() == before
        assert not AuditEvent.objects.filter(action="evening_rules_changed").exists()

    def test_an_answer_that_there_is_not(self, club: Club) -> None:
        EveningFactory.create(club=club)
        refused = desk_of(club).post(RULES, USUAL | {"tie": "coin"})
        assert refused.status_code == 422
        assert list(refused.context["form"].errors) == ["tie"]

    @pytest.mark.parametrize(
        ("answers", "wrong"),
        [
            ({"tie_3": "pits"}, {"tie_3": ["Dit is hierboven al gekozen."]}),
            (
                {"tie": "tie_breaks", "tie_1": "", "tie_2": "", "tie_3": ""},
                {"tie_1": ["Kies wat beslist bij een gelijk totaal."]},
            ),
        ],
    )
    def test_what_decides_is_chosen_once_and_at_all(
        self, club: Club, answers: dict[str, str], wrong: dict[str, list[str]]
    ) -> None:
        EveningFactory.create(club=club)
        refused = desk_of(club).post(RULES, USUAL | answers)
        assert (refused.status_code, refused.context["form"].errors) == (422, wrong)

    @pytest.mark.full
    @pytest.mark.parametrize("chain", [["pits", "pits"], ["coin"], []])
    def test_nor_may_a_program_set_what_there_is_not(self, club: Club, chain: list[str]) -> None:
        evening = EveningFactory.create(club=club)
        rules = EveningRules(tie="tie_breaks", tie_breaks=chain)
        with pytest.raises(DomainError) as caught:
            evening_rules_change(evening_id=evening.pk, rules=rules, actor=TESTS)
        assert caught.value.code == "bad_evening"

    @pytest.mark.full
    def test_history_has_no_rules(self, club: Club) -> None:
        EveningFactory.create(club=club)
        Evening.objects.update(is_history=True)
        assert desk_of(club).get(RULES).status_code == 404

    @pytest.mark.full
    def test_not_of_an_evening_that_was_called_off(self, club: Club) -> None:
        evening = EveningFactory.create(club=club)
        evening_cancel(evening_id=evening.pk, actor=TESTS)
        refused = desk_of(club).post(RULES, USUAL | {"tie": "play_off"})
        assert (refused.status_code, Evening.objects.get().tie) == (422, "shared")

    @pytest.mark.full
    def test_it_is_a_step_from_the_evening(self, club: Club) -> None:
        EveningFactory.create(club=club)
        desk = desk_of(club)
        for page in (f"{EVENING}edit/", f"{EVENING}present/", f"/clubs/{club.slug}/desk/"):
            assert f'href="{RULES}"' in text(desk.get(page))

    @pytest.mark.full
    def test_the_director_sees_them_where_he_decides(self, club: Club) -> None:
        evening_with_draw(club=club, players=4, reneging_until="next_trick")
        sheet = words(desk_of(club).get(f"{EVENING}rounds/1/tables/1/"))
        assert "Verzaken meldt u voordat de volgende slag begint" in sheet


def test_a_service_refuses_what_is_no_answer(club: Club) -> None:
    evening = EveningFactory.create(club=club)
    with pytest.raises(DomainError) as refused:
        evening_rules_change(evening_id=evening.pk, rules=EveningRules(tie="coin"), actor=TESTS)
    assert refused.value.code == "bad_evening"
    assert "tie" in str(refused.value.params["faults"])


@pytest.mark.full
def test_a_new_evening_is_played_as_the_one_before(club: Club) -> None:
    EveningFactory.create(club=club, tie="play_off", first_trump_clubs=True, target=1001)
    desk = desk_of(club)
    new = f"/clubs/{club.slug}/desk/evenings/new/"
    page = desk.get(new)
    assert "Ook de spelregels van die avond gelden weer" in words(page)
    assert page.context["form"]["target"].value() == 1001
    given = {"date": "2026-11-28", "rounds_planned": "3", "deals_per_round": "16"}
    given |= {
        "regulation": str(Regulation.objects.get().pk),
        "method": "rotation",
        "leftover": "sit_out",
    }
    given |= {"target": "1001", "writing": "one", "sit_out_score": "1600", "missed_score": "0"}
    assert desk.post(new, given).status_code == 302
    made = Evening.objects.get(date="2026-11-28")
    assert rules_of(made) == EveningRules(tie="play_off", first_trump_clubs=True)
    assert made.target == 1001


class TestWhatIsDrawn:
    """Rounds that have not started follow; what has started stays."""

    CHANGED = {"first_dealer": "drawn", "first_trump_clubs": "yes", "reneging_escalates": "yes"}

    @pytest.mark.full
    def test_a_draw_made_later_follows(self, club: Club) -> None:
        evening = evening_with_draw(club=club, players=4, rounds=2, started=False)
        draw_undo(evening_id=evening.pk, actor=TESTS)
        setting(desk_of(club), **self.CHANGED)
        draw_make(evening_id=evening.pk, actor=TESTS)
        assert self.of(1) == ("", "C", True)
        assert self.of(2) == ("", "", True)

    @pytest.mark.full
    def test_so_does_one_that_waits(self, club: Club) -> None:
        evening_with_draw(club=club, players=4, rounds=2, started=False)
        desk = desk_of(club)
        setting(desk, **self.CHANGED)
        assert (self.of(1), self.of(2)) == (("", "C", True), ("", "", True))
        setting(desk)
        assert (self.of(1), self.of(2)) == (("E", "", False), ("E", "", False))

    @pytest.mark.full
    def test_a_round_that_has_started_does_not(self, club: Club) -> None:
        evening_with_draw(club=club, players=4, rounds=2)
        desk = desk_of(club)
        setting(desk, **self.CHANGED)
        assert (self.of(1), self.of(2)) == (("E", "", False), ("", "", True))
        assert "geldt voor rondes die nog niet begonnen zijn" in words(desk.get(RULES))

    def of(self, round_number: int) -> tuple[str, str, bool]:
        sheet = the_sheet(round_number)
        return sheet.first_dealer, sheet.first_trump, sheet.first_reneging_replayed


class TestAtTheTable:
    """What the answers do on the phone."""

    def test_clubs_are_filled_in_and_another_suit_is_asked_about(self) -> None:
        evening, client = playing(first_trump_clubs=True), Client()
        url = f"{link(evening)}rounds/1/deals/1/"
        page = client.get(url)
        assert fields_of(page, url)["trump"] == "C"
        assert "Troef Eerste spel: klaveren." in words(page)
        check = client.post(
            url, fields_of(page, url) | {"declarer": "NS", "trump": "H", "points_ns": "90"}
        )
        assert "In het eerste spel is klaveren troef. Klopt dit?" in words(check)
        client.post(url, fields_of(check, url))
        assert the_sheet().warnings == 1

    def test_the_first_reneging_is_let_off_and_says_so(self) -> None:
        evening, client = playing(reneging_escalates=True), Client()
        url = f"{link(evening)}rounds/1/deals/1/"
        typed = {"declarer": "NS", "trump": "H", "reneged": "E"}
        check = client.post(url, fields_of(client.get(url), url) | typed)
        assert "De eerste keer verzaken aan deze tafel: het spel wordt overgedaan." in words(check)
        client.post(url, fields_of(check, url))
        assert the_sheet().deals_entered == 0
        write(client, url, declarer="NS", trump="H", points_ns="90")
        write(client, url.replace("/1/deals/1/", "/1/deals/2/"), **typed)
        assert (the_sheet().score_ns, the_sheet().score_ew) == (90 + 262, 72)

    @pytest.mark.full
    def test_at_the_desk_too(self, club: Club) -> None:
        evening_with_draw(club=club, players=4, reneging_escalates=True)
        url = f"{EVENING}rounds/1/tables/1/"
        desk = desk_of(club)
        form = desk.get(url).context["form"]
        answers = {"seen_version": "0", "uuid": str(form["uuid"].value())}
        answers |= {"declarer": "NS", "trump": "H", "reneged": "E"}
        preview = desk.post(f"{url}preview/?deal=1", answers)
        assert "het spel wordt overgedaan" in words(preview)
        desk.post(f"{url}?deal=1", answers)
        assert the_sheet().deals.get(number=1).current.replayed  # type: ignore[union-attr]


class TestNotPlaying:
    """The points for sitting out and for a missed round, set in the evening's form."""

    @pytest.mark.full
    @pytest.mark.parametrize(("given", "total"), [("1600", 1600), ("0", 0), ("1450", 1450)])
    def test_who_sits_out_gets_those_points(self, club: Club, given: str, total: int) -> None:
        evening = evening_with_draw(club=club, players=5, rounds=1, deals_per_round=1)
        write_deal(table(evening), 1)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        desk = desk_of(club)
        desk.post(f"{EVENING}edit/", SETTINGS | {"sit_out_score": given})
        out = evening.rounds.get().placements.get(table=None).member_id
        standing = {row.member_id: row.total for row in evening_standings(Evening.objects.get())}
        assert standing[out] == total

    @pytest.mark.full
    @pytest.mark.parametrize(("given", "total"), [("0", 90), ("1450", 1540)])
    def test_who_misses_a_round_gets_those_points(self, club: Club, given: str, total: int) -> None:
        evening = evening_with_draw(
            club=club, players=4, rounds=2, method=Evening.Method.TYPED_IN, deals_per_round=1
        )
        write_deal(table(evening), 1)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        second = evening.rounds.create(number=2, state="drawn")
        round_start(round_id=second.pk, actor=TESTS)
        round_close(round_id=second.pk, actor=TESTS)
        desk_of(club).post(f"{EVENING}edit/", SETTINGS | {"missed_score": given})
        north = table(evening).placements.get(seat="N").member_id
        standing = {row.member_id: row.total for row in evening_standings(Evening.objects.get())}
        assert standing[north] == total
