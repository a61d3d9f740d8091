"""Pictures from a phone: over a table's link, and over the address that the desk shows; and what
becomes of pictures elsewhere."""

import datetime as dt
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from PIL import Image

from clubs.models import Club
from tests.factories import ClubFactory, director_of, evening_with_draw, table, write_deal
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.public_pages import close_evening, get, words
from tests.tournaments.sheet_photos import TYPED, as_read
from tournaments.models import Evening, SheetPhoto
from tournaments.table_links.services import links_ensure, token_secret

pytestmark = pytest.mark.django_db

CAMERA = f"{EVENING}sheet-photos/camera/"


@pytest.fixture
def club() -> Club:
    club = ClubFactory.create()
    Club.objects.update(paper_sheet="reading")
    return club


@pytest.fixture
def evening(club: Club) -> Evening:
    return evening_with_draw(club=club, players=4, rounds=1, deals_per_round=4)


def send(client: Client, address: str, content: bytes) -> Any:
    picture = SimpleUploadedFile("a.jpg", content)
    return client.post(address, {"pictures": picture}, follow=True)


class TestAtTheTable:
    def address(self, evening: Evening) -> str:
        return f"/t/{token_secret(links_ensure(evening=evening)[0])}/"

    @pytest.mark.full
    def test_the_page_offers_the_camera(self, evening: Evening) -> None:
        client, address = Client(), self.address(evening)
        assert f"{address}photo/" in get(client, address).content.decode()
        Club.objects.update(paper_sheet="plain")
        assert f"{address}photo/" not in get(client, address).content.decode()

    def test_it_sees_what_it_sent_and_nothing_else(self, evening: Evening) -> None:
        as_read(table(evening), {1: TYPED})
        address = f"{self.address(evening)}photo/"
        page = send(Client(), address, b"a picture")
        assert [row["words"].text for row in page.context["rows"]] == ["De foto wordt gelezen."]
        (photo,) = SheetPhoto.objects.filter(state="waiting")
        assert photo.sent_by.startswith("table:")

    @pytest.mark.full
    def test_what_was_read_waits_for_the_desk(self, evening: Evening) -> None:
        address = f"{self.address(evening)}photo/"
        send(Client(), address, b"a picture")
        sender = SheetPhoto.objects.get().sent_by
        as_read(table(evening), {1: TYPED}, sent_by=sender)
        assert "De wedstrijdleider kijkt ernaar." in words(get(Client(), address))

    def test_the_same_picture_again_is_told(self, evening: Evening) -> None:
        address = f"{self.address(evening)}photo/"
        pages = [words(send(Client(), address, b"a picture")) for _ in range(2)]
        told = "Deze foto is al eerder verstuurd; hij wordt niet nog eens gelezen."
        assert [told in page for page in pages] == [False, True]
        assert SheetPhoto.objects.count() == 1

    @pytest.mark.full
    def test_a_table_sends_so_many(self, evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.sheet_photos.views.MOST_OF_A_TABLE", 1)
        address = f"{self.address(evening)}photo/"
        statuses = [send(Client(), address, content).status_code for content in (b"1", b"2")]
        assert statuses == [200, 422]


class TestTheAddressOfTheDesk:
    def made(self, club: Club) -> str:
        desk = desk_of(club)
        page = desk.post(CAMERA, {"do": "new"}, follow=True)
        return str(page.context["url"]).removeprefix("http://testserver")

    def test_it_takes_pictures_without_a_login(self, club: Club, evening: Evening) -> None:
        address = self.made(club)
        page = send(Client(), address, b"a picture")
        assert [row["words"].text for row in page.context["rows"]] == ["De foto wordt gelezen."]
        assert SheetPhoto.objects.get().sent_by.startswith("camera:")

    def test_another_one_ends_it_and_so_does_ending(self, club: Club, evening: Evening) -> None:
        first = self.made(club)
        second = self.made(club)
        assert [Client().get(one).status_code for one in (first, second)] == [404, 200]
        desk_of(club).post(CAMERA, {"do": "end"})
        assert Client().get(second).status_code == 404

    @pytest.mark.full
    def test_it_lasts_a_day_and_no_longer_than_the_evening(
        self, club: Club, evening: Evening
    ) -> None:
        address = self.made(club)
        with time_machine.travel(timezone.now() + dt.timedelta(hours=25)):
            assert Client().get(address).status_code == 404
        assert Client().get(address).status_code == 200
        close_evening(evening)
        assert Client().get(address).status_code == 404

    def test_a_guess_finds_nothing(self, evening: Evening) -> None:
        assert Client().get(f"/camera/{'0' * 40}/").status_code == 404


@pytest.mark.full
def test_who_types_sees_the_strips(club: Club, evening: Evening) -> None:
    photo = as_read(table(evening), {1: TYPED})
    client = Client()
    client.force_login(director_of(club))
    strips = get(client, f"{EVENING}rounds/1/tables/1/grid/").context["strips"]
    assert list(strips) == [1, 2, 3, 4]
    assert strips[1]["picture"] == f"{EVENING}sheet-photos/{photo.uuid}/picture.jpg"


@pytest.mark.full
def test_the_club_prints_the_sheet_it_chose(club: Club, evening: Evening) -> None:
    client, address = desk_of(club), f"{EVENING}print/sheets/1.pdf"
    addresses = (address, f"{address}?halved=1", f"{address}?filled=1")
    reading = [client.get(one).content for one in addresses]
    Club.objects.update(paper_sheet="plain")
    plain = [client.get(one).content for one in addresses]
    lengths = [len(content) for content in (*reading, *plain)]
    assert len(set(lengths)) == 5
    assert lengths[2] == lengths[5]


def test_samples_are_the_boxes_of_what_was_written(
    club: Club, evening: Evening, tmp_path: Path
) -> None:
    page = Image.new("L", (1050, 1485), 250)
    file = BytesIO()
    photo = as_read(table(evening), {1: TYPED}, state="written", decided=[1])
    left, top, width, high = (photo.read["deals"][0]["box"][n] for n in range(4))
    # All of the line is ink, so that every box has some.
    for x in range(round(left * 5), round((left + width) * 5), 4):
        page.paste(10, (x, round(top * 5), x + 2, round((top + high) * 5)))
    page.save(file, "JPEG")
    SheetPhoto.objects.update(content=file.getvalue())
    write_deal(table(evening), 1, points={"NS": 100, "EW": 62})
    out = StringIO()
    call_command("reading_samples", "--club", club.slug, "--output", str(tmp_path), stdout=out)
    assert out.getvalue() == "3 digits.\n"
    assert sorted(path.parent.name for path in tmp_path.glob("*/*.png")) == ["0", "0", "1"]
