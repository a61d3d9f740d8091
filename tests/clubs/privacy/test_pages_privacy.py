"""The pages on which what is kept about somebody is handed over, or erased."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import AuditEvent, Club, Member, Upload
from clubs.privacy.dossier import dossier_take
from clubs.privacy.erasing import member_erase
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, organiser_of
from tests.tournaments.public_pages import words
from tournaments.registration.check_in import presence_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(client: Client) -> Club:
    """A club whose organiser has logged in."""
    club: Club = ClubFactory.create()
    client.force_login(organiser_of(club))
    return club


@pytest.fixture
def jan(club: Club) -> Member:
    jan: Member = MemberFactory.create(club=club, name="Jan Łuczak", number=7, phone="0612345678")
    return jan


def url(name: str, member: Member) -> str:
    return reverse(name, args=[member.club.slug, member.pk])


def post(client: Client, member: Member, typed: str) -> Any:
    return client.post(url("member_erase", member), {"typed_name": typed}, follow=True)


def packed(client: Client, member: Member) -> zipfile.ZipFile:
    response: Any = client.post(url("member_data", member))
    assert response.headers["Content-Type"] == "application/zip"
    assert response.headers["Cache-Control"] == "no-store"
    return zipfile.ZipFile(io.BytesIO(response.content))


class TestHandOver:
    @pytest.mark.full
    def test_the_page_shows_it(self, client: Client, jan: Member) -> None:
        page = words(client.get(url("member_data", jan)))
        assert "Wat er over Jan Łuczak bewaard wordt" in page
        assert "Telefoon 0612345678" in page
        assert "Vaste tafel nee" in page

    @pytest.mark.full
    def test_the_file_has_a_page_and_the_same_for_a_program(
        self, client: Client, jan: Member
    ) -> None:
        archive = packed(client, jan)
        read, program = archive.namelist()
        assert (read, program) == ("gegevens-van-jan-łuczak.html", "gegevens-van-jan-łuczak.json")
        assert "0612345678" in archive.read(read).decode()
        message = json.loads(archive.read(program))
        assert message["club"] == "De Vrolijke Boer"
        (details,) = message["kept"]["details"]
        assert (details["name"], details["number"], details["phone"]) == (
            "Jan Łuczak",
            7,
            "0612345678",
        )
        assert [line["what"] for line in message["kept"]["trail"]] == [
            "Jan Łuczak is op de lijst gezet",
            "Alles wat over Jan Łuczak bewaard wordt, is opgehaald om te overhandigen",
        ]

    @pytest.mark.full
    def test_that_it_was_taken_out_is_in_the_trail(self, client: Client, jan: Member) -> None:
        client.get(url("member_data", jan))
        assert not AuditEvent.objects.filter(action="member_data_taken").exists()
        packed(client, jan)
        assert AuditEvent.objects.filter(action="member_data_taken").count() == 1

    @pytest.mark.full
    def test_long_lists_are_cut_on_the_page_and_whole_in_the_file(
        self, client: Client, jan: Member
    ) -> None:
        for _time in range(30):
            dossier_take(member=jan, actor=TESTS)
        assert "En nog 6 regels in het bestand." in words(client.get(url("member_data", jan)))
        archive = packed(client, jan)
        message = json.loads(archive.read(archive.namelist()[1]))
        assert len(message["kept"]["trail"]) == 32


class TestErase:
    @pytest.mark.full
    def test_the_page_says_what_goes_and_what_stays(self, client: Client, jan: Member) -> None:
        page = words(client.get(url("member_erase", jan)))
        assert "Alles over Jan Łuczak wissen?" in page
        assert "Dit kan niet ongedaan worden gemaakt" in page
        assert "‘Oud-lid 3’" in page

    @pytest.mark.parametrize("typed", ["", "Jan", "ja"])
    def test_another_name_erases_nobody(self, client: Client, jan: Member, typed: str) -> None:
        response = post(client, jan, typed)
        assert response.status_code == 422
        assert Member.objects.get().erased_at is None

    def test_the_name_typed_erases(self, client: Client, jan: Member) -> None:
        page = words(post(client, jan, " jan  łuczak "))
        assert "De gegevens van Jan Łuczak zijn gewist." in page
        assert Member.objects.get().name == "Oud-lid 1"

    def test_afterwards_there_is_a_page_that_says_so(self, client: Client, jan: Member) -> None:
        member_erase(member=jan, actor=TESTS)
        page = words(client.get(url("member_edit", jan)))
        assert "Oud-lid 1" in page
        assert "De gegevens van deze persoon zijn gewist op" in page
        for name in ("member_erase", "member_activate"):
            assert client.get(url(name, jan)).status_code == 404

    @pytest.mark.full
    def test_why_not_yet(self, client: Client, jan: Member) -> None:
        evening = EveningFactory.create(club=jan.club)
        presence_set(evening_id=evening.pk, member=jan, present=True, actor=TESTS)
        page = words(client.get(url("member_erase", jan)))
        assert "Dat kan nog niet:" in page
        assert "de avond van 21 november 2026" in page
        assert "Typ de naam" not in page
        assert post(client, jan, "Jan Łuczak").status_code == 422

    @pytest.mark.full
    def test_a_file_that_waits_for_a_yes_goes_too(self, jan: Member) -> None:
        Upload.objects.create(club=jan.club, kind="members", name="x.csv", content=b"Jan")
        done = Upload.objects.create(
            club=jan.club, kind="results", name="Jan Łuczak 2025.csv", done_at=timezone.now()
        )
        member_erase(member=jan, actor=TESTS)
        assert [(upload.pk, upload.name) for upload in Upload.objects.all()] == [(done.pk, "")]


@pytest.mark.full
@pytest.mark.parametrize("name", ["member_data", "member_erase"])
def test_only_organisers_and_only_of_their_own_club(client: Client, jan: Member, name: str) -> None:
    other = MemberFactory.create(club=ClubFactory.create(slug="elders", name="Elders"))
    assert client.get(url(name, other)).status_code == 403
    assert client.get(f"/clubs/vrolijke-boer/desk/members/{other.pk}/data/").status_code == 404
    assert Client().get(url(name, jan)).status_code == 302
