"""What ratings are made of: who sat at which table, who won there, and what was known before."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import cast

from django.db import transaction
from django.db.models import Q, QuerySet

from clubs.profile.services import club_lock
from scoring.models import Seat
from scoring.rules import Seat as SeatName
from scoring.rules import side_of
from tournaments.models import Evening, Rating
from tournaments.ratings.model import Game, Strength, rate


@dataclass(frozen=True, slots=True)
class Held:
    """A seat at a table and what its holder did there, with what the sheet came to."""

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
        """Who wins or loses together: a pair, or at a table of three each for himself."""
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
    """What is kept of this evening and of the later ones of the club."""
    kept = Rating.objects.filter(evening__club=evening.club_id)
    return kept.exclude(_before(evening, path="evening__"))


def strengths_before(evening: Evening) -> dict[int, Strength]:
    """How strong everybody at the club was thought to be before this evening."""
    kept = Rating.objects.filter(_before(evening, path="evening__"), evening__club=evening.club_id)
    rows = kept.order_by("evening__date", "evening__sequence").values_list("member", "mu", "sigma")
    return {member_id: Strength(mu, sigma) for member_id, mu, sigma in rows}


def games_by_evening(evenings: Collection[Evening]) -> dict[int, list[Game]]:
    """What was played on each of these evenings, by id, in order of round and table. One query.

    It is who sat there that is rated, whoever got the points; of those who took turns on a seat
    the one who played most of the deals. A table where one side is a person short is left out.
    """
    games: dict[int, list[Game]] = defaultdict(list)
    for _sheet, held in groupby(_seats_held(evenings), key=attrgetter("sheet")):
        seats = list(held)
        games[seats[0].evening].extend(_game(seats))
    return games


def _before(evening: Evening, *, path: str) -> Q:
    """Which evenings were before this one; `path` leads to them, with `__`."""
    same_day = Q(**{f"{path}date": evening.date, f"{path}sequence__lt": evening.sequence})
    return Q(**{f"{path}date__lt": evening.date}) | same_day


def _seats_held(evenings: Collection[Evening]) -> Iterator[Held]:
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
        yield Held(*row)


def _game(seats: Sequence[Held]) -> Iterator[Game]:
    """What was played where these seats were held, if the sides can be compared."""
    most = {held.seat: held for held in sorted(seats, key=attrgetter("deals"))}
    sides: dict[str, list[int]] = defaultdict(list)
    scores: Counter[str] = Counter()
    for held in most.values():
        sides[held.side].append(held.member)
    for held in seats:
        scores[held.side] = held.side_score + (scores[held.side] if held.alone else 0)
    if len(sides) > 1 and len({len(people) for people in sides.values()}) == 1:
        yield Game(list(sides.values()), [scores[side] for side in sides], seats[0].deals_entered)


# Ratings: a cache of what the score sheets say, made again from an evening on.


@transaction.atomic
def ratings_make(*, club_id: int, since: int | None = None) -> list[Rating]:
    """Work out anew what everybody's strength was after each closed evening of the club.

    With `since`, an evening's id, only from that one on; nothing where it is no longer there, or
    nobody sat at a table. Gives back the ratings that were made, oldest first.
    """
    club_lock(club_id)
    evenings = Evening.objects.filter(club=club_id).order_by("date", "sequence")
    first = evenings.filter(pk=since).first() if since else evenings.first()
    return _made_from(first) if first and (since is None or _concerns(first)) else []


def ratings_follow(evening: Evening) -> None:
    """Have the ratings made again from this evening on, once what is being written is written.

    Whatever goes wrong there is logged, and what was written stays.
    """
    club_id, since = evening.club_id, evening.pk

    def ratings_made_again() -> None:
        ratings_make(club_id=club_id, since=since)

    transaction.on_commit(ratings_made_again, robust=True)


def _concerns(evening: Evening) -> bool:
    """Whether ratings can be other than they are because of this evening: not by one of which only
    the totals are known, of which a season may bring in dozens at once."""
    return evening.rounds.exists() or evening.ratings.exists()


def _made_from(first: Evening) -> list[Rating]:
    known = strengths_before(first)
    evenings = evenings_from(first)
    games = games_by_evening(evenings)
    made: list[Rating] = []
    for evening in evenings:
        rated = rate(known, games[evening.pk])
        known |= rated
        made += [
            Rating(evening=evening, member_id=who, mu=strength.mu, sigma=strength.sigma)
            for who, strength in rated.items()
        ]
    ratings_from(first).delete()
    return Rating.objects.bulk_create(made, batch_size=500)
