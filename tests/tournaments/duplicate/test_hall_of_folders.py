"""The screen in the hall on an evening of folders: who sits where with which folders, and places
only where the club shows them."""

import re

import pytest
from django.test import Client

from tests.factories import TESTS
from tests.tournaments.duplicate.played import play_all, play_round, started
from tests.tournaments.hall import screen_held
from tests.tournaments.public_pages import evening_path, get, rows, words
from tournaments.closing.services import evening_close
from tournaments.duplicate.published import results_shown
from tournaments.evenings.services import evening_freeze
from tournaments.hall.scenes import Pictures, shown_now
from tournaments.hall.screen import hall_of
from tournaments.models import Evening, FolderPlay
from tournaments.releases.queries import visible_rounds

pytestmark = pytest.mark.django_db
PERCENTAGE = re.compile(r"\d+,\d\d%")


def screen(client: Client, evening: Evening, scene: str) -> str:
    screen_held(evening, scene)
    return words(get(client, evening_path(evening, "screen/")))


def titles(evening: Evening, scene: str) -> list[str]:
    evening = Evening.objects.get(pk=evening.pk)
    return [
        picture.title
        for picture in Pictures(evening, visible_rounds(evening), has_message=False).of_scene(scene)
    ]


def test_which_folders_go_where(client: Client) -> None:
    evening = started(4, folders=6)
    assert titles(evening, "seats") == ["Waar zit ik?", "Ronde 1: wie speelt welke mappen"]
    play_round(evening, 1)
    maker = Pictures(evening, visible_rounds(evening), has_message=False)
    *_names, picture = maker.of_scene("seats")
    assert picture.title == "Ronde 2: wie speelt welke mappen"
    shown = [
        (at.table, at.ns, at.ew, at.folders)
        for column in picture.content["folders"]  # type: ignore[attr-defined]
        for at in column
    ]
    plays = FolderPlay.objects.filter(deal__sheet__table__round__number=2)
    assert {(at, pair) for at, ns, ew, _folders in shown for pair in (ns, ew)} == set(
        plays.values_list("deal__sheet__table__number", "pair")
    )
    assert sorted(folders for *_who, folders in shown) == ["4–6", "4–6"]


def test_places_are_secret_until_the_club_shows_them(client: Client) -> None:
    evening = started(4, folders=6)
    play_round(evening, 1)
    assert not PERCENTAGE.search(screen(client, evening, "standings"))
    assert "geheim" in screen(client, evening, "standings")
    evening_freeze(evening_id=evening.pk, frozen=False, actor=TESTS)
    assert titles(evening, "standings") == ["Tussenstand: Noord-Zuid", "Tussenstand: Oost-West"]
    assert len(PERCENTAGE.findall(screen(client, evening, "standings"))) == 2


def test_the_winners_of_each_line(client: Client) -> None:
    evening = play_all(started(6, folders=12))
    evening_close(evening_id=evening.pk, actor=TESTS)
    evening = Evening.objects.get(pk=evening.pk)
    assert titles(evening, "winners") == ["De winnaars: Noord-Zuid", "De winnaars: Oost-West"]
    first = results_shown(evening).ranking[0].rows[0]
    screen_held(evening)
    shown = shown_now(evening, hall_of(evening)).picture
    assert shown.content["totals"][1] == f"{first.worth.percentage}%".replace(".", ",")  # type: ignore[index]
    page = rows(get(client, evening_path(evening, "screen/")))
    assert page == []
    assert titles(evening, "standings") == ["Eindstand: Noord-Zuid", "Eindstand: Oost-West"]


def test_nobody_climbs_by_points_of_other_cards() -> None:
    evening = started(4, folders=6)
    evening_freeze(evening_id=evening.pk, frozen=False, actor=TESTS)
    play_round(evening, 1)
    play_round(evening, 2)
    assert titles(evening, "movers") == ["Stijgers"]
