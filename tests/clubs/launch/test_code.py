"""The code that the terminal shows, as a camera sees it."""

import numpy as np
import pytest
import zxingcpp

from clubs.launch.command import code_drawn

DARK_ABOVE, DARK_BELOW = " ▄", " ▀"
"""The letters whose upper, and whose lower half is dark: the blocks are the light ones."""


def test_a_phone_reads_the_address_from_it() -> None:
    url = "http://192.168.178.204:8000/"

    rows = [
        [letter in dark for letter in line]
        for line in code_drawn(url).splitlines()
        for dark in (DARK_ABOVE, DARK_BELOW)
    ]
    picture = np.where(np.array(rows), 0, 255).astype(np.uint8).repeat(4, 0).repeat(4, 1)
    assert [found.text for found in zxingcpp.read_barcodes(picture)] == [url]


def test_a_terminal_that_cannot_draw_it_shows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        encoding = "ascii"

    monkeypatch.setattr("sys.stdout", Old())
    assert code_drawn("http://192.168.178.204:8000/") == ""
