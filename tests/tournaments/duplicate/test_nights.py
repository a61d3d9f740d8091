"""A night on which several clubs play the same cards: locked until the last has finished, taken in
by the league, and ranked together."""

import datetime as dt
import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from jsonschema import Draft202012Validator

from clubs.models import Club, Member
from clubs.text.errors import DomainError
from scoring.models import Folder
from tests.constraints import constraint_names, not_refused
from tests.factories import TESTS
from tests.tournaments.desk import desk_of
from tests.tournaments.duplicate.nights import (
    brought,
    lines_of,
    made,
    night_page,
    pages_of,
    planned,
    played,
    signed,
)
from tests.tournaments.duplicate.played import TODAY, play_all, started, with_pairs
from tests.tournaments.leagues import leader_client, league_of
from tests.tournaments.leagues.test_events_of_clubs import SCHEMA
from tests.tournaments.public_pages import get, rows, words
from tournaments.closing.services import evening_close
from tournaments.duplicate.core.dealing import commitment_of, dealt
from tournaments.duplicate.night_results import clubs_in
from tournaments.duplicate.nights import (
    night_file,
    night_file_read,
    night_open,
    night_take,
    night_unlock,
)
from tournaments.duplicate.queries import duplicate_of
from tournaments.duplicate.services import DuplicatePlan, duplicate_plan, folders_deal, ruling_give
from tournaments.leagues.event_documents import (
    document_faults,
    event_document,
)
from tournaments.leagues.exchange import event_import
from tournaments.models import (
    DuplicateEvening,
    Evening,
    FolderPlay,
    League,
    LeagueEvent,
    SharedNight,
)
from tournaments.releases.services import correction_publish, release_is_current

pytestmark = pytest.mark.django_db


class TestFile:
    def test_every_club_has_the_same_cards_and_nobody_the_seed(self) -> None:
        night = made()
        one, two = planned(night, "een"), planned(night, "twee")
        cards = [
            [
                *Folder.objects.filter(pack=each.uuid)
                .order_by("number")
                .values_list("hands", flat=True)
            ]
            for each in (one, two)
        ]
        assert cards == [[dealt(night.seed, number) for number in range(1, 7)]] * 2
        for evening in (one, two):
            duplicate = duplicate_of(evening)
            assert (duplicate.seed, duplicate.commitment) == ("", night.commitment)
            assert duplicate.night == night.uuid
        assert night.seed not in night_file(night=night, actor=TESTS)
        assert night.commitment == commitment_of(night.seed, str(night.uuid))

    @pytest.mark.parametrize(
        "change",
        [
            lambda file: file.update(format="iets anders"),
            lambda file: file.update(night="geen"),
            lambda file: file.update(commitment="kort"),
            lambda file: file.update(compare="met de hand"),
            lambda file: file.update(date="morgen"),
        ],
    )
    def test_another_file_is_refused(self, change: Callable[[dict[str, Any]], None]) -> None:
        file = json.loads(night_file(night=made(), actor=TESTS))
        change(file)
        assert night_file_read(json.dumps(file)).faults == (
            "Dit is geen bestand van een gezamenlijke avond van een competitie.",
        )

    def test_each_fault_of_the_cards_is_named(self) -> None:
        file = json.loads(night_file(night=made(), actor=TESTS))
        file["boards"][0]["hands"]["N"][0] = file["boards"][0]["hands"]["E"][0]
        file["boards"][2]["hands"]["S"].pop()
        faults = " ".join(night_file_read(json.dumps(file)).faults)
        assert "Map 1" in faults
        assert "Map 3" in faults

    def test_a_file_of_another_day_is_refused(self) -> None:
        night = made()
        evening = with_pairs(4, date=TODAY + dt.timedelta(days=7))
        with pytest.raises(DomainError) as caught:
            night_take(
                evening_id=evening.pk, text=night_file(night=night, actor=TESTS), actor=TESTS
            )
        assert caught.value.code == "bad_night"
        assert "21 november 2026" in lines_of(caught)[0]
        assert duplicate_of(evening).night is None

    def test_the_league_decides_what_is_compared(self) -> None:
        evening = planned(made(), "een")
        with pytest.raises(DomainError) as caught:
            duplicate_plan(evening_id=evening.pk, plan=DuplicatePlan(folders=12), actor=TESTS)
        assert caught.value.code == "night_decides"
        duplicate_plan(
            evening_id=evening.pk, plan=DuplicatePlan(kind="howell", folders=6), actor=TESTS
        )
        folders_deal(evening_id=evening.pk, actor=TESTS)
        assert duplicate_of(evening).night is None
        duplicate_plan(evening_id=evening.pk, plan=DuplicatePlan(folders=12), actor=TESTS)

    def test_by_the_page_of_the_desk(self) -> None:
        night = made()
        evening = with_pairs(4, folders=6)
        desk = desk_of(evening.club)
        address = f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/folders/night/"
        refused = desk.post(address, {"night": SimpleUploadedFile("x.json", b"{}")})
        assert refused.status_code == 422
        assert "geen bestand van een gezamenlijke avond" in words(refused)
        content = night_file(night=night, actor=TESTS).encode()
        done = desk.post(address, {"night": SimpleUploadedFile("x.json", content)}, follow=True)
        assert night.commitment in words(done)
        assert duplicate_of(evening).night == night.uuid


