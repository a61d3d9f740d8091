"""Which phones are at a table, and how long each may write there."""

import json
import uuid

import pytest
from django.test import Client
from django.test.client import RequestFactory

from scoring.models import DealClaim, DealEntry
from tests.factories import TESTS, evening_with_draw, table, write_deal
from tests.tournaments.table_moves import next_round_drawn, with_other_people
from tests.tournaments.table_pages import Answer, link, playing, words
from tournaments.closing.services import evening_cancel, evening_close
from tournaments.models import Evening, TableDevice
from tournaments.rounds.services import round_close, round_start
from tournaments.table_links.devices import device_cut_off, phone_kind
from tournaments.table_links.services import token_renew, tokens_ensure

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


def phone(*addresses: str, agent: str = "") -> Client:
    """A phone that opened these addresses, and looked again."""
    client = Client(headers={"User-Agent": agent} if agent else None)
    for address in addresses:
        client.get(address)
        client.get(f"{address}state/")
    return client


def phones(evening: Evening, number: int = 1) -> list[tuple[int, int]]:
    """Round and number of the phones of a table."""
    rows = TableDevice.objects.filter(evening=evening, table_number=number)
    return list(rows.order_by("round_number", "number").values_list("round_number", "number"))


def payload(response: Answer) -> tuple[int, dict[str, str]]:
    """The status and the words of an answer in JSON."""
    return response.status_code, json.loads(response.content)


class TestTheCookie:
    @pytest.mark.full
    def test_it_is_for_the_table_pages_of_one_day_and_no_script_reads_it(self) -> None:
        cookie = Client().get(link(playing())).cookies["table_phone"]
        assert len(cookie.value) == 43
        kept = {name: cookie[name] for name in ("path", "max-age", "httponly", "samesite")}
        assert kept == {"path": "/t/", "max-age": 86400, "httponly": True, "samesite": "Lax"}
        assert cookie["secure"] == ""

    @pytest.mark.full
    def test_over_https_it_is_sent_over_https_only(self) -> None:
        cookie = Client().get(link(playing()), secure=True).cookies["table_phone"]
        assert cookie["secure"] is True

    @pytest.mark.full
    def test_a_phone_that_has_one_keeps_it(self) -> None:
        address = link(playing())
        client = phone(address)
        assert dict(client.get(address).cookies) == {}

    @pytest.mark.full
    def test_the_database_does_not_hold_it(self) -> None:
        client = phone(link(playing()))
        (row,) = TableDevice.objects.values()
        assert client.cookies["table_phone"].value not in " ".join(map(str, row.values()))


class TestPairing:
    @pytest.mark.full
    def test_phones_of_a_table_are_numbered_as_they_come(self) -> None:
        evening = playing(players=8)
        for number in (1, 1, 2):
            phone(link(evening, number))
        assert phones(evening, 1) == [(1, 1), (1, 2)]
        assert phones(evening, 2) == [(1, 1)]

    @pytest.mark.full
    def test_looking_again_makes_no_other_phone_of_it(self) -> None:
        evening = playing()
        phone(link(evening), link(evening), link(evening))
        assert phones(evening) == [(1, 1)]

    @pytest.mark.full
    def test_a_phone_that_keeps_no_cookies_is_no_phone_with_a_number(self) -> None:
        evening = playing()
        for _ in range(3):
            assert Client().get(link(evening)).status_code == 200
        assert phones(evening) == []

    @pytest.mark.full
    def test_before_there_is_a_draw_it_is_for_round_0(self) -> None:
        evening = playing()
        address = link(evening)
        evening.rounds.update(state="draft")
        phone(address)
        assert phones(evening) == [(0, 1)]
        evening.rounds.update(state="running")
        client = phone(address)
        assert phones(evening) == [(0, 1), (1, 2)]
        assert client.get(address).status_code == 200

    @pytest.mark.full
    def test_a_round_that_is_not_there_pairs_nobody_with_it(self) -> None:
        evening = playing()
        client = phone(link(evening))
        for number in ("99", "99999999999999999999"):
            assert client.get(f"{link(evening)}rounds/{number}/").status_code == 404
        assert phones(evening) == [(1, 1)]

    def test_phones_that_somebody_makes_up_do_not_bury_the_others(self) -> None:
        evening = playing()
        first = phone(link(evening))
        TableDevice.objects.update(number=98)
        others = [phone(link(evening)) for _ in range(3)]
        assert phones(evening) == [(1, 98), (1, 99)]
        for client in (first, *others):
            assert client.get(link(evening)).status_code == 200

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("agent", "kind"),
        [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari", "iPhone"),
            ("Mozilla/5.0 (Linux; Android 14; SM-A155F) Chrome", "Android"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari", "Mac"),
            ("curl/8", ""),
        ],
    )
    def test_the_director_reads_what_sort_of_phone_it_is(self, agent: str, kind: str) -> None:
        assert phone_kind(RequestFactory().get("/", headers={"User-Agent": agent})) == kind
        phone(link(playing()), agent=agent)
        assert TableDevice.objects.get().name == kind


