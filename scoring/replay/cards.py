"""A deal replayed card by card, the rulings that can be written for it, and how the page shows it:
the tricks as a table, who plays next, which cards were illegal."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.text.numbers import SEAT_NAMES, SIDE_NAMES
from scoring import rules
from scoring.deals.director_forms import DirectorDealForm
from scoring.deals.services import deal_preview
from scoring.display.words import DealRefused, pit_word, reader_language
from scoring.rules import (
    SEATS,
    SIDES,
    InvalidDeal,
    Renege,
    Seat,
    Side,
    card_name,
    card_typed,
    renege_message,
    side_of,
)
from scoring.rules.hands import hands_of

PACK = 32
UNCHANGED = ("dealer", "seats", "corrections", "bid")
"""Keys of a line that a replay leaves as they are."""
NOT_IN_CARDS = (*UNCHANGED, "reneged", "accused_wrongly_by", "replayed", "replays")
COUNTED = ("points", "roem", "pit", "nat")

MARKS = {"reneged": "reneged", "accused": "accused_wrongly_by"}

RulingKind = Literal["as_played", "reneged", "accused"]


@dataclass(frozen=True)
class DealReplay:
    """Up to 32 cards in the order of play, and what they are judged by.

    `announced` has for each complete trick how much of its roem was announced: all of it (True) or
    a number of points.
    """

    trump: rules.Trump
    leader: Seat
    cards: tuple[str, ...]
    regulation: rules.RuleSet
    declarer: Seat | Side | None = None
    announced: tuple[bool | int, ...] = ()

    @classmethod
    def of_record(cls, record: Mapping[str, Any], regulation: rules.RuleSet) -> Self:
        """The replay stored with an entry."""
        return cls(
            trump=record["trump"],
            leader=record["leader"],
            cards=tuple(record["cards"]),
            regulation=regulation,
            declarer=record["declarer"],
            announced=tuple(record.get("announced", ())),
        )

    @cached_property
    def trace(self) -> rules.Trace:
        return rules.trace(self.cards, self.leader, self.trump, self.regulation)

    @property
    def is_complete(self) -> bool:
        return len(self.cards) == PACK

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seat that played each card."""
        seats: list[Seat] = []
        for trick in self.trace.tricks:
            seats += _clockwise(trick.leader, 4)
        leader = self.trace.tricks[-1].winner if self.trace.tricks else self.leader
        return (*seats, *_clockwise(leader, len(self.trace.open)))

    def parts(self, place: int) -> tuple[int, ...]:
        """The parts of its roem that can have been announced in the complete trick at `place` (from
        0), without all and nothing."""
        return rules.announceable(self.trace.tricks[place], self.regulation)[1:-1]

    def roem(self, place: int) -> int:
        """The roem that counts in the complete trick at `place`: what was announced, or all of it
        where the trick does not contain that."""
        trick = self.trace.tricks[place]
        announced = self.announced[place] if place < len(self.announced) else True
        is_part = announced is not True and announced in rules.announceable(trick, self.regulation)
        return int(announced) if is_part else trick.roem

    def roem_by_side(self) -> dict[Side, list[int]]:
        """The roem of each side that has any, trick by trick."""
        made: dict[Side, list[int]] = {}
        for place, trick in enumerate(self.trace.tricks):
            for side, roem in rules.roem_announced(trick, self.roem(place), self.regulation):
                made.setdefault(side, []).append(roem)
        return made

    def points(self, place: int) -> int:
        """The card points of the complete trick at `place`, with the 10 for the last one."""
        return self.trace.tricks[place].points + (10 if place == 7 else 0)

    def record(self) -> dict[str, object]:
        """What is stored with the entry: the contract's deal card by card, as far as it goes."""
        record: dict[str, object] = {
            "declarer": self.declarer,
            "trump": self.trump,
            "leader": self.leader,
            "cards": list(self.cards),
        }
        counted = [self.roem(place) for place in range(len(self.trace.tricks))]
        whole = [trick.roem for trick in self.trace.tricks]
        if counted != whole:
            record["announced"] = [c == w or c for c, w in zip(counted, whole, strict=True)]
        return record


@dataclass(frozen=True, slots=True)
class Ruling:
    """One of the things a director may decide, with the seat where it is about one person."""

    kind: RulingKind
    seat: Seat | None = None

    @property
    def key(self) -> str:
        """The ruling as the value of a form field: `as_played`, `reneged:W`."""
        return f"{self.kind}:{self.seat}" if self.seat else self.kind

    def line(self, replay: DealReplay, before: Mapping[str, Any]) -> dict[str, object]:
        """The line that is written for it. `before` is the line as it stands, or empty: its
        corrections stay. Where cards are missing its points count, or without a line the roem of
        the tricks so far.

        Raises InvalidDeal where the cards contradict the rest of the line.
        """
        mark = {} if self.kind == "as_played" else {MARKS[self.kind]: self.seat}
        unchanged = {key: before[key] for key in UNCHANGED if key in before}
        if replay.is_complete:
            return line_of_record(replay.record(), {**unchanged, **mark}, replay.regulation)
        counted = before or {"roem": replay.roem_by_side()}
        stood = {key: counted[key] for key in COUNTED if key in counted}
        return {"declarer": replay.declarer, "trump": replay.trump, **stood, **unchanged, **mark}


