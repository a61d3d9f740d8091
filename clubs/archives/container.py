"""The file itself: a zip of rows, each a line of JSON, and a manifest that says what they are."""

import hashlib
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

FORMAT = 1
MANIFEST = "manifest.json"
_LONGEST_LINE = 50_000_000
_LONGEST_MANIFEST = 1_000_000
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


class BadArchive(Exception):
    """A file that cannot be used; its message says what is wrong with it. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one table: what their columns are, how many there are, and their hash."""

    columns: Sequence[str]
    rows: int
    sha256: str


class ArchiveWriter:
    """Writes one part after another; `finish` closes the archive with its manifest."""

    def __init__(self, file: IO[bytes], *, kind: str, about: Mapping[str, Any]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._about = {"klaverclub": kind, "format": FORMAT, **about}
        self._parts: dict[str, dict[str, Any]] = {}

    def write(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
        """Add the rows of a table. Returns how many there were."""
        digest, count = hashlib.sha256(), 0
        with self._zip.open(f"{name}.jsonl", "w", force_zip64=True) as part:
            for row in rows:
                line = json.dumps(row, separators=(",", ":")).encode() + b"\n"
                digest.update(line)
                part.write(line)
                count += 1
        self._parts[name] = {"columns": columns, "rows": count, "sha256": digest.hexdigest()}
        return count

    def finish(self) -> None:
        """Write the manifest; without it the archive is refused."""
        manifest = json.dumps({**self._about, "parts": self._parts}, indent=1)
        self._zip.writestr(MANIFEST, manifest)
        self._zip.close()


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that is open to be read: what it says of itself, and its parts by name."""

    about: Mapping[str, Any]
    parts: Mapping[str, Part]
    _zip: zipfile.ZipFile

    def rows(self, name: str) -> Iterator[list[Any]]:
        """The rows of a part. Raises BadArchive where they are not as the manifest has them."""
        part, digest, count = self.parts[name], hashlib.sha256(), 0
        try:
            with self._zip.open(f"{name}.jsonl") as file:
                while line := file.readline(_LONGEST_LINE):
                    digest.update(line)
                    count += 1
                    yield _row(name, count, line, len(part.columns))
        except _BROKEN as error:
            raise BadArchive(f"{name}: the file is damaged.") from error
        if (count, digest.hexdigest()) != (part.rows, part.sha256):
            raise BadArchive(f"{name}: the rows are not those that the manifest tells of.")


@contextmanager
def archive_open(path: Path, *, kind: str) -> Iterator[Archive]:
    """Open an archive of this kind to read it. Raises BadArchive, also where it is of another kind
    or of a format that is not known yet."""
    try:
        file = path.open("rb")
    except FileNotFoundError as error:
        raise BadArchive(f"There is no file {path}.") from error
    except OSError as error:
        raise BadArchive(f"{path} cannot be read: {error.strerror}.") from error
    with file:
        try:
            opened = zipfile.ZipFile(file)
            about = json.loads(_manifest(opened))
        except _BROKEN as error:
            raise BadArchive(f"{path} is no {kind} of Klaverclub, or it is damaged.") from error
        yield Archive(about, _parts(path, kind, about), opened)


def _manifest(opened: zipfile.ZipFile) -> bytes:
    """What the archive says of itself; ValueError for what says more than there is to say."""
    with opened.open(MANIFEST) as file:
        manifest = file.read(_LONGEST_MANIFEST + 1)
    if len(manifest) > _LONGEST_MANIFEST:
        raise ValueError(len(manifest))
    return manifest


def _parts(path: Path, kind: str, about: Any) -> dict[str, Part]:
    if not isinstance(about, dict) or about.get("klaverclub") != kind:
        raise BadArchive(f"{path} is no {kind} of Klaverclub.")
    if about.get("format") != FORMAT:
        raise BadArchive(f"{path} was made by another version of Klaverclub; update this one.")
    try:
        return {str(name): Part(**fields) for name, fields in about["parts"].items()}
    except (AttributeError, KeyError, TypeError) as error:
        raise BadArchive(f"{path} has a manifest that makes no sense.") from error


def _row(name: str, number: int, line: bytes, width: int) -> list[Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadArchive(f"{name}, line {number}: this is no JSON.") from error
    if not isinstance(row, list) or len(row) != width:
        raise BadArchive(f"{name}, line {number}: this is no row of {width} columns.")
    return row
