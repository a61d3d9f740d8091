"""The seed of a night at a club on another server: read at the league once the night is open,
signed, and refused in words when it is not what the file of the league said."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from clubs.text.errors import DomainError
from tests.factories import TESTS
from tests.tournaments.desk import desk_of
from tests.tournaments.duplicate.nights import lines_of, made, pages_of, planned, played
from tests.tournaments.leagues import league_of
from tests.tournaments.leagues.test_pulling import HERE, sends, server_that
from tests.tournaments.public_pages import get, words
from tournaments.duplicate.nights import (
    night_file,
    night_file_read,
    night_open,
    seed_document,
    seed_pull,
)
from tournaments.duplicate.queries import duplicate_of
from tournaments.leagues.event_documents import is_signed, public_key, sign
from tournaments.leagues.pulling import fetch
from tournaments.models import DuplicateEvening, Evening, SharedNight

pytestmark = pytest.mark.django_db

OPENED = "2026-11-21T22:30:00+01:00"
TOO_EARLY = (
    "De competitie heeft deze avond nog niet geopend: misschien zijn andere clubs nog aan het"
    " spelen."
)
OTHER_COMMITMENT = (
    "Dit startgetal hoort bij een ander zegel dan er in het bestand van de competitie stond."
)
NOT_SIGNED = (
    "De handtekening klopt niet: de competitie die het bestand maakte, heeft dit niet ondertekend."
)
NO_SEED = "Op het adres van deze gezamenlijke avond staat geen startgetal."


@pytest.fixture(autouse=True)
def _exchange(settings: Any) -> None:
    settings.EXCHANGE_NETWORKS = HERE


def night_elsewhere() -> tuple[Evening, dict[str, Any], SharedNight]:
    """A closed evening of a night that is of another server, and the seed as that would sign it."""
    night = made(clubs=1)
    evening = played(night, "een")
    document = {
        "format": "klaverclub-night-seed",
        "version": 1,
        "league": night.league.slug,
        "night": str(night.uuid),
        "commitment": night.commitment,
        "seed": night.seed,
        "opened_at": OPENED,
    }
    SharedNight.objects.all().delete()
    return evening, document, night


@contextmanager
def answering(evening: Evening, status: int, content: object) -> Iterator[None]:
    """The league's server answers like this."""
    sent = content if isinstance(content, bytes) else json.dumps(content).encode()
    with server_that(sends(status, sent)) as address:
        DuplicateEvening.objects.filter(evening=evening).update(night_address=address)
        yield


def desk_night(evening: Evening) -> str:
    return f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/folders/night/"


class TestAtTheLeague:
    def test_it_is_signed_and_waits_until_the_night_is_open(self, client: Client) -> None:
        night = made(clubs=1)
        address = f"/leagues/{night.league.slug}/nights/{night.pk}/seed/"
        early = client.get(address)
        assert (early.status_code, early.json()["code"]) == (409, "night_not_open")
        assert night.seed not in early.content.decode()
        night_open(night=night, seen=night.version, actor=TESTS, anyway=True)
        document = client.get(address).json()
        assert (document["night"], document["seed"]) == (str(night.uuid), night.seed)
        assert document["commitment"] == night.commitment
        assert is_signed(document, public_key(night.league))
        assert not is_signed({**document, "seed": "0" * 64}, public_key(night.league))
        other = league_of("Elders")
        assert not is_signed(document, public_key(other))
        assert client.get(f"/leagues/{other.slug}/nights/{night.pk}/seed/").status_code == 404

    def test_the_file_says_where_it_will_be_and_who_signs_it(self, settings: Any) -> None:
        settings.PUBLIC_URL = "https://klaver.example"
        night = made()
        read = night_file_read(night_file(night=night, actor=TESTS))
        path = f"/leagues/{night.league.slug}/nights/{night.pk}/seed/"
        assert read.address == f"https://klaver.example{path}"
        assert read.key == public_key(night.league)

    @pytest.mark.parametrize(
        ("name", "value"), [("key", "x"), ("key", None), ("address", 5), ("address", "x" * 301)]
    )
    def test_a_file_without_either_is_refused(self, name: str, value: object) -> None:
        file = json.loads(night_file(night=made(), actor=TESTS))
        file[name] = value
        assert night_file_read(json.dumps(file)).faults == (
            "Dit is geen bestand van een gezamenlijke avond van een competitie.",
        )


