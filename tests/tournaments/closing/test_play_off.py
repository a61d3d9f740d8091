"""Who is first when the totals are equal: shared, four more deals, or a chain of tie-breaks."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from clubs.merges.services import guest_merge
from clubs.models import AuditEvent, Club
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, MemberFactory, evening_with_draw, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in
from tests.tournaments.table_pages import words
from tournaments.closing.services import evening_close, play_off_write
from tournaments.evenings.services import evening_rules_change, rules_of
from tournaments.models import Evening, PlayOffScore
from tournaments.rounds.services import round_close
from tournaments.standings.queries import evening_standings, play_off_rows

pytestmark = pytest.mark.django_db

CLOSE = f"{EVENING}close/"
PLAY_OFF = f"{EVENING}play-off/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def played(club: Club, closed: bool = True, **given: Any) -> Evening:
    """Jan, Piet (wij) and Mia, Truus (zij), one deal of 81–81 for zij: nat, 162 for wij; Jan and
    Piet are first with 162. The round is closed."""
    evening = evening_with_draw(
        club=club,
        players=4,
        rounds=1,
        deals_per_round=1,
        method=Evening.Method.TYPED_IN,
        **given,
    )
    write_deal(table(evening), 1, declarer="EW", points={"EW": 81})
    if closed:
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    return Evening.objects.get()


def standing(evening: Evening) -> list[tuple[int, str, int]]:
    rows = evening_standings(Evening.objects.get(pk=evening.pk))
    return [(row.rank, row.name, row.total) for row in rows]


def ids(evening: Evening) -> dict[str, int]:
    return {row.name: row.member_id for row in evening_standings(evening)}


SHARED = [
    (1, "Jan Bakker", 162),
    (1, "Piet Visser", 162),
    (3, "Mia van der Meer", 0),
    (3, "Truus de Vries", 0),
]
DECIDED = [
    (1, "Piet Visser", 162),
    (2, "Jan Bakker", 162),
    (3, "Mia van der Meer", 0),
    (3, "Truus de Vries", 0),
]


def extra(evening: Evening, jan: str, piet: str) -> dict[str, str]:
    who = ids(evening)
    return {f"extra_{who['Jan Bakker']}": jan, f"extra_{who['Piet Visser']}": piet}


def why(scores: dict[str, str]) -> dict[str, str]:
    """After a result was published."""
    return scores | {"reason": "Na afloop gespeeld"}


class TestShared:
    def test_equal_totals_share_the_place(self, club: Club) -> None:
        assert standing(played(club)) == SHARED

    @pytest.mark.full
    def test_the_hall_is_told_nothing_special(self, club: Club, client: Client) -> None:
        evening_close(evening_id=played(club).pk, actor=TESTS)
        page = client.get(f"/clubs/{club.slug}/evenings/2026-11-21/")
        assert page.context["tie_line"] == ""

    @pytest.mark.full
    def test_and_nothing_is_asked(self, club: Club) -> None:
        played(club)
        assert "Gelijk op de eerste plaats" not in words(desk_of(club).get(CLOSE))

    @pytest.mark.full
    def test_extra_deals_cannot_be_written(self, club: Club) -> None:
        evening = played(club)
        desk_of(club).post(PLAY_OFF, extra(evening, "200", "448"))
        assert not PlayOffScore.objects.exists()


class TestPlayOff:
    def test_the_last_page_asks_what_the_extra_deals_came_to(self, club: Club) -> None:
        played(club, tie="play_off")
        page = words(desk_of(club).get(CLOSE))
        assert "Gelijk op de eerste plaats 2 spelers hebben 162 punten." in page

    @pytest.mark.full
    def test_and_then_ranks_by_them(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        assert standing(evening) == SHARED
        saved = desk_of(club).post(PLAY_OFF, extra(evening, "200", "448"), follow=True)
        assert messages_in(saved) == ["De extra spellen zijn geschreven."]
        assert standing(evening) == DECIDED
        assert "De extra spellen gaven de doorslag: Piet Visser is eerste." in words(saved)

    @pytest.mark.full
    def test_everywhere(self, club: Club, client: Client) -> None:
        evening = played(club, tie="play_off")
        desk_of(club).post(PLAY_OFF, extra(evening, "200", "448"))
        release = evening_close(evening_id=evening.pk, actor=TESTS)
        assert [(row["rank"], row["name"], row["total"]) for row in release.standings] == DECIDED
        told_ = StringIO()
        call_command("standings", club=club.slug, evening="2026-11-21", stdout=told_)
        rows = list(csv.DictReader(StringIO(told_.getvalue())))
        assert [(int(row["rank"]), row["player"], int(row["total"])) for row in rows] == DECIDED
        public = words(client.get(f"/clubs/{club.slug}/evenings/2026-11-21/"))
        assert public.index("Piet Visser") < public.index("Jan Bakker")
        assert "Gelijk op de eerste plaats: vier extra spellen gaven de doorslag." in public

    def test_the_trail_has_it_and_the_hall_sees_it(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        who, revision = ids(evening), evening.revision
        desk = desk_of(club)
        desk.post(PLAY_OFF, extra(evening, "200", "448"))
        event = AuditEvent.objects.get(action="play_off_written")
        assert event.data == {"scores": {str(who["Jan Bakker"]): 200, str(who["Piet Visser"]): 448}}
        assert Evening.objects.get().revision == revision + 1
        desk.post(PLAY_OFF, extra(evening, "200", "448"))
        assert Evening.objects.get().revision == revision + 1

    @pytest.mark.full
    def test_still_equal_they_share_it(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        saved = desk_of(club).post(PLAY_OFF, extra(evening, "300", "300"), follow=True)
        assert standing(evening) == SHARED
        assert "2 spelers hebben 162 punten" in words(saved)

    @pytest.mark.full
    def test_not_while_a_round_is_played(self, club: Club) -> None:
        evening = played(club, tie="play_off", closed=False)
        assert play_off_rows(evening) == []
        refused = desk_of(club).post(PLAY_OFF, extra(evening, "200", "448"), follow=True)
        assert messages_in(refused) == [
            "De stand is veranderd: kijk nog eens wie de eerste plaats delen."
        ]

    @pytest.mark.full
    def test_after_the_evening_is_closed_it_is_published_again(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        evening_close(evening_id=evening.pk, actor=TESTS)
        page = desk_of(club).post(PLAY_OFF, why(extra(evening, "200", "448")), follow=True)
        assert page.context["stale_release"]

    @pytest.mark.both
    def test_what_was_published_changes_with_a_reason_only(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        evening_close(evening_id=evening.pk, actor=TESTS)
        scores = extra(evening, "200", "448")
        refused = desk_of(club).post(PLAY_OFF, scores)
        assert refused.status_code == 422
        assert refused.context["play_off"].errors == {"reason": ["Zeg in een paar woorden waarom."]}
        assert not PlayOffScore.objects.exists()
        named = {pk: int(scores[f"extra_{pk}"]) for pk in map(int, (k[6:] for k in scores))}
        with pytest.raises(DomainError) as caught:
            play_off_write(evening_id=evening.pk, scores=named, actor=TESTS)
        assert caught.value.code == "reason_needed"
        desk_of(club).post(PLAY_OFF, why(scores))
        event = AuditEvent.objects.get(action="play_off_written")
        assert event.texts.get(field="reason").text == "Na afloop gespeeld"

    @pytest.mark.full
    def test_every_figure_is_asked_for(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        refused = desk_of(club).post(PLAY_OFF, extra(evening, "", "448"))
        assert refused.status_code == 422
        assert "Schrijf op wat Jan Bakker haalde." in words(refused)
        assert not PlayOffScore.objects.exists()

    @pytest.mark.full
    @pytest.mark.parametrize("figure", ["5001", "-5001", "veel"])
    def test_and_has_to_be_one(self, club: Club, figure: str) -> None:
        evening = played(club, tie="play_off")
        assert desk_of(club).post(PLAY_OFF, extra(evening, figure, "448")).status_code == 422

    def test_of_others_than_those_who_tie_it_is_refused(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        mia = ids(evening)["Mia van der Meer"]
        with pytest.raises(DomainError) as refused:
            play_off_write(evening_id=evening.pk, scores={mia: 200}, actor=TESTS)
        assert refused.value.code == "tie_moved_on"

    @pytest.mark.full
    def test_no_four_deals_give_that(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        who = ids(evening)
        scores = {who["Jan Bakker"]: 53_811, who["Piet Visser"]: 0}
        with pytest.raises(DomainError) as refused:
            play_off_write(evening_id=evening.pk, scores=scores, actor=TESTS)
        assert refused.value.code == "bad_score"

    @pytest.mark.full
    def test_a_correction_that_ends_the_tie_ends_it(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        desk_of(club).post(PLAY_OFF, extra(evening, "200", "448"))
        sheet = table(evening).sheet
        sheet.seats.filter(seat="N").update(score=170)
        assert standing(evening)[:2] == [(1, "Jan Bakker", 170), (2, "Piet Visser", 162)]
        assert play_off_rows(Evening.objects.get()) == []

    @pytest.mark.full
    def test_a_guest_who_turns_out_to_be_a_member_keeps_them(self, club: Club) -> None:
        evening = played(club, tie="play_off")
        desk_of(club).post(PLAY_OFF, extra(evening, "200", "448"))
        guest = PlayOffScore.objects.get(score=448).member
        type(guest).objects.filter(pk=guest.pk).update(kind="guest", number=None)
        guest.refresh_from_db()
        member = MemberFactory.create(club=club)
        guest_merge(guest=guest, member=member, actor=TESTS)
        assert standing(evening)[0] == (1, member.name, 162)


class TestTieBreaks:
    @pytest.mark.full
    def test_pits_first(self, club: Club) -> None:
        """Wij and zij both 362: wij by 162 and 200 roem, zij by a pit and 100 roem."""
        evening = evening_with_draw(
            club=club,
            players=4,
            rounds=1,
            deals_per_round=2,
            method=Evening.Method.TYPED_IN,
            tie="tie_breaks",
        )
        write_deal(table(evening), 1, declarer="EW", points={"EW": 62}, roem={"NS": [200]})
        write_deal(table(evening), 2, declarer="EW", points={}, pit="EW", roem={"EW": [100]})
        assert [(rank, name) for rank, name, _total in standing(evening)] == [
            (1, "Mia van der Meer"),
            (1, "Truus de Vries"),
            (3, "Jan Bakker"),
            (3, "Piet Visser"),
        ]
        assert {total for _rank, _name, total in standing(evening)} == {362}

    @pytest.mark.full
    def test_set_afterwards_it_counts_at_once(self, club: Club) -> None:
        evening = played(club)
        table(evening).sheet.seats.filter(seat="S").update(pits=1)
        assert standing(evening) == SHARED
        rules = rules_of(Evening.objects.get())
        changed = type(rules)(tie="tie_breaks")
        evening_rules_change(evening_id=evening.pk, rules=changed, actor=TESTS)
        assert standing(evening) == DECIDED

    @pytest.mark.full
    def test_in_the_order_that_was_chosen(self, club: Club) -> None:
        """Wij and zij both 362, as above; now the most roem goes first: 200 to 100."""
        evening = evening_with_draw(
            club=club,
            players=4,
            rounds=1,
            deals_per_round=2,
            method=Evening.Method.TYPED_IN,
            tie="tie_breaks",
            tie_breaks=["roem", "pits"],
        )
        write_deal(table(evening), 1, declarer="EW", points={"EW": 62}, roem={"NS": [200]})
        write_deal(table(evening), 2, declarer="EW", points={}, pit="EW", roem={"EW": [100]})
        assert [(row.rank, row.name, row.tie_breaks) for row in evening_standings(evening)] == [
            (1, "Jan Bakker", {"roem": 200, "pits": 0}),
            (1, "Piet Visser", {"roem": 200, "pits": 0}),
            (3, "Mia van der Meer", {"roem": 100, "pits": 1}),
            (3, "Truus de Vries", {"roem": 100, "pits": 1}),
        ]

    def test_a_lot_leaves_nobody_equal_and_is_kept_with_the_result(self, club: Club) -> None:
        evening = played(club, tie="tie_breaks", tie_breaks=["lot"])
        rows = evening_standings(evening)
        assert [row.rank for row in rows] == [1, 2, 3, 4]
        release = evening_close(evening_id=evening.pk, actor=TESTS)
        kept = [(row["rank"], row["name"], row["tie_breaks"]) for row in release.standings]
        assert kept == [(row.rank, row.name, row.tie_breaks) for row in rows]
        assert list(kept[0][2]) == ["lot"]
