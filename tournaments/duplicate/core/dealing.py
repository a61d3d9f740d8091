"""The cards in the folders: dealt from a seed, written to a file and read from one.

Anybody can check a deal with the standard library of any language. The seed is 64 hexadecimal
digits, drawn by lot. Before the evening the club shows its commitment, the SHA-256 of
`klaverclub:<uuid of the evening>:<seed>` in UTF-8, and after it the seed. The bytes from which
folder n is dealt are the SHA-256 of `<seed>:<n>:0`, then of `<seed>:<n>:1`, and so on. They shuffle
the deck (7C 8C 9C TC JC QC KC AC, then D, H and S) as Fisher and Yates do: for each place from the
last down to the second, with so many cards up to and including it, the next byte below the largest
multiple of that number that is at most 256 gives, modulo the number, the place to change with.
North has the first eight cards, East the next, then South and West.
"""

import json
import re
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Any, Final, cast

from scoring.rules import SEATS, Seat, parse_card
from scoring.rules.cards import DECK, NUMBERS
from scoring.rules.hands import HAND, hands_of, holders_of_hands

MOST_FOLDERS: Final = 99
_SUITS: Final = "SHDC"
_RANKS: Final = "AKQJT987"
_SEAT_LETTERS: Final[Mapping[str, Seat]] = {
    **{seat: seat for seat in SEATS},
    "O": "E",
    "Z": "S",
}
_HIGHEST: Final = 9_999
_LONGEST_CARD: Final = 20
_BOARD: Final = re.compile(r'\[Board\s+"(\d{1,4})"\]', re.IGNORECASE)
_DEAL: Final = re.compile(r'\[Deal\s+"([NESW]):([^"]*)"\]', re.IGNORECASE)
_TYPED: Final = re.compile(r"(\d{1,4})[\s.:]+([NESWOZ])[\s:]+(.*)", re.IGNORECASE)


def seed_draw() -> str:
    """A new seed, from the lottery of the operating system."""
    return secrets.token_hex(32)


def commitment_of(seed: str, evening: str) -> str:
    """What is shown of a seed before the evening with this UUID.

    >>> commitment_of("00" * 32, "7d1f9bb2-0f5c-4a0e-9d3c-0c6b0a6a7a11")[:16]
    'da69ec0b4f4d8c2f'
    """
    return sha256(f"klaverclub:{evening}:{seed}".encode()).hexdigest()


def dealt(seed: str, number: int) -> str:
    """Whose each card of this folder is, as `scoring.rules.hands` writes it."""
    source = _bytes(seed, number)
    cards = [*DECK]
    for last in range(len(cards) - 1, 0, -1):
        other = _below(last + 1, source)
        cards[last], cards[other] = cards[other], cards[last]
    hands = {seat: cards[at * HAND : (at + 1) * HAND] for at, seat in enumerate(SEATS)}
    return holders_of_hands(hands)


def dealer_of_folder(number: int) -> Seat:
    """Who deals the folder with this number: N, E, S, W in turn.

    >>> [dealer_of_folder(number) for number in (1, 2, 7, 12)]
    ['N', 'E', 'S', 'W']
    """
    return SEATS[(number - 1) % len(SEATS)]


def _bytes(seed: str, number: int) -> Iterator[int]:
    for block in count():
        yield from sha256(f"{seed}:{number}:{block}".encode()).digest()


def _below(limit: int, source: Iterator[int]) -> int:
    """A number from 0, each as likely as the others."""
    usable = 256 - 256 % limit
    return next(byte for byte in source if byte < usable) % limit


def hand_in_suits(cards: Sequence[str]) -> list[tuple[str, str]]:
    """The ranks of a hand by suit, spades first and the ace first.

    >>> hand_in_suits(("7C", "AS", "KS", "TC", "9H", "8H", "JH", "QD"))
    [('S', 'AK'), ('H', 'J98'), ('D', 'Q'), ('C', 'T7')]
    """
    held = {
        suit: sorted((card[0] for card in cards if card[1] == suit), key=_RANKS.index)
        for suit in _SUITS
    }
    return [(suit, "".join(ranks)) for suit, ranks in held.items()]


def hands_text(folders: Mapping[int, str]) -> str:
    """Hands in the notation of bridge programs (PBN): North first, suits from spades to clubs."""
    return "\n".join(
        f'[Board "{number}"]\n[Dealer "{dealer_of_folder(number)}"]\n[Deal "N:{_pbn(holders)}"]\n'
        for number, holders in sorted(folders.items())
    )


def hands_json(folders: Mapping[int, str], *, commitment: str, seed: str, **more: object) -> str:
    """Hands as JSON, cards as rank and suit; the seed is empty while it is secret."""
    boards = [
        {"board": number, "dealer": dealer_of_folder(number), "hands": hands_of(holders)}
        for number, holders in sorted(folders.items())
    ]
    content = {**more, "commitment": commitment, "seed": seed, "boards": boards}
    return json.dumps(content, indent=1)


