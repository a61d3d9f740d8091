"""A player's card of an evening: what it says, what its link says, and when there is none."""

import datetime as dt
import html
import io
import re

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from PIL import Image, ImageDraw
from pytest_django import DjangoAssertNumQueries

from clubs.models import Member
from tests.factories import TESTS, ClubFactory, correct_deal, evening_with_draw, table, write_deal
from tests.tournaments.one_round import before, finish, seated
from tests.tournaments.pairs import played_in_pairs
from tests.tournaments.public_pages import close_evening, evening_path, get, speak_english, words
from tournaments.closing.services import evening_close
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening
from tournaments.releases.services import release_publish
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

META = re.compile(r'<meta (?:name|property)="(?:og:)?([a-z_:]+)" content="([^"]*)">')


@pytest.fixture(autouse=True)
def address(settings: LazySettings) -> None:
    settings.PUBLIC_URL = "https://klaver.example"


@pytest.fixture
def evening() -> Evening:
    """Jan and Piet take 90 of 162 in the only deal, Mia and Truus 72; Kees sits out."""
    return evening_with_draw(players=5, rounds=1, method=Evening.Method.TYPED_IN)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is drawn in a picture."""
    texts: list[str] = []
    real = ImageDraw.ImageDraw.text

    def text(
        self: ImageDraw.ImageDraw, at: object, words: str, *args: object, **more: object
    ) -> None:
        texts.append(words)
        real(self, at, words, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    cache.clear()
    return texts


def mine(evening: Evening, number: int = 1) -> str:
    member = Member.objects.get(club=evening.club, number=number)
    return evening_path(evening, f"players/{member.pk}/")


def metadata(client: Client, path: str) -> dict[str, str]:
    page = get(client, path).content.decode()
    return {name: html.unescape(content) for name, content in META.findall(page)}


def picture(client: Client, path: str) -> bytes:
    address = metadata(client, path)["image"].removeprefix("https://klaver.example")
    response = get(client, address)
    assert response.headers["Content-Type"] == "image/png"
    with Image.open(io.BytesIO(response.content)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))
    return bytes(response.content)


@pytest.mark.full
def test_the_link_says_how_it_went_and_shows_the_card(
    client: Client, evening: Evening, drawn: list[str]
) -> None:
    close_evening(evening)
    said = metadata(client, mine(evening))
    assert said["title"] == "Jan Bakker – De Vrolijke Boer"
    assert said["description"] == (
        "Zaterdag 21 november 2026. Plaats 2 van 5 met 90 punten. Hoogste boompje van de avond: 90."
    )
    assert said["image"].partition("?")[0] == f"https://klaver.example{mine(evening)}card.png"
    picture(client, mine(evening))
    assert drawn == [
        "♣",
        "De Vrolijke Boer",
        "Jan Bakker",
        "Zaterdag 21 november 2026",
        "2",
        "van 5",
        "90 punten",
        "90",
        "Hoogste boompje van de avond: 90",
    ]


@pytest.mark.full
def test_no_card_says_that_somebody_came_last(
    client: Client, evening: Evening, drawn: list[str]
) -> None:
    close_evening(evening)
    assert metadata(client, mine(evening, 4))["description"] == (
        "Zaterdag 21 november 2026. 72 punten."
    )
    picture(client, mine(evening, 4))
    assert drawn[2:] == ["Truus de Vries", "Zaterdag 21 november 2026", "72 punten", "72"]


@pytest.mark.full
def test_before_the_result_there_is_no_card(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1)
    path = mine(evening)
    for frozen in (False, True):
        evening_freeze(evening_id=evening.pk, frozen=frozen, actor=TESTS)
        said = metadata(client, path)
        assert said["description"] == "De avond van Jan Bakker: zaterdag 21 november 2026."
        assert said["image"].startswith("https://klaver.example/clubs/vrolijke-boer/card.png")
        assert client.get(f"{path}card.png").status_code == 404
        assert "Delen" not in words(get(client, path))
    close_evening(evening)
    assert client.get(f"{path}card.png").status_code == 200
    assert "Delen via WhatsApp" in words(get(client, path))


def test_of_who_is_hidden_or_was_not_there_there_is_no_card(
    client: Client, evening: Evening
) -> None:
    close_evening(evening)
    elsewhere = seated(season_create(club=evening.club, name="2026", actor=TESTS), 3, "6789")
    assert client.get(f"{mine(evening)}card.png").status_code == 200
    assert client.get(f"{mine(evening, 6)}card.png").status_code == 404
    assert client.get(f"{mine(elsewhere, 6)}card.png").status_code == 404
    Member.objects.filter(number=1).update(public_as=Member.PublicAs.HIDDEN)
    assert client.get(f"{mine(evening)}card.png").status_code == 404


@pytest.mark.full
def test_a_correction_is_on_the_card_once_it_is_published(client: Client, evening: Evening) -> None:
    close_evening(evening)
    first = metadata(client, mine(evening))
    correct_deal(table(evening), 1, ns=100, reason="verkeerd gelezen")
    waiting = metadata(client, mine(evening))
    assert waiting["description"] == ("Zaterdag 21 november 2026. Plaats 2 van 5 met 90 punten.")
    evening.refresh_from_db()
    release_publish(evening=evening, actor=TESTS)
    second = metadata(client, mine(evening))
    assert "met 100 punten" in second["description"]
    assert len({said["image"] for said in (first, waiting, second)}) == 3


@pytest.mark.full
def test_the_card_of_a_pair_has_the_place_of_the_pair(client: Client) -> None:
    evening = played_in_pairs(ClubFactory.create())
    evening_close(evening_id=evening.pk, actor=TESTS)
    first = evening.releases.get().standings[0]["member"]
    said = metadata(client, evening_path(evening, f"players/{first}/"))["description"]
    assert said.startswith(
        "Zaterdag 21 november 2026. Piet Visser – Truus de Vries. Plaats 1 van 4 met 120 punten."
    )


@pytest.mark.full
def test_the_card_of_an_evening_from_before_has_its_total(client: Client, drawn: list[str]) -> None:
    season = season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    finish(seated(season, 0, "1234", deals_per_round=1))
    before(season, "2025-01-04,Jan Bakker,5012,")
    evening = Evening.objects.get(date=dt.date(2025, 1, 4))
    picture(client, mine(evening))
    assert drawn[2:] == [
        "Jan Bakker",
        "Zaterdag 4 januari 2025",
        "1",
        "van 1",
        "5.012 punten",
    ]


@pytest.mark.full
def test_it_speaks_english_to_who_asks(client: Client, evening: Evening) -> None:
    close_evening(evening)
    speak_english(client)
    assert metadata(client, mine(evening))["description"] == (
        "Saturday 21 November 2026. Place 2 of 5 with 90 points. Highest round of the evening: 90."
    )


@pytest.mark.full
def test_names_too_long_for_the_card_are_cut(client: Client, evening: Evening) -> None:
    Member.objects.filter(number=1).update(
        public_name="Łucja " + "Şerif-van der Nieuwenhuizen " * 2
    )
    close_evening(evening)
    picture(client, mine(evening))


@pytest.mark.full
def test_a_card_is_drawn_once(
    client: Client,
    evening: Evening,
    drawn: list[str],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    close_evening(evening)
    picture(client, mine(evening))
    texts = list(drawn)
    assert picture(client, mine(evening))[:4] == b"\x89PNG"
    assert drawn == texts
