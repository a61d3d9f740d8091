"""People who change tables between two rounds, for the tests of their phones."""

from tests.factories import TESTS
from tournaments.draw.services import draw_publish, draw_type_in
from tournaments.models import Evening
from tournaments.rounds.services import round_close, round_start


def with_other_people(evening: Evening) -> None:
    """Round 1 is closed and round 2 runs: at table 1 sit the people of table 2."""
    next_round_drawn(evening)
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)


def next_round_drawn(evening: Evening) -> None:
    """Round 1 is closed; at table 1 the people of table 2 are to sit in round 2."""
    first = evening.rounds.get(number=1)
    round_close(round_id=first.pk, actor=TESTS, unfinished_reason="for a test")
    seated = {
        number: {one.seat: one.member for one in first.placements.filter(table__number=number)}
        for number in (1, 2)
    }
    draw_type_in(evening_id=evening.pk, tables=[seated[2], seated[1]], sit_out=[], actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
