"""An evening of folders: what is written at the tables, and rulings."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from clubs.audit.services import Actor
from clubs.models import AuditEvent
from clubs.text.errors import DomainError
from scoring.deals.services import deal_write
from scoring.display.words import DealRefused
from scoring.models import Deal, DealEntry
from scoring.rules import Fault
from scoring.rules.cards import DECK
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.api.caller import Caller
from tests.factories import TESTS, UserFactory, director_of, write_deal
from tests.tournaments.duplicate.played import play_all, play_round, started, tables_of
from tests.tournaments.table_pages import link
from tournaments.closing.services import evening_close
from tournaments.duplicate.queries import duplicate_of, duplicate_results
from tournaments.duplicate.services import ruling_give, ruling_take_back
from tournaments.models import Evening, EveningSummary, FolderPlay, Table

pytestmark = pytest.mark.django_db


def code(caught: pytest.ExceptionInfo[DomainError]) -> str:
    return caught.value.code


def no_pit(table: Table, number: int) -> dict[str, Any]:
    """A pit in clubs of the side that does not hold the jack."""
    deal = table.sheet.deals.select_related("folder").get(number=number)
    assert deal.folder is not None
    other = "EW" if deal.folder.hands[DECK.index("JC")] in "NS" else "NS"
    return {"declarer": "NS", "trump": "C", "pit": other, "points": {}}


def play(number: int = 1, line: str = "NS") -> FolderPlay:
    found = FolderPlay.objects.filter(folder__number=number, line=line).first()
    assert found is not None
    return found


class TestWritten:
    def test_a_table_is_only_told_that_its_cards_cannot_give_it(self) -> None:
        evening = started(4, folders=6)
        table = tables_of(evening)[0]
        with pytest.raises(DealRefused) as caught:
            write_deal(table, 1, **no_pit(table, 1))
        assert caught.value.faults == (Fault("hands_cannot", ""),)
        write_deal(table, 1, declarer="NS", trump="C", points={"NS": 81})
        with pytest.raises(DealRefused):
            write_deal(table, 1, **no_pit(table, 1))

    def test_a_folder_that_is_not_at_the_table_has_no_line_there(self, client: Client) -> None:
        evening = started(4, folders=6)
        assert tables_of(evening)[0].sheet.deals.count() == 3
        own = f"{link(evening)}rounds/1/deals/"
        assert client.get(f"{own}3/").status_code == 200
        assert client.post(f"{own}4/", {"declarer": "NS"}).status_code == 404
        address = f"/api/v1/clubs/{evening.club.slug}/evenings/{evening.slug}/rounds/1/tables/1/"
        written = {"declarer": "NS", "trump": "C", "points": {"NS": 81}}
        director = Caller(director_of(evening.club), address)
        refused = director.write("deals/4/", written, status=404)
        assert refused["code"] == "not_found"
        assert not DealEntry.objects.exists()

    def test_nothing_is_told_of_cards_that_the_table_does_not_have_yet(self) -> None:
        evening = started(4, folders=6)
        table = tables_of(evening)[0]
        write_deal(table, 2, **no_pit(table, 2))
        write_deal(table, 1, declarer="NS", trump="C", points={"NS": 81})
        with pytest.raises(DealRefused):
            write_deal(table, 2, **no_pit(table, 2))

    @pytest.mark.full
    def test_a_director_is_told_why(self) -> None:
        evening = started(4, folders=6)
        table = tables_of(evening)[0]
        with pytest.raises(DealRefused) as caught:
            deal_write(
                sheet_id=table.sheet_id,
                number=2,
                seen_version=0,
                uuid=uuid4(),
                written=no_pit(table, 2),
                actor=Actor.of_user(UserFactory.create()),
                closed_too=True,
            )
        assert [fault.code for fault in caught.value.faults] == ["hands_points"]

    def test_without_cards_nothing_more_is_known_than_else(self) -> None:
        evening = started(4, folders=6, dealt=False)
        write_deal(tables_of(evening)[0], 1, declarer="NS", trump="C", pit="EW", points={})

    def test_totals_alone_cannot_be_compared(self) -> None:
        evening = started(4, folders=6)
        totals = {"NS": HandedIn(total=300), "EW": HandedIn(total=186)}
        with pytest.raises(DomainError) as caught:
            side_totals_write(sheet_id=tables_of(evening)[0].sheet_id, totals=totals, actor=TESTS)
        assert code(caught) == "folders_by_deal"

    @pytest.mark.full
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

    @pytest.mark.full
    def test_a_folder_that_is_not_written_yet_is_not_compared(self) -> None:
        evening = started(4, folders=6)
        write_deal(tables_of(evening)[0], 1, declarer="NS", trump="C", points={"NS": 81})
        results = duplicate_results(evening, duplicate_of(evening))
        assert [result.folder for result in results.tables if result.counts] == [1]

    @pytest.mark.full
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
    def test_not_for_a_round_that_has_not_started(self) -> None:
        started(4, folders=6)
        later = FolderPlay.objects.filter(deal__sheet__table__round__number=2).first()
        assert later is not None
        with pytest.raises(DomainError) as caught:
            ruling_give(
                evening_id=Evening.objects.get().pk,
                play_id=later.pk,
                percent=60,
                reason="x",
                fouled=False,
                actor=TESTS,
            )
        assert code(caught) == "round_not_started"

    @pytest.mark.full
    def test_on_a_closed_evening_what_is_stored_of_it_stays_up_to_date(self) -> None:
        evening = play_all(started(4, folders=6))
        evening_close(evening_id=evening.pk, actor=TESTS)
        ruling_give(
            evening_id=evening.pk,
            play_id=play().pk,
            percent=60,
            reason="x",
            fouled=False,
            actor=TESTS,
        )
        evening.refresh_from_db()
        assert EveningSummary.objects.get().revision == evening.revision

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
