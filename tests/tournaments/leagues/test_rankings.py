"""Numbers of people over the clubs of a league, and the rankings they are in, through the pages."""

import datetime as dt
import re
from typing import Any

import pytest
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.test import Client

from clubs.accounts.services import outbox
from clubs.merges.services import guest_merge, merge_undo
from clubs.models import Club, Member
from clubs.privacy.dossier import dossier_of
from clubs.privacy.erasing import member_erase
from scoring.audit.verify import trail_faults
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.pdfs import page_texts
from tests.tampering import triggers_lift
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues import division_of, leader_client, league_of
from tests.tournaments.leagues.test_evenings_of_leagues import play_round, ready
from tests.tournaments.leagues.test_what_leagues_keep import filled_in
from tests.tournaments.public_pages import get, rows, words
from tournaments.audit.verify import ranking_list_faults
from tournaments.closing.services import evening_close
from tournaments.leagues.evenings import match_day_evening_make, match_day_seat
from tournaments.leagues.people import (
    link_path,
    people_shown,
    person_code,
    person_confirm,
    person_link_make,
)
from tournaments.leagues.rankings import ranked_evening_enter
from tournaments.models import (
    Evening,
    League,
    LeaguePerson,
    LeaguePlayer,
    LeagueRanking,
    LeagueTeam,
    PastResult,
    PersonLink,
    RankingList,
)

pytestmark = pytest.mark.django_db

RULE = {
    "name": "Beste spelers",
    "system": "mean",
    "ranks": "player",
    "family": "amsterdam-16",
    "minimum_rounds": "36",
    "months": "24",
    "event_players": "4",
    "event_rounds": "3",
    "full": "5",
    "half": "5",
    "weights": "100, 75, 50, 25",
}


def club_in(league: League, name: str) -> Club:
    """A club with a team in the league."""
    club = ClubFactory.create(name=name)
    team = LeagueTeam.objects.filter(division__season__league=league, club_uuid=None)[0]
    LeagueTeam.objects.filter(pk=team.pk).update(club=name, club_uuid=club.uuid)
    return club


def known(league: League, member: Member) -> LeaguePerson:
    """This member with a number of the league."""
    link = person_link_make(league=league, member=member, actor=TESTS)
    return person_confirm(link=link, actor=TESTS)


def played(
    league: League, club: Club, date: dt.date, totals: dict[Member, int], *, rounds: int = 3
) -> Evening:
    """A closed evening with totals of each round, which counts for the rankings."""
    evening = EveningFactory.create(club=club, date=date)
    for member, total in totals.items():
        for number in range(1, rounds + 1):
            part = total // rounds + (number <= total % rounds)
            PastResult.objects.create(evening=evening, member=member, round=number, score=part)
    Evening.objects.filter(pk=evening.pk).update(state=Evening.State.CLOSED)
    evening.refresh_from_db()
    ranked_evening_enter(league=league, evening=evening, actor=TESTS)
    return evening


def four(club: Club) -> list[Member]:
    return [MemberFactory.create(club=club) for _number in range(4)]


def made(league: League, **rule: str) -> tuple[Client, LeagueRanking, str]:
    """A ranking made on its page, its leader, and the page on which it is published."""
    leader = leader_client(league)
    page = leader.post(f"/leagues/{league.slug}/desk/rankings/", RULE | rule)
    assert page.status_code == 302, words(page)
    ranking = league.rankings.get(name=rule.get("name", RULE["name"]))
    return leader, ranking, f"/leagues/{league.slug}/desk/rankings/{ranking.pk}/publish/"


def published(league: League, on: str, **rule: str) -> str:
    """The public page of a ranking that was published as it stands on a day."""
    leader, ranking, url = made(league, **rule)
    seen = leader.get(url, {"on": on}).context["seen"]
    page = leader.post(url, {"on": on, "seen": seen}, follow=True)
    assert "De lijst is gepubliceerd. Die kan niet meer veranderen." in messages_in(page)
    return f"/leagues/{league.slug}/rankings/{ranking.slug}/"


@pytest.fixture
def league() -> League:
    made = league_of()
    division_of(made, drawn=False)
    return made


# The worked figures of competitions.md, section 5.