class TestTheNextRound:
    @pytest.mark.full
    def test_where_the_people_stay_the_phone_stays(self) -> None:
        evening = evening_with_draw(players=4, rounds=3, deals_per_round=1)
        client = phone(link(evening))
        write_deal(table(evening), 1)
        round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
        assert "Tafel 1 · ronde 2" in words(client.get(link(evening)))
        assert phones(evening) == [(1, 1), (2, 1)]

    @pytest.mark.full
    def test_where_others_sit_it_has_to_scan_at_its_next_table(self) -> None:
        evening = playing(players=8, rounds=2)
        client = phone(link(evening))
        with_other_people(evening)
        response = client.get(link(evening))
        assert response.status_code == 403
        shown = words(response)
        assert "Scan de code aan uw volgende tafel" in shown
        assert "Wij zitten nog aan tafel 1" in shown
        assert phones(evening) == [(1, 1)]
        assert client.get(f"{link(evening)}rounds/1/").status_code == 200
        answer = client.post(f"{link(evening)}rounds/2/deals/1/", {}, headers=JSON)
        assert payload(answer) == (
            403,
            {"status": "scan_again", "message": "Scan de code aan uw volgende tafel."},
        )

    @pytest.mark.full
    def test_who_is_still_there_says_so_and_goes_on(self) -> None:
        evening = playing(players=8, rounds=2)
        client = phone(link(evening))
        with_other_people(evening)
        response = client.post(f"{link(evening)}pair/", follow=True)
        assert response.redirect_chain == [(link(evening), 303)]
        assert "Tafel 1 · ronde 2 · spel 1/16" in words(response)
        assert phones(evening) == [(1, 1), (2, 1)]

    @pytest.mark.full
    def test_a_phone_that_moved_on_is_at_home_at_its_next_table(self) -> None:
        evening = playing(players=8, rounds=2)
        client = phone(link(evening))
        with_other_people(evening)
        assert client.get(link(evening, 2)).status_code == 200
        assert phones(evening, 2) == [(2, 1)]

    @pytest.mark.full
    def test_before_the_next_round_starts_everybody_may_look(self) -> None:
        evening = evening_with_draw(players=8, rounds=2, method="lottery")
        client = phone(link(evening))
        assert client.get(link(evening)).status_code == 200

    @pytest.mark.full
    def test_who_comes_between_two_rounds_comes_for_the_next_one(self) -> None:
        evening = playing(players=8, rounds=2)
        first = phone(link(evening))
        next_round_drawn(evening)
        came = phone(link(evening, 2))
        address = link(evening)
        shown = words(came.get(address))
        assert "Tafel 1 · ronde 2" in shown
        assert "Zo zit u" in shown
        assert phones(evening) == [(1, 1), (2, 2)]
        assert "Tafel 1 · ronde 1" in words(first.get(address))
        evening.rounds.filter(number=2).update(state="draft")
        assert "Tafel 1 · ronde 1" in words(came.get(address))
        evening.rounds.filter(number=2).update(state="drawn")
        round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
        assert "Tafel 1 · ronde 2 · spel 1/16" in words(came.get(address))
        assert first.get(address).status_code == 403

    def test_a_page_may_be_read_in_another_language_by_any_phone(self) -> None:
        evening = playing(players=8, rounds=2)
        client = phone(link(evening))
        with_other_people(evening)
        sent = {"language": "en", "next": link(evening)}
        assert client.post(f"{link(evening)}language/", sent).status_code == 302
        assert "Scan the code at your next table" in words(client.get(link(evening)))


