"""Each setting of a regulation is set in the page, and changes what it should from then on.

One evening is played by the regulation as it was, another by what the page made of it. The same
deal is written on both; what each must come to was worked out by hand.
"""

import datetime as dt
from dataclasses import fields
from typing import Any, NamedTuple

import pytest
from django.test import Client

from clubs.models import Club
from scoring.audit.verify import sheet_faults
from scoring.display.words import DealRefused
from scoring.models import Regulation, Scoresheet
from scoring.regulations.services import regulation_save
from scoring.rules import RuleSet as Rules
from scoring.rules import trace
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.tournaments.desk import desk_of, text
from tests.tournaments.regulation_pages import post_regulation
from tournaments.models import Evening, Table

pytestmark = [pytest.mark.django_db, pytest.mark.once]

Outcome = tuple[int, int, int, int] | str


class Case(NamedTuple):
    """A setting, what is chosen in the page, a deal, and what it came to and comes to now: the
    scores of North, East, South and West, or the code of what is refused."""

    name: str
    chosen: dict[str, str]
    deal: dict[str, Any]
    before: Outcome
    after: Outcome
    start: dict[str, object] = {}


LOST = (262, 0, 262, 0)
RENEGED = {"points": {"NS": 90}, "roem": {"EW": [20]}, "reneged": "W"}
ON_THE_SHEET = [
    # Four aces in one hand, of a side that took no trick.
    Case(
        "roem_from",
        {"roem_from": "hand"},
        {"points": {}, "pit": "NS", "roem": {"EW": [100]}},
        "roem_without_trick",
        (262, 100, 262, 100),
    ),
    # 10-J-Q-K of trumps take 37 in one trick; held in a hand they can be had for 13.
    Case(
        "roem_from",
        {"roem_from": "hand_to_trick"},
        {"points": {"NS": 30}, "roem": {"NS": [70]}},
        "roem_needs_points",
        (0, 232, 0, 232),
    ),
    Case(
        "four_of_a_kind_from",
        {"four_of_a_kind_from": "10"},
        # Four sevens bring no card points; the cheapest from the ten up are four queens, 12.
        {"points": {"NS": 11}, "roem": {"NS": [100]}},
        (0, 262, 0, 262),
        "roem_needs_points",
    ),
    Case(
        "four_of_a_kind",
        {"four_of_a_kind": "150"},
        {"roem": {"NS": [150]}},
        "roem_value",
        (240, 72, 240, 72),
    ),
    Case(
        "four_jacks",
        {"four_jacks": "90"},
        {"roem": {"NS": [200]}},
        (290, 72, 290, 72),
        "roem_value",
    ),
    Case("nat", {"nat": "false"}, {"points": {"NS": 65}}, (0, 162, 0, 162), (65, 97, 65, 97)),
    Case(
        "nat_counts_roem",
        {"nat_counts_roem": "false"},
        {"points": {"NS": 85}, "roem": {"EW": [20]}},
        (0, 182, 0, 182),
        (85, 97, 85, 97),
    ),
    Case(
        "nat_roem",
        {"nat_roem": "lost"},
        {"points": {"NS": 65}, "roem": {"NS": [20]}},
        (0, 182, 0, 182),
        (0, 162, 0, 162),
    ),
    Case("pit_bonus", {"pit_bonus": "50"}, {"points": {}, "pit": "NS"}, LOST, (212, 0, 212, 0)),
    Case(
        "counter_pit_bonus",
        {"counter_pit_bonus": "0"},
        {"points": {}, "pit": "EW"},
        (0, 262, 0, 262),
        (0, 162, 0, 162),
    ),
    Case(
        "shutout_bonus",
        {"shutout_bonus": "50"},
        {"points": {"NS": 162}},
        (162, 0, 162, 0),
        (212, 0, 212, 0),
    ),
    Case(
        "nil_bonus",
        {"nil": "true", "nil_bonus": "50"},
        {"declarer": "N", "points": {}, "nil": "made"},
        "nil_not_allowed",
        (50, 0, 50, 0),
    ),
    Case(
        "no_trump",
        {"no_trump": "true"},
        {"trump": "NT", "points": {"NS": 80}},
        "no_trump_not_allowed",
        (80, 50, 80, 50),
    ),
    Case("reneging", {"reneging": "none"}, RENEGED, LOST, (0, 182, 0, 182)),
    Case("reneging", {"reneging": "replay"}, RENEGED, LOST, (0, 0, 0, 0)),
    Case("reneging", {"reneging": "culprit_fined"}, RENEGED, LOST, (0, 182, 0, 82)),
    Case(
        "reneging",
        {"reneging": "deal_lost_with_roem"},
        {"points": {"NS": 90}, "roem": {"NS": [50]}, "reneged": "W"},
        LOST,
        (312, 0, 312, 0),
    ),
    Case("reneges_replayed", {"reneges_replayed": "1"}, RENEGED, LOST, (0, 0, 0, 0)),
    Case("reneging_roem", {"reneging_roem": "20"}, RENEGED, LOST, (182, 0, 182, 0)),
    Case(
        "reneging_fine",
        {"reneging_fine": "30"},
        {"reneged": "W"},
        (90, 72, 90, -28),
        (90, 72, 90, 42),
        {"reneging": "culprit_fined"},
    ),
    Case(
        "unproven_reneging",
        {"unproven_reneging": "deal_lost"},
        {"accused_wrongly_by": "W"},
        (90, 72, 90, 72),
        LOST,
    ),
    # East deals the first deal, so South is the forehand. East and West have 72, so they are nat.
    Case(
        "bidding",
        {"bidding": "forehand_must"},
        {"declarer": "E", "dealer": "E"},
        (162, 0, 162, 0),
        "bidding",
    ),
    Case(
        "bidding",
        {"bidding": "dealer_must"},
        {"declarer": "S", "dealer": "E"},
        (90, 72, 90, 72),
        "bidding",
    ),
]

