"""The folders of an evening for programs: places as everybody may see them, cards after it."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import Member
from tests.factories import TESTS
from tests.tournaments.desk import desk_of
from tests.tournaments.duplicate.played import play_all, play_round, started
from tournaments.closing.services import evening_close
from tournaments.duplicate.core.dealing import dealt
from tournaments.duplicate.queries import duplicate_of, duplicate_results
from tournaments.duplicate.services import ruling_give
from tournaments.models import Evening, FolderPlay
from tournaments.releases.services import correction_publish

pytestmark = pytest.mark.django_db
FOLDERS = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/folders/"


def read(client: Client, path: str = "") -> Any:
    answer = client.get(f"{FOLDERS}{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def over() -> Evening:
    evening = play_all(started(4, folders=6))
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


@pytest.mark.full
def test_places_by_line(client: Client) -> None:
    evening = over()
    results = duplicate_results(evening, duplicate_of(evening))
    data = read(client)
    assert [line["line"] for line in data["lines"]] == ["NS", "EW"]
    assert [
        (row["place"], row["pairs"][0]["pair"], row["percentage"], row["folders"])
        for line in data["lines"]
        for row in line["places"]
    ] == [
        (row.place, row.key, str(row.worth.percentage), row.played)
        for ranking in results.ranking
        for row in ranking.rows
    ]
    assert data["seed"] == duplicate_of(evening).seed
    assert not data["hidden"]


def test_hidden_places_are_for_the_desk(client: Client) -> None:
    evening = started(4, folders=6)
    play_round(evening, 1)
    public = read(client)
    assert (public["hidden"], public["lines"], public["seed"]) == (True, [], None)
    assert public["commitment"] == duplicate_of(evening).commitment
    desk = read(desk_of(evening.club))
    assert (desk["hidden"], len(desk["lines"]), desk["seed"]) == (False, 2, None)
    assert client.get(f"{FOLDERS}1/").status_code == 404
    assert desk_of(evening.club).get(f"{FOLDERS}1/").status_code == 404


@pytest.mark.full
def test_a_folder_with_its_cards(client: Client) -> None:
    evening = over()
    play = FolderPlay.objects.filter(folder__number=2, line="NS").order_by("pk")[0]
    ruling_give(
        evening_id=evening.pk,
        play_id=play.pk,
        percent=60,
        reason="geheim",
        fouled=False,
        actor=TESTS,
    )
    assert not any(table["rulings"] for table in read(client, "2/")["tables"])
    correction_publish(evening=evening, reason="Map 2", actor=TESTS)
    data = read(client, "2/")
    holders = {card: seat for seat, cards in data["hands"].items() for card in cards}
    seed = duplicate_of(evening).seed
    assert "".join(holders[card] for card in sorted(holders, key=by_deck)) == dealt(seed, 2)
    assert (data["folder"], data["dealer"]) == (2, "E")
    (ruled,) = [table for table in data["tables"] if table["rulings"]]
    assert (ruled["rulings"], ruled["pairs"]["NS"]) == ({"NS": 60}, play.pair)
    assert "geheim" not in str(data)
    assert client.get(f"{FOLDERS}7/").status_code == 404


def by_deck(card: str) -> tuple[int, int]:
    return "CDHS".index(card[1]), "789TJQKA".index(card[0])


def test_who_is_hidden_is_hidden_here(client: Client) -> None:
    evening = over()
    Member.objects.filter(club=evening.club).update(public_as="hidden")
    people = [
        person
        for line in read(client)["lines"]
        for row in line["places"]
        for pair in row["pairs"]
        for person in pair["people"]
    ]
    assert {person["member"] for person in people} == {None}
    names = set(evening.club.members.values_list("name", flat=True))
    assert not names & {person["name"] for person in people}


@pytest.mark.full
def test_of_an_evening_without_folders_there_are_none(client: Client) -> None:
    started(4, folders=6)
    Evening.objects.update(pair_movement=Evening.PairMovement.BY_PROGRAM)
    for path in ("", "1/"):
        assert client.get(f"{FOLDERS}{path}").status_code == 404
