"""`make bench`: how well the draw mixes people, and how long it takes, on one core.

Repeats are counted here from the tables, not taken from the draw. A season is played with people
who each come with chance 0.8; its figure is Σm² over couples, m how often they met, divided by
the least that sum can be. Seconds are of the processor.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from statistics import median

from tests.load.rules_bench import print_row
from tournaments.draw import LEFTOVERS, Couple, Draw, Leftover, PastEvening, draw

SEEDS = 5
EVENINGS = 30
ROUNDS = 3
COMES = 0.8
DENSE = (
    (16, 5, 0), (28, 9, 0), (64, 21, 0), (40, 13, 10), (32, 10, 20), (100, 30, 40),
)  # fmt: skip
SEASONS = ((24, 1.02), (40, 1.02), (60, 1.02), (100, 1.03))
TIMED = ((24, 0.3), (60, 0.3), (100, 1.0), (400, 1.0))


def main() -> None:
    """Print the table; `--quick` looks at every seventh number of players and at one season."""
    quick = "--quick" in sys.argv
    row("the draw, on one core", "figure", "at most", "seconds")
    print_evenings(range(4, 401, 7 if quick else 1))
    for players, rounds, most in DENSE:
        drawn, seconds = timed(players, rounds)
        partners, meetings = repeats(drawn)
        row(f"{players} × {rounds}: meetings again", meetings, most, f"{seconds:.2f}")
        row(f"{players} × {rounds}: partners again", partners, 0, "")
    for players, ratio in SEASONS:
        for leftover in LEFTOVERS:
            print_season(players, ratio, leftover, 1 if quick else SEEDS)
    for players, limit in TIMED:
        row(f"{players} people after a season", "", f"{limit} s", f"{after_season(players):.2f}")


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
    row("4–400 × 3: with partners again", len(partners_again), 0, f"{slowest:.2f}")
    row("16–400 × 3: with meetings again", len(met_again), 0, ", ".join(met_again))


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


def print_season(players: int, most: float, leftover: Leftover, seeds: int) -> None:
    """How evenly people met over a season, and how far anybody's turns are from his share."""
    ratios, turns, slowest = [], [], 0.0
    for seed in range(seeds):
        ratio, beside, seconds = season(players, leftover, seed)
        ratios.append(ratio)
        turns.append(beside)
        slowest = max(slowest, seconds)
    name = f"season of {players}, {leftover}"
    row(name, f"{median(ratios):.4f}", most, f"{slowest:.2f}")
    row("  turns beside the share", ", ".join(f"{beside:.2f}" for beside in turns), 1, "")


def season(players: int, leftover: Leftover, seed: int) -> tuple[float, float, float]:
    """The ratio of the meetings, the most that anybody's turns are off, the slowest evening."""
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
    return ratio, max(abs(came[who] * rate - had[who]) for who in came), slowest


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
    """One line of the table."""
    print_row(f"{name:31}", *map(str, cells))


if __name__ == "__main__":
    main()
