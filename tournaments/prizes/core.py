"""Places in, prizes out: which prizes there are, as a club chooses them and as JSON keeps the
choice; and who gets them, in the order in which they are handed out.

Imports the standard library and the core of the standings only.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal, get_args

from tournaments.standings.core.metrics import EVENING_PRIZES, SEASON_PRIZES
from tournaments.standings.core.results import Points

Kind = Literal["none", "first", "formula_of_four", "given", "one_per_four", "everybody"]

KINDS: tuple[Kind, ...] = get_args(Kind)
HIGHEST_PLACE = 999
FOUR = 4
LONGEST_WHAT = 80
MOST_CENTS = 99_999_99
WHOLE = 100


class InvalidPrizes(ValueError):
    """The settings are not a prize scheme. `faults` has a (field, code) for each thing wrong:
    `not_an_object`, `unknown`, `not_a_choice`, `not_a_number`, `not_a_list`, `no_places`,
    `not_a_content`."""

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        super().__init__(", ".join(f"{field}: {code}" for field, code in faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Content:
    """What a prize is: in words, such as "a ham"; in cents; or so many percent of the pot."""

    what: str = ""
    cents: int | None = None
    share: int | None = None

    def as_json(self) -> dict[str, object]:
        """The content as `parse_prizes` reads it, with what is filled in."""
        known = {"what": self.what or None, "cents": self.cents, "share": self.share}
        return {key: value for key, value in known.items() if value is not None}

    def worth(self, pot: int) -> int | None:
        """What it comes to in cents, with so much in the pot; None if it has no amount."""
        return self.cents if self.share is None else max(pot, 0) * self.share // WHOLE


@dataclass(frozen=True, slots=True)
class PrizeScheme:
    """By default the first three places and the poedel, the booby prize.

    `first` counts for the kind "first" and `given` for "given". `sides` are the side prizes in the
    order in which they are handed out, each by the key of its metric; `periods` are prizes for the
    first `period_places` of each period of a season. `contents` says what the prizes are, as far as
    the club did, by their key: `place-1`, `poedel`, `side-pits`, and for each of the periods
    `period`, `period-2` and so on.
    """

    kind: Kind = "first"
    first: int = 3
    given: tuple[int, ...] = ()
    poedel: bool = True
    sides: tuple[str, ...] = ()
    periods: bool = False
    period_places: int = 1
    contents: tuple[tuple[str, Content], ...] = ()

    def as_json(self) -> dict[str, object]:
        """The scheme as `parse_prizes` reads it, every key written out; contents and more than one
        place in a period if there are."""
        written: dict[str, object] = {
            "kind": self.kind,
            "first": self.first,
            "given": list(self.given),
            "poedel": self.poedel,
            "sides": list(self.sides),
            "periods": self.periods,
        }
        if self.period_places > 1:
            written["period_places"] = self.period_places
        if self.contents:
            written["contents"] = {key: content.as_json() for key, content in self.contents}
        return written

    def unworded(self) -> dict[str, object]:
        """The scheme for the trail, which never forgets: without what a club calls its prizes."""
        contents = [(key, replace(content, what="")) for key, content in self.contents]
        return replace(self, contents=tuple(contents)).as_json()

    def is_for(self, place: int) -> bool:
        """Whether this place wins a prize where enough people play."""
        if self.kind == "one_per_four":
            return True
        return place in self.places(place)

    def keys(self, people: int) -> list[str]:
        """The keys of everything that can be won among this many people: the places first."""
        return [
            *(f"place-{place}" for place in self.places(people)),
            *(["poedel"] if self.poedel else []),
            *(f"side-{side}" for side in self.sides),
            *(_period_prize(place) for place in range(1, 1 + self.period_places * self.periods)),
        ]

    def places(self, people: int) -> tuple[int, ...]:
        """The places that win a prize among this many people, in order.

        The formula of four is 1 to 4 and then every fourth place: 8, 12, 16. One per four people
        is for the highest places, at least one; a last group of fewer than four adds no prize.
        """
        places = range(1, people + 1)
        match self.kind:
            case "first":
                return tuple(places[: self.first])
            case "formula_of_four":
                return tuple(place for place in places if place <= FOUR or place % FOUR == 0)
            case "given":
                return tuple(place for place in places if place in self.given)
            case "one_per_four":
                return tuple(places[: max(people // FOUR, 1)])
            case "everybody":
                return tuple(places)
            case "none":
                return ()


def parse_prizes(settings: object) -> PrizeScheme:
    """The scheme that these settings describe; a key left out has its default.

    Raises `InvalidPrizes` with every fault.
    """
    if not isinstance(settings, Mapping):
        raise InvalidPrizes([("prizes", "not_an_object")])
    faults = [(str(key), "unknown") for key in settings if key not in _READERS]
    read = {key: _READERS[key](value) for key, value in settings.items() if key in _READERS}
    faults += [(key, value.code) for key, value in read.items() if isinstance(value, _Fault)]
    if not faults and read.get("kind") == "given" and not read.get("given"):
        faults.append(("given", "no_places"))
    if faults:
        raise InvalidPrizes(faults)
    return PrizeScheme(**read)


@dataclass(frozen=True, slots=True)
class _Fault:
    """Stands in place of a value that cannot be read."""

    code: str


def _kind(value: object) -> Any:
    return value if value in KINDS else _Fault("not_a_choice")


def _place(value: object) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= HIGHEST_PLACE:
        return value
    return _Fault("not_a_number")


def _places(value: object) -> Any:
    if not isinstance(value, list):
        return _Fault("not_a_list")
    places = [_place(place) for place in value]
    wrong = any(isinstance(place, _Fault) for place in places)
    return _Fault("not_a_number") if wrong else tuple(sorted(set(places)))


def _yes_no(value: object) -> Any:
    return value if isinstance(value, bool) else _Fault("not_a_choice")


def _sides(value: object) -> Any:
    if not isinstance(value, list):
        return _Fault("not_a_list")
    is_known = all(side in EVENING_PRIZES or side in SEASON_PRIZES for side in value)
    return tuple(dict.fromkeys(value)) if is_known else _Fault("not_a_choice")


def _contents(value: object) -> Any:
    if not isinstance(value, Mapping):
        return _Fault("not_an_object")
    read = [(key, _content(content)) for key, content in value.items() if _is_key(key)]
    if len(read) < len(value) or any(content is None for _key, content in read):
        return _Fault("not_a_content")
    return tuple(read)


def _is_key(key: object) -> bool:
    kind, _dash, rest = str(key).partition("-")
    if kind == "place":
        is_number = rest.isascii() and rest.isdecimal() and not rest.startswith("0")
        return is_number and len(rest) <= len(str(HIGHEST_PLACE))
    if kind == "side":
        return rest in EVENING_PRIZES or rest in SEASON_PRIZES
    if kind == "period" and rest:
        return _is_key(f"place-{rest}") and rest != "1"
    return key in ("poedel", "period")


def _period_prize(place: int) -> str:
    """The key of what is won by this place of each period."""
    return "period" if place == 1 else f"period-{place}"


def _content(value: object) -> Content | None:
    """The content that this object describes; None if it describes none."""
    if not isinstance(value, Mapping) or not value or not value.keys() <= _LARGEST.keys():
        return None
    what = value.get("what", "")
    numbers = {key: value[key] for key in ("cents", "share") if key in value}
    is_sound = isinstance(what, str) and len(what) <= LONGEST_WHAT and len(numbers) <= 1
    for key, number in numbers.items():
        is_whole = isinstance(number, int) and not isinstance(number, bool)
        is_sound = is_sound and is_whole and 0 < number <= _LARGEST[key]
    return Content(what, **numbers) if is_sound and (what or numbers) else None


_LARGEST: Mapping[str, int] = {"what": LONGEST_WHAT, "cents": MOST_CENTS, "share": WHOLE}

_READERS: Mapping[str, Callable[[object], Any]] = {
    "kind": _kind,
    "first": _place,
    "given": _places,
    "poedel": _yes_no,
    "sides": _sides,
    "periods": _yes_no,
    "period_places": _place,
    "contents": _contents,
}


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """A line of a standing, of a person or a pair, with its place and the value that decided it."""

    ids: tuple[str, ...]
    name: str
    rank: int
    value: Points


@dataclass(frozen=True, slots=True)
class Winner:
    """The person or pair that gets a prize, and the figure they get it for."""

    ids: tuple[str, ...]
    name: str
    figure: Points


@dataclass(frozen=True, slots=True)
class Award:
    """One moment of the prize-giving: a place, the poedel, a side prize or that of a period.

    `key` is the side prize's metric or the period, with `/2` and so on for a lower place in it;
    `place` is set for places. `prizes` is how many there are for these people: fewer than people
    if they share it.
    """

    kind: Literal["poedel", "side", "period", "place"]
    people: tuple[Winner, ...]
    prizes: int = 1
    key: str = ""
    place: int | None = None

    @property
    def is_shared(self) -> bool:
        """Whether there are more people than prizes."""
        return len(self.people) > self.prizes

    @property
    def name(self) -> str:
        """Its key among all awards, such as `place-1` or `side-pits`."""
        return "-".join(filter(None, (self.kind, self.key or str(self.place or ""))))

    def contents(self, scheme: PrizeScheme) -> tuple[Content, ...]:
        """What they get, as far as the club says: of people who share a place, the prizes of all
        the places that they take up."""
        known = dict(scheme.contents)
        if self.kind == "period":
            rank = "".join(self.key.split("/")[2:]) or 1
            keys = [_period_prize(int(rank) + turn) for turn in range(self.prizes)]
            return tuple(known[key] for key in keys if key in known)
        if self.kind != "place":
            return (known[self.name],) if self.name in known else ()
        first = self.place or 1
        taken = range(first, first + len(self.people))
        won = [place for place in taken if scheme.is_for(place)][: self.prizes]
        return tuple(known[f"place-{place}"] for place in won if f"place-{place}" in known)


def prize_giving(
    scheme: PrizeScheme,
    standing: Sequence[RankedEntry],
    *,
    sides: Mapping[str, Sequence[Winner]] | None = None,
    periods: Mapping[str, Sequence[Winner]] | None = None,
) -> tuple[Award, ...]:
    """The awards in order: the poedel, side prizes, periods, and the places from the lowest up to
    the winner.

    `standing` is in order of place. `sides` has the winners of each side prize, and `periods` the
    people of each period: winners share, and a prize that nobody wins is left out. People with the
    same place share the prizes of all the places they take up, which can be fewer than they are; if
    there is none, they get none.
    """
    return (
        *(_poedel(standing) if scheme.poedel else ()),
        *_each("side", scheme.sides, sides or {}),
        *(_period_awards(scheme, periods) if scheme.periods and periods else ()),
        *_places_awarded(scheme, standing),
    )


def divided(cents: int, people: int) -> list[int]:
    """A sum in whole cents among this many people; the first get what is left over.

    >>> divided(1000, 3)
    [334, 333, 333]
    """
    return [cents // people + (turn < cents % people) for turn in range(people)]


def highest(people: Iterable[Winner]) -> tuple[Winner, ...]:
    """Those with the highest figure, by name; nobody if that is zero."""
    by_name = sorted(people, key=lambda winner: (winner.name.casefold(), winner.ids))
    best = max((winner.figure for winner in by_name), default=0)
    return tuple(winner for winner in by_name if winner.figure == best > 0)


def _poedel(standing: Sequence[RankedEntry]) -> Iterator[Award]:
    last = standing[-1].rank if standing else 1
    if last > 1:
        yield Award("poedel", tuple(_winner(entry) for entry in standing if entry.rank == last))


def _each(
    kind: Literal["side"], keys: Iterable[str], winners: Mapping[str, Sequence[Winner]]
) -> Iterator[Award]:
    for key in keys:
        if people := winners.get(key):
            yield Award(kind, tuple(people), key=key)


def _period_awards(scheme: PrizeScheme, periods: Mapping[str, Sequence[Winner]]) -> Iterator[Award]:
    """Period by period, the places from the lowest that wins a prize up to the first."""
    for key, people in periods.items():
        scored = sorted(people, key=lambda one: (-one.figure, one.name.casefold(), one.ids))
        rank, awards = 1, []
        for figure, group in groupby(scored, key=lambda one: one.figure):
            equals = tuple(group)
            prizes = min(len(equals), scheme.period_places + 1 - rank)
            if prizes > 0 and figure > 0:
                at = key if rank == 1 else f"{key}/{rank}"
                awards.append(Award("period", equals, prizes, key=at))
            rank += len(equals)
        yield from awards[::-1]


def _places_awarded(scheme: PrizeScheme, standing: Sequence[RankedEntry]) -> list[Award]:
    with_prize = set(scheme.places(len(standing)))
    awards = []
    for rank, group in groupby(standing, key=lambda entry: entry.rank):
        people = tuple(_winner(entry) for entry in group)
        prizes = sum(place in with_prize for place in range(rank, rank + len(people)))
        if prizes:
            awards.append(Award("place", people, prizes, place=rank))
    return awards[::-1]


def _winner(entry: RankedEntry) -> Winner:
    return Winner(entry.ids, entry.name, entry.value)
