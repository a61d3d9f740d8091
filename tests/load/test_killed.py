"""The power cut: servers that are killed while tables write, and started again."""

import os
import signal
import time
from functools import partial
from random import Random

import pytest

from tests.load.night import PATIENCE, Night, night_play
from tests.waiting import wait_until


@pytest.mark.django_db(transaction=True)
@pytest.mark.full
def test_no_deal_is_lost_or_doubled_by_two_kills() -> None:
    power = PowerCuts(cuts=2)
    night_play(tables=8, deals=12, trouble=power, workers=1)
    assert power.had == 2


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_no_deal_of_a_hundred_tables_is_lost_or_doubled_by_fifty_kills() -> None:
    power = PowerCuts(cuts=50)
    night_play(tables=100, deals=48, trouble=power)
    assert power.had == 50


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_is_followed_by_another() -> None:
    workers = WorkersKilled(kills=20)
    night_play(tables=100, deals=32, trouble=workers)
    assert workers.had == 20


class PowerCuts:
    """Kills the server so often, each time when more of the deals have been delivered."""

    def __init__(self, *, cuts: int) -> None:
        self.cuts, self.had, self.chance = cuts, 0, Random(5)

    def __call__(self, night: Night) -> None:
        deals = sum(len(writer.points) for writer in night.writers)
        for wanted in sorted(self.chance.sample(range(1, deals * 3 // 4), self.cuts)):
            wait_until(partial(_delivered, night, wanted), seconds=PATIENCE)
            night.server.kill()
            night.require_all_there()
            self.had += night.is_on
            night.server.start()


def _delivered(night: Night, wanted: int) -> bool:
    return sum(map(len, night.delivered)) >= wanted


class WorkersKilled:
    """Kills one worker of the server so often; gunicorn starts another in its place."""

    def __init__(self, *, kills: int) -> None:
        self.kills, self.had = kills, 0

    def __call__(self, night: Night) -> None:
        while self.had < self.kills and night.is_on:
            time.sleep(0.5)
            for worker in night.server.workers_now[-1:]:
                os.kill(worker, signal.SIGKILL)
                self.had += 1
