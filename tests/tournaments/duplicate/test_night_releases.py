"""The common ranking of a night as it is published: once the night opens, anew when more came in,
never changed, and on paper."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from clubs.models import AuditEvent, Member, MemberMerge
from clubs.privacy.erasing import member_erase
from clubs.text.errors import DomainError, VersionConflict
from tests.constraints import constraint_names, not_refused
from tests.factories import TESTS
from tests.pdfs import page_texts, smallest_type, words_off_the_page
from tests.tampering import triggers_lift
from tests.tournaments.duplicate.nights import brought, made, night_page, played
from tests.tournaments.leagues import leader_client
from tests.tournaments.public_pages import get, rows, words
from tournaments.audit.verify import night_release_faults
from tournaments.duplicate.night_results import night_publish, night_results, release_make
from tournaments.duplicate.nights import night_open
from tournaments.duplicate.results_pdf import night_pdf
from tournaments.duplicate.services import ruling_give
from tournaments.models import (
    Evening,
    FolderPlay,
    LeaguePerson,
    NightRelease,
    PersonLink,
    SharedNight,
)
from tournaments.releases.services import correction_publish

pytestmark = pytest.mark.django_db


def opened(clubs: int = 2, pairs: int = 4) -> tuple[SharedNight, list[Evening]]:
    """An open night, and the evenings of its clubs."""
    night = made(clubs=clubs)
    evenings = [played(night, f"club-{n}", n, pairs) for n in range(clubs)]
    for evening in evenings:
        brought(night, evening)
    night = night_open(night=night, seen=night.version, actor=TESTS)
    return SharedNight.objects.select_related("league").get(), evenings


def correct(evening: Evening) -> Evening:
    """Take a folder away from the first pair, and publish that."""
    play = FolderPlay.objects.filter(folder__pack=evening.uuid, pair=1).order_by("pk")[0]
    ruling_give(
        evening_id=evening.pk, play_id=play.pk, percent=0, reason="x", fouled=False, actor=TESTS
    )
    correction_publish(evening=evening, reason="x", actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def desk_page(night: SharedNight) -> str:
    return f"/leagues/{night.league.slug}/desk/nights/{night.pk}/"


def test_it_is_published_when_the_night_opens(client: Client) -> None:
    night, evenings = opened()
    release = night.releases.get()
    assert (release.number, len(release.clubs), len(release.pairs)) == (1, 2, 8)
    assert {row["event"] for row in release.pairs} == {str(each.uuid) for each in evenings}
    event = AuditEvent.objects.get(action="night_published")
    assert event.data == {"number": 1, "seal": release.seal, "clubs": 2}
    page = words(get(client, night_page(night)))
    assert "Publicatie 1, " in page
    assert release.seal in page
    assert night_release_faults(club=None) == []


def test_a_correction_counts_once_the_league_publishes_anew(client: Client) -> None:
    night, evenings = opened()
    before = rows(get(client, night_page(night)), table=1)
    leader = leader_client(night.league)
    assert "opnieuw publiceren" not in words(get(leader, desk_page(night)))
    brought(night, correct(evenings[0]))
    page = get(client, night_page(night))
    assert rows(page, table=1) == before
    assert "er volgt een nieuwe uitslag" in words(page)
    assert "De ranglijst opnieuw publiceren" in words(get(leader, desk_page(night)))
    assert leader.post(desk_page(night), {"seen": night.version}).status_code == 302
    page = get(client, night_page(night))
    assert rows(page, table=1) != before
    assert "er volgt een nieuwe uitslag" not in words(page)
    assert "Publicatie 2, " in words(page)
    first = get(client, f"{night_page(night)}releases/1/")
    assert rows(first, table=1) == before
    assert "Er is een latere." in words(first)
    assert client.get(f"{night_page(night)}releases/3/").status_code == 404


def test_nothing_is_published_without_a_reason() -> None:
    night = made(clubs=1)
    evening = played(night, "een")
    brought(night, evening)
    with pytest.raises(DomainError) as caught:
        night_publish(night=night, seen=night.version, actor=TESTS)
    assert caught.value.code == "night_not_open"
    night = night_open(night=night, seen=night.version, actor=TESTS)
    with pytest.raises(DomainError) as caught:
        night_publish(night=night, seen=night.version, actor=TESTS)
    assert caught.value.code == "night_is_current"
    brought(night, correct(evening))
    with pytest.raises(VersionConflict):
        night_publish(night=night, seen=night.version - 1, actor=TESTS)
    leader = leader_client(night.league)
    refused = leader.post(desk_page(night), {"seen": night.version - 1})
    assert refused.status_code == 422
    assert "Dit is intussen veranderd. Kijk opnieuw." in words(refused)
    assert NightRelease.objects.count() == 1


def test_a_night_opened_without_any_club_is_published_when_one_comes(client: Client) -> None:
    night = made()
    night = night_open(night=night, seen=night.version, actor=TESTS, anyway=True)
    page = words(get(client, night_page(night)))
    assert "Er is nog niets gepubliceerd." in page
    assert night.seed in page
    brought(night, played(night, "een"))
    leader = leader_client(night.league)
    assert "Nu is er iets te publiceren." in words(get(leader, desk_page(night)))
    assert leader.post(desk_page(night), {"seen": night.version}).status_code == 302
    assert NightRelease.objects.get().number == 1


@pytest.mark.both
def test_the_database_refuses_to_change_it_and_verify_sees_it() -> None:
    night, _evenings = opened(clubs=1)
    release = night.releases.get()
    table = NightRelease._meta.db_table
    for change in (f"UPDATE {table} SET number = 2", f"DELETE FROM {table}"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)
    triggers_lift()
    NightRelease.objects.update(pairs=[release.pairs[0] | {"value": "100"}])
    assert night_release_faults(club=None) == [
        f"league {night.league.slug}: release 1 of Samen spelen was changed"
    ]
    NightRelease.objects.all().delete()
    assert night_release_faults(club=None) == [f"release 1 of sharednight:{night.pk} is missing"]


@pytest.mark.both
def test_the_database_holds() -> None:
    night, _evenings = opened(clubs=1)
    triggers_lift()

    def twice() -> None:
        release = night.releases.get()
        release.pk = None
        release.save(force_insert=True)

    breaks = {
        "night_release_number_once": twice,
        "night_release_number_from_1": lambda: NightRelease.objects.update(number=0),
    }
    assert not_refused(breaks) == []
    assert constraint_names(NightRelease) == set(breaks)


def test_names_are_those_of_today(client: Client) -> None:
    night, evenings = opened(clubs=1)
    member = evenings[0].club.members.get(number=1)
    assert member.name not in str(night.releases.get().pairs)
    paper = f"{night_page(night)}releases/1.pdf"
    shown = night_page(night), f"{night_page(night)}?format=csv"
    for address in shown:
        assert member.name in client.get(address).content.decode()
    assert member.name in " ".join(page_texts(client.get(paper).content))
    Member.objects.filter(pk=member.pk).update(public_as="hidden")
    for address in shown:
        assert member.name not in client.get(address).content.decode()
    assert member.name not in " ".join(page_texts(client.get(paper).content))


def test_who_is_erased_loses_the_name_and_the_release_stays(client: Client) -> None:
    night, evenings = opened(clubs=1)
    member = evenings[0].club.members.get(number=1)
    name = member.name
    member_erase(member=member, actor=TESTS)
    page = get(client, night_page(night)).content.decode()
    assert name not in page
    member.refresh_from_db()
    assert member.shown_name in page
    assert night_release_faults(club=None) == []


@pytest.mark.both
def test_names_of_a_guest_who_became_a_member_and_of_a_club_elsewhere() -> None:
    night, evenings = opened(clubs=1)
    club = evenings[0].club
    guest, away, stranger = (str(uuid4()) for _ in range(3))
    member = club.members.get(number=1)
    MemberMerge.objects.create(club=club, member=member, guest={"uuid": guest, "id": 0})
    person = LeaguePerson.objects.create(league=night.league, number=7)
    PersonLink.objects.create(
        league=night.league,
        club_uuid=uuid4(),
        member_uuid=away,
        person=person,
        name="Zus van Ver",
        confirmed_at=timezone.now(),
    )
    release = night.releases.get()
    release.night = night
    row = release.pairs[0]
    release.pairs = [{**row, "people": [guest, away]}, {**row, "pair": 9, "people": [stranger]}]
    assert [pair.names for pair in night_results(release).pairs()] == [
        f"{member.name} – Zus van Ver",
        "Paar 9",
    ]


@pytest.mark.full
def test_on_paper(client: Client, tmp_path: Path) -> None:
    night, evenings = opened()
    answer = client.get(f"{night_page(night)}releases/1.pdf")
    assert answer.headers["Content-Type"] == "application/pdf"
    (text,) = page_texts(answer.content)
    release = night.releases.get()
    for part in ("Samen spelen", "Club-0", "Club-1", "Alle paren", release.seal, night.commitment):
        assert part in text
    assert "nieuwe uitslag" not in text
    best = night_results(release).pairs()[0]
    assert f"1 {best.names} {best.club}" in text
    assert words_off_the_page(answer.content, tmp_path) == []
    assert smallest_type(answer.content)[0] >= 7
    brought(night, correct(evenings[0]))
    (text,) = page_texts(client.get(f"{night_page(night)}releases/1.pdf").content)
    assert "er volgt een nieuwe uitslag" in text


@pytest.mark.full
def test_a_long_ranking_has_its_headings_on_each_page() -> None:
    night, _evenings = opened(clubs=1)
    release = night.releases.get()
    release.night = night
    release.pairs = [
        {**release.pairs[0], "place": place, "pair": place, "people": []} for place in range(1, 101)
    ]
    pages = page_texts(night_pdf(night_results(release)))
    assert len(pages) == 4
    for number, text in enumerate(pages, 1):
        assert "Plaats Paar" in text
        assert f"pagina {number} van 4" in text
    assert sum(text.count("Paar ") for text in pages) >= 100


def test_two_evenings_of_a_club_are_told_apart() -> None:
    night, _evenings = opened(clubs=1)
    release = night.releases.get()
    release.night = night
    release.clubs = [release.clubs[0], {**release.clubs[0], "event": "x"}]
    assert [club.name for club in night_results(release).clubs()] == ["Club-0 (1)", "Club-0 (2)"]


def test_each_release_has_the_next_number() -> None:
    night = made()
    numbers = [release_make(night, TESTS).number for _ in range(2)]
    assert numbers == [1, 2]
