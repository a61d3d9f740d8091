"""Programs for developers; no part of the product."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
