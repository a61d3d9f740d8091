"""The file of a club that an older version of the program wrote."""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Final

import pytest
from django.core.management import CommandError
from django.test import Client

from clubs.archives.rows import models_at
from clubs.audit.guards import triggers_install
from clubs.audit.services import event_hash, seal_anew
from clubs.models import AuditEvent, Club, Member
from scoring.audit.verify import faults
from tests.archives import contents, manifest_of, manifest_with
from tests.other_databases import migrated, sqlite_file
from tests.tampering import triggers_lift
from tests.tournaments.copies import sent, settled
from tests.tournaments.public_pages import words
from tests.tournaments.transfer.whole_clubs import (
    club_with_everything,
    exported,
    said,
    standings,
)
from tournaments.models import Evening, Release
from tournaments.releases.services import release_record
from tournaments.standings.queries import release_figures
from tournaments.transfer.out import PEOPLE

OLDER: Final = dict.fromkeys(("clubs", "scoring", "tournaments"), "0001_initial")
"""Before addresses, photos, kinds of evening and practice."""


def older_club() -> Club:
    """A club with everything, which published as an older version did: people only, so that its
    trail has the figures and names of those."""
    club = club_with_everything()
    triggers_lift()
    published = {}
    for release in Release.objects.filter(evening__club=club).select_related("evening"):
        release.competitors = release.folders = None
        release.salts = release.salts[: len(release.lists)]
        release.save()
        published[f"evening:{release.evening.uuid}", release.number] = release
    previous = ""
    for event in AuditEvent.objects.filter(chain=club.chain_name).order_by("number"):
        if event.action == "published":
            release = published[event.object_ref, event.data["release"]]
            figures = release_figures(*release.figured)
            event.data |= {"figures": figures, **release_record(release)}
        event.previous = previous
        event.hash = previous = event_hash(event)
        event.save()
    Club.objects.filter(pk=club.pk).update(chain_head=previous)
    triggers_install()
    club.refresh_from_db()
    seal_anew([club])
    assert list(faults()) == []
    return club


def as_of(archive: Path, migrations: dict[str, str], *, with_columns: bool = False) -> Path:
    """The archive as a version at these migrations wrote it: without later tables and columns; or
    `with_columns` that such a version does not know."""
    tables = models_at(migrations)
    manifest = manifest_of(archive) | {"migrations": migrations, "parts": {}}
    older = archive.with_suffix(".older")
    with zipfile.ZipFile(older, "w") as new:
        for name, rows in contents(archive).items():
            table = name.removesuffix(".jsonl")
            if table not in tables:
                continue
            known = {field.name for field in tables[table]._meta.concrete_fields}
            lines = [json.loads(line) for line in rows.splitlines()]
            for line in lines:
                fields = line["fields"].items()
                line["fields"] = {k: v for k, v in fields if k in known or with_columns}
            content = "".join(
                json.dumps(line, separators=(",", ": "), ensure_ascii=False) + "\n"
                for line in lines
            ).encode()
            digest = hashlib.sha256(content).hexdigest()
            manifest["parts"][table] = {"rows": len(lines), "sha256": digest}
            new.writestr(name, content)
        new.writestr("manifest.json", json.dumps(manifest))
    return older


@pytest.mark.full
@pytest.mark.django_db
def test_it_is_read_and_comes_to_the_same(tmp_path: Path) -> None:
    club = older_club()
    then, archive = standings(club), exported(club, tmp_path / "archive")
    older = as_of(archive, OLDER)
    assert "tournaments.eveningkind" not in manifest_of(older)["parts"]
    with migrated(sqlite_file(tmp_path / "other.sqlite3")):
        assert said("import_club", older)[0] == "Club roodhart is here, as 'roodhart'."
        moved = Club.objects.get()
        assert (standings(moved), list(faults())) == (then, [])
        again = contents(exported(moved, tmp_path / "again"))
    same = {"clubs.auditevent.jsonl", "scoring.dealentry.jsonl", "tournaments.placement.jsonl"}
    assert {name: again[name] for name in same} == {
        name: rows for name, rows in contents(archive).items() if name in same
    }


@pytest.mark.full
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("migrations", "message"),
    [
        ({**OLDER, "tournaments": "9999_later"}, r"A newer version of Klaverclub made it"),
        (OLDER, "these are no fields of this version"),
        ({}, "there is no such table in this version"),
        ([], "does not tell which version made it"),
    ],
)
def test_what_only_says_that_it_is_older_is_refused(
    migrations: object, message: str, tmp_path: Path
) -> None:
    archive = exported(club_with_everything(), tmp_path / "archive")
    written = as_of(archive, OLDER, with_columns=migrations == OLDER)
    forged = manifest_with(written, migrations=migrations)
    with migrated(sqlite_file(tmp_path / "other.sqlite3")):
        with pytest.raises(CommandError, match=message):
            said("import_club", forged)
        assert not Club.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.both
@pytest.mark.full
def test_it_is_put_back_on_the_page(tmp_path: Path) -> None:
    club = older_club()
    members, evenings = club.members.count(), club.evenings.count()
    older = as_of(exported(club, tmp_path / "archive"), OLDER)
    Member.objects.filter(club=club).update(phone="0612345678")
    client = Client()
    client.force_login(club.roles.get(kind="organiser").user)
    address = sent(client, f"/clubs/{club.slug}/desk/copies/send/", older.read_bytes())
    assert "Deze kopie is in orde" in words(settled(client, address))
    client.post(address, {"name": club.name})
    assert "De kopie is teruggezet" in words(settled(client, address))
    club = Club.objects.get()
    assert (club.members.count(), Evening.objects.filter(club=club).count()) == (members, evenings)
    assert not club.members.filter(phone="0612345678").exists()
    assert list(faults()) == []
    people = contents(exported(club, tmp_path / "again"))[f"{PEOPLE}.jsonl"]
    assert people == contents(older)[f"{PEOPLE}.jsonl"]
