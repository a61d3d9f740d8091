"""Extra tables: for people left over in a round, filled up by people who play it twice."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from tournaments.draw.core.engine import draw
from tournaments.draw.core.models import TABLE_SIZE, Couple, Player, RoundDraw, Seat, TableDraw
from tournaments.draw.core.problem import DrawError
from tournaments.draw.problem import against_themselves, teams_of
from tournaments.draw.rewriting import DrawWaiting, draw_waiting, round_rewrite
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import Evening, Round
from tournaments.seating.store import UpcomingRound, upcoming_rounds
from tournaments.table_links.services import links_follow

CLOCKWISE: tuple[Seat, ...] = ("N", "E", "S", "W")


@dataclass(frozen=True, slots=True)
class ExtraTableRound:
    """An upcoming round in which `people` are left over or have an extra `table`, which others
    fill who play `twice`. `tables` has the table of each person who plays once, by id."""

    round_number: int
    people: Sequence[Member]
    table: int | None
    twice: Sequence[Member]
    tables: Mapping[int, int]

    @property
    def needed(self) -> int:
        """How many others are needed to make a table."""
        return TABLE_SIZE - len(self.people)


def extra_table_rounds(evening: Evening) -> list[ExtraTableRound]:
    """The upcoming rounds in which somebody is left over or plays twice; none of folders, which
    have no table for them. Two queries."""
    if evening.plays_folders:
        return []
    rounds = {
        number: round_
        for number, round_ in upcoming_rounds(evening).items()
        if round_.drawn.sit_out or round_.extra
    }
    ids = {
        int(player)
        for round_ in rounds.values()
        for player in (*round_.drawn.sit_out, *round_.people)
    }
    people = list(Member.objects.filter(pk__in=ids).by_surname())
    return [_extra_table_round(number, round_, people) for number, round_ in rounds.items()]


@transaction.atomic
def extra_table_make(
    *, evening_id: int, round_number: int, twice: Collection[Member], actor: Actor
) -> int:
    """Seat the people left over in a round at an extra table, filled up by people who play the
    round `twice`, whose points there count for nobody. Returns the number of the table.

    Raises DomainError `evening_state`, `no_table_for_folders`, `round_started` when the round does
    not wait to be played, `nobody_left_over`, `play_twice_count` (params: needed),
    `cannot_play_twice` (params: member) for somebody who does not play the round or plays it twice
    already, `must_not_meet`, or `team_against_itself` for somebody who would play against their own
    team.
    """
    evening, round_, waiting = _lock(evening_id, round_number)
    before = waiting.rounds[round_number]
    _require_to_fill(before, twice)
    extra = {str(member.pk) for member in twice}
    numbers = {table.number for table in before.drawn.tables}
    # The lowest free number: tables may be numbered with gaps after people left.
    number = next(number for number in count(evening.first_table) if number not in numbers)
    seats = _seats(waiting, [*before.drawn.sit_out, *extra], extra)
    own = {seat: player for seat, player in seats.items() if player not in extra}
    second = {(number, seat): player for seat, player in seats.items() if player in extra}
    tables = sorted((*before.drawn.tables, TableDraw(number, own)), key=lambda table: table.number)
    after = UpcomingRound(RoundDraw(tuple(tables), ()), {**before.extra} | second)
    round_rewrite(evening, round_, before, after)
    links_follow(evening=evening)
    data = {"round": round_number, "table": number, "members": sorted(str(m.uuid) for m in twice)}
    evening_touch(evening, actor=actor, action="extra_table_made", data=data)
    return number


@transaction.atomic
def extra_table_undo(*, evening_id: int, round_number: int, actor: Actor) -> None:
    """Remove the extra table of a round: its people sit out.

    Raises DomainError `evening_state`, `no_table_for_folders`, `round_started` or `no_extra_table`.
    """
    evening, round_, waiting = _lock(evening_id, round_number)
    before = waiting.rounds[round_number]
    if not before.extra:
        raise DomainError("no_extra_table", _("Nobody plays this round twice."))
    round_rewrite(evening, round_, before, before.without_extra_tables())
    evening_touch(evening, actor=actor, action="extra_table_undone", data={"round": round_number})


def _extra_table_round(
    number: int, round_: UpcomingRound, people: Sequence[Member]
) -> ExtraTableRound:
    made = {table for table, _seat in round_.extra}
    at = {int(player): table.number for table in round_.drawn.tables for player in table.people()}
    apart = {int(player) for player in round_.drawn.sit_out} | {
        member_id for member_id, table in at.items() if table in made
    }
    twice = {int(player) for player in round_.extra.values()}
    return ExtraTableRound(
        round_number=number,
        people=[member for member in people if member.pk in apart],
        table=min(made, default=None),
        twice=[member for member in people if member.pk in twice],
        tables={
            member_id: table for member_id, table in at.items() if member_id not in twice | apart
        },
    )


def _lock(evening_id: int, round_number: int) -> tuple[Evening, Round, DrawWaiting]:
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if evening.plays_folders:
        raise DomainError(
            "no_table_for_folders",
            _(
                "This evening is played in folders: an extra table would play cards that others are"
                " compared by. Let a pair that comes late take the place of who sits out."
            ),
        )
    waiting = draw_waiting(evening)
    if waiting is None or round_number not in waiting.rounds:
        raise DomainError("round_started", _("This round has started already."))
    round_ = evening.rounds.get(number=round_number)
    return evening, round_, replace(waiting, teams=teams_of(evening))


def _require_to_fill(before: UpcomingRound, twice: Collection[Member]) -> None:
    """Raises DomainError if nobody is left over, or these people cannot fill their table."""
    sitting_out = len(before.drawn.sit_out)
    if not sitting_out:
        raise DomainError("nobody_left_over", _("Nobody is left over in this round."))
    needed = TABLE_SIZE - sitting_out
    if len({*twice}) != needed:
        raise DomainError(
            "play_twice_count",
            ngettext(
                "Choose %(n)s person who plays twice.",
                "Choose %(n)s people who play twice.",
                needed,
            )
            % {"n": needed},
            needed=needed,
        )
    once = {*before.people} - {*before.drawn.sit_out, *before.extra.values()}
    for member in twice:
        if str(member.pk) not in once:
            raise DomainError(
                "cannot_play_twice",
                _("%(name)s has no table in this round, or two already.")
                % {"name": member.desk_name},
                member=member,
            )


def _seats(
    waiting: DrawWaiting, people: Collection[Player], extra: Collection[Player]
) -> Mapping[Seat, Player]:
    """The seats of these four: drawn like any table, two of one team as partners, then turned so
    that somebody who plays twice sits West, the seat that is empty at a table of three."""
    try:
        drawn = draw(
            players=sorted(people),
            rounds=1,
            method="balanced",
            fixed=_partners(waiting, people),
            apart=waiting.apart,
            history=waiting.history,
            played=waiting.played,
        )
    except DrawError as error:
        raise DomainError(
            "must_not_meet", _("Two of these four must not meet at a table. Choose somebody else.")
        ) from error
    around = [drawn.rounds[0].tables[0].seats[seat] for seat in CLOCKWISE]
    turn = next(place for place, player in enumerate(around, start=1) if player in extra)
    seats = dict(zip(CLOCKWISE, around[turn:] + around[:turn], strict=True))
    for team in against_themselves(seats, waiting.teams):
        # Those who are left over play in any case, whoever fills their table.
        if any(waiting.teams.get(player) == team for player in extra):
            message = _("%(team)s would play against itself at this table. Choose somebody else.")
            raise DomainError("team_against_itself", message % {"team": team})
    return seats


def _partners(waiting: DrawWaiting, people: Collection[Player]) -> list[Couple]:
    """The fixed couples, and of these four two and two of one team who have no partner yet."""
    couples = list(waiting.fixed)
    taken = {player for couple in couples if {*people}.issuperset(couple) for player in couple}
    for one, other in combinations(sorted(people), 2):
        team = waiting.teams.get(one)
        if team and team == waiting.teams.get(other) and taken.isdisjoint({one, other}):
            couples.append((one, other))
            taken |= {one, other}
    return couples
