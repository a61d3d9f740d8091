"""Somebody is erased: nothing is left that tells of him, and everything else is as it was."""

import datetime as dt
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers
from django.core.management import call_command

from clubs.audit.services import Actor, chain_faults
from clubs.members.services import member_activate, member_change, member_create
from clubs.merges.services import guest_merge, merge_undo
from clubs.models import AuditEvent, AuditText, Club, Member, MemberMerge, User
from clubs.privacy.erasing import member_erase, texts_that_stay
from clubs.profile.services import role_grant, role_revoke
from clubs.text.errors import DomainError
from scoring.deals.services import deal_write
from scoring.disputes.submissions import sheet_answer
from scoring.models import Confirmation, DealEntry, Scoresheet
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.leagues import division_of, league_of
from tournaments.closing.services import competitor_correct, evening_close
from tournaments.leagues.services import leader_add, leader_remove
from tournaments.models import (
    CompetitorCorrection,
    CoupleRule,
    Evening,
    LeaguePlayer,
    Registration,
)
from tournaments.registration.check_in import presence_set
from tournaments.registration.competitors import competitor_create
from tournaments.registration.pairs import couple_rule_add
from tournaments.releases.services import release_is_current, release_publish
from tournaments.rounds.services import round_close
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    return club


@pytest.fixture
def jan(club: Club) -> Member:
    """Number 1, with everything a club can know of somebody."""
    return member_create(
        club=club,
        name="Jan Quispel",
        number=1,
        public_name="Janus",
        email="jan@thuis.example",
        phone="0612345678",
        addition="van de Zeeweg",
        street="Zeeweg 1234",
        postcode="9876 QX",
        town="Verweggistan",
        birthday=dt.date(1951, 4, 30),
        member_since=dt.date(1998, 9, 21),
        keeps_table=True,
        actor=TESTS,
    )


def played(club: Club, **options: Any) -> Evening:
    """Four people, one round of one deal, not yet closed; Jan sits North with number 3."""
    asked: dict[str, Any] = {
        "players": 4,
        "rounds": 1,
        "deals_per_round": 1,
        "method": "typed_in",
    } | options
    return evening_with_draw(club=club, **asked)


def closed(evening: Evening) -> Evening:
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="kort")
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def erase(member: Member) -> Member:
    return member_erase(member=member, actor=TESTS)


def erase_closed(evening: Evening, member: Member) -> None:
    closed(evening)
    erase(member)


def refused(member: Member) -> DomainError:
    with pytest.raises(DomainError) as caught:
        erase(member)
    return caught.value


def verified() -> None:
    """Fails unless every figure and every trail is as it was written."""
    call_command("verify")


def everything_kept() -> str:
    """Every row of every table as text."""
    rows = [row for model in apps.get_models() for row in model._default_manager.all()]
    return json.dumps(json.loads(serializers.serialize("json", rows)), ensure_ascii=False)


def trail_texts(club: Club) -> set[str]:
    return set(AuditText.objects.filter(event__club=club).values_list("text", flat=True))


@pytest.mark.full
def test_only_a_neutral_name_is_left(club: Club, jan: Member) -> None:
    erase(jan)
    jan.refresh_from_db()
    assert (jan.name, jan.shown_name, jan.number) == ("Oud-lid 1", "Oud-lid 1", None)
    assert (jan.email, jan.phone, jan.public_name) == ("", "", "")
    assert (jan.addition, jan.street, jan.postcode, jan.town) == ("", "", "", "")
    assert (jan.birthday, jan.member_since) == (None, None)
    assert (jan.is_active, jan.keeps_table, jan.has_page) == (False, False, False)
    assert jan.erased_at is not None
    assert jan.name_key == "oud-lid 1"


@pytest.mark.full
def test_everybody_gets_a_name_of_his_own(club: Club, jan: Member) -> None:
    guest = member_create(club=club, name="Piet Gast", kind="guest", actor=TESTS)
    assert [erase(jan).name, erase(guest).name] == ["Oud-lid 1", "Oud-gast 2"]


@pytest.mark.both
def test_results_stay_and_everything_verifies(club: Club, jan: Member) -> None:
    evening = played(club)
    write_deal(table(evening), 1)
    evening = closed(evening)
    before = {row.member_id: (row.rank, row.total) for row in evening_standings(evening)}
    erase(jan)
    assert {row.member_id: (row.rank, row.total) for row in evening_standings(evening)} == before
    assert "Oud-lid 1" in [row.name for row in evening_standings(evening)]
    verified()


