"""What predicates say of an evening's state is what the services do."""

import uuid
from collections.abc import Callable

import pytest
from django.db import transaction

from clubs.access.permissions import ACTIONS, Action, Caller, may
from clubs.models import Role, User
from clubs.text.errors import DomainError
from scoring.deals.services import deal_write
from scoring.sheets.services import sheet_swap_sides
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, MemberFactory, evening_with_draw
from tournaments.closing.services import (
    evening_cancel,
    evening_close,
    evening_reopen,
    evening_restore,
    play_off_write,
)
from tournaments.draw.services import draw_undo
from tournaments.evenings.kinds import evening_delete
from tournaments.evenings.permissions import (
    CANCEL,
    CHANGE_EVENING,
    CHANGE_SHEET,
    CLOSE,
    CLOSE_ROUND,
    CONTROL_PHONES,
    CORRECT_DEAL,
    DELETE_EVENING,
    DRAW,
    FREEZE,
    HAND_IN_TOTALS,
    HAND_OUT,
    PLAY_OFF,
    PUBLISH,
    PUT_RIGHT,
    REOPEN,
    RESTORE,
    SEE_STANDING,
    SET_PRESENCE,
    START_ROUND,
    STEER_HALL,
    USE_LINK,
    WRITE_DEAL,
)
from tournaments.evenings.services import (
    evening_freeze,
    evening_rules_change,
    rules_of,
)
from tournaments.hall.screen import bell_ring
from tournaments.management.commands.access import CALLERS, STATES
from tournaments.models import Evening, Table, TableToken
from tournaments.prizes.core import PrizeScheme
from tournaments.prizes.giving import evening_prizes_choose
from tournaments.registration.check_in import presence_set
from tournaments.releases.services import release_publish
from tournaments.rounds.services import round_close, round_start, table_substitute
from tournaments.table_links.services import token_renew

pytestmark = pytest.mark.django_db

OF_THE_STATE = {"evening_state", "sheet_closed", "sheet_not_started", "sheet_gone", "round_gone"}
"""The refusals that say that it cannot be done now, or no longer."""

HEARTS = {"declarer": "NS", "trump": "H", "points": {"NS": 90}}
Act = Callable[[Evening], object]


def _round(evening: Evening) -> int:
    first = evening.rounds.order_by("number").values_list("pk", flat=True).first()
    if first is None:
        raise DomainError("round_gone", "")
    return first


def _table(evening: Evening) -> Table:
    found = Table.objects.filter(round=_round(evening)).select_related("sheet").first()
    assert found is not None
    return found


def _write(evening: Evening, *, closed_too: bool) -> object:
    return deal_write(
        sheet_id=_table(evening).sheet_id,
        number=2,
        seen_version=0,
        uuid=uuid.uuid4(),
        written=HEARTS,
        actor=TESTS,
        reason="test",
        closed_too=closed_too,
    )


def _totals(evening: Evening) -> object:
    totals = {"NS": HandedIn(1000), "EW": HandedIn(620)}
    return side_totals_write(sheet_id=_table(evening).sheet_id, totals=totals, actor=TESTS)


def _substitute(evening: Evening) -> object:
    return table_substitute(
        table_id=_table(evening).pk,
        seat="N",
        member=MemberFactory.create(club=evening.club),
        from_deal=1,
        for_himself=True,
        actor=TESTS,
    )


def _presence(evening: Evening) -> object:
    member = MemberFactory.create(club=evening.club)
    return presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)


def _swap(evening: Evening) -> object:
    return sheet_swap_sides(sheet_id=_table(evening).sheet_id, actor=TESTS, reason="test")


def _rules(evening: Evening) -> object:
    return evening_rules_change(evening_id=evening.pk, rules=rules_of(evening), actor=TESTS)


ACTS: dict[Action, Act] = {
    CHANGE_EVENING: _rules,
    CANCEL: lambda evening: evening_cancel(evening_id=evening.pk, actor=TESTS),
    RESTORE: lambda evening: evening_restore(evening_id=evening.pk, actor=TESTS),
    DELETE_EVENING: lambda evening: evening_delete(evening_id=evening.pk, actor=TESTS),
    SET_PRESENCE: _presence,
    DRAW: lambda evening: draw_undo(evening_id=evening.pk, actor=TESTS),
    START_ROUND: lambda evening: round_start(round_id=_round(evening), actor=TESTS),
    CLOSE_ROUND: lambda evening: round_close(round_id=_round(evening), actor=TESTS),
    WRITE_DEAL: lambda evening: _write(evening, closed_too=False),
    HAND_IN_TOTALS: _totals,
    CHANGE_SHEET: _substitute,
    PUT_RIGHT: _swap,
    CONTROL_PHONES: lambda evening: token_renew(evening_id=evening.pk, table_number=1, actor=TESTS),
    STEER_HALL: lambda evening: bell_ring(evening_id=evening.pk, seen_version=0),
    FREEZE: lambda evening: evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS),
    CLOSE: lambda evening: evening_close(evening_id=evening.pk, actor=TESTS),
    REOPEN: lambda evening: evening_reopen(evening_id=evening.pk, actor=TESTS),
    PUBLISH: lambda evening: release_publish(evening=evening, actor=TESTS),
    PLAY_OFF: lambda evening: play_off_write(evening_id=evening.pk, scores={}, actor=TESTS),
    HAND_OUT: lambda evening: evening_prizes_choose(
        evening_id=evening.pk, scheme=PrizeScheme(), actor=TESTS
    ),
}


