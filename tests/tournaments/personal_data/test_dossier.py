"""All that is kept about somebody: everything of him, and of others only what anybody may read."""

import datetime as dt
import uuid
from pathlib import Path
from typing import Any

import pytest
import time_machine
from pytest_django import DjangoAssertNumQueries

from clubs.members.services import member_create
from clubs.merges.services import guest_merge
from clubs.models import Club, Member, MemberMerge
from clubs.privacy.dossier import DossierSection, dossier_of
from scoring.deals.services import deal_write
from scoring.models import Scoresheet
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw, table, write_deal
from tests.tournaments.competitor_files import side_table, text_of
from tests.tournaments.files import Files
from tournaments.closing.services import competitor_correct, evening_close
from tournaments.models import (
    Competitor,
    CoupleRule,
    Cup,
    CupWin,
    Evening,
    PastResult,
    PersonCorrection,
    PlayOffScore,
    Rating,
    Registration,
    Season,
)
from tournaments.registration.pairs import couple_rule_add
from tournaments.rounds.services import round_close, table_substitute
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    """Four people, one round of two deals; Jan Bakker sits North."""
    return evening_with_draw(players=4, rounds=1, deals_per_round=2, method="typed_in")


def jan() -> Member:
    return Member.objects.select_related("club").get(number=1)


def kept() -> dict[str, DossierSection]:
    return {section.key: section for section in dossier_of(jan())}


def lines(key: str) -> list[dict[str, Any]]:
    return kept()[key].lines


def test_of_somebody_new_there_are_only_details_and_that_he_was_added() -> None:
    club = ClubFactory.create()
    member_create(club=club, name="Jan Bakker", number=1, actor=TESTS)
    assert list(kept()) == ["details", "trail"]


@pytest.mark.full
def test_the_evening_with_place_score_and_deals(evening: Evening) -> None:
    Registration.objects.filter(member=jan()).update(paid=250)
    write_deal(table(evening), 1)
    write_deal(table(evening), 2, points={"NS": 40})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert lines("evenings") == [
        {
            "evening": "2026-11-21",
            "present": "ja",
            "absence": "",
            "pair": None,
            "competitor": "",
            "paid": "€\N{NO-BREAK SPACE}2,50",
            "package": "",
        }
    ]
    assert lines("places") == [
        {
            "evening": "2026-11-21",
            "round": 1,
            "table": 1,
            "seat": "Noord",
            "substitute": "nee",
        }
    ]
    # 90 in the first deal; in the second 40 of 162 is nat, so nothing.
    assert lines("scores") == [
        {"evening": "2026-11-21", "round": 1, "score": 90, "pits": 0, "roem": 0, "nats": 1}
    ]
    assert [(line["rank"], line["total"]) for line in lines("published")] == [(3, 90)]
    assert [(line["deal"], line["seat"], line["own"]) for line in lines("deals")] == [
        (1, "Noord", 90),
        (2, "Noord", 0),
    ]
    assert lines("deals")[0]["written"] == "90–72 · wij, harten"


@pytest.mark.full
def test_what_they_paid_got_and_were_sent(evening: Evening) -> None:
    member, day = jan(), dt.date(2026, 9, 5)
    season = season_create(club=member.club, name="2026-2027", actor=TESTS)
    season.fee_payments.create(
        member=member, rate="reduced", paid=2000, paid_on=day, remark="contant"
    )
    package = member.packages.create(club=member.club, bought_on=day, evenings=10, price=4000)
    Registration.objects.filter(member=member).update(paid=400, package=package)
    member.prizes_given.create(
        club=member.club, evening=evening, key="place-1", what="Rollade", cents=2500
    )
    mail = member.club.mails.create(subject="Nieuws", text="Dag")
    mail.receivers.create(member=member, state="sent")
    sums = {"€\N{NO-BREAK SPACE}20,00", "€\N{NO-BREAK SPACE}40,00", "€\N{NO-BREAK SPACE}25,00"}
    assert lines("evenings")[0]["package"] == "ja"
    assert lines("fees") == [
        {
            "season": "2026-2027",
            "rate": "verlaagd",
            "paid": "€\N{NO-BREAK SPACE}20,00",
            "paid_on": "2026-09-05",
            "remark": "contant",
        }
    ]
    (card,), (prize,), (message,) = lines("packages"), lines("prizes"), lines("mails")
    assert (card["bought_on"], card["evenings"]) == ("2026-09-05", 10)
    assert (prize["where"], prize["for"], prize["what"]) == ("2026-11-21", "De winnaar", "Rollade")
    assert (message["subject"], message["state"]) == ("Nieuws", "verzonden")
    assert {lines("fees")[0]["paid"], card["price"], prize["amount"]} == sums