@pytest.mark.both
def test_nothing_is_left_in_any_table(club: Club, jan: Member) -> None:
    """Remarks of a deal, of a correction, of a claim and of a sheet; names in what was published,
    in the trail and in a merge."""
    guest = member_create(club=club, name="J. Quispel", kind="guest", phone="020", actor=TESTS)
    guest_merge(guest=guest, member=jan, actor=TESTS)
    other = MemberFactory.create(club=club)
    couple_rule_add(club=club, one=jan, two=other, kind=CoupleRule.Kind.APART, actor=TESTS)
    evening = played(club)
    sheet = table(evening).sheet
    write_deal(table(evening), 1)
    deal_write(
        sheet_id=sheet.pk,
        number=1,
        seen_version=1,
        uuid=uuid.uuid4(),
        written={
            "declarer": "NS",
            "trump": "H",
            "points": {"NS": 100},
            "corrections": [{"seat": "N", "points": -50, "reason": "Jan gooide met kaarten"}],
        },
        actor=TESTS,
        reason="JAN  QUISPEL had zich verteld",
    )
    sheet.refresh_from_db()
    sheet_answer(
        sheet_id=sheet.pk,
        side="EW",
        seen_version=sheet.version,
        agrees=False,
        note="Volgens Quispel klopt het niet",
        actor=TESTS,
    )
    evening = closed(evening)
    release_publish(evening=evening, reason="Jan Quispel telde na", actor=TESTS)
    erase(jan)
    kept = everything_kept()
    names = "Quispel", "QUISPEL", "Janus", "van de Zeeweg", "Jan gooide"
    reached = "jan@thuis", "0612345678", "Zeeweg 1234", "9876 QX", "Verweggistan"
    for trace in (*names, *reached, "1951-04-30", "1998-09-21"):
        assert trace not in kept, trace
    assert kept.count("Oud-lid 1") >= 3
    assert CoupleRule.objects.count() == MemberMerge.objects.count() == 0
    verified()


@pytest.mark.full
def test_what_a_deal_came_to_stays_with_when_it_came(club: Club, jan: Member) -> None:
    evening = played(club)
    write_deal(table(evening), 1)
    sheet = table(evening).sheet
    second = deal_write(
        sheet_id=sheet.pk,
        number=1,
        seen_version=1,
        uuid=uuid.uuid4(),
        written={"declarer": "NS", "trump": "H", "points": {"NS": 100}},
        actor=TESTS,
        reason="Jan had het fout",
    )
    Confirmation.objects.create(
        sheet=sheet, side="NS", sheet_version=2, agrees=True, by="x", note="goed zo"
    )
    before = second.received_at, second.result, second.replaces_id
    erase_closed(evening, jan)
    found = DealEntry.objects.get(pk=second.pk)
    assert (found.received_at, found.result, found.replaces_id) == before
    assert (found.reason, Confirmation.objects.get().note) == ("", "")
    assert table(evening).sheet.deals.get().current == found


def corrected(evening: Evening, number: int, reason: str) -> None:
    """Deal 1 of this table is written, and corrected for this reason."""
    write_deal(table(evening, number), 1)
    deal_write(
        sheet_id=table(evening, number).sheet_id,
        number=1,
        seen_version=1,
        uuid=uuid.uuid4(),
        written={"declarer": "NS", "trump": "H", "points": {"NS": 100}},
        actor=TESTS,
        reason=reason,
    )


def reasons_left() -> set[str]:
    return set(DealEntry.objects.exclude(reason="").values_list("reason", flat=True))


@pytest.mark.full
def test_all_free_text_of_an_evening_goes(club: Club, jan: Member) -> None:
    """Also at other tables, and whoever it is about."""
    evening = played(club, players=8)
    corrected(evening, 1, "slecht geteld")
    corrected(evening, 2, "die van de buren keek mee")
    closed(evening)
    release_publish(evening=evening, reason="nageteld", actor=TESTS)
    erase(jan)
    assert reasons_left() == set()
    assert set(evening.releases.values_list("reason", flat=True)) == {""}
    texts = {"slecht geteld", "die van de buren keek mee", "nageteld", "kort"}
    assert trail_texts(club) & texts == set()
    verified()


@pytest.mark.full
def test_what_they_paid_stays_without_a_remark_and_mail_goes(club: Club, jan: Member) -> None:
    evening, day = played(club), dt.date(2026, 9, 5)
    season = club.seasons.create(name="2026", slug="2026")
    season.fee_payments.create(member=jan, paid=4500, paid_on=day, remark="Janus contant")
    jan.packages.create(club=club, bought_on=day, evenings=10, price=4000, remark="van Janus")
    jan.prizes_given.create(club=club, evening=evening, key="place-1", what="Ham", cents=900)
    mail = club.mails.create(subject="Nieuws", text="Jan Quispel won")
    mail.receivers.create(member=jan)
    erase_closed(evening, jan)
    assert list(season.fee_payments.values_list("paid", "remark")) == [(4500, "")]
    assert list(club.packages.values_list("price", "remark")) == [(4000, "")]
    assert list(club.prizes_given.values_list("what", "cents")) == [("Ham", 900)]
    assert club.mails.count() == 0
    verified()


