"""What stands in an archive, and archives that were tampered with."""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MANIFEST = "manifest.json"


def contents(archive: Path) -> dict[str, str]:
    """The files of an archive by name, but for the manifest, which says when it was made."""
    with zipfile.ZipFile(archive) as opened:
        names = set(opened.namelist()) - {MANIFEST}
        return {name: opened.read(name).decode() for name in names}


def manifest_of(archive: Path) -> dict[str, Any]:
    """What the archive says of itself."""
    with zipfile.ZipFile(archive) as opened:
        manifest: dict[str, Any] = json.loads(opened.read(MANIFEST))
        return manifest


def with_files(archive: Path, files: Mapping[str, bytes]) -> Path:
    """A copy of it in which these files say something else."""
    copy = archive.with_suffix(f".changed{len(list(archive.parent.iterdir()))}")
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            new.writestr(name, files.get(name, old.read(name)))
    return copy


def manifest_with(archive: Path, **values: object) -> Path:
    """A copy of it that says something else of itself."""
    return with_files(archive, {MANIFEST: json.dumps(manifest_of(archive) | values).encode()})


def with_rows(archive: Path, name: str, old: bytes, new: bytes) -> Path:
    """A copy of it with something else in the rows of a table, and a manifest that agrees."""
    rows = contents(archive)[f"{name}.jsonl"].encode().replace(old, new)
    manifest = manifest_of(archive)
    manifest["parts"][name] |= {
        "rows": rows.count(b"\n"),
        "sha256": hashlib.sha256(rows).hexdigest(),
    }
    return with_files(archive, {f"{name}.jsonl": rows, MANIFEST: json.dumps(manifest).encode()})
