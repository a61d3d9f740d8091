"""A club's file that somebody made up: each value replaced by others.

It is refused in words, or it can be shown and verified.
"""

import json
import random
import tracemalloc
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterator
from io import StringIO
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from clubs.models import Club, ClubLogo
from clubs.profile.services import logo_choose
from tests.archives import contents, with_rows
from tests.factories import TESTS, ClubFactory
from tests.other_databases import migrated, sqlite_file
from tests.tournaments.transfer.forgeries import (
    DEEP,
    NASTY,
    Forgery,
    Json,
    Steps,
    column_fault,
    forged,
    one_in_each_place,
    read_together,
    require_shown,
    rows_of,
    taken_by_columns,
    try_it,
    ways,
)
from tests.tournaments.transfer.whole_clubs import club_with_everything, exported, png, said
from tournaments.transfer.out import PEOPLE

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Path:
    """The file of a club with a little of everything, from another server."""
    folder = tmp_path_factory.mktemp("club")
    with django_db_blocker.unblock(), migrated(sqlite_file(folder / "other.sqlite3")):
        return exported(club_with_everything(), folder / "archive")


RULE, EVENING, ENTRY = "tournaments.seasonrule", "tournaments.evening", "scoring.dealentry"


@pytest.mark.full
@pytest.mark.once
@pytest.mark.each_case
@pytest.mark.parametrize(
    ("table", "steps", "value", "words"),
    [
        (RULE, ("settings",), [], "settings: [] is not an object"),
        (RULE, ("settings",), {"x": 1}, "settings: x: there is no such key"),
        ("scoring.regulation", ("settings",), [], "settings: [] is not an object"),
        (EVENING, ("date",), "9999-12-31", "date: 9999-12-31 is not between 1900-01-01 and"),
        (EVENING, ("tie_breaks",), ["coin"], "tie_breaks: 0: 'coin' is not one of"),
        (EVENING, ("name",), "a\x00b", "name: has characters that cannot be stored"),
        (EVENING, ("prizes",), DEEP, "prizes: [["),
        (ENTRY, ("written", "declarer"), "X", "written: declarer: 'X' cannot be read"),
        (PEOPLE, ("email",), "nobody", "email: 'nobody': Enter a valid email address."),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_in_words(
    archive: Path, table: str, steps: Steps, value: Json, words: str
) -> None:
    """Some of these were a page that nobody could open, others a traceback."""
    place = next(place for name, place, known in ways(archive) if (name, known) == (table, steps))
    refusal = try_it(forged(archive, Forgery(table, place, steps, value)))
    assert refusal.startswith(f"Nothing has been changed.\n{table}, row {place + 1}: {words}")


@pytest.mark.once
def test_all_faults_are_named_at_once(archive: Path) -> None:
    wrong = forged(
        archive,
        Forgery("clubs.member", 0, ("kind",), "x"),
        Forgery("clubs.member", 2, ("phone",), 7),
        Forgery(RULE, 0, ("settings",), None),
    )
    assert try_it(wrong).splitlines()[1:] == [
        "clubs.member, row 1: kind: 'x' is none of guest, member",
        "clubs.member, row 3: phone: 7 is not text",
        f"{RULE}, row 1: settings: None is not an object",
    ]
    many = with_rows(archive, "scoring.deal", b'"number": ', b'"number": -')
    many = with_rows(many, "scoring.dealentry", b'"revision": ', b'"revision": -')
    *_faults, last = faults_named = try_it(many).splitlines()[1:]
    assert (len(faults_named), last) == (21, "Perhaps there are more.")


@pytest.mark.once
@pytest.mark.each_case
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("changed", [["clubs.user", 1, {"password": "new"}, {"is_active": True}]]),
        ("changed", [["tournaments.registration", 1, {"member_id": 1}, {"pair": 1}]]),
        ("dropped", [["clubs.role", {"user_id": 1, "club_id": 1, "kind": "organiser"}]]),
        ("moved", {"clubs.role.user": [1]}),
    ],
)
def test_a_merge_that_is_undone_writes_nowhere_else(
    archive: Path, column: str, value: Json
) -> None:
    """The first would have set the password of a login that is here."""
    wrong = forged(archive, Forgery("clubs.membermerge", 0, ("handed_over", column), value))
    refusal = try_it(wrong)
    assert refusal.startswith("Nothing has been changed.\nclubs.membermerge, row 1: handed_over:")