class TestAtAClub:
    def test_it_is_read_and_opens_the_evening(self, client: Client) -> None:
        evening, document, night = night_elsewhere()
        desk = desk_of(evening.club)
        with answering(evening, 200, sign(night.league, document)):
            answer = desk.post(desk_night(evening), {"ask": "1"}, follow=True)
        assert "Iedereen kan de kaarten en de uitslag nu zien." in words(answer)
        assert duplicate_of(evening).seed == night.seed
        assert night.seed in words(get(client, pages_of(evening)))
        # The same again asks nobody.
        assert seed_pull(evening=evening, actor=TESTS).seed == night.seed

    def test_too_early_it_stays_locked(self) -> None:
        evening, _document, _night = night_elsewhere()
        desk = desk_of(evening.club)
        with answering(evening, 409, {"code": "night_not_open", "detail": "x"}):
            answer = desk.post(desk_night(evening), {"ask": "1"})
        assert answer.status_code == 422
        assert TOO_EARLY in words(answer)
        assert "Zelf het startgetal intypen" in words(answer)
        assert duplicate_of(evening).is_locked

    @pytest.mark.parametrize(
        ("change", "faults"),
        [
            (
                {"night": "6cf56be4-0c5d-4b92-a36a-e8b7f5a8d3f1"},
                ["Dit startgetal is van een andere gezamenlijke avond."],
            ),
            (
                {"commitment": "0" * 64},
                [OTHER_COMMITMENT],
            ),
            (
                {"night": "x", "commitment": "y"},
                [
                    "Dit startgetal is van een andere gezamenlijke avond.",
                    OTHER_COMMITMENT,
                ],
            ),
        ],
    )
    def test_another_night_or_commitment_is_refused(
        self, change: dict[str, str], faults: list[str]
    ) -> None:
        evening, document, night = night_elsewhere()
        with (
            answering(evening, 200, sign(night.league, document | change)),
            pytest.raises(DomainError) as caught,
        ):
            seed_pull(evening=evening, actor=TESTS)
        assert (caught.value.code, lines_of(caught)) == ("bad_seed", faults)
        assert duplicate_of(evening).is_locked

    def test_another_seed_of_this_commitment_is_refused(self) -> None:
        evening, document, night = night_elsewhere()
        with (
            answering(evening, 200, sign(night.league, document | {"seed": "0" * 64})),
            pytest.raises(DomainError) as caught,
        ):
            seed_pull(evening=evening, actor=TESTS)
        assert caught.value.code == "seed_wrong"
        assert duplicate_of(evening).is_locked

    def test_what_another_league_signed_is_refused(self) -> None:
        evening, document, _night = night_elsewhere()
        other = league_of("Elders")
        for content in (sign(other, document), {**document, "signature": "zz"}):
            with answering(evening, 200, content), pytest.raises(DomainError) as caught:
                seed_pull(evening=evening, actor=TESTS)
            assert lines_of(caught) == [NOT_SIGNED]
        assert duplicate_of(evening).is_locked

    def test_an_odd_server_is_said(self) -> None:
        evening, document, night = night_elsewhere()
        signed = sign(night.league, document)
        told = {}
        for name, (status, content) in {
            "gone": (404, b""),
            "fault": (500, b"oops"),
            "other conflict": (409, {"code": "x"}),
            "no json": (200, b"<html>"),
            "a list": (200, [1]),
            "no text": (200, {**signed, "seed": 5}),
            "no signature": (200, document),
            "newer": (200, {**signed, "version": 2}),
        }.items():
            with answering(evening, status, content), pytest.raises(DomainError) as caught:
                seed_pull(evening=evening, actor=TESTS)
            told[name] = lines_of(caught)
        assert told == {
            "gone": ["De server van de competitie heeft deze gezamenlijke avond niet meer."],
            "fault": ["De server antwoordt met 500."],
            "other conflict": ["De server antwoordt met 409."],
            "no json": [NO_SEED],
            "a list": [NO_SEED],
            "no text": [NO_SEED],
            "no signature": [NO_SEED],
            "newer": [NO_SEED],
        }
        with pytest.raises(DomainError) as caught:
            seed_pull(evening=evening, actor=TESTS)
        assert lines_of(caught) == ["De server antwoordt niet."]

    def test_no_network_inside_is_asked(self, settings: Any) -> None:
        settings.EXCHANGE_NETWORKS = []
        evening, document, night = night_elsewhere()
        with (
            answering(evening, 200, sign(night.league, document)),
            pytest.raises(DomainError) as caught,
        ):
            seed_pull(evening=evening, actor=TESTS)
        assert caught.value.code == "bad_seed"
        assert duplicate_of(evening).is_locked

    def test_before_it_is_closed_here_nobody_is_asked(self) -> None:
        evening = planned(made(), "een")
        with pytest.raises(DomainError) as caught:
            seed_pull(evening=evening, actor=TESTS)
        assert caught.value.code == "evening_state"
        Evening.objects.update(state=Evening.State.RUNNING)
        page = words(get(desk_of(evening.club), desk_night(evening)))
        assert "Speel en sluit eerst deze avond." in page
        assert "Vraag de competitie" not in page

    def test_of_a_league_on_this_server_nothing_is_fetched(self) -> None:
        night = made()
        evening = played(night, "een")
        DuplicateEvening.objects.update(night_address="http://127.0.0.1:1/")
        with pytest.raises(DomainError) as caught:
            seed_pull(evening=evening, actor=TESTS)
        assert caught.value.message == TOO_EARLY
        night_open(night=night, seen=night.version, actor=TESTS, anyway=True)
        assert duplicate_of(evening).seed == night.seed
        DuplicateEvening.objects.update(seed="")  # it was closed here after the night opened
        assert seed_pull(evening=evening, actor=TESTS).seed == night.seed

    def test_pasting_stays(self) -> None:
        evening, _document, night = night_elsewhere()
        desk = desk_of(evening.club)
        refused = desk.post(desk_night(evening), {"seed": "0" * 64})
        assert "Dit is niet het startgetal van deze gezamenlijke avond." in words(refused)
        assert desk.post(desk_night(evening), {"seed": night.seed}).status_code == 302
        assert duplicate_of(evening).seed == night.seed


