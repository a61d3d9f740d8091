"""The report on a draw: its tables, who sits out and why, how fair it is, its warnings."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Member
from tournaments.draw.core.bye_fairness import rounds_missed
from tournaments.draw.core.explain import DrawExplanation, explain_draw
from tournaments.draw.core.models import Draw, Movement, Player, RoundDraw, TableDraw
from tournaments.draw.core.pair_counts import (
    Repeat,
    meeting_repeats,
    partner_repeats,
    repeats_by_table,
)
from tournaments.draw.core.pairs import teammates_at_tables
from tournaments.draw.core.problem import first_tables
from tournaments.draw.problem import method_of, teams_here
from tournaments.draw.rewriting import DrawWaiting, draw_waiting
from tournaments.draw.texts import again_words, pairs_again_words, repeat_sentences
from tournaments.models import Evening, Round
from tournaments.seating.store import UpcomingRound

Names = Mapping[Player, str]
PAIRS = (("N", "S"), ("E", "W"))


@dataclass(frozen=True, slots=True)
class DrawnPerson:
    """Someone in the draw, by the draw's id.

    `again` if they meet someone again, `extra` if they play here besides their own seat.
    """

    id: Player
    name: str
    again: bool = False
    extra: bool = False


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """The sides at a table in one round: two, or one of three people."""

    round_number: int
    sides: Sequence[Sequence[DrawnPerson]]


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table with one pairing per round its people stay together, and its repeats in words.

    `dummy` if three people play.
    """

    number: int
    pairings: Sequence[RoundPairing]
    repeats: Sequence[str]
    dummy: bool


@dataclass(frozen=True, slots=True)
class SittingOut:
    """Someone who sits out, and why it is their turn."""

    person: DrawnPerson
    why: str


@dataclass(frozen=True, slots=True)
class DrawBlock:
    """Consecutive rounds in which the tables stay together; usually one."""

    numbers: Sequence[int]
    tables: Sequence[DrawnTable]
    out: Sequence[SittingOut]

    @property
    def first(self) -> int:
        """The number of the first round."""
        return self.numbers[0]

    @property
    def last(self) -> int:
        """The number of the last round."""
        return self.numbers[-1]


@dataclass(frozen=True, slots=True)
class DrawReport:
    """The rounds drawn but not started, how fair they are, and what is wrong with them.

    `by_hand` if they were typed in.
    """

    blocks: Sequence[DrawBlock] = ()
    sentences: Sequence[str] = ()
    warnings: Sequence[str] = ()
    people: int = 0
    by_hand: bool = False

    @property
    def in_single_rounds(self) -> bool:
        """Whether there are several rounds, and each has tables of its own."""
        return len(self.blocks) > 1 and all(len(block.numbers) == 1 for block in self.blocks)


def draw_report(evening: Evening) -> DrawReport:
    """The report on the rounds that have not started; empty if there are none."""
    waiting = draw_waiting(evening)
    if waiting is None:
        return DrawReport()
    names = _names(waiting)
    first = evening.rounds.get(number=min(waiting.rounds))
    by_hand = first.drawn_by == Round.DrawnBy.HAND
    blocks = _Blocks(waiting, names, in_pairs=evening.method == Evening.Method.PAIRS)
    return DrawReport(
        blocks=[blocks.block(numbers) for numbers in waiting.blocks()],
        sentences=_sentences(evening, waiting, first, by_hand=by_hand),
        warnings=draw_warnings(waiting, names),
        people=len(names),
        by_hand=by_hand,
    )


def draw_warnings(waiting: DrawWaiting, names: Names) -> list[str]:
    """A sentence for each couple wrongly together or apart and each fixed seat left, by round."""
    first_table = first_tables(waiting.stays, [*waiting.played, *waiting.drawn])
    return [
        sentence
        for number, round_ in waiting.rounds.items()
        for sentence in (
            *_apart(waiting, names, number, round_.drawn),
            *_fixed(waiting, names, number, round_.drawn),
            *_moved(first_table, names, number, round_.drawn),
        )
    ]