class TestTurnedAwayInJson:
    def test_a_link_that_never_was(self, client: Client) -> None:
        answer = client.get("/t/0123456789/", headers=JSON)
        assert payload(answer) == (404, {"status": "gone", "message": "Deze code kennen we niet"})

    @pytest.mark.full
    def test_a_link_that_was_withdrawn(self, client: Client) -> None:
        evening = playing()
        address = link(evening)
        token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
        answer = client.get(address, headers=JSON)
        assert payload(answer) == (410, {"status": "over", "message": "Deze code geldt niet meer"})

    @pytest.mark.full
    def test_an_evening_that_is_over(self, client: Client) -> None:
        evening = playing(deals_per_round=1)
        write_deal(table(evening), 1)
        address = link(evening)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        evening_close(evening_id=evening.pk, actor=TESTS)
        answer = client.get(address, headers=JSON)
        assert payload(answer) == (410, {"status": "over", "message": "De avond is afgelopen"})

    @pytest.mark.full
    def test_an_evening_that_was_called_off(self, client: Client) -> None:
        evening = evening_with_draw(players=4, started=False)
        tokens_ensure(evening=evening, tables=1)
        address = link(evening)
        evening_cancel(evening_id=evening.pk, actor=TESTS)
        answer = client.get(address, headers=JSON)
        assert payload(answer) == (410, {"status": "over", "message": "De avond is afgelast"})

    @pytest.mark.full
    def test_an_evening_on_paper(self, client: Client) -> None:
        answer = client.get(link(playing(phones=False)), headers=JSON)
        assert payload(answer) == (
            403,
            {"status": "paper_only", "message": "Vanavond schrijft u op papier"},
        )

    def test_a_deal_that_is_not_there(self, client: Client) -> None:
        answer = client.get(f"{link(playing())}rounds/1/deals/17/", headers=JSON)
        assert payload(answer) == (404, {"status": "gone", "message": "Hier is niets"})


