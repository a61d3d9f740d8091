"""A file that is there whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.core.management.base import CommandError


@contextmanager
def new_file(path: Path, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Write a file that only its owner reads: beside its place first, and put there when it is on
    the disk. Raises CommandError where one is there already, unless `force`, or none can be made.
    """
    if path.exists() and not force:
        raise CommandError(f"{path} is there already; --force puts the new one in its place.")
    try:
        with _draft_of(path) as (draft, file):
            yield file
            file.flush()
            os.fsync(file.fileno())
            draft.replace(path)
            folder_sync(path.parent)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}.") from error


@contextmanager
def _draft_of(path: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """A file beside that place; it is gone afterwards unless it was moved."""
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            yield draft, file
    finally:
        draft.unlink(missing_ok=True)


def folder_sync(folder: Path) -> None:
    """What was renamed in a folder survives a power cut from now on."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
