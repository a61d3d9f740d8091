"""The club's challenge cups: who holds each, and who may keep it."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from clubs.models import Club, Member
from tournaments.models import Cup, CupWin, Evening, Release, Season


@dataclass(frozen=True, slots=True)
class CupRecord:
    """A cup with its wins in order of time.

    `held_by` has the last winner, or several who shared it, with how often each has won it; `kept`
    is the win that let somebody keep the cup.
    """

    cup: Cup
    wins: Sequence[CupWin]
    held_by: Sequence[tuple[Member, int]]
    kept: CupWin | None

    @property
    def goes_to_evenings(self) -> bool:
        """Whether it is played for on evenings, judging by the last win."""
        return not self.wins or self.wins[-1].season_id is None

    @property
    def goes_to_seasons(self) -> bool:
        """Whether it is played for over a season, judging by the last win."""
        return not self.wins or self.wins[-1].season_id is not None


@dataclass(frozen=True, slots=True)
class CupSuggestion:
    """A cup that a member may have won now; `times` counts their wins, this one included."""

    cup: Cup
    member: Member
    times: int

    @property
    def may_keep(self) -> bool:
        """Whether the member may keep it with this win."""
        return self.times >= self.cup.wins_to_keep


def cup_records(club: Club) -> list[CupRecord]:
    """Every cup of the club, in two queries."""
    cups = list(Cup.objects.filter(club=club))
    wins: dict[int, list[CupWin]] = {cup.pk: [] for cup in cups}
    for win in CupWin.objects.filter(cup__in=cups).select_related("member", "evening", "season"):
        wins[win.cup_id].append(win)
    return [cup_record(cup, wins[cup.pk]) for cup in cups]


def cup_record(cup: Cup, wins: Sequence[CupWin]) -> CupRecord:
    """The record of a cup with these wins, which are in order of time."""
    times = Counter(win.member_id for win in wins)
    last = [win for win in wins if win.won_on == wins[-1].won_on]
    held_by = [(win.member, times[win.member_id]) for win in last]
    return CupRecord(cup, wins, held_by, _kept(cup, wins))


def cups_after_evening(evening: Evening, winners: Sequence[int]) -> list[CupSuggestion]:
    """The cups that these members (ids) may have won on this evening, except cups whose win is
    already recorded and those played for over a season."""
    return _suggested(
        [
            record
            for record in cup_records(evening.club)
            if record.goes_to_evenings
            and not any(win.evening_id == evening.pk for win in record.wins)
        ],
        winners,
    )


def cups_after_season(season: Season, winners: Sequence[int]) -> list[CupSuggestion]:
    """The cups that these members (ids) may have won over this season; none while it still has
    evenings to come."""
    suggested = _suggested(
        [
            record
            for record in cup_records(season.club)
            if record.goes_to_seasons and not any(win.season_id == season.pk for win in record.wins)
        ],
        winners,
    )
    to_come = season.evenings.filter(state__in=(Evening.State.PLANNED, Evening.State.RUNNING))
    return [] if suggested and to_come.exists() else suggested


def cups_of_former_winners(releases: Sequence[Release], winners: Collection[int]) -> list[CupWin]:
    """Recorded wins of members who won an evening by one of these results but are no longer among
    the `winners` (ids): somebody else may have won those cups."""
    former = {
        row["member"]
        for release in releases
        for row in release.standings
        if row["rank"] == 1 and row["member"] not in winners
    }
    wins = CupWin.objects.filter(evening__releases__in=releases, member__in=former)
    return list(wins.distinct().select_related("cup", "member")) if former else []


def _suggested(records: Iterable[CupRecord], winners: Sequence[int]) -> list[CupSuggestion]:
    open_records = [record for record in records if record.kept is None]
    members = Member.objects.in_bulk(winners) if open_records else {}
    return [
        CupSuggestion(record.cup, member, 1 + sum(win.member_id == pk for win in record.wins))
        for record in open_records
        for pk, member in members.items()
    ]


def _kept(cup: Cup, wins: Sequence[CupWin]) -> CupWin | None:
    times: Counter[int] = Counter()
    for win in wins:
        times[win.member_id] += 1
        if times[win.member_id] == cup.wins_to_keep:
            return win
    return None
