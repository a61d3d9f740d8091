"""The texts of an evening of folders, which has percentages by line in place of points. The club's
own wordings speak of points, so these have one of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from tournaments.publicity.wordings import MESSAGE, NEWSPAPER
from tournaments.releases.folders import LINE_WORDS, FolderLine
from tournaments.story.texts import names_in_words

TOP = 5

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
