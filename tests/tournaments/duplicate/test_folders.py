"""An evening of folders: cards, movement, what is written, late pairs, rulings."""

from collections.abc import Callable
from typing import cast

import pytest

from clubs.models import AuditEvent
from clubs.text.errors import DomainError
from scoring.display.words import DealRefused
from scoring.models import Deal, Folder
from tests.constraints import constraint_names, not_refused
from tests.factories import TESTS, EveningFactory, MemberFactory, write_deal
from tests.tournaments.duplicate.played import play_all, play_round, started, tables_of, with_pairs
from tournaments.draw.services import draw_make, draw_undo
from tournaments.duplicate.core.dealing import HandFault, cards_moved, commitment_of, dealt
from tournaments.duplicate.queries import duplicate_of, duplicate_results
from tournaments.duplicate.services import (
    DuplicatePlan,
    duplicate_plan,
    folders_deal,
    folders_type_in,
    late_pair_seat,
    movement_start,
    ruling_give,
    ruling_take_back,
)
from tournaments.models import DuplicateEvening, Evening, FolderPlay
from tournaments.registration.services import presence_set
from tournaments.rounds.services import round_start

pytestmark = pytest.mark.django_db


def code(caught: pytest.ExceptionInfo[DomainError]) -> str:
    return caught.value.code


def faults_of(caught: pytest.ExceptionInfo[DomainError]) -> list[HandFault]:
    return cast("list[HandFault]", caught.value.params["faults"])


def hands(evening: Evening) -> dict[int, str]:
    return dict(Folder.objects.filter(pack=evening.uuid).values_list("number", "hands"))


