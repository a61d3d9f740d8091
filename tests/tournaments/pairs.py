"""An evening of fixed pairs to test with."""

from clubs.models import Club
from tests.factories import TESTS, EveningFactory, MemberFactory, table, write_deal
from tournaments.draw.services import draw_make, draw_publish
from tournaments.models import Evening
from tournaments.registration.check_in import presence_replace
from tournaments.registration.pairs import pair_make
from tournaments.rounds.services import round_close, round_start


def played_in_pairs(club: Club) -> Evening:
    """Eight people in pairs of neighbours, one round of one deal: table 1 120 and 42, table 2 100
    and 62."""
    members = [MemberFactory.create(club=club) for _ in range(8)]
    evening = EveningFactory.create(
        club=club, rounds_planned=1, deals_per_round=1, method=Evening.Method.PAIRS
    )
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    for one, two in zip(members[::2], members[1::2], strict=True):
        pair_make(evening_id=evening.pk, one=one, two=two, actor=TESTS)
    draw_make(evening_id=evening.pk, actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    for number, ns in ((1, 120), (2, 100)):
        write_deal(table(evening, number), 1, points={"NS": ns})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)
