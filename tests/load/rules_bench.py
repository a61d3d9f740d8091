"""`make bench`, first half: how fast the rules are on one core.

Where there is one, beside the plain reference on strings that also is the second opinion of the
tests. Deals are played at random by the rules; each figure is the best of several rounds.
"""

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from scoring.rules import (
    PRESETS,
    SEATS,
    Seat,
    Trump,
    evaluate,
    legal_cards,
    score_stream,
    trace,
)
from scoring.rules.cards import NUMBERS, Lead, leads_of, legal_mask, mask_of
from tests.scoring.rules.counting import count_plainly
from tests.scoring.rules.dealing import AMSTERDAM, legal, play, play_legally, replay
from tests.scoring.rules.whole import play_deal

ROOT = Path(__file__).resolve().parents[2]
REGULATION = PRESETS["amsterdam"]
TRUMPS: tuple[Trump, ...] = ("C", "D", "H", "S")
DEALS = 400
ROUNDS = 7
SECONDS = 0.5

Deal = tuple[list[str], Seat, Trump]
Turn = tuple[list[str], list[str], Trump]
MaskTurn = tuple[int, list[int], tuple[Lead, ...]]
Line = dict[str, Any]
Item = TypeVar("Item")


def main() -> None:
    """Print the table."""
    deals = [deal_out(seed) for seed in range(DEALS)]
    turns = [turn for deal in deals[: DEALS // 10] for turn in turns_of(deal)]
    masks = [as_masks(turn) for turn in turns]
    plain = microseconds(play_plainly, deals)
    print_row("the rules, on one core", "µs", "a second", "x reference")
    print_speed("a deal, card by card", microseconds(play_whole, deals), plain)
    plain = microseconds(choose_plainly, turns)
    print_speed("legal cards of a mask", microseconds(choose_of_masks, masks), plain)
    print_speed("legal cards of strings", microseconds(choose_of_strings, turns), plain)
    lines = [line_of(seed) for seed in range(DEALS)]
    plain = microseconds(count_by_hand, lines)
    print_speed("a line of a sheet", microseconds(work_out, lines), plain)
    print_speed("a line, as JSON", microseconds(answer, lines), plain)
    print_speed("a line of a stream", microseconds(stream, [as_text(line) for line in lines]))
    print_speed("importing scoring.rules", import_time())


def deal_out(seed: int) -> Deal:
    """A legal deal; its cards are strings of its own, as those that somebody sends are."""
    trump = TRUMPS[seed % len(TRUMPS)]
    played = play_legally(seed, trump, AMSTERDAM)
    leader: Seat = next(seat for seat in SEATS if seat == played.leader)
    return ["".join(list(card)) for card in played.cards], leader, trump


def turns_of(deal: Deal) -> Iterator[Turn]:
    """The hand and the trick of everyone who does not lead, trick by trick."""
    cards, leader, trump = deal
    tricks = trace(cards, leader, trump, REGULATION).tricks
    for number, trick in enumerate(tricks):
        for turn in (1, 2, 3):
            seat = SEATS[(SEATS.index(trick.leader) + turn) % 4]
            hand = [
                later.cards[(SEATS.index(seat) - SEATS.index(later.leader)) % 4]
                for later in tricks[number:]
            ]
            yield hand, list(trick.cards[:turn]), trump


def as_masks(turn: Turn) -> MaskTurn:
    """The same turn as numbers."""
    hand, trick, trump = turn
    held = mask_of(NUMBERS[card] for card in hand)
    return held, [NUMBERS[card] for card in trick], leads_of(trump, REGULATION)


def play_plainly(deals: list[Deal]) -> None:
    for cards, leader, trump in deals:
        replay(cards, leader, trump)


def play_whole(deals: list[Deal]) -> None:
    for cards, leader, trump in deals:
        play_deal(cards, leader, trump, REGULATION)


def choose_plainly(turns: list[Turn]) -> None:
    for hand, trick, trump in turns:
        legal(hand, trick, trump)


def choose_of_masks(turns: list[MaskTurn]) -> None:
    for held, trick, leads in turns:
        legal_mask(held, trick, leads)


def choose_of_strings(turns: list[Turn]) -> None:
    for hand, trick, trump in turns:
        legal_cards(hand, trick, trump, REGULATION)


def line_of(seed: int) -> Line:
    """What a sheet has of a deal played at random; every other line has both sides counted."""
    played = play(seed, TRUMPS[seed % len(TRUMPS)])
    points = played.points if seed % 2 else {"EW": played.points["EW"]}
    line = {"declarer": "NESW"[seed % 4], "trump": played.trump, "points": points}
    pit = next((side for side, tricks in played.tricks.items() if tricks == 8), None)
    return {**line, "roem": played.roem, **({"pit": pit} if pit else {})}


def count_by_hand(lines: list[Line]) -> None:
    for line in lines:
        count_plainly(line)


def work_out(lines: list[Line]) -> None:
    for line in lines:
        evaluate(line, REGULATION)


def answer(lines: list[Line]) -> None:
    for line in lines:
        evaluate(line, REGULATION).as_json()


def as_text(line: Line) -> bytes:
    return json.dumps({"regulation": "amsterdam", **line}).encode()


def stream(texts: list[bytes]) -> None:
    score_stream(io.BytesIO(b"\n".join(texts)), io.BytesIO())


def import_time() -> float:
    """Microseconds that a fresh interpreter takes longer for importing the rules, at best."""
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": compiled}

        def run(code: str) -> float:
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
            return time.perf_counter() - started

        bare, full = (min(run(code) for _ in range(30)) for code in ("", "import scoring.rules"))
    return (full - bare) * 1_000_000


def microseconds(work: Callable[[list[Item]], None], items: list[Item]) -> float:
    """How long the work takes for one item, in the fastest round."""
    rounds: list[float] = []
    while len(rounds) < ROUNDS or sum(rounds) < SECONDS:
        started = time.perf_counter()
        work(items)
        rounds.append(time.perf_counter() - started)
    return min(rounds) / len(items) * 1_000_000


def print_speed(name: str, took: float, reference: float | None = None) -> None:
    """A row of the table, with how many times faster than the reference it is."""
    ratio = f"{reference / took:.1f}" if reference else ""
    print_row(name, f"{took:.2f}", f"{1_000_000 / took:,.0f}", ratio)


def print_row(name: str, *cells: str) -> None:
    print(f"{name:26}" + "".join(f"{cell:>16}" for cell in cells), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
