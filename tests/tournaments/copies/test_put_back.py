"""A club is downloaded, and put back on the page, while the server runs."""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client, override_settings

from clubs.audit.services import seal_anew
from clubs.models import AuditEvent, Club, Member, Role
from clubs.profile.services import club_create, role_grant, role_revoke
from scoring.audit.verify import carriers_of, faults
from scoring.models import DealEntry
from tests.archives import contents, manifest_of, manifest_with, with_files, with_rows
from tests.factories import TESTS, ClubFactory, MemberFactory
from tests.flushing import rows_delete
from tests.tournaments.copies import downloaded, sent, settled
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import words
from tests.tournaments.transfer.whole_clubs import club_with_everything, standings
from tournaments.models import Copy, Evening

pytestmark = pytest.mark.django_db(transaction=True)


def desk(club: Club) -> str:
    return f"/clubs/{club.slug}/desk/copies/"


def counts(club: Club) -> Mapping[str, int]:
    return {
        "members": Member.objects.filter(club=club).count(),
        "evenings": Evening.objects.filter(club=club).count(),
        "events": AuditEvent.objects.filter(club=club).count(),
        "entries": DealEntry.objects.filter(deal__sheet__club=club).count(),
    }


@pytest.mark.both
def test_what_was_written_since_is_gone_and_all_else_is_as_it_was() -> None:
    club = club_with_everything()
    other = ClubFactory.create(slug="andere", name="Een andere club")
    MemberFactory.create(club=other)
    client = _logged_in(club.roles.get(kind="organiser"))
    then, before = standings(club), counts(club)
    file = downloaded(client, club.slug)
    mistake = MemberFactory.create(club=club, name="Verkeerd Persoon")
    Member.objects.filter(club=club, number=1).update(phone="0612345678")

    address = sent(client, f"{desk(club)}send/", file)
    page = settled(client, address)
    assert "Deze kopie is in orde" in words(page)
    assert "Verkeerd Persoon" not in words(page)
    assert Member.objects.filter(pk=mistake.pk).exists()
    wrong = client.post(address, {"name": "Een andere club"})
    assert wrong.status_code == 422
    assert "Dat is niet de naam van de club." in words(wrong)

    assert client.post(address, {"name": f" {club.name.upper()} "}).status_code == 302
    assert "De kopie is teruggezet" in words(settled(client, address))
    club = Club.objects.get(slug=club.slug)
    assert counts(club) == {**before, "events": before["events"] + 1}
    assert standings(club) == then
    assert not Member.objects.filter(club=club, phone="0612345678").exists()
    assert list(faults()) == []
    assert Member.objects.filter(club=other).count() == 1

    kept = Copy.objects.get(kind="before")
    again = f"{desk(club)}{kept.uuid}/"
    client.post(again, {"name": club.name})
    assert "De kopie is teruggezet" in words(settled(client, again))
    assert Member.objects.filter(name="Verkeerd Persoon").count() == 1
    assert list(faults()) == []