@pytest.mark.once
def test_what_makes_no_sense_beside_other_rows(archive: Path) -> None:
    """Found by the soak: the data of somebody at that table could not be shown, and `verify` ended
    in the middle."""
    sheet = Forgery("scoring.scoresheet", 0, ("three_handed",), True)
    words = "scoring.scoresheet: its deals are of more people, or of fewer."
    assert try_it(forged(archive, sheet), walked=False) == f"Nothing has been changed.\n{words}"
    events = rows_of(archive)["clubs.auditevent"]
    place = next(at for at, row in enumerate(events) if "people" in row["fields"]["data"])
    people = forged(archive, Forgery("clubs.auditevent", place, ("data", "people"), []))
    said = StringIO()
    with pytest.raises(CommandError):
        call_command("import_club", people, stderr=said)
    assert "evenings: what the trail has cannot be followed (AttributeError(" in said.getvalue()


@pytest.mark.once
@pytest.mark.full
def test_every_value_is_taken_or_refused_in_words(archive: Path) -> None:
    rows, refused = rows_of(archive), 0
    for name, place, steps in ways(archive):
        for value in NASTY:
            fault = column_fault(Forgery(name, place, steps, value), rows[name][place])
            assert not fault or fault.startswith(f"{name}, row 1: {steps[0]}: "), fault
            refused += bool(fault)
    assert refused > 10_000


@pytest.mark.once
@pytest.mark.full
def test_some_values_are_refused_or_can_be_shown(archive: Path) -> None:
    assert try_it(archive) == ""
    forgeries = one_in_each_place(random.Random(15).sample(taken_by_columns(archive), 40))
    require_shown(archive, read_together(archive, forgeries))


@pytest.mark.soak
@pytest.mark.once
def test_every_value_is_refused_or_can_be_shown(archive: Path) -> None:
    """Those that no column refuses: in each place one of each class."""
    waiting = taken_by_columns(archive)
    while waiting:
        chosen = one_in_each_place(waiting)
        read = read_together(archive, chosen)
        require_shown(archive, read)
        done = list(read)
        for forgery in chosen:
            if forgery not in read and (words := try_it(forged(archive, forgery), walked=False)):
                assert words.startswith("Nothing has been changed."), (forgery, words)
                done.append(forgery)
        assert done, chosen
        waiting = [forgery for forgery in waiting if forgery not in done]


def filled(path: Path, archive: Path, rows: Iterator[bytes]) -> Path:
    """The archive with these as its members, without a word in the manifest."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != "clubs.member.jsonl":
                new.writestr(name, old.read(name))
        with new.open("clubs.member.jsonl", "w", force_zip64=True) as file:
            for row in rows:
                file.write(row)
    return path


@pytest.mark.once
@pytest.mark.full
def test_what_unpacks_to_far_more_is_refused_unread(archive: Path, tmp_path: Path) -> None:
    """Three hundred megabytes in three hundred kilobytes; gigabytes are no other."""
    line = contents(archive)["clubs.member.jsonl"].splitlines()[0].encode() + b"\n"
    bomb = filled(tmp_path / "bomb", archive, repeat(line * 2000, 300_000_000 // len(line) // 2000))
    assert bomb.stat().st_size < 2_000_000
    assert "far more than Klaverclub ever packs" in try_it(bomb)


@pytest.mark.full
@pytest.mark.once
def test_rows_that_the_manifest_does_not_tell_of_are_not_read(
    archive: Path, tmp_path: Path
) -> None:
    """Nor is memory filled with long ones: what has been read is written after 16 MB."""
    first = json.loads(contents(archive)["clubs.member.jsonl"].splitlines()[0])
    first["fields"]["name"] = "x" * 1_000_000
    line = json.dumps(first).encode() + b"\n"
    bomb = filled(tmp_path / "bomb", archive, repeat(line, 31))
    tracemalloc.start()
    assert "the rows do not match the manifest" in try_it(bomb)
    assert tracemalloc.get_traced_memory()[1] < 100_000_000
    tracemalloc.stop()


@pytest.mark.once
@pytest.mark.parametrize(
    "forged",
    # A few kilobytes that unpack to 13,300 by 13,300 pixels.
    [lambda: png("1", 13_300), lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n", lambda: b"\x00"],
)
def test_a_logo_that_no_upload_could_be_is_refused(
    tmp_path: Path, forged: Callable[[], bytes]
) -> None:
    """Four requests for the picture of such a club took one server 5 GB."""
    with migrated(sqlite_file(tmp_path / "other.sqlite3")):
        club = ClubFactory.create()
        logo_choose(club=club, content=png("RGB", 8), actor=TESTS)
        logo = b64encode(bytes(ClubLogo.objects.get().png))
        archive = exported(club, tmp_path / "archive")
    spoiled = with_rows(archive, "clubs.clublogo", logo, b64encode(forged()))
    with pytest.raises(CommandError, match=r"clubs\.clublogo: this is no picture"):
        said("import_club", spoiled)
    assert not Club.objects.exists()
