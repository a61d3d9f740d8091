"""The archive file: a zip with the rows of each table as Django's JSON lines, and a manifest."""

import errno
import hashlib
import json
import lzma
import os
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

FORMAT = 2
MANIFEST = "manifest.json"
_LONGEST_LINE = 50_000_000
_LONGEST_MANIFEST = 1_000_000
_PACKED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
_SMALL = 32_000_000
_MB = 1_000_000
_MOST_PACKED = 100
"""Above `_SMALL` no more is unpacked than so many times the size of the file. The rows of a club
become about ten times as small, and what only fills a disk hundreds of times."""
_BROKEN = (
    EOFError,
    KeyError,
    OSError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)

ArchivedRow = dict[str, Any]
"""As Django serializes it: `model`, `pk`, and `fields` by name."""


Report = Callable[[float], None]
"""Called with the part that is done, from 0 to 1."""


def unreported(_done: float) -> None:
    """Nobody asks how far it is."""


class BadArchive(Exception):
    """A file that cannot be used; its message says what is wrong with it. Nothing was changed."""


class Unsound(BadArchive):
    """A file with rows that Klaverclub never writes. Its message says which, in English: it is for
    whoever looks into the file."""


@dataclass(frozen=True, slots=True)
class ArchivePart:
    """The manifest's entry for one table: the number of rows, and their hash."""

    rows: int
    sha256: str


