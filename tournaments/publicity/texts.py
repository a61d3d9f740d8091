"""The public facts of an evening, and the texts for the group and the newspaper made of them. An
evening of folders has percentages by line in place of points. The club's own wordings speak of
points, so those have one of their own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from django.db.models import Q
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

from clubs.http.network import absolute_url
from clubs.models import Club, Member
from clubs.text.numbers import number
from tournaments.evenings.pages import shown_competitors
from tournaments.evenings.texts import day_words
from tournaments.models import Evening, Placement
from tournaments.prizes.core import Award
from tournaments.prizes.giving import evening_awards, prize_lines
from tournaments.publicity.wordings import (
    MESSAGE,
    NEWSPAPER,
    club_wording,
    wording_fill,
    wording_has,
)
from tournaments.releases.folders import LINE_WORDS, FolderLine, folder_lines, folder_lines_now
from tournaments.releases.lines import live_lines, release_lines
from tournaments.releases.queries import PublicRow, release_rows, total_rows
from tournaments.releases.services import release_is_current
from tournaments.seasons.standings import season_standings
from tournaments.standings.core.results import RoundScore, SeasonRow, whole_mean
from tournaments.standings.queries import evening_standings
from tournaments.standings.scores import WHOLE_EVENING, evening_scores
from tournaments.story.texts import names_in_words

TOP = 5
FOLLOWERS = (2, 3)
BEST_ROUND = "best_round"
"""The metric whose prize is for the highest round."""


@dataclass(frozen=True, slots=True)
class PublicPlace:
    """A place in the standing, under a public name."""

    rank: int
    name: str
    total: int


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """Somebody's score in a round they played."""

    member_id: int
    score: int


class EveningStory:
    """The facts of an evening, as published or else as they are now.

    People without a public page only count in the number of players and the overall figures.
    """

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.release = evening.releases.first() if evening.state == Evening.State.CLOSED else None
        if self.release:
            self.release.evening = evening

    @property
    def is_published(self) -> bool:
        """Whether the result has been published."""
        return self.release is not None

    @cached_property
    def is_current(self) -> bool:
        """Whether nothing was corrected since it was published."""
        return self.release is not None and release_is_current(self.release)

    @cached_property
    def rows(self) -> list[PublicRow]:
        """The standing."""
        return release_rows(self.release) if self.release else total_rows(self.evening)

    @cached_property
    def places(self) -> int:
        """How many played, each substitute together with whom they stood in for."""
        seats = Placement.objects.filter(round__evening=self.evening)
        own = set(seats.filter(substitute=False).values_list("member_id", flat=True))
        stood_in = set(seats.filter(substitute=True).values_list("member_id", flat=True)) - own
        return len([row for row in self.rows if row.member_id not in stood_in])

    @cached_property
    def named(self) -> Mapping[int, str]:
        """The public names by member id, of people with a public page."""
        members = Member.objects.in_bulk([row.member_id for row in self.rows])
        return {pk: member.shown_name for pk, member in members.items() if member.has_page}

    @cached_property
    def lines(self) -> list[PublicPlace]:
        """The standing of people with a public page, with a line for each fixed pair; or of the
        teams, or the pairs, that the evening ranks."""
        if self._competitors:
            return [
                PublicPlace(line.rank, line.name, line.total)
                for line in self._competitors
                if line.rank is not None
            ]
        shown = [row for row in self.rows if row.member_id in self.named]
        if any(row.pair for row in self.rows):
            return self._pair_lines(shown)
        return [
            PublicPlace(row.rank, self.named[row.member_id], row.total)
            for row in shown
            if row.rank is not None
        ]

    @cached_property
    def _competitors(self) -> list[PublicRow]:
        """The lines of the teams, or of the pairs that have a line beside their people."""
        if self.release:
            lines = release_lines(self.release, self.rows)
        else:
            lines = live_lines(self.evening, self.rows)
        return [line for line in lines if line.is_competitor]

    @cached_property
    def folder_lines(self) -> list[FolderLine]:
        """The places of an evening of folders."""
        return folder_lines(self.release) if self.release else folder_lines_now(self.evening)

    @cached_property
    def last_place(self) -> int:
        """The last place, whoever has it; 1 if all are equal."""
        lines = self._competitors or self.rows
        ranks = [line.pair.rank if line.pair else line.rank for line in lines]
        return max((rank for rank in ranks if rank is not None), default=1)

    @cached_property
    def rounds(self) -> list[PlayedRound]:
        """Every round that somebody played, from the highest score down."""
        scores = evening_scores(self.evening)
        played = [
            PlayedRound(row.member_id, score)
            for row in self.rows
            for number_, score in row.rounds.items()
            if _was_played(scores.get(row.member_id, {}).get(number_))
        ]
        return sorted(played, key=lambda round_: -round_.score)

    @cached_property
    def side_awards(self) -> Sequence[Award]:
        """The side prizes of people with a public page; none after a correction."""
        if self.release and not self.is_current:
            return []
        awards = evening_awards(self.evening, evening_standings(self.evening))
        shown = [self._shown(award) for award in awards if award.kind == "side"]
        return [award for award in shown if award.people]

    @cached_property
    def leaders(self) -> list[SeasonRow]:
        """The leaders of the season after this evening; none before it is published."""
        season = self.evening.season
        if season is None or not self.is_published:
            return []
        return [row for row in season_standings(season).rows if row.rank == 1]

    @cached_property
    def following(self) -> Evening | None:
        """The next evening of the club that is planned."""
        date, sequence = self.evening.date, self.evening.sequence
        later = Q(date__gt=date) | Q(date=date, sequence__gt=sequence)
        planned = Evening.objects.of(self.evening.club).filter(
            later, state__in=[Evening.State.PLANNED, Evening.State.RUNNING]
        )
        return planned.order_by("date", "sequence").first()

    def names(self, member_ids: Iterable[int]) -> str:
        """Their public names in a sentence, without people who have no public page."""
        return names_in_words(
            [self.named[pk] for pk in dict.fromkeys(member_ids) if pk in self.named]
        )

    def _pair_lines(self, shown: Iterable[PublicRow]) -> list[PublicPlace]:
        pairs = {row.pair.number: row.pair for row in self.rows if row.pair}
        names: dict[int, list[str]] = {number: [] for number in pairs}
        for row in shown:
            if row.pair:
                names[row.pair.number].append(self.named[row.member_id])
        lines = [
            PublicPlace(rank, " – ".join(both), pairs[number].total)
            for number, both in names.items()
            if both and (rank := pairs[number].rank) is not None
        ]
        return sorted(lines, key=lambda line: (line.rank, line.name.casefold()))

    def _shown(self, award: Award) -> Award:
        people = [
            replace(winner, name=self.names(int(pk) for pk in winner.ids))
            for winner in award.people
            if any(int(pk) in self.named for pk in winner.ids)
        ]
        return replace(award, people=tuple(people))


