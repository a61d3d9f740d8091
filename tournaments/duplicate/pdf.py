"""Portefeuille on paper: dealing cards, labels of folders, travel slips, guide cards."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Member
from clubs.text.numbers import SEAT_NAMES
from scoring.display.words import pit_word
from scoring.pdf.paper import FELT, INK, RED, RULE, SHADE, SOFT, Paper
from scoring.rules import SEATS
from scoring.rules.hands import hands_of
from tournaments.duplicate.core.dealing import dealer_of_folder, hand_in_suits
from tournaments.duplicate.queries import DuplicateResults, TableResult
from tournaments.duplicate.texts import (
    SHORT_LINES,
    ranks_words,
)
from tournaments.models import Evening
from tournaments.releases.folders import NamedPair, boards_words

ROW = 22.0
GUIDE_ROWS = 20
SLIP_ROWS = 11
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

Corner = tuple[float, float]


class Slot(NamedTuple):
    """Where a card is drawn: on this paper from its upper left corner, so wide and high."""

    paper: Paper
    corner: Corner
    width: float
    height: float


DrawCard = Callable[[Slot], None]


def cards_pdf(evening: Evening, hands: Mapping[int, str]) -> bytes:
    """A card for each folder with the four hands, four on a page, by which it is filled."""
    cards = [partial(_draw_hands, evening, number, holders) for number, holders in hands.items()]
    return cards_on_pages(_("Dealing cards"), evening, cards, across=2, down=2)


def labels_pdf(evening: Evening, results: DuplicateResults) -> bytes:
    """A label for each folder, eight on a page: its number, who deals, and where it goes."""
    of_folder = results.of_folder
    labels = [
        partial(_draw_label, evening, number, of_folder.get(number, ()))
        for number in sorted(results.folders)
    ]
    return cards_on_pages(_("Labels of folders"), evening, labels, across=2, down=4)


def slips_pdf(evening: Evening, results: DuplicateResults) -> bytes:
    """A slip that travels with each folder, on which every table writes its line."""
    of_folder = results.of_folder
    slips = [
        partial(_draw_slip, evening, number, of_folder[number]) for number in sorted(of_folder)
    ]
    longest = max(len(played) for played in of_folder.values())
    down = 2 if longest <= SLIP_ROWS else 1
    return cards_on_pages(_("Travel slips"), evening, slips, across=1, down=down)


def guides_pdf(evening: Evening, results: DuplicateResults) -> bytes:
    """A card for each pair that says where it plays each round, against whom, over what."""
    rounds = sorted({result.round for result in results.tables})
    guides = [
        partial(_draw_guide, evening, results, number, rounds)
        for number in sorted(results.pairs)
        if results.of_pair(number)
    ]
    small = len(rounds) <= GUIDE_ROWS
    return cards_on_pages(
        _("Guide cards"), evening, guides, across=2 if small else 1, down=2 if small else 1
    )


def cards_on_pages(
    title: str, evening: Evening, cards: Sequence[DrawCard], *, across: int, down: int
) -> bytes:
    """Cards to cut out, so many on a page."""
    paper = Paper(title, author=evening.club.name)
    width, height = paper.width / across, paper.height / down
    for start in range(0, len(cards), across * down):
        for place, draw in enumerate(cards[start : start + across * down]):
            row, column = divmod(place, across)
            draw(Slot(paper, (column * width, paper.height - row * height), width, height))
        for column in range(1, across):
            x = column * width
            paper.line(x, 0, x, paper.height, colour=RULE, dashes=(4, 4))
        for row in range(1, down):
            y = row * height
            paper.line(0, y, paper.width, y, colour=RULE, dashes=(4, 4))
        paper.next_page()
    return paper.finish()


def _occasion(evening: Evening) -> str:
    day = date_format(evening.date, "j F Y")
    return " · ".join(filter(None, [evening.club.name, evening.name, day]))


def draw_card_head(slot: Slot, evening: Evening, title: str, side: str) -> float:
    """The title of a card with something beside it; returns the height below it."""
    paper, corner, width, _height = slot
    left, top = corner[0] + 22, corner[1] - 20
    room = width - 44
    paper.text(left, top - 8, _occasion(evening), size=9, width=room, colour=SOFT)
    drawn = paper.text(left, top - 36, title, size=24, heading=True, width=room, colour=FELT)
    paper.text(left + room, top - 34, side, size=12, align="right", width=room - drawn - 10)
    paper.line(left, top - 44, left + room, top - 44, thick=1.2, colour=FELT)
    return top - 44


def _draw_hands(
    evening: Evening,
    number: int,
    holders: str,
    slot: Slot,
) -> None:
    paper, corner, width, height = slot
    dealer = _("%(seat)s deals") % {"seat": SEAT_NAMES[dealer_of_folder(number)]}
    title = _("Folder %(n)s") % {"n": number}
    below = draw_card_head(slot, evening, title, dealer)
    hands = hands_of(holders)
    left, middle = corner[0] + 22, corner[0] + width / 2
    foot = corner[1] - height + 24
    block = (below - foot) / 3
    places = {
        "N": (middle - 52, below - 20),
        "W": (left, below - block - 16),
        "E": (middle + 16, below - block - 16),
        "S": (middle - 52, below - 2 * block - 12),
    }
    for seat in SEATS:
        x, y = places[seat]
        paper.text(x, y, str(SEAT_NAMES[seat]), size=11, bold=True, colour=SOFT)
        for line, (suit, ranks) in enumerate(hand_in_suits(hands[seat]), start=1):
            at = y - line * 18
            colour = RED if suit in "HD" else INK
            paper.text(x, at, SUIT_SIGNS[suit], size=15, colour=colour)
            words = ranks_words(ranks) or "–"
            paper.text(x + 18, at, words, size=14, width=112)


def _draw_label(
    evening: Evening,
    number: int,
    played: Sequence[TableResult],
    slot: Slot,
) -> None:
    paper, corner, width, _height = slot
    left, top = corner[0] + 22, corner[1] - 22
    room = width - 44
    paper.text(left, top - 8, _occasion(evening), size=9, width=room, colour=SOFT)
    paper.text(left, top - 96, str(number), size=84, heading=True, colour=FELT)
    right = left + room
    dealer = dealer_of_folder(number)
    paper.text(right, top - 44, _("Folder"), size=14, align="right", colour=SOFT)
    words = _("%(seat)s deals") % {"seat": SEAT_NAMES[dealer]}
    paper.text(right, top - 66, words, size=16, bold=True, align="right", width=140)
    leader = SEATS[(SEATS.index(dealer) + 1) % len(SEATS)]
    words = _("%(seat)s leads") % {"seat": SEAT_NAMES[leader]}
    paper.text(right, top - 86, words, size=12, align="right", width=140)
    travel = [
        _("round %(round)s: table %(tables)s")
        % {"round": round_, "tables": ", ".join(str(result.table) for result in tables)}
        for round_, tables in groupby(played, key=lambda result: result.round)
    ]
    paper.line(left, top - 110, right, top - 110, colour=RULE)
    _draw_travel(paper, (left, top - 124), room, travel)


def _draw_travel(paper: Paper, corner: Corner, room: float, travel: Sequence[str]) -> None:
    """Where a folder goes, in columns of four lines."""
    columns = max(1, -(-len(travel) // 4))
    for place, words in enumerate(travel):
        column, line = divmod(place, 4)
        width = room / columns
        paper.text(
            corner[0] + column * width, corner[1] - line * 13, words, size=10, width=width - 8
        )


def _draw_slip(
    evening: Evening,
    number: int,
    played: Sequence[TableResult],
    slot: Slot,
) -> None:
    paper, corner, width, height = slot
    dealer = _("%(seat)s deals") % {"seat": SEAT_NAMES[dealer_of_folder(number)]}
    title = _("Folder %(n)s") % {"n": number}
    below = draw_card_head(slot, evening, title, dealer)
    left, room = corner[0] + 22, width - 44
    columns = [
        (_("Round"), 44.0),
        (_("Table"), 44.0),
        (str(SHORT_LINES["NS"]), 38.0),
        (str(SHORT_LINES["EW"]), 38.0),
        (_("Plays"), 58.0),
        (_("Trump"), 46.0),
        (_("Points N/S"), 58.0),
        (_("Points E/W"), 58.0),
        (_("Roem N/S"), 56.0),
        (_("Roem E/W"), 56.0),
        (_("Nat, %(pit)s") % {"pit": pit_word(evening.club)}, 0.0),
    ]
    widths = [wide or room - sum(each for _label, each in columns) for _label, wide in columns]
    high = min(30.0, (below - (corner[1] - height) - 50) / (len(played) + 1))
    paper.box(left, below - 6 - high, room, high, fill=SHADE)
    lines = [
        [
            str(result.round),
            str(result.table),
            str(result.sides["NS"]),
            str(result.sides["EW"]),
        ]
        for result in played
    ]
    for row, cells in enumerate([[label for label, _wide in columns], *lines]):
        y = below - 6 - (row + 1) * high
        x = left
        for place, wide in enumerate(widths):
            words = cells[place] if place < len(cells) else ""
            size = 9 if row == 0 else 12
            paper.text(
                x + wide / 2, y + high * 0.34, words, size=size, align="centre", width=wide - 4
            )
            paper.line(x, y, x, y + high, colour=RULE)
            x += wide
        paper.line(x, y, x, y + high, colour=RULE)
        paper.line(left, y, left + room, y, colour=RULE)


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a pair is in a round."""

    round: int
    table: str
    line: str
    against: str
    folders: str


