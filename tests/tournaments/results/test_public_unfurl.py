"""What a link to a public page says of itself where it is shared, and its picture."""

import datetime as dt
import html
import io
import re

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client
from PIL import Image

from clubs.models import Club, Member
from clubs.profile.services import logo_choose
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw, table, write_deal
from tests.tournaments.public_pages import close_evening, evening_path, get, speak_english
from tournaments.closing.services import evening_cancel
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

CLUB = "/clubs/vrolijke-boer/"
META = re.compile(r'<meta (?:name|property)="(?:og:|twitter:)?([a-z_:]+)" content="([^"]*)">')
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')


@pytest.fixture(autouse=True)
def address(settings: LazySettings) -> None:
    settings.PUBLIC_URL = "https://klaver.example"


@pytest.fixture
def evening() -> Evening:
    """One table; nothing written yet."""
    return evening_with_draw(players=4, rounds=1, method=Evening.Method.TYPED_IN)


def metadata(client: Client, path: str) -> dict[str, str]:
    """What the page says of itself, by name."""
    page = get(client, path).content.decode()
    return {name: html.unescape(content) for name, content in META.findall(page)}


def description(client: Client, path: str) -> str:
    said = metadata(client, path)
    assert said["description"] == html.unescape(said["image:alt"])
    return said["description"]


def picture(client: Client, path: str) -> bytes:
    """The picture that the page at this address names; it must be one of 1200 by 630."""
    address = metadata(client, path)["image"]
    assert address.startswith("https://klaver.example/clubs/")
    response = get(client, address.removeprefix("https://klaver.example"))
    assert response.headers["Content-Type"] == "image/png"
    with Image.open(io.BytesIO(response.content)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))
    return bytes(response.content)


@pytest.mark.full
def test_a_page_says_all_that_is_asked_of_a_link(client: Client, evening: Evening) -> None:
    close_evening(evening, ns=100)
    said = metadata(client, evening_path(evening))
    version = said["image"].partition("?v=")[2]
    assert said == {
        "viewport": said["viewport"],
        "description": "Winnaar: Jan Bakker en Piet Visser (100). 4 spelers.",
        "type": "website",
        "site_name": "De Vrolijke Boer",
        "locale": "nl_NL",
        "title": "Zaterdag 21 november 2026 – De Vrolijke Boer",
        "url": "https://klaver.example/clubs/vrolijke-boer/evenings/2026-11-21/",
        "image": (
            f"https://klaver.example/clubs/vrolijke-boer/evenings/2026-11-21/card.png?v={version}"
        ),
        "image:type": "image/png",
        "image:width": "1200",
        "image:height": "630",
        "image:alt": said["description"],
        "card": "summary_large_image",
    }


@pytest.mark.full
@time_machine.travel("2026-11-21 12:00:00+01:00", tick=False)
def test_a_link_says_at_what_time_the_evening_begins(client: Client) -> None:
    evening = EveningFactory.create(date=dt.date(2026, 11, 28), starts_at=dt.time(19, 30))
    said = metadata(client, evening_path(evening))
    assert said["title"] == "Zaterdag 28 november 2026, 19.30 uur – De Vrolijke Boer"
    assert description(client, CLUB) == "De volgende avond: zaterdag 28 november, 19.30 uur."


@pytest.mark.full
def test_each_state_of_an_evening_has_its_sentence(client: Client, evening: Evening) -> None:
    path = evening_path(evening, "?show=standings")
    assert description(client, path) == "Nu bezig."
    write_deal(table(evening), 1, points={"NS": 100})
    running = "Nu bezig. Aan kop: Jan Bakker en Piet Visser (100). 4 spelers."
    assert description(client, path) == running
    assert description(client, evening_path(evening, "?show=names")) == (
        "Waar zit ik? De loting van ronde 1."
    )
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    assert description(client, path) == "De stand blijft geheim tot de prijsuitreiking."
    planned = EveningFactory.create(club=evening.club, name="Kerstdrive")
    path = evening_path(planned)
    assert metadata(client, path)["title"] == "Kerstdrive – De Vrolijke Boer"
    assert description(client, path) == "Wij spelen 3 rondes van 16 spellen."
    evening_cancel(evening_id=planned.pk, actor=TESTS)
    assert description(client, path) == "Deze avond gaat niet door."


def test_the_picture_of_a_frozen_evening_tells_nothing(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1, points={"NS": 100})
    before = picture(client, evening_path(evening))
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    frozen = picture(client, evening_path(evening))
    write_deal(table(evening), 1, points={"NS": 0, "EW": 162})
    write_deal(table(evening), 2, declarer="EW", points={"EW": 140})
    assert picture(client, evening_path(evening)) == frozen
    assert frozen != before


@pytest.mark.full
def test_another_result_has_another_picture_under_another_address(
    client: Client, evening: Evening
) -> None:
    path = evening_path(evening)
    write_deal(table(evening), 1, points={"NS": 100})
    before, first = metadata(client, path)["image"], picture(client, path)
    assert metadata(client, path)["image"] == before
    write_deal(table(evening), 2, declarer="EW", points={"EW": 140})
    assert metadata(client, path)["image"] != before
    assert picture(client, path) != first


def test_somebody_hidden_is_in_no_sentence_and_no_picture(client: Client, evening: Evening) -> None:
    close_evening(evening, ns=100)
    path = evening_path(evening)
    named = picture(client, path)
    Member.objects.filter(number__in=(1, 3)).update(public_as=Member.PublicAs.HIDDEN)
    said = description(client, path)
    assert ("Bakker" in said, "Visser" in said, "(100)" in said) == (False, False, True)
    assert picture(client, path) != named


