"""What was laid down card by card at the desk, written with its cards, and found again."""

import pytest
from django.test import Client

from clubs.audit.services import chain_faults
from clubs.models import AuditEvent, Club
from scoring.models import DealEntry, Scoresheet
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tampering import triggers_lift
from tests.tournaments.desk import desk_of, messages_in, text
from tests.tournaments.scoresheets.test_desk_cards import (
    CARDS,
    PIT,
    RENEGED,
    SHEET,
    costs,
    decision,
    evening_of,
    house_rules,
    laid,
    score,
)
from tournaments.closing.services import evening_close
from tournaments.models import Evening
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.mark.full
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


@pytest.mark.full
def test_the_trail_says_that_the_cards_were_laid_down(club: Club) -> None:
    evening_of(club)
    desk = desk_of(club)
    desk.post(CARDS, decision(RENEGED, "reneged:E"))
    page = text(desk.get("/clubs/vrolijke-boer/desk/trail/"))
    assert "Spel 1 is kaart voor kaart neergelegd en geschreven" in page


@pytest.mark.full
def test_a_record_that_was_changed_breaks_the_chain(club: Club) -> None:
    evening = evening_of(club)
    desk_of(club).post(CARDS, decision(RENEGED, "reneged:E"))
    sheet = table(evening).sheet
    event = AuditEvent.objects.get(chain=sheet.chain_name, action="deal_laid_down")
    event.data["entries"][0]["record"]["cards"][1] = "8D"
    triggers_lift()
    AuditEvent.objects.filter(pk=event.pk).update(data=event.data)
    assert chain_faults(sheet) == (f"{sheet.chain_name}: event {event.number} was changed",)


@pytest.mark.full
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


@pytest.mark.full
def test_an_accusation_that_could_not_be_proved(club: Club) -> None:
    evening = evening_of(club, house_rules(club, unproven_reneging="deal_lost"))
    desk = desk_of(club)
    fair = "s10 s7 sa s8"
    assert costs(desk, fair)["accused:W"] == (
        "Truus kon niet bewijzen dat er verzaakt is: wij 162 + 100 roem = 262, zij 0",
    )
    desk.post(CARDS, decision(fair, "accused:S"))
    assert score(evening) == (0, 262)


@pytest.mark.full
def test_nobody_has_accused_wrongly_until_the_director_says_so(club: Club) -> None:
    evening = evening_of(club, house_rules(club, unproven_reneging="deal_lost"))
    desk = desk_of(club)
    shown = desk.get(CARDS, laid("s10 s7 sa s8"))
    assert shown.context["form"]["ruling"].value() is None
    unsaid = decision("s10 s7 sa s8", "")
    assert "Kies wat er geschreven wordt." in text(desk.post(CARDS, unsaid))
    assert (DealEntry.objects.count(), score(evening)) == (0, (0, 0))


@pytest.mark.full
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


@pytest.mark.full
def test_where_only_the_culprit_pays_the_line_that_stands_is_kept(club: Club) -> None:
    evening = evening_of(club, house_rules(club, reneging="culprit_fined", reneging_fine=100))
    desk = desk_of(club)
    assert costs(desk, RENEGED) == {}
    write_deal(table(evening), 1, points={"NS": 90})
    assert costs(desk, RENEGED)["reneged:E"] == (
        "Wij 90, zij 72: gehaald",
        "Mia heeft verzaakt: −100 voor Mia alleen",
    )


@pytest.mark.full
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


@pytest.mark.full
def test_corrections_stay_when_the_deal_is_laid_down(club: Club) -> None:
    evening = evening_of(club)
    correction = {"side": "EW", "points": -50, "reason": "telefoon"}
    write_deal(table(evening), 1, corrections=[correction])
    desk_of(club).post(
        CARDS, decision(PIT, "as_played", trump="S", seen_version=1, reason="nagespeeld")
    )
    assert score(evening) == (262, -50)


@pytest.mark.full
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


@pytest.mark.full
def test_what_was_announced_is_kept_with_the_cards(club: Club) -> None:
    evening_of(club)
    run_and_renege = "sa sh sv sb / s10 r7 s7 s9 / k7 s8 ka kb"
    desk = desk_of(club)
    desk.post(CARDS, decision(run_and_renege, "reneged:E", announced_1="0"))
    assert DealEntry.objects.get().record["announced"] == [False, True, True]  # type: ignore[index]
    assert desk.get(CARDS).context["view"].totals == "Wij 43, zij 0"


@pytest.mark.full
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


@pytest.mark.full
def test_a_line_without_cards_has_no_link_to_them(club: Club) -> None:
    evening = evening_of(club)
    write_deal(table(evening), 1)
    desk = desk_of(club)
    assert "bekijk de kaarten" not in text(desk.get(f"{SHEET}?deal=1"))
    assert desk.get(f"{CARDS}1/").status_code == 404


@pytest.mark.full
def test_the_sheet_leads_a_director_to_the_cards(club: Club) -> None:
    evening_of(club)
    director, keeper = Client(), Client()
    director.force_login(director_of(club))
    keeper.force_login(scorekeeper_of(club))
    assert f'href="{CARDS}"' in text(director.get(SHEET))
    assert f'href="{CARDS}"' not in text(keeper.get(SHEET))


@pytest.mark.full
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
