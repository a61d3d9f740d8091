"""What there is to say about a draw, as figures; the words are made where the language is known."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tournaments.draw.bounds import LeastRepeats, least_repeats
from tournaments.draw.models import Couple, Draw, Method, PastEvening, Player, RoundDraw, ordered
from tournaments.draw.rotation import BLOCK
from tournaments.draw.sizes import TABLE_SIZE


@dataclass(frozen=True)
class DrawExplanation:
    """The figures of a draw. `players` counts those at tables and those who sit out.

    `least_partner_repeats` and `least_meeting_repeats` are what no draw of these rounds can stay
    under, and why. `partners_again` and `met_again` are who is together for the second time and
    more over these rounds, with how often. `ignored` are those in the history who are not here.
    """

    method: Method
    seed: int
    rounds: int
    players: int
    tables: int
    out_per_round: int
    partner_repeats: int
    meeting_repeats: int
    threes: int = 0
    least_partner_repeats: LeastRepeats = field(default_factory=LeastRepeats)
    least_meeting_repeats: LeastRepeats = field(default_factory=LeastRepeats)
    steps: int = 0
    partners_again: Mapping[Couple, int] = field(default_factory=dict)
    met_again: Mapping[Couple, int] = field(default_factory=dict)
    ignored: tuple[Player, ...] = ()


@dataclass(frozen=True)
class Together:
    """How often two people were partners, and how often they sat at one table as opponents."""

    partners: int = 0
    opponents: int = 0


def explain_draw(
    draw: Draw,
    *,
    fixed: Sequence[Couple] = (),
    history: Sequence[PastEvening] = (),
    played: Sequence[RoundDraw] = (),
) -> DrawExplanation:
    """The figures of a draw of at least one round; all its rounds have equally many tables."""
    first = draw.rounds[0]
    seated = {who for table in first.tables for who in table.people()}
    players = seated.union(first.sit_out)
    evening = (*played, *draw.rounds)
    block = BLOCK if draw.method == "rotation" else 1
    partners, meetings = least_repeats(players, evening, fixed, block=block)
    return DrawExplanation(
        method=draw.method,
        seed=draw.seed,
        rounds=len(draw.rounds),
        players=len(players),
        tables=len(first.tables),
        out_per_round=len(first.sit_out),
        partner_repeats=draw.partner_repeats,
        meeting_repeats=draw.meeting_repeats,
        threes=sum(len(table.seats) < TABLE_SIZE for table in first.tables),
        least_partner_repeats=partners,
        least_meeting_repeats=meetings,
        steps=draw.steps,
        partners_again=_again(
            couple for drawn in evening for table in drawn.tables for couple in table.partners()
        ),
        met_again=_again(
            ordered(*couple)
            for drawn in evening[::block]
            for table in drawn.tables
            for couple in combinations(table.people(), 2)
        ),
        ignored=tuple(sorted({who for past in history for who in past.people()} - players)),
    )


def season_together(
    players: Iterable[Player], history: Sequence[PastEvening]
) -> dict[Player, dict[Player, Together]]:
    """For each player, with and against whom of the others he played this season, and how often.

    In order of name; whom somebody never met is not named.
    """
    here = sorted(players)
    known = frozenset(here)
    partners = _times(couple for past in history for couple in past.partners)
    opponents = _times(couple for past in history for couple in past.opponents)
    met: dict[Player, dict[Player, Together]] = {player: {} for player in here}
    for couple in sorted(partners.keys() | opponents.keys()):
        if known.issuperset(couple):
            for one, other in (couple, couple[::-1]):
                met[one][other] = Together(partners[couple], opponents[couple])
    return met


def _times(couples: Iterable[Couple]) -> Counter[Couple]:
    return Counter(ordered(*couple) for couple in couples)


def _again(couples: Iterable[Couple]) -> dict[Couple, int]:
    times = Counter(couples)
    return {couple: times[couple] for couple in sorted(times) if times[couple] > 1}