class TestLocked:
    @pytest.mark.full
    def test_after_the_evening_cards_and_results_wait_for_the_other_clubs(
        self, client: Client
    ) -> None:
        evening = played(made(), "een")
        assert len(rows(get(client, pages_of(evening)))) == 2
        for path in ("1/", "pairs/1/"):
            page = get(client, f"{pages_of(evening)}{path}")
            assert "Andere clubs spelen dezelfde kaarten" in words(page)
            assert rows(page) == []
        for path in ("?hands=json", "?hands=pbn"):
            assert client.get(f"{pages_of(evening)}{path}").status_code == 404
        api = f"/api/v1{pages_of(evening)}"
        assert client.get(f"{api}1/").status_code == 404
        assert client.get(api).json()["seed"] is None
        desk = desk_of(evening.club)
        paper = f"/clubs/een/desk/evenings/{evening.slug}/folders/boards.pdf"
        assert desk.get(paper).status_code == 302

    def test_what_stands_on_the_sheets_waits_as_well(self, client: Client) -> None:
        night = made()
        evening = played(night, "een")
        own = f"/clubs/een/evenings/{evening.slug}/rounds/1/tables/1/"
        pages = (own, f"/api/v1{own}")
        written = [client.get(page).content for page in pages]
        assert client.get(f"/api/v1{own}deals/1/").status_code == 404
        assert desk_of(evening.club).get(f"/api/v1{own}deals/1/").status_code == 200
        night_unlock(evening_id=evening.pk, seed=night.seed, actor=TESTS)
        assert client.get(f"/api/v1{own}deals/1/").status_code == 200
        opened = [client.get(page).content for page in pages]
        assert [was == now for was, now in zip(written, opened, strict=True)] == [False, False]

    def test_only_the_seed_of_the_commitment_opens_it(self, client: Client) -> None:
        night = made()
        evening = played(night, "een")
        with pytest.raises(DomainError) as caught:
            night_unlock(evening_id=evening.pk, seed="0" * 64, actor=TESTS)
        assert caught.value.code == "seed_wrong"
        night_unlock(evening_id=evening.pk, seed=f" {night.seed.upper()} ", actor=TESTS)
        assert night.seed in words(get(client, pages_of(evening)))
        assert len(rows(get(client, f"{pages_of(evening)}1/"))) == 2
        assert release_is_current(evening.releases.get())

    def test_a_club_that_still_plays_cannot_use_the_seed(self) -> None:
        night = made()
        evening = planned(night, "een")
        with pytest.raises(DomainError) as caught:
            night_unlock(evening_id=evening.pk, seed=night.seed, actor=TESTS)
        assert caught.value.code == "evening_state"
        assert duplicate_of(evening).is_locked

    @pytest.mark.full
    def test_the_night_opens_when_the_last_club_is_in(self, client: Client) -> None:
        night = made()
        one, two = played(night, "een"), played(night, "twee", 2)
        brought(night, one)
        page = words(get(client, night_page(night)))
        assert "Tot nu toe klaar: Een." in page
        assert night.seed not in page
        with pytest.raises(DomainError) as caught:
            night_open(night=night, seen=night.version, actor=TESTS)
        assert caught.value.code == "night_not_over"
        brought(night, two)
        night_open(night=night, seen=night.version, actor=TESTS)
        assert night.seed in words(get(client, night_page(night)))
        for evening in (one, two):
            assert not duplicate_of(evening).is_locked
        assert night.seed in words(get(client, pages_of(one)))

    def test_a_club_that_does_not_come_any_more_is_not_waited_for(self) -> None:
        night = made()
        brought(night, played(night, "een"))
        leader = leader_client(night.league)
        desk = f"/leagues/{night.league.slug}/desk/nights/{night.pk}/"
        assert leader.post(desk, {"seen": night.version}).status_code == 422
        assert leader.post(desk, {"seen": night.version, "anyway": "1"}).status_code == 302
        assert SharedNight.objects.get().opened_at is not None


