"""The trail as files that are added to: every event, and the head of every chain.

Kept elsewhere, the heads show that events were taken off the end of a chain, which nothing in the
database shows to somebody who also has its key. The files hold no names.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from django.db.models import Max
from django.utils import timezone

from clubs.audit.services import event_content
from clubs.models import AuditEvent

HEADS, EVENTS = "heads.jsonl", "events.jsonl"
CHAINS_AT_ONCE = 200
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Head:
    """A chain when it was exported: how many events it had, and the hash of the last one."""

    at: str
    club: str
    chain: str
    length: int
    head: str


class BadHeads(Exception):
    """The file of heads cannot be read."""


def trail_export(folder: Path) -> int:
    """Add every event since the last export to the files in this folder, which is made if need be,
    and then the heads of the chains that grew. Returns the number of events. Raises BadHeads."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    known = {head.chain: head.length for head in heads_read(folder / HEADS)}
    heads: list[Head] = []
    count = _append(folder / EVENTS, _events_since(known, heads))
    _append(folder / HEADS, map(asdict, heads))
    return count


def torn_lines_cut(folder: Path) -> Iterator[str]:
    """Cut the end off files whose last line was never finished, since power or disk failed, and say
    so. What was in it is exported again."""
    for file in (folder / HEADS, folder / EVENTS):
        content = file.read_bytes() if file.exists() else b""
        torn = len(content) - content.rfind(b"\n") - 1
        if torn:
            os.truncate(file, len(content) - torn)
            yield f"{file}: the last line was cut off ({torn} bytes); going on from the one before."


def _events_since(known: Mapping[str, int], heads: list[Head]) -> Iterator[Row]:
    """The events after these numbers, chain by chain; adds the head of each chain to `heads`."""
    for chain, length in _lengths().items():
        exported = known.get(chain, 0)
        if length <= exported:
            continue
        events = AuditEvent.objects.filter(chain=chain, number__gt=exported, number__lte=length)
        for event in events.order_by("number").select_related("club"):
            yield event_content(event) | {"hash": event.hash}
        heads.append(_head(event))


def heads_faults(file: Path) -> Iterator[str]:
    """The chains that no longer have the events they had when they were exported. Raises
    BadHeads."""
    by_chain: dict[str, list[Head]] = {}
    for head in heads_read(file):
        by_chain.setdefault(head.chain, []).append(head)
    chains = sorted(by_chain)
    for start in range(0, len(chains), CHAINS_AT_ONCE):
        some = chains[start : start + CHAINS_AT_ONCE]
        rows = AuditEvent.objects.filter(chain__in=some).values_list("chain", "number", "hash")
        hashes = {(chain, number): hashed for chain, number, hashed in rows.iterator()}
        for chain in some:
            yield from _differing(by_chain[chain], hashes)


def heads_read(file: Path) -> list[Head]:
    """The heads in a file, oldest first; none where there is no file. A last line that was cut off
    is no head. Raises BadHeads."""
    content = file.read_bytes() if file.exists() else b""
    lines = content.decode("utf-8", "replace").split("\n")[:-1]
    return [_head_of_line(file, number, line) for number, line in enumerate(lines, start=1)]


def _head_of_line(file: Path, number: int, line: str) -> Head:
    try:
        return Head(**json.loads(line))
    except (TypeError, ValueError) as error:
        raise BadHeads(f"{file}, line {number}: this is no head of a trail.") from error


def _differing(heads: Iterable[Head], hashes: Mapping[tuple[str, int], str]) -> Iterator[str]:
    for head in heads:
        hashed = hashes.get((head.chain, head.length))
        if hashed is None:
            yield f"{head.chain}: event {head.length}, exported on {head.at}, is missing"
            return
        if hashed != head.head:
            yield f"{head.chain}: event {head.length} is not the one that was exported on {head.at}"
            return


def _lengths() -> dict[str, int]:
    """How many events every chain has."""
    longest = AuditEvent.objects.order_by("chain").values("chain").annotate(length=Max("number"))
    return dict(longest.values_list("chain", "length"))


def _head(event: AuditEvent) -> Head:
    return Head(
        at=timezone.now().isoformat(timespec="seconds"),
        club=event.club.slug if event.club else "",
        chain=event.chain,
        length=event.number,
        head=event.hash,
    )


def _append(file: Path, rows: Iterable[Row]) -> int:
    """Add lines to a file that only its owner may read, and have them on the disk. Returns how
    many."""
    count = 0
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        for row in rows:
            stream.write(json.dumps(row) + "\n")
            count += 1
        stream.flush()
        os.fsync(stream.fileno())
    return count
