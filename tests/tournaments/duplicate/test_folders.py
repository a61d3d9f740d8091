"""An evening of folders: cards, movement, and two who decide at once."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

import pytest

from clubs.models import AuditEvent
from clubs.text.errors import DomainError
from scoring.models import Folder, Scoresheet
from scoring.sheets.services import sheet_move
from tests.concurrency import at_once, outcomes
from tests.constraints import constraint_names, not_refused
from tests.factories import TESTS, EveningFactory, write_deal
from tests.tournaments.duplicate.played import play_all, play_round, started, tables_of, with_pairs
from tournaments.closing.services import evening_close
from tournaments.draw.extra_tables import extra_table_make, extra_table_rounds
from tournaments.draw.services import draw_make, draw_undo
from tournaments.duplicate.core.dealing import HandFault, cards_moved, commitment_of, dealt
from tournaments.duplicate.movement import movement_start
from tournaments.duplicate.queries import duplicate_of
from tournaments.duplicate.services import (
    DuplicatePlan,
    duplicate_plan,
    folders_deal,
    folders_type_in,
    version_seen,
)
from tournaments.evenings.kinds import evening_delete
from tournaments.evenings.services import evening_rules_change, rules_of
from tournaments.models import DuplicateEvening, Evening, FolderPlay
from tournaments.registration.pairs import (
    pair_break,
    pairs_as_before,
    pairs_number,
    pairs_number_by_lot,
)
from tournaments.rounds.services import round_start
from tournaments.scoresheets.page import draws_dealer

pytestmark = pytest.mark.django_db


def code(caught: pytest.ExceptionInfo[DomainError]) -> str:
    return caught.value.code


def faults_of(caught: pytest.ExceptionInfo[DomainError]) -> list[HandFault]:
    return cast("list[HandFault]", caught.value.params["faults"])


def hands(evening: Evening) -> dict[int, str]:
    return dict(Folder.objects.filter(pack=evening.uuid).values_list("number", "hands"))


class TestCards:
    @pytest.mark.full
    def test_dealt_from_a_seed_whose_commitment_is_known_before(self) -> None:
        evening = with_pairs(4, folders=6)
        made = folders_deal(evening_id=evening.pk, actor=TESTS)
        assert made.commitment == commitment_of(made.seed, str(evening.uuid))
        assert hands(evening) == {number: dealt(made.seed, number) for number in range(1, 7)}
        event = AuditEvent.objects.get(action="folders_dealt")
        assert event.data == {"count": 6, "commitment": made.commitment}

    def test_dealing_again_is_another_deal(self) -> None:
        evening = with_pairs(4, folders=2)
        first = folders_deal(evening_id=evening.pk, actor=TESTS).seed
        before = hands(evening)
        assert folders_deal(evening_id=evening.pk, actor=TESTS).seed != first
        assert hands(evening) != before

    def test_nothing_is_dealt_while_people_play(self) -> None:
        evening = started(4, folders=6)
        with pytest.raises(DomainError) as caught:
            folders_deal(evening_id=evening.pk, actor=TESTS)
        assert code(caught) == "evening_state"

    @pytest.mark.full
    def test_more_or_fewer_folders_are_of_the_same_deal(self) -> None:
        evening = with_pairs(4, folders=6)
        seed = folders_deal(evening_id=evening.pk, actor=TESTS).seed
        for count in (8, 4, 5):
            plan = DuplicatePlan(folders=count)
            assert duplicate_plan(evening_id=evening.pk, plan=plan, actor=TESTS).seed == seed
            assert hands(evening) == {n: dealt(seed, n) for n in range(1, count + 1)}

    @pytest.mark.full
    def test_cards_that_somebody_typed_only_go_if_that_is_meant(self) -> None:
        evening = with_pairs(4, folders=6)
        typed = {number: dealt("5e" * 32, number) for number in (2, 5, 6)}
        folders_type_in(evening_id=evening.pk, hands=typed, actor=TESTS)
        plan = DuplicatePlan(folders=4)
        with pytest.raises(DomainError) as caught:
            duplicate_plan(evening_id=evening.pk, plan=plan, actor=TESTS)
        assert (code(caught), "5 en 6" in caught.value.message) == ("folders_typed", True)
        assert hands(evening) == {1: "", 2: typed[2], 3: "", 4: "", 5: typed[5], 6: typed[6]}
        duplicate_plan(evening_id=evening.pk, plan=plan, drop_typed=True, actor=TESTS)
        assert hands(evening) == {1: "", 2: typed[2], 3: "", 4: ""}
        with pytest.raises(DomainError) as caught:
            folders_deal(evening_id=evening.pk, actor=TESTS)
        assert code(caught) == "folders_typed"
        seed = folders_deal(evening_id=evening.pk, drop_typed=True, actor=TESTS).seed
        assert hands(evening) == {n: dealt(seed, n) for n in range(1, 5)}
        dropped = AuditEvent.objects.filter(action="folders_dropped").order_by("number")
        assert [event.data["folders"] for event in dropped] == [[5, 6], [2]]

    @pytest.mark.full
    def test_typed_where_the_club_shuffled(self) -> None:
        evening = with_pairs(4, folders=3)
        typed = {number: dealt("5e" * 32, number) for number in (1, 3)}
        assert folders_type_in(evening_id=evening.pk, hands=typed, actor=TESTS) == 2
        assert hands(evening) == {1: typed[1], 2: "", 3: typed[3]}
        assert folders_type_in(evening_id=evening.pk, hands=typed, actor=TESTS) == 0

    def test_hands_that_differ_from_what_was_dealt_show_no_cards_before_the_end(self) -> None:
        evening = with_pairs(4, folders=2)
        folders_deal(evening_id=evening.pk, actor=TESTS)
        before = hands(evening)
        typed = {1: before[1], 2: dealt("5e" * 32, 2)}
        with pytest.raises(DomainError) as caught:
            folders_type_in(evening_id=evening.pk, hands=typed, actor=TESTS)
        assert code(caught) == "hands_differ"
        assert faults_of(caught) == [HandFault("differs", 2)]
        assert hands(evening) == before
        with pytest.raises(DomainError) as caught:
            folders_type_in(evening_id=evening.pk, hands=typed, instead=True, actor=TESTS)
        assert code(caught) == "reason_needed"
        folders_type_in(
            evening_id=evening.pk, hands=typed, instead=True, reason="verkeerd gevuld", actor=TESTS
        )
        assert hands(evening) == typed

    def test_after_the_evening_they_are_compared_card_by_card(self) -> None:
        evening = play_all(started(4, folders=6))
        evening_close(evening_id=evening.pk, actor=TESTS)
        before = hands(evening)
        typed = {1: before[1], 2: dealt("5e" * 32, 2)}
        with pytest.raises(DomainError) as caught:
            folders_type_in(evening_id=evening.pk, hands=typed, actor=TESTS)
        assert [(fault.number, fault.params["card"]) for fault in faults_of(caught)] == [
            (2, moved.card) for moved in cards_moved(before[2], typed[2])
        ]

    def test_of_folders_that_are_not_there(self) -> None:
        evening = with_pairs(4, folders=2)
        with pytest.raises(DomainError) as caught:
            folders_type_in(evening_id=evening.pk, hands={7: dealt("5e" * 32, 7)}, actor=TESTS)
        assert [fault.number for fault in faults_of(caught)] == [7]

    def test_only_where_folders_are_played(self) -> None:
        evening = EveningFactory.create()
        with pytest.raises(DomainError) as caught:
            folders_deal(evening_id=evening.pk, actor=TESTS)
        assert code(caught) == "no_folders"


class TestMovement:
    @pytest.mark.full
    @pytest.mark.parametrize(
        ("pairs", "kind", "rounds", "size"),
        [(12, "mitchell", 5, 4), (6, "howell", 5, 4), (8, "teams_of_four", 3, 8)],
    )
    def test_everybody_has_a_place_and_plays_a_folder_once(
        self, pairs: int, kind: str, rounds: int, size: int
    ) -> None:
        evening = with_pairs(pairs, kind=kind, folders=24)
        movement_start(evening_id=evening.pk, actor=TESTS)
        evening.refresh_from_db()
        assert (evening.rounds_planned, evening.deals_per_round) == (rounds, size)
        assert set(evening.rounds.values_list("state", flat=True)) == {"drawn"}
        plays = FolderPlay.objects.filter(folder__pack=evening.uuid)
        assert plays.count() == pairs * rounds * size
        assert plays.values("folder", "pair").distinct().count() == plays.count()

    @pytest.mark.full
    def test_the_dealer_of_a_folder_deals_at_every_table(self) -> None:
        evening = started(6, folders=9)
        for number in (1, 2, 3):
            for table in tables_of(evening, number):
                for deal in table.sheet.deals.select_related("folder"):
                    assert deal.folder is not None
                    assert table.sheet.dealer(deal.number) == "NESW"[(deal.folder.number - 1) % 4]

    @pytest.mark.full
    def test_an_odd_pair_sits_out(self) -> None:
        evening = with_pairs(5, folders=9)
        movement_start(evening_id=evening.pk, actor=TESTS)
        for round_ in evening.rounds.all():
            assert round_.placements.filter(table=None).count() == 2
            assert round_.tables.count() == 2

    @pytest.mark.parametrize(
        ("pairs", "kind", "rounds", "error"),
        [
            (3, "mitchell", None, "movement_pairs"),
            (5, "teams_of_four", None, "movement_teams"),
            (4, "mitchell", 30, "movement_rounds"),
        ],
    )
    def test_what_cannot_be_played(
        self, pairs: int, kind: str, rounds: int | None, error: str
    ) -> None:
        evening = with_pairs(pairs, kind=kind, folders=24)
        with pytest.raises(DomainError) as caught:
            movement_start(evening_id=evening.pk, rounds=rounds, actor=TESTS)
        assert code(caught) == error
        assert not evening.rounds.exists()

    def test_the_usual_draw_leaves_folders_alone(self) -> None:
        evening = with_pairs(4)
        with pytest.raises(DomainError) as caught:
            draw_make(evening_id=evening.pk, actor=TESTS)
        assert code(caught) == "draw_of_folders"

    def test_undone_and_made_again(self) -> None:
        evening = with_pairs(4, folders=6)
        movement_start(evening_id=evening.pk, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            movement_start(evening_id=evening.pk, actor=TESTS)
        assert code(caught) == "draw_final"
        draw_undo(evening_id=evening.pk, actor=TESTS)
        assert not FolderPlay.objects.exists()
        movement_start(evening_id=evening.pk, actor=TESTS)
        assert FolderPlay.objects.count() == 4 * 6

    def test_once_a_round_started_the_movement_stays(self) -> None:
        evening = started(4, folders=6)
        before = [*FolderPlay.objects.order_by("pk").values_list("pk", flat=True)]
        with pytest.raises(DomainError) as caught:
            draw_undo(evening_id=evening.pk, actor=TESTS)
        assert code(caught) == "movement_running"
        play_round(evening, 1)
        with pytest.raises(DomainError) as caught:
            draw_undo(evening_id=evening.pk, actor=TESTS)
        assert code(caught) == "movement_running"
        assert [*FolderPlay.objects.order_by("pk").values_list("pk", flat=True)] == before

    @pytest.mark.full
    def test_other_rules_of_the_evening_leave_the_dealers_of_folders(self) -> None:
        evening = with_pairs(4, folders=8)
        movement_start(evening_id=evening.pk, actor=TESTS)
        before = [*Scoresheet.objects.order_by("pk").values_list("first_dealer", flat=True)]
        rules = replace(rules_of(evening), first_dealer=Evening.FirstDealer.DRAWN)
        evening_rules_change(evening_id=evening.pk, rules=rules, actor=TESTS)
        now = [*Scoresheet.objects.order_by("pk").values_list("first_dealer", flat=True)]
        assert now == before

    @pytest.mark.full
    def test_a_table_does_not_draw_its_dealer(self) -> None:
        evening = with_pairs(4, folders=8)
        rules = replace(rules_of(evening), first_dealer=Evening.FirstDealer.DRAWN)
        evening_rules_change(evening_id=evening.pk, rules=rules, actor=TESTS)
        movement_start(evening_id=evening.pk, actor=TESTS)
        evening.refresh_from_db()
        assert not draws_dealer(evening, tables_of(evening)[0])

    @pytest.mark.full
    def test_sheets_that_change_places_keep_the_dealers_of_their_folders(self) -> None:
        evening = started(6, dealt=False, folders=9)
        one, two, _three = tables_of(evening)
        dealers = [table.sheet.first_dealer for table in (one, two)]
        write_deal(one, 1, declarer="NS", trump="C", points={"NS": 81})
        sheet_move(from_id=one.sheet_id, to_id=two.sheet_id, reason="verwisseld", actor=TESTS)
        assert dealers[0] != dealers[1]
        assert [table.sheet.first_dealer for table in tables_of(evening)[:2]] == dealers

    def test_an_extra_table_would_play_cards_that_others_are_compared_by(self) -> None:
        evening = started(5, folders=9)
        assert extra_table_rounds(evening) == []
        two = [registration.member for registration in evening.registrations.all()[:2]]
        with pytest.raises(DomainError) as caught:
            extra_table_make(evening_id=evening.pk, round_number=2, twice=two, actor=TESTS)
        assert code(caught) == "no_table_for_folders"

    def test_the_pairs_keep_their_numbers_while_they_play(self) -> None:
        evening = started(4, folders=6, rounds=1)
        for change in (
            partial(pairs_number, numbers={1: 2, 2: 1}),
            partial(pair_break, number=1),
            pairs_number_by_lot,
            pairs_as_before,
        ):
            with pytest.raises(DomainError) as caught:
                change(evening_id=evening.pk, actor=TESTS)
            assert (code(caught), "Portefeuille" in caught.value.message) == ("pairs_drawn", True)

    def test_seen_another_plan(self) -> None:
        evening = with_pairs(4, folders=6)
        with pytest.raises(DomainError) as caught:
            movement_start(evening_id=evening.pk, seen=7, actor=TESTS)
        assert code(caught) == "duplicate_moved_on"


def play(number: int = 1, line: str = "NS") -> FolderPlay:
    found = FolderPlay.objects.filter(folder__number=number, line=line).first()
    assert found is not None
    return found


def played_by(pair: int, *, instead_of: FolderPlay, line: str) -> FolderPlay:
    """Another pair at a table, in the database itself."""
    return FolderPlay.objects.create(
        folder=instead_of.folder, deal=instead_of.deal, pair=pair, line=line
    )


def twice(folder: FolderPlay) -> FolderPlay:
    """The same pair at the same folder, on another line of its sheet."""
    deals = folder.deal.sheet.deals.exclude(plays__folder=folder.folder)
    FolderPlay.objects.filter(deal__in=deals).delete()
    deal = deals.first()
    assert deal is not None
    return FolderPlay.objects.create(
        folder=folder.folder, deal=deal, pair=folder.pair, line=folder.line
    )


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_of_two_who_decide_at_once_one_does() -> None:
    evening = with_pairs(4, folders=6)
    seen = version_seen(duplicate_of(evening))
    plans = [DuplicatePlan(folders=count) for count in (8, 16)]
    acts: list[Callable[[], DuplicateEvening]] = [
        partial(duplicate_plan, evening_id=evening.pk, plan=plan, seen=seen, actor=TESTS)
        for plan in plans
    ]
    acts.append(partial(folders_deal, evening_id=evening.pk, seen=seen, actor=TESTS))
    assert outcomes(at_once(acts)) == {"ok": 1, "duplicate_moved_on": 2}
    assert version_seen(duplicate_of(evening)) == seen + 1


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_of_two_first_decisions_at_once_one_is_made() -> None:
    evening = EveningFactory.create(
        method=Evening.Method.PAIRS, pair_movement=Evening.PairMovement.FOLDERS
    )
    acts = [
        partial(
            duplicate_plan,
            evening_id=evening.pk,
            plan=DuplicatePlan(folders=count),
            seen=0,
            actor=TESTS,
        )
        for count in (8, 16)
    ]
    assert outcomes(at_once(acts)) == {"ok": 1, "duplicate_moved_on": 1}


class TestDeleted:
    def test_cards_that_were_dealt_go_with_the_evening_and_the_trail_says_so(self) -> None:
        evening = with_pairs(4, folders=6)
        folders_deal(evening_id=evening.pk, actor=TESTS)
        evening_delete(evening_id=evening.pk, actor=TESTS)
        assert not Folder.objects.exists()
        assert AuditEvent.objects.get(action="folders_dropped").data == {"count": 6}

    @pytest.mark.full
    def test_cards_that_somebody_typed_keep_it(self) -> None:
        evening = with_pairs(4, folders=6)
        typed = {1: dealt("5e" * 32, 1)}
        folders_type_in(evening_id=evening.pk, hands=typed, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            evening_delete(evening_id=evening.pk, actor=TESTS)
        assert code(caught) == "evening_played"
        assert hands(evening)[1] == typed[1]


BREAKS: dict[str, Callable[[], object]] = {
    "folder_played_once_by_a_pair": lambda: twice(play()),
    "folder_one_pair_in_a_seat": lambda: played_by(9, instead_of=play(), line="NS"),
    "folder_play_pair_from_1": lambda: FolderPlay.objects.filter(pk=play().pk).update(pair=0),
    "folder_play_line_known": lambda: FolderPlay.objects.filter(pk=play().pk).update(line="N"),
    "folder_play_percent_at_most_100": lambda: FolderPlay.objects.update(percent=101),
    "duplicate_kind_known": lambda: DuplicateEvening.objects.update(kind="x"),
    "duplicate_comparison_known": lambda: DuplicateEvening.objects.update(compare="x"),
    "duplicate_folders_1_to_99": lambda: DuplicateEvening.objects.update(folders=100),
    "duplicate_seed_with_its_commitment": lambda: DuplicateEvening.objects.update(seed=""),
    "duplicate_address_of_a_night": lambda: DuplicateEvening.objects.update(night_key="x"),
}


@pytest.mark.both
def test_the_database_holds() -> None:
    started(4, folders=6)

    assert not_refused(BREAKS) == []


def test_every_constraint_is_tried() -> None:
    assert constraint_names(DuplicateEvening, FolderPlay) == set(BREAKS)


@pytest.mark.full
def test_a_round_starts_as_any_other() -> None:
    evening = started(4, folders=6)
    play_round(evening, 1)
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    assert evening.rounds.get(number=2).state == "running"