class TestWhatStillWaits:
    """Deals that wait on a phone when it may no longer write."""

    def sent(self, client: Client, evening: Evening, address: str, number: int = 1) -> Answer:
        """A deal as the phone's own program sends it."""
        form = {"declarer": "NS", "trump": "H", "points_ns": "90"}
        form |= {"seen_version": "0", "uuid": str(uuid.uuid4())}
        return client.post(f"{address}rounds/1/deals/{number}/", form, headers=JSON)

    def kept(self) -> list[tuple[int, str, str]]:
        """Number, reason and phone of what is kept for the director."""
        claims = DealClaim.objects.filter(decided_at=None)
        return list(claims.values_list("deal__number", "why", "device"))

    @pytest.mark.full
    def test_a_deal_tells_on_which_phone_it_was_written(self) -> None:
        evening = playing()
        address = link(evening)
        phone(address)
        assert payload(self.sent(phone(address), evening, address))[0] == 200
        assert DealEntry.objects.get().device == "phone:2"

    @pytest.mark.full
    def test_over_a_link_that_was_withdrawn_it_is_kept_for_the_director(self) -> None:
        evening = playing()
        address = link(evening)
        client = phone(address)
        token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
        status, answer = payload(self.sent(client, evening, address))
        assert (status, answer["status"], answer["why"]) == (202, "kept", "cut_off")
        assert self.kept() == [(1, "cut_off", "phone:1")]
        assert not DealEntry.objects.exists()
        assert client.get(address).status_code == 410

    def test_without_the_phones_own_program_such_a_link_takes_nothing(self) -> None:
        evening = playing()
        write_deal(table(evening), 1)
        address = link(evening)
        client = phone(address)
        token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
        for path in ("rounds/1/deals/2/", "rounds/1/deals/1/undo/"):
            response = client.post(address + path, {"seen_version": "1"})
            assert response.status_code == 410
            assert "Deze code geldt niet meer" in words(response)
        assert DealEntry.objects.count() == 1

    @pytest.mark.full
    def test_from_a_phone_that_was_cut_off_as_well(self) -> None:
        evening = playing()
        address = link(evening)
        client, other = phone(address), phone(address)
        device_cut_off(evening_id=evening.pk, table_number=1, number=1, actor=TESTS)
        status, answer = payload(self.sent(client, evening, address))
        assert (status, answer["status"], answer["why"]) == (202, "kept", "cut_off")
        assert self.kept() == [(1, "cut_off", "phone:1")]
        assert payload(self.sent(other, evening, address))[0] == 200
        refused = client.get(f"{address}state/", headers=JSON)
        assert payload(refused) == (
            403,
            {
                "status": "cut_off",
                "message": "Deze telefoon mag aan deze tafel niet meer schrijven.",
            },
        )

    @pytest.mark.full
    def test_after_the_round_it_is_kept_as_late_also_where_others_sit_now(self) -> None:
        evening = playing(players=8, rounds=2)
        address = link(evening)
        client = phone(address)
        with_other_people(evening)
        status, answer = payload(self.sent(client, evening, address))
        assert (status, answer["status"], answer["why"]) == (202, "kept", "late")
        assert self.kept() == [(1, "late", "phone:1")]

    @pytest.mark.full
    def test_since_everybody_writes_on_paper_as_well(self) -> None:
        evening = playing()
        address = link(evening)
        client = phone(address)
        Evening.objects.update(phones=False)
        status, answer = payload(self.sent(client, evening, address))
        assert (status, answer["status"], answer["why"]) == (202, "kept", "cut_off")
        assert self.kept() == [(1, "cut_off", "phone:1")]
        undo = {"seen_version": "0", "uuid": str(uuid.uuid4())}
        response = client.post(f"{address}rounds/1/deals/1/undo/", undo, headers=JSON)
        assert payload(response)[1]["status"] == "late"
        assert client.post(f"{address}rounds/1/deals/2/").status_code == 403

    @pytest.mark.full
    def test_after_the_evening_too(self) -> None:
        evening = playing(deals_per_round=2)
        address = link(evening)
        client = phone(address)
        write_deal(table(evening), 1)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="late")
        evening_close(evening_id=evening.pk, actor=TESTS)
        status, answer = payload(self.sent(client, evening, address, 2))
        assert (status, answer["status"], answer["why"]) == (202, "kept", "late")
        assert self.kept() == [(2, "late", "phone:1")]
        assert client.get(address).status_code == 410

    @pytest.mark.full
    def test_while_the_table_goes_on_together_it_is_written(self) -> None:
        evening = evening_with_draw(players=4, rounds=3)
        address = link(evening)
        client = phone(address)
        round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
        client.get(f"{address}rounds/2/")
        assert phones(evening) == [(1, 1), (2, 1)]
        assert payload(self.sent(client, evening, address))[0] == 200

    def test_of_an_evening_that_was_called_off_nothing_is_kept(self) -> None:
        evening = evening_with_draw(players=4, started=False)
        tokens_ensure(evening=evening, tables=1)
        address = link(evening)
        client = phone(address)
        evening_cancel(evening_id=evening.pk, actor=TESTS)
        assert payload(self.sent(client, evening, address))[0] == 410
        assert self.kept() == []

    @pytest.mark.full
    def test_two_phones_without_a_name_are_two(self) -> None:
        evening = playing()
        address = link(evening)
        token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
        for name in ("one", "two"):
            form = {"points_ns": "90", "declarer": "NS", "trump": "H"}
            form |= {"seen_version": "0", "uuid": str(uuid.uuid4()), "device": name}
            Client().post(f"{address}rounds/1/deals/1/", form, headers=JSON)
        assert [device for _deal, _why, device in self.kept()] == ["phone:?one", "phone:?two"]
