"""Whether a spreadsheet is safe to unpack and read, looked at piece by piece beforehand."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import IO
from zipfile import ZipFile

MOST_BYTES = 60_000_000
MOST_ELEMENTS = 1_000_000
"""In sheets and their texts: some 300,000 cells. A whole row is kept while it is read."""
MOST_ELSEWHERE = 50_000
"""In styles and such, where each takes far longer to read."""

_CELLS = "xl/worksheets/", "xl/sharedStrings.xml"
_TEXTS = ".xml", ".rels"
_UTF16 = b"\xff\xfe", b"\xfe\xff"
_PIECE = 1 << 20
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([^\"']*)")


def is_harmless(archive: ZipFile) -> bool:
    """Whether it is no more than a program can read in seconds: no bomb, and no entities.

    Entities make much of little, or fetch what is elsewhere; no spreadsheet has any. Other
    encodings than UTF-8 could hide them, and no spreadsheet program writes those.
    """
    if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
        return False
    left = {True: MOST_ELEMENTS, False: MOST_ELSEWHERE}
    for name in _texts(archive):
        with archive.open(name) as part:
            left[name.startswith(_CELLS)] -= _elements(part)
        if min(left.values()) < 0:
            return False
    return True


def only_text(archive: ZipFile) -> IO[bytes]:
    """The same without pictures and such: nothing is read as text but what was looked at."""
    kept = BytesIO()
    with ZipFile(kept, "w") as other:
        for name in _texts(archive):
            other.writestr(name, archive.read(name))
    kept.seek(0)
    return kept


def _texts(archive: ZipFile) -> list[str]:
    return [name for name in dict.fromkeys(archive.namelist()) if name.endswith(_TEXTS)]


def _elements(part: IO[bytes]) -> int:
    """How many elements there are; more than any file may have where it is not to be read."""
    count = 0
    for at, piece in enumerate(_pieces(part)):
        if b"<!DOCTYPE" in piece or (at == 0 and not _is_utf8(piece[:200])):
            return MOST_ELEMENTS + 1
        count += piece.count(b"<") - piece.count(b"</")
    return count


def _pieces(part: IO[bytes]) -> Iterator[bytes]:
    """The part in pieces that overlap by as much as a word that is looked for."""
    tail = b""
    while piece := part.read(_PIECE):
        yield tail + piece
        tail = piece[-8:]


def _is_utf8(head: bytes) -> bool:
    found = _ENCODING.search(head)
    declared = found[1].lower() if found else b"utf-8"
    return declared == b"utf-8" and b"\0" not in head and not head.startswith(_UTF16)
