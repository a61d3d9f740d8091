"""Scores deals as JSON: one object, or a stream with one on each line."""

import json
import math
from collections.abc import Iterator, Mapping
from io import BufferedIOBase
from typing import BinaryIO, Final, NoReturn

from scoring.rules.checks import find_faults, find_plain_faults
from scoring.rules.faults import Fault, InvalidDeal
from scoring.rules.laying import CARD_KEYS
from scoring.rules.messages import Language, fault_json
from scoring.rules.parse import parse_deal
from scoring.rules.played import evaluate_cards, plain_card_faults
from scoring.rules.regulation import Regulation
from scoring.rules.result import DealResult
from scoring.rules.settings import parse_regulation
from scoring.rules.settle import settle

LONGEST_LINE: Final = 1 << 20
"""Bytes; a longer line is no deal and is not kept in memory."""

_CARD_KEYS: Final = frozenset(CARD_KEYS)
_CHUNK: Final = 1 << 16


def evaluate(deal: Mapping[str, object], regulation: Regulation) -> DealResult:
    """What a deal, an object of the contract without its `regulation`, comes to.

    Raises `InvalidDeal` with every fault at once.

    >>> deal = {"declarer": "N", "trump": "H", "points": {"EW": 65}, "roem": {"NS": [20, 50]}}
    >>> evaluate(deal, Regulation()).score
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


def _regulation_of(value: Mapping[str, object]) -> Regulation:
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
