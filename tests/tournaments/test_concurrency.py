"""Many people at once, in threads and in processes of their own, on either database."""

import subprocess
import sys
import uuid
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

import pytest
from django.db import connection

from clubs.audit.services import chain_faults
from clubs.members.services import member_change
from clubs.merges.services import guest_merge
from clubs.models import AuditEvent, Club, Member
from clubs.profile.services import role_grant, role_revoke
from scoring.deals.services import deal_undo, deal_write
from scoring.disputes.submissions import dispute_settle, sheet_answer
from scoring.models import DealEntry, Regulation, Scoresheet
from scoring.regulations.services import regulation_save
from scoring.sheets.services import sheet_move, sheet_swap_sides
from tests.concurrency import at_once, outcomes
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    correct_deal,
    evening_with_draw,
    organiser_of,
    regulation_of,
    table,
    write_deal,
)
from tournaments.closing.services import evening_close
from tournaments.draw.rewriting import draw_swap
from tournaments.draw.services import draft_version, draw_make, draw_undo
from tournaments.evenings.services import EveningPlan, evening_create
from tournaments.models import Evening, PinGuard, Placement, Release, Table, TableDevice
from tournaments.practice.services import practice_make, practice_play
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.releases.services import correction_publish, release_publish
from tournaments.rounds.services import round_close, round_start, table_substitute
from tournaments.table_links.devices import device_pair
from tournaments.table_links.services import pin_try, token_pin, token_renew, tokens_ensure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

Act = Callable[[], object]


def write(at: Table, number: int, ns: int = 90, **given: Any) -> Act:
    given = dict[str, Any](seen_version=0, uuid=uuid.uuid4()) | given
    written = {"declarer": "NS", "trump": "H", "points": {"NS": ns}}
    return partial(
        deal_write, sheet_id=at.sheet_id, number=number, written=written, actor=TESTS, **given
    )


def trails_hold() -> bool:
    """Whether every trail verifies, whoever wrote at the same time."""
    return all(
        chain_faults(chain) == () for model in (Club, Scoresheet) for chain in model.objects.all()
    )


def test_of_many_who_save_the_same_deal_one_wins_and_the_others_see_it() -> None:
    at = table(evening_with_draw(players=4))
    answers = at_once([write(at, 1, ns=90 + n) for n in range(8)])
    assert outcomes(answers) == {"ok": 1, "version_conflict": 7}
    (winner,) = [answer for answer in answers if isinstance(answer, DealEntry)]
    for answer in answers:
        if not isinstance(answer, DealEntry):
            assert answer.params["current"].current == winner  # type: ignore[attr-defined]
    sheet = Scoresheet.objects.get(pk=at.sheet_id)
    assert (sheet.version, sheet.deals_entered) == (1, 1)
    assert sheet.score_ns == winner.written["points"]["NS"]  # type: ignore[index]
    assert trails_hold()


def test_one_request_sent_by_eight_at_once_is_one_entry_and_one_answer() -> None:
    at = table(evening_with_draw(players=4))
    answers = at_once([write(at, 1, uuid=uuid.UUID(int=1))] * 8)
    assert [answer.pk for answer in answers if isinstance(answer, DealEntry)] == [
        uuid.UUID(int=1)
    ] * 8
    assert DealEntry.objects.count() == 1
    assert Scoresheet.objects.get(pk=at.sheet_id).version == 1


def test_one_uuid_on_eight_sheets_at_once_is_written_on_one() -> None:
    evening = evening_with_draw(players=32)
    acts = [write(table(evening, n), 1, uuid=uuid.UUID(int=1)) for n in range(1, 9)]
    assert outcomes(at_once(acts)) == {"ok": 1, "key_reused": 7}
    assert DealEntry.objects.count() == 1
    assert sum(Scoresheet.objects.values_list("version", flat=True)) == 1


def test_eight_tables_writing_at_once_all_count() -> None:
    evening = evening_with_draw(players=32)
    before = Evening.objects.get().revision
    acts = [write(table(evening, n), deal) for n in range(1, 9) for deal in (1, 2)]
    assert outcomes(at_once(acts)) == {"ok": 16}
    assert Evening.objects.get().revision == before + 16
    sheets = Scoresheet.objects.filter(table__round__number=1)
    assert set(sheets.values_list("deals_entered", "score_ns", "version")) == {(2, 180, 2)}
    assert trails_hold()


