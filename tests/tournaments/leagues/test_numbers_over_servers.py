"""League numbers of people whose club is on another server: noted there, sent along with its
evenings, known by their code; rankings read those evenings; and clubs that say they are another."""

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from clubs.audit.services import chain_faults
from clubs.merges.services import guest_merge, merge_undo
from clubs.models import Club, Member
from clubs.privacy.dossier import dossier_of
from clubs.privacy.erasing import member_erase
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues import division_of, leader_client, league_of
from tests.tournaments.leagues.test_events_of_clubs import (
    DOUBT,
    document_of,
    elsewhere,
    faults,
    played,
    the_league,
    upload,
)
from tests.tournaments.leagues.test_rankings import club_in, four, known, published
from tests.tournaments.leagues.test_rankings import played as played_here
from tests.tournaments.public_pages import get, rows, words
from tournaments.leagues.event_documents import event_document, sign
from tournaments.leagues.event_notes import note, notes_in_words
from tournaments.leagues.exchange import event_import
from tournaments.leagues.people import (
    club_people,
    number_elsewhere_write,
    person_code,
    person_link_make,
    person_number_give,
)
from tournaments.models import (
    Evening,
    EventSource,
    League,
    LeagueEvent,
    LeagueMatch,
    LeaguePerson,
    LeaguePlayer,
    LeagueTeam,
    MatchDay,
    NumberElsewhere,
    PastResult,
    PersonLink,
)
from tournaments.releases.services import release_publish

pytestmark = pytest.mark.django_db
Json = dict[str, Any]
WRITES = "INSERT", "UPDATE", "DELETE"


@pytest.fixture
def league() -> League:
    made = league_of()
    division_of(made, drawn=False)
    return made


def noted(member: Member, league: League, person: LeaguePerson, code: str = "") -> None:
    """The club of this member notes that this number is theirs."""
    number_elsewhere_write(
        member=member,
        league=league.slug,
        number=person.number,
        code=code or person_code(person),
        actor=TESTS,
    )


def given(league: League) -> LeaguePerson:
    return person_number_give(league=league, actor=TESTS)


def event_of(club: Club, league: League, date: dt.date, totals: dict[Member, int]) -> Json:
    """The document of a published evening of three rounds."""
    evening = EveningFactory.create(club=club, date=date)
    for member, total in totals.items():
        for number in (1, 2, 3):
            PastResult.objects.create(
                evening=evening, member=member, round=number, score=total // 3
            )
    Evening.objects.filter(pk=evening.pk).update(state=Evening.State.CLOSED)
    evening.refresh_from_db()
    release_publish(evening=evening, actor=TESTS, reason="")
    return event_document(evening, league.slug)


def move_away(club: Club) -> None:
    """From now on nothing of the club is on this server."""
    Evening.objects.filter(club=club).delete()
    NumberElsewhere.objects.filter(member__club=club).delete()
    for member in Member.objects.filter(club=club):
        Member.objects.filter(pk=member.pk).update(uuid=uuid4())
    Club.objects.filter(pk=club.pk).update(uuid=uuid4(), name=f"Weg {club.pk}")


def taken_in(league: League, document: Json) -> list[str]:
    """What could not be used of it."""
    return list(event_import(league=league, document=document, actor=TESTS).notes)


