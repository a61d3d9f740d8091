"""Whatever was written of a deal is put back with one press, at the desk and at the table."""

import uuid
from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditText, Club
from scoring.models import DealEntry
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    evening_with_draw,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.table_pages import fields_of, link, playing
from tournaments.closing.services import evening_close
from tournaments.models import Evening
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

SHEET = f"{EVENING}rounds/1/tables/1/"
RESTORE = f"{SHEET}deals/1/restore/"
DEAL = f"{SHEET}?deal=1"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def corrected(club: Club) -> Evening:
    """An evening where deal 1 of table 1 was 90 for wij, and then 100."""
    evening = evening_with_draw(club=club, players=4, rounds=1, deals_per_round=1)
    write_deal(table(evening), 1)
    write_deal(table(evening), 1, points={"NS": 100})
    return evening


def press(client: Client, page: str, action: str, revision: int, **more: Any) -> Any:
    """Press the button beside a revision on that page."""
    sent = fields_of(client.get(page), action)
    return client.post(action, sent | {"revision": revision} | more, follow=True)


def score(evening: Evening) -> tuple[int, int]:
    sheet = table(evening).sheet
    return sheet.score_ns, sheet.score_ew


def test_one_press_puts_it_back_and_another_undoes_that(club: Club) -> None:
    evening, desk = corrected(club), desk_of(club)
    assert messages_in(press(desk, DEAL, RESTORE, 1)) == ["Spel 1 is weer zoals het eerder was."]
    assert score(evening) == (90, 72)
    press(desk, DEAL, RESTORE, 2)
    assert score(evening) == (100, 62)
    entries = list(DealEntry.objects.order_by("revision"))
    assert [entry.kind for entry in entries] == ["written", "written", "restored", "restored"]
    assert entries[2].reason.startswith("Teruggezet: 90–72, zoals geschreven om ")


@pytest.mark.full
def test_the_empty_line_is_put_back_too(club: Club) -> None:
    evening, desk = corrected(club), desk_of(club)
    press(desk, DEAL, RESTORE, 0)
    assert score(evening) == (0, 0)
    assert table(evening).sheet.deals_entered == 0
    assert AuditText.objects.filter(text="Teruggezet: een lege regel.").count() == 1


@pytest.mark.full
def test_what_stands_has_no_button(club: Club) -> None:
    corrected(club)
    page = text(desk_of(club).get(DEAL))
    assert page.count("Zet dit terug") == 2
    assert "staat er nu" in page


def test_the_same_press_twice_is_one(club: Club) -> None:
    corrected(club)
    desk = desk_of(club)
    sent = fields_of(desk.get(DEAL), RESTORE) | {"revision": "1"}
    for _ in range(2):
        assert messages_in(desk.post(RESTORE, sent, follow=True)) == [
            "Spel 1 is weer zoals het eerder was."
        ]
    assert DealEntry.objects.count() == 3


@pytest.mark.full
def test_what_somebody_wrote_in_the_meantime_is_not_overwritten(club: Club) -> None:
    evening, desk = corrected(club), desk_of(club)
    sent = fields_of(desk.get(DEAL), RESTORE) | {"revision": "1"}
    write_deal(table(evening), 1, points={"NS": 120})
    assert messages_in(desk.post(RESTORE, sent, follow=True)) == [
        "Spel 1 is intussen door iemand anders geschreven."
    ]
    assert score(evening) == (120, 42)


@pytest.mark.full
@pytest.mark.parametrize(
    "wrong", [{"revision": ""}, {"revision": "x"}, {"uuid": "x"}, {"seen_version": "-1"}]
)
def test_nonsense_is_not_found(club: Club, wrong: dict[str, str]) -> None:
    corrected(club)
    sent = {"revision": "1", "seen_version": "2", "uuid": str(uuid.uuid4())}
    assert desk_of(club).post(RESTORE, sent | wrong).status_code == 404


@pytest.mark.full
def test_a_closed_round_is_for_the_director(club: Club) -> None:
    evening = corrected(club)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    for user, words, left in [
        (
            scorekeeper_of(club),
            "Deze ronde is afgesloten. Vraag de wedstrijdleider om het spel te wijzigen.",
            (100, 62),
        ),
        (director_of(club), "Spel 1 is weer zoals het eerder was.", (90, 72)),
    ]:
        client = Client()
        client.force_login(user)
        sent = {"revision": "1", "seen_version": "2", "uuid": str(uuid.uuid4())}
        assert messages_in(client.post(RESTORE, sent, follow=True)) == [words]
        assert score(evening) == left


@pytest.mark.full
def test_after_publication_it_says_first_who_moves(club: Club) -> None:
    evening, desk = corrected(club), desk_of(club)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    first = press(desk, DEAL, RESTORE, 0)
    assert "Wie verschuift hierdoor?" in text(first)
    assert score(evening) == (100, 62)
    saved = press(desk, DEAL, RESTORE, 0, moves="seen")
    assert messages_in(saved)[0] == "Spel 1 is weer zoals het eerder was."
    assert score(evening) == (0, 0)


class TestAtTheTable:
    def corrected(self, **plan: Any) -> tuple[Evening, str]:
        evening = playing(**plan)
        write_deal(table(evening), 1)
        write_deal(table(evening), 1, points={"NS": 100})
        return evening, f"{link(evening)}rounds/1/deals/1/"

    def test_one_press_puts_it_back(self) -> None:
        evening, page = self.corrected()
        response = press(Client(), page, f"{page}restore/", 1)
        assert response.status_code == 200
        assert score(evening) == (90, 72)
        assert DealEntry.objects.get(revision=3).reason.startswith("Teruggezet: 90–72")

    def test_a_closed_round_has_no_buttons_and_takes_nothing(self) -> None:
        evening, page = self.corrected(deals_per_round=1)
        sent = fields_of(Client().get(page), f"{page}restore/") | {"revision": "1"}
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        assert "Zet dit terug" not in text(Client().get(page))
        assert Client().post(f"{page}restore/", sent).status_code == 409
        assert score(evening) == (100, 62)

    @pytest.mark.full
    def test_what_somebody_wrote_in_the_meantime_is_shown(self) -> None:
        evening, page = self.corrected()
        sent = fields_of(Client().get(page), f"{page}restore/") | {"revision": "1"}
        write_deal(table(evening), 1, points={"NS": 120})
        assert Client().post(f"{page}restore/", sent).status_code == 409
        assert score(evening) == (120, 42)


def test_a_table_puts_nothing_back_past_the_directors_correction(club: Club) -> None:
    evening = corrected(club)
    corrections = [{"side": "NS", "points": -50, "reason": "late"}]
    write_deal(table(evening), 1, corrections=corrections)
    client, url = Client(), f"{link(evening)}rounds/1/deals/1/restore/"
    form = fields_of(client.get(f"{link(evening)}rounds/1/deals/1/"), url)
    for revision in ("0", "1"):
        answer = client.post(url, form | {"revision": revision, "uuid": str(uuid.uuid4())})
        assert answer.status_code == 409
        assert "De wedstrijdleider heeft in dit spel iets gecorrigeerd" in text(answer)
    assert DealEntry.objects.count() == 3
