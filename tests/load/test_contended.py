"""Eight phones that write the same deal at two servers: one wins each version, the rest is told."""

import os
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

import pytest

from scoring.audit.verify import sheet_faults, trail_faults
from scoring.models import Deal, DealEntry
from tests.factories import table
from tests.load.hall import Phone, filled_in, served
from tests.tournaments.table_pages import link, playing
from tournaments.models import Evening

PHONES = 8


@dataclass
class Rival:
    """A phone that goes on correcting one deal, each time the version it last heard of."""

    phone: Phone
    points: int
    won: list[int] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    repeated: int = 0
    mistold: list[object] = field(default_factory=list)

    def save(self, path: str, times: int) -> None:
        with self.phone:
            self._save(path, times)

    def _save(self, path: str, times: int) -> None:
        seen = 0
        for _ in range(times):
            reason = {"why_else": "counted again"} if seen else {}
            fields = filled_in(self.points, seen_version=seen, **reason)
            answer = self.phone.send(path, fields)
            if answer is None:
                seen = self._say_again(path, fields)
                continue
            self.answers[answer.status] += 1
            payload = answer.payload
            if answer.status == 200 and payload["status"] == "written":
                self.won.append(payload["version"])
                if payload["version"] != seen + 1:
                    self.mistold.append(payload)
            elif answer.status == 409 and payload["version"] <= seen:
                self.mistold.append(payload)
            seen = payload["version"]

    def _say_again(self, path: str, fields: dict[str, str]) -> int:
        """As a phone does that had no answer; the version that it is told at last."""
        self.repeated += 1
        while (answer := self.phone.send(path, fields)) is None:
            time.sleep(0.02)
        self.answers[answer.status] += 1
        version: int = answer.payload["version"]
        return version


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_of_96_saves_each_version_has_one_winner() -> None:
    _contend(saves=96)


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_of_10_000_saves_each_version_has_one_winner() -> None:
    _contend(saves=10_000)


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_of_10_000_saves_none_fails_when_a_worker_is_killed_midway() -> None:
    assert _contend(saves=10_000, killing=True) > 0


def _contend(*, saves: int, killing: bool = False) -> int:
    """Let all phones save, `killing` a worker when half is done; returns how often a phone had no
    answer, and said it again."""
    evening = playing()
    address = link(evening)
    with served(servers=2, workers=1) as servers:
        rivals = [Rival(Phone(servers[at % 2].port), 10 + at) for at in range(PHONES)]
        for rival in rivals:
            assert rival.phone.get(address) == 200
        path, times = f"{address}rounds/1/deals/1/", saves // PHONES
        threads = [threading.Thread(target=rival.save, args=(path, times)) for rival in rivals]
        for thread in threads:
            thread.start()
        if killing:
            while sum(rival.answers.total() for rival in rivals) < saves / 2:
                time.sleep(0.02)
            os.kill(servers[0].workers_now[0], signal.SIGKILL)
        for thread in threads:
            thread.join()
    _require_right(evening, rivals, saves=times * PHONES)
    return sum(rival.repeated for rival in rivals)


def _require_right(evening: Evening, rivals: list[Rival], *, saves: int) -> None:
    answers = sum((rival.answers for rival in rivals), Counter())
    assert answers.keys() <= {200, 409}
    assert answers.total() == saves
    assert [payload for rival in rivals for payload in rival.mistold] == []
    sheet = table(evening).sheet
    deal = Deal.objects.get(sheet=sheet, number=1)
    won = sorted(version for rival in rivals for version in rival.won)
    assert len(won) == len(set(won))
    if not any(rival.repeated for rival in rivals):
        assert won == list(range(1, deal.version + 1))
    assert DealEntry.objects.filter(deal=deal).count() == deal.version
    assert sheet_faults(sheet) == []
    assert list(trail_faults()) == []