@pytest.mark.both
def test_a_number_goes_from_the_league_to_a_club_elsewhere_and_back(
    league: League, client: Client
) -> None:
    leader, desk = leader_client(league), f"/leagues/{league.slug}/desk/rankings/"
    page = leader.post(f"/leagues/{league.slug}/desk/people/give/", follow=True)
    person = LeaguePerson.objects.get()
    code = person_code(person)
    assert messages_in(page) == [
        f"Nummer 1 met code {code}: vertel beide aan wie het krijgt, en aan niemand anders."
    ]
    assert f"1 code {code}, nog niet gebruikt" in words(page)
    club = ClubFactory.create(name="Zuid", slug="zuid")
    people = four(club)
    url = "/clubs/zuid/desk/events/"
    form = {"in_league": league.slug, "member": people[0].pk, "number": "1"}
    page = desk_of(club).post(url, {**form, "code": "kort"})
    assert page.status_code == 422
    assert "Een code heeft tien letters en cijfers" in words(page)
    page = desk_of(club).post(url, {**form, "code": code.lower()}, follow=True)
    assert messages_in(page) == ["Het nummer is genoteerd; het gaat mee met elke avond."]
    assert f"nummer 1 in {league.slug}" in words(page)
    page = desk_of(club).post(url, {**form, "member": people[1].pk, "code": code})
    assert f"{people[0].name} heeft nummer 1 van die competitie al." in words(page)
    document = event_of(club, league, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    numbers = {each["name"]: (each["number"], each["code"]) for each in document["participants"]}
    assert numbers == {person.name: (None, None) for person in people} | {
        people[0].name: ("1", code)
    }
    move_away(club)
    assert taken_in(league, document) == []
    kept = LeagueEvent.objects.get().document["participants"]
    assert all({"name", "code"}.isdisjoint(each) for each in kept)
    assert f"1 {people[0].name}, Zuid" in words(get(leader, desk))
    url = published(league, "2026-11-22", minimum_rounds="3")
    assert rows(get(client, url)) == [["1", f"{people[0].name} (nr. 1)", "1.500,00", "3"]]
    person_page = words(get(client, f"/leagues/{league.slug}/people/1/"))
    assert "4 januari 2026, Zuid: 4.500 in 3 rondes" in person_page
    page = leader.post(f"/leagues/{league.slug}/desk/people/1/take-back/", follow=True)
    assert messages_in(page) == ["Nummer 1 is van niemand meer."]
    assert PersonLink.objects.count() == 0
    assert rows(get(client, url)) == [["1", "Anoniem", "1.500,00", "3"]]
    league.refresh_from_db()
    assert chain_faults(league) == ()


def test_whom_the_club_hides_goes_without_number_and_name(league: League, client: Client) -> None:
    club = ClubFactory.create(name="Zuid")
    shown, hidden, renamed = (MemberFactory.create(club=club) for _each in range(3))
    for member in (shown, hidden, renamed):
        noted(member, league, given(league))
    Member.objects.filter(pk=hidden.pk).update(public_as="hidden")
    Member.objects.filter(pk=renamed.pk).update(public_name="Roemer")
    totals = dict.fromkeys((shown, hidden, renamed), 4500)
    document = event_of(club, league, dt.date(2026, 1, 4), totals)
    assert sorted(each["number"] or "" for each in document["participants"]) == ["", "", "1"]
    # Somebody who is hidden later is so at the next evening; their results still count.
    Member.objects.filter(pk=shown.pk).update(public_as="hidden")
    second = event_of(club, league, dt.date(2026, 2, 4), totals)
    move_away(club)
    taken_in(league, document)
    assert PersonLink.objects.get().name == shown.name
    taken_in(league, second)
    assert PersonLink.objects.get().name == ""
    url = published(league, "2026-11-22", minimum_rounds="3", event_players="3")
    assert rows(get(client, url)) == [["1", "Anoniem", "1.500,00", "6"]]
    assert client.get(f"/leagues/{league.slug}/people/1/").status_code == 404


@pytest.mark.both
def test_a_number_needs_its_code_and_is_of_one_person_of_a_club(league: League) -> None:
    club = ClubFactory.create(name="Zuid")
    one, two = (MemberFactory.create(club=club, name=name) for name in ("Ans Kok", "Bep Vos"))
    first, second = given(league), given(league)
    noted(one, league, first)
    noted(two, league, second, code="AAAAA-AAAAA")
    day = dt.date(2026, 1, 4)
    document = event_of(club, league, day, {one: 4500, two: 4200})
    NumberElsewhere.objects.filter(member=one).delete()
    NumberElsewhere.objects.filter(member=two).delete()
    noted(two, league, first)
    later = event_of(club, league, day + dt.timedelta(days=7), {two: 4200})
    move_away(club)
    said_wrong = "Nummer 2 en de code die meekwam, horen niet bij elkaar."
    said_taken = "Nummer 1 is al van iemand anders van deze club."
    assert taken_in(league, document) == [said_wrong]
    assert taken_in(league, later) == [said_taken]
    assert [link.name for link in PersonLink.objects.all()] == ["Ans Kok"]
    # Both are kept with their event, in the language of the reader, and without a name.
    page = words(get(leader_client(league), f"/leagues/{league.slug}/desk/events/"))
    assert said_wrong in page
    assert said_taken in page
    assert [event.notes for event in LeagueEvent.objects.order_by("date")] == [
        [{"about": "number_wrong", "number": "2"}],
        [{"about": "number_taken", "number": "1"}],
    ]
    with translation.override("en"):
        assert notes_in_words(LeagueEvent.objects.get(date=day).notes) == [
            "The number 2 and the code that came with it do not belong together."
        ]
    # A team can be called as a person is: what names them goes when they are erased.
    named = note("binding", round=1, match="Bep Vos – Negens")
    LeagueEvent.objects.filter(date=day).update(notes=[named])
    member_erase(member=Member.objects.get(pk=two.pk), actor=TESTS)
    assert [event.notes for event in LeagueEvent.objects.order_by("date")] == [
        [],
        [{"about": "number_taken", "number": "1"}],
    ]


@pytest.mark.both
def test_an_event_that_waits_is_not_written_when_it_comes_again(league: League) -> None:
    club = ClubFactory.create(name="Zuid")
    people = [MemberFactory.create(club=club) for _each in range(53)]
    for member in people:
        noted(member, league, given(league), code="AAAAA-AAAAA")
    document = event_of(club, league, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    move_away(club)
    said = taken_in(league, document)
    assert (len(said), said[-1]) == (51, "En nog 3 opmerkingen.")
    with CaptureQueriesContext(connection) as asked:
        assert taken_in(league, document) == said
    assert [sql for each in asked if (sql := each["sql"]).startswith(WRITES)] == []


@pytest.mark.both
def test_no_club_links_somebody_of_another(league: League) -> None:
    """Links are by league and member: a document with the ids of people of other clubs, here or
    elsewhere, changes nothing of them."""
    here, third, away = club_in(league, "De Azen"), ClubFactory.create(), ClubFactory.create()
    linked, own = four(here)[:2]
    person = known(league, linked)
    stranger = MemberFactory.create(club=third, name="Cor Bos")
    noted(stranger, league, given(league))
    uuids = [own.uuid, linked.uuid, stranger.uuid]
    first = event_of(third, league, dt.date(2026, 1, 4), {stranger: 4500})
    others = [MemberFactory.create(club=away, name=name) for name in ("Ab", "Bo", "Ce")]
    for member in others:
        noted(member, league, given(league))
    document = event_of(away, league, dt.date(2026, 2, 4), dict.fromkeys(others, 4500))
    by_name = {"Ab": uuids[0], "Bo": uuids[1], "Ce": uuids[2]}
    for each in document["participants"]:
        each["id"] = str(by_name[each["name"]])
    document = sign(away, document)
    for club in (third, away):
        move_away(club)
    taken_in(league, first)
    before = list(PersonLink.objects.order_by("pk").values())
    assert [link["member_uuid"] for link in before] == [linked.uuid, stranger.uuid]
    assert sorted(taken_in(league, document)) == [
        f"Wie met nummer {number} meekwam, is hier iemand van een andere club, dus het nummer is"
        " niet gebruikt."
        for number in (3, 4, 5)
    ]
    assert list(PersonLink.objects.order_by("pk").values()) == before
    # The club still makes a link for its own member, and sees each.
    link = person_link_make(league=league, member=own, actor=TESTS)
    assert (link.club_uuid, link.person) == (here.uuid, None)
    assert {each.member: each.link for each in club_people(league, here)} == {
        linked: PersonLink.objects.get(person=person),
        own: link,
    }


@pytest.mark.both
def test_somebody_is_one_person_at_a_club_here_and_at_one_elsewhere(
    league: League, client: Client
) -> None:
    here, away = club_in(league, "De Azen"), ClubFactory.create(name="Zuid")
    people, others = four(here), four(away)
    person = known(league, people[0])
    noted(others[0], league, person)
    played_here(league, here, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    document = event_of(away, league, dt.date(2026, 2, 4), dict.fromkeys(others, 6000))
    move_away(away)
    taken_in(league, document)
    url = published(league, "2026-11-22", minimum_rounds="6")
    # The name that says least: both clubs show it.
    name = min(people[0].name, others[0].name, key=len)
    assert rows(get(client, url)) == [["1", f"{name} (nr. 1)", "1.750,00", "6"]]
    said = words(get(client, f"/leagues/{league.slug}/people/1/"))
    assert "De Azen: 4.500 in 3 rondes" in said
    assert "Zuid: 6.000 in 3 rondes" in said
    leader = leader_client(league)
    page = leader.post(f"/leagues/{league.slug}/desk/people/1/take-back/", follow=True)
    assert messages_in(page) == [
        "Wie bij een club op deze server hoort, beëindigt het met de eigen link."
    ]


def test_a_club_says_nothing_of_who_is_of_another(league: League, client: Client) -> None:
    """A document with the ids of another club's people gives those no results."""
    here, away = club_in(league, "De Azen"), ClubFactory.create(name="Zuid")
    people = four(here)
    known(league, people[0])
    played_here(league, here, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    others = four(away)
    document = event_of(away, league, dt.date(2026, 2, 4), dict.fromkeys(others, 9000))
    move_away(away)
    taken_in(league, document)
    event = LeagueEvent.objects.get()
    event.document["participants"][0]["id"] = str(people[0].uuid)
    event.save()
    url = published(league, "2026-11-22", minimum_rounds="3")
    assert rows(get(client, url)) == [["1", f"{people[0].name} (nr. 1)", "1.500,00", "3"]]


def test_strength_is_read_from_the_tables_of_an_event(client: Client) -> None:
    club, _day, evening = played()
    league = the_league()
    player = Member.objects.get(club=club, name="Boeren 1")
    noted(player, league, given(league))
    Evening.objects.update(date=dt.date(2026, 11, 1))
    MatchDay.objects.update(date=dt.date(2026, 11, 1))
    evening.refresh_from_db()
    document = document_of(evening)
    elsewhere(club)
    move_away(club)
    page = upload(document)
    assert messages_in(page)[0] == "De avond is binnen, met 6 uitslagen van wedstrijden."
    rule = {"system": "strength", "ranks": "team", "family": "", "minimum_rounds": "3"}
    ((place, name, value, _between, rounds),) = rows(
        get(client, published(league, "2026-11-22", **rule))
    )
    assert (place, name, rounds) == ("1", "Boeren 1 (nr. 1)", "3")
    assert int(value.replace("−", "-").replace("+", "")) != 0


def test_a_visitor_of_a_day_elsewhere_is_the_player_they_are(client: Client) -> None:
    club, _day, evening = played()
    league = the_league()
    away = Club.objects.get(slug="negens")
    LeagueTeam.objects.filter(name="Negens").update(club="Negens", club_uuid=away.uuid)
    visitor = MemberFactory.create(club=away, name="Negens 2")
    LeaguePlayer.objects.filter(name="Negens 2").update(member_uuid=visitor.uuid)
    known(league, visitor)
    Evening.objects.update(date=dt.date(2026, 11, 1))
    MatchDay.objects.update(date=dt.date(2026, 11, 1))
    evening.refresh_from_db()
    document = document_of(evening)
    Evening.objects.all().delete()
    Club.objects.filter(pk=club.pk).update(uuid=uuid4(), name="Weg")
    upload(document)
    rule = {"ranks": "team", "minimum_rounds": "3", "family": "amsterdam-16"}
    (row,) = rows(get(client, published(league, "2026-11-22", **rule)))
    assert (row[1], row[3]) == ("Negens 2 (nr. 1)", "3")


def test_who_is_erased_or_merged_takes_their_number_along(league: League) -> None:
    club = ClubFactory.create(name="Zuid")
    member = MemberFactory.create(club=club, name="Jan de Vries")
    guest = MemberFactory.create(club=club, name="J. Vries", kind="guest")
    noted(guest, league, given(league))
    sections = {section.key: section.rows for section in dossier_of(guest)}
    assert [row[:2] for row in sections["league_numbers"]] == [(league.slug, 1)]
    merge = guest_merge(guest=guest, member=member, actor=TESTS)
    assert NumberElsewhere.objects.get().member == member
    merge_undo(merge=merge, actor=TESTS)
    assert NumberElsewhere.objects.get().member == guest
    member_erase(member=guest, actor=TESTS)
    assert not NumberElsewhere.objects.exists()


# Clubs that say they are another.


def test_a_club_that_takes_the_name_of_another_is_refused() -> None:
    club, _day, evening = played()
    LeagueTeam.objects.filter(name="Boeren").update(club="Boeren")
    document = document_of(evening)
    league = the_league()
    elsewhere(club)
    # A club of this server by that name plays in the league: whoever comes is not that club.
    own = ClubFactory.create(name="Boeren", slug="boeren-2")
    LeagueTeam.objects.filter(name="De Azen").update(club="Boeren", club_uuid=own.uuid)
    not_here = "Boeren is een club op deze server, en dit is een andere."
    assert faults(upload(document)) == [not_here]
    LeagueTeam.objects.filter(name="De Azen").update(club="", club_uuid=None)
    # Another club elsewhere has that name in this league.
    EventSource.objects.create(league=league, club="Boeren", club_uuid=uuid4(), key="0" * 64)
    another = "Er is hier al een andere club bekend als Boeren; dit is die club niet."
    assert faults(upload(document)) == [another]
    EventSource.objects.all().delete()
    # A club that was known as another calls itself so from now on.
    EventSource.objects.create(
        league=league,
        club="Zuid",
        club_uuid=document["club"]["id"],
        key=document["club"]["key"],
    )
    (said,) = faults(upload(document))
    assert said.startswith("Deze club heette tot nu toe Zuid en noemt zich nu Boeren")
    assert LeagueMatch.objects.exclude(scores=[]).count() == LeagueEvent.objects.count() == 0


@pytest.mark.full
def test_results_whose_host_only_says_so_itself_are_marked() -> None:
    club, day, evening = played()
    LeagueTeam.objects.filter(name="Boeren").update(club="Boeren")
    document = document_of(evening)
    elsewhere(club)
    page = upload(document)
    assert messages_in(page)[1:] == [DOUBT]
    league = the_league()
    said = words(get(leader_client(league), f"/leagues/{league.slug}/desk/days/{day.pk}/"))
    assert "Uitslagen van deze dag kwamen van Boeren, als bestand." in said
    assert "Dat dit de club is die ontvangt, blijkt op deze server nergens uit." in said
