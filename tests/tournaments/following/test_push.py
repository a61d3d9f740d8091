"""Messages to browsers that follow a club or a player, brought to a service on this machine."""

import base64
import datetime as dt
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from py_vapid import Vapid02
from pytest_django import Settings

from clubs.members.services import member_change
from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw
from tests.tournaments.following.push_service import Browser, PushService, push_service
from tests.tournaments.public_pages import close_evening
from tournaments.closing.services import evening_cancel
from tournaments.following.services import pushes
from tournaments.models import Evening, Follower

pytestmark = [pytest.mark.django_db(transaction=True)]

FOLLOW = "/clubs/vrolijke-boer/follow/"
PUSH = f"{FOLLOW}push/"


@pytest.fixture
def service(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PushService]:
    settings.WEB_PUSH, settings.PUBLIC_URL = True, "https://klaver.example"
    settings.PUSH_NETWORKS = ["127.0.0.0/8", "::1/128"]
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "service.pem"))
    with push_service(tmp_path) as service:
        yield service


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def ask(client: Client, browser: Browser, **more: object) -> tuple[int, dict[str, object]]:
    """What the browser hears after asking so."""
    response = client.post(PUSH, {**browser.asks, **more}, secure=True)
    return response.status_code, response.json()


def played(club: Club, *, days_ago: int = 0) -> Evening:
    """An evening of four people that ended so long ago, won by Jan and Piet with 90 points."""
    day = timezone.localdate() - dt.timedelta(days=days_ago)
    evening = evening_with_draw(players=4, club=club, date=day, method=Evening.Method.TYPED_IN)
    close_evening(evening)
    return evening


@pytest.mark.both
def test_a_result_is_told_to_who_follows_the_club_or_who_played(
    client: Client, club: Club, service: PushService
) -> None:
    played(club, days_ago=30)
    jan, mia = (Member.objects.get(club=club, number=number) for number in (1, 2))
    of_club, of_jan, of_nobody = (service.browser(name) for name in ("club", "jan", "none"))
    assert ask(client, of_club, follow="") == (200, {"following": False})
    assert ask(client, of_club, follow="yes") == (200, {"following": True})
    assert ask(client, of_jan, follow="yes", player=jan.pk) == (200, {"following": True})
    assert ask(client, of_jan, follow="") == (200, {"following": False})
    assert ask(client, of_nobody, follow="yes", player=mia.pk) == (200, {"following": True})
    assert ask(client, of_nobody, follow="no", player=mia.pk) == (200, {"following": False})

    evening = played(club)
    assert pushes.settle(30)
    readers = {"/send/club": of_club, "/send/jan": of_jan}
    read = {path: readers[path].read(body) for path, _headers, body in service.brought}
    assert re.sub(r"van \w+ \d+ \w+:", "van …:", read["/send/club"].pop("body")) == (
        "Uitslag van …: gewonnen door Jan Bakker en Piet Visser, met 90 punten."
    )
    assert re.sub(r"op \d+ \w+ \d+,", "op …,", read["/send/jan"].pop("body")) == (
        "Jan Bakker: plaats 1 van 4 op …, met 90 punten."
    )
    assert read == {
        "/send/club": {
            "title": "De Vrolijke Boer",
            "url": f"/clubs/vrolijke-boer/evenings/{evening.slug}/",
            "tag": f"{evening.uuid}-club",
            "language": "nl",
        },
        "/send/jan": {
            "title": "De Vrolijke Boer",
            "url": f"/clubs/vrolijke-boer/players/{jan.pk}/",
            "tag": f"{evening.uuid}-{jan.pk}",
            "language": "nl",
        },
    }


def test_a_service_is_told_who_sends_and_nothing_that_it_could_read(
    client: Client, club: Club, service: PushService
) -> None:
    browser = service.browser()
    ask(client, browser, follow="yes")
    played(club)
    assert pushes.settle(30)
    [(_path, headers, body)] = service.brought
    assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "86400")
    assert b"Jan" not in body
    assert Vapid02.verify(headers["Authorization"])
    token, key = re.fullmatch(r"vapid t=([^,]+),k=(.+)", headers["Authorization"]).groups()  # type: ignore[union-attr]
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert (claims["aud"], claims["sub"]) == (service.address, "https://klaver.example")
    page = client.get(FOLLOW, secure=True).content.decode()
    assert f'data-push-key="{key}"' in page


def test_an_evening_that_is_called_off_is_told(
    client: Client, club: Club, service: PushService
) -> None:
    browser = service.browser()
    ask(client, browser, follow="yes")
    evening = EveningFactory.create(club=club, date=timezone.localdate() + dt.timedelta(days=3))
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    assert pushes.settle(30)
    [(_path, _headers, body)] = service.brought
    assert browser.read(body)["body"].endswith("gaat niet door.")


def test_a_browser_that_wants_no_more_is_forgotten_and_one_that_fails_for_long_too(
    client: Client, club: Club, service: PushService
) -> None:
    ask(client, service.browser(), follow="yes")
    for status, left in ((500, 1), (201, 1), *((500, 1),) * 4, (500, 0)):
        service.status = status
        played(club)
        assert pushes.settle(30)
        assert Follower.objects.count() == left
    ask(client, service.browser(), follow="yes")
    service.status = 410
    played(club)
    assert pushes.settle(30)
    assert Follower.objects.count() == 0


@pytest.mark.full
def test_what_is_imported_later_is_no_news_nor_is_a_correction(
    client: Client, club: Club, service: PushService
) -> None:
    ask(client, service.browser(), follow="yes")
    played(club, days_ago=8)
    assert pushes.settle(30)
    assert service.brought == []


def test_whoever_is_hidden_or_erased_is_followed_by_nobody(
    client: Client, club: Club, service: PushService
) -> None:
    played(club, days_ago=30)
    hidden, erased = (Member.objects.get(club=club, number=number) for number in (1, 2))
    browser = service.browser()
    for member in (hidden, erased):
        assert ask(client, browser, follow="yes", player=member.pk)[0] == 200
    member_change(
        member=hidden,
        seen_version=hidden.version,
        name=hidden.name,
        public_as=Member.PublicAs.HIDDEN,
        actor=TESTS,
    )
    member_erase(member=erased, actor=TESTS)
    assert Follower.objects.count() == 0
    for member in (hidden, erased):
        response = client.post(
            PUSH, {**browser.asks, "follow": "yes", "player": member.pk}, secure=True
        )
        assert response.status_code == 404


def test_a_name_that_stands_for_an_address_inside_is_not_reached(
    client: Client, club: Club, service: PushService, settings: Settings
) -> None:
    ask(client, service.browser(), follow="yes")
    settings.PUSH_NETWORKS = []
    Follower.objects.update(endpoint=service.address.replace("localhost", "localhost.localdomain"))
    played(club)
    assert pushes.settle(30)
    assert service.brought == []
