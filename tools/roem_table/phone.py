"""Writes roem_table.py and hand_roem_table.py as a module that a phone reads."""

import json
from pathlib import Path
from typing import Final

from scoring.rules.hand_roem_table import ALL_NO_TRUMP, ALL_TRUMP, SIDE
from scoring.rules.roem_table import NO_TRUMP, TRUMP, Costs

MODULE: Final = Path(__file__).parents[2] / "scoring/static/scoring/rules/roem-table.js"

_HEADER: Final = """\
// The fewest card points that hold roem. Made by `python -m tools.roem_table` from
// roem_table.py, which says what its rows and columns are, and hand_roem_table.py.
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
    rows = "".join(
        f'  "{",".join(map(str, key))}": {json.dumps(columns, separators=(",", ":"))},\n'
        for key, columns in costs.items()
    )
    return f"export const {name} = {{\n{rows}}};\n"