@pytest.mark.full
def test_of_others_only_the_name_that_anybody_may_read(evening: Evening) -> None:
    mia = Member.objects.get(number=2)
    couple_rule_add(club=mia.club, one=jan(), two=mia, kind=CoupleRule.Kind.APART, actor=TESTS)
    Member.objects.filter(pk=mia.pk).update(public_as="hidden")
    write_deal(table(evening), 1, declarer="E")
    assert [line["other"] for line in lines("couples")] == ["Anoniem"]
    sections = [str(section.rows) for section in kept().values()]
    assert [text for text in sections if mia.name in text] == []
    assert "Oost" in lines("deals")[0]["written"]


def test_the_trail_tells_him_of_others_by_public_names(evening: Evening) -> None:
    mia = Member.objects.get(number=2)
    with time_machine.travel(dt.datetime(2026, 7, 1, 18, 30, tzinfo=dt.UTC), tick=False):
        couple_rule_add(club=mia.club, one=jan(), two=mia, kind=CoupleRule.Kind.APART, actor=TESTS)
    Member.objects.filter(pk=mia.pk).update(public_as="initials")
    (line,) = [line for line in lines("trail") if "nooit aan één tafel" in line["what"]]
    assert line["at"] == "2026-07-01 20:30"
    assert "M. v. d. M." in line["what"]
    assert "Jan Bakker" in line["what"]


@pytest.mark.full
def test_of_a_seat_that_somebody_took_over_only_his_own_deals(evening: Evening) -> None:
    write_deal(table(evening), 1)
    other = member_create(club=evening.club, name="Karel Invaller", actor=TESTS)
    table_substitute(
        table_id=table(evening).pk,
        seat="N",
        member=other,
        from_deal=2,
        for_himself=False,
        actor=TESTS,
    )
    write_deal(table(evening), 2)
    assert [line["deal"] for line in lines("deals")] == [1]


@pytest.mark.full
def test_at_a_table_of_three_his_own_points_are_his() -> None:
    """North plays and takes 100, so East and South have 62 each."""
    evening_with_draw(
        players=7, rounds=1, deals_per_round=1, method="lottery", leftover="three_handed"
    )
    sheet = Scoresheet.objects.get(three_handed=True)
    deal_write(
        sheet_id=sheet.pk,
        number=1,
        seen_version=0,
        uuid=uuid.uuid4(),
        written={
            "declarer": "N",
            "trump": "H",
            "points": {"NS": 100},
            "seats": ["N", "E", "W"],
        },
        actor=TESTS,
    )
    own = {}
    for member in Member.objects.filter(seats__sheet=sheet).select_related("club"):
        sections = {one.key: one for one in dossier_of(member)}
        seat = member.seats.get().seat
        own[seat] = [line["own"] for line in sections["deals"].lines]
    assert own == {"N": [100], "E": [62], "S": [62]}


