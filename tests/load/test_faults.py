"""The database killed, and the disk full, while a hundred tables save: each in a process of its
own, since its database is not that of the tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.load.faults import FAULTS
from tests.missing import missing
from tests.postgres import binaries

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.soak
@pytest.mark.parametrize("fault", FAULTS)
def test_what_was_acknowledged_stands_once_and_people_were_told_to_wait(fault: str) -> None:
    if fault != "disk-sqlite" and binaries() is None:
        missing("PostgreSQL", "postgresql")
    if fault != "database" and os.geteuid() != 0:
        pytest.skip("Only root may make a small file system.")
    command = [sys.executable, "-m", "tests.load.faults", fault]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "wait" in done.stdout
