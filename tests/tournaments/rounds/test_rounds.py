import pytest

from clubs.audit.services import seal
from clubs.models import AuditEvent
from clubs.text.errors import DomainError
from scoring.models import Scoresheet
from tests.factories import TESTS, correct_deal, evening_with_draw, table, write_deal
from tournaments.closing.services import evening_close
from tournaments.draw.services import draw_make, draw_publish, draw_undo
from tournaments.models import Evening, Round, TableToken
from tournaments.rounds.services import round_close, round_reopen, round_start

pytestmark = pytest.mark.django_db


def start(evening: Evening, number: int) -> Round:
    return round_start(round_id=evening.rounds.get(number=number).pk, actor=TESTS)


def close(evening: Evening, number: int, reason: str = "") -> Round:
    round_ = evening.rounds.get(number=number)
    return round_close(round_id=round_.pk, actor=TESTS, unfinished_reason=reason)


def code_of(caught: pytest.ExceptionInfo[DomainError]) -> str:
    return caught.value.code


def short_evening(**given: object) -> Evening:
    """Eight people, two tables, deals of one a round."""
    return evening_with_draw(players=8, deals_per_round=1, **given)  # type: ignore[arg-type]


class TestStart:
    @pytest.mark.full
    def test_opens_the_sheets_and_gives_each_table_a_link(self) -> None:
        evening = short_evening(started=False)
        assert set(Scoresheet.objects.values_list("state", flat=True)) == {"planned"}
        start(evening, 1)
        evening.refresh_from_db()
        assert evening.state == "running"
        sheets = Scoresheet.objects.filter(table__round__number=1)
        assert set(sheets.values_list("state", flat=True)) == {"open"}
        assert list(TableToken.objects.order_by("table_number").values_list("table_number")) == [
            (1,),
            (2,),
        ]

    def test_nothing_can_be_written_before(self) -> None:
        evening = short_evening(started=False)
        with pytest.raises(DomainError) as caught:
            write_deal(table(evening), 1)
        assert code_of(caught) == "sheet_not_started"

    @pytest.mark.full
    def test_tables_of_a_rotation_go_on_by_themselves(self) -> None:
        evening = short_evening()
        start(evening, 2)
        states = evening.rounds.order_by("number").values_list("state", flat=True)
        assert list(states) == ["running", "running", "drawn"]

    def test_a_round_is_not_skipped(self) -> None:
        evening = short_evening()
        with pytest.raises(DomainError) as caught:
            start(evening, 3)
        assert code_of(caught) == "round_before_running"

    @pytest.mark.full
    def test_a_lottery_waits_for_the_round_before(self) -> None:
        evening = short_evening(method="lottery")
        draw_make(evening_id=evening.pk, actor=TESTS)
        draw_publish(evening_id=evening.pk, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            start(evening, 2)
        assert code_of(caught) == "round_before_running"
        close(evening, 1, reason="late")
        assert start(evening, 2).state == "running"

    def test_a_draft_and_a_running_round_cannot_be_started(self) -> None:
        evening = short_evening(started=False)
        evening.rounds.update(state="draft")
        for state in ("draft", "running", "closed"):
            evening.rounds.filter(number=1).update(state=state)
            with pytest.raises(DomainError) as caught:
                start(evening, 1)
            assert code_of(caught) == "round_state"

    def test_a_round_that_is_gone(self) -> None:
        evening = short_evening(started=False)
        gone = evening.rounds.get(number=1).pk
        draw_undo(evening_id=evening.pk, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            round_start(round_id=gone, actor=TESTS)
        assert code_of(caught) == "round_gone"


class TestClose:
    @pytest.mark.both
    def test_seals_what_the_sheets_hold(self) -> None:
        evening = short_evening()
        for number in (1, 2):
            write_deal(table(evening, number), 1)
        closed = close(evening, 1)
        sheets = list(Scoresheet.objects.filter(table__round=closed))
        assert {sheet.state for sheet in sheets} == {"closed"}
        assert closed.seal == seal(sheets)
        assert len(closed.seal) == 64
        event = AuditEvent.objects.filter(action="round_closed").get()
        lengths = {str(sheet.uuid): [1, sheet.table.number, 1] for sheet in sheets}
        told = {"round": 1, "seal": closed.seal, "sheets": lengths, "unfinished": []}
        assert event.data == told

    def test_a_table_that_is_not_finished_stops_it(self) -> None:
        evening = short_evening()
        write_deal(table(evening, 1), 1)
        with pytest.raises(DomainError) as caught:
            close(evening, 1, reason="  ")
        assert code_of(caught) == "tables_unfinished"
        assert caught.value.params["tables"] == [2]
        assert close(evening, 1, reason="somebody fell ill").state == "closed"

    @pytest.mark.full
    def test_only_a_running_round_of_a_running_evening(self) -> None:
        evening = short_evening(rounds=1)
        close(evening, 1, reason="late")
        with pytest.raises(DomainError) as caught:
            close(evening, 1, reason="late")
        assert code_of(caught) == "round_state"
        evening_close(evening_id=evening.pk, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            close(evening, 1, reason="late")
        assert code_of(caught) == "evening_state"

    def test_the_reason_has_at_most_200_characters(self) -> None:
        with pytest.raises(DomainError) as caught:
            close(short_evening(), 1, reason="x" * 201)
        assert code_of(caught) == "reason_too_long"

    def test_the_director_may_still_correct_a_deal(self) -> None:
        evening = short_evening()
        close(evening, 1, reason="late")
        entry = correct_deal(table(evening), 1, ns=90, reason="sheet found")
        assert entry.revision == 1


@pytest.mark.both
def test_a_round_reopened_takes_deals_again() -> None:
    evening = short_evening()
    close(evening, 1, reason="late")
    reopened = round_reopen(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    assert (reopened.state, reopened.seal) == ("running", "")
    write_deal(table(evening), 1)
    with pytest.raises(DomainError) as caught:
        round_reopen(round_id=reopened.pk, actor=TESTS)
    assert code_of(caught) == "round_state"


def test_each_deal_counts_the_evening_up() -> None:
    evening = short_evening()
    before = Evening.objects.get().revision
    write_deal(table(evening), 1)
    assert Evening.objects.get().revision == before + 1