def _was_played(score: RoundScore | None) -> bool:
    return score is not None and score.round != WHOLE_EVENING and score.played


def evening_text(story: EveningStory, *, kind: str, language: str) -> str:
    """The text of a kind in a language, ready to be sent, in the club's wording or the standard; of
    folders in that of folders."""
    if story.evening.plays_folders:
        with translation.override(language):
            values = {
                **_about(story),
                **_figures(story, tells_highest=False),
                **folder_values(story.folder_lines),
            }
        wording = WORDINGS[kind, language]
        return wording_fill(wording, values, joined=kind == NEWSPAPER)
    wording = club_wording(story.evening.club, kind, language).text
    values = text_values(story, language, tells_highest=wording_has(wording, "highest"))
    return wording_fill(wording, values, joined=kind == NEWSPAPER)


def text_values(
    story: EveningStory, language: str, *, tells_highest: bool = False
) -> dict[str, str]:
    """The values of a wording's fields by English name, as text in a language. A wording that
    `tells_highest` need not say it among the prizes once more."""
    with translation.override(language):
        return {
            **_about(story),
            **_places(story),
            **_figures(story, tells_highest=tells_highest),
            **_season(story),
        }


def _about(story: EveningStory) -> dict[str, str]:
    evening = story.evening
    page = reverse("evening_page", args=[evening.club.slug, evening.slug])
    following = story.following
    return {
        "club": evening.club.name,
        "date": date_format(evening.date, "l j F Y"),
        "evening": evening.name,
        "players": str(story.places) if story.rows else "",
        "next": day_words(following) if following else "",
        "link": absolute_url(evening.club, page),
    }


def _places(story: EveningStory) -> dict[str, str]:
    lines = story.lines
    first = [line for line in lines if line.rank == 1]
    last = [line for line in lines if line.rank == story.last_place > 1]
    return {
        "winner": names_in_words([line.name for line in first]),
        "points": number(first[0].total) if first else "",
        "top": "\n".join(
            f"{line.rank}. {line.name} {number(line.total)}" for line in lines if line.rank <= TOP
        ),
        "runners_up": names_in_words(
            [_with_total(line) for line in lines if line.rank in FOLLOWERS]
        ),
        "results": ", ".join(f"{line.rank}. {_with_total(line)}" for line in lines),
        "last": names_in_words([line.name for line in last]),
        "last_points": number(last[0].total) if last else "",
    }