def test_eight_deals_of_one_sheet_at_once_all_count() -> None:
    at = table(evening_with_draw(players=4))
    assert outcomes(at_once([write(at, number) for number in range(1, 9)])) == {"ok": 8}
    sheet = Scoresheet.objects.get(pk=at.sheet_id)
    assert (sheet.deals_entered, sheet.score_ns, sheet.score_ew) == (8, 720, 576)
    numbers = AuditEvent.objects.filter(chain=sheet.chain_name).order_by("number")
    assert list(numbers.values_list("number", flat=True)) == list(range(1, 9))
    assert trails_hold()


def test_an_undo_and_a_correction_of_the_same_deal() -> None:
    at = table(evening_with_draw(players=4))
    write_deal(at, 1)
    undo: Act = partial(
        deal_undo, sheet_id=at.sheet_id, number=1, seen_version=1, uuid=uuid.uuid4(), actor=TESTS
    )
    answers = at_once([undo, write(at, 1, ns=100, seen_version=1, reason="misread")])
    assert outcomes(answers) == {"ok": 1, "version_conflict": 1}
    assert DealEntry.objects.count() == 2


def test_a_round_is_closed_once_and_a_deal_is_in_before_the_seal_or_refused() -> None:
    evening = evening_with_draw(players=32, rounds=1)
    round_ = evening.rounds.get()
    close: Act = partial(round_close, round_id=round_.pk, actor=TESTS, unfinished_reason="late")
    acts: list[Act] = [close, close, *(write(table(evening, n), 1) for n in range(1, 7))]
    answers = at_once(acts)
    assert outcomes(answers[:2]) == {"ok": 1, "round_state": 1}
    written = outcomes(answers[2:])
    assert written["ok"] + written["sheet_closed"] == 6
    assert Scoresheet.objects.filter(version=1).count() == written["ok"]
    round_.refresh_from_db()
    sealed = {sheet.chain_length for sheet in Scoresheet.objects.all()}
    assert (round_.state, sealed <= {0, 1}) == ("closed", True)
    assert trails_hold()


def test_eight_evenings_planned_at_once_for_one_day_have_eight_addresses() -> None:
    club = ClubFactory.create()
    plan = EveningPlan(date=date(2026, 11, 21), regulation=regulation_of(club))
    assert outcomes(at_once([partial(evening_create, club=club, plan=plan, actor=TESTS)] * 8)) == {
        "ok": 8
    }
    sequences = Evening.objects.order_by("sequence").values_list("sequence", flat=True)
    assert list(sequences) == list(range(1, 9))
    assert trails_hold()


def test_helpers_who_watch_a_practice_evening_do_not_stop_each_other() -> None:
    made = practice_make(club=ClubFactory.create(), actor=TESTS)

    def play() -> str:
        return practice_play(evening=Evening.objects.get(pk=made.pk), actor=TESTS)

    for _step in range(2):
        assert outcomes(at_once([play] * 4)) == {"ok": 4}
    assert made.rounds.get(number=1).state == "running"


def test_the_trail_of_a_club_has_no_gap_under_eight_writers() -> None:
    evening = EveningFactory.create()
    members = MemberFactory.create_batch(8, club=evening.club)
    acts = [
        partial(presence_set, evening_id=evening.pk, member=member, present=True, actor=TESTS)
        for member in members
    ]
    assert outcomes(at_once(acts)) == {"ok": 8}
    evening.club.refresh_from_db()
    events = AuditEvent.objects.filter(chain=evening.club.chain_name).order_by("number")
    numbers = list(events.values_list("number", flat=True))
    assert numbers == list(range(1, evening.club.chain_length + 1))
    assert trails_hold()


def test_deals_and_everything_a_director_does_at_once_end_without_a_ring_of_waiters() -> None:
    evening = evening_with_draw(players=34, rounds=2, method="lottery")
    tables = [table(evening, n) for n in range(1, 9)]
    for at in tables:
        write_deal(at, 1)
    substitutes = MemberFactory.create_batch(2, club=evening.club)
    one, other = tables[0].sheet_id, tables[1].sheet_id
    director: list[Act] = [
        partial(sheet_move, from_id=one, to_id=other, actor=TESTS, reason="wrong table"),
        partial(sheet_move, from_id=other, to_id=one, actor=TESTS, reason="wrong table"),
        partial(sheet_swap_sides, sheet_id=other, actor=TESTS, reason="swapped"),
        partial(token_renew, evening_id=evening.pk, table_number=1, actor=TESTS),
        partial(draw_make, evening_id=evening.pk, actor=TESTS),
        *(
            partial(
                table_substitute,
                table_id=at.pk,
                seat="N",
                member=member,
                from_deal=2,
                for_himself=True,
                actor=TESTS,
            )
            for at, member in zip(tables, substitutes, strict=False)
        ),
    ]
    answers = at_once([*director, *(write(at, 2) for at in tables)])
    assert outcomes(answers) in (
        {"ok": 15},
        {"ok": 14, "version_conflict": 1},
        {"ok": 13, "version_conflict": 2},
    )
    assert trails_hold()


