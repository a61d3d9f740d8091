"""Adapting the upcoming rounds to people who come or leave after the draw."""

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from tournaments.draw.core.amend import with_latecomer, without_leaver
from tournaments.draw.core.bye_fairness import rounds_missed
from tournaments.draw.core.check import check_draw
from tournaments.draw.core.models import Draw, Leftover, Player, RoundDraw, TableDraw, shifted
from tournaments.draw.core.problem import DrawError
from tournaments.draw.problem import teams_of
from tournaments.draw.rewriting import (
    DrawWaiting,
    draw_waiting,
    more_clashes,
    round_rewrite,
    team_clashes,
)
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import Evening
from tournaments.registration.check_in import drawn_without
from tournaments.seating.store import UpcomingRound
from tournaments.table_links.services import links_follow

Rounds = Mapping[int, UpcomingRound]
"""The rounds that have not started, by number, in order."""
TWO = 2


@dataclass(frozen=True, slots=True)
class PersonChange:
    """How the upcoming rounds change if someone `comes`, leaves, or replaces a `leaver`."""

    member: Member
    comes: bool
    before: Rounds
    after: Rounds
    leaver: Member | None = None

    def changed_tables(self) -> dict[int, list[int]]:
        """By round number, the tables that change, are added or removed."""
        return {
            number: changed_tables(before.drawn, self.after[number].drawn)
            for number, before in self.before.items()
        }


@dataclass(frozen=True, slots=True)
class DrawChanges:
    """The changes for several people who came or left, one after the other."""

    steps: Sequence[PersonChange]

    @property
    def version(self) -> str:
        """A hash of the changes."""
        state = [
            (step.member.pk, step.comes, step.leaver and step.leaver.pk, step.before, step.after)
            for step in self.steps
        ]
        return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


def adapt_preview(evening: Evening, members: Collection[Member] = ()) -> DrawChanges:
    """The changes if these people, who came or left since the draw, are added or removed.

    Without `members`, everyone who came or left. Writes nothing. A newcomer replaces a leaver where
    possible: one table a round. Each other person changes at most two tables a round. Raises
    DomainError `nothing_to_change` if the draw is up to date, `draw_moved_on` if it is for one of
    `members`, `pairs_need_a_new_draw`, `two_need_a_new_draw` if there is a table of two, or
    `draw_again` (params: member) if more would have to change.
    """
    newcomers, leavers = drawn_without(evening)
    waiting = draw_waiting(evening)
    if waiting is None or not (newcomers or leavers):
        raise DomainError("nothing_to_change", _("The draw already fits the people who are here."))
    if not set(members) <= {*newcomers, *leavers}:
        raise _moved_on()
    if evening.method == Evening.Method.PAIRS:
        raise _pairs_need_a_new_draw()
    if any(
        len(table.seats) == TWO
        for round_ in waiting.rounds.values()
        for table in round_.drawn.tables
    ):
        raise _two_need_a_new_draw()
    wanted = [*members] or [*newcomers, *leavers]
    coming = [member for member in newcomers if member in wanted]
    going = [member for member in leavers if member in wanted]
    adapter = _Adapter(evening, replace(waiting, teams=teams_of(evening)))
    return DrawChanges(_steps(adapter, waiting.rounds, coming, going))


