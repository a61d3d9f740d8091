"""Several people doing something at the same moment, each on a connection of his own."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection

from clubs.text.errors import DomainError

Result = TypeVar("Result")


def at_once(acts: Sequence[Callable[[], Result]]) -> list[Result | DomainError]:
    """What each of these comes to when all start together: its answer, or how it was refused.

    Any other exception is raised.
    """
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Result]) -> Result | DomainError:
        barrier.wait(timeout=120)
        try:
            return act()
        except DomainError as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return [future.result(timeout=300) for future in [pool.submit(run, act) for act in acts]]


def outcomes(answers: Sequence[object]) -> Counter[str]:
    """How often each came out: the code of a refusal, or `ok`."""
    return Counter(answer.code if isinstance(answer, DomainError) else "ok" for answer in answers)