def _pbn(holders: str) -> str:
    hands = hands_of(holders)
    return " ".join(
        ".".join(ranks for _suit, ranks in hand_in_suits(hands[seat])) for seat in SEATS
    )


@dataclass(frozen=True, slots=True)
class HandFault:
    """What is wrong with hands that were typed or read: a code, the folder (0 where that is not
    known) and what the sentence names."""

    code: str
    number: int = 0
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class HandsRead:
    """The folders whose hands are whole, and every fault of the others."""

    folders: dict[int, str] = field(default_factory=dict)
    faults: list[HandFault] = field(default_factory=list)


Words = dict[Seat, list[str]]


def read_hands(text: str) -> HandsRead:
    """Hands as somebody typed them, from our JSON, or from a file of a bridge program.

    A typed line has the folder, the seat and the cards: `3 N sa s10 hb …`. Of the four hands of a
    folder one may be left out: it has the other cards.
    """
    read = HandsRead()
    words = _of_json(text, read) if text.lstrip().startswith("{") else _of_lines(text, read)
    if not words and not read.faults:
        read.faults.append(HandFault("nothing"))
    for number, hands in words.items():
        if 1 <= number <= MOST_FOLDERS:
            _check(number, hands, read)
        else:
            read.faults.append(HandFault("number", number, {"most": MOST_FOLDERS}))
    return read


def _of_json(text: str, read: HandsRead) -> dict[int, Words]:
    words: dict[int, Words] = {}
    try:
        for board in json.loads(text)["boards"]:
            number = board["board"]
            if type(number) is not int or abs(number) > _HIGHEST:
                raise ValueError(f"{number!r} is not the number of a folder")
            if number in words:
                read.faults.append(HandFault("folder_twice", number))
            words[number] = {
                _SEAT_LETTERS[seat]: [str(card)[:_LONGEST_CARD] for card in cards]
                for seat, cards in board["hands"].items()
            }
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        read.faults.append(HandFault("json"))
        return {}
    return words


def _of_lines(text: str, read: HandsRead) -> dict[int, Words]:
    words: dict[int, Words] = {}
    board = 0
    for place, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if named := _BOARD.match(stripped):
            board = int(named[1])
        elif deal := _DEAL.match(stripped):
            first = SEATS.index(cast("Seat", deal[1].upper()))
            for turn, hand in enumerate(deal[2].split()[: len(SEATS)]):
                seat = SEATS[(first + turn) % len(SEATS)]
                _put(words, read, board, seat, _of_pbn(hand))
        elif typed := _TYPED.match(stripped):
            seat = _SEAT_LETTERS[typed[2].upper()]
            cards = typed[3].replace(",", " ").split()
            parsed = [parse_card(card) or card[:_LONGEST_CARD] for card in cards]
            _put(words, read, int(typed[1]), seat, parsed)
        elif stripped and not stripped.startswith(("[", "%", ";")):
            read.faults.append(HandFault("line", 0, {"line": place, "words": stripped[:40]}))
    return words


def _put(
    words: dict[int, Words], read: HandsRead, number: int, seat: Seat, cards: list[str]
) -> None:
    hands = words.setdefault(number, {})
    if seat in hands:
        read.faults.append(HandFault("seat_twice", number, {"seat": seat}))
    hands[seat] = cards


def _of_pbn(hand: str) -> list[str]:
    suits = hand.upper().replace("10", "T").split(".")
    return [
        rank + suit for suit, ranks in zip(_SUITS, suits, strict=False) for rank in ranks.strip("-")
    ]


def _check(number: int, hands: Words, read: HandsRead) -> None:
    given = [card for cards in hands.values() for card in cards]
    faults = [
        HandFault("card_unknown", number, {"card": card})
        for card in dict.fromkeys(given)
        if card not in NUMBERS
    ]
    faults += [
        HandFault("card_twice", number, {"card": card})
        for card, times in Counter(given).items()
        if times > 1 and card in NUMBERS
    ]
    left = [card for card in DECK if card not in given]
    missing = [seat for seat in SEATS if seat not in hands]
    if len(missing) == 1 and len(left) == HAND and not faults:
        hands = {**hands, missing[0]: left}
        left = []
    faults += [
        HandFault("hand_size", number, {"seat": seat, "count": len(hands.get(seat, ()))})
        for seat in SEATS
        if len(hands.get(seat, ())) != HAND
    ]
    if left and (faults or len(given) != len(DECK)):
        faults.append(
            HandFault(
                "cards_missing", number, {"count": len(DECK) - len(left), "cards": tuple(left)}
            )
        )
    read.faults += faults
    if not faults:
        read.folders[number] = holders_of_hands(hands)


@dataclass(frozen=True, slots=True)
class CardMoved:
    """A card that lies in another hand than it was dealt to."""

    card: str
    dealt: Seat
    found: Seat


def cards_moved(before: str, after: str) -> list[CardMoved]:
    """The cards of a folder that lie elsewhere, in the order of the deck."""
    return [
        CardMoved(card, cast("Seat", was), cast("Seat", now))
        for card, was, now in zip(DECK, before, after, strict=True)
        if was != now
    ]