class TestCards:
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

    def test_another_number_of_folders_needs_other_cards(self) -> None:
        evening = with_pairs(4, folders=6)
        folders_deal(evening_id=evening.pk, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            duplicate_plan(evening_id=evening.pk, plan=DuplicatePlan(folders=8), actor=TESTS)
        assert code(caught) == "folders_dealt"

    def test_typed_where_the_club_shuffled(self) -> None:
        evening = with_pairs(4, folders=3)
        typed = {number: dealt("5e" * 32, number) for number in (1, 3)}
        assert folders_type_in(evening_id=evening.pk, hands=typed, actor=TESTS) == 2
        assert hands(evening) == {1: typed[1], 2: "", 3: typed[3]}
        assert folders_type_in(evening_id=evening.pk, hands=typed, actor=TESTS) == 0

    def test_hands_that_differ_from_what_was_dealt_are_compared_card_by_card(self) -> None:
        evening = with_pairs(4, folders=2)
        folders_deal(evening_id=evening.pk, actor=TESTS)
        before = hands(evening)
        typed = {1: before[1], 2: dealt("5e" * 32, 2)}
        with pytest.raises(DomainError) as caught:
            folders_type_in(evening_id=evening.pk, hands=typed, actor=TESTS)
        assert code(caught) == "hands_differ"
        assert [(fault.number, fault.params["card"]) for fault in faults_of(caught)] == [
            (2, moved.card) for moved in cards_moved(before[2], typed[2])
        ]
        assert hands(evening) == before
        with pytest.raises(DomainError) as caught:
            folders_type_in(evening_id=evening.pk, hands=typed, instead=True, actor=TESTS)
        assert code(caught) == "reason_needed"
        folders_type_in(
            evening_id=evening.pk, hands=typed, instead=True, reason="verkeerd gevuld", actor=TESTS
        )
        assert hands(evening) == typed

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

    def test_the_dealer_of_a_folder_deals_at_every_table(self) -> None:
        evening = started(6, folders=9)
        for number in (1, 2, 3):
            for table in tables_of(evening, number):
                for deal in table.sheet.deals.select_related("folder"):
                    assert deal.folder is not None
                    assert table.sheet.dealer(deal.number) == "NESW"[(deal.folder.number - 1) % 4]

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

    def test_seen_another_plan(self) -> None:
        evening = with_pairs(4, folders=6)
        with pytest.raises(DomainError) as caught:
            movement_start(evening_id=evening.pk, seen=7, actor=TESTS)
        assert code(caught) == "duplicate_moved_on"


class TestLate:
    def test_a_late_pair_takes_the_place_of_who_sits_out(self) -> None:
        evening = started(5, folders=9)
        before = {(play.folder_id, play.pair) for play in FolderPlay.objects.all()}
        late = [MemberFactory.create(club=evening.club) for _ in range(2)]
        for member in late:
            presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
        number = late_pair_seat(evening_id=evening.pk, one=late[0], two=late[1], actor=TESTS)
        assert number == 6
        now = {(play.folder_id, play.pair) for play in FolderPlay.objects.all()}
        assert before < now
        assert {pair for _folder, pair in now - before} <= {1, 2, 3, 4, 5, 6}
        assert [round_.tables.count() for round_ in evening.rounds.all()] == [2, 3, 3]
        assert duplicate_of(evening).pairs == [1, 2, 3, 4, 5, 6]

    def test_where_nobody_sits_out_there_is_no_place(self) -> None:
        evening = started(4, folders=6)
        late = [MemberFactory.create(club=evening.club) for _ in range(2)]
        with pytest.raises(DomainError) as caught:
            late_pair_seat(evening_id=evening.pk, one=late[0], two=late[1], actor=TESTS)
        assert code(caught) == "no_place"


class TestWritten:
    def test_what_the_cards_cannot_give_is_refused(self) -> None:
        evening = started(4, folders=6)
        table = tables_of(evening)[0]
        deal = table.sheet.deals.select_related("folder").get(number=1)
        assert deal.folder is not None
        jack = deal.folder.hands[4]  # the jack of clubs
        other = "EW" if jack in "NS" else "NS"
        with pytest.raises(DealRefused) as caught:
            write_deal(table, 1, declarer="NS", trump="C", pit=other, points={})
        assert [fault.code for fault in caught.value.faults] == ["hands_points"]
        write_deal(table, 1, declarer="NS", trump="C", points={"NS": 81})

    def test_without_cards_nothing_more_is_known_than_else(self) -> None:
        evening = started(4, folders=6, dealt=False)
        write_deal(tables_of(evening)[0], 1, declarer="NS", trump="C", pit="EW", points={})

    def test_whatever_is_played_by_the_rules_is_written_and_compared(self) -> None:
        evening = play_all(started(6, folders=9))
        results = duplicate_results(evening, duplicate_of(evening))
        assert len(results.tables) == 3 * 9
        for played in results.of_folder.values():
            for line in ("NS", "EW"):
                total = sum(result.worth[line] for result in played)
                assert total == len(played) * (len(played) - 1)
        assert [ranking.line for ranking in results.ranking] == ["NS", "EW"]
        assert [row.played for ranking in results.ranking for row in ranking.rows] == [9] * 6

    def test_a_folder_that_is_not_written_yet_is_not_compared(self) -> None:
        evening = started(4, folders=6)
        write_deal(tables_of(evening)[0], 1, declarer="NS", trump="C", points={"NS": 81})
        results = duplicate_results(evening, duplicate_of(evening))
        assert [result.folder for result in results.tables if result.counts] == [1]

    def test_teams_have_one_line_for_both_of_their_pairs(self) -> None:
        evening = started(8, kind="teams_of_four", compare="cross", folders=6)
        evening = play_all(evening)
        results = duplicate_results(evening, duplicate_of(evening))
        (ranking,) = results.ranking
        assert ranking.line is None
        assert sorted(tuple(pair.number for pair in row.pairs) for row in ranking.rows) == [
            (1, 2),
            (3, 4),
            (5, 6),
            (7, 8),
        ]
        assert sum(row.worth.points for row in ranking.rows) == 0


class TestRulings:
    def test_the_director_gives_a_percentage_with_a_reason(self) -> None:
        evening = started(4, folders=6)
        play_round(evening, 1)
        play = FolderPlay.objects.filter(folder__number=1, line="NS").first()
        assert play is not None
        ruling_give(
            evening_id=evening.pk,
            play_id=play.pk,
            percent=60,
            reason="kaarten verwisseld",
            fouled=True,
            actor=TESTS,
        )
        results = duplicate_results(evening, duplicate_of(evening))
        (ruled,) = [result for result in results.tables if result.ruled]
        assert dict(ruled.ruled) == {"NS": (60, "kaarten verwisseld")}
        assert Deal.objects.get(pk=play.deal_id).folder is None
        ruling_take_back(evening_id=evening.pk, play_id=play.pk, actor=TESTS)
        assert Deal.objects.get(pk=play.deal_id).folder == play.folder
        actions = AuditEvent.objects.filter(action__startswith="folder_rul")
        assert [(event.action, event.data) for event in actions.order_by("number")] == [
            ("folder_ruled", {"folder": 1, "pair": play.pair, "percent": 60}),
            ("folder_ruling_removed", {"folder": 1, "pair": play.pair, "percent": None}),
        ]

    @pytest.mark.parametrize(
        ("compare", "percent", "reason", "error"),
        [
            ("matchpoints", 101, "x", "ruling_percent"),
            ("mean_difference", 60, "x", "ruling_percent"),
            ("matchpoints", 50, " ", "reason_needed"),
        ],
    )
    def test_what_cannot_be_ruled(
        self, compare: str, percent: int, reason: str, error: str
    ) -> None:
        evening = started(4, folders=6, compare=compare)
        play = FolderPlay.objects.first()
        assert play is not None
        with pytest.raises(DomainError) as caught:
            ruling_give(
                evening_id=evening.pk,
                play_id=play.pk,
                percent=percent,
                reason=reason,
                fouled=False,
                actor=TESTS,
            )
        assert code(caught) == error


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
}


@pytest.mark.both
def test_the_database_holds() -> None:
    started(4, folders=6)

    assert not_refused(BREAKS) == []


def test_every_constraint_is_tried() -> None:
    assert constraint_names(DuplicateEvening, FolderPlay) == set(BREAKS)


def test_a_round_starts_as_any_other() -> None:
    evening = started(4, folders=6)
    play_round(evening, 1)
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    assert evening.rounds.get(number=2).state == "running"