def line_of_record(
    record: Mapping[str, Any], beside: Mapping[str, Any], regulation: rules.RuleSet
) -> dict[str, object]:
    """The line for all 32 cards, with what the cards do not show taken from `beside`: who reneged,
    who dealt, corrections. Raises InvalidDeal."""
    extra = {key: beside[key] for key in NOT_IN_CARDS if beside.get(key)}
    return rules.sheet_line(rules.evaluate({**record, **extra}, regulation))


def rulings(replay: DealReplay) -> list[Ruling]:
    """The rulings that are possible for a replay.

    Whoever played an illegal card may have reneged, a complete deal may be written as it was
    played, and each of the four may have accused without proof.
    """
    culprits = dict.fromkeys(renege.seat for renege in replay.trace.reneges)
    as_played = [Ruling("as_played")] if replay.is_complete else []
    unproved = [Ruling("accused", seat) for seat in SEATS]
    return [*(Ruling("reneged", seat) for seat in culprits), *as_played, *unproved]


def _clockwise(first: Seat, count: int) -> Sequence[Seat]:
    start = SEATS.index(first)
    return [SEATS[(start + turn) % 4] for turn in range(count)]


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


@dataclass(frozen=True, slots=True)
class HandLeft:
    """What somebody still has of cards that are known, by suit, and whether they play now."""

    seat: Seat
    name: str
    suits: Sequence[tuple[str, str]]
    is_next: bool


class ReplayView:
    """A replay in words, with the names of the people at the table. `holders` says whose each card
    was, where it was dealt beforehand and may be read."""

    def __init__(self, replay: DealReplay, names: Mapping[Seat, str], holders: str = "") -> None:
        self.replay = replay
        self._hands = hands_of(holders) if holders else {}
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
    def hand(self) -> Collection[str] | None:
        """The cards of the player of the next card; None where they are not known."""
        following = self.replay.trace.next_seat
        return self._hands.get(following) if following else None

    @property
    def hand_words(self) -> str:
        """The same as people type them."""
        return " ".join(card_typed(card, reader_language()) for card in self.hand or ())

    @property
    def hands(self) -> list[HandLeft]:
        """What each of the four still has, of cards that are known."""
        gone, following = set(self.replay.cards), self.replay.trace.next_seat
        return [
            HandLeft(seat, self.names[seat], _by_suit(set(cards) - gone), seat == following)
            for seat, cards in self._hands.items()
        ]

    @property
    def elsewhere(self) -> list[str]:
        """A sentence for each card that somebody else had than who played it."""
        holder = {card: seat for seat, cards in self._hands.items() for card in cards}
        sentences = []
        for card, seat in zip(self.replay.cards, self.replay.players, strict=True):
            if holder.get(card, seat) != seat:
                words = {
                    "card": card_name(card, reader_language()),
                    "player": SEAT_NAMES[seat],
                    "holder": SEAT_NAMES[holder[card]],
                }
                message = _("%(card)s is laid down for %(player)s, but %(holder)s had it.")
                sentences.append(message % words)
        return sentences

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


def picker(
    cards: Sequence[str], instead: Replacement | None, hand: Collection[str] | None = None
) -> list[tuple[str, list[CardKey]]]:
    """The pack by suit, from the ace down; of a known `hand` only its cards can be chosen next. In
    place of another card each can be, also one that has been played: the two swap."""
    changed = cards[instead.place] if instead else None
    return [
        (suit, [_key(rank + suit, cards, changed, hand) for rank in RANK_ORDER])
        for suit in SUIT_ORDER
    ]


def _by_suit(cards: Collection[str]) -> list[tuple[str, str]]:
    return [
        (suit, " ".join(_rank(rank + suit) for rank in RANK_ORDER if rank + suit in cards))
        for suit in SUIT_ORDER
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


def _key(
    card: str, cards: Sequence[str], changed: str | None, hand: Collection[str] | None
) -> CardKey:
    can_be_next = card not in cards and (hand is None or card in hand)
    is_free = card != changed if changed else can_be_next
    return CardKey(_rank(card), card_typed(card, reader_language()), is_free)


def _rank(card: str) -> str:
    return card_name(card, reader_language())[1:]
