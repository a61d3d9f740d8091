"""What each column with JSON may hold in the file of a club: as the application reads it."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import models

from clubs.archives.checks import (
    Check,
    RowChecks,
    by_key,
    figure,
    flag,
    identifier,
    list_of,
    maybe,
    object_of,
    one_of,
    shown,
    text,
    whole,
)
from clubs.audit.trail import PEOPLE as PEOPLE_KEYS
from clubs.http.network import origin_read
from clubs.models import Member
from scoring.models.sheet import SIDES_AND_SEATS
from scoring.replay.cards import DealReplay
from scoring.rules import SEATS, SIDES, RuleSet, parse_regulation
from scoring.rules.hands import HAND, hands_of
from scoring.rules.parse import parse_deal
from tournaments.evenings.kinds import parse_kind
from tournaments.models import (
    PUBLISHED_AS,
    CompetitorMember,
    CoupleRule,
    CupWin,
    DuplicateEvening,
    FeePayment,
    PastResult,
    PrizeGiven,
    Registration,
)
from tournaments.prizes.core import parse_prizes
from tournaments.standings.core.metrics import EVENING_TIE_BREAKS, MEASURES
from tournaments.standings.core.rule_json import parse_season_rule

_any_object: Final = object_of({}, open_=True)


def _with(parse: Callable[[Any], object]) -> Check:
    """A check by the parser that reads an object later; it raises ValueError."""

    def check(value: Any) -> None:
        _any_object(value)
        parse(value)

    return check


# Deals.


def _line(value: Any) -> None:
    """What is written of a deal."""
    _any_object(value)
    _deal, faults = parse_deal(value)
    if faults:
        raise ValueError(f"{faults[0].field}: {shown(value.get(faults[0].root))} cannot be read")


def _record(value: Any) -> None:
    """A deal card by card."""
    object_of(
        {
            "declarer": maybe(one_of((*SEATS, *SIDES))),
            "trump": maybe(one_of("CDHS")),
            "leader": one_of(SEATS),
            "cards": list_of(text),
        },
        {"announced": list_of(_announced)},
    )(value)
    replay = DealReplay.of_record(value, RuleSet())
    if len(replay.cards) > 4 * 8 or len(replay.players) != len(replay.cards):
        raise ValueError("these cards are no deal")


def _announced(value: object) -> None:
    (flag if isinstance(value, bool) else whole)(value)


def _by_side(inner: Check) -> Check:
    return object_of(dict.fromkeys(SIDES, inner))


_result: Final = object_of(
    {
        "valid": flag,
        "nat": flag,
        "pit": maybe(one_of(SIDES)),
        "points": _by_side(maybe(whole)),
        "roem": _by_side(whole),
        "score": _by_side(whole),
        "players": by_key(one_of(SEATS), whole),
    },
    {"warnings": list_of(object_of(dict.fromkeys(("code", "field", "message"), text)))},
)


# The trail.

_entry: Final = object_of(
    {
        "deal": whole,
        "entry": identifier,
        "revision": whole,
        "old": maybe(_any_object),
        "new": maybe(_any_object),
        "device": text,
    },
    {"side": text, "record": _any_object},
)
_totals: Final = object_of({}, dict.fromkeys(("points", "roem", "total"), maybe(whole)), open_=True)
_event: Final = object_of(
    {},
    {
        **dict.fromkeys(PEOPLE_KEYS, identifier),
        **dict.fromkeys(SIDES_AND_SEATS, maybe(_totals)),
        "entries": list_of(_entry),
        "claim": identifier,
        "confirmed": identifier,
        "invitation": text,
        "side": text,
        "deal": whole,
        "release": whole,
        "figures": text,
        "new": maybe(_any_object),
    },
    open_=True,
)
_LOOKED_UP: Final = "club", "member", "evening", "sheet", "user"
"""What events refer to by UUID."""


def _reference(value: str) -> None:
    kind, colon, rest = value.partition(":")
    if colon and kind in _LOOKED_UP:
        identifier(rest)


def _chain(value: str) -> None:
    kind, _colon, rest = value.partition(":")
    one_of(("club", "sheet"))(kind)
    identifier(rest)


# Results.


def _round_number(value: str) -> None:
    if not re.fullmatch(r"[1-9]\d?", value, re.ASCII):
        raise ValueError(f"{shown(value)} is not the number of a round")


_rounds: Final = by_key(_round_number, whole)
_tied: Final = by_key(one_of(MEASURES), maybe(figure))
_pair: Final = object_of(
    {"number": whole, "rank": whole, "total": whole, "rounds": _rounds, "pits": whole},
    {"tie_breaks": _tied},
)
_named: Final = {"member": whole, "name": text, "shown_name": text}
_standing: Final = object_of(
    {**_named, "rank": whole, "total": whole, "rounds": _rounds, "pits": whole},
    {
        "tie_breaks": _tied,
        "pair": maybe(_pair),
        "team": identifier,
        "correction": whole,
        PUBLISHED_AS: whole,
    },
)
_competitor: Final = object_of(
    {
        "kind": one_of(("pair", "team")),
        "competitor": maybe(identifier),
        "number": maybe(whole),
        "name": text,
        "shown_name": text,
        "ranked": flag,
        "rank": whole,
        "total": whole,
        "rounds": _rounds,
        "pits": whole,
    },
    {"tie_breaks": _tied, "correction": whole},
)


def _pair_number(value: str) -> None:
    if not re.fullmatch(r"[1-9]\d{0,2}", value, re.ASCII):
        raise ValueError(f"{shown(value)} is not the number of a pair")


def _fraction(value: object) -> None:
    text(value)
    if not re.fullmatch(r"-?\d{1,9}(/[1-9]\d{0,8})?", str(value), re.ASCII):
        raise ValueError(f"{shown(value)} is not a number of points")


def _decimal(value: object) -> None:
    text(value)
    if not re.fullmatch(r"-?\d{1,9}(\.\d{1,2})?", str(value), re.ASCII):
        raise ValueError(f"{shown(value)} is not a number")


def _of_side(inner: Check) -> Check:
    """What some of the sides have."""
    return object_of({}, dict.fromkeys(SIDES, inner))


def _hands(value: object) -> None:
    if value and any(len(hand) != HAND for hand in hands_of(str(value)).values()):
        raise ValueError("these are not four hands of eight cards")


_folder_place: Final = object_of(
    {
        "place": whole,
        "pairs": list_of(whole),
        "points": _fraction,
        "shown": _decimal,
        "top": maybe(whole),
        "percentage": maybe(_decimal),
        "folders": whole,
    }
)
_folder_table: Final = object_of(
    {
        **dict.fromkeys(("round", "table", "deal", "top"), whole),
        "pairs": _by_side(whole),
        "declarer": maybe(one_of((*SEATS, *SIDES))),
        "trump": maybe(one_of("CDHS")),
        "score": maybe(list_of(whole, count=2)),
        "nat": flag,
        "pit": maybe(one_of(SIDES)),
        "worth": _of_side(_fraction),
        "rulings": _of_side(whole),
    }
)
_folders: Final = object_of(
    {
        "kind": one_of(DuplicateEvening.Kind.values),
        "compare": one_of(DuplicateEvening.Comparison.values),
        "net": flag,
        "folders": whole,
        "lines": list_of(
            object_of({"line": maybe(one_of(SIDES)), "places": list_of(_folder_place)})
        ),
        "boards": list_of(
            object_of({"folder": whole, "hands": _hands, "tables": list_of(_folder_table)})
        ),
    }
)
_both: Final = list_of(maybe(whole), count=2)
_change: Final = object_of({**_named, "rank": _both, "total": _both}, {PUBLISHED_AS: whole})


def _tie_breaks(value: Any) -> None:
    list_of(one_of(EVENING_TIE_BREAKS))(value)
    if len(set(value)) < len(value):
        raise ValueError("names something twice")


# Merges. Undoing one writes whatever these columns say, so they name no other table or column than
# a merge writes.

_CHANGED: Final = {
    "tournaments.registration": ("pair",),
    "tournaments.couplerule": ("one_id", "two_id"),
}
_DROPPED: Final = {
    model._meta.label_lower: model
    for model in (
        *(Registration, PastResult, CupWin, CoupleRule, FeePayment, PrizeGiven),
        CompetitorMember,
    )
}


def _whole_or_none(value: object) -> None:
    if value is not None:
        whole(value)


def _columns(model: type[models.Model], own: Check = whole) -> Check:
    """An object with every column of a row; `own` is the check of its number."""
    checks = RowChecks({})
    columns = {field.attname: checks.check_of(field) for field in model._meta.concrete_fields}
    return object_of({**columns, "id": own})


def _moved(value: Any) -> None:
    by_key(text, list_of(whole))(value)
    for label in value:
        name, _dot, column = label.rpartition(".")
        if (name, column) not in _of_a_person():
            raise ValueError(f"{shown(label)} belongs to nobody")


def _of_a_person() -> set[tuple[str, str]]:
    """The foreign keys to a member."""
    return {
        (relation.related_model._meta.label_lower, relation.field.name)
        for relation in Member._meta.related_objects
    }


def _list(value: object) -> None:
    if not isinstance(value, list):
        raise ValueError(f"{shown(value)} is not a list")


def _changed(value: Any) -> None:
    list_of(_list)(value)
    for label, pk, before, after in value:
        one_of(_CHANGED)(label)
        whole(pk)
        for columns in (before, after):
            by_key(one_of(_CHANGED[label]), maybe(whole))(columns)


def _dropped(value: Any) -> None:
    list_of(_list)(value)
    for label, columns in value:
        one_of(_DROPPED)(label)
        # It is gone, so it has no number in the file unless something else has kept it.
        _columns(_DROPPED[label], own=_whole_or_none)(columns)


def _site(value: object) -> None:
    text(value)
    if origin_read(str(value)) != value:
        raise ValueError(f"{shown(value)} is no website")


COLUMNS: Mapping[tuple[str, str], Check] = {
    ("clubs.auditevent", "chain"): _chain,
    ("clubs.auditevent", "object_ref"): _reference,
    ("clubs.auditevent", "actor"): _reference,
    ("clubs.auditevent", "data"): _event,
    ("clubs.auditevent", "commitments"): by_key(text, text),
    ("clubs.club", "frame_sites"): list_of(_site),
    ("clubs.membermerge", "guest"): _columns(Member),
    ("clubs.membermerge", "handed_over"): object_of(
        {
            "moved": _moved,
            "changed": _changed,
            "dropped": _dropped,
            "evenings": list_of(whole),
        }
    ),
    ("scoring.folder", "hands"): _hands,
    ("scoring.regulation", "settings"): _with(parse_regulation),
    ("scoring.dealentry", "written"): _line,
    ("scoring.dealentry", "result"): _result,
    ("scoring.dealentry", "warnings"): list_of(text),
    ("scoring.dealentry", "record"): _record,
    ("scoring.dealclaim", "written"): _line,
    ("scoring.dealclaim", "result"): _result,
    ("tournaments.release", "standings"): list_of(_standing),
    ("tournaments.release", "changes"): list_of(_change),
    ("tournaments.release", "competitors"): maybe(list_of(_competitor)),
    ("tournaments.release", "folders"): maybe(_folders),
    ("tournaments.release", "salts"): list_of(list_of(text)),
    ("tournaments.round", "swaps"): list_of(list_of(identifier, count=2)),
    ("tournaments.duplicateevening", "pairs"): list_of(whole),
    ("tournaments.duplicateevening", "left"): by_key(_pair_number, whole),
    ("tournaments.evening", "tie_breaks"): _tie_breaks,
    ("tournaments.evening", "prizes"): _with(parse_prizes),
    ("tournaments.eveningkind", "settings"): _with(parse_kind),
    ("tournaments.season", "prizes"): _with(parse_prizes),
    ("tournaments.seasonrule", "settings"): _with(parse_season_rule),
}
"""By table and column; those with text are checked as text as well."""
