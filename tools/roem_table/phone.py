"""Writes roem_table.py as a module that a phone reads."""

import json
from pathlib import Path
from typing import Final

from scoring.rules.roem_table import NO_TRUMP, TRUMP, Costs

MODULE: Final = Path(__file__).parents[2] / "scoring/static/scoring/rules/roem-table.js"

_HEADER: Final = """\
// The fewest card points that hold roem. Made by `python -m tools.roem_table` from
// roem_table.py, which says what its rows and columns are.
"""


def main() -> None:
    """Write the module."""
    MODULE.write_text(module_source(), encoding="utf-8")


def module_source() -> str:
    """What stands in roem-table.js."""
    return f"{_HEADER}\n{_rows('TRUMP', TRUMP)}\n{_rows('NO_TRUMP', NO_TRUMP)}"


def _rows(name: str, costs: Costs) -> str:
    rows = "".join(
        f'  "{",".join(map(str, key))}": {json.dumps(columns, separators=(",", ":"))},\n'
        for key, columns in costs.items()
    )
    return f"export const {name} = {{\n{rows}}};\n"
