"""Scores deals as JSON: one object, or a stream with one on each line.

A deal card by card is counted first and then scored as a sheet is. The score is that of the cards
as they fell: a card that was not allowed is only a warning, and a penalty follows from `reneged`.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BufferedIOBase
from itertools import islice
from typing import Any, BinaryIO, Final, NoReturn

from scoring.rules.checks import find_faults, find_plain_faults
from scoring.rules.deal import SIDES, Seat, Side, Trump, WrittenDeal, forehand_of, side_of
from scoring.rules.faults import Fault, InvalidDeal, fault_json, shown
from scoring.rules.parse import (
    CARD_KEYS,
    COUNTED_KEYS,
    Laying,
    parse_deal,
    parse_regulation,
    read_laying,
)
from scoring.rules.regulation import RuleSet
from scoring.rules.score import DealResult, settle
from scoring.rules.sheet import line_of_three, roem_readings
from scoring.rules.texts import Language
from scoring.rules.tricks import Played, PlayedTrick, announceable, roem_announced, trace

_LAST_TRICK: Final = 10
_MOST_READINGS: Final = 200
"""Ways to announce the roem of a line that are tried."""
_UNCOUNTED: Final = tuple(Fault("missing", key) for key in COUNTED_KEYS)
"""Stands in for what the cards would have said, where they cannot be counted."""


def evaluate_cards(raw: Mapping[str, object], regulation: RuleSet) -> DealResult:
    """What a deal, an object of the contract with `leader` and `cards`, comes to.

    Raises `InvalidDeal` with every fault at once.

    >>> deck = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
    >>> deal = {"declarer": "N", "trump": "S", "leader": "N", "cards": deck}
    >>> evaluate_cards({**deal, "announced": [False] * 7 + [50]}, RuleSet()).score
    {'NS': 182, 'EW': 30}
    """
    laying, deal, faults = _read(raw)
    played, wrong = _play(laying, deal.trump, regulation)
    faults += wrong
    if played is None:
        raise InvalidDeal([*faults, *find_faults(deal, regulation, [*faults, *_UNCOUNTED])])
    deal = _counted(deal, played.tricks, regulation)
    faults += find_faults(deal, regulation, faults)
    if faults:
        raise InvalidDeal(faults)
    return replace(settle(deal, regulation), played=played)


def announced_line(
    line: Mapping[str, object], regulation: RuleSet, *, three: bool = False
) -> tuple[dict[str, Any], DealResult | None]:
    """The line with its roem announced in the first way that the rules allow, and what it comes to:
    None where they allow none, however it is announced, and then it is the likeliest way. Of
    `three` the line is as their sheet has it. Who writes as the points of a nat what it comes to,
    0 and 162, may have roem with which nobody takes 0: then the line has no points.

    >>> line = {"declarer": "NS", "trump": "C", "points": {"NS": 100}, "roem": {"NS": [60]}}
    >>> announced_line(line, RuleSet())[0]["roem"]
    {'NS': [20, 20, 20]}
    """
    first: dict[str, Any] | None = None
    for meant in _meant(line, three=three):
        for tried in islice(roem_readings(meant, regulation), _MOST_READINGS):
            first = first or tried
            try:
                return tried, evaluate(line_of_three(tried) if three else tried, regulation)
            except InvalidDeal as invalid:
                if any(fault.root != "roem" for fault in invalid.faults):
                    break
    return first or dict(line), None


def _meant(line: Mapping[str, object], *, three: bool) -> Iterator[Mapping[str, object]]:
    yield line
    points, declarer = line.get("points"), line.get("declarer")
    own = SIDES[0] if three else next((s for s in SIDES if declarer in (s, *s)), None)
    if line.get("nat") and isinstance(points, Mapping) and points.get(own) == 0:
        yield {key: value for key, value in line.items() if key != "points"}


def plain_card_faults(raw: Mapping[str, object]) -> list[Fault]:
    """The faults that a deal card by card has under any regulation, for when that is faulty."""
    laying, deal, faults = _read(raw)
    faults += _play(laying, deal.trump, None)[1]
    return faults + find_plain_faults(deal, [*faults, *_UNCOUNTED])


def _read(raw: Mapping[str, object]) -> tuple[Laying, WrittenDeal, list[Fault]]:
    """The cards and the rest of the deal, as far as they can be read, and every fault of shape."""
    others = {key: raw[key] for key in raw if key not in CARD_KEYS + COUNTED_KEYS}
    if others.get("trump") is None:
        others.pop("trump", None)
    deal, faults = parse_deal(others)
    laying, more = read_laying(raw)
    faults += more
    if laying.leader and deal.dealer and all(fault.root != "seats" for fault in faults):
        faults += _leader_faults(laying.leader, deal.dealer, deal.seats)
    return laying, deal, faults


def _leader_faults(leader: Seat, dealer: Seat, seats: Sequence[Seat]) -> list[Fault]:
    """Where nobody sits left of the dealer, the dummy there or the next person may lead."""
    forehand = seated = forehand_of(dealer)
    while seated not in seats:
        seated = forehand_of(seated)
    if leader in (forehand, seated):
        return []
    return [Fault("leader", "leader", {"seat": dealer, "forehand": seated})]


def _play(
    laying: Laying, trump: Trump | None, regulation: RuleSet | None
) -> tuple[Played | None, list[Fault]]:
    """The tricks with the roem that was announced, and each announcement that cannot be.

    No tricks where a part could not be read. Without a regulation four of a kind is not judged.
    """
    if laying.cards is None or laying.announced is None or trump is None:
        return None, []
    # Who led does not touch what four cards are worth.
    laid = trace(laying.cards, laying.leader or "N", trump, regulation or RuleSet())
    said = list(zip(laid.tricks, laying.announced, strict=True))
    faults = [
        Fault(
            "bad_value",
            f"announced.{trick.number - 1}",
            {"why": "announced", "trick": trick.number, "roem": trick.roem, "value": shown(part)},
        )
        for trick, part in said
        if type(part) is int and not _can_be_announced(part, trick, regulation)
    ]
    if faults or laying.leader is None:
        return None, faults
    tricks = [trick if part is True else trick._replace(roem=int(part)) for trick, part in said]
    return Played(tuple(tricks), laid.reneges), []


def _can_be_announced(points: int, trick: PlayedTrick, regulation: RuleSet | None) -> bool:
    if regulation is None:
        return trick.is_four_of_a_kind or points in announceable(trick, RuleSet())
    return points in announceable(trick, regulation)


def _counted(deal: WrittenDeal, tricks: Sequence[PlayedTrick], regulation: RuleSet) -> WrittenDeal:
    """The deal as its sheet would have it, with both sides counted."""
    points: dict[Side, int] = dict.fromkeys(SIDES, 0)
    roem: dict[Side, tuple[int, ...]] = {}
    for trick in tricks:
        side = side_of(trick.winner)
        points[side] += trick.points
        for owner, part in roem_announced(trick, trick.roem, regulation):
            roem[owner] = (*roem.get(owner, ()), part)
    points[side_of(tricks[-1].winner)] += _LAST_TRICK
    winners = {side_of(trick.winner) for trick in tricks}
    pit = winners.pop() if len(winners) == 1 else None
    return replace(deal, points=points, roem=roem, pit=pit)


LONGEST_LINE: Final = 1 << 20
"""Bytes; a longer line is no deal and is not kept in memory."""

_CARD_KEYS: Final = frozenset(CARD_KEYS)
_CHUNK: Final = 1 << 16


def evaluate(deal: Mapping[str, object], regulation: RuleSet) -> DealResult:
    """What a deal, an object of the contract without its `regulation`, comes to.

    Raises `InvalidDeal` with every fault at once.

    >>> deal = {"declarer": "N", "trump": "H", "points": {"EW": 65}, "roem": {"NS": [20, 50]}}
    >>> evaluate(deal, RuleSet()).score
    {'NS': 167, 'EW': 65}
    """
    if not _CARD_KEYS.isdisjoint(deal) and _has_cards(deal):
        return evaluate_cards(deal, regulation)
    parsed, faults = parse_deal(deal)
    faults += find_faults(parsed, regulation, faults)
    if faults:
        raise InvalidDeal(faults)
    return settle(parsed, regulation)


def _has_cards(deal: Mapping[str, object]) -> bool:
    return any(deal.get(key) is not None for key in CARD_KEYS)


def score_line(value: object, language: Language = "en") -> dict[str, object]:
    """The contract's answer to one of its objects; whatever it is given, it never raises.

    >>> score_line([])["errors"][0]["code"]
    'bad_json'
    """
    try:
        return _score(value).as_json(language)
    except InvalidDeal as error:
        errors = [fault_json(fault, language) for fault in error.faults]
        return {"valid": False, "errors": errors}


def _score(value: object) -> DealResult:
    if not isinstance(value, dict):
        raise InvalidDeal([Fault("bad_json", "")])
    deal = {key: item for key, item in value.items() if key != "regulation"}
    try:
        regulation = _regulation_of(value)
    except InvalidDeal as error:
        raise InvalidDeal([*error.faults, *_plain_faults(deal)]) from None
    return evaluate(deal, regulation)


def _plain_faults(deal: Mapping[str, object]) -> list[Fault]:
    if _has_cards(deal):
        return plain_card_faults(deal)
    parsed, faults = parse_deal(deal)
    return [*faults, *find_plain_faults(parsed, faults)]


def _regulation_of(value: Mapping[str, object]) -> RuleSet:
    if "regulation" not in value:
        raise InvalidDeal([Fault("missing", "regulation")])
    return parse_regulation(value["regulation"])


def score_stream(source: BufferedIOBase, sink: BinaryIO) -> bool:
    """Answer every line of `source` on `sink`, in order; whether each of them was a JSON object.

    Whatever has been read is answered before more input is waited for.
    """
    all_objects = True
    for lines in _batches(source):
        values = [None if len(line) > LONGEST_LINE else read_json(line) for line in lines]
        all_objects = all_objects and all(isinstance(value, dict) for value in values)
        sink.write(
            b"".join(_ENCODER.encode(score_line(value)).encode() + b"\n" for value in values)
        )
        sink.flush()
    return all_objects


def _batches(source: BufferedIOBase) -> Iterator[list[bytes]]:
    rest = b""
    while chunk := source.read1(_CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[: LONGEST_LINE + 1]
        if lines:
            yield lines
    if rest:
        yield [rest]


def read_json(text: bytes) -> object:
    """What UTF-8 JSON says; None, which is no deal either, for what is none or is absurd.

    >>> read_json(b'{"points": NaN}') is None
    True
    """
    try:
        return _DECODER.decode(text.decode())
    except (ValueError, RecursionError):
        return None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_ENCODER: Final = json.JSONEncoder()