def test_a_mean_per_round_over_24_months(league: League, client: Client) -> None:
    club = club_in(league, "De Azen")
    people = four(club)
    known(league, people[0])
    known(league, people[1])
    for month in range(1, 13):
        totals = dict.fromkeys(people[:1] + people[2:], 4650)
        if month < 5:
            totals[people[1]] = 6000
        totals.setdefault(MemberFactory.create(club=club), 3000)
        played(league, club, dt.date(2025, month, 4), totals)
    page = get(client, published(league, "2026-11-22"))
    assert rows(page) == [["1", f"{people[0].name} (nr. 1)", "1.550,00", "36"]]
    assert re.search(rf"{people[1].name} ?: 12 boompjes", words(page))
    person = words(get(client, f"/leagues/{league.slug}/people/1/"))
    assert "Plaats 1 met 1.550,00 , zoals het stond op 22 november 2026." in person
    assert person.count("De Azen: 4.650 in 3 rondes") == 12


def test_four_seasons_of_100_80_40_and_20_make_185(league: League, client: Client) -> None:
    club = club_in(league, "De Azen")
    people = [MemberFactory.create(club=club) for _number in range(6)]
    known(league, people[0])
    for year, place in ((2025, 0), (2024, 1), (2023, 3), (2022, 4)):
        scores = [6000 - 100 * number for number in range(6)]
        own = scores.pop(place)
        totals = dict(zip(people, [own, *scores], strict=True))
        played(league, club, dt.date(year, 10, 4), totals)
    # The present season is not over yet, and does not count.
    played(league, club, dt.date(2026, 10, 4), dict(zip(people, range(6, 0, -1), strict=True)))
    url = published(league, "2026-11-22", system="best_of", family="", name="Meesterpunten")
    assert rows(get(client, url)) == [["1", f"{people[0].name} (nr. 1)", "185,00", "12"]]
    person = words(get(client, f"/leagues/{league.slug}/people/1/"))
    assert "40,00 % van de spelers verslagen, telt voor 50 %" in person


