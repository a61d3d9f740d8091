"""A disputed deal laid down card by card at the desk: what was not allowed and what that costs.

At the table sit Jan (North), Mia (East), Piet (South) and Truus (West).
"""

import uuid
from typing import Any

import pytest
from django.test import Client

from clubs.audit.services import chain_faults
from clubs.models import AuditEvent, Club
from scoring.models import DealEntry, Regulation, Scoresheet
from scoring.regulations.services import regulation_save
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    evening_with_draw,
    regulation_of,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tampering import triggers_lift
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tournaments.closing.services import evening_close
from tournaments.models import Evening
from tournaments.rounds.services import round_close

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


def test_who_plays_now_is_said_by_name(club: Club) -> None:
    evening_of(club)
    desk = desk_of(club)
    assert "Noord – Jan is aan de beurt" in text(desk.get(CARDS, laid("")))
    assert "Oost – Mia is aan de beurt" in text(desk.get(CARDS, laid("s10")))
    # South takes trick 1 with the ace and leads to trick 2.
    assert "Zuid – Piet is aan de beurt" in text(desk.get(CARDS, laid("s10 s7 sa s8")))
    assert "Alle 32 kaarten liggen er." in text(desk.get(CARDS, laid(PIT, trump="S")))


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


def test_what_reneging_costs_is_known_before_all_cards_lie_there(club: Club) -> None:
    evening_of(club)
    assert costs(desk_of(club), RENEGED) == {
        "reneged:E": ("Mia heeft verzaakt: wij 162 + 100 roem = 262, zij 0",)
    }


PARTNER_HEADS = "sa s7 r7 s8 / ka k7 h8 k8"
"""South throws a diamond on his partner's ace of spades, and has a trump in trick 2."""


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


def test_all_but_the_chosen_card_can_be_put_in_its_place(club: Club) -> None:
    evening_of(club)
    page = desk_of(club).get(CARDS, laid("s10 s7", place="1"))
    taken = [key.word for _suit, keys in page.context["picker"] for key in keys if not key.is_free]
    assert taken == ["s7"]


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


def test_proved_reneging_is_written_with_the_cards(club: Club) -> None:
    evening = evening_of(club)
    response = desk_of(club).post(CARDS, decision(RENEGED, "reneged:E"), follow=True)
    assert messages_in(response) == ["Spel 1 is geschreven."]
    assert score(evening) == (262, 0)
    entry = DealEntry.objects.get()
    assert entry.record == {
        "declarer": "NS",
        "trump": "H",
        "leader": "N",
        "cards": ["TS", "7D", "AS", "8S", "JS", "KS", "QS", "7S"],
    }
    sheet = table(evening).sheet
    event = AuditEvent.objects.get(chain=sheet.chain_name, action="deal_laid_down")
    assert event.data["entries"][0]["record"] == entry.record
    assert chain_faults(sheet) == ()


def test_the_trail_says_that_the_cards_were_laid_down(club: Club) -> None:
    evening_of(club)
    desk = desk_of(club)
    desk.post(CARDS, decision(RENEGED, "reneged:E"))
    page = text(desk.get("/clubs/vrolijke-boer/desk/trail/"))
    assert "Spel 1 is kaart voor kaart neergelegd en geschreven" in page


def test_a_record_that_was_changed_breaks_the_chain(club: Club) -> None:
    evening = evening_of(club)
    desk_of(club).post(CARDS, decision(RENEGED, "reneged:E"))
    sheet = table(evening).sheet
    event = AuditEvent.objects.get(chain=sheet.chain_name, action="deal_laid_down")
    event.data["entries"][0]["record"]["cards"][1] = "8D"
    triggers_lift()
    AuditEvent.objects.filter(pk=event.pk).update(data=event.data)
    assert chain_faults(sheet) == (f"{sheet.chain_name}: event {event.number} was changed",)


def test_a_whole_deal_is_written_as_it_was_played(club: Club) -> None:
    evening = evening_of(club)
    desk = desk_of(club)
    assert costs(desk, PIT, trump="S")["as_played"] == ("Pit: wij 162 + 100 pit = 262, zij 0",)
    desk.post(CARDS, decision(PIT, "as_played", trump="S"))
    assert score(evening) == (262, 0)


def test_the_same_decision_sent_twice_is_written_once(club: Club) -> None:
    evening = evening_of(club)
    desk = desk_of(club)
    for _ in range(2):
        assert desk.post(CARDS, decision(RENEGED, "reneged:E")).status_code == 302
    assert (DealEntry.objects.count(), score(evening)) == (1, (262, 0))
    other_cards = desk.post(CARDS, decision("s10 r8 sa s8 sb sh sv s7", "reneged:E"))
    assert (other_cards.status_code, DealEntry.objects.count()) == (422, 1)


