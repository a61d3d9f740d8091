"""The playing strength of people, estimated by openskill from the results at each table.

Strength is in points per boompje: with +30 a pair with this player scores 30 points more per
boompje than with a newcomer, against the same opponents. A single boompje is mostly luck, and the
model takes that into account; that is why it is slow to be sure of anybody.
"""

import datetime as dt
import math
from collections import ChainMap, Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final, cast

from django.db import transaction
from django.db.models import Q, QuerySet

from clubs.models import Club
from clubs.profile.services import club_lock
from scoring.models import Seat
from scoring.rules import Seat as SeatName
from scoring.rules import side_of
from tournaments.models import Evening, Rating

if TYPE_CHECKING:
    from openskill.models import PlackettLuce, PlackettLuceRating

BOOMPJE: Final = 16
SPREAD: Final = 40.0
"""The standard deviation of strength among the people of a club, before anything is known."""
LUCK: Final = 240.0
"""The standard deviation that chance gives the points of a pair in a boompje."""
DRIFT: Final = 1.0
"""By how much a player may have changed from one boompje to the next."""
_LOGISTIC: Final = math.sqrt(1.5) / math.pi


@dataclass(frozen=True, slots=True)
class Strength:
    """Somebody's estimated strength `mu`, and its standard deviation."""

    mu: float = 0.0
    sigma: float = SPREAD


@dataclass(frozen=True, slots=True)
class Game:
    """One table in one round: the member ids of each side, their scores, and the number of deals.
    At a table of three everybody is a side."""

    sides: Sequence[Sequence[int]]
    scores: Sequence[int]
    deals: int


NEWCOMER: Final = Strength()


def rate(before: Mapping[int, Strength], games: Iterable[Game]) -> dict[int, Strength]:
    """The strength of everybody in these games after them, played in order."""
    strengths: dict[int, Strength] = {}
    known = ChainMap(strengths, dict(before))
    for game in games:
        strengths.update(_after(known, game))
    return strengths


def _after(known: Mapping[int, Strength], game: Game) -> dict[int, Strength]:
    model = _model(game.deals)
    sides = [[_rating(model, known.get(pk, NEWCOMER)) for pk in side] for side in game.sides]
    ranks: list[float] = [sum(other > own for other in game.scores) for own in game.scores]
    return {
        member_id: Strength(rating.mu, rating.sigma)
        for people, ratings in zip(game.sides, model.rate(sides, ranks=ranks), strict=True)
        for member_id, rating in zip(people, ratings, strict=True)
    }


def _rating(model: "PlackettLuce", strength: Strength) -> "PlackettLuceRating":
    return model.rating(mu=strength.mu, sigma=strength.sigma)


@lru_cache(maxsize=128)
def _model(deals: int) -> "PlackettLuce":
    """The model for so many deals: the fewer deals, the more luck.

    `beta` is openskill's luck of each side, on a logistic scale. Its default `gamma` makes it less
    sure than the games warrant; with 1 its stated uncertainty was right.
    """
    from openskill.models import PlackettLuce

    luck = LUCK * math.sqrt(BOOMPJE / deals)
    return PlackettLuce(
        mu=NEWCOMER.mu,
        sigma=NEWCOMER.sigma,
        beta=luck * _LOGISTIC,
        tau=DRIFT,
        gamma=_one,
    )


def _one(*_args: object) -> float:
    return 1.0


# Ratings: a cache computed from the score sheets, remade from an evening on.


@dataclass(frozen=True, slots=True)
class SeatHeld:
    """Somebody's time in a seat, with their score and the sheet's totals."""

    evening: int
    sheet: int
    alone: bool
    deals_entered: int
    score_ns: int
    score_ew: int
    seat: str
    member: int
    deals: int
    score: int

    @property
    def side(self) -> str:
        """The side that wins or loses together: a pair, or one person at a table of three."""
        return self.seat if self.alone else side_of(cast("SeatName", self.seat))

    @property
    def side_score(self) -> int:
        if self.alone:
            return self.score
        return self.score_ns if self.side == "NS" else self.score_ew


def evenings_from(evening: Evening) -> list[Evening]:
    """The club's closed evenings from this one on, oldest first."""
    closed = Evening.objects.filter(club=evening.club_id, state=Evening.State.CLOSED)
    later = closed.exclude(_before(evening, path=""))
    return list(later.order_by("date", "sequence"))


def ratings_from(evening: Evening) -> QuerySet[Rating]:
    """The stored ratings of this evening and of the club's later ones."""
    ratings = Rating.objects.filter(evening__club=evening.club_id)
    return ratings.exclude(_before(evening, path="evening__"))


def strengths_before(evening: Evening) -> dict[int, Strength]:
    """Everybody's strength before this evening."""
    earlier = Rating.objects.filter(
        _before(evening, path="evening__"), evening__club=evening.club_id
    ).order_by("evening__date", "evening__sequence")
    rows = earlier.values_list("member", "mu", "sigma")
    return {member_id: Strength(mu, sigma) for member_id, mu, sigma in rows}


def games_by_evening(evenings: Collection[Evening]) -> dict[int, list[Game]]:
    """The games of each of these evenings, by id, in order of round and table. One query.

    Rated are the people who sat there, whoever got the points; of several in one seat, the one who
    played the most deals. A table where one side is a person short is left out.
    """
    games: dict[int, list[Game]] = defaultdict(list)
    for _sheet, held in groupby(_seats_held(evenings), key=attrgetter("sheet")):
        seats = list(held)
        games[seats[0].evening].extend(_game(seats))
    return games


