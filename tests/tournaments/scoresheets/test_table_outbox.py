"""What a phone's outbox is told of each deal that it brings, in JSON."""

import datetime as dt
import uuid
from typing import Any

import pytest
from django.test import Client

from scoring.models import Deal, DealClaim, DealEntry, Scoresheet
from scoring.sheets.services import sheet_swap_sides
from tests.factories import TESTS, ClubFactory, table, write_deal
from tests.tournaments.table_pages import Answer, link, playing, table_data
from tournaments.closing.services import evening_cancel
from tournaments.models import Evening
from tournaments.rounds.services import round_close
from tournaments.table_links.services import token_renew

pytestmark = pytest.mark.django_db

PLAIN = {"declarer": "NS", "points_ew": "65"}


@pytest.fixture
def evening() -> Evening:
    return playing()


@pytest.fixture
def sheet(evening: Evening) -> str:
    return f"{link(evening)}rounds/1/"


def submit(client: Client, url: str, **fields: str) -> Any:
    """Post as the outbox does; the answer with its status."""
    sent = {"seen_version": "0", "uuid": str(uuid.uuid4())} | fields
    response = client.post(url, sent, headers={"Accept": "application/json"})
    assert response.headers["Content-Type"] == "application/json"
    return response.status_code, response.json()


def test_a_deal_is_written_and_its_version_told(client: Client, sheet: str) -> None:
    answer = submit(client, f"{sheet}deals/7/", **PLAIN)
    assert answer == (200, {"status": "written", "number": 7, "version": 1})
    assert DealEntry.objects.get().written == {
        "declarer": "NS",
        "trump": None,
        "points": {"EW": 65},
    }


def test_the_same_again_is_the_same_answer(client: Client, sheet: str) -> None:
    sent = PLAIN | {"uuid": str(uuid.uuid4())}
    answers = [submit(client, f"{sheet}deals/1/", **sent) for _time in range(2)]
    assert answers[0] == answers[1]
    assert DealEntry.objects.count() == 1


@pytest.mark.full
@pytest.mark.parametrize(("stands", "waits"), [("N", "NS"), ("NS", "N")])
def test_who_names_a_person_where_the_other_names_a_side_is_heard(
    client: Client, evening: Evening, sheet: str, stands: str, waits: str
) -> None:
    """The director, who had the cards laid down, says which of the two it was."""
    write_deal(table(evening), 1)
    write_deal(table(evening), 1, declarer=stands)
    url = f"{sheet}deals/1/"
    same = submit(client, url, declarer=waits, trump="H", points_ns="90", seen_version="1")
    assert (same[0], same[1]["status"]) == (200, "same")
    other = submit(client, url, declarer=waits, trump="H", points_ns="95", seen_version="1")
    assert (other[0], other[1]["status"]) == (409, "conflict")
    assert DealClaim.objects.get(taken=None).written["declarer"] == waits


@pytest.mark.full
@pytest.mark.parametrize("stands", [False, True])
def test_the_same_again_is_known_after_the_director_corrected_the_line(
    client: Client, evening: Evening, sheet: str, stands: bool
) -> None:
    """An answer got lost; what the director added to the line since is in the second form too."""
    if stands:
        write_deal(table(evening), 1)
    sent = PLAIN | {"uuid": str(uuid.uuid4())}
    first = submit(client, f"{sheet}deals/1/", **sent)
    corrections = [{"side": "NS", "points": -50, "reason": "late"}]
    write_deal(table(evening), 1, corrections=corrections)
    second = submit(client, f"{sheet}deals/1/", **sent)
    assert (second[0], second[1]["status"]) == (first[0], first[1]["status"])
    sheet_swap_sides(sheet_id=table(evening).sheet_id, actor=TESTS, reason="the other way round")
    assert submit(client, f"{sheet}deals/1/", **sent)[0] == first[0]
    write_deal(table(evening), 1)
    assert submit(client, f"{sheet}deals/1/", **sent)[0] == first[0]
    assert DealEntry.objects.count() == 4
    changed = submit(client, f"{sheet}deals/1/", **sent | {"points_ew": "60"})
    assert (changed[0], changed[1]["status"]) == (422, "key_reused")


