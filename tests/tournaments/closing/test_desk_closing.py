"""The end of an evening: closed, published, corrected, published again, opened again."""

import pytest

from clubs.models import Club
from tests.factories import TESTS, ClubFactory, correct_deal, evening_with_draw, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tournaments.models import Evening
from tournaments.releases.services import release_is_current
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

CLOSE = f"{EVENING}close/"
PUBLISH = f"{EVENING}publish/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def played(club: Club) -> Evening:
    """Eight people, one round of one deal: at table 1 wij 90, at table 2 wij 100."""
    evening = evening_with_draw(club=club, players=8, rounds=1, deals_per_round=1)
    write_deal(table(evening, 1), 1)
    write_deal(table(evening, 2), 1, points={"NS": 100})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    return evening


def correct(evening: Evening) -> None:
    """The director finds that table 1 counted wrong."""
    correct_deal(table(evening), 1, ns=120, reason="verkeerd geteld")


@pytest.mark.full
def test_winner_and_last_are_shown_before_closing(club: Club, played: Evening) -> None:
    page = desk_of(club).get(CLOSE)
    assert [(line.key, line.figure, len(line.members)) for line in page.context["prizes"]] == [
        ("poedel", "62 punten", 2),
        ("place-3", "90 punten", 2),
        ("place-1", "100 punten", 2),
    ]


@pytest.mark.full
def test_prizes_below_the_third_place_are_counted(club: Club, played: Evening) -> None:
    scheme = {"kind": "everybody", "poedel": True}
    Evening.objects.filter(pk=played.pk).update(prizes=scheme)
    page = desk_of(club).get(CLOSE)
    assert [line.key for line in page.context["prizes"]] == ["poedel", "place-3", "place-1"]
    assert "Er zijn nog 2 prijzen voor lagere plaatsen: zie" in page.content.decode()


@pytest.mark.full
def test_prizes_say_they_may_still_change_until_every_round_is_closed(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, rounds=2, deals_per_round=1)
    write_deal(table(evening), 1)
    desk = desk_of(club)
    running = text(desk.get(CLOSE))
    round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    between = text(desk.get(CLOSE))
    desk.post(CLOSE)
    closed = text(desk.get(CLOSE))
    for_now = "<h2>De prijzen, zoals het er nu voor staat</h2>"
    assert [for_now in page for page in (running, between, closed)] == [True, True, False]
    assert "<h2>De prijzen</h2>" in closed


@pytest.mark.full
def test_closing_publishes_once(club: Club, played: Evening) -> None:
    desk = desk_of(club)
    first = desk.post(CLOSE, follow=True)
    second = desk.post(CLOSE, follow=True)
    assert messages_in(first) == ["De avond is afgesloten en de uitslag staat op de clubpagina."]
    assert (messages_in(second), played.releases.count()) == ([], 1)
    assert "Uitslag nummer 1" in text(second)


@pytest.mark.full
def test_an_evening_with_a_round_on_does_not_close(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    response = desk_of(club).post(CLOSE, follow=True)
    evening.refresh_from_db()
    assert (evening.state, messages_in(response)) == ("running", ["Sluit eerst de ronde af."])


@pytest.mark.full
def test_an_evening_without_a_round_does_not_close(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, started=False)
    response = desk_of(club).post(CLOSE, follow=True)
    evening.refresh_from_db()
    assert (evening.state, messages_in(response)) == (
        "planned",
        ["Dat kan nu niet: de avond is gepland."],
    )


def test_a_correction_makes_what_was_published_out_of_date(club: Club, played: Evening) -> None:
    desk = desk_of(club)
    desk.post(CLOSE)
    assert release_is_current(played.releases.get())
    correct(played)
    assert not release_is_current(played.releases.get())
    assert "Uitslag nummer 2 publiceren" in text(desk.get(CLOSE))
    assert "Uitslag opnieuw publiceren" in text(desk.get("/clubs/vrolijke-boer/desk/"))


def test_publishing_again_needs_a_reason_and_keeps_the_old_one(club: Club, played: Evening) -> None:
    desk = desk_of(club)
    desk.post(CLOSE)
    correct(played)
    assert (desk.post(PUBLISH).status_code, played.releases.count()) == (422, 1)
    for _ in range(2):
        desk.post(PUBLISH, {"reason": "Tafel 1 had verkeerd geteld"})
    newest, first = played.releases.all()
    assert (newest.number, newest.reason, first.number) == (2, "Tafel 1 had verkeerd geteld", 1)
    assert (newest.standings[0]["total"], first.standings[0]["total"]) == (120, 100)


@pytest.mark.full
def test_only_earlier_results_are_listed_each_with_who_moved(club: Club, played: Evening) -> None:
    desk = desk_of(club)
    desk.post(CLOSE)
    assert desk.get(CLOSE).context["earlier"] == []
    correct(played)
    desk.post(PUBLISH, {"reason": "Tafel 1 had verkeerd geteld"})
    page = desk.get(CLOSE)
    assert "Wat er in uitslag 2 is veranderd" in text(page)
    moved = sorted({(move.old_rank, move.rank, move.total) for move in page.context["changed"]})
    assert moved == [(1, 3, 100), (3, 1, 120), (5, 7, 42), (7, 5, 62)]
    assert [(one.number, moves) for one, moves in page.context["earlier"]] == [(1, [])]


@pytest.mark.full
def test_nothing_is_published_twice_without_a_change(club: Club, played: Evening) -> None:
    desk = desk_of(club)
    desk.post(CLOSE)
    response = desk.post(PUBLISH, {"reason": "Zomaar"}, follow=True)
    assert played.releases.count() == 1
    assert messages_in(response)[-1] == "Wat er gepubliceerd is, klopt: er is niets te doen."


def test_an_evening_opens_again_after_a_question(club: Club, played: Evening) -> None:
    desk = desk_of(club)
    desk.post(CLOSE)
    assert "Deze avond weer openen?" in text(desk.get(f"{EVENING}reopen/"))
    for _ in range(2):
        desk.post(f"{EVENING}reopen/")
    played.refresh_from_db()
    assert (played.state, played.releases.count()) == ("running", 1)
    desk.post(CLOSE)
    assert played.releases.count() == 2


def test_what_is_still_open_is_named(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    page = text(desk_of(club).get(CLOSE))
    assert "Ronde 1 is bezig: 0 van 2 tafels klaar." in page
    assert "Ronde 2 is geloot maar niet gespeeld." in page
