"""`make bench`: how well the draw mixes people, and how long it takes, on one core.

Repeats are counted here from the tables, not taken from the draw. A season is played with people
who each come with chance 0.8; its figure is Σm² over couples, m how often they met, divided by
the least that sum can be where everybody always comes; below it stands what no draw can stay
under, given who came. Seconds are of the processor. A star marks what is beyond its limit.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from statistics import median

from tests.load.rules_bench import print_row
from tournaments.draw.core.engine import draw
from tournaments.draw.core.models import Couple, Draw, Leftover, PastEvening
from tournaments.draw.core.problem import LEFTOVERS

SEEDS = range(5, 10)
EVENINGS = 30
ROUNDS = 3
COMES = 0.8
DENSE = (
    (12, 3, 6), (16, 5, 0), (28, 9, 0), (64, 21, 0), (40, 13, 10), (32, 10, 20), (100, 30, 40),
)  # fmt: skip
SECONDS_OF_DENSE = 60
SEASONS = ((24, 1.02), (40, 1.02), (60, 1.02), (100, 1.03))
TIMED = ((24, 0.3), (60, 0.3), (100, 1.0), (400, 1.0))


def main() -> None:
    """Print the table; `--quick` looks at every seventh number of players and at one season."""
    quick = "--quick" in sys.argv
    row("the draw, on one core", "figure", "at most", "seconds", "at most")
    print_evenings(range(4, 401, 7 if quick else 1))
    for players, rounds, most in DENSE:
        drawn, seconds = timed(players, rounds)
        partners, meetings = repeats(drawn)
        name = f"{players} × {rounds}: meetings again"
        row(name, judged(meetings, most), most, judged(seconds, SECONDS_OF_DENSE), SECONDS_OF_DENSE)
        row(f"{players} × {rounds}: partners again", judged(partners, 0), 0)
    for players, ratio in SEASONS:
        for leftover in LEFTOVERS:
            print_season(players, ratio, leftover, SEEDS[:1] if quick else SEEDS)
    for players, limit in TIMED:
        seconds = after_season(players)
        row(f"{players} people after a season", "", "", judged(seconds, limit), f"{limit} s")


def print_evenings(numbers: Sequence[int]) -> None:
    """Three rounds of one evening, for each number of players and both ways for who is left."""
    partners_again, met_again, slowest = [], [], 0.0
    for players in numbers:
        for leftover in LEFTOVERS:
            if (players, leftover) == (5, "three_handed"):
                continue
            drawn, seconds = timed(players, ROUNDS, leftover)
            partners, meetings = repeats(drawn)
            partners_again += [players] * bool(partners)
            met_again += [f"{players} {leftover}"] * bool(meetings and players >= 16)
            slowest = max(slowest, seconds)
    row("4–400 × 3: with partners again", judged(len(partners_again), 0), 0, slowest, 1.0)
    row("16–400 × 3: with meetings again", judged(len(met_again), 0), 0, *met_again)


def timed(players: int, rounds: int, leftover: Leftover = "sit_out") -> tuple[Draw, float]:
    """A balanced draw of one evening without a past, and its seconds."""
    people = [f"p{number}" for number in range(players)]
    start = time.process_time()
    drawn = draw(players=people, rounds=rounds, method="balanced", leftover=leftover)
    return drawn, time.process_time() - start


def repeats(drawn: Draw) -> tuple[int, int]:
    """How often people are partners, and at one table, beyond the first time."""
    partners = Counter(together(drawn, partners=True))
    meetings = Counter(together(drawn, partners=True)) + Counter(together(drawn, partners=False))
    return partners.total() - len(partners), meetings.total() - len(meetings)


def together(drawn: Draw, *, partners: bool) -> Iterator[Couple]:
    """The couples who are partners, or who are not and share a table; each in order of name."""
    for one in drawn.rounds:
        for table in one.tables:
            for couple in combinations(sorted(table.seats), 2):
                are_partners = len(table.seats) == 4 and couple in {("N", "S"), ("E", "W")}
                if are_partners == partners:
                    mine, yours = sorted(table.seats[seat] for seat in couple)
                    yield mine, yours


def print_season(players: int, most: float, leftover: Leftover, seeds: Sequence[int]) -> None:
    """How evenly people met over a season, and how far anybody's turns are from his share."""
    seasons = [season(players, leftover, seed) for seed in seeds]
    ratios, leasts, turns, slowest = zip(*seasons, strict=True)
    limit = next(limit for size, limit in TIMED if players <= size)
    row(
        f"season of {players}, {leftover}",
        judged(median(ratios), most, 4),
        most,
        judged(max(slowest), limit),
        limit,
    )
    row("  given who came, no less than", f"{median(leasts):.4f}")
    row("  turns beside the share", judged(median(turns), 1), 1, *(f"{one:.2f}" for one in turns))


