"""A disputed deal laid down card by card at the desk: what was not allowed and what that costs.

At the table sit Jan (North), Mia (East), Piet (South) and Truus (West).
"""

import uuid
from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club
from scoring.models import DealEntry, Regulation
from scoring.regulations.services import regulation_save
from tests.factories import (
    TESTS,
    ClubFactory,
    evening_with_draw,
    regulation_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, text
from tournaments.models import Evening

pytestmark = pytest.mark.django_db

SHEET = f"{EVENING}rounds/1/tables/1/"
CARDS = f"{SHEET}cards/1/"

RENEGED = "s10 r7 sa s8 / sb sh sv s7"
"""Trump hearts, North leads: East throws a diamond away in trick 1 and follows suit in trick 2."""

PIT = """
    sa h7 k8 r9  sh h8 k9 r10  sv h9 k10 rb  sb h10 kb rv
    s10 hb kv rh  s9 hv kh ra  s8 hh ka r7  s7 ha k7 r8
"""
"""Trump spades and North has them all: pit, 162 + 100, and no trick holds four of a kind."""


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def evening_of(club: Club, regulation: Regulation | None = None) -> Evening:
    return evening_with_draw(
        club=club,
        players=4,
        rounds=1,
        method=Evening.Method.TYPED_IN,
        deals_per_round=2,
        regulation=regulation or regulation_of(club),
    )


def house_rules(club: Club, **settings: Any) -> Regulation:
    return regulation_save(club=club, name="Huisregels", settings=settings, actor=TESTS)


def laid(cards: str, **changed: Any) -> dict[str, Any]:
    """What the page sends: hearts are trump, we play, North leads."""
    asked = {"trump": "H", "declarer": "NS", "leader": "N", "cards": cards.replace("/", " ")}
    return asked | changed


def decision(cards: str, ruling: str, **changed: Any) -> dict[str, Any]:
    sent = {"ruling": ruling, "seen_version": 0, "uuid": uuid.UUID(int=7)}
    return laid(cards) | sent | changed


def wrong(client: Client, cards: str, **changed: Any) -> list[str]:
    """What the page says of each card that was not allowed."""
    page = client.get(CARDS, laid(cards, **changed))
    return [line.sentence for line in page.context["view"].wrong]


def costs(client: Client, cards: str, **changed: Any) -> dict[str, tuple[str, ...]]:
    """What each ruling that can be written would come to."""
    page = client.get(CARDS, laid(cards, **changed))
    return {choice.ruling.key: choice.lines for choice in page.context["choices"] if choice.lines}


def score(evening: Evening) -> tuple[int, int]:
    sheet = table(evening).sheet
    return sheet.score_ns, sheet.score_ew


@pytest.mark.full
def test_what_is_known_is_filled_in(club: Club) -> None:
    evening = evening_of(club)
    write_deal(table(evening), 1, declarer="EW", trump="S")
    page = desk_of(club).get(CARDS)
    assert page.context["cards"].query() == {
        "trump": "S",
        "declarer": "EW",
        "leader": table(evening).sheet.forehand(1),
        "cards": "",
    }


@pytest.mark.full
def test_who_plays_now_is_said_by_name(club: Club) -> None:
    evening_of(club)
    desk = desk_of(club)
    assert "Noord – Jan is aan de beurt" in text(desk.get(CARDS, laid("")))
    assert "Oost – Mia is aan de beurt" in text(desk.get(CARDS, laid("s10")))
    # South takes trick 1 with the ace and leads to trick 2.
    assert "Zuid – Piet is aan de beurt" in text(desk.get(CARDS, laid("s10 s7 sa s8")))
    assert "Alle 32 kaarten liggen er." in text(desk.get(CARDS, laid(PIT, trump="S")))


@pytest.mark.full
def test_tricks_are_shown_with_winner_points_and_roem(club: Club) -> None:
    evening_of(club)
    page = desk_of(club).get(CARDS, laid("s10 s7 sa s8 / sb sh sv s9"))
    rows = page.context["view"].rows
    # 10 + 11 for South; then jack 2, queen 3 and king 4, a run of three for West's king.
    assert [(row.winner, row.points, row.roem) for row in rows] == [
        ("Zuid", 21, 0),
        ("West", 9, 20),
    ]
    assert page.context["view"].totals == "Wij 21, zij 9 + 20 roem"


def test_the_first_card_that_was_not_allowed_is_reported_with_the_reason(club: Club) -> None:
    evening_of(club)
    page = text(desk_of(club).get(CARDS, laid(RENEGED)))
    assert "Oost – Mia mocht ♦7 niet spelen" in page
    assert "Slag 1: Mia speelde ♦7, maar moest bekennen: ♠7." in page


@pytest.mark.full
def test_what_reneging_costs_is_known_before_all_cards_lie_there(club: Club) -> None:
    evening_of(club)
    assert costs(desk_of(club), RENEGED) == {
        "reneged:E": ("Mia heeft verzaakt: wij 162 + 100 roem = 262, zij 0",)
    }


PARTNER_HEADS = "sa s7 r7 s8 / ka k7 h8 k8"
"""South throws a diamond on his partner's ace of spades, and has a trump in trick 2."""


@pytest.mark.full
@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"must_trump": "amsterdam"}, []),
        ({"must_trump": "rotterdam"}, ["Slag 1: Piet speelde ♦7, maar moest introeven: ♥8."]),
        ({"must_trump": "trump_only"}, ["Slag 1: Piet speelde ♦7, maar moest introeven: ♥8."]),
    ],
)
def test_trumping_when_the_partner_heads(
    club: Club, settings: dict[str, str], expected: list[str]
) -> None:
    evening_of(club, house_rules(club, **settings))
    assert wrong(desk_of(club), PARTNER_HEADS) == expected