def test_of_those_who_work_on_one_draft_at_once_one_does_what_he_saw() -> None:
    evening = EveningFactory.create()
    members = MemberFactory.create_batch(8, club=evening.club)
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    draw: Act = partial(draw_make, evening_id=evening.pk, seen="", actor=TESTS)
    assert outcomes(at_once([draw, draw, draw])) == {"ok": 1, "draw_moved_on": 2}
    seen = draft_version(evening)
    acts: list[Act] = [
        partial(
            draw_swap,
            evening_id=evening.pk,
            round_number=1,
            one=one,
            other=other,
            seen=seen,
            actor=TESTS,
        )
        for one, other in (members[:2], members[2:4], members[4:6])
    ]
    again: Act = partial(draw_make, evening_id=evening.pk, seen=seen, actor=TESTS)
    assert outcomes(at_once([*acts, again])) == {"ok": 1, "draw_moved_on": 3}
    assert Placement.objects.filter(round__evening=evening).count() == 24
    assert trails_hold()


def test_rounds_undone_and_started_at_once() -> None:
    evening = evening_with_draw(players=8, rounds=1, started=False)
    start: Act = partial(round_start, round_id=evening.rounds.get().pk, actor=TESTS)
    undo: Act = partial(draw_undo, evening_id=evening.pk, actor=TESTS)
    answers = outcomes(at_once([start, undo, start, undo]))
    assert answers in (
        {"ok": 1, "round_gone": 2, "no_draft": 1},
        {"ok": 1, "round_state": 1, "no_draft": 2},
    )


def test_a_deal_written_while_its_draw_is_undone_is_refused_or_keeps_the_draw() -> None:
    evening = evening_with_draw(players=4, rounds=1)
    evening.rounds.update(state="drawn")
    at = table(evening)
    undo: Act = partial(draw_undo, evening_id=evening.pk, actor=TESTS)
    answers = outcomes(at_once([undo, write(at, 1)]))
    assert answers in ({"ok": 1, "sheet_gone": 1}, {"ok": 1, "deals_written": 1})
    assert DealEntry.objects.count() == answers["deals_written"]


def test_an_evening_closed_and_released_by_two_at_once() -> None:
    evening = evening_with_draw(players=4, rounds=1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="late")
    close: Act = partial(evening_close, evening_id=evening.pk, actor=TESTS)
    assert outcomes(at_once([close, close])) == {"ok": 1, "evening_state": 1}
    publish: Act = partial(release_publish, evening=evening, actor=TESTS)
    assert outcomes(at_once([publish] * 4)) == {"ok": 4}
    numbers = Release.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == [1, 2, 3, 4, 5]


def test_a_correction_published_by_four_at_once_is_published_once() -> None:
    evening = evening_with_draw(players=4, rounds=1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="late")
    evening_close(evening_id=evening.pk, actor=TESTS)
    correct_deal(table(evening), 1, ns=90, reason="late")
    publish: Act = partial(correction_publish, evening=evening, actor=TESTS)
    assert outcomes(at_once([publish] * 4)) == {"ok": 1, "nothing_corrected": 3}
    assert Release.objects.count() == 2


def test_links_asked_for_by_four_at_once_are_made_once() -> None:
    evening = evening_with_draw(players=16, rounds=1, started=False)
    ensure: Act = partial(tokens_ensure, evening=evening, tables=4)
    assert outcomes(at_once([ensure] * 4)) == {"ok": 4}
    assert evening.tokens.count() == 4


def test_phones_that_come_to_a_table_at_once_have_a_number_each() -> None:
    evening = evening_with_draw(players=4, rounds=1, method="typed_in", writing="both")
    pair: list[Act] = [
        partial(device_pair, token=token, key=f"{token.side}{n}", round_number=1)
        for token in evening.tokens.all()
        for n in range(3)
    ]
    assert outcomes(at_once(pair + pair[:2])) == {"ok": 8}
    numbers = TableDevice.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == [1, 2, 3, 4, 5, 6]