class TestByItself:
    def test_a_turn_reads_what_evenings_wait_for(self, capsys: Any) -> None:
        evening, document, night = night_elsewhere()
        with answering(evening, 409, {"code": "night_not_open", "detail": "x"}):
            call_command("pull_events")
        assert capsys.readouterr().out == ""
        with answering(evening, 200, sign(night.league, document)):
            call_command("pull_events")
            assert capsys.readouterr().out == "een: 2026-11-21: the night is open\n"
            call_command("pull_events")
        assert capsys.readouterr().out == ""
        assert duplicate_of(evening).seed == night.seed

    def test_what_went_wrong_is_said_and_tried_again(self, capsys: Any) -> None:
        evening, document, night = night_elsewhere()
        with answering(evening, 500, b""), pytest.raises(CommandError, match="1 clubs were not"):
            call_command("pull_events")
        assert "een: 2026-11-21: De server antwoordt met 500." in capsys.readouterr().err
        with answering(evening, 500, b""):
            call_command("pull_events", league=night.league.slug)  # of a league: clubs only
        with answering(evening, 200, sign(night.league, document)):
            call_command("pull_events")
        assert not duplicate_of(evening).is_locked


@pytest.mark.django_db(transaction=True)
def test_the_address_in_the_file_leads_there(live_server: LiveServer, settings: Any) -> None:
    settings.PUBLIC_URL = live_server.url
    night = made(clubs=1)
    evening = planned(night, "een")
    address = duplicate_of(evening).night_address
    assert fetch(address, {}).status == 409
    night = night_open(night=night, seen=night.version, actor=TESTS, anyway=True)
    assert json.loads(fetch(address, {}).content) == seed_document(SharedNight.objects.get())
