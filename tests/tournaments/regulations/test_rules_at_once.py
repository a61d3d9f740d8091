"""The evening's own rules when many write at the same moment, on either database."""

import uuid
from functools import partial
from typing import Any

import pytest

from clubs.audit.services import chain_faults
from scoring.deals.services import deal_write
from scoring.models import DealEntry, Scoresheet
from scoring.sheets.services import sheet_first_dealer
from tests.concurrency import at_once, outcomes
from tests.factories import TESTS, evening_with_draw, table, write_deal
from tournaments.closing.services import play_off_write
from tournaments.evenings.services import EveningRules, evening_rules_change
from tournaments.models import Evening, PlayOffScore
from tournaments.rounds.services import round_close, round_start
from tournaments.standings.queries import evening_standings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


def writes(number: int, **written: Any) -> partial[DealEntry]:
    return partial(
        deal_write,
        sheet_id=Scoresheet.objects.get().pk,
        number=number,
        seen_version=0,
        uuid=uuid.uuid4(),
        written={"declarer": "NS", "trump": "H"} | written,
        actor=TESTS,
    )


def test_of_four_phones_that_say_who_deals_one_is_heard() -> None:
    evening_with_draw(players=4, rounds=1, first_dealer="drawn")
    sheet = Scoresheet.objects.get()
    say = partial(sheet_first_dealer, sheet_id=sheet.pk, seen_version=0, actor=TESTS)
    answers = at_once([partial(say, seat=seat) for seat in ("N", "E", "S", "W")])
    assert outcomes(answers) == {"ok": 1, "sheet_moved_on": 3}
    sheet.refresh_from_db()
    assert (sheet.version, sheet.first_dealer != "") == (1, True)
    assert chain_faults(sheet) == ()


def test_of_four_deals_that_each_end_the_round_one_is_written() -> None:
    evening_with_draw(players=4, rounds=1, target=250)
    answers = at_once([writes(number, pit="NS") for number in (1, 2, 3, 4)])
    assert outcomes(answers) == {"ok": 1, "sheet_full": 3}
    sheet = Scoresheet.objects.get()
    assert (sheet.deals_entered, sheet.score_ns) == (1, 262)


def test_of_four_who_renege_one_is_let_off() -> None:
    evening_with_draw(players=4, rounds=1, reneging_escalates=True)
    answers = at_once([writes(number, reneged="E") for number in (1, 2, 3, 4)])
    assert outcomes(answers) == {"ok": 4}
    assert DealEntry.objects.filter(replayed=True).count() == 1
    sheet = Scoresheet.objects.get()
    assert (sheet.deals_entered, sheet.score_ns) == (3, 3 * 262)


def test_rules_that_change_while_the_round_starts_are_in_before_it_or_not_at_all() -> None:
    evening = evening_with_draw(players=4, rounds=1, started=False)
    rules = EveningRules(first_trump_clubs=True)
    change = partial(evening_rules_change, evening_id=evening.pk, rules=rules, actor=TESTS)
    start = partial(round_start, round_id=evening.rounds.get().pk, actor=TESTS)
    acts: list[partial[Any]] = [change, start]
    assert outcomes(at_once(acts)) == {"ok": 2}
    sheet = Scoresheet.objects.get()
    assert (sheet.state, sheet.first_trump in ("", "C")) == ("open", True)
    assert Evening.objects.get().first_trump_clubs
    assert Evening.objects.get().revision == evening.revision + 2


def test_deals_written_while_the_rules_change_all_count() -> None:
    evening = evening_with_draw(players=4, rounds=1)
    rules = EveningRules(tie="play_off")
    change = partial(evening_rules_change, evening_id=evening.pk, rules=rules, actor=TESTS)
    acts: list[partial[Any]] = [change, *(writes(n, points={"NS": 90}) for n in range(1, 6))]
    assert outcomes(at_once(acts)) == {"ok": 6}
    assert Evening.objects.get().revision == evening.revision + 6


def test_extra_deals_written_twice_at_once_stand_once() -> None:
    evening = evening_with_draw(players=4, rounds=1, deals_per_round=1, tie="play_off")
    write_deal(table(evening), 1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    first = [row.member_id for row in evening_standings(Evening.objects.get()) if row.rank == 1]
    acts = [
        partial(
            play_off_write,
            evening_id=evening.pk,
            scores={first[0]: score, first[1]: 0},
            actor=TESTS,
        )
        for score in (100, 200, 300)
    ]
    assert outcomes(at_once(acts)) == {"ok": 3}
    scores = dict(PlayOffScore.objects.values_list("member_id", "score"))
    assert (scores[first[0]] in (100, 200, 300), scores[first[1]], len(scores)) == (True, 0, 2)