def test_an_accusation_that_could_not_be_proved(club: Club) -> None:
    evening = evening_of(club, house_rules(club, unproven_reneging="deal_lost"))
    desk = desk_of(club)
    fair = "s10 s7 sa s8"
    assert costs(desk, fair)["accused:W"] == (
        "Truus kon niet bewijzen dat er verzaakt is: wij 162 + 100 roem = 262, zij 0",
    )
    desk.post(CARDS, decision(fair, "accused:S"))
    assert score(evening) == (0, 262)


def test_nobody_has_accused_wrongly_until_the_director_says_so(club: Club) -> None:
    evening = evening_of(club, house_rules(club, unproven_reneging="deal_lost"))
    desk = desk_of(club)
    shown = desk.get(CARDS, laid("s10 s7 sa s8"))
    assert shown.context["form"]["ruling"].value() is None
    unsaid = decision("s10 s7 sa s8", "")
    assert "Kies wat er geschreven wordt." in text(desk.post(CARDS, unsaid))
    assert (DealEntry.objects.count(), score(evening)) == (0, (0, 0))


def test_a_first_reneging_that_is_let_off_only_costs_a_new_deal(club: Club) -> None:
    evening = evening_of(club)
    Scoresheet.objects.update(first_reneging_replayed=True)
    desk = desk_of(club)
    assert costs(desk, RENEGED)["reneged:E"] == (
        "Mia heeft verzaakt: dit spel wordt overgedaan en telt niet",
    )
    desk.post(CARDS, decision(RENEGED, "reneged:E"))
    assert score(evening) == (0, 0)
    # The deal that is dealt again has other cards, and the next reneging costs what it costs.
    assert desk.get(CARDS).context["cards"].data["cards"] == ""
    assert costs(desk, RENEGED)["reneged:E"] == (
        "Mia heeft verzaakt: wij 162 + 100 roem = 262, zij 0",
    )


def test_where_only_the_culprit_pays_the_line_that_stands_is_kept(club: Club) -> None:
    evening = evening_of(club, house_rules(club, reneging="culprit_fined", reneging_fine=100))
    desk = desk_of(club)
    assert costs(desk, RENEGED) == {}
    write_deal(table(evening), 1, points={"NS": 90})
    assert costs(desk, RENEGED)["reneged:E"] == (
        "Wij 90, zij 72: gehaald",
        "Mia heeft verzaakt: −100 voor Mia alleen",
    )


def test_what_stands_is_shown_and_replaced_only_with_a_reason(club: Club) -> None:
    evening = evening_of(club)
    write_deal(table(evening), 1, points={"NS": 90})
    desk = desk_of(club)
    page = desk.get(CARDS, laid(RENEGED))
    assert page.context["standing"] == ("Wij 90, zij 72: gehaald",)
    assert page.context["form"]["reason"].value() == "kaart voor kaart nagespeeld"
    without = desk.post(CARDS, decision(RENEGED, "reneged:E", seen_version=1, reason=" "))
    assert (without.status_code, score(evening)) == (422, (90, 72))
    desk.post(CARDS, decision(RENEGED, "reneged:E", seen_version=1, reason="nagespeeld"))
    assert score(evening) == (262, 0)


def test_what_somebody_else_wrote_meanwhile_is_never_overwritten(club: Club) -> None:
    evening = evening_of(club)
    write_deal(table(evening), 1, points={"NS": 100})
    response = desk_of(club).post(CARDS, decision(RENEGED, "reneged:E", reason="nagespeeld"))
    assert (response.status_code, score(evening)) == (409, (100, 62))
    # The cards are still there, and what stands now is shown before it is decided again.
    assert response.context["standing"] == ("Wij 100, zij 62: gehaald",)
    assert response.context["form"]["seen_version"].value() == 1
    assert response.context["replay"].cards[:2] == ("TS", "7D")


def test_nothing_is_written_without_a_choice_or_with_a_wrong_word(club: Club) -> None:
    evening_of(club)
    desk = desk_of(club)
    for sent in (
        decision(RENEGED, ""),
        decision(RENEGED, "as_played"),
        decision(RENEGED, "reneged:W"),
        decision(f"{RENEGED} 10s", "reneged:E"),
        decision("", "reneged:E"),
    ):
        assert desk.post(CARDS, sent).status_code == 422
    assert DealEntry.objects.count() == 0


def test_corrections_stay_when_the_deal_is_laid_down(club: Club) -> None:
    evening = evening_of(club)
    correction = {"side": "EW", "points": -50, "reason": "telefoon"}
    write_deal(table(evening), 1, corrections=[correction])
    desk_of(club).post(
        CARDS, decision(PIT, "as_played", trump="S", seen_version=1, reason="nagespeeld")
    )
    assert score(evening) == (262, -50)


def test_roem_counts_as_far_as_it_was_announced(club: Club) -> None:
    evening_of(club)
    desk = desk_of(club)
    run = "sa sh sv sb"

    def totals(**changed: str) -> str:
        words: str = desk.get(CARDS, laid(run, **changed)).context["view"].totals
        return words

    assert totals() == "Wij 20 + 50 roem, zij 0"
    assert totals(announced_1="20") == "Wij 20 + 20 roem, zij 0"
    assert totals(announced_1="0") == "Wij 20, zij 0"