def evening_in(state: str) -> Evening:
    """An evening of eight people with a drawn round, brought to this state by the services."""
    evening = evening_with_draw(
        players=8,
        rounds=2,
        deals_per_round=2,
        method="typed_in",
        started=state not in ("planned", "cancelled"),
    )
    if state == "cancelled":
        evening_cancel(evening_id=evening.pk, actor=TESTS)
    if state == "frozen":
        evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    if state == "closed":
        round_close(round_id=_round(evening), actor=TESTS, unfinished_reason="test")
        evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def is_refused(act: Act, evening: Evening) -> bool:
    """Whether this cannot be done in the state that the evening is in; nothing of it stays."""
    code = ""
    with transaction.atomic():
        try:
            act(Evening.objects.get(pk=evening.pk))
        except DomainError as error:
            code = error.code
        transaction.set_rollback(True)
    return code in OF_THE_STATE


def organiser(evening: Evening) -> Caller:
    return Caller(user=User(pk=1), roles={evening.club_id: Role.Kind.ORGANISER})


@pytest.mark.each_case
@pytest.mark.parametrize("state", STATES)
def test_services_refuse_what_may_not_be_now(state: str) -> None:
    evening = evening_in(state)
    refused = {action.name: is_refused(act, evening) for action, act in ACTS.items()}
    caller, model = organiser(evening), _with_first_table(evening)
    offered = {action.name: may(caller, action, model(action)) for action in ACTS}
    assert refused == {name: not is_offered for name, is_offered in offered.items()}


def _with_first_table(evening: Evening) -> Callable[[Action], Evening | Table]:
    """What is done to: for a deal, totals and a whole sheet the table, where there is one."""
    of_a_table = {WRITE_DEAL, HAND_IN_TOTALS, PUT_RIGHT}
    found = Table.objects.filter(round__evening=evening).select_related("sheet", "round").first()
    if found is not None:
        found.round.evening = evening
    return lambda action: found if found is not None and action in of_a_table else evening


def test_a_deal_of_a_closed_round_is_the_directors() -> None:
    evening = evening_in("running")
    table = _table(evening)
    table.round.evening = evening
    keeper = Caller(user=User(pk=1), roles={evening.club_id: Role.Kind.SCOREKEEPER})
    assert [may(keeper, WRITE_DEAL, table), may(keeper, CORRECT_DEAL, table)] == [True, False]
    round_close(round_id=table.round_id, actor=TESTS, unfinished_reason="test")
    table = _table(evening)
    table.round.evening = evening
    assert not may(keeper, WRITE_DEAL, table)
    assert not may(organiser(evening), WRITE_DEAL, table)
    assert may(organiser(evening), CORRECT_DEAL, table)
    assert is_refused(lambda one: _write(one, closed_too=False), evening)
    assert not is_refused(lambda one: _write(one, closed_too=True), evening)


def test_a_link_is_for_its_own_table() -> None:
    evening = evening_in("running")
    one, two = Table.objects.filter(round__number=1).select_related("round", "sheet")
    for table in (one, two):
        table.round.evening = evening
    link = TableToken(evening=evening, table_number=one.number)
    caller = Caller(link=link)
    assert [may(caller, WRITE_DEAL, table) for table in (one, two)] == [True, False]
    evening.phones = False
    assert not may(caller, WRITE_DEAL, one)
    assert not may(caller, USE_LINK, evening)
    evening.phones = True
    link.revoked_at = evening.date
    assert not may(caller, USE_LINK, evening)


def test_a_token_needs_the_scope_as_well() -> None:
    evening = evening_in("running")
    roles: dict[int, str | None] = {evening.club_id: Role.Kind.ORGANISER}
    reads = Caller(user=User(pk=1), scopes=frozenset({"read"}), roles=roles)
    assert {name for name, action in ACTIONS.items() if may(reads, action, evening)} == {
        "clubs.read_desk",
        "clubs.read_members",
        "clubs.read_trail",
        "clubs.see_trail",
        "tournaments.see_standing",
        "tournaments.see_links",
        "tournaments.see_evening",
    }


def test_frozen_standings_are_for_who_reads_the_desk() -> None:
    said = {who: may(caller, SEE_STANDING, STATES["frozen"]) for who, caller in CALLERS.items()}
    assert said == {
        "organiser": True,
        "director": True,
        "scorekeeper": True,
        "no task here": False,
        "table link": False,
        "nobody": False,
    }
    deals = CALLERS["scorekeeper"]
    only_deals = Caller(user=deals.user, roles=deals.roles, scopes=frozenset({"deals"}))
    assert not may(only_deals, SEE_STANDING, STATES["frozen"])
    assert may(only_deals, SEE_STANDING, STATES["running"])