class TestDocuments:
    @pytest.mark.full
    def test_it_has_what_was_made_of_each_folder(self) -> None:
        night = made()
        evening = played(night, "een")
        document = event_document(evening, night.league.slug)
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        assert [*Draft202012Validator(schema).iter_errors(document)] == []
        assert document["version"] == 2
        boards = document["folders"]["boards"]
        assert [board["hands"] for board in boards] == [dealt(night.seed, n) for n in range(1, 7)]
        assert {person["pair"] for person in document["participants"]} == {1, 2, 3, 4}
        assert all(len(board["results"]) == 2 for board in boards)

    @pytest.mark.full
    def test_one_without_such_a_night_can_be_read_by_older_servers(self) -> None:
        evening = play_all(started(4, folders=6))
        evening_close(evening_id=evening.pk, actor=TESTS)
        document = event_document(Evening.objects.get(pk=evening.pk), "competitie")
        assert document["version"] == 1
        assert "folders" not in document
        assert document_faults(document) == []
        assert document_faults({**document, "version": 2})
        assert document_faults({**document, "version": 3})

    def test_the_same_twice_changes_nothing(self) -> None:
        night = made()
        evening = played(night, "een")
        first = brought(night, evening)
        again = event_import(
            league=night.league,
            document=event_document(evening, night.league.slug),
            actor=TESTS,
        )
        assert (again.changed, again.event) == (False, first)
        assert clubs_in(night) == ["Een"]

    def test_a_club_that_publishes_before_the_night_is_refused(self) -> None:
        night = made()
        evening = played(night, "een")
        document = event_document(evening, night.league.slug)
        document["event"]["published_at"] = "2026-11-20T22:00:00+01:00"
        with pytest.raises(DomainError) as caught:
            event_import(league=night.league, document=signed(evening, document), actor=TESTS)
        (line,) = lines_of(caught)
        assert line.startswith("Een heeft dit gepubliceerd voordat de gezamenlijke avond van 21")
        assert not LeagueEvent.objects.exists()

    def test_other_cards_are_named_by_folder(self) -> None:
        night = made()
        evening = played(night, "een")
        document = event_document(evening, night.league.slug)
        boards = document["folders"]["boards"]
        boards[1]["hands"], boards[4]["hands"] = boards[4]["hands"], boards[1]["hands"]
        with pytest.raises(DomainError) as caught:
            event_import(league=night.league, document=signed(evening, document), actor=TESTS)
        assert lines_of(caught) == [
            "Map 2: Een heeft andere kaarten gespeeld dan er gedeeld zijn.",
            "Map 5: Een heeft andere kaarten gespeeld dan er gedeeld zijn.",
        ]
        assert not LeagueEvent.objects.exists()

    def test_pairs_that_cannot_be_are_named(self) -> None:
        night = made()
        evening = played(night, "een")
        document = event_document(evening, night.league.slug)
        results = document["folders"]["boards"][0]["results"]
        results[0]["ns"] = 77
        results.append(deepcopy(results[1]))
        with pytest.raises(DomainError) as caught:
            event_import(league=night.league, document=signed(evening, document), actor=TESTS)
        twice = results[1]
        assert lines_of(caught) == [
            "Map 1: niemand is paar 77.",
            f"Map 1: paar {twice['ns']} speelt deze twee keer.",
            f"Map 1: paar {twice['ew']} speelt deze twee keer.",
        ]

    def test_folders_that_were_not_at_the_table_are_named(self) -> None:
        night = made()
        evening = played(night, "een")
        document = event_document(evening, night.league.slug)
        boards = document["folders"]["boards"]
        boards[0]["folder"] = 7
        boards[1]["folder"] = boards[2]["folder"]
        with pytest.raises(DomainError) as caught:
            event_import(league=night.league, document=signed(evening, document), actor=TESTS)
        assert lines_of(caught)[0] == "Map 3 staat er twee keer."
        boards[1]["folder"] = 2
        with pytest.raises(DomainError) as caught:
            event_import(league=night.league, document=signed(evening, document), actor=TESTS)
        assert lines_of(caught) == ["Map 7: die heeft deze gezamenlijke avond niet."]
        assert not LeagueEvent.objects.exists()

    def test_where_differences_are_compared_only_the_average_is_given(self) -> None:
        night = made(compare="mean_difference")
        evening = played(night, "een")
        document = event_document(evening, night.league.slug)
        results = document["folders"]["boards"][0]["results"]
        results[0]["rulings"], results[1]["rulings"] = {"NS": 50}, {"EW": 60}
        with pytest.raises(DomainError) as caught:
            event_import(league=night.league, document=signed(evening, document), actor=TESTS)
        (line,) = lines_of(caught)
        assert line.startswith("Map 1: ")

    def test_a_night_of_another_league_is_unknown(self) -> None:
        night = made()
        evening = played(night, "een")
        other = league_of("Elders", club=evening.club)
        with pytest.raises(DomainError) as caught:
            event_import(league=other, document=event_document(evening, other.slug), actor=TESTS)
        assert lines_of(caught) == [
            "Deze avond hoort bij een gezamenlijke avond die deze competitie niet heeft."
        ]

    def test_a_correction_counts(self) -> None:
        night = made()
        evening = played(night, "een")
        brought(night, evening)
        play = FolderPlay.objects.filter(folder__pack=evening.uuid).order_by("pk")[0]
        ruling_give(
            evening_id=evening.pk,
            play_id=play.pk,
            percent=40,
            reason="x",
            fouled=False,
            actor=TESTS,
        )
        correction_publish(evening=evening, reason="x", actor=TESTS)
        event = brought(night, Evening.objects.get(pk=evening.pk))
        rulings = [
            each["rulings"]
            for board in event.document["folders"]["boards"]
            for each in board["results"]
            if each["rulings"]
        ]
        assert rulings == [{play.line: 40}]