ON_THE_SHEET += [
    # We bid 110 and make 100 to 62; without a bid it was made.
    Case(
        "bid_needed",
        {"bid_needed": "true"},
        {"points": {"NS": 100}},
        (100, 62, 100, 62),
        "missing",
        {"bidding": "free"},
    ),
    Case(
        "bid_needed",
        {"bid_needed": "true"},
        {"points": {"NS": 100}, "bid": 110},
        "bid_not_allowed",
        (0, 162, 0, 162),
        {"bidding": "free"},
    ),
]

WEST_LEADS_CLUBS = ["AC", "TH", "7C", "AD"]
"""North trumps, East follows, South discards; hearts are trumps."""
EAST_TRUMPS = ["AC", "7C", "TH", "AD"]
IN_THE_CARDS: list[tuple[str, str, list[str], list[Any], list[Any]]] = [
    # South discarded with a trump in hand, as the second trick shows; his partner headed the trick.
    ("must_trump", "rotterdam", [*WEST_LEADS_CLUBS, "8S", "7S", "9H"], [], [("S", "AD", {"9H"})]),
    # South could only go under East's ten.
    ("undertrump", "obligatory", [*EAST_TRUMPS, "8S", "7H"], [], [("S", "AD", {"7H"})]),
]
IN_WORDS = [
    ("game", "other", "Er wordt een ander spel dan klaverjassen gespeeld."),
    ("second_round", "other_suit", "Past iedereen, dan gaat de beurt nog eens rond."),
    ("all_pass", "dealer_must", "Past iedereen, dan moet de gever spelen."),
]


class Evenings:
    """Two evenings of one club: before and after a change in the page."""

    def __init__(self, **start: object) -> None:
        self.club: Club = ClubFactory.create()
        self.desk: Client = desk_of(self.club)
        self.first = regulation_save(club=self.club, name="Ons huis", settings=start, actor=TESTS)
        self.before = self._play(dt.date(2026, 11, 14))

    def change(self, **chosen: str) -> None:
        assert post_regulation(self.desk, self.first, **chosen).status_code == 302
        self.after = self._play(dt.date(2026, 11, 21))

    def _play(self, date: dt.date) -> Table:
        newest = Regulation.objects.current().get(name=self.first.name)
        evening = evening_with_draw(
            club=self.club,
            players=4,
            rounds=1,
            method=Evening.Method.TYPED_IN,
            deals_per_round=1,
            date=date,
            regulation=newest,
        )
        return table(evening)


def outcome(table: Table, deal: dict[str, Any]) -> Outcome:
    try:
        write_deal(table, 1, **deal)
    except DealRefused as refused:
        (fault,) = refused.faults
        return fault.code
    scores = dict(table.sheet.seats.values_list("seat", "score"))
    return scores["N"], scores["E"], scores["S"], scores["W"]


@pytest.mark.full
@pytest.mark.each_case
@pytest.mark.parametrize("case", ON_THE_SHEET, ids=lambda case: f"{case.name} {case.chosen}")
def test_a_deal_comes_to_something_else(case: Case) -> None:
    evenings = Evenings(**case.start)
    assert outcome(evenings.before, case.deal) == case.before
    evenings.change(**case.chosen)
    assert outcome(evenings.after, case.deal) == case.after
    assert outcome(evenings.before, case.deal) == case.before
    assert sheet_faults(Scoresheet.objects.get(pk=evenings.before.sheet_id)) == []


@pytest.mark.parametrize(("name", "value", "cards", "before", "after"), IN_THE_CARDS)
def test_another_card_must_be_played(
    name: str, value: str, cards: list[str], before: list[Any], after: list[Any]
) -> None:
    evenings = Evenings()
    evenings.change(**{name: value})
    for at, wanted in ((evenings.before, before), (evenings.after, after)):
        reneges = trace(cards, "W", "H", at.sheet.regulation.rules).reneges
        assert [(one.seat, one.card, set(one.legal)) for one in reneges] == wanted


@pytest.mark.full
@pytest.mark.parametrize(("name", "value", "said"), IN_WORDS)
def test_what_no_sheet_shows_is_said(name: str, value: str, said: str) -> None:
    """A second round and what follows it leave no trace on a sheet: the rules page tells."""
    evenings = Evenings()
    evenings.change(**{name: value})
    page = f"/clubs/{evenings.club.slug}/rules/?evening=2026-11-"
    assert said not in text(evenings.desk.get(f"{page}14"))
    assert said in text(evenings.desk.get(f"{page}21"))


def test_every_setting_is_among_them() -> None:
    tried = {case.name for case in ON_THE_SHEET} | {one[0] for one in [*IN_THE_CARDS, *IN_WORDS]}
    assert tried == {field.name for field in fields(Rules)}