@pytest.mark.full
@pytest.mark.once
@pytest.mark.parametrize(
    ("settings", "low_trump", "discard", "low_with_a_high_one"),
    [
        ({"must_trump": "amsterdam"}, "mocht niet ondertroeven; wel ♦7", "", "overtroeven: ♥B"),
        (
            {"must_trump": "amsterdam", "undertrump": "obligatory"},
            "",
            "moest introeven: ♥7",
            "overtroeven: ♥B",
        ),
        ({"must_trump": "rotterdam"}, "", "moest introeven: ♥7", "overtroeven: ♥B"),
        ({"must_trump": "trump_only"}, "", "moest introeven: ♥7", ""),
    ],
)
def test_a_trump_of_the_opponents_that_cannot_be_beaten(
    club: Club, settings: dict[str, str], low_trump: str, discard: str, low_with_a_high_one: str
) -> None:
    """South leads the ace of spades, West trumps with the 9 and North has no spade; West leads on.

    North has the 7 of hearts and the 7 of diamonds, and plays the one first or the other; or he has
    the 7 and the jack of hearts, and keeps the jack.
    """
    evening_of(club, house_rules(club, **settings))
    desk = desk_of(club)
    found = [
        wrong(desk, "sa h9 h7 s7 / ka r7 k8 k9", leader="S"),
        wrong(desk, "sa h9 r7 s7 / k7 h7 k8 k9", leader="S"),
        wrong(desk, "sa h9 h7 s7 / k7 hb k8 k9", leader="S"),
    ]
    for sentences, expected in zip(found, (low_trump, discard, low_with_a_high_one), strict=True):
        assert len(sentences) == bool(expected)
        assert expected in "".join(sentences)


def test_a_wrong_word_is_reported_and_nothing_is_lost(club: Club) -> None:
    evening_of(club)
    page = desk_of(club).get(CARDS, laid("s10 10s sa S10"))
    assert page.context["cards"].errors["cards"] == [
        (
            "‘10s’ (kaart 2, slag 1) is geen kaart. Schrijf eerst de kleur en dan de kaart, "
            "zoals h10 of sb."
        ),
        "‘S10’ (kaart 4, slag 1) ligt er al: het is kaart 1.",
    ]
    assert "s10 10s sa S10</textarea>" in text(page)
    assert page.context["replay"].cards == ("TS",)
    assert page.context["choices"] == []


