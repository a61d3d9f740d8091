"""`manage.py export_club` and `import_club`: a club goes to another server, whole."""

import datetime as dt
import io
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import pytest
from django.apps import apps
from django.core.management import CommandError
from django.db import connection, connections, transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubs.archives.container import archive_open
from clubs.archives.whole import working_on
from clubs.http.network import lan_urls
from clubs.merges.services import guest_merge, merge_undo
from clubs.models import Club, Member, MemberMerge, User
from clubs.profile.services import address_choose
from clubs.text.errors import DomainError
from scoring.audit.verify import faults
from scoring.disputes.services import deal_confirm
from scoring.models import DealEntry, Scoresheet, Seat
from tests.archives import contents, manifest_of, manifest_with, with_rows
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    evening_with_draw,
    organiser_of,
    table,
    write_deal,
)
from tests.other_databases import Settings, empty_database, migrated, sqlite_file
from tests.scoring.disputes.test_submissions import HUNDRED
from tests.scoring.sheets import write
from tests.tournaments.transfer.whole_clubs import (
    club_with_everything,
    demo_with_everything,
    exported,
    said,
    standings,
)
from tournaments.closing.services import evening_close
from tournaments.imports.results import results_import
from tournaments.models import (
    CoupleRule,
    Cup,
    CupWin,
    Evening,
    PastResult,
)
from tournaments.registration.pairs import couple_rule_add
from tournaments.releases.services import release_publish
from tournaments.rounds.services import round_close
from tournaments.table_links.services import table_links
from tournaments.transfer.into import club_read
from tournaments.transfer.out import KIND, LEFT_BEHIND, OF_A_CLUB, PEOPLE, club_write

pytestmark = pytest.mark.django_db

WHO = st.integers(0, 4)


def test_each_table_goes_along_or_is_said_to_stay() -> None:
    ours = [apps.get_app_config(app) for app in ("clubs", "scoring", "tournaments")]
    tables = {model._meta.label_lower for app in ours for model in app.get_models()}

    assert OF_A_CLUB.keys() | LEFT_BEHIND.keys() == tables
    assert OF_A_CLUB.keys() & LEFT_BEHIND.keys() == set()


@pytest.mark.each_case
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(club_with_everything, marks=pytest.mark.both),
        # What could fail here alone is how much there is of everything.
        pytest.param(demo_with_everything, marks=pytest.mark.full),
    ],
)
def test_a_club_is_the_same_on_a_server_that_has_others(
    make: Callable[[], Club], tmp_path: Path, elsewhere: Settings
) -> None:
    """By way of a laptop where the test runs on PostgreSQL, so from either kind into the other."""
    club = make()
    organiser = club.roles.filter(kind="organiser")[0].user.email
    first, before = exported(club, tmp_path / "first"), standings(club)
    files, last = contents(first), first
    assert [name for name, rows in files.items() if not rows] == []
    if connection.vendor != "sqlite":
        with migrated(sqlite_file(tmp_path / "laptop.sqlite3")):
            _others()
            said("import_club", first)
            last = exported(Club.objects.get(slug=club.slug), tmp_path / "laptop")
            assert contents(last) == files
    with working_on(elsewhere):
        User.objects.create_user(organiser.capitalize(), "geheim")
        message = said("import_club", last, slug="elders")
        assert message[0] == f"{club.name} is here, as 'elders'."
        moved = Club.objects.get(slug="elders")
        assert list(faults()) == []
        assert standings(moved) == before
        again = contents(exported(moved, tmp_path / "again"))

    # The organiser had a login there, with another UUID: the trail says so.
    changed = {"clubs.auditevent.jsonl", "clubs.audittext.jsonl", "clubs.club.jsonl"}
    changed |= {f"{PEOPLE}.jsonl"}
    assert {name for name, rows in again.items() if rows != files[name]} == changed


def _others(slug: str = "ander") -> None:
    """Another club with members and an evening, so that no id is free that the first one had."""
    club = ClubFactory.create(slug=slug, name="Een Andere Club")
    evening_with_draw(players=8, rounds=1, club=club)


