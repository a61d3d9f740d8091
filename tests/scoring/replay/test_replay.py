"""A deal laid down card by card, and the line that is written for it."""

import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.text.errors import KeyReused
from scoring import rules
from scoring.audit.verify import sheet_faults
from scoring.deals.services import deal_undo
from scoring.models import DealEntry, Scoresheet
from scoring.replay.cards import DealReplay, Ruling, line_of_record, rulings
from scoring.rules import PRESETS, SEATS, RuleSet
from tests.factories import TESTS
from tests.scoring.sheets import deal, sheet_of, write
from tests.tampering import triggers_lift

DECK = tuple(rank + suit for suit in "CDHS" for rank in "789TJQKA")
RENEGED: dict[str, Any] = {
    "declarer": "NS",
    "trump": "H",
    "leader": "N",
    "cards": ["TS", "7D", "AS", "8S", "JS", "KS", "QS", "7S"],
}
PIT: dict[str, Any] = {
    "declarer": "NS",
    "trump": "S",
    "leader": "N",
    "cards": (
        "AS 7H 8C 9D KS 8H 9C TD QS 9H TC JD JS TH JC QD"
        " TS JH QC KD 9S QH KC AD 8S KH AC 7D 7S AH 7C 8D"
    ).split(),
}
"""North has every trump: pit for NS, without roem."""

regulations = st.sampled_from([PRESETS["amsterdam"], PRESETS["rotterdam"]])
decks = st.permutations(DECK)


def laid_of(record: dict[str, Any], **settings: Any) -> DealReplay:
    return DealReplay.of_record(record, RuleSet(**settings))


@given(decks, regulations, st.sampled_from(SEATS), st.sampled_from("CDHS"))
def test_a_whole_deal_is_written_with_the_score_of_its_cards(
    deck: list[str], regulation: RuleSet, leader: rules.Seat, trump: rules.Trump
) -> None:
    replay = DealReplay(trump, leader, tuple(deck), regulation, declarer="EW")
    by_cards = rules.evaluate(replay.record(), regulation)
    line = Ruling("as_played").line(replay, {})
    assert rules.evaluate(line, regulation).score == by_cards.score
    assert "cards" not in line
    points = [replay.points(place) for place in range(8)]
    assert (sum(points), sum(map(replay.roem, range(8)))) == (162, sum(by_cards.roem.values()))


@given(decks, regulations, st.data())
def test_whatever_the_page_offers_can_have_been_announced(
    deck: list[str], regulation: RuleSet, data: st.DataObject
) -> None:
    whole = DealReplay("H", "N", tuple(deck), regulation, declarer="NS")
    message = tuple(
        data.draw(st.sampled_from((True, 0, *whole.parts(place)))) for place in range(8)
    )
    replay = DealReplay("H", "N", tuple(deck), regulation, declarer="NS", announced=message)
    by_cards = rules.evaluate(replay.record(), regulation)
    counted = [replay.roem(place) for place in range(8)]
    assert sum(counted) == sum(by_cards.roem.values())
    assert all(said is True or said == roem for said, roem in zip(message, counted, strict=True))


@given(decks, st.integers(0, 32), st.sampled_from(SEATS))
def test_any_number_of_cards_can_be_kept_and_read_back(
    deck: list[str], count: int, leader: rules.Seat
) -> None:
    replay = DealReplay("S", leader, tuple(deck[:count]), RuleSet(), declarer="N")
    again = DealReplay.of_record(replay.record(), RuleSet())
    assert (again.cards, again.trace, again.record()) == (
        replay.cards,
        replay.trace,
        replay.record(),
    )
    assert len(replay.players) == count
    culprits = {renege.seat for renege in replay.trace.reneges}
    assert {ruling.seat for ruling in rulings(replay) if ruling.kind == "reneged"} == culprits


