"""The drawings of an evening: each has a number that people can tell, and a seed that follows."""

from tournaments.models import Evening

MOST_DRAWINGS = 999


def drawing_of(evening: Evening) -> int | None:
    """Which drawing of this evening its seed stands for, from 1; None where that has no number."""
    drawing = evening.seed - _first_seed(evening) + 1
    return drawing if 1 <= drawing <= MOST_DRAWINGS else None


def seed_of(evening: Evening, drawing: int) -> int:
    """The seed of the evening's drawing with this number, from 1."""
    return _first_seed(evening) + drawing - 1


def _first_seed(evening: Evening) -> int:
    """Another one each evening, or the same people would meet the same people each week."""
    return int(f"{evening.date:%Y%m%d}{evening.sequence % 10}")


def next_seed(evening: Evening) -> int:
    """The seed of the drawing after the evening's last."""
    return seed_of(evening, (drawing_of(evening) or 0) + 1)