@pytest.mark.once
class AnyClub(TestCase):
    """Whatever a club has been through: out, in and out again it is the same."""

    folder: ClassVar[Path]
    server: ClassVar[Settings]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.folder = Path(cls.enterClassContext(TemporaryDirectory()))
        cls.server = sqlite_file(cls.folder / "server.sqlite3")
        with migrated(cls.server):
            _others()

    @settings(max_examples=max(2, settings().max_examples // 10))
    @given(
        results=st.lists(st.tuples(WHO, st.integers(1, 9000)), min_size=1, max_size=12),
        merges=st.lists(st.tuples(WHO, WHO, st.booleans()), max_size=4),
        couples=st.lists(st.tuples(WHO, WHO, st.sampled_from(list(CoupleRule.Kind))), max_size=4),
        wins=st.lists(WHO, max_size=3),
    )
    def test_is_the_same_elsewhere(
        self,
        results: Sequence[tuple[int, int]],
        merges: Sequence[tuple[int, int, bool]],
        couples: Sequence[tuple[int, int, CoupleRule.Kind]],
        wins: Sequence[int],
    ) -> None:
        club = ClubFactory.create(slug="club", name="Club")
        people = [MemberFactory.create(club=club, kind="guest", name=f"Wie {n}") for n in range(5)]
        for day, (who, score) in enumerate(results, start=1):
            evening = club.evenings.create(
                date=dt.date(2025, 1, 1 + day // 3), sequence=day % 3 + 1, is_history=True
            )
            PastResult.objects.create(evening=evening, member=people[who], score=score)
            Evening.objects.filter(pk=evening.pk).update(state="closed")
            release_publish(evening=evening, actor=TESTS)
        cup = Cup.objects.create(club=club, name="Beker")
        for day, who in enumerate(wins, start=1):
            CupWin.objects.create(cup=cup, member=people[who], won_on=dt.date(2025, 2, day))
        for one, other, kind in couples:
            with suppress(DomainError):
                couple_rule_add(
                    club=club, one=people[one], two=people[other], kind=kind, actor=TESTS
                )
        for one, other, undo in merges:
            with suppress(DomainError):
                merge = guest_merge(guest=people[one], member=people[other], actor=TESTS)
                if undo:
                    merge_undo(merge=merge, actor=TESTS)

        first, second = self.folder / "first", self.folder / "second"
        with first.open("wb") as file:
            club_write(club, file)
        with working_on(self.server), transaction.atomic():
            with archive_open(first, kind=KIND) as archive:
                moved = club_read(archive)
            with second.open("wb") as file:
                club_write(moved, file)
            transaction.set_rollback(True)
        assert contents(first) == contents(second)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Settings]:
    """A database with another club, of the kind that the test runs on."""
    with empty_database(tmp_path) as settings:
        with migrated(settings):
            _others()
        yield settings


@pytest.mark.full
def test_what_happened_before_goes_on_after(tmp_path: Path, elsewhere: Settings) -> None:
    """A guest is a member and then two people again, links work anew, results are corrected."""
    club = ClubFactory.create(slug="club", name="Club")
    address_choose(club=club, address="http://192.0.2.9:8000", actor=TESTS)
    evening = evening_with_draw(players=4, rounds=1, club=club, method="typed_in")
    write_deal(table(evening), 1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="late")
    evening_close(evening_id=evening.pk, actor=TESTS)
    guest = club.members.get(number=1)
    Member.objects.filter(pk=guest.pk).update(kind="guest")
    member = MemberFactory.create(club=club, number=90, name="Jo Gastman")
    guest_merge(guest=guest, member=member, actor=TESTS)
    running = evening_with_draw(players=4, rounds=1, club=club, date="2026-12-05")
    organiser = organiser_of(club)
    secret = table_links(running)[0].url
    archive = exported(club, tmp_path / "archive")

    with working_on(elsewhere):
        message = said("import_club", archive)
        assert message[:2] == [
            "Club is here, as 'club'.",
            f"{organiser.email} sets a password here (the link works once):",
        ]
        club = Club.objects.get(slug="club")
        assert (club.address, message[2].startswith(f"{lan_urls()[0]}/password/set/")) == ("", True)
        first, running = Evening.objects.filter(club=club).order_by("date")
        links = table_links(running)
        assert len(links) == 1
        assert links[0].url.rpartition("/t/")[2] != secret.rpartition("/t/")[2]
        write(Scoresheet.objects.get(table__round__evening=running), 1)
        people = set(Member.objects.values_list("pk", flat=True))
        back = merge_undo(merge=MemberMerge.objects.get(club=club), actor=TESTS)
        assert back.pk not in people
        assert back.name == guest.name
        assert Seat.objects.get(sheet__table__round__evening=first, seat="N").member == back
        assert release_publish(evening=first, actor=TESTS).changes == []
        assert list(faults()) == []


@pytest.mark.once
@pytest.mark.full
def test_lots_fall_as_they_fell(tmp_path: Path, elsewhere: Settings) -> None:
    club = ClubFactory.create(slug="club", name="Club")
    rows = [f"2026-0{month}-01,Speler {n},1000" for month in range(1, 7) for n in range(6)]
    source = io.BytesIO("\n".join(["evening,player,score", *rows]).encode())
    results_import(club=club, season_name="Seizoen", source=source, actor=TESTS)
    rule = {"tie_breaks": ["lot"]}
    club.seasons.get().rules.create(name="Klassement", settings=rule)
    Evening.objects.update(tie=Evening.Tie.TIE_BREAKS, tie_breaks=["lot"])
    before = standings(club)
    assert [line.split(",")[0] for line in before[0]] == ["rank", *"123456"]
    archive = exported(club, tmp_path / "archive")

    with working_on(elsewhere):
        said("import_club", archive)
        assert standings(Club.objects.get(slug="club")) == before


@pytest.mark.once
def test_of_what_does_not_verify_nothing_is_there(tmp_path: Path, elsewhere: Settings) -> None:
    club = ClubFactory.create(slug="club", name="Club")
    evening_with_draw(players=4, rounds=1, club=club)
    Seat.objects.filter(seat="N").update(score=1)
    archive = exported(club, tmp_path / "archive")

    with working_on(elsewhere):
        before = _counts()
        with pytest.raises(CommandError, match="finds 1 differences"):
            said("import_club", archive)
        assert _counts() == before
        said("import_club", archive, despite_differences=True)
        assert len(list(faults())) == 1


@pytest.mark.full
@pytest.mark.once
def test_nothing_of_another_club_comes_along(tmp_path: Path, elsewhere: Settings) -> None:
    """Files that somebody made up: with entries and trails of the club that is there."""
    club = ClubFactory.create(slug="club", name="Club")
    evening = evening_with_draw(players=4, rounds=1, club=club)
    sheet = table(evening).sheet
    entry = write(sheet, 1)
    deal_confirm(sheet_id=sheet.pk, number=1, entry_uuid=entry.pk, side="EW", actor=TESTS)
    archive = exported(club, tmp_path / "archive")

    with working_on(elsewhere):
        other, blank = Scoresheet.objects.order_by("pk")
        assert blank.chain_length == 0
        theirs = write(other, 1).pk
        write(other, 1, 1, written=HUNDRED, reason="misread")
        before = _counts()
        for name, own, foreign, message in (
            ("scoring.deal", entry.pk, theirs, "points at an entry of another deal"),
            ("scoring.dealconfirmation", entry.pk, theirs, "points at an entry of another deal"),
            ("clubs.auditevent", club.uuid, other.club.uuid, "database refuses a row"),
            ("clubs.auditevent", sheet.uuid, blank.uuid, "trail of another club"),
        ):
            forged = with_rows(archive, name, str(own).encode(), str(foreign).encode())
            with pytest.raises(CommandError, match=message):
                said("import_club", forged)
            assert _counts() == before
        assert list(faults()) == []


def _counts() -> dict[str, int]:
    return {
        name: apps.get_model(name)._default_manager.count() for name in [*OF_A_CLUB, *LEFT_BEHIND]
    }


def other_club(path: Path) -> Path:
    """The archive as that of a club that is not here yet."""
    here, other = manifest_of(path)["club"]["uuid"], str(uuid.uuid4())
    path = with_rows(path, "clubs.club", here.encode(), other.encode())
    return manifest_with(path, club={"uuid": other, "slug": "nieuw", "name": "Nieuw"})


@pytest.mark.once
@pytest.mark.parametrize(
    ("spoil", "slug", "message"),
    [
        (lambda path: path, "", "This club is here already, as 'vrolijke-boer'"),
        (other_club, "vrolijke-boer", "There is another club 'vrolijke-boer': .* --as"),
        (other_club, "Geen Naam", "'Geen Naam' is not a web name"),
        (other_club, "", "clubs.member: the database refuses a row"),
        (lambda path: manifest_with(path, klaverclub="backup"), "", "is not a club of Klaverclub"),
        (lambda path: manifest_with(path, club=[]), "", "does not tell whose it is"),
        (lambda path: manifest_with(path, club={"uuid": "x"}), "", "does not tell whose it is"),
        (
            lambda path: manifest_with(path, migrations={"clubs": "9999_later"}),
            "",
            r"A newer version of Klaverclub made it \(clubs 9999_later\)",
        ),
        (lambda path: manifest_with(path, parts={}), "", "too little in it, or too much: clubs."),
        (lambda path: manifest_with(other_club(path), gone=["1"]), "", "tell who is gone"),
        (
            lambda path: with_rows(other_club(path), PEOPLE, b"@example.org", b""),
            "",
            "clubs.user, row 1: email: '[a-z]+[0-9]*': Enter a valid email address",
        ),
        (
            lambda path: with_rows(other_club(path), "clubs.member", b'"club": 1', b'"club": 7'),
            "",
            "clubs.member.club: 7 is nobody and nothing of this club",
        ),
        (
            lambda path: with_rows(other_club(path), "clubs.member", b"Jan", b"J" * 200),
            "",
            "clubs.member, row 1: name: 'J.* is longer than 100",
        ),
        (
            lambda path: with_rows(other_club(path), "clubs.member", b'"pk": 1,', b'"pk": [1],'),
            "",
            r"clubs.member: \[1\] is no number of a row",
        ),
    ],
)
def test_a_file_that_cannot_be_used_changes_nothing(
    spoil: Callable[[Path], Path], slug: str, message: str, tmp_path: Path
) -> None:
    club = evening_with_draw(players=4, rounds=1).club
    organiser_of(club)
    spoiled = spoil(exported(club, tmp_path / "archive"))
    before = _counts()
    with pytest.raises(CommandError, match=message), transaction.atomic():
        said("import_club", spoiled, slug=slug)

    assert _counts() == before


def test_only_a_club_that_is_there_is_exported(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no club 'nergens'"):
        said("export_club", "nergens", tmp_path / "archive")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.full
def test_an_export_while_tables_write_is_of_one_moment(tmp_path: Path) -> None:
    club = evening_with_draw(players=16, rounds=1).club
    writers = [
        threading.Thread(target=_write_all, args=[sheet]) for sheet in Scoresheet.objects.all()
    ]
    for writer in writers:
        writer.start()
    archives: list[Path] = []
    while any(writer.is_alive() for writer in writers):
        archives.append(exported(club, tmp_path / f"{len(archives)}"))
    for writer in writers:
        writer.join()

    assert DealEntry.objects.count() == 4 * 8
    with migrated(sqlite_file(tmp_path / "other.sqlite3")):
        said("import_club", archives[len(archives) // 2])


def _write_all(sheet: Scoresheet) -> None:
    try:
        for number in range(1, 9):
            write(sheet, number, 0)
    finally:
        connections.close_all()