def test_what_was_announced_is_kept_with_the_cards(club: Club) -> None:
    evening_of(club)
    run_and_renege = "sa sh sv sb / s10 r7 s7 s9 / k7 s8 ka kb"
    desk = desk_of(club)
    desk.post(CARDS, decision(run_and_renege, "reneged:E", announced_1="0"))
    assert DealEntry.objects.get().record["announced"] == [False, True, True]  # type: ignore[index]
    assert desk.get(CARDS).context["view"].totals == "Wij 43, zij 0"


def test_nobody_is_asked_what_was_announced_where_roem_is_always_written(club: Club) -> None:
    evening = evening_of(club)
    desk = desk_of(club)
    assert "Gemeld van de 50 roem in slag 1" in text(desk.get(CARDS, laid("sa sh sv sb")))
    Evening.objects.filter(pk=evening.pk).update(roem_by=Evening.RoemBy.ALWAYS)
    assert "Gemeld van" not in text(desk.get(CARDS, laid("sa sh sv sb")))


def test_the_cards_are_found_again_in_the_history(club: Club) -> None:
    evening_of(club)
    desk = desk_of(club)
    desk.post(CARDS, decision(RENEGED, "reneged:E"))
    assert f'href="{CARDS}1/">bekijk de kaarten' in text(desk.get(f"{SHEET}?deal=1"))
    keeper = Client()
    keeper.force_login(scorekeeper_of(club))
    page = text(keeper.get(f"{CARDS}1/"))
    assert "Slag 1: Mia speelde ♦7, maar moest bekennen: ♠7." in page
    assert "<button" not in page.partition("<main")[2].partition("</main>")[0]
    assert keeper.get(f"{CARDS}2/").status_code == 404
    # Who lays the same deal down once more starts with those cards.
    assert desk.get(CARDS).context["cards"].data["cards"] == "s10 r7 sa s8\nsb sh sv s7"


def test_a_line_without_cards_has_no_link_to_them(club: Club) -> None:
    evening = evening_of(club)
    write_deal(table(evening), 1)
    desk = desk_of(club)
    assert "bekijk de kaarten" not in text(desk.get(f"{SHEET}?deal=1"))
    assert desk.get(f"{CARDS}1/").status_code == 404


def test_the_sheet_leads_a_director_to_the_cards(club: Club) -> None:
    evening_of(club)
    director, keeper = Client(), Client()
    director.force_login(director_of(club))
    keeper.force_login(scorekeeper_of(club))
    assert f'href="{CARDS}"' in text(director.get(SHEET))
    assert f'href="{CARDS}"' not in text(keeper.get(SHEET))


def test_a_closed_sheet_is_corrected_and_published_again(club: Club) -> None:
    evening = evening_of(club)
    for number in (1, 2):
        write_deal(table(evening), number)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    desk = desk_of(club)
    ruling = decision(RENEGED, "reneged:E", seen_version=1, reason="nagespeeld")
    first = desk.post(CARDS, ruling)
    assert (len(first.context["moves"]), first.context["movers"]) == (4, 0)
    assert score(evening) == (180, 144)
    changing = desk.post(CARDS, ruling | {"moves": "change"})
    assert (changing.status_code, changing.context["form"].data["reason"]) == (200, "nagespeeld")
    response = desk.post(CARDS, ruling | {"moves": "seen"}, follow=True)
    assert messages_in(response)[0] == "Spel 1 is geschreven."
    assert len(messages_in(response)) == 2
    assert score(evening) == (262 + 90, 72)


def test_what_this_evening_says_of_reneging_is_shown(club: Club) -> None:
    evening = evening_of(club)
    desk = desk_of(club)
    assert desk.get(CARDS, laid(RENEGED)).context["facts"] == [
        "Dat iemand verzaakt heeft, kunt u zeggen tot de punten geteld worden, niet later."
    ]
    later = {"reneging_until": Evening.RenegingUntil.NEXT_TRICK}
    Evening.objects.filter(pk=evening.pk).update(**later)
    assert desk.get(CARDS, laid(RENEGED)).context["facts"] == [
        "Dat iemand verzaakt heeft, kunt u zeggen tot de volgende slag begint, niet later."
    ]


@pytest.mark.parametrize("number", [0, 3, 99])
def test_a_deal_that_is_not_on_the_sheet_is_not_found(club: Club, number: int) -> None:
    evening_of(club)
    assert desk_of(club).get(f"{SHEET}cards/{number}/").status_code == 404


def test_a_round_that_has_not_started_has_no_cards(club: Club) -> None:
    evening_with_draw(club=club, players=4, started=False)
    assert desk_of(club).get(CARDS).status_code == 404


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