def test_every_button_works_without_a_script(club: Club) -> None:
    evening_of(club)
    desk = desk_of(club)

    def after(**pressed: str) -> str:
        page = desk.get(CARDS, laid("s10 s7 sa s8 sb", announced_1="0") | pressed, follow=True)
        assert page.redirect_chain[-1][1] == 302
        assert page.context["cards"].data["trump"] == "H"
        return " ".join(page.context["cards"].data["cards"].split())

    assert after(add="sh") == "s10 s7 sa s8 sb sh"
    assert after(add="s10") == "s10 s7 sa s8 sb"
    assert after(undo="1") == "s10 s7 sa s8"
    assert after(add="s9", place="1") == "s10 s9 sa s8 sb"
    assert after(add="sa", place="1") == "s10 sa s7 s8 sb"
    assert after(clear="1") == ""


@pytest.mark.full
def test_all_but_the_chosen_card_can_be_put_in_its_place(club: Club) -> None:
    evening_of(club)
    page = desk_of(club).get(CARDS, laid("s10 s7", place="1"))
    taken = [key.word for _suit, keys in page.context["picker"] for key in keys if not key.is_free]
    assert taken == ["s7"]


@pytest.mark.full
def test_the_piece_of_page_that_follows_the_cards_keeps_them_in_the_address(club: Club) -> None:
    evening_of(club)
    found = desk_of(club).get(f"{CARDS}found/", laid("s10 r7"))
    assert found.headers["HX-Replace-Url"] == (f"{CARDS}?trump=H&declarer=NS&leader=N&cards=s10+r7")
    assert "<html" not in text(found)


def test_looking_writes_nothing(club: Club) -> None:
    evening_of(club)
    events = AuditEvent.objects.count()
    desk = desk_of(club)
    desk.get(CARDS, laid(RENEGED))
    desk.get(f"{CARDS}found/", laid(PIT, trump="S"))
    assert (DealEntry.objects.count(), AuditEvent.objects.count()) == (0, events)


@pytest.mark.full
def test_what_this_evening_says_of_reneging_is_shown(club: Club) -> None:
    evening = evening_of(club)
    desk = desk_of(club)
    assert desk.get(CARDS, laid(RENEGED)).context["facts"] == [
        "Verzaken meldt u voordat de punten worden geteld, niet later."
    ]
    later = {"reneging_until": Evening.RenegingUntil.NEXT_TRICK}
    Evening.objects.filter(pk=evening.pk).update(**later)
    assert desk.get(CARDS, laid(RENEGED)).context["facts"] == [
        "Verzaken meldt u voordat de volgende slag begint, niet later."
    ]


@pytest.mark.full
@pytest.mark.parametrize("number", [0, 3, 99])
def test_a_deal_that_is_not_on_the_sheet_is_not_found(club: Club, number: int) -> None:
    evening_of(club)
    assert desk_of(club).get(f"{SHEET}cards/{number}/").status_code == 404


@pytest.mark.full
def test_a_round_that_has_not_started_has_no_cards(club: Club) -> None:
    evening_with_draw(club=club, players=4, started=False)
    assert desk_of(club).get(CARDS).status_code == 404


@pytest.mark.full
@pytest.mark.once
@pytest.mark.parametrize(
    "nasty",
    [
        {"trump": "X"},
        {"leader": "Q"},
        {"declarer": "ons"},
        {"place": "99"},
        {"place": "x"},
        {"announced_1": "veel"},
        {"announced_1": "9" * 40},
        {"cards": "\x00"},
        {"cards": "s10 " * 2000},
        {"add": "ZZ"},
    ],
)
def test_nonsense_is_answered(club: Club, nasty: dict[str, str]) -> None:
    evening_of(club)
    desk = desk_of(club)
    assert desk.get(CARDS, laid("s10 s7 sa s8") | nasty).status_code == 200
    assert desk.post(CARDS, decision(RENEGED, "reneged:W") | nasty).status_code == 422
    assert DealEntry.objects.count() == 0
