"""The trail as files elsewhere, and what they show about a trail that was shortened."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from clubs.audit.services import seal_anew
from clubs.models import AuditEvent, Club
from tests.factories import MemberFactory
from tests.scoring.audit.test_rewritten import club_with_members, rewrite, take_off
from tests.scoring.audit.test_verify import sheet_with_history, verify
from tests.scoring.sheets import write

pytestmark = pytest.mark.django_db


def export(folder: Path) -> tuple[str, int]:
    """What the command says, and its exit status."""
    said, status = StringIO(), 0
    try:
        call_command("export_trail", folder, stdout=said, stderr=said)
    except SystemExit as ended:
        status = int(str(ended.code))
    return said.getvalue(), status


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.both
def test_each_export_adds_what_happened_since(tmp_path: Path) -> None:
    sheet = sheet_with_history()
    club = sheet.club
    total = AuditEvent.objects.count()
    assert export(tmp_path) == (f"{total} events are exported.\n", 0)
    assert export(tmp_path) == ("0 events are exported.\n", 0)
    write(sheet, 5, 2)
    assert export(tmp_path) == ("1 events are exported.\n", 0)

    heads = lines(tmp_path / "heads.jsonl")
    sheet.refresh_from_db()
    assert [(head["chain"], head["length"]) for head in heads] == [
        (club.chain_name, AuditEvent.objects.filter(chain=club.chain_name).count()),
        (sheet.chain_name, sheet.chain_length - 1),
        (sheet.chain_name, sheet.chain_length),
    ]
    assert heads[-1]["head"] == sheet.chain_head
    events = lines(tmp_path / "events.jsonl")
    hashes = AuditEvent.objects.values_list("hash", flat=True)
    assert sorted(str(event["hash"]) for event in events) == sorted(hashes)
    assert "telephone" not in (tmp_path / "events.jsonl").read_text()
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    assert verify(heads=tmp_path / "heads.jsonl")[-1].endswith("as they were written.")


def test_events_taken_off_by_somebody_who_has_the_key_too(tmp_path: Path) -> None:
    club = club_with_members()
    export(tmp_path)
    head = lines(tmp_path / "heads.jsonl")[-1]
    take_off(club, 2)
    seal_anew(Club.objects.all())
    assert verify()[-1].endswith("as they were written.")
    fault = f"{club.chain_name}: event 5, exported on {head['at']}, is missing"
    assert verify(heads=tmp_path / "heads.jsonl") == [fault, "1 differences."]
    assert export(tmp_path) == (f"0 events are exported.\n{fault}\n", 1)


def test_a_trail_written_anew_by_somebody_who_has_the_key_too(tmp_path: Path) -> None:
    sheet = sheet_with_history()
    export(tmp_path)
    head = lines(tmp_path / "heads.jsonl")[-1]
    rewrite(sheet, "user:somebody")
    sheet.refresh_from_db()
    seal_anew([sheet])
    MemberFactory.create(club=sheet.club)
    length = sheet.chain_length
    fault = f"event {length} is not the one that was exported on {head['at']}"
    assert f"{sheet.chain_name}: {fault}" in verify(heads=tmp_path / "heads.jsonl")


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no file"):
        verify(heads=tmp_path / "heads.jsonl")
    (tmp_path / "heads.jsonl").write_text('{"chain": 1}\n')
    for command in (lambda: verify(heads=tmp_path / "heads.jsonl"), lambda: export(tmp_path)):
        with pytest.raises(CommandError, match="line 1: this is no head of a trail"):
            command()
    with pytest.raises(CommandError, match="File exists"):
        export(tmp_path / "heads.jsonl")


def test_a_last_line_that_was_cut_off_is_said_and_exported_again(tmp_path: Path) -> None:
    club_with_members()
    export(tmp_path)
    heads, events = tmp_path / "heads.jsonl", tmp_path / "events.jsonl"
    whole = heads.read_bytes(), events.read_bytes()
    member = MemberFactory.create(club=Club.objects.get())
    export(tmp_path)
    heads.write_bytes(heads.read_bytes()[:-20])
    assert verify(heads=heads)[-1].endswith("as they were written.")
    message, status = export(tmp_path)
    assert message.startswith(f"{heads}: the last line was cut off (")
    assert message.endswith("going on from the one before.\n1 events are exported.\n")
    assert (status, str(member.uuid) in events.read_text()) == (0, True)
    assert heads.read_bytes().startswith(whole[0])
    assert len(lines(heads)) == len(whole[0].splitlines()) + 1
    events.write_bytes(whole[1][:-7])
    assert export(tmp_path)[0].startswith(f"{events}: the last line was cut off (")
    lines(events)