@transaction.atomic
def draw_adapt(
    *, evening_id: int, actor: Actor, members: Collection[Member] = (), seen: str = ""
) -> DrawChanges:
    """Add those who came since the draw to the upcoming rounds, and remove those who left.

    Only these `members`, or everyone. Returns the changes: at most two tables a round for each of
    them; sheets on other tables stay. A table that is new or changes size gets a blank sheet.
    Raises DomainError as `adapt_preview` does, `evening_state`, or `draw_moved_on` if the changes
    are no longer those of the version `seen`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    changes = adapt_preview(evening, members)
    if seen not in ("", changes.version):
        raise _moved_on()
    before, after = changes.steps[0].before, changes.steps[-1].after
    for round_ in evening.rounds.filter(number__in=after).order_by("number"):
        round_rewrite(evening, round_, before[round_.number], after[round_.number])
    links_follow(evening=evening)
    for step in changes.steps:
        _record(evening, step, actor)
    return changes


def changed_tables(before: RoundDraw, after: RoundDraw) -> list[int]:
    """The numbers of the tables with different people or seats."""
    old, new = (
        {table.number: dict(table.seats) for table in drawn.tables} for drawn in (before, after)
    )
    return sorted(number for number in {*old, *new} if old.get(number) != new.get(number))


def _steps(
    adapter: "_Adapter", rounds: Rounds, coming: list[Member], going: list[Member]
) -> list[PersonChange]:
    """First the newcomers who can replace a leaver, as nobody else moves; then the others."""
    steps: list[PersonChange] = []
    # Copies: the lists shrink while their pairs are tried.
    for newcomer, leaver in product([*coming], [*going]):
        if newcomer not in coming or leaver not in going:
            continue
        after = adapter.replaced(rounds, newcomer, leaver)
        if after is not None:
            steps.append(PersonChange(newcomer, True, rounds, after, leaver))
            coming.remove(newcomer)
            going.remove(leaver)
            rounds = after
    return [*steps, *_one_by_one(adapter, rounds, coming, going)]


def _one_by_one(
    adapter: "_Adapter", rounds: Rounds, coming: list[Member], going: list[Member]
) -> list[PersonChange]:
    """In an order in which a table is added or removed only if necessary."""
    steps: list[PersonChange] = []
    while coming or going:
        somebody_out = any(round_.drawn.sit_out for round_ in rounds.values())
        comes = bool(coming) and not (going and somebody_out)
        member = (coming if comes else going).pop(0)
        after = adapter.changed(rounds, member, comes=comes)
        steps.append(PersonChange(member, comes, rounds, after))
        rounds = after
    return steps


class _Adapter:
    """Changes rounds while respecting the agreements of the evening."""

    def __init__(self, evening: Evening, waiting: DrawWaiting) -> None:
        self._leftover = cast("Leftover", evening.leftover)
        self._waiting = waiting
        self._before = evening.first_table - 1
        by_team: dict[str, list[Player]] = {}
        for player, team in waiting.teams.items():
            by_team.setdefault(team, []).append(player)
        self._teams = tuple(map(tuple, by_team.values()))

    def replaced(
        self, rounds: Rounds, newcomer: Member, leaver: Member
    ) -> dict[int, UpcomingRound] | None:
        """The rounds with the newcomer wherever the leaver was, or None if that is not possible.

        That is if the newcomer has a fixed seat or partner, would repeat a partner of tonight, or
        the leaver plays twice.
        """
        player, gone = str(newcomer.pk), str(leaver.pk)
        after = {number: round_.with_place_taken(gone, player) for number, round_ in rounds.items()}
        if (
            self._has_a_fixed_place(player)
            or any(gone in round_.extra.values() for round_ in rounds.values())
            or any(
                self._is_wrong(before, after[number], player, gone)
                for number, before in rounds.items()
            )
            or not _partners(player, self._waiting.played).isdisjoint(
                _partners(player, [round_.with_extra_players() for round_ in after.values()])
            )
        ):
            return None
        return self._spared(rounds, after, player, gone)

    def _spared(
        self, before: Rounds, after: dict[int, UpcomingRound], player: Player, gone: Player
    ) -> dict[int, UpcomingRound]:
        """The same, but the newcomer gets a seat where the leaver sat out, if they missed a round
        and others had no turn yet. In a rotation people sit out for as long as tables stay."""
        if self._waiting.block > 1:
            return after
        turns = self._turns_out(after)
        inherited = [
            number
            for number, round_ in after.items()
            if player in round_.drawn.sit_out
            and not round_.extra
            and any(turns[other] + 1 < turns[player] for other in round_.people)
        ]
        rests = {
            number: replace(
                drawn := after[number].drawn,
                sit_out=tuple(person for person in drawn.sit_out if person != player),
            )
            for number in inherited
        }
        if not rests:
            return after
        seated = [round_.drawn for number, round_ in after.items() if number not in rests]
        try:
            answer = self._amended(rests, player, comes=True, besides=seated)
        except DrawError:
            return after
        fairer = {n: UpcomingRound(drawn) for n, drawn in zip(rests, answer, strict=True)}
        wrong = (self._is_wrong(before[n], fairer[n], player, gone) for n in fairer)
        return after if any(wrong) else {**after, **fairer}

    def _turns_out(self, rounds: Rounds) -> Counter[Player]:
        """How many rounds of the evening people sit out or missed."""
        drawn = [*self._waiting.played, *(round_.drawn for round_ in rounds.values())]
        people = {player for round_ in rounds.values() for player in round_.people}
        turns = rounds_missed(people, self._waiting.played)
        turns.update(player for each in drawn for player in each.sit_out)
        return turns

    def _has_a_fixed_place(self, player: Player) -> bool:
        """Whether they keep their table, or always have the same partner."""
        fixed = {player for couple in self._waiting.fixed for player in couple}
        return player in fixed.union(self._waiting.stays)

    def changed(self, rounds: Rounds, member: Member, *, comes: bool) -> dict[int, UpcomingRound]:
        """The rounds with this person added or removed; rounds already so stay unchanged."""
        player = str(member.pk)
        wrong = {
            number: before
            for number, before in rounds.items()
            if (player in before.people) != comes
        }
        seated = {
            number: taken
            for number, before in wrong.items()
            if comes and (taken := self._in_an_extra_seat(before, player))
        }
        to_amend = {
            number: before.without_extra_tables().drawn
            for number, before in wrong.items()
            if number not in seated
        }
        try:
            answer = self._amended(to_amend, player, comes=comes) if to_amend else ()
        except DrawError as error:
            raise _refused(member, error.code) from error
        amended = {
            number: UpcomingRound(drawn) for number, drawn in zip(to_amend, answer, strict=True)
        }
        after = {**rounds, **seated, **amended}
        if any(self._is_wrong(before, after[number], player) for number, before in wrong.items()):
            raise _refused(member, "")
        return after

    def _in_an_extra_seat(self, round_: UpcomingRound, player: Player) -> UpcomingRound | None:
        """The round with them in a seat of someone who would play twice, if nobody minds."""
        others = {
            person
            for company in (*self._waiting.apart, *self._teams)
            for person in company
            if player in company
        } - {player}
        for table, seat in round_.extra:
            (at,) = [drawn for drawn in round_.drawn.tables if drawn.number == table]
            if others.isdisjoint(at.people()):
                return round_.with_seat_taken(table, seat, player)
        return None

    def _amended(
        self,
        rounds: Mapping[int, RoundDraw],
        player: Player,
        *,
        comes: bool,
        besides: Sequence[RoundDraw] = (),
    ) -> tuple[RoundDraw, ...]:
        """These rounds with the player added or removed; `besides` are others that stay."""
        amend = with_latecomer if comes else without_leaver
        waiting, before = self._waiting, self._before
        amended = amend(
            shifted(rounds.values(), -before),
            player,
            leftover=self._leftover,
            played=shifted([*besides, *waiting.played], -before),
            history=waiting.history,
            fixed=waiting.fixed,
            apart=waiting.apart,
            stays=waiting.stays,
            block=waiting.block,
            teams=self._teams,
        )
        return shifted(amended, before)

    def _is_wrong(self, before: UpcomingRound, after: UpcomingRound, *movers: Player) -> bool:
        """Whether the verifier rejects the changed tables, other people came or went, or a team
        needlessly plays against itself."""
        changed = changed_tables(before.drawn, after.drawn)
        filled = after.with_extra_players()
        tables = [table for table in filled.tables if table.number in changed]
        people = sorted(player for table in tables for player in table.seats.values())
        drawn = RoundDraw(
            tuple(TableDraw(place, table.seats) for place, table in enumerate(tables, start=1)), ()
        )
        faults = check_draw(
            people,
            Draw(rounds=(drawn,), partner_repeats=0, meeting_repeats=0, seed=0),
            leftover="three_handed"
            if any(len(table.seats) == 3 for table in tables)
            else "sit_out",
            fixed=self._waiting.fixed,
            apart=self._waiting.apart,
        )
        others_came = after.people != sorted({*before.people} ^ {*movers})
        return bool(faults) or others_came or self._teams_clash(before, after)

    def _teams_clash(self, before: UpcomingRound, after: UpcomingRound) -> bool:
        """Whether a team plays against itself at more tables, though it has no more people than
        there are tables."""
        teams, filled = self._waiting.teams, after.with_extra_players()
        here = (player for table in filled.tables for player in table.people())
        playing = Counter(teams[player] for player in here if player in teams)
        old = team_clashes(before.with_extra_players(), teams)
        more = [team for team, _table in more_clashes(teams, old, after)]
        return any(playing[team] <= len(filled.tables) for team in more)


def _partners(player: Player, rounds: Sequence[RoundDraw]) -> set[Player]:
    """The partners of this player in these rounds."""
    couples = (couple for drawn in rounds for table in drawn.tables for couple in table.partners())
    return {mate for couple in couples if player in couple for mate in couple} - {player}


def _refused(member: Member, code: str) -> DomainError:
    name = {"name": member.desk_name}
    if code == "pairs_need_a_new_draw":
        return _pairs_need_a_new_draw()
    if code == "too_few_players":
        return DomainError(code, _("Without %(name)s there are too few people for a table.") % name)
    return DomainError(
        "draw_again",
        _("Too much would have to change for %(name)s. Draw again.") % name,
        member=member,
    )


def _moved_on() -> DomainError:
    return DomainError(
        "draw_moved_on",
        _("In the meantime the draw has changed, or people have come or gone."),
    )


def _two_need_a_new_draw() -> DomainError:
    return DomainError(
        "two_need_a_new_draw",
        _("With a table of two, draw the tables again when somebody comes or goes."),
    )


def _pairs_need_a_new_draw() -> DomainError:
    return DomainError(
        "pairs_need_a_new_draw",
        _("With fixed pairs, draw the tables again when somebody comes or goes."),
    )


def _record(evening: Evening, step: PersonChange, actor: Actor) -> None:
    _record_member(evening, step, step.member, actor, comes=step.comes)
    if step.leaver:
        _record_member(evening, step, step.leaver, actor, comes=False)


def _record_member(
    evening: Evening, step: PersonChange, member: Member, actor: Actor, *, comes: bool
) -> None:
    tables = step.changed_tables()
    evening_touch(
        evening,
        actor=actor,
        action="draw_latecomer" if comes else "draw_leaver",
        data={
            "member": str(member.uuid),
            "round": min(tables),
            "tables": [[number, changed] for number, changed in tables.items()],
        },
    )
