"""What a test needs from the machine and does not find."""

import os
from typing import NoReturn

import pytest


def missing(what: str, package: str) -> NoReturn:
    """Skips the test on somebody's laptop; in CI it fails, where all of it must be."""
    message = f"No {what} here (Debian: apt-get install {package})."
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