@pytest.mark.parametrize(
    ("cards", "parts"),
    [
        ("AS KS QS JS", (20,)),
        ("7H 8H 9H TH", (20,)),
        ("KH QH 7S 8S", ()),
        ("AH KH QH JH", (20, 40, 50)),
        ("KH QH JH 7S", (20,)),
        ("JC JD JH JS", (100,)),
        ("9C 9D 9H 9S", ()),
        ("7C 8D 9H TS", ()),
    ],
)
def test_what_can_have_been_announced_of_a_trick(cards: str, parts: tuple[int, ...]) -> None:
    """Hearts are trump: king and queen of hearts are a stuk, worth 20 beside a run."""
    replay = DealReplay("H", "N", tuple(cards.split()), RuleSet())
    assert replay.parts(0) == parts


def test_what_cannot_have_been_announced_counts_as_all() -> None:
    replay = DealReplay("H", "N", ("AS", "KS", "QS", "JS"), RuleSet(), announced=(40,))
    assert replay.roem(0) == 50


def test_the_roem_of_a_deal_that_is_lost_with_roem_is_that_of_the_cards() -> None:
    """West took a run of three in trick 2, which EW loses when East reneged and keeps when North
    did."""
    replay = laid_of(RENEGED, reneging="deal_lost_with_roem")
    line = Ruling("reneged", "E").line(replay, {})
    assert line["roem"] == {"EW": [20]}
    assert rules.evaluate(line, replay.regulation).score == {"NS": 262, "EW": 0}
    other = rules.evaluate({**line, "reneged": "N"}, replay.regulation)
    assert other.score == {"NS": 0, "EW": 282}


@pytest.mark.django_db
class TestKept:
    def sheet(self) -> Scoresheet:
        return sheet_of(deals=2)

    def test_the_same_entry_with_other_cards_is_another_entry(self) -> None:
        sheet, key = self.sheet(), uuid.uuid4()
        line = Ruling("reneged", "E").line(laid_of(RENEGED), {})
        first = write(sheet, 1, uuid=key, written=line, record=RENEGED)
        assert write(sheet, 1, uuid=key, written=line, record=RENEGED) == first
        for record in (None, {**RENEGED, "leader": "S"}):
            with pytest.raises(KeyReused):
                write(sheet, 1, uuid=key, written=line, record=record)

    @pytest.mark.full
    def test_the_cards_come_back_with_the_line_they_belong_to(self) -> None:
        sheet = self.sheet()
        write(sheet, 1, written=line_of_record(PIT, {}, RuleSet()), record=PIT)
        write(sheet, 1, 1, reason="misread")
        standing = deal(sheet, 1).current
        assert standing is not None
        assert standing.record is None
        deal_undo(sheet_id=sheet.pk, number=1, seen_version=2, uuid=uuid.uuid4(), actor=TESTS)
        again = deal(sheet, 1).current
        assert again is not None
        assert again.record == PIT
        assert sheet_faults(Scoresheet.objects.get(pk=sheet.pk)) == []

    def test_a_line_that_its_cards_contradict_is_reported(self) -> None:
        sheet = self.sheet()
        write(sheet, 1, written={"declarer": "NS", "trump": "S", "points": {"NS": 90}}, record=PIT)
        assert sheet_faults(Scoresheet.objects.get(pk=sheet.pk)) == [
            f"sheet {sheet.uuid}: deal 1: the cards of revision 1 say otherwise"
        ]

    def test_cards_that_cannot_be_are_reported(self) -> None:
        sheet = self.sheet()
        broken = {"cards": [*PIT["cards"][:-1], "AS"]}
        write(sheet, 1, written=line_of_record(PIT, {}, RuleSet()), record=broken)
        assert sheet_faults(Scoresheet.objects.get(pk=sheet.pk)) == [
            f"sheet {sheet.uuid}: deal 1: the cards of revision 1 say otherwise"
        ]

    def test_some_of_the_cards_say_nothing_of_the_line(self) -> None:
        sheet = self.sheet()
        write(sheet, 1, record=RENEGED)
        assert sheet_faults(Scoresheet.objects.get(pk=sheet.pk)) == []

    @pytest.mark.full
    def test_a_record_that_was_changed_is_shown(self) -> None:
        sheet = self.sheet()
        write(sheet, 1, record=RENEGED)
        triggers_lift()
        DealEntry.objects.update(record=None)
        assert sheet_faults(Scoresheet.objects.get(pk=sheet.pk)) == [
            f"sheet {sheet.uuid}: deal 1: revision 1 is not as the trail has it"
        ]