def test_why_their_pair_was_corrected_goes_and_of_others_is_told(club: Club, jan: Member) -> None:
    season, day = club.seasons.create(name="2026", slug="2026"), dt.date(2026, 9, 5)
    for name, people, reason in (("Ons", [jan], "te laat"), ("Hun", [], "Quispel telde na")):
        pair = competitor_create(
            club=club, kind="pair", name=name, people=people, since=day, actor=TESTS
        )
        competitor_correct(season=season, competitor=pair, points=-50, reason=reason, actor=TESTS)
    assert texts_that_stay(jan) == ["waarom een paar of team werd gecorrigeerd: “Quispel telde na”"]
    erase(jan)
    left = CompetitorCorrection.objects.order_by("pk").values_list("points", "reason")
    assert list(left) == [(-50, ""), (-50, "Quispel telde na")]
    assert trail_texts(club) & {"te laat", "Quispel telde na", "Ons"} == set()
    verified()


@pytest.mark.full
def test_of_other_evenings_only_what_names_the_person(club: Club) -> None:
    """A name that somebody else has too names nobody alone."""
    evening = played(club, players=8)
    jan = member_create(club=club, name="Jan Quispel", actor=TESTS)
    member_create(club=club, name="Jan Quist", actor=TESTS)
    corrected(evening, 1, "slecht geteld door Jan")
    corrected(evening, 2, "jan  quispel liep langs")
    closed(evening)
    release_publish(evening=evening, reason="Quist telde na", actor=TESTS)
    erase(jan)
    assert reasons_left() == {"slecht geteld door Jan"}
    assert "slecht geteld door Jan" in trail_texts(club)
    assert "Jan Quist" in trail_texts(club)
    assert evening.releases.first().reason == "Quist telde na"  # type: ignore[union-attr]
    verified()


@pytest.mark.each_case
@pytest.mark.parametrize(
    "remark",
    ["zonderling moest weg", "ZÖNDERLING!", "Xavierus zei het", "dat was zonderlings beurt"],
)
def test_a_name_alone_is_found_whatever_the_letters(club: Club, remark: str) -> None:
    evening = played(club, players=8)
    person = member_create(club=club, name="Xavierus Q. van Zonderling", actor=TESTS)
    corrected(evening, 1, remark)
    closed(evening)
    release_publish(evening=evening, reason=remark, actor=TESTS)
    erase(person)
    assert reasons_left() == set()
    assert remark not in trail_texts(club)
    assert evening.releases.first().reason == ""  # type: ignore[union-attr]
    verified()


@pytest.mark.full
def test_the_trail_tells_of_him_under_the_neutral_name(club: Club, jan: Member) -> None:
    event = AuditEvent.objects.get(action="member_added", object_ref=f"member:{jan.uuid}")
    before = event.hash
    member_change(
        member=jan, seen_version=1, name="Jan Anders", number=1, kind="member", actor=TESTS
    )
    erase(jan)
    texts = AuditText.objects.filter(event__object_ref=f"member:{jan.uuid}")
    assert set(texts.values_list("field", "text")) == {("actor", "tests"), ("name", "Oud-lid 1")}
    event.refresh_from_db()
    assert event.hash == before
    assert chain_faults(Club.objects.get(pk=club.pk)) == ()


@pytest.mark.full
def test_the_result_is_not_outdated_by_it(club: Club, jan: Member) -> None:
    """Not even though the shared places are in another order of names."""
    evening = played(club)
    write_deal(table(evening), 1)
    evening = closed(evening)
    erase(jan)
    Evening.objects.filter(pk=evening.pk).update(revision=evening.revision + 1)
    assert release_is_current(evening.releases.get())


class TestNotYet:
    @pytest.mark.full
    def test_on_the_list_of_an_evening_to_come(self, club: Club, jan: Member) -> None:
        evening = EveningFactory.create(club=club)
        presence_set(evening_id=evening.pk, member=jan, present=True, actor=TESTS)
        error = refused(jan)
        assert error.code == "member_needed"
        assert error.message == (
            "Jan Quispel staat op de lijst van de avond van 21 november 2026. Haal deze naam eraf,"
            " of wacht tot de avond is afgesloten."
        )
        presence_set(evening_id=evening.pk, member=jan, present=False, actor=TESTS)
        assert erase(jan).erased_at
        assert not Registration.objects.filter(member=jan).exists()

    @pytest.mark.full
    def test_at_a_table_now(self, club: Club, jan: Member) -> None:
        evening = played(club)
        assert refused(jan).code == "member_needed"
        erase_closed(evening, jan)
        assert Scoresheet.objects.count() == 1

    def test_while_he_has_a_task(self, club: Club, jan: Member) -> None:
        role_grant(club=club, email="wie@x.example", kind="organiser", actor=TESTS)
        role = role_grant(club=club, email=jan.email, name="Jan", kind="director", actor=TESTS)
        assert "heeft een login met een taak" in refused(jan).message
        role_revoke(role=role, actor=TESTS)
        erase(jan)
        user = User.objects.get(pk=role.user_id)
        assert (user.name, user.is_active, user.has_usable_password()) == ("", False, False)
        assert user.email == f"{user.uuid}@erased.invalid"


