"""The file of an archive: what is read is what was written, or it is refused."""

import json
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.utils import translation

from clubs.archives.container import ArchivedRow, ArchiveWriter, BadArchive, archive_open
from tests.archives import manifest_with, with_files

ROWS: list[ArchivedRow] = [
    {"model": "clubs.member", "pk": 1, "fields": {"name": "Piet ’t Hart", "data": None}},
    {"model": "clubs.member", "pk": 2, "fields": {"name": "\u0000", "data": {"a": [1.5]}}},
]


@pytest.fixture(autouse=True)
def as_commands_say_it() -> Iterator[None]:
    """Commands speak English, whatever the language of the site is."""
    with translation.override(None):
        yield


MEMBER = b'{"model": "clubs.member", "pk": 1, "fields": {}}\n'
ROLE = MEMBER.replace(b"member", b"role")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "archive"
    with path.open("wb") as file:
        writer = ArchiveWriter(file, kind="backup", about={"made_at": "now"})
        with writer.part("clubs.member") as stream:
            for row in ROWS:
                stream.write(json.dumps(row) + "\n")
        with writer.part("clubs.role"):
            pass
        assert writer.rows == 2
        writer.finish()
    return path


def read(path: Path) -> list[ArchivedRow]:
    with archive_open(path, kind="backup") as opened:
        return list(opened.rows("clubs.member"))


def test_rows_come_back_as_they_went_in(archive: Path) -> None:
    assert read(archive) == ROWS
    with archive_open(archive, kind="backup") as opened:
        assert (opened.about["made_at"], list(opened.rows("clubs.role"))) == ("now", [])
        assert {name: part.rows for name, part in opened.parts.items()} == {
            "clubs.member": 2,
            "clubs.role": 0,
        }


def test_an_archive_is_read_as_what_it_is(archive: Path) -> None:
    with (
        pytest.raises(BadArchive, match="is not a club of Klaverclub"),
        archive_open(archive, kind="club"),
    ):
        pass


def cut(path: Path, share: float) -> Path:
    whole = path.read_bytes()
    half = path.with_suffix(".cut")
    half.write_bytes(whole[: int(len(whole) * share)])
    return half


def flipped(path: Path) -> Path:
    """A bit in the middle of the packed rows is another one."""
    with zipfile.ZipFile(path) as opened:
        part = opened.getinfo("clubs.member.jsonl")
    content = bytearray(path.read_bytes())
    start = content.index(part.filename.encode()) + len(part.filename)
    content[start + len(part.extra) + part.compress_size // 2] ^= 0xFF
    other = path.with_suffix(".flipped")
    other.write_bytes(content)
    return other


def locked(path: Path) -> Path:
    """Every file in it says that it is packed with a password, but for the manifest."""
    content = bytearray(path.read_bytes())
    for head, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(head) + flags] |= 1
    other = path.with_suffix(".locked")
    other.write_bytes(content)
    return other


def member_rows(path: Path, rows: bytes) -> Path:
    return with_files(path, {"clubs.member.jsonl": rows})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.with_name("nowhere"), "There is no file"),
        (lambda path: path.parent, "cannot be read: Is a directory"),
        (lambda path: cut(path, 0.5), "or it is damaged"),
        (lambda path: cut(path, 0), "or it is damaged"),
        (flipped, "clubs.member: the file is damaged"),
        (lambda path: manifest_with(path, klaverclub="club"), "is not a backup of Klaverclub"),
        (lambda path: manifest_with(path, format=1), "by another version"),
        (lambda path: manifest_with(path, parts=7), "makes no sense"),
        (lambda path: manifest_with(path, parts={"clubs.member": 7}), "makes no sense"),
        (lambda path: manifest_with(path, parts={"clubs.member": {}}), "makes no sense"),
        (lambda path: with_files(path, {"manifest.json": b"[]"}), "is not a backup"),
        (lambda path: with_files(path, {"manifest.json": b"{"}), "is not a backup"),
        (lambda path: with_files(path, {"manifest.json": b"[" * 100_000}), "is not a backup"),
        (lambda path: with_files(path, {"manifest.json": b" " * 1_000_001}), "is not a backup"),
        (locked, "clubs.member: the file is damaged"),
        (lambda path: member_rows(path, ROLE), "member, line 1: this is not a row of clubs.member"),
        (lambda path: member_rows(path, MEMBER), "member: the rows do not match"),
        (lambda path: member_rows(path, b""), "member: the rows do not match"),
        (lambda path: member_rows(path, b"{}\n"), "member, line 1: this is not a row"),
        (lambda path: member_rows(path, b"[1,2]\n"), "member, line 1: this is not a row"),
        (lambda path: member_rows(path, b"\xff\n"), "member, line 1: this is not JSON"),
        (lambda path: member_rows(path, b"[" * 100_000), "member, line 1: this is not JSON"),
    ],
)
def test_what_was_damaged_or_tampered_with_is_refused(
    spoil: Callable[[Path], Path], message: str, archive: Path
) -> None:
    with pytest.raises(BadArchive, match=message):
        read(spoil(archive))


@pytest.mark.full
def test_an_archive_packed_in_a_way_without_measure_is_not_unpacked(tmp_path: Path) -> None:
    """A piece of four kilobytes can become gigabytes: two kilobytes took all memory."""
    path = tmp_path / "bomb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as bomb:
        bomb.writestr("manifest.json", b'{"klaverclub": "backup"' + b" " * 100_000_000 + b"}")
    assert path.stat().st_size < 1_000
    tracemalloc.start()
    try:
        with pytest.raises(BadArchive, match="is not a backup of Klaverclub, or it is damaged"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_what_has_no_room_is_refused(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with archive_open(archive, kind="backup") as opened:
        opened.require_room(archive.parent)
        full = shutil.disk_usage(archive)._replace(free=100)
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: full)
        with pytest.raises(BadArchive, match="too little room: 1 MB are needed, 0 are free"):
            opened.require_room(archive.parent)
