"""Where an installed program is at home on a computer: its folder, and the port that it serves on.

Only what Windows and macOS have too, and nothing of Django: settings are read afterwards.
"""

import errno
import os
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from clubs.launch.texts import CannotStart, english

USUAL_PORT: Final = 8000
NEXT_PORTS: Final = 20
"""So many ports after the usual one are tried, before any that is free."""
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 — phones in the hall ask for it
_CHECKOUT: Final = Path(__file__).resolve().parents[2]
_TAKEN: Final = errno.EADDRINUSE, getattr(errno, "WSAEADDRINUSE", errno.EADDRINUSE)


def usual_folder() -> Path:
    """Where the data is if nothing else is set: `var` in a checkout, otherwise the folder of this
    user's programs."""
    if (_CHECKOUT / "manage.py").is_file():
        return _CHECKOUT / "var"
    from platformdirs import user_data_path

    return user_data_path("klaverclub", appauthor=False)


def folder_make(folder: Path) -> None:
    """Make the folder for its owner alone, where it is not there. Raises CannotStart where nothing
    can be kept in it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise CannotStart(
            english(
                "Nothing can be kept in the folder %(folder)s: %(why)s. Make it writable, or choose"
                " another folder with the setting DATA_DIR."
            ),
            folder=folder,
            why=error.strerror or error,
        ) from error


class Claim:
    """The folder, for one program at a time, until it ends, however it does.

    SQLite holds the lock, since it knows how on every system.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "running"
        try:
            self._lock = sqlite3.connect(self._file, timeout=0, isolation_level=None)
        except sqlite3.Error as error:
            raise self._not_had(error) from error

    def is_granted(self) -> bool:
        """Whether no other program has it. Raises CannotStart where that cannot be known."""
        try:
            self._lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            # The lowest byte: the others say in which way it is taken.
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                return False
            raise self._not_had(error) from error
        return True

    def _not_had(self, error: sqlite3.Error) -> CannotStart:
        return CannotStart(
            english(
                "The file %(file)s cannot be used: %(why)s. It holds nothing: take it away, and"
                " start again."
            ),
            file=self._file,
            why=error,
        )

    def close(self) -> None:
        """Let go of it."""
        self._lock.close()


# The port: printed codes and bookmarks name it, so it is the one of last time where possible.


def port_kept(folder: Path) -> int | None:
    """The port that was served on last."""
    try:
        return port_read((folder / "port").read_text().strip())
    except (OSError, CannotStart):
        return None


def port_keep(folder: Path, port: int) -> None:
    """Remember the port for the next time."""
    (folder / "port").write_text(f"{port}\n")


def port_read(given: str) -> int:
    """A port as somebody typed it. Raises CannotStart."""
    if given.isascii() and given.isdecimal() and 0 < int(given[:6]) < 65536:
        return int(given)
    raise CannotStart(
        english("A port is a number from 1 to 65535, not “%(given)s”."), given=given[:40]
    )


def listening(wanted: int | None, before: int | None) -> socket.socket:
    """A socket that listens to the whole network: on the port that is wanted, otherwise the one of
    before, the usual one, one of the next, or any.

    Raises CannotStart where the wanted port cannot be had.
    """
    for port in [wanted] if wanted else _choices(before):
        try:
            return _bound(port)
        except OSError as error:
            if wanted:
                raise _not_had(wanted, error) from error
    raise CannotStart(english("No port is free on this computer."))


def _choices(before: int | None) -> Iterator[int]:
    if before:
        yield before
    yield from range(USUAL_PORT, USUAL_PORT + NEXT_PORTS)
    yield 0


def _bound(port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # On Windows another program could take a port over that may be used again.
        again = "SO_EXCLUSIVEADDRUSE" if sys.platform == "win32" else "SO_REUSEADDR"
        bound.setsockopt(socket.SOL_SOCKET, getattr(socket, again), 1)
        bound.bind((EVERYWHERE, port))
        # At once: until somebody listens, others may be given the same port.
        bound.listen()
    except OSError:
        bound.close()
        raise
    return bound


def _not_had(port: int, error: OSError) -> CannotStart:
    if error.errno in _TAKEN:
        return CannotStart(
            english(
                "Port %(port)s is taken by another program. Choose another one with --port, or"
                " leave it out: then a free one is found."
            ),
            port=port,
        )
    return CannotStart(
        english("Port %(port)s cannot be used: %(why)s. Choose another one with --port."),
        port=port,
        why=error.strerror or error,
    )


def is_shown() -> bool:
    """Whether a browser that is opened here would be seen by whoever started the program."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
