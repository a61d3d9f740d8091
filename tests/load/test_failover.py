"""The cluster of docs/deploy/cluster, with everything that can go wrong with it while a hundred
tables write: each in a process and a network of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.load.cluster import PACKAGES, lacking
from tests.load.failover import TROUBLES
from tests.missing import missing

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.soak
@pytest.mark.parametrize("trouble", TROUBLES)
def test_what_was_acknowledged_stands_once_whatever_happens_to_the_primary(trouble: str) -> None:
    if os.geteuid() != 0:
        pytest.skip("Only root may make a network of three machines.")
    if lacking():
        missing(lacking()[0], PACKAGES)
    command = [sys.executable, "-m", "tests.load.failover", trouble]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    sys.stdout.write(done.stdout)
    assert done.returncode == 0, done.stderr[-2000:]
