"""Portefeuille in words: how the pairs move, what is wrong with hands, what was played; and the
lines of folders, for pages and for paper: what each table played and got."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from clubs.models import Club
from clubs.text.numbers import SEAT_NAMES, number
from scoring.display.words import pit_word, reader_language
from scoring.rules import card_name
from tournaments.duplicate.core.dealing import HandFault
from tournaments.duplicate.core.movements import MovementRound
from tournaments.duplicate.core.scoring import Line, decimal_text
from tournaments.duplicate.queries import (
    DuplicateResults,
    PlayingPair,
    TableResult,
)
from tournaments.models import DuplicateEvening, Evening
from tournaments.releases.folders import NamedPair, boards_words

Kind = DuplicateEvening.Kind
Comparison = DuplicateEvening.Comparison

SHORT_LINES: Mapping[Line, Promise] = {"NS": gettext_lazy("N/S"), "EW": gettext_lazy("E/W")}

MOVING: Mapping[str, Promise] = {
    Kind.MITCHELL: gettext_lazy(
        "There are two lines. North-South stay at their table, East-West move up a table each round"
        " and the folders go down one. A pair is compared with its own line."
    ),
    Kind.HOWELL: gettext_lazy(
        "Nearly everybody moves each round: everybody meets everybody, and the guide card says"
        " where to go. All pairs are in one ranking."
    ),
    Kind.TEAMS: gettext_lazy(
        "The two pairs of a team sit at two tables, one North-South and one East-West, against the"
        " two pairs of another team, over the same folders."
    ),
}
COMPARING: Mapping[str, Promise] = {
    Comparison.MATCHPOINTS: gettext_lazy(
        "On each folder a pair gets 2 points for each pair of its line that made less and 1 for"
        " each that made the same. The percentage is what it got of all it could get."
    ),
    Comparison.MEAN: gettext_lazy(
        "On each folder a pair gets what it made more than the mean of its line, or less."
    ),
    Comparison.CROSS: gettext_lazy(
        "On each folder the difference of the two sides is compared with that at each other table."
    ),
}
FAULTS: Mapping[str, Any] = {
    "nothing": gettext_lazy("There are no cards here."),
    "json": gettext_lazy("This is not a file with hands that this program can read."),
    "line": gettext_lazy(
        "Line %(line)s cannot be read: “%(words)s”. Write the folder, the seat and the cards."
    ),
    "number": gettext_lazy("There is no folder %(n)s: they are numbered from 1 to %(most)s."),
    "folder": gettext_lazy("This evening has no folder %(n)s."),
    "folder_twice": gettext_lazy("Folder %(n)s stands there twice."),
    "seat_twice": gettext_lazy("Folder %(n)s: the cards of %(seat)s stand there twice."),
    "card_unknown": gettext_lazy("Folder %(n)s: “%(card)s” is not a card."),
    "card_twice": gettext_lazy("Folder %(n)s: %(card)s is there twice."),
    "hand_size": ngettext_lazy(
        "Folder %(n)s: %(seat)s has %(count)s card, and not 8.",
        "Folder %(n)s: %(seat)s has %(count)s cards, and not 8.",
        "count",
    ),
    "cards_missing": gettext_lazy("Folder %(n)s: %(count)s of the 32 cards; missing: %(cards)s."),
    "differs": gettext_lazy(
        "Folder %(n)s: these are not the cards that were dealt. Which lie elsewhere can be read"
        " here after the evening."
    ),
    "moved": gettext_lazy(
        "Folder %(n)s: %(card)s was dealt to %(dealt)s and lies with %(found)s here."
    ),
}


def hand_fault_words(fault: HandFault) -> str:
    """What is wrong with hands, as a sentence."""
    params: dict[str, Any] = {**fault.params, "n": fault.number}
    for name in ("seat", "dealt", "found"):
        if name in params:
            params[name] = str(SEAT_NAMES[params[name]])
    if fault.code in ("card_twice", "moved"):
        params["card"] = card_name(params["card"], reader_language())
    if fault.code == "cards_missing":
        language = reader_language()
        params["cards"] = ", ".join(card_name(card, language) for card in params["cards"])
    return str(FAULTS[fault.code] % params)


def movement_lines(
    duplicate: DuplicateEvening, pairs: int, made: Sequence[MovementRound]
) -> Iterator[str]:
    """How so many pairs move and are compared, a sentence each."""
    yield str(MOVING[duplicate.kind])
    yield _length(made)
    out = max(len(round_.sit_out) for round_ in made)
    if out == 1:
        yield _("With %(n)s pairs one sits out each round, and plays fewer folders.") % {"n": pairs}
    elif out:
        yield _("With %(n)s teams one team sits out each round.") % {"n": pairs // 2}
    copies = copies_needed(made)
    if copies > 1:
        words = ngettext(
            "Tables play the same folders at the same time: lay %(n)s of each ready, or pass them"
            " on after each deal.",
            "Tables play the same folders at the same time: lay %(n)s of each ready, or pass them"
            " on after each deal.",
            copies,
        )
        yield words % {"n": copies}
    played = len({board for round_ in made for table in round_.tables for board in table.boards})
    if rest := duplicate.folders - played:
        words = ngettext(
            "%(n)s folder is left over: the rounds are equally long.",
            "%(n)s folders are left over: the rounds are equally long.",
            rest,
        )
        yield words % {"n": rest}
    yield str(COMPARING[duplicate.compare])
    yield _("Places and sheets are hidden from the hall until you show them, or close the evening.")
    yield _("Checked: nobody plays a folder twice, nor meets a pair twice unless that must be.")


def copies_needed(rounds: Sequence[MovementRound]) -> int:
    """Of each folder so many lie ready: as many tables as play one at the same time."""
    return max(
        sum(board in table.boards for table in round_.tables)
        for round_ in rounds
        for board in {table.boards[0] for table in round_.tables}
    )


def _length(made: Sequence[MovementRound]) -> str:
    size = len(made[0].tables[0].boards)
    deals = ngettext("%(n)s deal", "%(n)s deals", size) % {"n": size}
    words = ngettext("%(rounds)s round of %(deals)s.", "%(rounds)s rounds of %(deals)s.", len(made))
    return words % {"rounds": len(made), "deals": deals}


def listed(numbers: Sequence[int]) -> str:
    """Numbers in a sentence: `5, 6 and 7`."""
    return str(get_text_list([str(each) for each in numbers], _("and")))


def points_words(points: Fraction) -> str:
    """What something was worth, with the reader's decimal sign."""
    return number(Decimal(decimal_text(points)))