def judged(figure: float, most: float, digits: int = 2) -> str:
    """The figure, with a star when it is beyond its limit."""
    written = str(figure) if isinstance(figure, int) else f"{figure:.{digits}f}"
    return written + "*" * (figure > most)


def season(players: int, leftover: Leftover, seed: int) -> tuple[float, float, float, float]:
    """The ratio of the meetings, the least it can be, the most turns off, the slowest evening."""
    history, slowest = [], 0.0
    for past, seconds in played_season(players, leftover, seed):
        history.append(past)
        slowest = max(slowest, seconds)
    met = Counter(couple for past in history for couple in (*past.partners, *past.opponents))
    couples = players * (players - 1) // 2
    each, more = divmod(met.total(), couples)
    least = (couples - more) * each**2 + more * (each + 1) ** 2
    ratio = sum(times**2 for times in met.values()) / least
    came = Counter(who for past in history for who in past.attended)
    had = Counter(who for past in history for who in (*past.sat_out, *past.three_handed))
    rate = had.total() / came.total()
    off = max(abs(came[who] * rate - had[who]) for who in came)
    return ratio, max(1, least_squares(met, list(came)) / least), off, slowest


def least_squares(met: Counter[Couple], people: Sequence[str]) -> float:
    """What Σm² is at least when each has as many meetings in all as in `met`.

    Were m no whole number, it would be least as x = a + b, where a and b say how much more than
    others each of the two met. Any m with these totals has Σm² = Σx² + Σ(m − x)².
    """
    meetings: Counter[str] = Counter()
    for couple, times in met.items():
        meetings.update(dict.fromkeys(couple, times))
    count = len(people)
    mean = meetings.total() / count
    more = [(meetings[who] - mean) / (count - 2) for who in people]
    evenly = [mean / (count - 1) + one + other for one, other in combinations(more, 2)]
    return sum(x**2 + (x - round(x)) ** 2 for x in evenly)


def played_season(
    players: int, leftover: Leftover, seed: int
) -> Iterator[tuple[PastEvening, float]]:
    """The evenings of a season, each drawn from those before it, and its seconds."""
    chance = Random(seed)
    history: list[PastEvening] = []
    for evening in range(EVENINGS):
        here = [f"p{number}" for number in range(players) if chance.random() < COMES]
        start = time.process_time()
        drawn = draw(
            players=here,
            rounds=ROUNDS,
            method="balanced",
            leftover=leftover,
            history=history,
            seed=seed * EVENINGS + evening,
        )
        seconds = time.process_time() - start
        history.append(as_past(drawn, here))
        yield history[-1], seconds


def as_past(drawn: Draw, here: Sequence[str]) -> PastEvening:
    """An evening as the next ones remember it."""
    return PastEvening(
        attended=tuple(here),
        partners=tuple(together(drawn, partners=True)),
        opponents=tuple(together(drawn, partners=False)),
        sat_out=tuple(who for one in drawn.rounds for who in one.sit_out),
        three_handed=tuple(
            who
            for one in drawn.rounds
            for table in one.tables
            if len(table.seats) == 3
            for who in table.seats.values()
        ),
    )


def after_season(players: int) -> float:
    """The seconds of one evening of so many people who all came to every evening of a season."""
    people = [f"p{number}" for number in range(players)]
    history = []
    for evening in range(EVENINGS):
        drawn = draw(players=people, rounds=ROUNDS, method="lottery", seed=evening)
        history.append(as_past(drawn, people))
    start = time.process_time()
    draw(players=people, rounds=ROUNDS, method="balanced", history=history)
    return time.process_time() - start


def row(name: str, *cells: object) -> None:
    """One line of the table; numbers that are not whole with two digits."""
    written = [f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells]
    print_row(f"{name:31}", *written)


if __name__ == "__main__":
    main()
