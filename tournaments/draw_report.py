"""A draw as people look at it: tables with who sits there, who sits out and why, what repeats."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from clubs.models import Member
from tournaments.draw import Draw, Player, RoundDraw, TableDraw, explain_draw
from tournaments.draw.explain import DrawExplanation
from tournaments.draw.repeats import (
    Again,
    meeting_repeats,
    partner_repeats,
    repeats_by_table,
)
from tournaments.draw_warnings import draw_warnings
from tournaments.draw_words import (
    again_words,
    pairs_again_words,
    repeat_sentences,
    search_sentence,
)
from tournaments.models import Evening, Round
from tournaments.services import DrawWaiting, draw_waiting, method_of
from tournaments.to_come import RoundToCome
from tournaments.turn_words import Turns

PAIRS = (("N", "S"), ("E", "W"))


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the draw, by id as the draw has it; `again` when he is with somebody for the
    second time or more, `extra` where he plays besides his own seat."""

    id: Player
    name: str
    again: bool = False
    extra: bool = False


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who sits with whom at a table in one round: two sides, or one side of three."""

    round_number: int
    sides: Sequence[Sequence[Person]]


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table with its pairings, one for each round that its people stay together, and in words
    who of them are together again. `dummy` where three play."""

    number: int
    pairings: Sequence[Pairing]
    repeats: Sequence[str]
    dummy: bool


@dataclass(frozen=True, slots=True)
class SittingOut:
    """Somebody who sits out, and the words that say why it is his turn."""

    person: Person
    why: str


@dataclass(frozen=True, slots=True)
class DrawBlock:
    """Consecutive rounds in which the tables stay together; mostly one round."""

    numbers: Sequence[int]
    tables: Sequence[DrawnTable]
    out: Sequence[SittingOut]

    @property
    def first(self) -> int:
        """The number of the first of these rounds."""
        return self.numbers[0]

    @property
    def last(self) -> int:
        """The number of the last of these rounds."""
        return self.numbers[-1]


@dataclass(frozen=True, slots=True)
class DrawReport:
    """Rounds drawn and not yet started, and in words how fair they are and what is wrong;
    `by_hand` where they were typed in and not drawn by the program."""

    blocks: Sequence[DrawBlock] = ()
    sentences: Sequence[str] = ()
    warnings: Sequence[str] = ()
    people: int = 0
    by_hand: bool = False


def draw_report(evening: Evening) -> DrawReport:
    """What there is to say of the rounds that have not started; nothing when there are none."""
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


def _names(waiting: DrawWaiting) -> dict[Player, str]:
    ids = {int(who) for one in waiting.rounds.values() for who in _people(one)}
    return {
        str(pk): name for pk, name in Member.objects.filter(pk__in=ids).values_list("pk", "name")
    }


def _people(one: RoundToCome) -> Iterable[Player]:
    return (*one.people, *one.extra.values())


def _sentences(evening: Evening, waiting: DrawWaiting, first: Round, *, by_hand: bool) -> list[str]:
    draw_again = first.state == Round.State.DRAFT and not by_hand
    sentences = repeat_sentences(_figures(evening, waiting), draw_again=draw_again)
    return sentences if by_hand else [*sentences, search_sentence(first.search_ms)]


def _figures(evening: Evening, waiting: DrawWaiting) -> DrawExplanation:
    """The figures of the draw as it stands now, what was changed by hand included."""
    ahead = _ahead(waiting)
    rounds = [*waiting.played, *ahead]
    drawn = Draw(
        rounds=tuple(ahead),
        partner_repeats=partner_repeats(rounds),
        meeting_repeats=meeting_repeats(rounds, block=waiting.block),
        seed=evening.seed,
        method=method_of(evening, min(waiting.rounds)),
    )
    return explain_draw(drawn, fixed=waiting.fixed, played=tuple(waiting.played))


def _ahead(waiting: DrawWaiting) -> list[RoundDraw]:
    """The rounds that wait, with who plays twice at both his tables."""
    return [one.with_extra_players() for one in waiting.rounds.values()]


class _Blocks:
    """Makes the blocks of a draw: knows everybody's name, what went before, and whether the
    partners are pairs for the evening, so that being together again is no repeat of theirs."""

    def __init__(
        self, waiting: DrawWaiting, names: Mapping[Player, str], *, in_pairs: bool
    ) -> None:
        self._waiting = waiting
        self._names = names
        self._in_pairs = in_pairs
        self._numbers = list(waiting.rounds)
        self._turns = Turns(waiting)

    def block(self, numbers: Sequence[int]) -> DrawBlock:
        """The rounds with these numbers, of which the tables stay together."""
        again = self._again(numbers[0])
        rounds = {number: self._waiting.rounds[number].with_extra_players() for number in numbers}
        tables = [
            self._table(number, rounds, again.get(number, ()))
            for number in [table.number for table in rounds[numbers[0]].tables]
        ]
        return DrawBlock(numbers, tables, self._out(numbers))

    def _again(self, number: int) -> Mapping[int, Sequence[Again]]:
        place = self._numbers.index(number)
        waiting = self._waiting
        found = repeats_by_table(_ahead(waiting), place, played=waiting.played, block=waiting.block)
        if not self._in_pairs:
            return found
        return {
            number: [one for one in again if not one.as_partners] for number, again in found.items()
        }

    def _table(
        self, number: int, rounds: Mapping[int, RoundDraw], again: Sequence[Again]
    ) -> DrawnTable:
        met = {who for couple in again for who in (couple.one, couple.other)}
        at = {
            round_number: next(table for table in drawn.tables if table.number == number)
            for round_number, drawn in rounds.items()
        }
        return DrawnTable(
            number,
            [
                Pairing(round_number, self._sides(table, met, self._extra(round_number, number)))
                for round_number, table in at.items()
            ],
            self._repeats(again),
            dummy=any(len(table.seats) == 3 for table in at.values()),
        )

    def _repeats(self, again: Sequence[Again]) -> list[str]:
        if self._in_pairs and len(again) == 4 and len({one.times for one in again}) == 1:
            return [pairs_again_words(again[0].times)]
        return [again_words(one, self._names[one.one], self._names[one.other]) for one in again]

    def _extra(self, round_number: int, number: int) -> set[Player]:
        extra = self._waiting.rounds[round_number].extra
        return {who for (table, _seat), who in extra.items() if table == number}

    def _sides(self, table: TableDraw, met: set[Player], extra: set[Player]) -> list[list[Person]]:
        sides = PAIRS if len(table.seats) == 4 else [tuple(table.seats)]
        return [[self._person(table.seats[seat], met, extra) for seat in side] for side in sides]  # type: ignore[index]

    def _out(self, numbers: Sequence[int]) -> list[SittingOut]:
        out = self._waiting.rounds[numbers[0]].drawn.sit_out
        found = [SittingOut(self._person(who), self._turns.why(who, numbers[0])) for who in out]
        return sorted(found, key=lambda one: one.person.name)

    def _person(
        self, who: Player, met: Collection[Player] = (), extra: Collection[Player] = ()
    ) -> Person:
        return Person(who, self._names[who], again=who in met, extra=who in extra)
