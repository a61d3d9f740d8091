"""What came of folders on paper: the places, each folder with its cards, and the list of a pair;
and the common ranking of a night, the clubs and below them all pairs."""

from collections.abc import Iterator, Sequence
from functools import partial

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Member
from clubs.text.numbers import SEAT_NAMES, number
from scoring.pdf.paper import FELT, INK, RED, SOFT, Paper
from scoring.rules import SEATS
from scoring.rules.hands import hands_of
from tournaments.duplicate.core.dealing import dealer_of_folder, hand_in_suits
from tournaments.duplicate.core.scoring import BEST_PAIRS, Line
from tournaments.duplicate.night_results import NightResults, ShownPair
from tournaments.duplicate.pdf import SUIT_SIGNS, Slot, cards_on_pages, draw_card_head
from tournaments.duplicate.queries import DuplicateResults, Ranked
from tournaments.duplicate.texts import (
    COMPARING,
    SHORT_LINES,
    PlayRow,
    pair_rows,
    percent_words,
    play_rows,
    points_words,
    ranks_words,
)
from tournaments.models import DuplicateEvening, Evening
from tournaments.printing.page import (
    HEAD_ROW,
    MARGIN,
    Leaf,
    ListCell,
    ListColumn,
    ListHeading,
    ListRow,
    Piece,
    draw_columns_head,
    draw_list_foot,
    draw_list_heading,
    draw_row,
    draw_ruled,
    evening_heading,
    in_chunks,
    in_flow,
    leaves_pdf,
    list_foot,
    list_room,
    room_below,
    width_between,
)
from tournaments.releases.folders import LINE_WORDS, NamedPair

ROW = 22.0
TALLEST, HEAD = 17.0, 17.0
"""The height of a row on a card, at most, and of the headings."""
ROWS_BESIDE_CARDS = {3: 11, 2: 19}
"""By how many folders stand on a page, so many rows fit beside the cards of each."""
FOLDERS_OF_HALF = 24
"""So many fit in the list of a pair on half a page."""
HANDS = 150.0
"""The width of the cards of a folder."""
NIGHT_ROW, NIGHT_TITLE = 18.0, 38.0
"""The height of a row, and of the title of a list."""
FIGURE = 78.0