def _names(waiting: DrawWaiting) -> dict[Player, str]:
    ids = {int(player) for round_ in waiting.rounds.values() for player in _people(round_)}
    return {str(pk): name for pk, name in Member.objects.filter(pk__in=ids).desk_names().items()}


def _people(round_: UpcomingRound) -> Iterable[Player]:
    return (*round_.people, *round_.extra.values())


def _sentences(evening: Evening, waiting: DrawWaiting, first: Round, *, by_hand: bool) -> list[str]:
    draw_again = first.state == Round.State.DRAFT and not by_hand
    return repeat_sentences(_figures(evening, waiting, first), draw_again=draw_again)


def _figures(evening: Evening, waiting: DrawWaiting, first: Round) -> DrawExplanation:
    """The figures of the draw as it is now, including changes by hand."""
    teams = () if evening.teammates_may_meet else teams_here(evening)
    ahead = _ahead(waiting)
    rounds = [*waiting.played, *ahead]
    drawn = Draw(
        rounds=tuple(ahead),
        partner_repeats=partner_repeats(rounds),
        meeting_repeats=meeting_repeats(rounds, block=waiting.block),
        seed=evening.seed,
        method=method_of(evening, min(waiting.rounds)),
        movement=cast("Movement | None", first.movement or None),
        team_meetings=teammates_at_tables(ahead, teams, waiting.fixed) if teams else None,
    )
    return explain_draw(drawn, fixed=waiting.fixed, played=tuple(waiting.played))


def _ahead(waiting: DrawWaiting) -> list[RoundDraw]:
    """The upcoming rounds, with people who play twice at both their tables."""
    return [round_.with_extra_players() for round_ in waiting.rounds.values()]


class _Blocks:
    """Builds the blocks of a draw.

    On an evening of pairs, being partners again is not a repeat.
    """

    def __init__(
        self, waiting: DrawWaiting, names: Mapping[Player, str], *, in_pairs: bool
    ) -> None:
        self._waiting = waiting
        self._names = names
        self._in_pairs = in_pairs
        self._numbers = list(waiting.rounds)
        self._turns = SitOutTurns(waiting)

    def block(self, numbers: Sequence[int]) -> DrawBlock:
        """The block of these rounds, in which the tables stay together."""
        again = self._again(numbers[0])
        rounds = {number: self._waiting.rounds[number].with_extra_players() for number in numbers}
        tables = [
            self._table(number, rounds, again.get(number, ()))
            for number in [table.number for table in rounds[numbers[0]].tables]
        ]
        return DrawBlock(numbers, tables, self._out(numbers))

    def _again(self, number: int) -> Mapping[int, Sequence[Repeat]]:
        place = self._numbers.index(number)
        waiting = self._waiting
        repeats = repeats_by_table(
            _ahead(waiting), place, played=waiting.played, block=waiting.block
        )
        if not self._in_pairs:
            return repeats
        return {
            number: [repeat for repeat in again if not repeat.as_partners]
            for number, again in repeats.items()
        }

    def _table(
        self, number: int, rounds: Mapping[int, RoundDraw], again: Sequence[Repeat]
    ) -> DrawnTable:
        met = {player for couple in again for player in (couple.player, couple.other)}
        at = {
            round_number: next(table for table in drawn.tables if table.number == number)
            for round_number, drawn in rounds.items()
        }
        return DrawnTable(
            number,
            [
                RoundPairing(
                    round_number, self._sides(table, met, self._extra(round_number, number))
                )
                for round_number, table in at.items()
            ],
            self._repeats(again),
            dummy=any(len(table.seats) == 3 for table in at.values()),
        )

    def _repeats(self, again: Sequence[Repeat]) -> list[str]:
        # Two pairs that meet again are four couples; say it once.
        if self._in_pairs and len(again) == 4 and len({repeat.times for repeat in again}) == 1:
            return [pairs_again_words(again[0].times)]
        return [
            again_words(repeat, self._names[repeat.player], self._names[repeat.other])
            for repeat in again
        ]

    def _extra(self, round_number: int, number: int) -> set[Player]:
        extra = self._waiting.rounds[round_number].extra
        return {player for (table, _seat), player in extra.items() if table == number}

    def _sides(
        self, table: TableDraw, met: set[Player], extra: set[Player]
    ) -> list[list[DrawnPerson]]:
        sides = PAIRS if len(table.seats) == 4 else [tuple(table.seats)]
        return [[self._person(table.seats[seat], met, extra) for seat in side] for side in sides]  # type: ignore[index]

    def _out(self, numbers: Sequence[int]) -> list[SittingOut]:
        out = self._waiting.rounds[numbers[0]].drawn.sit_out
        sitting_out = [
            SittingOut(self._person(player), self._turns.why(player, numbers[0])) for player in out
        ]
        return sorted(sitting_out, key=lambda row: row.person.name)

    def _person(
        self, player: Player, met: Collection[Player] = (), extra: Collection[Player] = ()
    ) -> DrawnPerson:
        return DrawnPerson(player, self._names[player], again=player in met, extra=player in extra)