@pytest.mark.both
def test_a_file_that_is_broken_changes_nothing() -> None:
    club = club_with_everything()
    client = _logged_in(club.roles.get(kind="organiser"))
    file = downloaded(client, club.slug)
    before = counts(club)
    for broken, said in (
        (
            file[: len(file) // 2],
            "foto.club is geen clubbestand van Klaverclub, of het is beschadigd.",
        ),
        (
            b"\x89PNG" + bytes(500),
            "foto.club is geen clubbestand van Klaverclub, of het is beschadigd.",
        ),
    ):
        address = sent(client, f"{desk(club)}send/", broken, "foto.club")
        page = settled(client, address)
        assert said in words(page)
        assert "Er is niets veranderd." in words(page)
        client.post(address, {"name": club.name})
        assert Copy.objects.filter(kind="before").count() == 0
    assert counts(Club.objects.get(pk=club.pk)) == before
    assert list(faults()) == []


@pytest.mark.both
@pytest.mark.full
def test_each_kind_of_wrong_file_is_refused_in_dutch(tmp_path: Path) -> None:
    club = club_with_everything()
    client = _logged_in(club.roles.get(kind="organiser"))
    file = tmp_path / "club"
    file.write_bytes(downloaded(client, club.slug))
    before = counts(club)
    rows = contents(file)["clubs.member.jsonl"].encode()
    spoiled = rows.replace(b'"kind": "member"', b'"kind": "emperor"')
    bomb = tmp_path / "bomb"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("clubs.member.jsonl", bytes(40_000_000))
        packed.writestr("manifest.json", json.dumps(manifest_of(file)))
    later = {**manifest_of(file)["migrations"], "clubs": "9999_later"}
    for wrong, said in (
        (
            manifest_with(file, migrations=later),
            "Het is gemaakt met een nieuwere versie van Klaverclub",
        ),
        (bomb, "veel meer dan Klaverclub ooit inpakt"),
        (
            with_files(file, {"clubs.member.jsonl": spoiled}),
            "clubs.member: de rijen zijn niet die van de inhoudsopgave.",
        ),
        (
            with_rows(file, "clubs.member", rows, spoiled),
            "In dit bestand staan dingen die Klaverclub nooit zo opschrijft",
        ),
        (
            with_rows(file, "scoring.seat", b'"score": 0', b'"score": 7'),
            "Opnieuw uitgerekend klopt het op",
        ),
    ):
        page = settled(client, sent(client, f"{desk(club)}send/", wrong.read_bytes()))
        assert "Deze kopie is niet te gebruiken. Er is niets veranderd." in words(page)
        assert said in words(page)
    assert counts(Club.objects.get(pk=club.pk)) == before


@pytest.mark.full
def test_where_others_are_a_trail_must_be_sealed_here() -> None:
    club = club_with_everything()
    client = _logged_in(club.roles.get(kind="organiser"))
    with override_settings(SECRET_KEY="the key of somebody else"):
        seal_anew(carriers_of(club))
    file = downloaded(client, club.slug)
    assert "Deze kopie is in orde" in words(
        settled(client, sent(client, f"{desk(club)}send/", file))
    )
    ClubFactory.create(slug="andere")
    page = words(settled(client, sent(client, f"{desk(club)}send/", file)))
    assert "Deze kopie is niet te gebruiken. Er is niets veranderd." in page
    assert "no trail is sealed with this server's key" in page.replace("&#x27;", "'")


@pytest.mark.full
def test_a_copy_of_another_club_is_refused() -> None:
    club, other = ClubFactory.create(), ClubFactory.create(slug="andere", name="Een andere club")
    file = downloaded(desk_of(other), "andere")
    client = desk_of(club)
    page = settled(client, sent(client, f"{desk(club)}send/", file))
    assert "Dit is een kopie van een andere club: Een andere club." in words(page)


@pytest.mark.full
def test_a_copy_takes_the_place_of_a_club_that_was_only_begun() -> None:
    """A volunteer first makes a club on the new laptop, and only then thinks of the copy."""
    old = club_create(slug="klaver-zes", name="Klaver Zes", actor=TESTS)
    there = role_grant(club=old, email="een@example.org", kind="organiser", actor=TESTS)
    MemberFactory.create(club=old, name="Jan de Boer")
    MemberFactory.create(club=old, name="Mia Kok")
    file = downloaded(_logged_in(there), old.slug)
    rows_delete("default")
    club = club_create(slug="nieuw", name="Nieuw", actor=TESTS)
    client = _logged_in(
        role_grant(club=club, email="twee@example.org", kind="organiser", actor=TESTS)
    )
    address = sent(client, f"{desk(club)}send/", file)
    assert "Dit is een andere club: Klaver Zes." in words(settled(client, address))
    first, second = (MemberFactory.create(club=club) for _ in range(2))
    client.post(address, {"name": "Nieuw"})
    page = words(settled(client, address))
    assert "Er is niets veranderd. Dit is een kopie van een andere club: Klaver Zes." in page
    assert Member.objects.count() == 2
    first.delete()
    second.delete()

    client.post(address, {"name": "Nieuw"})
    assert "De kopie is teruggezet" in words(settled(client, address))
    assert [(club.name, club.slug) for club in Club.objects.all()] == [("Klaver Zes", "nieuw")]
    assert sorted(member.name for member in Member.objects.all()) == ["Jan de Boer", "Mia Kok"]
    organisers = Role.objects.filter(kind="organiser")
    assert sorted(role.user.email for role in organisers) == ["een@example.org", "twee@example.org"]
    assert not Copy.objects.filter(kind="before").exists()
    assert list(faults()) == []


@pytest.mark.full
def test_a_backup_of_everything_is_put_back_as_well(tmp_path: Path) -> None:
    club = club_with_everything()
    before = counts(club)
    call_command("backup", str(tmp_path / "alles.backup"), verbosity=0)
    MemberFactory.create(club=club, name="Verkeerd Persoon")
    client = _logged_in(club.roles.get(kind="organiser"))
    content = (tmp_path / "alles.backup").read_bytes()
    address = sent(client, f"{desk(club)}send/", content, "alles.backup")
    assert "Deze kopie is in orde" in words(settled(client, address))
    client.post(address, {"name": club.name})
    assert "De kopie is teruggezet" in words(settled(client, address))
    club = Club.objects.get(slug=club.slug)
    now = counts(club)
    assert {**now, "events": 0} == {**before, "events": 0}
    assert list(faults()) == []


@pytest.mark.full
def test_who_puts_it_back_goes_on_organising() -> None:
    club = club_create(slug="klaver-zes", name="Klaver Zes", actor=TESTS)
    first = role_grant(club=club, email="een@example.org", kind="organiser", actor=TESTS)
    file = downloaded(_logged_in(first), club.slug)
    later = role_grant(club=club, email="twee@example.org", kind="organiser", actor=TESTS)
    role_revoke(role=first, actor=TESTS)
    client = _logged_in(later)
    address = sent(client, f"{desk(club)}send/", file)
    settled(client, address)
    client.post(address, {"name": club.name})
    assert settled(client, address).status_code == 200
    organisers = Role.objects.filter(club__slug=club.slug, kind="organiser")
    assert sorted(role.user.email for role in organisers) == ["een@example.org", "twee@example.org"]
    assert list(faults()) == []


def _logged_in(role: Role) -> Client:
    client = Client()
    client.force_login(role.user)
    return client
