"""Writes roem_table.py and hand_roem_table.py as a module that a phone reads."""

import json
from pathlib import Path
from typing import Final

from scoring.rules import hand_roem_table, roem_table
from scoring.rules.roem_table import Costs

MODULE: Final = Path(__file__).parents[2] / "scoring/static/scoring/rules/roem-table.js"

_HEADER: Final = """\
// The fewest card points that hold roem. Made by `python -m tools.roem_table` from
// roem_table.py, which says what its rows and columns are, and hand_roem_table.py.
"""
_TABLES: Final = {
    "TRUMP": roem_table.TRUMP,
    "NO_TRUMP": roem_table.NO_TRUMP,
    "SIDE": hand_roem_table.SIDE,
    "ALL_TRUMP": hand_roem_table.ALL_TRUMP,
    "ALL_NO_TRUMP": hand_roem_table.ALL_NO_TRUMP,
}


def main() -> None:
    """Write the module."""
    MODULE.write_text(module_source(), encoding="utf-8")


def module_source() -> str:
    """What stands in roem-table.js."""
    return "\n".join((_HEADER, *(_rows(name, costs) for name, costs in _TABLES.items())))


def _rows(name: str, costs: Costs) -> str:
    rows = "".join(
        f'  "{",".join(map(str, key))}": {json.dumps(columns, separators=(",", ":"))},\n'
        for key, columns in costs.items()
    )
    return f"export const {name} = {{\n{rows}}};\n"