class SitOutTurns:
    """Counts how often people came, sat out, and missed a round tonight."""

    def __init__(self, waiting: DrawWaiting) -> None:
        self._waiting = waiting
        self._came = Counter(player for past in waiting.history for player in past.people())
        self._sat_out = Counter(player for past in waiting.history for player in past.sat_out)
        people = {player for round_ in waiting.rounds.values() for player in round_.people}
        self._missed = rounds_missed(people, waiting.played)

    def why(self, player: Player, number: int) -> str:
        """Why it is this player's turn in that round."""
        tonight, came = self._tonight(player, number), self._came[player]
        words = [
            ngettext("once tonight already", "%(n)s times tonight already", tonight)
            % {"n": tonight}
            if tonight
            else _("not yet tonight")
        ]
        if missed := self._missed[player]:
            words.append(
                ngettext("missed %(n)s round tonight", "missed %(n)s rounds tonight", missed)
                % {"n": missed}
            )
        if came:
            season = ngettext(
                "this season %(times)s times in one evening",
                "this season %(times)s times in %(evenings)s evenings",
                came,
            )
            words.append(season % {"times": self._sat_out[player], "evenings": came})
        return ", ".join(words)

    def _tonight(self, player: Player, number: int) -> int:
        waiting = self._waiting
        before = [round_.drawn for each, round_ in waiting.rounds.items() if each < number]
        return sum(player in drawn.sit_out for drawn in (*waiting.played, *before))


def _apart(waiting: DrawWaiting, names: Names, number: int, drawn: RoundDraw) -> Iterator[str]:
    for player, other in waiting.apart:
        for table in drawn.tables:
            if {player, other} <= table.people():
                yield _(
                    "Round %(n)s: %(one)s and %(other)s are together at table %(table)s, "
                    "though they are kept apart."
                ) % {
                    "n": number,
                    "one": names[player],
                    "other": names[other],
                    "table": table.number,
                }


def _fixed(waiting: DrawWaiting, names: Names, number: int, drawn: RoundDraw) -> Iterator[str]:
    playing = {player for table in drawn.tables for player in table.people()}
    together = {frozenset(couple) for table in drawn.tables for couple in table.partners()}
    of_three = [table.people() for table in drawn.tables if len(table.seats) == 3]
    for player, other in waiting.fixed:
        couple = frozenset((player, other))
        if couple <= playing and couple not in together and not any(map(couple.issubset, of_three)):
            yield _(
                "Round %(n)s: %(one)s and %(other)s are a fixed couple and are not partners."
            ) % {"n": number, "one": names[player], "other": names[other]}


def _moved(
    first_table: Mapping[Player, int], names: Names, number: int, drawn: RoundDraw
) -> Iterator[str]:
    for table in drawn.tables:
        for player in sorted(table.people() & first_table.keys()):
            if first_table[player] != table.number:
                yield _(
                    "Round %(n)s: %(name)s keeps a fixed table, but moves from table %(home)s "
                    "to table %(table)s."
                ) % {
                    "n": number,
                    "name": names[player],
                    "home": first_table[player],
                    "table": table.number,
                }