@pytest.mark.full
def test_a_correction_that_is_sent_again_is_known_by_its_reason(
    client: Client, evening: Evening, sheet: str
) -> None:
    write_deal(table(evening), 1)
    sent = PLAIN | {"uuid": str(uuid.uuid4()), "seen_version": "1", "why": "miscounted"}
    answers = [submit(client, f"{sheet}deals/1/", **sent) for _time in range(2)]
    assert answers == [(200, {"status": "written", "number": 1, "version": 2})] * 2
    assert DealEntry.objects.get(revision=2).reason == "verkeerd geteld"


@pytest.mark.parametrize(
    ("claimed", "kept"),
    [
        ("2026-11-21T19:00:00Z", "2026-11-21T19:00:00Z"),
        ("2026-11-21T20:00:00+01:00", "2026-11-21T19:00:00Z"),
        ("2026-11-21T20:31:00Z", None),
        ("2020-01-01T00:00:00Z", None),
        ("2026-11-21T19:00:00", None),
        ("2026-13-45T19:00:00Z", None),
        ("gisteren", None),
        ("", None),
    ],
)
def test_when_it_was_made_is_what_the_phone_says_unless_that_cannot_be(
    client: Client, sheet: str, time_machine: Any, claimed: str, kept: str | None
) -> None:
    now = dt.datetime(2026, 11, 21, 20, 30, tzinfo=dt.UTC)
    time_machine.move_to(now, tick=False)
    submit(client, f"{sheet}deals/1/", **PLAIN, made_at=claimed)
    entry = DealEntry.objects.get()
    assert entry.made_at == (dt.datetime.fromisoformat(kept) if kept else now)
    assert entry.received_at == now


class TestSomethingElseStands:
    def test_both_values_are_shown_and_ours_is_kept(
        self, client: Client, evening: Evening, sheet: str
    ) -> None:
        write_deal(table(evening), 1)
        status, answer = submit(client, f"{sheet}deals/1/", **PLAIN)
        claim = DealClaim.objects.get()
        assert (status, answer) == (
            409,
            {
                "status": "conflict",
                "number": 1,
                "version": 1,
                "claim": str(claim.pk),
                "current": ["Wij 90, zij 72: gehaald"],
                "mine": ["Wij 97, zij 65: gehaald"],
                "message": "Spel 1 staat er al anders.",
            },
        )
        assert Deal.objects.get(number=1).version == 1

    @pytest.mark.full
    def test_the_same_is_no_difference(self, client: Client, evening: Evening, sheet: str) -> None:
        write_deal(table(evening), 1, points={"EW": 65}, trump=None)
        answer = submit(client, f"{sheet}deals/1/", **PLAIN)
        assert answer == (200, {"status": "same", "number": 1, "version": 1})
        assert DealClaim.objects.filter(decided_at=None).count() == 0


class TestTooLate:
    def test_a_closed_round_keeps_it_for_the_director(
        self, client: Client, evening: Evening, sheet: str
    ) -> None:
        for number in range(1, 17):
            write_deal(table(evening), number)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        status, answer = submit(client, f"{sheet}deals/1/", **PLAIN)
        assert (status, answer["status"], answer["why"]) == (202, "kept", "late")
        assert answer["message"] == "Spel 1 kwam te laat. Het is bewaard voor de wedstrijdleider."
        assert DealClaim.objects.get().why == "late"

    def test_so_does_a_link_that_was_withdrawn(
        self, client: Client, evening: Evening, sheet: str
    ) -> None:
        token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
        status, answer = submit(client, f"{sheet}deals/1/", **PLAIN)
        assert (status, answer["status"], answer["why"]) == (202, "kept", "cut_off")
        assert answer["message"] == (
            "Deze telefoon mag aan deze tafel niet meer schrijven. "
            "Spel 1 is bewaard voor de wedstrijdleider."
        )
        assert DealEntry.objects.count() == 0
        undone = submit(client, f"{sheet}deals/1/undo/")
        assert undone == (409, {"status": "late", "message": "Hier wordt niet meer geschreven."})


class TestUndo:
    def test_it_is_taken_back_once(self, client: Client, evening: Evening, sheet: str) -> None:
        write_deal(table(evening), 1)
        sent = {"seen_version": "1", "uuid": str(uuid.uuid4())}
        answers = [submit(client, f"{sheet}deals/1/undo/", **sent) for _time in range(2)]
        assert answers == [(200, {"status": "undone", "number": 1, "version": 2})] * 2

    def test_not_what_was_changed_since(self, client: Client, evening: Evening, sheet: str) -> None:
        write_deal(table(evening), 1)
        write_deal(table(evening), 1, points={"NS": 100})
        status, answer = submit(client, f"{sheet}deals/1/undo/", seen_version="1")
        assert (status, answer["status"]) == (409, "version_conflict")