def percent_words(percent: Decimal | None) -> str:
    """A percentage, with the reader's decimal sign; empty for none."""
    return "" if percent is None else f"{number(percent, 2)}%"


def ranks_words(ranks: str) -> str:
    """The cards of a suit as people read them: `A K 10 7`."""
    language = reader_language()
    return " ".join(card_name(f"{rank}S", language)[1:] for rank in ranks)


@dataclass(frozen=True, slots=True)
class PlayRow:
    """What one pair made of a folder, or one table did: who sat there, what was played, what each
    line got for it."""

    result: TableResult
    ns: NamedPair
    ew: NamedPair
    declarer: str
    trump: str
    marks: tuple[str, ...]
    worth: Mapping[Line, str]
    percent: Mapping[Line, str]

    @property
    def ns_score(self) -> int | None:
        """The points of North-South."""
        return self.result.score[0] if self.result.score else None

    @property
    def ew_score(self) -> int | None:
        """The points of East-West."""
        return self.result.score[1] if self.result.score else None


def play_rows(
    club: Club, results: DuplicateResults, played: Sequence[TableResult]
) -> list[PlayRow]:
    """What each table made of a folder, the best for North-South first."""
    best = sorted(played, key=lambda result: -result.worth.get("NS", 0))
    return [_play_row(club, results, result) for result in best]


def pair_rows(
    club: Club, results: DuplicateResults, number: int
) -> list[tuple[PlayRow, str, NamedPair, Line]]:
    """The folders of a pair: each with its line in words, its opponents and its line."""
    rows = []
    for result in results.of_pair(number):
        line: Line = "NS" if result.sides["NS"] == number else "EW"
        row = _play_row(club, results, result)
        rows.append((row, str(SHORT_LINES[line]), row.ew if line == "NS" else row.ns, line))
    return rows


def _declarer(written: Mapping[str, Any]) -> str:
    """Who played, as far as the sheet says: a seat or a line."""
    declarer = written.get("declarer", "")
    return str(SHORT_LINES[declarer] if declarer in SHORT_LINES else SEAT_NAMES.get(declarer, ""))


def _play_row(club: Club, results: DuplicateResults, result: TableResult) -> PlayRow:
    written = result.written or {}
    lines: tuple[Line, Line] = ("NS", "EW")
    marks = []
    if result.nat:
        marks.append(_("nat"))
    if result.pit:
        marks.append(f"{pit_word(club)} {SHORT_LINES[result.pit]}")  # type: ignore[index]
    if result.is_over and result.score is None and not result.ruled:
        marks.append(_("not played"))
    for line, (percent, _reason) in result.ruled.items():
        marks.append(
            _("director: %(n)s%% for %(line)s") % {"n": percent, "line": SHORT_LINES[line]}
        )
    named = [results.pairs.get(result.sides[line], NamedPair(result.sides[line])) for line in lines]
    return PlayRow(
        result=result,
        ns=named[0],
        ew=named[1],
        declarer=_declarer(written),
        trump=written.get("trump") or "",
        marks=tuple(marks),
        worth={line: points_words(value) for line, value in result.worth.items()},
        percent={line: percent_words(result.percent(line)) for line in lines},
    )


@dataclass(frozen=True, slots=True)
class PreviewTable:
    """A table of a round in the preview: who meet, by number, over which folders."""

    table: int
    ns: int
    ew: int
    boards: str


@dataclass(frozen=True, slots=True)
class PreviewRound:
    """A round of the movement before it is made."""

    number: int
    tables: tuple[PreviewTable, ...]
    out: tuple[int, ...]


def rounds_shown(
    evening: Evening, made: Sequence[MovementRound], pairs: Sequence[PlayingPair]
) -> list[PreviewRound]:
    """The rounds of a movement, with the numbers of these pairs."""
    return [
        PreviewRound(
            number,
            tuple(
                PreviewTable(
                    at.table + evening.first_table - 1,
                    pairs[at.ns - 1].number,
                    pairs[at.ew - 1].number,
                    boards_words(at.boards),
                )
                for at in round_.tables
            ),
            tuple(pairs[pair - 1].number for pair in round_.sit_out),
        )
        for number, round_ in enumerate(made, start=1)
    ]
