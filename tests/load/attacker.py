"""Somebody far away who asks for one thing without a pause, eight at a time.

`python -m tests.load.attacker PORT SECONDS KIND PATH` prints how often each status was answered.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count

from tests.load.hall import Phone, filled_in

AT_ONCE = 8
ADDRESS = "192.0.2.2"
DISTANCE = 0.02
"""Seconds that a request is on its way: over the internet nobody is nearer."""
CARDS = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
DEAL = {"regulation": "amsterdam", "declarer": "N", "trump": "H", "leader": "N", "cards": CARDS}
SCORE = json.dumps([DEAL] * 1_000).encode()

Ask = Callable[[Phone, str], int]
points = count()


def page(phone: Phone, path: str) -> int:
    """Ask for a page or a file."""
    return phone.get(path)


def score(phone: Phone, path: str) -> int:
    """Have a thousand deals scored, card by card."""
    return phone.ask("POST", path, SCORE, "application/json")


def deal(phone: Phone, path: str) -> int:
    """Write a deal that differs from the last one."""
    answer = phone.send(path, filled_in(2 + next(points) % 100))
    return answer.status if answer else 0


KINDS: dict[str, Ask] = {"page": page, "score": score, "deal": deal}


def _attack(port: int, seconds: float, ask: Ask, path: str) -> Counter[int]:
    statuses: Counter[int] = Counter()
    end = time.monotonic() + seconds
    with Phone(port, ADDRESS) as phone:
        while time.monotonic() < end:
            statuses[ask(phone, path)] += 1
            time.sleep(DISTANCE)
    return statuses


def main(port: str, seconds: str, kind: str, path: str) -> None:
    """Attack, and print what was answered."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        attacks = [
            pool.submit(_attack, int(port), float(seconds), KINDS[kind], path)
            for _ in range(AT_ONCE)
        ]
    total: Counter[int] = sum((attack.result() for attack in attacks), Counter())
    sys.stdout.write(json.dumps(total))


if __name__ == "__main__":
    main(*sys.argv[1:])