@pytest.mark.full
@pytest.mark.parametrize(
    ("typed", "faults"),
    [
        (
            {"declarer": "NS", "points_ew": "161"},
            {"points_ew": ["Precies 161 kan niet: de laatste slag telt 10."]},
        ),
        ({"points_ew": "65"}, {"declarer": ["Geef aan wie er speelt."]}),
    ],
)
def test_what_cannot_be_is_refused_with_every_fault(
    client: Client, sheet: str, typed: dict[str, str], faults: dict[str, list[str]]
) -> None:
    status, answer = submit(client, f"{sheet}deals/1/", **typed)
    assert (status, answer["status"], list(answer["errors"])) == (422, "refused", list(faults))
    assert answer["message"] == "Spel 1 kan zo niet worden geschreven."


@pytest.mark.full
def test_another_deal_under_the_same_id_is_refused(client: Client, sheet: str) -> None:
    sent = PLAIN | {"uuid": str(uuid.uuid4())}
    submit(client, f"{sheet}deals/1/", **sent)
    status, answer = submit(client, f"{sheet}deals/1/", **sent | {"points_ew": "70"})
    assert (status, answer["status"]) == (422, "key_reused")


def test_an_evening_that_was_called_off_takes_nothing(
    client: Client, evening: Evening, sheet: str
) -> None:
    Scoresheet.objects.update(state="planned")
    evening.rounds.update(state="drawn")
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    status, answer = submit(client, f"{sheet}deals/1/", **PLAIN)
    assert (status, answer["status"]) == (410, "over")


class TestTheWorker:
    def test_it_stands_above_every_tables_page_and_is_never_kept(self, client: Client) -> None:
        response = client.get("/t/sw.js")
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "text/javascript"
        assert response.headers["Cache-Control"] == "no-cache"
        assert response.content == b'importScripts("/static/tournaments/scoresheets/worker.js");\n'

    def test_it_is_only_read(self, client: Client) -> None:
        assert client.post("/t/sw.js").status_code == 405


class TestTheSheetForThePhone:
    def lines(self, response: Answer) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = table_data(response)["lines"]
        return lines

    @pytest.mark.full
    def test_a_line_says_what_stands_on_it(
        self, client: Client, evening: Evening, sheet: str
    ) -> None:
        write_deal(table(evening), 1, roem={"EW": [20, 50]})
        first, second = self.lines(client.get(sheet))[:2]
        payload = {
            key: first[key] for key in ("version", "counts", "points", "roem", "score", "undo")
        }
        assert payload == {
            "version": 1,
            "counts": True,
            "points": [0, 162],
            "roem": [0, 70],
            "score": {"NS": 0, "EW": 232},
            "undo": "blank",
        }
        assert first["fields"] == [
            ["declarer", "NS"],
            ["trump", "H"],
            ["points_ns", "90"],
            ["roem_ew", "20 50"],
        ]
        assert (second["has"], second["dealer"], second["forehand"]) == (False, "S", "W")

    @pytest.mark.full
    def test_after_a_correction_undo_leaves_what_stood_before(
        self, client: Client, evening: Evening, sheet: str
    ) -> None:
        write_deal(table(evening), 1)
        write_deal(table(evening), 1, points={"NS": 100})
        assert self.lines(client.get(sheet))[0]["undo"] == "before"

    @pytest.mark.full
    def test_a_deal_that_is_dealt_again_does_not_count(
        self, client: Client, evening: Evening, sheet: str
    ) -> None:
        write_deal(table(evening), 1, replayed=True, points={})
        first = self.lines(client.get(sheet))[0]
        assert (first["has"], first["counts"], first["score"]) == (True, False, {"NS": 0, "EW": 0})
        assert ["replayed", "on"] in first["fields"]

    def test_names_that_look_like_markup_stay_names(self, client: Client) -> None:
        club = ClubFactory.create()
        evening = playing(club=club)
        evening.club.members.filter(number=1).update(name='"><b>Jan</b>')
        response = client.get(f"{link(evening)}rounds/1/")
        assert self.lines(response)[0]["about"]["names"]["N"].startswith('"><b>Jan')
        assert b"<b>Jan" not in response.content
