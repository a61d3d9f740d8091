"""Writes roem_table.py and hand_roem_table.py as a module that a phone reads."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from scoring.rules.hand_roem_table import ALL_NO_TRUMP, ALL_TRUMP, SIDE
from scoring.rules.roem_table import NO_TRUMP, TRUMP, Costs

MODULE: Final = Path(__file__).parents[2] / "scoring/static/scoring/rules/roem-table.js"

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

_HEADER: Final = f"""\
// The fewest card points that hold roem. Made by `python -m tools.roem_table` from
// roem_table.py, which says what its rows and columns are, and hand_roem_table.py.

// Packed to half of what it weighs as numbers. Of the four digits of a row those that differ from
// the row before, then its three columns as steps, each a digit or `-` and two of them; a column
// that is not there is as the one before.
const DIGITS = "{DIGITS}";

function columnOf(steps) {{
  let points = 0;
  return (steps.match(/-..|./g) ?? []).map((step) => {{
    const [one, two] = [...step.replace("-", "")].map((digit) => DIGITS.indexOf(digit));
    const up = two === undefined ? one : one * DIGITS.length + two;
    return points = (points + up) % DIGITS.length ** 2;
  }});
}}

function unpacked(packed) {{
  let row = "";
  return Object.fromEntries(packed.split("|").map((line) => {{
    const [digits, columns] = line.split(":");
    row = row.slice(0, 4 - digits.length) + digits;
    const [first, second = first, third = second] = columns.split("/").map(columnOf);
    return [[...row].join(), [first, second, third]];
  }}));
}}
"""


def main() -> None:
    """Write the module."""
    MODULE.write_text(module_source(), encoding="utf-8")


def module_source() -> str:
    """What stands in roem-table.js."""
    tables = {
        "TRUMP": TRUMP,
        "NO_TRUMP": NO_TRUMP,
        "SIDE": SIDE,
        "ALL_TRUMP": ALL_TRUMP,
        "ALL_NO_TRUMP": ALL_NO_TRUMP,
    }
    return "\n".join((_HEADER, *(_rows(name, costs) for name, costs in tables.items())))


def _rows(name: str, costs: Costs) -> str:
    keys = ["".join(map(str, key)) for key in costs]
    known = [0, *(_as_before(*pair) for pair in pairwise(keys))]
    rows = [
        f"{key[same:]}:{_columns(columns)}"
        for key, same, columns in zip(keys, known, costs.values(), strict=True)
    ]
    return f'export const {name} = unpacked("{"|".join(rows)}");\n'


def _as_before(before: str, key: str) -> int:
    return next(at for at, digit in enumerate(key) if digit != before[at])


def _columns(columns: Sequence[Sequence[int]]) -> str:
    """The columns up to the last that differs from the one before."""
    packed = ["".join(map(_step, pairwise((0, *column)))) for column in columns]
    while len(packed) > 1 and packed[-1] == packed[-2]:
        packed.pop()
    return "/".join(packed)


def _step(points: tuple[int, int]) -> str:
    before, after = points
    high, low = divmod((after - before) % len(DIGITS) ** 2, len(DIGITS))
    return f"-{DIGITS[high]}{DIGITS[low]}" if high else DIGITS[low]
