"""What a computer must give to the command `klaverclub`, and what it says where that lacks."""

import socket
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from clubs.launch.place import (
    USUAL_PORT,
    Claim,
    folder_make,
    listening,
    port_keep,
    port_kept,
    port_read,
    usual_folder,
)
from clubs.launch.texts import CannotStart
from tests.nginx import free_port

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens to."""
    with closing(listening(free_port(), None)) as other:
        yield other.getsockname()[1]


def test_a_checkout_keeps_its_data_beside_the_code() -> None:
    assert usual_folder() == ROOT / "var"


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data of Jan #1" / "klaverclub"
    folder_make(folder)
    folder_make(folder)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert list(folder.iterdir()) == []


def test_a_folder_in_which_nothing_can_be_kept_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(CannotStart) as raised:
        folder_make(tmp_path / "file" / "klaverclub")
    assert raised.value.values["folder"] == tmp_path / "file" / "klaverclub"


def test_a_folder_is_one_programs_until_it_ends(tmp_path: Path) -> None:
    first, second = Claim(tmp_path), Claim(tmp_path)
    try:
        assert (first.is_granted(), second.is_granted()) == (True, False)
        first.close()
        assert second.is_granted()
    finally:
        second.close()


def test_a_lock_that_cannot_be_had_is_not_taken_for_one_that_somebody_has(tmp_path: Path) -> None:
    (tmp_path / "running").mkdir()

    with pytest.raises(CannotStart) as raised:
        Claim(tmp_path).is_granted()
    assert raised.value.values["file"] == tmp_path / "running"


def test_the_port_of_last_time_is_served_on_again(tmp_path: Path) -> None:
    assert port_kept(tmp_path) is None
    before = free_port()
    port_keep(tmp_path, before)

    with closing(listening(None, port_kept(tmp_path))) as bound:
        assert bound.getsockname() == ("0.0.0.0", before)


def test_where_it_is_taken_another_one_is_found(taken: int) -> None:
    with closing(listening(None, taken)) as bound:
        assert bound.getsockname()[1] >= USUAL_PORT
        assert bound.getsockname()[1] != taken


def test_a_port_that_is_asked_for_and_taken_is_said(taken: int) -> None:
    with pytest.raises(CannotStart, match="is taken by another program") as raised:
        listening(taken, None)
    assert raised.value.values == {"port": taken}


def test_whoever_asks_for_a_port_gets_it_while_nobody_listens() -> None:
    port = free_port()
    with closing(listening(port, None)) as bound:
        assert bound.getsockname()[1] == port
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass


@pytest.mark.parametrize("given", ["", "0", "65536", "eighty", "-1", "8000.0", "²", "9" * 50])
def test_what_is_no_port_is_said(given: str) -> None:
    with pytest.raises(CannotStart) as raised:
        port_read(given)
    assert raised.value.values == {"given": given[:40]}


@pytest.mark.parametrize("kept", ["", "eighty", "70000"])
def test_a_port_that_was_kept_badly_is_none(tmp_path: Path, kept: str) -> None:
    (tmp_path / "port").write_text(kept)

    assert port_kept(tmp_path) is None