def test_of_twelve_wrong_pins_at_once_a_table_hears_five() -> None:
    evening = evening_with_draw(players=4)
    right = token_pin(evening.tokens.get())
    guess: Act = partial(
        pin_try,
        club=evening.club,
        table_number=1,
        pin="11111" if right != "11111" else "22222",
        client="192.0.2.1",
    )
    assert outcomes(at_once([guess] * 12)) == {"pin_wrong": 4, "pin_blocked": 8}
    assert [guard.failures for guard in PinGuard.objects.all()] == [5, 5, 5]


def test_a_dispute_answered_and_settled_at_once() -> None:
    evening = evening_with_draw(players=4, rounds=1, deals_per_round=1)
    at = table(evening)
    write_deal(at, 1)
    said = partial(sheet_answer, sheet_id=at.sheet_id, seen_version=1, agrees=False, actor=TESTS)
    first = said(side="NS")
    settle: Act = partial(dispute_settle, confirmation_id=first.pk, actor=TESTS)
    again: Act = partial(said, side="NS")
    assert outcomes(at_once([settle, again, settle, again])) == {"ok": 4}
    assert trails_hold()


class TestPeople:
    def test_one_of_eight_changes_of_a_member_wins(self) -> None:
        member = MemberFactory.create()
        acts = [
            partial(
                member_change,
                member=member,
                seen_version=1,
                actor=TESTS,
                name=f"Jan {n}",
                number=1,
                kind="member",
            )
            for n in range(8)
        ]
        assert outcomes(at_once(acts)) == {"ok": 1, "version_conflict": 7}
        assert Member.objects.get().version == 2

    def test_a_guest_is_merged_once_while_he_is_being_changed(self) -> None:
        member = MemberFactory.create()
        guest = MemberFactory.create(club=member.club, kind="guest")
        merge: Act = partial(guest_merge, guest=guest, member=member, actor=TESTS)
        assert outcomes(at_once([merge, merge])) == {"ok": 1, "guest_gone": 1}

    def test_two_organisers_cannot_both_leave(self) -> None:
        club = ClubFactory.create()
        organiser_of(club), organiser_of(club)
        acts = [partial(role_revoke, role=role, actor=TESTS) for role in club.roles.all()]
        assert outcomes(at_once(acts)) == {"ok": 1, "last_organiser": 1}

    def test_a_login_asked_for_twice_is_made_once(self) -> None:
        club = ClubFactory.create()
        grant: Act = partial(
            role_grant, club=club, email="riet@example.org", kind="director", actor=TESTS
        )
        assert outcomes(at_once([grant] * 4)) == {"ok": 4}
        assert club.roles.count() == 1

    def test_of_changes_to_one_regulation_at_once_one_wins(self) -> None:
        club = ClubFactory.create()
        regulation_save(club=club, name="Ons huis", settings={}, actor=TESTS)
        acts = [
            partial(
                regulation_save,
                club=club,
                name="Ons huis",
                settings={"reneging_fine": 101 + n},
                seen={},
                actor=TESTS,
            )
            for n in range(4)
        ]
        assert outcomes(at_once(acts)) == {"ok": 1, "regulation_changed": 3}
        assert [one.version for one in Regulation.objects.all()] == [1]


WRITER = """
import os, sys, uuid
import django
django.setup()
from django.conf import settings
from django.db import connections
connections.databases["default"]["NAME"] = sys.argv[1]
from clubs.audit.services import Actor
from clubs.text.errors import VersionConflict
from scoring.deals.services import deal_write
sys.stdin.readline()
won = 0
for number in range(1, 17):
    written = {"declarer": "NS", "trump": "H", "points": {"NS": 90}}
    try:
        deal_write(sheet_id=int(sys.argv[2]), number=number, seen_version=0, uuid=uuid.uuid4(),
                   written=written, actor=Actor.of_program("test"))
        won += 1
    except VersionConflict:
        pass
print(won)
"""


def test_processes_of_their_own_write_each_deal_once() -> None:
    at = table(evening_with_draw(players=4))
    name = str(connection.settings_dict["NAME"])
    writers = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", WRITER, name, str(at.sheet_id)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    won = [int(writer.communicate(timeout=120)[0]) for writer in writers]
    assert sum(won) == 16
    sheet = Scoresheet.objects.get(pk=at.sheet_id)
    assert (sheet.version, sheet.deals_entered, sheet.score_ns) == (16, 16, 1440)
    assert trails_hold()