def results_pdf(evening: Evening, results: DuplicateResults, *, stale: bool = False) -> bytes:
    """The places of each line; `stale` where something was corrected since they were published."""
    follows = _("%(line)s: a new result follows") if stale else "%(line)s"
    leaves = [
        Leaf(partial(_draw_places, evening, follows % {"line": title}, columns, rows))
        for title, columns, lines in _places(results)
        for rows in in_chunks(lines, int(room_below(wide=False) // ROW))
    ]
    return leaves_pdf(leaves, title=_("Portefeuille"), author=evening.club.name)


def boards_pdf(evening: Evening, results: DuplicateResults) -> bytes:
    """Each folder with its cards, and what every table made of it."""
    of_folder = results.of_folder
    cards = [partial(_draw_board, evening, results, number) for number in sorted(of_folder)]
    longest = max(len(played) for played in of_folder.values())
    down = next((down for down, most in ROWS_BESIDE_CARDS.items() if longest <= most), 1)
    return cards_on_pages(_("Results by folder"), evening, cards, across=1, down=down)


def pairs_pdf(evening: Evening, results: DuplicateResults) -> bytes:
    """For each pair the folders it played, with what it made and what that was worth."""
    played = {number: len(results.of_pair(number)) for number in sorted(results.pairs)}
    ranked = {
        pair.number: row for line in results.ranking for row in line.rows for pair in row.pairs
    }
    cards = [
        partial(_draw_pair, evening, results, number, ranked.get(number))
        for number, folders in played.items()
        if folders
    ]
    down = 2 if max(played.values()) <= FOLDERS_OF_HALF else 1
    return cards_on_pages(_("Results by pair"), evening, cards, across=1, down=down)


def _by_percent(results: DuplicateResults) -> bool:
    return results.duplicate.compare == DuplicateEvening.Comparison.MATCHPOINTS


def _places(
    results: DuplicateResults,
) -> Iterator[tuple[str, list[ListColumn], list[list[ListCell]]]]:
    columns = [
        ListColumn(_("Place"), 44, bold=True),
        ListColumn(_("Pair"), 54),
        ListColumn(_("Names"), width_between(wide=False) - 44 - 54 - 3 * 76, align="left"),
        ListColumn(_("Points"), 76),
        ListColumn(_("Percentage") if _by_percent(results) else "", 76, bold=True),
        ListColumn(_("Folders"), 76),
    ]
    for ranking in results.ranking:
        rows = [
            [
                ListCell(str(row.place)),
                ListCell(" + ".join(str(pair.number) for pair in row.pairs)),
                ListCell(", ".join(pair.names(_desk_name) for pair in row.pairs)),
                ListCell(points_words(row.worth.points)),
                ListCell(percent_words(row.worth.percentage)),
                ListCell(str(row.played)),
            ]
            for row in ranking.rows
        ]
        yield str(LINE_WORDS[ranking.line]), columns, rows


def _draw_places(
    evening: Evening,
    title: str,
    columns: Sequence[ListColumn],
    rows: Sequence[Sequence[ListCell]],
    paper: Paper,
) -> None:
    top = draw_list_heading(paper, evening_heading(evening, _("Portefeuille")), title)
    draw_ruled(paper, top, columns, rows, ROW)


def _draw_board(evening: Evening, results: DuplicateResults, number_: int, slot: Slot) -> None:
    dealer = _("%(seat)s deals") % {"seat": SEAT_NAMES[dealer_of_folder(number_)]}
    below = draw_card_head(slot, evening, _("Folder %(n)s") % {"n": number_}, dealer)
    folder = results.folders[number_]
    left = slot.corner[0] + 22
    if folder.hands:
        _draw_cards(slot.paper, (left, below - 16), folder.hands)
        left += HANDS + 14
    rows = play_rows(evening.club, results, results.of_folder[number_])
    room = slot.corner[0] + slot.width - 22 - left
    figures = [36.0, 36.0, 44.0, 44.0, 42.0, 42.0]
    labels = [
        str(SHORT_LINES["NS"]),
        str(SHORT_LINES["EW"]),
        _("Points N/S"),
        _("Points E/W"),
        _("Worth N/S"),
        _("Worth E/W"),
    ]
    narrow = [ListColumn(label, width) for label, width in zip(labels, figures, strict=True)]
    played = ListColumn(_("Played"), room - sum(figures), align="left")
    columns = [*narrow[:2], played, *narrow[2:]]
    lines = [
        _cells(
            row.ns.number,
            row.ew.number,
            _played(row),
            *(number(score) for score in row.result.score or (None, None)),
            row.worth.get("NS", ""),
            row.worth.get("EW", ""),
        )
        for row in rows
    ]
    _draw_rows(slot, (left, below - 8), columns, lines)


def _draw_cards(paper: Paper, corner: tuple[float, float], holders: str) -> None:
    """The four hands, each a line for each suit, in two columns."""
    hands = hands_of(holders)
    for place, seat in enumerate(SEATS):
        row, column = divmod(place, 2)
        x, y = corner[0] + column * HANDS / 2, corner[1] - row * 84
        paper.text(x, y, str(SEAT_NAMES[seat]), size=10, bold=True, colour=SOFT)
        for line, (suit, ranks) in enumerate(hand_in_suits(hands[seat]), start=1):
            at = y - line * 16
            paper.text(x, at, SUIT_SIGNS[suit], size=12, colour=RED if suit in "HD" else INK)
            paper.text(x + 14, at, ranks_words(ranks) or "–", size=11, width=HANDS / 2 - 16)


def _draw_pair(
    evening: Evening,
    results: DuplicateResults,
    number_: int,
    ranked: Ranked | None,
    slot: Slot,
) -> None:
    pair = results.pairs.get(number_, NamedPair(number_))
    side = ""
    if ranked is not None:
        figure = percent_words(ranked.worth.percentage) or points_words(ranked.worth.points)
        side = _("place %(place)s · %(figure)s") % {"place": ranked.place, "figure": figure}
    below = draw_card_head(slot, evening, _("Pair %(n)s") % {"n": number_}, side)
    left, room = slot.corner[0] + 22, slot.width - 44
    names = " · ".join(filter(None, [pair.names(_desk_name), pair.team]))
    slot.paper.text(left, below - 16, names, size=12, bold=True, width=room)
    widths = [36.0, 34.0, 32.0, 0.0, 104.0, 58.0, 42.0, 60.0]
    labels = [
        _("Round"),
        _("Folder"),
        _("Line"),
        _("Against"),
        _("Played"),
        _("Points"),
        _("Worth"),
        _("Percentage") if _by_percent(results) else "",
    ]
    columns = [
        ListColumn(label, width or room - sum(widths), align="left" if at in (3, 4) else "right")
        for at, (label, width) in enumerate(zip(labels, widths, strict=True))
    ]
    lines = [
        _cells(
            row.result.round,
            row.result.folder,
            line_words,
            f"{other.number} {other.names(_desk_name)}",
            _played(row),
            _score(row, line),
            row.worth.get(line, ""),
            row.percent[line],
        )
        for row, line_words, other, line in pair_rows(evening.club, results, number_)
    ]
    _draw_rows(slot, (left, below - 24), columns, lines)


def _score(row: PlayRow, line: Line) -> str:
    """The points of the pair and those of its opponents."""
    if row.result.score is None:
        return ""
    own, other = row.result.score if line == "NS" else row.result.score[::-1]
    return f"{number(own)}–{number(other)}"


def _played(row: PlayRow) -> str:
    """Who played which suit, and what happened: `N/Z ♥, nat`."""
    suit = SUIT_SIGNS.get(row.trump, "")
    return ", ".join([f"{row.declarer} {suit}".strip() or "–", *row.marks])


def _cells(*values: object) -> ListRow:
    return [ListCell(str(value)) for value in values]


def _draw_rows(
    slot: Slot,
    corner: tuple[float, float],
    columns: Sequence[ListColumn],
    lines: Sequence[ListRow],
) -> None:
    """The rows as high as fits on the card."""
    left, top = corner
    room = top - HEAD - (slot.corner[1] - slot.height) - 18
    high = min(TALLEST, room / max(1, len(lines)))
    draw_columns_head(slot.paper, corner, columns, height=HEAD)
    for at, line in enumerate(lines, start=1):
        draw_row(slot.paper, (left, top - HEAD - at * high), columns, line, height=high)


def _desk_name(member: Member) -> str:
    return member.desk_name


def night_pdf(results: NightResults, *, stale: bool = False) -> bytes:
    """A release on A4; `stale` where something came in since."""
    night, made = results.release.night, results.release
    heading = ListHeading(night.league, date_format(night.date, "l j F Y"), night.name)
    said = _("publication %(n)s of %(day)s") % {
        "n": made.number,
        "day": date_format(timezone.localtime(made.published_at), "j F Y"),
    }
    subtitle = _("%(list)s: a new result follows") % {"list": said} if stale else said
    paper = Paper(night.name, author=night.league.name)
    best = _(
        "A club has the mean of its best %(best)s pairs: what its North-South win, its own"
        " East-West lose."
    )
    comparing = f"{COMPARING[night.compare]} {_('All clubs are compared together.')}"
    foot = list_foot(paper, [comparing, best % {"best": BEST_PAIRS}], _seal_words(results))
    pieces = [*_clubs(results), *_pairs(results)]
    pages = in_flow(pieces, list_room(paper, foot.height))
    for page, on_page in enumerate(pages, 1):
        y = draw_list_heading(paper, heading, subtitle)
        for piece in on_page:
            piece.draw(paper, y)
            y -= piece.height
        draw_list_foot(paper, page, len(pages), foot)
        paper.next_page()
    return paper.finish()


def _seal_words(results: NightResults) -> str:
    words = {"seal": results.release.seal, "commitment": results.release.night.commitment}
    return _("Seal %(seal)s · commitment of the cards %(commitment)s") % words


def _clubs(results: NightResults) -> Iterator[Piece]:
    columns = [
        ListColumn(_("Place"), 44.0),
        ListColumn(_("Club"), _left_by(44.0, 60.0, FIGURE), align="left"),
        ListColumn(_("Pairs"), 60.0),
        _figures(results),
    ]
    rows = [[str(row.place), row.name, number(row.pairs), row.figure] for row in results.clubs()]
    return _list(_("The clubs"), columns, rows)


def _pairs(results: NightResults) -> Iterator[Piece]:
    columns = [
        ListColumn(_("Place"), 44.0),
        ListColumn(_("Pair"), _left_by(44.0, 150.0, 34.0, 50.0, FIGURE), align="left"),
        ListColumn(_("Club"), 150.0, align="left"),
        ListColumn(_("Line"), 34.0, align="left"),
        ListColumn(_("Folders"), 50.0),
        _figures(results),
    ]
    rows = [
        [str(row.place), row.names, row.club, _line(row), number(row.folders), row.figure]
        for row in results.pairs()
    ]
    return _list(_("All pairs"), columns, rows)


def _figures(results: NightResults) -> ListColumn:
    return ListColumn(_("Percentage") if results.by_percent else _("Points"), FIGURE, bold=True)


def _left_by(*widths: float) -> float:
    """What columns of these widths leave of the page."""
    return width_between(wide=False) - sum(widths)


def _line(pair: ShownPair) -> str:
    """`N/S`, or nothing of a pair that sat both ways."""
    line: Line | None = pair.row["line"]
    return str(SHORT_LINES[line]) if line else ""


def _list(
    title: str, columns: Sequence[ListColumn], rows: Sequence[Sequence[str]]
) -> Iterator[Piece]:
    """The title with the headings, and each row; the headings come again on the next page."""
    head = Piece(HEAD_ROW, partial(_draw_head, columns=columns))
    yield Piece(
        NIGHT_TITLE + HEAD_ROW,
        partial(_draw_title, title=title, columns=columns),
        holds=2 * NIGHT_ROW,
    )
    for row in rows:
        cells = [ListCell(words) for words in row]
        yield Piece(NIGHT_ROW, partial(_draw_line, columns=columns, cells=cells), again=head)


def _draw_head(paper: Paper, top: float, *, columns: Sequence[ListColumn]) -> None:
    draw_columns_head(paper, (MARGIN, top), columns)


def _draw_title(paper: Paper, top: float, *, title: str, columns: Sequence[ListColumn]) -> None:
    paper.text(MARGIN, top - 28, title, size=14, bold=True, colour=FELT)
    _draw_head(paper, top - NIGHT_TITLE, columns=columns)


def _draw_line(paper: Paper, top: float, *, columns: Sequence[ListColumn], cells: ListRow) -> None:
    draw_row(paper, (MARGIN, top - NIGHT_ROW), columns, cells, height=NIGHT_ROW)