def test_what_came_from_before_and_what_was_won() -> None:
    club: Club = ClubFactory.create()
    member = member_create(club=club, name="Jan Bakker", number=1, actor=TESTS)
    old = EveningFactory.create(club=club, date=dt.date(2020, 1, 4))
    missed = EveningFactory.create(club=club, date=dt.date(2020, 1, 11))
    PastResult.objects.create(evening=old, member=member, score=4512, pits=2)
    PastResult.objects.create(evening=missed, member=member, absence="notice")
    PlayOffScore.objects.create(evening=old, member=member, score=312)
    PersonCorrection.objects.create(evening=old, member=member, points=-100, reason="te laat")
    Rating.objects.create(evening=old, member=member, mu=25.125, sigma=7.5)
    cup = Cup.objects.create(club=club, name="Wisselbeker")
    CupWin.objects.create(cup=cup, member=member, won_on=dt.date(2020, 1, 4))
    assert lines("scores") == [
        {
            "evening": "2020-01-04",
            "round": "hele avond",
            "score": 4512,
            "pits": 2,
            "roem": 0,
            "nats": 0,
        }
    ]
    assert lines("absences") == [{"evening": "2020-01-11", "absence": "afgemeld"}]
    assert lines("corrections") == [{"about": "2020-01-04", "points": -100, "reason": "te laat"}]
    assert lines("play_offs") == [{"evening": "2020-01-04", "score": 312}]
    assert lines("ratings") == [{"evening": "2020-01-04", "mu": 25.12, "sigma": 7.5}]
    assert lines("cups") == [{"cup": "Wisselbeker", "won_on": "2020-01-04"}]


@pytest.mark.full
def test_the_guest_he_was(evening: Evening) -> None:
    guest = member_create(club=evening.club, name="J. Bakker", kind="guest", actor=TESTS)
    guest_merge(guest=guest, member=jan(), actor=TESTS)
    day = MemberMerge.objects.get().merged_at.date().isoformat()
    assert lines("guests") == [{"guest": "J. Bakker", "merged_at": day}]


@pytest.mark.both
def test_the_pairs_and_teams_they_were_in_and_what_those_came_to(tmp_path: Path) -> None:
    files = Files(ClubFactory.create(), tmp_path)
    member = member_create(club=files.club, name="Cor", number=1, actor=TESTS)
    names = {"pair_ns": "Cor & Dik", "pair_ew": "Els & Fie"}
    people = ["Cor", "Els", "Dik", "Fie"]
    files.evening(text_of(side_table("2026-09-05", 1, 1, people, 2700, names)), season="2026")
    files.results("evening,pair,round,score\n2026-09-12,Cor & Dik,1,1500\n")
    pair, season = Competitor.objects.get(name="Cor & Dik"), Season.objects.get()
    competitor_correct(season=season, competitor=pair, points=-100, reason="te laat", actor=TESTS)
    assert [line["competitor"] for line in lines("evenings")] == ["Cor & Dik"]
    (own,) = lines("competitors")
    assert (own["name"], own["since"], own["until"]) == ("Cor & Dik", "2026-09-05", "")
    assert lines("competitor_scores") == [
        {
            "evening": "2026-09-12",
            "name": "Cor & Dik",
            "round": 1,
            "score": 1500,
            "absence": "",
        }
    ]
    assert lines("competitor_corrections") == [
        {"season": "2026", "name": "Cor & Dik", "points": -100, "reason": "te laat"}
    ]
    assert [line for line in lines("competitors_published") if line["evening"] == "2026-09-05"] == [
        {"evening": "2026-09-05", "release": 1, "name": "Cor & Dik", "rank": 1, "total": 2700}
    ]
    other = member_create(club=files.club, name="Wim", number=2, actor=TESTS)
    assert "competitor_corrections" not in {section.key for section in dossier_of(other)}
    assert member.pk == jan().pk


def test_queries_do_not_grow(
    evening: Evening, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    member = jan()
    for number in (1, 2):
        write_deal(table(evening), number)
        with django_assert_num_queries(38):
            dossier_of(member)