class TestRanking:
    def test_all_pairs_of_all_clubs_together(self, client: Client) -> None:
        night = made()
        evenings = [played(night, "een"), played(night, "twee", 2, pairs=6)]
        for evening in evenings:
            brought(night, evening)
        night_open(night=night, seen=night.version, actor=TESTS)
        page = get(client, night_page(night))
        clubs, pairs = rows(page), rows(page, table=1)
        assert sorted(row[1] for row in clubs) == ["Een", "Twee"]
        assert len(pairs) == 10
        percents = [float(row[2].rstrip("%").replace(",", ".")) for row in pairs]
        assert percents == sorted(percents, reverse=True)
        one = evenings[0].club.members.get(number=1)
        assert one.name in words(page)
        csv = client.get(f"{night_page(night)}?format=csv").content.decode().splitlines()
        assert len(csv) == 11
        assert client.get(f"{night_page(night)}?page=2").status_code == 404

    def test_who_is_hidden_at_their_club_is_hidden_here(self, client: Client) -> None:
        night = made(clubs=1)
        evening = played(night, "een")
        brought(night, evening)
        night_open(night=night, seen=night.version, actor=TESTS)
        member = evening.club.members.get(number=1)
        Member.objects.filter(pk=member.pk).update(public_as="hidden")
        for address in (night_page(night), f"{night_page(night)}?format=csv"):
            assert member.name not in client.get(address).content.decode()

    @pytest.mark.parametrize("clubs", [1, 3])
    def test_the_page_takes_as_few_queries_for_many_clubs(
        self, client: Client, clubs: int, django_assert_num_queries: object
    ) -> None:
        night = made(clubs=clubs)
        for number in range(clubs):
            brought(night, played(night, f"club-{number}", number))
        night_open(night=night, seen=night.version, actor=TESTS)
        get(client, night_page(night))
        with django_assert_num_queries(7):  # type: ignore[operator]
            get(client, night_page(night))


BREAKS: dict[str, Callable[[], object]] = {
    "shared_night_comparison_known": lambda: SharedNight.objects.update(compare="x"),
    "shared_night_of_clubs_and_folders": lambda: SharedNight.objects.update(clubs=0),
    "shared_night_has_its_seed": lambda: SharedNight.objects.update(seed=""),
}


@pytest.mark.both
def test_the_database_holds() -> None:
    made()
    assert not_refused(BREAKS) == []
    assert constraint_names(SharedNight) == set(BREAKS)


def test_a_leader_makes_a_night_on_the_page() -> None:
    league = league_of()
    leader = leader_client(league)
    given = {
        "name": "Samen",
        "date": "2026-11-21",
        "clubs": 12,
        "folders": 24,
        "compare": "matchpoints",
    }
    address = f"/leagues/{league.slug}/desk/nights/"
    for faulty in ({"clubs": 0}, {"date": ""}):
        assert leader.post(address, {**given, **faulty}).status_code == 422
    assert leader.post(address, given).status_code == 302
    night = League.objects.get().nights.get()
    cards = leader.post(f"{address}{night.pk}/cards/")
    assert json.loads(cards.content)["commitment"] == night.commitment
    assert len(json.loads(cards.content)["boards"]) == 24
    assert "gedownload" in words(get(leader, f"/leagues/{league.slug}/desk/trail/"))
    assert Club.objects.count() == 1
    assert not DuplicateEvening.objects.exists()