def _before(evening: Evening, *, path: str) -> Q:
    """A filter for earlier evenings; `path` leads to them, with `__`."""
    same_day = Q(**{f"{path}date": evening.date, f"{path}sequence__lt": evening.sequence})
    return Q(**{f"{path}date__lt": evening.date}) | same_day


def _seats_held(evenings: Collection[Evening]) -> Iterator[SeatHeld]:
    seats = Seat.objects.filter(
        sheet__table__round__evening__in=evenings, member__isnull=False, deals__gt=0
    ).order_by("sheet__table__round__number", "sheet__table__number", "sheet", "seat", "from_deal")
    for row in seats.values_list(
        "sheet__table__round__evening",
        "sheet",
        "sheet__three_handed",
        "sheet__deals_entered",
        "sheet__score_ns",
        "sheet__score_ew",
        "seat",
        "member",
        "deals",
        "score",
    ):
        yield SeatHeld(*row)


def _game(seats: Sequence[SeatHeld]) -> Iterator[Game]:
    """The game of a table with these seats, if its sides can be compared."""
    most = {held.seat: held for held in sorted(seats, key=attrgetter("deals"))}
    sides: dict[str, list[int]] = defaultdict(list)
    scores: Counter[str] = Counter()
    for held in most.values():
        sides[held.side].append(held.member)
    for held in seats:
        scores[held.side] = held.side_score + (scores[held.side] if held.alone else 0)
    if len(sides) > 1 and len({len(people) for people in sides.values()}) == 1:
        yield Game(list(sides.values()), [scores[side] for side in sides], seats[0].deals_entered)


@transaction.atomic
def ratings_make(*, club_id: int, since: int | None = None) -> list[Rating]:
    """Compute everybody's strength after each closed evening of the club again.

    With `since`, an evening's id, only from that one on, and nothing if it is gone or nobody sat at
    a table. Returns the new ratings, oldest first.
    """
    club_lock(club_id)
    evenings = Evening.objects.filter(club=club_id).order_by("date", "sequence")
    first = evenings.filter(pk=since).first() if since else evenings.first()
    return _made_from(first) if first and (since is None or _concerns(first)) else []


def ratings_follow(evening: Evening) -> None:
    """Remake the ratings from this evening on after the transaction commits.

    Errors there are logged, and do not affect what was written.
    """
    club_id, since = evening.club_id, evening.pk

    def ratings_made_again() -> None:
        ratings_make(club_id=club_id, since=since)

    transaction.on_commit(ratings_made_again, robust=True)


def _concerns(evening: Evening) -> bool:
    """Whether this evening can change ratings. One with only totals cannot, and importing a season
    may bring dozens of those at once."""
    return evening.rounds.exists() or evening.ratings.exists()


def _made_from(first: Evening) -> list[Rating]:
    known = strengths_before(first)
    evenings = evenings_from(first)
    games = games_by_evening(evenings)
    made: list[Rating] = []
    for evening in evenings:
        strengths = rate(known, games[evening.pk])
        known |= strengths
        made += [
            Rating(evening=evening, member_id=member_id, mu=strength.mu, sigma=strength.sigma)
            for member_id, strength in strengths.items()
        ]
    ratings_from(first).delete()
    return Rating.objects.bulk_create(made, batch_size=500)


ENOUGH_EVENINGS = 5
SURE = 2


@dataclass(frozen=True, slots=True)
class PlayerStrength:
    """Somebody's strength in points per boompje after so many evenings; `low` to `high` is the 95 %
    interval."""

    member_id: int
    evenings: int
    strength: int
    low: int
    high: int

    @property
    def is_known(self) -> bool:
        """Whether there were enough evenings to compare it with others'."""
        return self.evenings >= ENOUGH_EVENINGS


@dataclass(frozen=True, slots=True)
class StrengthAfter:
    """Somebody's strength after an evening."""

    day: dt.date
    evening: str
    rated: PlayerStrength


def strengths_now(club: Club) -> list[PlayerStrength]:
    """Everybody of the club who was ever rated, strongest first. One query."""
    ratings = Rating.objects.filter(evening__club=club)
    rows = ratings.order_by("evening__date", "evening__sequence").values_list(
        "member", "mu", "sigma"
    )
    evenings: Counter[int] = Counter()
    last: dict[int, PlayerStrength] = {}
    for member_id, mu, sigma in rows:
        evenings[member_id] += 1
        last[member_id] = _rated(member_id, evenings[member_id], mu, sigma)
    return sorted(last.values(), key=lambda player: (-player.strength, player.member_id))


def strength_over_time(member_id: int) -> list[StrengthAfter]:
    """This person's strength after each of their evenings, in order. One query."""
    ratings = Rating.objects.filter(member=member_id).select_related("evening")
    return [
        StrengthAfter(
            rating.evening.date,
            rating.evening.slug,
            _rated(member_id, number, rating.mu, rating.sigma),
        )
        for number, rating in enumerate(
            ratings.order_by("evening__date", "evening__sequence"), start=1
        )
    ]


def places(players: Sequence[PlayerStrength]) -> list[tuple[int, PlayerStrength]]:
    """The players with their places, strongest first; equals share a place: 1, 2, 2, 4."""
    counts = Counter(player.strength for player in players)
    return [
        (1 + sum(n for strength, n in counts.items() if strength > player.strength), player)
        for player in players
    ]


def _rated(member_id: int, evenings: int, mu: float, sigma: float) -> PlayerStrength:
    low, high = round(mu - SURE * sigma), round(mu + SURE * sigma)
    return PlayerStrength(member_id, evenings, round(mu), low, high)