def test_a_login_at_another_club_stays(club: Club, jan: Member) -> None:
    elsewhere = ClubFactory.create(slug="elders", name="Elders")
    role_grant(club=elsewhere, email=jan.email, kind="organiser", actor=TESTS)
    erase(jan)
    assert User.objects.get().email == "jan@thuis.example"


@pytest.mark.full
def test_what_he_did_himself_no_longer_names_him(club: Club, jan: Member) -> None:
    role_grant(club=club, email="wie@x.example", kind="organiser", actor=TESTS)
    role = role_grant(club=club, email=jan.email, name="Jan Quispel", kind="director", actor=TESTS)
    MemberFactory.create(club=club)
    member_create(club=club, name="Mia Kok", actor=Actor.of_user(role.user))
    role_revoke(role=role, actor=TESTS)
    erase(jan)
    assert "Jan Quispel" not in trail_texts(club)
    assert "Mia Kok" in trail_texts(club)
    verified()


@pytest.mark.full
@pytest.mark.each_case
@pytest.mark.parametrize("again", ["erase", "change", "activate", "merge"])
def test_it_is_for_ever(club: Club, jan: Member, again: str) -> None:
    gone = erase(jan)
    mia = MemberFactory.create(club=club)
    acts: dict[str, Callable[[], object]] = {
        "erase": lambda: erase(gone),
        "change": lambda: member_change(
            member=gone,
            seen_version=gone.version,
            name="Jan",
            number=9,
            kind="member",
            actor=TESTS,
        ),
        "activate": lambda: member_activate(member=gone, active=True, actor=TESTS),
        "merge": lambda: guest_merge(guest=gone, member=mia, actor=TESTS),
    }
    with pytest.raises(DomainError) as caught:
        acts[again]()
    assert caught.value.code in ("member_erased", "merge_not_a_guest")
    assert Member.objects.get(pk=jan.pk).name == "Oud-lid 1"


@pytest.mark.full
def test_a_guest_who_was_taken_apart_again_keeps_what_is_his(club: Club, jan: Member) -> None:
    guest = member_create(club=club, name="Kees Anders", kind="guest", actor=TESTS)
    merge = guest_merge(guest=guest, member=jan, actor=TESTS)
    back = merge_undo(merge=merge, actor=TESTS)
    erase(jan)
    assert Member.objects.get(pk=back.pk).name == "Kees Anders"
    assert "Kees Anders" in trail_texts(club)


def test_a_login_that_led_a_league_goes_once_it_leads_none(club: Club) -> None:
    led = league_of()
    leader = leader_add(league=led, email="wim@example.org", actor=TESTS)
    wim = member_create(club=club, name="Wim Leider", email="wim@example.org", actor=TESTS)
    with pytest.raises(DomainError) as refused:
        member_erase(member=wim, actor=TESTS)
    assert refused.value.params["why"] == [
        (
            "Wim Leider leidt een competitie. Laat eerst iemand anders die leiden en haal deze "
            "naam daar weg."
        )
    ]
    leader_remove(leader=leader, actor=TESTS)
    member_erase(member=wim, actor=TESTS)
    login = User.objects.get(pk=leader.user_id)
    assert (login.is_active, login.email) == (False, f"{login.uuid}@erased.invalid")
    assert not AuditText.objects.filter(text__contains="wim@example.org").exists()
    told = AuditEvent.objects.filter(chain=led.chain_name).order_by("-number")[0]
    assert told.action == "login_erased"
    led.refresh_from_db()
    assert chain_faults(led) == ()


def test_a_namesake_in_a_team_who_is_another_member_stays(club: Club) -> None:
    team = division_of(league_of()).teams.all()[0]
    type(team).objects.filter(pk=team.pk).update(club_uuid=club.uuid)
    wim, other = (member_create(club=club, name="Wim Leider", actor=TESTS) for _time in range(2))
    for position, member in enumerate((wim, other, None), 1):
        known = member.uuid if member else None
        team.players.create(name="Wim Leider", member_uuid=known, position=position)
    member_erase(member=wim, actor=TESTS)
    assert [player.member_uuid for player in LeaguePlayer.objects.all()] == [other.uuid]
