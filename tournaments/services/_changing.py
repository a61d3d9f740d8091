"""What changes in the rounds to come when somebody comes or leaves after the draw."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import cast

from django.utils.translation import gettext as _

from clubs.errors import DomainError
from clubs.models import Member
from tournaments.draw.core import (
    Draw,
    DrawError,
    Leftover,
    Player,
    RoundDraw,
    TableDraw,
    check_draw,
)
from tournaments.draw.core.amend import with_latecomer, without_leaver
from tournaments.models import Evening
from tournaments.present import drawn_without
from tournaments.services._waiting import DrawWaiting, draw_waiting
from tournaments.to_come import RoundToCome

Rounds = Mapping[int, RoundToCome]
"""The rounds that have not started, by number, in order."""

TWO = 2


@dataclass(frozen=True, slots=True)
class PersonChange:
    """What it does to the rounds to come that somebody `comes`, or else leaves; or comes in the
    place of a `leaver`."""

    member: Member
    comes: bool
    before: Rounds
    after: Rounds
    leaver: Member | None = None

    def changed_tables(self) -> dict[int, list[int]]:
        """By number of the round, in order, the tables that become other, are new or go."""
        return {
            number: changed_tables(before.drawn, self.after[number].drawn)
            for number, before in self.before.items()
        }


@dataclass(frozen=True, slots=True)
class DrawChanges:
    """What several people who came or left do to the rounds to come, one after the other."""

    steps: Sequence[PersonChange]

    @property
    def version(self) -> str:
        """Another one whenever anything of this would be other."""
        told = [
            (one.member.pk, one.comes, one.leaver and one.leaver.pk, one.before, one.after)
            for one in self.steps
        ]
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def changed_tables(before: RoundDraw, after: RoundDraw) -> list[int]:
    """The numbers of the tables at which not everybody sits in the same seat in both."""
    old, new = ({one.number: dict(one.seats) for one in drawn.tables} for drawn in (before, after))
    return sorted(number for number in {*old, *new} if old.get(number) != new.get(number))


def adapt_preview(evening: Evening, members: Collection[Member] = ()) -> DrawChanges:
    """What would change when these people, of those who came or left since the draw, are put in
    or taken out; everybody who came or left with no `members`. Writes nothing.

    Who comes takes the place of who leaves where nothing is against it: one table a round. Each
    of the others changes at most two tables a round. Raises DomainError `nothing_to_change` when
    the draw is right, `draw_moved_on` when it is right about one of `members`,
    `pairs_need_a_new_draw`, `two_need_a_new_draw` where there is a table of two, or `draw_again`
    (params: member) when it cannot be done so.
    """
    newcomers, leavers = drawn_without(evening)
    waiting = draw_waiting(evening)
    if waiting is None or not (newcomers or leavers):
        raise DomainError("nothing_to_change", _("The draw fits who is here."))
    if not set(members) <= {*newcomers, *leavers}:
        raise DomainError("draw_moved_on", _("Meanwhile the draw or who is here has changed."))
    if evening.method == Evening.Method.PAIRS:
        raise _pairs_need_a_new_draw()
    if any(
        len(table.seats) == TWO for one in waiting.rounds.values() for table in one.drawn.tables
    ):
        raise _two_need_a_new_draw()
    wanted = [*members] or [*newcomers, *leavers]
    coming = [one for one in newcomers if one in wanted]
    going = [one for one in leavers if one in wanted]
    return DrawChanges(_steps(_Agreed(evening, waiting), waiting.rounds, coming, going))


def _steps(
    agreed: "_Agreed", rounds: Rounds, coming: list[Member], going: list[Member]
) -> list[PersonChange]:
    """First who can take the place of a leaver, as then nobody else moves; then the others one
    after the other."""
    steps: list[PersonChange] = []
    for newcomer, leaver in product([*coming], [*going]):
        if newcomer not in coming or leaver not in going:
            continue
        after = agreed.in_his_place(rounds, newcomer, leaver)
        if after is not None:
            steps.append(PersonChange(newcomer, True, rounds, after, leaver))
            coming.remove(newcomer)
            going.remove(leaver)
            rounds = after
    return [*steps, *_one_by_one(agreed, rounds, coming, going)]


def _one_by_one(
    agreed: "_Agreed", rounds: Rounds, coming: list[Member], going: list[Member]
) -> list[PersonChange]:
    """In such an order that a table goes or is made only where it must."""
    steps: list[PersonChange] = []
    while coming or going:
        somebody_out = any(one.drawn.sit_out for one in rounds.values())
        comes = bool(coming) and not (going and somebody_out)
        member = (coming if comes else going).pop(0)
        after = agreed.changed(rounds, member, comes=comes)
        steps.append(PersonChange(member, comes, rounds, after))
        rounds = after
    return steps


class _Agreed:
    """What a change of the draw has to keep to on this evening."""

    def __init__(self, evening: Evening, waiting: DrawWaiting) -> None:
        self._leftover = cast("Leftover", evening.leftover)
        self._waiting = waiting

    def in_his_place(
        self, rounds: Rounds, newcomer: Member, leaver: Member
    ) -> dict[int, RoundToCome] | None:
        """These rounds with the newcomer wherever the leaver was; None when something was agreed
        about the newcomer, when he would have a partner of tonight again, or when the leaver
        plays twice."""
        who, gone = str(newcomer.pk), str(leaver.pk)
        after = {number: one.with_place_taken(gone, who) for number, one in rounds.items()}
        if (
            self._has_a_place_of_his_own(who)
            or any(gone in one.extra.values() for one in rounds.values())
            or any(self._is_wrong(one, after[number], who, gone) for number, one in rounds.items())
            or not _partners(who, self._waiting.played).isdisjoint(
                _partners(who, [one.with_extra_players() for one in after.values()])
            )
        ):
            return None
        return after

    def _has_a_place_of_his_own(self, who: Player) -> bool:
        """Whether he keeps his table, or always has the same partner."""
        fixed = {player for couple in self._waiting.fixed for player in couple}
        return who in fixed.union(self._waiting.stays)

    def changed(self, rounds: Rounds, member: Member, *, comes: bool) -> dict[int, RoundToCome]:
        """These rounds with this person in them, or without him; those that are so already stay
        as they are."""
        who = str(member.pk)
        wrong = {number: one for number, one in rounds.items() if (who in one.people) != comes}
        seated = {
            number: taken
            for number, one in wrong.items()
            if comes and (taken := self._in_an_extra_seat(one, who))
        }
        asked = {
            number: one.without_extra_tables().drawn
            for number, one in wrong.items()
            if number not in seated
        }
        try:
            answer = self._amended(asked, who, comes=comes) if asked else ()
        except DrawError as error:
            raise _refused(member, error.code) from error
        amended = {number: RoundToCome(one) for number, one in zip(asked, answer, strict=True)}
        after = {**rounds, **seated, **amended}
        if any(self._is_wrong(one, after[number], who) for number, one in wrong.items()):
            raise _refused(member, "")
        return after

    def _in_an_extra_seat(self, one: RoundToCome, who: Player) -> RoundToCome | None:
        """He sits where somebody would have played twice, if nobody minds."""
        others = {
            player for couple in self._waiting.apart for player in couple if who in couple
        } - {who}
        for table, seat in one.extra:
            (at,) = [drawn for drawn in one.drawn.tables if drawn.number == table]
            if others.isdisjoint(at.people()):
                return one.with_seat_taken(table, seat, who)
        return None

    def _amended(
        self, rounds: Mapping[int, RoundDraw], who: Player, *, comes: bool
    ) -> tuple[RoundDraw, ...]:
        amend = with_latecomer if comes else without_leaver
        waiting = self._waiting
        return amend(
            tuple(rounds.values()),
            who,
            leftover=self._leftover,
            played=waiting.played,
            history=waiting.history,
            fixed=waiting.fixed,
            apart=waiting.apart,
            stays=waiting.stays,
            block=waiting.block,
        )

    def _is_wrong(self, before: RoundToCome, after: RoundToCome, *who: Player) -> bool:
        """Whether the verifier has anything against the tables that changed, or other people
        than these came or went."""
        changed = changed_tables(before.drawn, after.drawn)
        filled = after.with_extra_players()
        tables = [one for one in filled.tables if one.number in changed]
        people = sorted(player for one in tables for player in one.seats.values())
        drawn = RoundDraw(
            tuple(TableDraw(place, one.seats) for place, one in enumerate(tables, start=1)), ()
        )
        faults = check_draw(
            people,
            Draw(rounds=(drawn,), partner_repeats=0, meeting_repeats=0, seed=0),
            leftover="three_handed" if any(len(one.seats) == 3 for one in tables) else "sit_out",
            fixed=self._waiting.fixed,
            apart=self._waiting.apart,
        )
        return bool(faults) or after.people != sorted({*before.people} ^ {*who})


def _partners(who: Player, rounds: Sequence[RoundDraw]) -> set[Player]:
    """With whom he plays in these rounds."""
    couples = (couple for drawn in rounds for table in drawn.tables for couple in table.partners())
    return {mate for couple in couples if who in couple for mate in couple} - {who}


def _refused(member: Member, code: str) -> DomainError:
    name = {"name": member.name}
    if code == "pairs_need_a_new_draw":
        return _pairs_need_a_new_draw()
    if code == "too_few_players":
        return DomainError(code, _("Without %(name)s there are too few people for a table.") % name)
    return DomainError(
        "draw_again", _("For %(name)s more would have to change. Draw again.") % name, member=member
    )


def _two_need_a_new_draw() -> DomainError:
    return DomainError(
        "two_need_a_new_draw",
        _("With a table of two the tables must be drawn again when somebody comes or goes."),
    )


def _pairs_need_a_new_draw() -> DomainError:
    return DomainError(
        "pairs_need_a_new_draw",
        _("With fixed pairs the tables must be drawn again when somebody comes or goes."),
    )