@pytest.mark.full
@time_machine.travel("2026-11-15 12:00:00+01:00", tick=False)
def test_a_club_tells_of_its_next_evening_its_last_one_and_its_season(client: Client) -> None:
    club = ClubFactory.create()
    assert description(client, CLUB) == "Klaverjasavonden: waar u zit en hoe u ervoor staat."
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    played = evening_with_draw(
        players=4,
        club=club,
        rounds=1,
        season=season,
        date=dt.date(2026, 11, 14),
        method=Evening.Method.TYPED_IN,
    )
    close_evening(played, ns=100)
    EveningFactory.create(club=club)
    assert description(client, CLUB) == (
        "De volgende avond: zaterdag 21 november."
        " Laatste winnaar: Jan Bakker en Piet Visser (100)."
        " Koploper van het seizoen: Jan Bakker en Piet Visser (100)."
    )
    assert metadata(client, CLUB)["title"] == "De Vrolijke Boer"
    picture(client, CLUB)


@pytest.mark.full
def test_every_public_page_has_a_title_a_sentence_and_a_picture(
    client: Client, evening: Evening
) -> None:
    season = season_create(club=evening.club, name="2026", actor=TESTS)
    Evening.objects.update(season=season)
    close_evening(evening)
    jan = Member.objects.get(number=1).pk
    pages = {
        "calendar/": "Kalender",
        "rules/": "Zo spelen wij",
        "seasons/2026/": "Stand 2026",
        "seasons/2026/met/": "Wie met wie speelde, 2026",
        f"players/{jan}/": "Jan Bakker",
        f"players/{jan}/met/": "Jan Bakker",
        f"evenings/2026-11-21/players/{jan}/": "Jan Bakker",
        "evenings/2026-11-21/rounds/1/tables/1/": "Tafel 1, ronde 1",
        "ratings/": "Speelsterkte",
    }
    for more, title in pages.items():
        assert description(client, f"{CLUB}{more}") != ""
        assert metadata(client, f"{CLUB}{more}")["title"] == f"{title} – De Vrolijke Boer", more
        assert metadata(client, f"{CLUB}{more}")["url"] == f"https://klaver.example{CLUB}{more}"
        picture(client, f"{CLUB}{more}")


def test_the_address_is_the_page_itself_and_never_what_a_stranger_calls_the_host(
    client: Client, evening: Evening
) -> None:
    close_evening(evening)
    path = evening_path(evening, "?release=1&show=standings&x=%22%3E")
    page = client.get(path, headers={"Host": "evil.example"}).content.decode()
    assert CANONICAL.findall(page) == [
        "https://klaver.example/clubs/vrolijke-boer/evenings/2026-11-21/?release=1"
    ]
    assert "evil.example" not in page


@pytest.mark.full
def test_the_front_door_says_what_this_is(client: Client) -> None:
    said = metadata(client, "/")
    assert said["title"] == "Klaverclub"
    assert said["description"].startswith("De loting, de tellijsten en de stand van klaverjas")


@pytest.mark.full
def test_a_logo_is_in_the_picture(client: Client, evening: Evening) -> None:
    before = picture(client, CLUB)
    file = io.BytesIO()
    Image.new("RGB", (300, 100), "#c00000").save(file, "PNG")
    logo_choose(club=Club.objects.get(), content=file.getvalue(), actor=TESTS)
    with Image.open(io.BytesIO(picture(client, CLUB))) as image:
        red, green, _blue = image.convert("RGB").getpixel((1100, 75))  # type: ignore[misc]
    assert (red > 180, green < 20) == (True, True)
    assert picture(client, CLUB) != before


@pytest.mark.full
def test_names_too_long_for_the_picture_are_cut(client: Client, evening: Evening) -> None:
    Member.objects.filter(number=1).update(
        public_name="Łucja " + "Şerif-van der Nieuwenhuizen " * 2
    )
    Club.objects.update(
        name="De Zeer Vrolijke Boeren van het Verre Noorden en Omstreken, aan Zee en op het Land"
    )
    close_evening(evening)
    picture(client, evening_path(evening))


@pytest.mark.full
def test_the_sentence_is_in_the_language_of_who_reads(client: Client, evening: Evening) -> None:
    close_evening(evening, ns=100)
    speak_english(client)
    said = metadata(client, evening_path(evening))
    assert said["description"] == "Won by Jan Bakker and Piet Visser (100). 4 players."
    assert said["locale"] == "en_GB"
    assert said["title"] == "Saturday 21 November 2026 – De Vrolijke Boer"


def test_a_picture_of_one_language_is_not_kept_for_readers_of_another(
    client: Client, evening: Evening
) -> None:
    """A proxy may keep it, and the language follows a cookie."""
    close_evening(evening)
    address = f"{evening_path(evening)}card.png"
    dutch = client.get(address)
    speak_english(client)
    english = client.get(address)
    assert dutch.content != english.content
    assert {answer.headers["Vary"] for answer in (dutch, english)} == {"Cookie"}
    assert english.headers["Cache-Control"] == "public, max-age=600"


@pytest.mark.full
@pytest.mark.parametrize("more", ["", "evenings/2026-11-21/", "seasons/2026/"])
def test_a_picture_of_what_is_not_there_is_not_found(client: Client, more: str) -> None:
    assert client.get(f"/clubs/nergens/{more}card.png").status_code == 404