def _figures(story: EveningStory, *, tells_highest: bool) -> dict[str, str]:
    totals, rounds = [row.total for row in story.rows], story.rounds
    highest = [round_ for round_ in rounds if round_.score == rounds[0].score]
    lowest = [round_ for round_ in rounds if round_.score == rounds[-1].score]
    awards = [
        award
        for award in story.side_awards
        if not (tells_highest and award.key.partition("/")[0] == BEST_ROUND)
    ]
    sides = prize_lines(story.evening.club, awards)
    return {
        "average": number(whole_mean(totals)) if totals else "",
        "highest": number(rounds[0].score) if rounds else "",
        "highest_player": story.names(round_.member_id for round_ in highest),
        "lowest": number(rounds[-1].score) if rounds else "",
        "lowest_player": story.names(round_.member_id for round_ in lowest),
        "side_prizes": "\n".join(
            f"{prize.title}: {names_in_words(prize.names)} ({prize.figure})" for prize in sides
        ),
    }


def _season(story: EveningStory) -> dict[str, str]:
    leaders = story.leaders
    named = _leading(story.evening.club, [row.player_id for row in leaders])
    decimals = 2 if leaders and not isinstance(leaders[0].value, int) else None
    return {
        "season": story.evening.season.name if story.evening.season else "",
        "leader": names_in_words(named),
        "leader_points": number(leaders[0].value, decimals) if named else "",
    }


def _leading(club: Club, keys: Sequence[str]) -> list[str]:
    """The public names of the people, pairs or teams with these keys."""
    competitors = shown_competitors(club, keys)
    members = Member.objects.in_bulk([int(key) for key in keys if key not in competitors])
    people = [member.shown_name for member in members.values() if member.has_page]
    return [*people, *(shown.name for shown in competitors.values())]


def _with_total(line: PublicPlace) -> str:
    return f"{line.name} ({number(line.total)})"


WORDINGS: Mapping[tuple[str, str], str] = {
    (MESSAGE, "nl"): """\
*{club}, {datum}*
Portefeuille, iedereen met dezelfde kaarten: {spelers} spelers.
Gewonnen door {winnaar}.

{top}

{bijprijzen}

Volgende keer: {volgende}
{link}
""",
    (MESSAGE, "en"): """\
*{club}, {date}*
Portefeuille, everybody with the same cards: {players} players.
Won by {winner}.

{top}

{side_prizes}

Next time: {next}
{link}
""",
    (NEWSPAPER, "nl"): """\
{club}: portefeuille

Bij {club} speelden {spelers} spelers op {datum} portefeuille.
Iedereen kreeg dezelfde kaarten, en wie er meer van maakte dan de anderen won.
De avond werd gewonnen door {winnaar}.

De volgende keer is op {volgende}.

De uitslag: {uitslag}.
""",
    (NEWSPAPER, "en"): """\
{club}: portefeuille

At {club} {players} people played portefeuille on {date}.
Everybody had the same cards, and whoever made more of them than the others won.
The evening was won by {winner}.

The next time is on {next}.

The results: {results}.
""",
}
"""By kind and language."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of people with a public page, or of a team."""

    line: str | None
    rank: int
    name: str
    figure: str

    @property
    def words(self) -> str:
        return f"{self.name} ({self.figure})"


def folder_values(lines: Sequence[FolderLine]) -> dict[str, str]:
    """The places in words, by the English names of a wording's fields."""
    shown = [place for line in lines if (place := _place(line))]
    by_line = [(line, [*rows]) for line, rows in groupby(shown, key=attrgetter("line"))]
    return {
        "winner": names_in_words([place.words for place in shown if place.rank == 1]),
        "top": "\n\n".join(_best(line, rows) for line, rows in by_line),
        "results": "; ".join(
            _headed(line, ", ".join(f"{place.rank}. {place.words}" for place in rows))
            for line, rows in by_line
        ),
    }


def _place(line: FolderLine) -> _Place | None:
    """None where nobody of the pair has a public page."""
    people = [member for pair in line.pairs for member in pair.people if member.has_page]
    name = line.pairs[0].public_team or " – ".join(member.shown_name for member in people)
    return _Place(line.line, line.place, name, line.words) if name else None


def _best(line: str | None, rows: Sequence[_Place]) -> str:
    first = [f"{place.rank}. {place.name} {place.figure}" for place in rows if place.rank <= TOP]
    return "\n".join([*([] if line is None else [str(LINE_WORDS[line])]), *first])


def _headed(line: str | None, words: str) -> str:
    return words if line is None else f"{LINE_WORDS[line]}: {words}"
