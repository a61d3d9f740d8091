"""A laid deal read for showing: the tricks as a table, who plays now, what was not allowed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.text.numbers import SEAT_NAMES, SIDE_NAMES
from scoring.deals.director_form import DirectorDealForm
from scoring.deals.services import deal_preview
from scoring.display.words import DealRefused, pit_word, reader_language
from scoring.replay.cards import PACK, LaidDeal, Ruling, rulings
from scoring.rules import (
    SEATS,
    SIDES,
    InvalidDeal,
    Renege,
    Seat,
    card_name,
    card_typed,
    renege_message,
    side_of,
)

SUIT_ORDER = "SHCD"
RANK_ORDER = "AKQJT987"


@dataclass(frozen=True, slots=True)
class Key:
    """A card to choose: what it is called and typed as, and whether it can be chosen now."""

    rank: str
    word: str
    is_free: bool


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card on the table, at `place` (from 0) in the order in which they fell."""

    card: str
    rank: str
    place: int
    leads: bool
    wins: bool
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class Instead:
    """The card that is going to be replaced, at `place` (from 0)."""

    place: int
    card: str
    trick: int


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick: its cards under the four seats; what it came to, when it is complete."""

    number: int
    cells: tuple[LaidCard | None, ...]
    winner: str = ""
    points: int | None = None
    roem: int = 0
    announced: int = 0
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrong:
    """A card that was not allowed, in a heading and a sentence."""

    title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A ruling in words, with the line that is written for it; or what it wants first."""

    ruling: Ruling
    label: str
    lines: tuple[str, ...] = ()
    line: Mapping[str, object] | None = None
    wanted: tuple[str, ...] = ()


class LaidView:
    """A laid deal in words, with the names of the people at the table."""

    def __init__(self, laid: LaidDeal, names: Mapping[Seat, str]) -> None:
        self.laid = laid
        self.names = {seat: f"{SEAT_NAMES[seat]} – {names[seat]}" for seat in SEATS}
        self.short = names

    @property
    def seats(self) -> list[tuple[Seat, str]]:
        """The four seats with the names of who sits there."""
        return [(seat, self.short[seat]) for seat in SEATS]

    @property
    def rows(self) -> list[TrickRow]:
        """The tricks so far, the unfinished one last."""
        tricks = [self._trick(place) for place in range(len(self.laid.trace.tricks))]
        return [*tricks, self._open()] if self.laid.trace.open else tricks

    @property
    def words(self) -> str:
        """The cards as they are typed."""
        return " ".join(card_typed(card, reader_language()) for card in self.laid.cards)

    @property
    def now(self) -> str:
        """Who plays the next card; empty when all lie there."""
        following = self.laid.trace.next_seat
        return self.names[following] if following else ""

    @property
    def trick_number(self) -> int:
        return len(self.laid.trace.tricks) + 1

    @property
    def left(self) -> int:
        """How many cards are still to be laid."""
        return PACK - len(self.laid.cards)

    @property
    def totals(self) -> str:
        """What both sides have so far: we 66 + 20 roem, they 43."""
        words = ", ".join(self._total(side) for side in SIDES)
        return words[:1].upper() + words[1:]

    @property
    def wrong(self) -> list[Wrong]:
        """The cards that were not allowed, in the order in which they fell."""
        return [self._wrong(renege) for renege in self.laid.trace.reneges]

    def _total(self, side: str) -> str:
        won = [at for at, t in enumerate(self.laid.trace.tricks) if side_of(t.winner) == side]
        points, roem = sum(map(self.laid.points, won)), sum(map(self.laid.roem, won))
        words = f"{str(SIDE_NAMES[side]).lower()} {points}"
        return f"{words} + {roem} {_('roem')}" if roem else words

    def _wrong(self, renege: Renege) -> Wrong:
        language = reader_language()
        card = card_name(renege.card, language)
        title = _("%(who)s was not allowed to play %(card)s")
        return Wrong(
            title % {"who": self.names[renege.seat], "card": card},
            renege_message(renege, language, seats=self.short),
        )

    def _trick(self, place: int) -> TrickRow:
        trick, laid = self.laid.trace.tricks[place], self.laid
        return TrickRow(
            number=trick.number,
            cells=self._cells(4 * place, trick.cards, winner=trick.winner),
            winner=str(SEAT_NAMES[trick.winner]),
            points=laid.points(place),
            roem=trick.roem,
            announced=laid.roem(place),
            parts=laid.parts(place),
        )

    def _open(self) -> TrickRow:
        first = 4 * len(self.laid.trace.tricks)
        return TrickRow(self.trick_number, self._cells(first, self.laid.trace.open))

    def _cells(
        self, first: int, cards: Sequence[str], winner: Seat | None = None
    ) -> tuple[LaidCard | None, ...]:
        players = self.laid.players
        wrong = {renege.card for renege in self.laid.trace.reneges}
        by_seat = {
            players[place]: LaidCard(
                card=card,
                rank=_rank(card),
                place=place,
                leads=place == first,
                wins=players[place] == winner,
                is_wrong=card in wrong,
            )
            for place, card in enumerate(cards, start=first)
        }
        return tuple(by_seat.get(seat) for seat in SEATS)


