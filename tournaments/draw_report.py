"""A draw as people look at it: tables with their pairs, who sits out and why, what repeats."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Member
from tournaments.draw import RoundDraw, TableDraw
from tournaments.draw.repeats import meeting_repeats, partner_repeats
from tournaments.draw.rotation import BLOCK
from tournaments.drawn import past_evenings
from tournaments.models import Evening, Placement, Round


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who sits with whom at a table in one round."""

    round_number: int
    ns: str
    ew: str


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table with its pairs, in each round that these four people stay together."""

    number: int
    pairings: Sequence[Pairing]


@dataclass(frozen=True, slots=True)
class SittingOut:
    """Somebody who sits out, and the words that say why it is his turn."""

    round_number: int
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class DrawBlock:
    """Consecutive rounds in which the tables stay together; mostly one round."""

    rounds: Sequence[Round]
    tables: Sequence[DrawnTable]
    out: Sequence[SittingOut]

    @property
    def last_number(self) -> int:
        """The number of the last of these rounds."""
        return self.rounds[-1].number


@dataclass(frozen=True, slots=True)
class DrawReport:
    """Rounds drawn and not yet started, and in words how fair they are."""

    blocks: Sequence[DrawBlock]
    repeats: Sequence[str]


def draw_report(evening: Evening) -> DrawReport:
    """What there is to say of the rounds that have not started; no blocks when there are none."""
    rounds = list(evening.rounds.prefetch_related("tables"))
    placements = _placements(evening)
    waiting = [r for r in rounds if r.state in (Round.State.DRAFT, Round.State.DRAWN)]
    reasons = _Reasons(evening, placements, before=waiting[0].number) if waiting else None
    blocks = [
        DrawBlock(block, _tables(block, placements), _out(block, placements, reasons))
        for block in _blocks(waiting, placements)
        if reasons
    ]
    return DrawReport(blocks, _repeat_words(evening, rounds, placements) if waiting else [])


def _placements(evening: Evening) -> list[Placement]:
    found: QuerySet[Placement] = Placement.objects.filter(
        round__evening=evening, substitute=False
    ).select_related("member", "table", "round")
    return list(found.order_by("round__number", "table__number", "member__sort_name"))


def _foursomes(round_: Round, placements: Iterable[Placement]) -> dict[int, frozenset[int]]:
    people: dict[int, set[int]] = {}
    for one in placements:
        if one.round_id == round_.pk and one.table:
            people.setdefault(one.table.number, set()).add(one.member_id)
    return {number: frozenset(four) for number, four in people.items()}


def _blocks(rounds: Iterable[Round], placements: Sequence[Placement]) -> list[list[Round]]:
    blocks: list[list[Round]] = []
    for round_ in rounds:
        together = blocks and _foursomes(blocks[-1][-1], placements) == _foursomes(
            round_, placements
        )
        if together:
            blocks[-1].append(round_)
        else:
            blocks.append([round_])
    return blocks


def _tables(block: Sequence[Round], placements: Iterable[Placement]) -> list[DrawnTable]:
    seats: dict[int, dict[int, dict[str, str]]] = {}
    numbers = {round_.number for round_ in block}
    for one in placements:
        if one.table and one.round.number in numbers:
            table = seats.setdefault(one.table.number, {})
            table.setdefault(one.round.number, {})[one.seat] = one.member.name
    return [
        DrawnTable(
            number,
            [
                Pairing(round_number, _pair(who, "N", "S"), _pair(who, "E", "W"))
                for round_number, who in sorted(rounds.items())
            ],
        )
        for number, rounds in sorted(seats.items())
    ]


def _pair(seats: dict[str, str], one: str, other: str) -> str:
    return " – ".join(seats[seat] for seat in (one, other) if seat in seats)


class _Reasons:
    """Counts what makes it somebody's turn to sit out."""

    def __init__(self, evening: Evening, placements: Iterable[Placement], *, before: int) -> None:
        history = past_evenings(evening)
        self._came = Counter(who for past in history for who in past.attended)
        self._sat_out = Counter(who for past in history for who in past.sat_out)
        self._tonight = Counter(
            one.member_id for one in placements if one.sits_out and one.round.number < before
        )

    def why(self, member: Member) -> str:
        """Why it is this person's turn, in words."""
        tonight, came = self._tonight[member.pk], self._came[str(member.pk)]
        words = [
            ngettext("once tonight already", "%(n)s times tonight already", tonight)
            % {"n": tonight}
            if tonight
            else _("not yet tonight")
        ]
        if came:
            season = ngettext(
                "this season %(times)s times in one evening",
                "this season %(times)s times in %(evenings)s evenings",
                came,
            )
            words.append(season % {"times": self._sat_out[str(member.pk)], "evenings": came})
        return ", ".join(words)


def _out(
    block: Sequence[Round], placements: Iterable[Placement], reasons: _Reasons
) -> list[SittingOut]:
    first = block[0].number
    return [
        SittingOut(first, one.member.name, reasons.why(one.member))
        for one in placements
        if one.sits_out and one.round.number == first
    ]


def _repeat_words(
    evening: Evening, rounds: Iterable[Round], placements: Iterable[Placement]
) -> list[str]:
    """How often people meet again over the whole evening, played rounds included."""
    drawn = _as_drawn(rounds, placements)
    block = BLOCK if evening.method == Evening.Method.ROTATION else 1
    partners, meetings = partner_repeats(drawn), meeting_repeats(drawn, block=block)
    return [
        ngettext(
            "One couple is partners twice this evening.",
            "%(n)s times somebody gets a partner he already had this evening.",
            partners,
        )
        % {"n": partners}
        if partners
        else _("Nobody gets the same partner twice this evening."),
        ngettext(
            "Two people meet twice at a table this evening.",
            "%(n)s times two people meet again at a table this evening.",
            meetings,
        )
        % {"n": meetings}
        if meetings
        else _("Nobody meets anybody twice at a table this evening."),
    ]


def _as_drawn(rounds: Iterable[Round], placements: Iterable[Placement]) -> list[RoundDraw]:
    seats: dict[int, dict[int, dict[str, str]]] = {round_.pk: {} for round_ in rounds}
    out: dict[int, list[str]] = {pk: [] for pk in seats}
    for one in placements:
        if one.table is None:
            out[one.round_id].append(str(one.member_id))
        else:
            table = seats[one.round_id].setdefault(one.table.number, {})
            table[one.seat] = str(one.member_id)
    return [
        RoundDraw(
            tables=tuple(
                TableDraw(number=number, seats=four)  # type: ignore[arg-type]
                for number, four in sorted(tables.items())
                if len(four) == 4
            ),
            sit_out=tuple(out[pk]),
        )
        for pk, tables in seats.items()
    ]