def _stops(results: DuplicateResults, number: int, rounds: Sequence[int]) -> Iterator[_Stop]:
    by_round = {
        round_: [*tables]
        for round_, tables in groupby(results.of_pair(number), key=lambda result: result.round)
    }
    for round_ in rounds:
        if round_ not in by_round:
            yield _Stop(round_, "–", "", "", _("sits out"))
            continue
        played = by_round[round_]
        line = "NS" if played[0].sides["NS"] == number else "EW"
        other = played[0].sides["EW" if line == "NS" else "NS"]
        yield _Stop(
            round_,
            str(played[0].table),
            str(SHORT_LINES[line]),  # type: ignore[index]
            str(other),
            boards_words([result.folder for result in played]),
        )


def _draw_guide(
    evening: Evening,
    results: DuplicateResults,
    number: int,
    rounds: Sequence[int],
    slot: Slot,
) -> None:
    paper, corner, width, height = slot
    pair = results.pairs.get(number, NamedPair(number))
    title = _("Pair %(n)s") % {"n": number}
    below = draw_card_head(slot, evening, title, pair.team)
    left, room = corner[0] + 22, width - 44
    paper.text(left, below - 18, pair.names(_desk_name), size=12, bold=True, width=room)
    shares = (0.17, 0.17, 0.18, 0.2, 0.28)
    widths = [room * share for share in shares]
    high = min(26.0, (below - 28 - (corner[1] - height) - 24) / (len(rounds) + 1))
    heads = [_("Round"), _("Table"), _("Line"), _("Against"), _("Folders")]
    lines = [
        [str(stop.round), stop.table, stop.line, stop.against, stop.folders]
        for stop in _stops(results, number, rounds)
    ]
    paper.box(left, below - 28 - high, room, high, fill=SHADE)
    for row, cells in enumerate([heads, *lines]):
        y = below - 28 - (row + 1) * high
        x = left
        for words, wide in zip(cells, widths, strict=True):
            size = 9 if row == 0 else 13
            paper.text(
                x + wide / 2,
                y + high * 0.32,
                words,
                size=size,
                bold=row > 0,
                align="centre",
                width=wide - 4,
            )
            x += wide
        paper.line(left, y, left + room, y, colour=RULE)


def _desk_name(member: Member) -> str:
    return member.desk_name
