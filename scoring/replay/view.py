"""A replay for the page: the tricks as a table, who plays next, which cards were illegal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.text.numbers import SEAT_NAMES, SIDE_NAMES
from scoring.deals.director_forms import DirectorDealForm
from scoring.deals.services import deal_preview
from scoring.display.words import DealRefused, pit_word, reader_language
from scoring.replay.cards import PACK, DealReplay, Ruling, rulings
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
class CardKey:
    """A card to choose: its rank, how it is typed, and whether it can be chosen now."""

    rank: str
    word: str
    is_free: bool


@dataclass(frozen=True, slots=True)
class ReplayCard:
    """A card that was played, at `place` (from 0) in the order of play."""

    card: str
    rank: str
    place: int
    leads: bool
    wins: bool
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class Replacement:
    """The card that is about to be replaced, at `place` (from 0)."""

    place: int
    card: str
    trick: int


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick: its cards by seat, and its winner and points once it is complete."""

    number: int
    cells: tuple[ReplayCard | None, ...]
    winner: str = ""
    points: int | None = None
    roem: int = 0
    announced: int = 0
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class IllegalCard:
    """An illegal card, as a heading and a sentence."""

    title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class RulingChoice:
    """A ruling in words, with the line that is written for it, or what is needed first."""

    ruling: Ruling
    label: str
    lines: tuple[str, ...] = ()
    line: Mapping[str, object] | None = None
    wanted: tuple[str, ...] = ()


class ReplayView:
    """A replay in words, with the names of the people at the table."""

    def __init__(self, replay: DealReplay, names: Mapping[Seat, str]) -> None:
        self.replay = replay
        self.names = {seat: f"{SEAT_NAMES[seat]} – {names[seat]}" for seat in SEATS}
        self.short = names

    @property
    def seats(self) -> list[tuple[Seat, str]]:
        """The four seats with the names of the players."""
        return [(seat, self.short[seat]) for seat in SEATS]

    @property
    def rows(self) -> list[TrickRow]:
        """The tricks so far, the unfinished one last."""
        tricks = [self._trick(place) for place in range(len(self.replay.trace.tricks))]
        return [*tricks, self._open()] if self.replay.trace.open else tricks

    @property
    def words(self) -> str:
        """The cards as people type them."""
        return " ".join(card_typed(card, reader_language()) for card in self.replay.cards)

    @property
    def now(self) -> str:
        """The player of the next card; empty when all have been played."""
        following = self.replay.trace.next_seat
        return self.names[following] if following else ""

    @property
    def trick_number(self) -> int:
        return len(self.replay.trace.tricks) + 1

    @property
    def left(self) -> int:
        """How many cards are still to be played."""
        return PACK - len(self.replay.cards)

    @property
    def totals(self) -> str:
        """What both sides have so far: we 66 + 20 roem, they 43."""
        words = ", ".join(self._total(side) for side in SIDES)
        return words[:1].upper() + words[1:]

    @property
    def wrong(self) -> list[IllegalCard]:
        """The illegal cards, in the order of play."""
        return [self._wrong(renege) for renege in self.replay.trace.reneges]

    def _total(self, side: str) -> str:
        won = [at for at, t in enumerate(self.replay.trace.tricks) if side_of(t.winner) == side]
        points, roem = sum(map(self.replay.points, won)), sum(map(self.replay.roem, won))
        words = f"{str(SIDE_NAMES[side]).lower()} {points}"
        return f"{words} + {roem} {_('roem')}" if roem else words

    def _wrong(self, renege: Renege) -> IllegalCard:
        language = reader_language()
        card = card_name(renege.card, language)
        title = _("%(who)s was not allowed to play %(card)s")
        return IllegalCard(
            title % {"who": self.names[renege.seat], "card": card},
            renege_message(renege, language, seats=self.short),
        )

    def _trick(self, place: int) -> TrickRow:
        trick, replay = self.replay.trace.tricks[place], self.replay
        return TrickRow(
            number=trick.number,
            cells=self._cells(4 * place, trick.cards, winner=trick.winner),
            winner=str(SEAT_NAMES[trick.winner]),
            points=replay.points(place),
            roem=trick.roem,
            announced=replay.roem(place),
            parts=replay.parts(place),
        )

    def _open(self) -> TrickRow:
        first = 4 * len(self.replay.trace.tricks)
        return TrickRow(self.trick_number, self._cells(first, self.replay.trace.open))

    def _cells(
        self, first: int, cards: Sequence[str], winner: Seat | None = None
    ) -> tuple[ReplayCard | None, ...]:
        players = self.replay.players
        wrong = {renege.card for renege in self.replay.trace.reneges}
        by_seat = {
            players[place]: ReplayCard(
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


def instead_of(cards: Sequence[str], place: int | None) -> Replacement | None:
    """The card at `place`, if one has been played there."""
    if place is None or place >= len(cards):
        return None
    return Replacement(place, card_name(cards[place], reader_language()), place // 4 + 1)


def picker(cards: Sequence[str], instead: Replacement | None) -> list[tuple[str, list[CardKey]]]:
    """The pack by suit, from the ace down. A card that has been played can only be chosen in place
    of another one: the two swap."""
    changed = cards[instead.place] if instead else None
    return [
        (suit, [_key(rank + suit, cards, changed) for rank in RANK_ORDER]) for suit in SUIT_ORDER
    ]


def choices(replay: DealReplay, deal: DirectorDealForm) -> list[RulingChoice]:
    """The rulings the director can choose, each with its result under the sheet's regulation."""
    if replay.declarer is None or not replay.cards:
        return []
    names = ReplayView(replay, deal.view.short_names(deal.number)).names
    return [_choice(ruling, replay, deal, names) for ruling in rulings(replay)]


def _choice(
    ruling: Ruling, replay: DealReplay, deal: DirectorDealForm, names: Mapping[Seat, str]
) -> RulingChoice:
    words = {
        "as_played": _("The deal as it was played"),
        "reneged": _("Proved: %(who)s reneged"),
        "accused": _("%(who)s accused wrongly"),
    }[ruling.kind]
    label = words % {"who": ruling.seat and names[ruling.seat]}
    sheet = deal.view.sheet
    try:
        line = ruling.line(replay, deal.before)
        result = deal_preview(sheet=sheet, number=deal.number, written=line)
    except InvalidDeal as invalid:
        return RulingChoice(ruling, label, wanted=_wanted(DealRefused(invalid), replay, sheet.club))
    except DealRefused as refused:
        return RulingChoice(ruling, label, wanted=_wanted(refused, replay, sheet.club))
    return RulingChoice(ruling, label, deal.in_words(result), line)


def _wanted(refused: DealRefused, replay: DealReplay, club: Club) -> tuple[str, ...]:
    """Why a ruling cannot be written yet."""
    if not replay.is_complete:
        return (_("For this all 32 cards must have been played."),)
    return tuple(sentence for _field, sentence in refused.messages(pit_word(club)))


def _key(card: str, cards: Sequence[str], changed: str | None) -> CardKey:
    is_free = card != changed if changed else card not in cards
    return CardKey(_rank(card), card_typed(card, reader_language()), is_free)


def _rank(card: str) -> str:
    return card_name(card, reader_language())[1:]
