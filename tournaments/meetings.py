"""Who met whom over a season: in the rounds that were started, as the draw gave them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from clubs.models import Club
from tournaments.draw.core import RoundDraw
from tournaments.draw.core.explain import TimesTogether, season_pair_counts
from tournaments.draw.core.models import TABLE_SIZE
from tournaments.drawn import past_evening, started_rounds
from tournaments.models import Evening, Season


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """An evening with its rounds that were started; at least one."""

    evening: Evening
    rounds: Sequence[RoundDraw]

    def people(self) -> set[int]:
        """The ids of who was there."""
        return {who for drawn in self.rounds for who in _people(drawn)}


@dataclass(frozen=True, slots=True)
class Met:
    """Somebody, by id, who was met: how often as partner and as opponent, and when last. Who sat
    at one table of three were opponents."""

    member_id: int
    partners: int
    opponents: int
    last: Evening

    @property
    def times(self) -> int:
        """How often they were at one table."""
        return self.partners + self.opponents


@dataclass(frozen=True, slots=True)
class Turns:
    """How often it was somebody's turn in the rounds he was there for, how many turns there were
    in all, and how many of them were his share, to one decimal."""

    times: int
    in_all: int
    share: float


def played_evenings(club: Club, season: Season | None) -> list[PlayedEvening]:
    """The season's evenings of which a round was started, oldest first; without a season those
    that are in none. Two queries."""
    evenings = Evening.objects.of(club).filter(season=season, is_history=False)
    found = list(evenings.exclude(state=Evening.State.CANCELLED).order_by("date", "sequence"))
    rounds = started_rounds(found)
    return [PlayedEvening(one, rounds[one.pk]) for one in found if one.pk in rounds]


def everybody(played: Iterable[PlayedEvening]) -> set[int]:
    """The ids of all who were at these evenings."""
    return {who for one in played for who in one.people()}


def met_by(member_id: int, played: Iterable[PlayedEvening]) -> list[Met]:
    """Whom this person met, most often first."""
    together: Counter[str] = Counter()
    partners: Counter[str] = Counter()
    last: dict[str, Evening] = {}
    me = str(member_id)
    for one in played:
        tables = [t for drawn in one.rounds for t in drawn.tables if me in t.people()]
        for table in tables:
            others = table.people() - {me}
            together.update(others)
            last |= dict.fromkeys(others, one.evening)
            partners.update(who for pair in table.partners() if me in pair for who in pair)
    return [
        Met(int(who), partners[who], times - partners[who], last[who])
        for who, times in together.most_common()
    ]


def rounds_there(member_id: int, played: Iterable[PlayedEvening]) -> int:
    """For how many rounds somebody was there, sitting out or not."""
    return sum(member_id in _people(drawn) for one in played for drawn in one.rounds)


def turns_out(member_id: int, played: Iterable[PlayedEvening]) -> Turns:
    """His turns of sitting out."""
    return _turns(member_id, played, lambda drawn: drawn.sit_out)


def turns_at_three(member_id: int, played: Iterable[PlayedEvening]) -> Turns:
    """His turns at a table of three."""
    return _turns(member_id, played, _at_three)


def season_meetings(played: Sequence[PlayedEvening]) -> dict[int, dict[int, TimesTogether]]:
    """For each who was there how often he was with, and against, each other one; whom somebody
    never met is not named."""
    people = [str(who) for who in everybody(played)]
    found = season_pair_counts(people, [past_evening(one.rounds) for one in played])
    return {
        int(who): {int(other): times for other, times in others.items()}
        for who, others in found.items()
    }


def _turns(
    member_id: int,
    played: Iterable[PlayedEvening],
    whose: Callable[[RoundDraw], Sequence[str]],
) -> Turns:
    """A share is rounds attended times the average rate, which is turns to rounds attended."""
    rounds = [drawn for one in played for drawn in one.rounds]
    attended = Counter(who for drawn in rounds for who in _people(drawn))
    turns = Counter(int(who) for drawn in rounds for who in whose(drawn))
    in_all = turns.total()
    share = attended[member_id] * in_all / attended.total() if attended else 0.0
    return Turns(times=turns[member_id], in_all=in_all, share=round(share, 1))


def _at_three(drawn: RoundDraw) -> list[str]:
    threes = (table for table in drawn.tables if len(table.seats) == TABLE_SIZE - 1)
    return [who for table in threes for who in table.seats.values()]


def _people(drawn: RoundDraw) -> set[int]:
    seated = (who for table in drawn.tables for who in table.seats.values())
    return {int(who) for who in (*seated, *drawn.sit_out)}
