"""A full sheet, both sides' answers, where everybody plays next; and how a page keeps up."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client

from clubs.models import Member
from scoring.disputes.submissions import dispute_settle
from scoring.models import Confirmation, Scoresheet
from tests.factories import TESTS, evening_with_draw, table, write_deal
from tests.tournaments.table_pages import Answer, fields_of, link, playing, table_data, words
from tournaments.draw.services import draw_make, draw_publish
from tournaments.models import Evening
from tournaments.rounds.services import round_close, round_start

QueryCount = Callable[[int], AbstractContextManager[object]]

pytestmark = pytest.mark.django_db


def full() -> Evening:
    """Table 1 has written its only deal: 90–72, and 50 less for Mia."""
    evening = playing(deals_per_round=1)
    fine = [{"seat": "E", "points": -50, "reason": "seinen"}]
    write_deal(table(evening), 1, corrections=fine)
    return evening


class TestFull:
    @pytest.mark.full
    def test_everybodys_total_is_shown(self, client: Client) -> None:
        shown = words(client.get(link(full())))
        assert "Ronde 1 is klaar" in shown
        assert "Jan Bakker 90 Piet Visser 90 Truus de Vries 72 Mia van der Meer 22" in shown

    @pytest.mark.full
    def test_two_people_of_one_name_have_a_total_each(self, client: Client) -> None:
        evening = full()
        Member.objects.filter(name="Piet Visser").update(name="Jan Bakker")
        shown = words(client.get(link(evening)))
        assert "Jan Bakker 90 Jan Bakker 90 Truus de Vries 72" in shown

    @pytest.mark.full
    def test_each_side_agrees(self, client: Client) -> None:
        address = link(full())
        url = f"{address}rounds/1/answer/"
        for side in ("NS", "EW"):
            sent = {"side": side, "seen_version": str(Scoresheet.objects.get().version)}
            assert client.post(url, sent).status_code == 303
        shown = words(client.get(address))
        assert "Wij: akkoord" in shown
        assert "Zij: akkoord" in shown
        assert "Wij akkoord" not in shown

    @pytest.mark.full
    def test_nobody_is_asked_once_the_round_is_closed(self, client: Client) -> None:
        evening = full()
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        shown = words(client.get(link(evening)))
        assert "Ronde 1 is klaar" in shown
        assert "Deze ronde is afgesloten. Moet er iets anders?" in shown
        assert "Klopt het?" not in shown

    def test_an_answer_about_what_has_changed_since_is_refused(self, client: Client) -> None:
        evening = full()
        seen = str(table(evening).sheet.version)
        write_deal(table(evening), 1, points={"NS": 100})
        url = f"{link(evening)}rounds/1/answer/"
        response = client.post(url, {"side": "NS", "seen_version": seen})
        assert response.status_code == 409
        assert "De tellijst is veranderd." in words(response)
        assert Confirmation.objects.count() == 0

    @pytest.mark.full
    def test_a_side_that_does_not_exist_answers_nothing(self, client: Client) -> None:
        url = f"{link(full())}rounds/1/answer/"
        assert client.post(url, {"side": "X", "seen_version": "1"}).status_code == 404

    def test_not_right_tells_the_director_why(self, client: Client) -> None:
        address = link(full())
        url = f"{address}rounds/1/dispute/EW/"
        asked = client.get(url)
        sent = {"seen_version": str(Scoresheet.objects.get().version), "note": ""}
        nothing_said = client.post(url, sent)
        assert (asked.status_code, nothing_said.status_code) == (200, 422)
        assert Confirmation.objects.count() == 0
        assert client.post(url, sent | {"note": "spel 1: 82"}).status_code == 303
        answer = Confirmation.objects.get()
        assert (answer.side, answer.agrees, answer.note) == ("EW", False, "spel 1: 82")
        assert "Zij: klopt niet spel 1: 82 De wedstrijdleider weet het" in words(
            client.get(address)
        )
        dispute_settle(confirmation_id=answer.pk, actor=TESTS)
        assert "De wedstrijdleider heeft ernaar gekeken." in words(client.get(address))

    @pytest.mark.full
    def test_the_form_for_a_dispute_carries_the_version_seen(self, client: Client) -> None:
        url = f"{link(full())}rounds/1/dispute/NS/"
        assert fields_of(client.get(url), "")["seen_version"] == "1"

    @pytest.mark.full
    def test_the_last_round_leads_to_the_standings(self, client: Client) -> None:
        evening = full()
        response = client.get(link(evening))
        assert "Dit was de laatste ronde." in words(response)
        assert f"/evenings/{evening.slug}/" in response.content.decode()


class TestNextRound:
    @pytest.mark.full
    def test_in_a_rotation_the_four_stay_and_change_places(self, client: Client) -> None:
        evening = evening_with_draw(players=4, rounds=3, deals_per_round=1)
        write_deal(table(evening), 1)
        address = link(evening)
        waiting = words(client.get(address))
        assert "U blijft aan deze tafel en wisselt van plaats:" in waiting
        assert "De wedstrijdleider start de volgende ronde." in waiting
        round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
        ready = client.get(f"{address}rounds/1/")
        assert "Verder met ronde 2" in words(ready)
        assert f'href="{address}rounds/2/"' in ready.content.decode()

    def test_in_a_lottery_everybody_waits_for_the_draw_and_then_sees_his_table(
        self, client: Client
    ) -> None:
        evening = evening_with_draw(players=9, rounds=2, method="lottery", deals_per_round=1)
        for number in (1, 2):
            write_deal(table(evening, number), 1)
        address = link(evening)
        assert "Wacht op de loting van de volgende ronde." in words(client.get(address))
        round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
        draw_make(evening_id=evening.pk, actor=TESTS)
        assert "Wacht op de loting" in words(client.get(address))
        draw_publish(evening_id=evening.pk, actor=TESTS)
        shown = words(client.get(f"{address}rounds/1/"))
        for placement in table(evening).placements.select_related("member"):
            later = placement.member.placements.select_related("table").get(round__number=2)
            place = f"tafel {later.table.number} ," if later.table else "zit deze ronde stil"
            assert f"{placement.member.name} {place}" in shown


class TestKeepingUp:
    """The second phone of the table, its page open at deal 1."""

    @pytest.fixture
    def evening(self) -> Evening:
        return playing()

    @pytest.fixture
    def state(self, evening: Evening) -> str:
        return f"{link(evening)}state/?round=1&form=1"

    def test_nothing_new_is_304_in_four_queries(
        self, client: Client, state: str, django_assert_num_queries: QueryCount
    ) -> None:
        client.get(state)
        tag = client.get(state).headers["ETag"]
        with django_assert_num_queries(4):
            response = client.get(state, headers={"If-None-Match": tag})
        assert (response.status_code, response.content) == (304, b"")

    @pytest.mark.full
    def test_a_deal_written_on_the_other_phone_is_shown(
        self, client: Client, evening: Evening, state: str
    ) -> None:
        tag = client.get(state).headers["ETag"]
        write_deal(table(evening), 1)
        response = client.get(state, headers={"If-None-Match": tag})
        assert response.status_code == 200
        line = table_data(response)["lines"][0]
        assert (line["version"], line["words"], line["counts"]) == (1, "90–72", True)
        assert response.headers["ETag"] != tag

    @pytest.mark.full
    def test_the_form_that_somebody_fills_in_is_left_alone(
        self, client: Client, evening: Evening, state: str
    ) -> None:
        write_deal(table(evening), 1)
        assert not _has_form(client.get(state))

    @pytest.mark.full
    def test_a_page_without_a_form_gets_its_middle_anew(self, client: Client) -> None:
        evening = full()
        asked = f"{link(evening)}state/?round=1&form=1"
        assert "Ronde 1 is klaar" in words(client.get(asked))

    @pytest.mark.full
    def test_a_page_that_waits_for_the_draw_is_loaded_anew(self, client: Client) -> None:
        evening = playing()
        evening.rounds.update(state="draft")
        state = f"{link(evening)}state/"
        tag = client.get(state).headers["ETag"]
        assert client.get(state, headers={"If-None-Match": tag}).status_code == 304
        evening.rounds.update(state="drawn")
        response = client.get(state, headers={"If-None-Match": tag})
        assert response.headers["HX-Refresh"] == "true"

    @pytest.mark.full
    @pytest.mark.parametrize("query", ["round=x", "round=1&form=y", "round=99999999999"])
    def test_nonsense_is_no_crash(self, client: Client, evening: Evening, query: str) -> None:
        response = client.get(f"{link(evening)}state/?{query}")
        assert response.status_code in (200, 404)


def _has_form(response: Answer) -> bool:
    return b"data-deal-form" in response.content
