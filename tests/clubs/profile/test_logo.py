"""A club's logo: what is taken, what is refused, who sees it."""

import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image, PngImagePlugin

from clubs.models import AuditEvent, Club, ClubLogo
from tests.factories import ClubFactory, director_of, organiser_of

pytestmark = pytest.mark.django_db

PAGE = "/clubs/vrolijke-boer/desk/logo/"
LOGO = "/clubs/vrolijke-boer/logo.png"


def picture(
    size: tuple[int, int] = (40, 20), kind: str = "PNG", mode: str = "RGB", **how: Any
) -> bytes:
    """A red picture as a file."""
    file = BytesIO()
    Image.new(mode, size, 1 if mode == "1" else "red").save(file, kind, **how)
    return file.getvalue()


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def desk(club: Club) -> Client:
    """The browser of the club's organiser."""
    client = Client()
    client.force_login(organiser_of(club))
    return client


def send(desk: Client, content: bytes) -> Any:
    return desk.post(PAGE, {"picture": SimpleUploadedFile("logo.png", content)})


def shown(client: Client) -> Image.Image:
    """The logo as everybody sees it."""
    response = client.get(LOGO)
    assert response["Content-Type"] == "image/png"
    found = Image.open(BytesIO(response.content))
    found.load()
    return found


def refusal(desk: Client, content: bytes) -> list[str]:
    response = send(desk, content)
    assert response.status_code == 422
    assert not ClubLogo.objects.exists()
    errors: list[str] = response.context["form"].errors["picture"]
    return errors


@pytest.mark.full
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_logo_is_chosen_and_everybody_sees_it(desk: Client, club: Club, kind: str) -> None:
    assert send(desk, picture((40, 20), kind)).headers["Location"] == PAGE
    assert shown(Client()).size == (40, 20)
    club.refresh_from_db()
    page = Client().get(club.get_absolute_url()).content.decode()
    assert f'src="{LOGO}?v={club.logo_version}"' in page
    assert AuditEvent.objects.filter(action="logo_chosen").count() == 1


@pytest.mark.full
def test_a_large_picture_is_made_smaller(desk: Client, club: Club) -> None:
    send(desk, picture((3000, 1500)))
    assert shown(desk).size == (800, 400)
    logo = ClubLogo.objects.get()
    assert (logo.width, logo.height) == (800, 400)


def test_what_one_can_see_through_stays_so(desk: Client, club: Club) -> None:
    file = BytesIO()
    Image.new("RGBA", (4, 4), (255, 0, 0, 0)).save(file, "PNG")
    send(desk, file.getvalue())
    assert shown(desk).getpixel((0, 0)) == (255, 0, 0, 0)


def test_a_picture_taken_on_its_side_stands_upright_and_tells_nothing_else(
    desk: Client, club: Club
) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Secret Camera"
    send(desk, picture((40, 20), "JPEG", exif=exif))
    found = shown(desk)
    assert found.size == (20, 40)
    assert dict(found.getexif()) == {}
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", "Secret words")
    send(desk, picture(pnginfo=notes))
    assert b"Secret" not in Client().get(LOGO).content


@pytest.mark.full
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        picture()[:60],
        picture((400, 400), "JPEG")[:300],
        picture(kind="GIF"),
        picture(kind="TIFF"),
    ],
)
def test_what_is_no_picture_is_refused(desk: Client, content: bytes) -> None:
    assert refusal(desk, content) == [
        "Dit bestand is niet als plaatje te lezen. Kies een PNG of een JPEG."
    ]


def test_a_large_file_is_refused(desk: Client) -> None:
    assert refusal(desk, picture() + bytes(2_000_000)) == ["Het bestand is groter dan 2 MB."]


def huge_png() -> bytes:
    """A file of some bytes that says it is 60,000 by 60,000 pixels."""
    small = picture((1, 1))
    said = b"IHDR" + struct.pack(">II", 60_000, 60_000) + small[24:29]
    return small[:12] + said + struct.pack(">I", zlib.crc32(said)) + small[33:]


def test_a_small_file_that_unpacks_to_a_huge_picture_is_refused(desk: Client) -> None:
    for content in (picture((5001, 5000), mode="1"), huge_png()):
        assert refusal(desk, content) == [
            "Het plaatje heeft meer dan 25 miljoen beeldpunten. Kies een kleiner."
        ]


@pytest.mark.full
def test_a_refused_picture_leaves_the_logo_that_is_there(desk: Client, club: Club) -> None:
    send(desk, picture((40, 20)))
    assert send(desk, b"x").status_code == 422
    assert shown(desk).size == (40, 20)


def test_nothing_chosen_is_shown(desk: Client) -> None:
    response = desk.post(PAGE)
    assert response.status_code == 422
    assert response.context["form"].errors["picture"] == ["Kies een bestand."]


@pytest.mark.full
def test_each_logo_has_an_address_of_its_own_that_browsers_keep(desk: Client, club: Club) -> None:
    versions = []
    for size in ((10, 10), (20, 20)):
        send(desk, picture(size))
        club.refresh_from_db()
        versions.append(club.logo_version)
        kept = Client().get(f"{LOGO}?v={club.logo_version}")["Cache-Control"]
        assert kept == "public, max-age=31536000, immutable"
        assert Client().get(f"{LOGO}?v=999")["Cache-Control"] == "public, max-age=300"
        desk.post(f"{PAGE}remove/")
    assert versions[0] < versions[1]


@pytest.mark.full
def test_a_logo_that_is_taken_away_is_gone(desk: Client, club: Club) -> None:
    send(desk, picture())
    assert "Logo weghalen" in desk.get(PAGE).content.decode()
    for _twice in range(2):
        assert desk.post(f"{PAGE}remove/").headers["Location"] == PAGE
    assert Client().get(LOGO).status_code == 404
    club.refresh_from_db()
    assert club.logo_version == 0
    assert "logo.png" not in Client().get(club.get_absolute_url()).content.decode()
    assert AuditEvent.objects.filter(action="logo_removed").count() == 1


@pytest.mark.full
def test_only_who_organises_chooses_it(desk: Client, club: Club) -> None:
    other = Client()
    other.force_login(director_of(club))
    for address in (PAGE, f"{PAGE}remove/"):
        assert other.post(address).status_code == 403
        assert Client().post(address).status_code == 302
    assert desk.get(f"{PAGE}remove/").status_code == 405