@pytest.mark.full
def test_evenings_of_other_rules_disciplines_or_too_small_do_not_count(
    league: League, client: Client
) -> None:
    club = club_in(league, "De Azen")
    people = four(club)
    known(league, people[0])
    counting = played(league, club, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    others = [
        played(league, club, dt.date(2026, month, 4), dict.fromkeys(people, 9000))
        for month in (2, 3, 4)
    ]
    Evening.objects.filter(pk=others[0].pk).update(ranks="pair")
    Evening.objects.filter(pk=others[1].pk).update(deals_per_round=8)
    PastResult.objects.filter(evening=others[2], member=people[3]).delete()
    played(league, club, dt.date(2026, 5, 4), dict.fromkeys(people, 9000), rounds=2)
    url = published(league, "2026-11-22", minimum_rounds="3")
    assert rows(get(client, url)) == [["1", f"{people[0].name} (nr. 1)", "1.500,00", "3"]]
    assert counting.deals_per_round == 16


@pytest.mark.full
def test_strength_goes_over_the_match_days_of_all_clubs(client: Client) -> None:
    host, division, day = ready()
    league = division.season.league
    day.refresh_from_db()
    evening = match_day_evening_make(day=day, club=host, actor=TESTS)
    for number in (1, 2, 3):
        if number > 1:
            match_day_seat(day=day, evening=evening, actor=TESTS)
        play_round(evening, number)
    evening_close(evening_id=evening.pk, actor=TESTS)
    player = LeaguePlayer.objects.exclude(member_uuid=None).order_by("pk")[0]
    own = Member.objects.get(uuid=str(player.member_uuid))
    known(league, own)
    Evening.objects.update(date=dt.date(2026, 11, 1))
    url = published(
        league, "2026-11-22", system="strength", ranks="team", family="", minimum_rounds="3"
    )
    ((place, name, value, between, rounds),) = rows(get(client, url))
    assert (place, name, rounds) == ("1", f"{own.name} (nr. 1)", "3")
    rule = {"ranks": "team", "minimum_rounds": "3", "event_players": "32", "name": "Gemiddelde"}
    mean = rows(get(client, published(league, "2026-11-22", **rule)))
    assert [row[1] for row in mean] == [f"{own.name} (nr. 1)"]
    assert re.fullmatch(r"[+−]\d+", value)
    assert re.fullmatch(r"−\d+ en \+\d+", between)


# An official list stays.


@pytest.mark.both
def test_the_database_refuses_to_change_a_list_and_verify_sees_it(
    league: League, client: Client
) -> None:
    club = club_in(league, "De Azen")
    people = four(club)
    known(league, people[0])
    played(league, club, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    url = published(league, "2026-11-22", minimum_rounds="3")
    made = RankingList.objects.get()
    table = RankingList._meta.db_table
    for change in (f"UPDATE {table} SET number = 2", f"DELETE FROM {table}"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)
    assert ranking_list_faults(club=None) == []
    triggers_lift()
    RankingList.objects.update(rows=[made.rows[0] | {"value": "9999.00"}])
    assert ranking_list_faults(club=None) == [
        f"league {league.slug}: list 1 of beste-spelers was changed"
    ]
    assert get(client, url).status_code == 200


def test_a_list_keeps_the_rule_and_the_values_of_its_day(league: League, client: Client) -> None:
    club = club_in(league, "De Azen")
    people = four(club)
    known(league, people[0])
    played(league, club, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    url = published(league, "2026-11-22", minimum_rounds="3")
    ranking = LeagueRanking.objects.get()
    leader, desk = leader_client(league), f"/leagues/{league.slug}/desk/rankings/{ranking.pk}/"
    given = RULE | {"version": str(ranking.version), "minimum_rounds": "2", "months": "12"}
    assert leader.post(desk, given).status_code == 302
    assert "laatste 24 maanden" in words(get(client, url))
    page = leader.post(f"{desk}publish/", {"on": "2026-11-21"})
    assert page.status_code == 422
    assert "Er is al een lijst van een latere dag." in words(page)
    page = leader.post(f"{desk}publish/", {"on": "2026-11-22", "seen": page.context["seen"]})
    assert "De ranglijst is intussen veranderd." in words(page)
    leader.post(f"{desk}publish/", {"on": "2026-11-22", "seen": page.context["seen"]})
    assert "laatste 12 maanden" in words(get(client, url))
    assert "laatste 24 maanden" in words(get(client, f"{url}1/"))
    page = leader.post(desk, given)
    assert page.status_code == 422
    assert "Iemand anders heeft dit" in words(page)


@pytest.mark.full
def test_files_of_a_list(league: League, client: Client) -> None:
    club = club_in(league, "De Azen")
    people = four(club)
    known(league, people[0])
    played(league, club, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    url = published(league, "2026-11-22", minimum_rounds="3")
    assert get(client, f"{url}?format=csv").content.decode("utf-8-sig").splitlines() == [
        '"place","number","name","value","rounds"',
        f'"1","1","{people[0].name}","1500.00","3"',
    ]
    (text,) = page_texts(get(client, f"{url}1/list.pdf").content)
    assert people[0].name in text
    assert "1.500,00" in text


def test_what_a_rule_lacks_is_said(league: League) -> None:
    leader = leader_client(league)
    url = f"/leagues/{league.slug}/desk/rankings/"
    as_it_opens = filled_in(leader, url)
    assert leader.post(url, as_it_opens | {"name": "Zoals hij opent"}).status_code == 302
    page = leader.post(url, RULE | {"family": ""})
    assert page.status_code == 422
    assert "Een gemiddelde van punten is van één soort regels: kies welke." in words(page)
    page = leader.post(url, RULE | {"weights": "100, -5"})
    assert page.status_code == 422
    assert "Typ hele getallen met komma’s" in words(page)
    page = leader.post(url, RULE | {"months": "0", "full": "0", "minimum_rounds": "99999"})
    assert page.status_code == 422
    assert words(page).count("Zorg ervoor dat deze waarde") == 3
    _leader, _ranking, publish = made(league)
    page = leader.post(publish, {"on": "2026-11-22"})
    assert "Nog niemand heeft een plaats" in words(page)
    page = leader.post(publish, {"on": "2199-01-01"})
    assert "Deze dag moet nog komen." in words(page)
    assert leader.post(url, RULE).status_code == 422


# Numbers.


def club_page(league: League, club: Club) -> tuple[Client, str]:
    return desk_of(club), f"/clubs/{club.slug}/desk/leagues/{league.slug}/people/"


def link_of(page: Any) -> str:
    found = re.search(r'href="http://[^/"]+(/leagues/[^"]+/number/[^"]+)"', page.content.decode())
    assert found
    return found[1]


def test_somebody_gets_a_number_by_their_link_and_takes_it_to_another_club(
    league: League, client: Client
) -> None:
    azen, boeren = club_in(league, "De Azen"), club_in(league, "Boeren")
    mia = MemberFactory.create(club=azen, name="Mia Smit")
    desk, url = club_page(league, azen)
    desk.post(url, {"do": "make", "member": mia.pk})
    link = link_of(get(desk, url))
    assert LeaguePerson.objects.count() == 0
    assert "Deze pagina is voor Mia Smit van De Azen." in words(get(client, link))
    page = client.post(link, {}, follow=True)
    assert "Uw nummer is 1" in words(page)
    code = person_code(LeaguePerson.objects.get())
    assert code in words(page)
    other = MemberFactory.create(club=boeren, name="M. Smit-Bos")
    second = link_path(person_link_make(league=league, member=other, actor=TESTS))
    page = client.post(second, {"number": "1", "code": "AAAAA-AAAAA"})
    assert page.status_code == 422
    assert "Dit nummer en deze code horen niet bij elkaar." in words(page)
    page = client.post(second, {"code": code})
    assert "Vul het nummer in dat bij deze code hoort." in words(page)
    client.post(second, {"number": "1", "code": code.lower().replace("-", " ")})
    page = client.post(second, {"number": "2", "code": "AAAAA-AAAAA"})
    assert page.status_code == 422
    assert "Met deze link hebt u al nummer 1." in words(page)
    assert LeaguePerson.objects.get().links.count() == 2
    assert "heeft nummer 1" in words(get(desk, url))


def test_a_link_that_was_changed_or_ended_opens_nothing(league: League, client: Client) -> None:
    azen = club_in(league, "De Azen")
    mia = MemberFactory.create(club=azen)
    desk, url = club_page(league, azen)
    desk.post(url, {"do": "make", "member": mia.pk})
    link = link_of(get(desk, url))
    assert client.get(f"{link[:-2]}x/").status_code == 404
    desk.post(url, {"do": "end", "member": mia.pk})
    assert client.get(link).status_code == 404
    assert client.post(link).status_code == 404


def test_who_ends_it_is_known_no_more_and_the_number_is_never_given_again(
    league: League, client: Client
) -> None:
    azen = club_in(league, "De Azen")
    people = four(azen)
    known(league, people[0])
    link = person_link_make(league=league, member=people[0], actor=TESTS)
    played(league, azen, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    url = published(league, "2026-11-22", minimum_rounds="3")
    asked = words(get(client, f"{link_path(link)}end/"))
    assert f"Niet meer bekend zijn bij {league.name}?" in asked
    client.post(f"{link_path(link)}end/")
    assert rows(get(client, url)) == [["1", "Anoniem", "1.500,00", "3"]]
    assert client.get(f"/leagues/{league.slug}/people/1/").status_code == 404
    assert known(league, people[1]).number == 2
    assert list(trail_faults()) == []


def test_the_link_goes_by_mail_to_who_has_an_address(league: League, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    azen = club_in(league, "De Azen")
    mia = MemberFactory.create(club=azen, name="Mia Smit", email="mia@example.org")
    desk, url = club_page(league, azen)
    desk.post(url, {"do": "mail", "member": mia.pk})
    assert outbox.settle(10)
    (sent,) = mail.outbox
    assert sent.to == ["mia@example.org"]
    assert link_path(PersonLink.objects.get()) in sent.body


def test_a_club_makes_links_for_its_own_people_and_in_its_own_leagues_only(league: League) -> None:
    azen = club_in(league, "De Azen")
    stranger = MemberFactory.create(club=ClubFactory.create(name="Elders"))
    desk, url = club_page(league, azen)
    assert desk.post(url, {"do": "make", "member": stranger.pk}).status_code == 404
    elsewhere, other = club_page(league, stranger.club)
    assert elsewhere.get(other).status_code == 404
    assert PersonLink.objects.count() == 0


@pytest.mark.full
@pytest.mark.parametrize(
    ("public", "shown"),
    [
        ({"public_as": "hidden"}, ("Anoniem", None)),
        ({"public_as": "initials"}, ("M. S.", 1)),
        ({"public_name": "Roemer"}, ("Anoniem", None)),
        ({}, ("Mia Smit", 1)),
    ],
)
def test_the_strictest_club_decides_what_everybody_reads(
    league: League, public: dict[str, str], shown: tuple[str, int | None]
) -> None:
    azen, boeren = club_in(league, "De Azen"), club_in(league, "Boeren")
    person = known(league, MemberFactory.create(club=azen, name="Mia Smit"))
    strict = MemberFactory.create(club=boeren, name="Mia Smit", **public)
    link = person_link_make(league=league, member=strict, actor=TESTS)
    person_confirm(link=link, number=1, code=person_code(person), actor=TESTS)
    (seen,) = people_shown(league).values()
    assert (seen.name, seen.number) == shown


def test_who_is_erased_loses_number_and_name_everywhere(league: League, client: Client) -> None:
    azen = club_in(league, "De Azen")
    people = four(azen)
    known(league, people[0])
    sections = {section.key: section.rows for section in dossier_of(people[0])}
    assert [row[:2] for row in sections["league_numbers"]] == [(league.name, 1)]
    played(league, azen, dt.date(2026, 1, 4), dict.fromkeys(people, 4500))
    url = published(league, "2026-11-22", minimum_rounds="3")
    member_erase(member=people[0], actor=TESTS)
    assert (LeaguePerson.objects.count(), PersonLink.objects.count()) == (0, 0)
    assert rows(get(client, url)) == [["1", "Anoniem", "1.500,00", "3"]]
    assert ranking_list_faults(club=None) == []


@pytest.mark.both
@pytest.mark.parametrize("saved_since", [False, True])
def test_undoing_a_merge_gives_the_guest_their_place_in_leagues_back(
    league: League, saved_since: bool
) -> None:
    azen = club_in(league, "De Azen")
    member = MemberFactory.create(club=azen, name="Jan de Vries")
    guest = MemberFactory.create(club=azen, name="J. Vries", kind="guest")
    team = LeagueTeam.objects.get(club_uuid=azen.uuid)
    team.players.create(name="J. Vries", member_uuid=guest.uuid)
    team.players.create(name="Jan de Vries", member_uuid=member.uuid, position=2)
    person = known(league, guest)
    merge = guest_merge(guest=guest, member=member, actor=TESTS)
    assert set(team.players.values_list("member_uuid", flat=True)) == {member.uuid}
    assert PersonLink.objects.get().member_uuid == member.uuid
    if saved_since:
        team.players.all().delete()
        team.players.create(name="J. Vries", member_uuid=member.uuid)
        team.players.create(name="Jan de Vries", member_uuid=member.uuid, position=2)
    merge_undo(merge=merge, actor=TESTS)
    assert list(team.players.values_list("name", "member_uuid")) == [
        ("J. Vries", guest.uuid),
        ("Jan de Vries", member.uuid),
    ]
    link = PersonLink.objects.get()
    assert (link.member_uuid, link.person) == (guest.uuid, person)


@pytest.mark.full
def test_whom_the_league_knows_already_keeps_their_number_in_a_merge(league: League) -> None:
    azen = club_in(league, "De Azen")
    member = MemberFactory.create(club=azen, name="Jan de Vries")
    guest = MemberFactory.create(club=azen, name="J. Vries", kind="guest")
    first, second = known(league, member), known(league, guest)
    merge = guest_merge(guest=guest, member=member, actor=TESTS)
    assert [(link.member_uuid, link.person) for link in PersonLink.objects.all()] == [
        (member.uuid, first)
    ]
    merge_undo(merge=merge, actor=TESTS)
    assert PersonLink.objects.get(member_uuid=guest.uuid).person == second


# As many queries however long the list.


@pytest.mark.full
@pytest.mark.parametrize("people", [1, 3])
def test_pages_ask_as_much_however_many_people_and_evenings(
    league: League, client: Client, people: int, django_assert_num_queries: Any
) -> None:
    club = club_in(league, "De Azen")
    there = four(club)
    for member in there[:people]:
        known(league, member)
    for month in range(1, people + 1):
        played(league, club, dt.date(2026, month, 4), dict.fromkeys(there, 4500))
    url = published(league, "2026-11-22", minimum_rounds="3")
    desk, people_url = club_page(league, club)
    leader = leader_client(league)
    preview = f"/leagues/{league.slug}/desk/rankings/{LeagueRanking.objects.get().pk}/publish/"
    for browser, address in ((client, url), (desk, people_url), (leader, preview)):
        get(browser, address)
    with django_assert_num_queries(6):
        assert len(rows(get(client, url))) == people
    with django_assert_num_queries(3):
        get(client, f"/leagues/{league.slug}/rankings/")
    with django_assert_num_queries(22):
        get(client, f"/leagues/{league.slug}/people/1/")
    with django_assert_num_queries(11):
        get(desk, people_url)
    with django_assert_num_queries(25):
        get(leader, preview)