def instead_of(cards: Sequence[str], place: int | None) -> Instead | None:
    """The card at `place`, where one lies there."""
    if place is None or place >= len(cards):
        return None
    return Instead(place, card_name(cards[place], reader_language()), place // 4 + 1)


def picker(cards: Sequence[str], instead: Instead | None) -> list[tuple[str, list[Key]]]:
    """The pack by suit, from the ace down. A card that lies there cannot be chosen again, but
    instead of another one it can: the two change places."""
    changed = cards[instead.place] if instead else None
    return [
        (suit, [_key(rank + suit, cards, changed) for rank in RANK_ORDER]) for suit in SUIT_ORDER
    ]


def choices(laid: LaidDeal, deal: DirectorDealForm) -> list[Choice]:
    """What the director may decide, each with what it costs by the sheet's regulation."""
    if laid.declarer is None or not laid.cards:
        return []
    names = LaidView(laid, deal.view.short_names(deal.number)).names
    return [_choice(ruling, laid, deal, names) for ruling in rulings(laid)]


def _choice(
    ruling: Ruling, laid: LaidDeal, deal: DirectorDealForm, names: Mapping[Seat, str]
) -> Choice:
    words = {
        "as_played": _("The deal as it was played"),
        "reneged": _("Proved: %(who)s reneged"),
        "accused": _("%(who)s accused wrongly"),
    }[ruling.kind]
    label = words % {"who": ruling.seat and names[ruling.seat]}
    sheet = deal.view.sheet
    try:
        line = ruling.line(laid, deal.before)
        result = deal_preview(sheet=sheet, number=deal.number, written=line)
    except InvalidDeal as invalid:
        return Choice(ruling, label, wanted=_wanted(DealRefused(invalid), laid, sheet.club))
    except DealRefused as refused:
        return Choice(ruling, label, wanted=_wanted(refused, laid, sheet.club))
    return Choice(ruling, label, deal.in_words(result), line)


def _wanted(refused: DealRefused, laid: LaidDeal, club: Club) -> tuple[str, ...]:
    """Why a ruling cannot be written yet."""
    if not laid.is_complete:
        return (_("For this all 32 cards must lie there."),)
    return tuple(sentence for _field, sentence in refused.messages(pit_word(club)))


def _key(card: str, cards: Sequence[str], changed: str | None) -> Key:
    is_free = card != changed if changed else card not in cards
    return Key(_rank(card), card_typed(card, reader_language()), is_free)


def _rank(card: str) -> str:
    return card_name(card, reader_language())[1:]
