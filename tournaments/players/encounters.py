"""Who met whom in a season, counted from the draws of started rounds, and in words."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, Member
from tournaments.draw.core import RoundDraw
from tournaments.draw.core.explain import TimesTogether, season_pair_counts
from tournaments.draw.core.models import TABLE_SIZE
from tournaments.models import Evening, Season
from tournaments.seating.store import past_evening, started_rounds

Couple = tuple[Member, Member, TimesTogether]
Encounters = Mapping[int, Mapping[int, TimesTogether]]
"""By member id, the people they met and how often."""


@dataclass(frozen=True, slots=True)
class DrawnEvening:
    """An evening with the rounds that were started, at least one."""

    evening: Evening
    rounds: Sequence[RoundDraw]

    def people(self) -> set[int]:
        """The ids of everybody who was there."""
        return {member_id for drawn in self.rounds for member_id in _people(drawn)}


@dataclass(frozen=True, slots=True)
class Met:
    """How often a member was met as partner and as opponent, and when last. People at a table of
    three are opponents."""

    member_id: int
    partners: int
    opponents: int
    last: Evening

    @property
    def times(self) -> int:
        """How often they were at one table."""
        return self.partners + self.opponents


@dataclass(frozen=True, slots=True)
class TurnShare:
    """How often it was a player's turn in the rounds they attended, how many turns there were in
    all, and their fair share of these, to one decimal."""

    times: int
    in_all: int
    share: float


def played_evenings(club: Club, season: Season | None) -> list[DrawnEvening]:
    """The season's evenings with a round that was started, oldest first; without a season, those
    that are in none. Two queries."""
    chosen = Evening.objects.of(club).filter(season=season, is_history=False)
    evenings = list(chosen.exclude(state=Evening.State.CANCELLED).order_by("date", "sequence"))
    rounds = started_rounds(evenings)
    return [
        DrawnEvening(evening, rounds[evening.pk]) for evening in evenings if evening.pk in rounds
    ]


def everybody(played: Iterable[DrawnEvening]) -> set[int]:
    """The ids of everybody who was at these evenings."""
    return {member_id for evening in played for member_id in evening.people()}


def met_by(member_id: int, played: Iterable[DrawnEvening]) -> list[Met]:
    """The people this person met, most often first."""
    together: Counter[str] = Counter()
    partners: Counter[str] = Counter()
    last: dict[str, Evening] = {}
    me = str(member_id)
    for evening in played:
        tables = [
            table for drawn in evening.rounds for table in drawn.tables if me in table.people()
        ]
        for table in tables:
            others = table.people() - {me}
            together.update(others)
            last |= dict.fromkeys(others, evening.evening)
            partners.update(other for pair in table.partners() if me in pair for other in pair)
    return [
        Met(int(other), partners[other], times - partners[other], last[other])
        for other, times in together.most_common()
    ]


def rounds_there(member_id: int, played: Iterable[DrawnEvening]) -> int:
    """How many rounds a member was there for, sitting out or not."""
    return sum(member_id in _people(drawn) for evening in played for drawn in evening.rounds)


def turns_out(member_id: int, played: Iterable[DrawnEvening]) -> TurnShare:
    """A member's turns of sitting out."""
    return _turns(member_id, played, lambda drawn: drawn.sit_out)


def turns_at_three(member_id: int, played: Iterable[DrawnEvening]) -> TurnShare:
    """A member's turns at a table of three."""
    return _turns(member_id, played, _at_three)


def season_encounters(played: Sequence[DrawnEvening]) -> dict[int, dict[int, TimesTogether]]:
    """For everybody who was there, how often they were with and against each other person; people
    they never met are left out."""
    people = [str(member_id) for member_id in everybody(played)]
    counts = season_pair_counts(people, [past_evening(evening.rounds) for evening in played])
    return {
        int(member_id): {int(other): times for other, times in others.items()}
        for member_id, others in counts.items()
    }


def _turns(
    member_id: int,
    played: Iterable[DrawnEvening],
    turns_in: Callable[[RoundDraw], Sequence[str]],
) -> TurnShare:
    """The fair share is the rounds attended times the average rate of turns per round attended."""
    rounds = [drawn for evening in played for drawn in evening.rounds]
    attended = Counter(person for drawn in rounds for person in _people(drawn))
    turns = Counter(int(person) for drawn in rounds for person in turns_in(drawn))
    in_all = turns.total()
    share = attended[member_id] * in_all / attended.total() if attended else 0.0
    return TurnShare(times=turns[member_id], in_all=in_all, share=round(share, 1))


def _at_three(drawn: RoundDraw) -> list[str]:
    threes = (table for table in drawn.tables if len(table.seats) == TABLE_SIZE - 1)
    return [person for table in threes for person in table.seats.values()]


def _people(drawn: RoundDraw) -> set[int]:
    seated = (person for table in drawn.tables for person in table.seats.values())
    return {int(person) for person in (*seated, *drawn.sit_out)}


def times_together(together: TimesTogether) -> int:
    """How often two people shared a table."""
    return together.partners + together.opponents


def couples_met(people: Sequence[Member], encounters: Encounters) -> list[Couple]:
    """Every couple that met, once; most often together first, then by surname."""
    turn = {member.pk: place for place, member in enumerate(people)}
    met = [
        (member, people[turn[other]], together)
        for member in people
        for other, together in encounters[member.pk].items()
        if turn[member.pk] < turn[other]
    ]
    return sorted(
        met, key=lambda couple: (-times_together(couple[2]), turn[couple[0].pk], turn[couple[1].pk])
    )


def encounters_in_words(people: Sequence[Member], encounters: Encounters, evenings: int) -> str:
    """One sentence about these people, sorted by name; empty if nobody met anybody."""
    couples = couples_met(people, encounters)
    if not couples:
        return ""
    never = len(people) * (len(people) - 1) // 2 - len(couples)
    times = [times_together(together) for _member, _other, together in couples] + [0] * never
    most = [couple for couple, often in zip(couples, times, strict=False) if often == times[0]]
    return _("%(people)s, %(evenings)s: most couples were together %(usual)s; %(most)s.") % {
        "people": ngettext("%(n)s person", "%(n)s people", len(people)) % {"n": len(people)},
        "evenings": ngettext("%(n)s evening", "%(n)s evenings", evenings) % {"n": evenings},
        "usual": _usual(times),
        "most": _most(most),
    }


def _usual(times: Sequence[int]) -> str:
    """How often the middle half of the couples met; `times` is descending."""
    low, high = times[3 * len(times) // 4], times[len(times) // 4]
    if not high:
        return _("never")
    if low == high:
        return ngettext("%(n)s time", "%(n)s times", low) % {"n": low}
    words = {"low": low, "high": high}
    if high == low + 1:
        return _("%(low)s or %(high)s times") % words
    return _("%(low)s to %(high)s times") % words


def _most(couples: Sequence[Couple]) -> str:
    """The couples that met most often."""
    member, other, together = couples[0]
    times = times_together(together)
    if len(couples) == 1:
        return ngettext(
            "most often %(one)s and %(other)s: %(n)s time",
            "most often %(one)s and %(other)s: %(n)s times",
            times,
        ) % {"n": times, "one": member.shown_name, "other": other.shown_name}
    return ngettext(
        "the most was %(n)s time, for %(couples)s couples",
        "the most was %(n)s times, for %(couples)s couples",
        times,
    ) % {"n": times, "couples": len(couples)}