class ArchiveWriter:
    """Writes one part after another; `finish` closes the archive with its manifest."""

    def __init__(self, file: IO[bytes], *, kind: str, about: Mapping[str, Any]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._manifest = {"klaverclub": kind, "format": FORMAT, **about}
        self._parts: dict[str, ArchivePart] = {}

    @property
    def rows(self) -> int:
        """How many rows have been written."""
        return sum(part.rows for part in self._parts.values())

    @contextmanager
    def part(self, name: str) -> Iterator[IO[str]]:
        """A stream for the rows of a table, a line each."""
        with self._zip.open(f"{name}.jsonl", "w", force_zip64=True) as file:
            lines = _Lines(file)
            yield cast(IO[str], lines)
        self._parts[name] = ArchivePart(lines.count, lines.digest.hexdigest())

    def finish(self) -> None:
        """Write the manifest; without it the archive is refused."""
        parts = {name: asdict(part) for name, part in self._parts.items()}
        self._zip.writestr(MANIFEST, json.dumps({**self._manifest, "parts": parts}, indent=1))
        self._zip.close()


class _Lines:
    """Counts and hashes the lines that are written to it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.count, self.digest = 0, hashlib.sha256()

    def write(self, text: str) -> int:
        line = text.encode()
        self.digest.update(line)
        self.count += line.count(b"\n")
        return self._file.write(line)


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive open for reading: its manifest, and its parts by name."""

    about: Mapping[str, Any]
    parts: Mapping[str, ArchivePart]
    _zip: zipfile.ZipFile
    _read: Counter[str] = field(default_factory=Counter)

    @property
    def rows_in_all(self) -> int:
        """How many rows the manifest tells of."""
        return sum(part.rows for part in self.parts.values())

    def require_room(self, folder: Path) -> None:
        """Raises BadArchive if what it unpacks to has no room beside this folder: a full disk
        stops whatever else runs here too."""
        needed = _unpacked(self._zip)
        free = shutil.disk_usage(folder).free
        if needed > free:
            raise BadArchive(
                _("This computer has too little room: %(needed)s MB are needed, %(free)s are free.")
                % {"needed": needed // _MB + 1, "free": free // _MB}
            )

    def bytes_read(self) -> int:
        """How much of the rows has been read so far."""
        return self._read.total()

    def rows(self, name: str) -> Iterator[ArchivedRow]:
        """The rows of a part. Raises BadArchive where they differ from the manifest."""
        part, digest, count = self.parts[name], hashlib.sha256(), 0
        try:
            with self._zip.open(f"{name}.jsonl") as file:
                while line := file.readline(_LONGEST_LINE):
                    digest.update(line)
                    count += 1
                    self._read[name] += len(line)
                    if count > part.rows:
                        break
                    yield _row(name, count, line)
        except _BROKEN as error:
            raise BadArchive(_("%(name)s: the file is damaged.") % {"name": name}) from error
        if (count, digest.hexdigest()) != (part.rows, part.sha256):
            raise BadArchive(_("%(name)s: the rows do not match the manifest.") % {"name": name})


@contextmanager
def archive_open(path: Path, *, kind: str, is_foreign: bool = False) -> Iterator[Archive]:
    """Open an archive of this kind for reading. Raises BadArchive, also for another kind or an
    unknown format, and where a foreign one would unpack to far more than the rows of a club."""
    try:
        file = path.open("rb")
    except FileNotFoundError as error:
        raise BadArchive(_("There is no file %(path)s.") % {"path": path}) from error
    except OSError as error:
        raise BadArchive(
            _("%(path)s cannot be read: %(why)s.") % {"path": path, "why": error.strerror}
        ) from error
    with file:
        try:
            opened = zipfile.ZipFile(file)
            _require_measured(opened)
            about = json.loads(_manifest(opened))
        except _BROKEN as error:
            raise BadArchive(
                _("%(path)s is not a %(kind)s of Klaverclub, or it is damaged.")
                % {"path": path, "kind": _kind_words(kind)}
            ) from error
        if is_foreign:
            _require_bounds(path, opened)
        yield Archive(about, _parts(path, kind, about), opened)


def archive_kind(path: Path) -> str:
    """What kind of archive a file says that it is; empty where it cannot be read."""
    try:
        with zipfile.ZipFile(path) as opened:
            _require_measured(opened)
            about = json.loads(_manifest(opened))
    except (*_BROKEN, RecursionError):
        return ""
    return str(about.get("klaverclub", "")) if isinstance(about, dict) else ""


def _kind_words(kind: str) -> str:
    """A kind of archive as messages call it."""
    words = {"backup": pgettext("archive", "backup"), "club": pgettext("archive", "club")}
    return words.get(kind, kind)


def _require_measured(opened: zipfile.ZipFile) -> None:
    """ValueError for a part packed in a way of which a piece unpacks to gigabytes at once."""
    if any(part.compress_type not in _PACKED for part in opened.infolist()):
        raise ValueError("packed in another way")


def _manifest(opened: zipfile.ZipFile) -> bytes:
    """The manifest; ValueError where it is too long."""
    with opened.open(MANIFEST) as file:
        manifest = file.read(_LONGEST_MANIFEST + 1)
    if len(manifest) > _LONGEST_MANIFEST:
        raise ValueError(len(manifest))
    return manifest


def _require_bounds(path: Path, opened: zipfile.ZipFile) -> None:
    # Of each part no more is read than the size that it says here.
    unpacked = _unpacked(opened)
    if unpacked > max(_SMALL, _MOST_PACKED * path.stat().st_size):
        raise BadArchive(
            _("%(path)s would unpack to %(size)s bytes, far more than Klaverclub ever packs.")
            % {"path": path, "size": f"{unpacked:,}"}
        )


def _unpacked(opened: zipfile.ZipFile) -> int:
    return sum(part.file_size for part in opened.infolist())


def _parts(path: Path, kind: str, about: Any) -> dict[str, ArchivePart]:
    if not isinstance(about, dict) or about.get("klaverclub") != kind:
        raise BadArchive(
            _("%(path)s is not a %(kind)s of Klaverclub.")
            % {"path": path, "kind": _kind_words(kind)}
        )
    if about.get("format") != FORMAT:
        raise BadArchive(
            _("%(path)s was made by another version of Klaverclub; update this one.")
            % {"path": path}
        )
    try:
        return {str(name): ArchivePart(**part) for name, part in about["parts"].items()}
    except (AttributeError, KeyError, TypeError) as error:
        raise BadArchive(
            _("%(path)s has a manifest that makes no sense.") % {"path": path}
        ) from error


def _row(name: str, number: int, line: bytes) -> ArchivedRow:
    try:
        row = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadArchive(
            _("%(name)s, line %(number)s: this is not JSON.") % {"name": name, "number": number}
        ) from error
    is_row = isinstance(row, dict) and row.keys() == {"model", "pk", "fields"}
    if not is_row or row["model"] != name or not isinstance(row["fields"], dict):
        raise BadArchive(
            _("%(name)s, line %(number)s: this is not a row of %(name)s.")
            % {"name": name, "number": number}
        )
    return cast(ArchivedRow, row)


def _no_number(name: str) -> None:
    raise ValueError(name)


# Writing files atomically.


@contextmanager
def new_file(path: Path, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Write a file readable by its owner only: a draft beside it, renamed once it is on disk.

    Raises CommandError where the file exists, unless `force`, or cannot be written.
    """
    if path.exists() and not force:
        raise CommandError(f"{path} is there already; --force puts the new one in its place.")
    try:
        with _draft_of(path) as (draft, file):
            yield file
            file.flush()
            os.fsync(file.fileno())
            # Windows moves no file that is open.
            file.close()
            draft.replace(path)
            folder_sync(path.parent)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}.") from error


@contextmanager
def _draft_of(path: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """A temporary file beside that path; deleted afterwards unless it was moved."""
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            yield draft, file
    finally:
        draft.unlink(missing_ok=True)


def folder_sync(folder: Path) -> None:
    """Make renames in a folder survive a power cut, where its file system can do that. Windows
    opens no folder."""
    if sys.platform == "win32":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS):
            raise
    finally:
        os.close(number)
