"""A guest who became a member is taken apart from him again."""

import datetime as dt
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from django.db import models
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubs.audit.services import chain_faults
from clubs.audit.trail import trail_lines
from clubs.members.services import member_change
from clubs.merges.services import guest_merge, merge_preview, merge_undo
from clubs.models import AuditEvent, Club, Member, MemberMerge
from clubs.text.errors import DomainError
from scoring.models import Seat
from tests.concurrency import at_once, outcomes
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tournaments.draw.services import draw_make, draw_publish
from tournaments.models import (
    CoupleRule,
    Cup,
    CupWin,
    Evening,
    FeePayment,
    Package,
    PastResult,
    PersonCorrection,
    PhotoPerson,
    Placement,
    PlayOffScore,
    PrizeGiven,
    Rating,
    Registration,
    Release,
    Season,
)
from tournaments.registration.check_in import guest_add, presence_set
from tournaments.registration.pairs import couple_rule_add
from tournaments.releases.services import release_publish
from tournaments.scoresheets.data import member_events
from tournaments.standings.queries import evening_standings

KEPT: tuple[type[models.Model], ...] = (
    *(Member, Registration, PastResult, Placement, PlayOffScore, Rating, Seat),
    *(CoupleRule, CupWin, PersonCorrection, PhotoPerson),
    *(FeePayment, Package, PrizeGiven),
)
FRIDAYS = [dt.date(2026, 9, 4) + dt.timedelta(days=7 * week) for week in range(3)]


def everything() -> dict[str, list[Any]]:
    """Every row that is about people, by table."""
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in KEPT}


def history(club: Club, date: dt.date) -> Evening:
    return Evening.objects.create(
        club=club, date=date, state=Evening.State.CLOSED, is_history=True, rounds_planned=3
    )


def merged(guest: Member, member: Member) -> MemberMerge:
    return guest_merge(guest=guest, member=member, actor=TESTS)


def undone(merge: MemberMerge) -> Member:
    return merge_undo(merge=merge, actor=TESTS)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def member(club: Club) -> Member:
    return MemberFactory.create(club=club, name="Jo Gastman")


@pytest.fixture
def guest(club: Club, member: Member) -> Member:
    return MemberFactory.create(
        club=club, kind="guest", name="Jo Gast", phone="06 1234", public_name="J."
    )


@pytest.mark.django_db
class TestUndo:
    @pytest.mark.full
    def test_a_played_evening_is_the_guests_again(self, club: Club) -> None:
        evening = evening_with_draw(players=4, method="typed_in", rounds=1, club=club)
        guest = Member.objects.get(number=1)
        Member.objects.filter(pk=guest.pk).update(kind="guest")
        member = MemberFactory.create(club=club)
        write_deal(table(evening), 1)
        before = everything()
        merge = merged(guest, member)
        assert {row.member_id for row in evening_standings(evening)} >= {member.pk}
        undone(merge)
        assert everything() == before
        assert guest.pk in {row.member_id for row in evening_standings(evening)}

    @pytest.mark.full
    def test_what_was_written_since_on_his_evening_is_the_guests(
        self, club: Club, guest: Member, member: Member
    ) -> None:
        """He was on the list before the draw, and had his seat after it."""
        evening = EveningFactory.create(club=club, rounds_planned=1, method="lottery")
        for number in range(3):
            other = MemberFactory.create(club=club, name=f"Ander {number}")
            presence_set(evening_id=evening.pk, member=other, present=True, actor=TESTS)
        presence_set(evening_id=evening.pk, member=guest, present=True, actor=TESTS)
        merge = merged(guest, member)
        draw_make(evening_id=evening.pk, actor=TESTS)
        draw_publish(evening_id=evening.pk, actor=TESTS)
        guest = undone(merge)
        assert Registration.objects.filter(member=guest).count() == 1
        assert Placement.objects.filter(member=guest).count() == 1
        assert Seat.objects.filter(member=guest).count() == 1
        assert not Seat.objects.filter(member=member).exists()

    @pytest.mark.full
    def test_evenings_that_came_later_stay_with_the_member(
        self, club: Club, guest: Member, member: Member
    ) -> None:
        PastResult.objects.create(evening=history(club, FRIDAYS[0]), member=guest, score=4500)
        merge = merged(guest, member)
        PastResult.objects.create(evening=history(club, FRIDAYS[1]), member=member, score=4700)
        guest = undone(merge)
        assert list(PastResult.objects.filter(member=guest).values_list("score")) == [(4500,)]
        assert list(PastResult.objects.filter(member=member).values_list("score")) == [(4700,)]

    @pytest.mark.full
    def test_a_list_that_had_them_both(self, club: Club, guest: Member, member: Member) -> None:
        """The guest came and the member was signed off: the member's line comes back."""
        evening = EveningFactory.create(club=club)
        presence_set(evening_id=evening.pk, member=guest, present=True, actor=TESTS)
        presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
        presence_set(evening_id=evening.pk, member=member, present=False, actor=TESTS)
        Registration.objects.filter(member=member).update(absence="notice")
        before = everything()
        merge = merged(guest, member)
        assert Registration.objects.count() == 1
        undone(merge)
        assert everything() == before

    @pytest.mark.full
    def test_a_result_beside_an_absence(self, club: Club, guest: Member, member: Member) -> None:
        evening = history(club, FRIDAYS[0])
        PastResult.objects.create(evening=evening, member=guest, score=4500)
        PastResult.objects.create(evening=evening, member=member, absence="none")
        before = everything()
        merge = merged(guest, member)
        assert list(PastResult.objects.values_list("member", "score")) == [(member.pk, 4500)]
        undone(merge)
        assert everything() == before

    def test_who_paid_and_went_home_was_there(
        self, club: Club, guest: Member, member: Member
    ) -> None:
        evening = EveningFactory.create(club=club)
        presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
        Registration.objects.create(evening=evening, member=guest, present=False, paid=250)
        with pytest.raises(DomainError) as refused:
            merged(guest, member)
        assert refused.value.code == "merge_both_played"

    def test_a_pair_that_was_made_anew_stays_a_pair(
        self, club: Club, guest: Member, member: Member
    ) -> None:
        evening = EveningFactory.create(club=club, method="pairs")
        others = [MemberFactory.create(club=club, name=f"Ander {number}") for number in range(2)]
        Registration.objects.create(evening=evening, member=guest, present=False, pair=1)
        for other in others:
            Registration.objects.create(evening=evening, member=other, present=True)
        Registration.objects.create(evening=evening, member=member, present=True)
        merge = merged(guest, member)
        assert Registration.objects.get(member=member).pair == 1
        Registration.objects.filter(member=member).update(pair=None)
        Registration.objects.filter(member__in=others).update(pair=1)
        guest = undone(merge)
        pairs = dict(Registration.objects.values_list("member", "pair"))
        assert pairs == {guest.pk: None, member.pk: None, others[0].pk: 1, others[1].pk: 1}

    def test_an_agreement_made_since_stands(
        self, club: Club, guest: Member, member: Member
    ) -> None:
        """Who always played with the guest found another partner in the meantime."""
        mia, riet = (MemberFactory.create(club=club, name=name) for name in ("Mia", "Riet"))
        CoupleRule.objects.create(club=club, one=member, two=riet, kind="fixed")
        CoupleRule.objects.create(club=club, one=guest, two=mia, kind="fixed")
        merge = merged(guest, member)
        CoupleRule.objects.all().delete()
        CoupleRule.objects.create(club=club, one=mia, two=riet, kind="fixed")
        undone(merge)
        assert [(rule.one, rule.two) for rule in CoupleRule.objects.all()] == [(mia, riet)]

    @pytest.mark.full
    def test_a_cup_that_both_won(self, club: Club, guest: Member, member: Member) -> None:
        cup = Cup.objects.create(club=club, name="Klaverbeker")
        for who, date in ((guest, FRIDAYS[0]), (guest, FRIDAYS[1]), (member, FRIDAYS[1])):
            CupWin.objects.create(cup=cup, member=who, won_on=date)
        before = everything()
        merge = merged(guest, member)
        assert list(CupWin.objects.values_list("member", "won_on")) == [
            (member.pk, FRIDAYS[0]),
            (member.pk, FRIDAYS[1]),
        ]
        undone(merge)
        assert everything() == before

    @pytest.mark.full
    def test_what_both_paid_and_won_over_a_season(
        self, club: Club, guest: Member, member: Member
    ) -> None:
        """What only the guest has becomes the member's; of a season that both have something of,
        the guest's goes until the merge is undone."""
        both, alone = (Season.objects.create(club=club, name=n, slug=n) for n in "ab")
        for season, who in ((both, guest), (both, member), (alone, guest)):
            season.fee_payments.create(member=who, paid=who.pk, paid_on=FRIDAYS[0])
            season.prizes_given.create(club=club, member=who, key="place-1", cents=who.pk)
        year = club.fee_years.create(year=2027)
        for who in (guest, member):
            year.fee_payments.create(member=who, paid=who.pk, paid_on=FRIDAYS[0])
        package = guest.packages.create(
            club=club, bought_on=FRIDAYS[0], evenings=10, price=4000, remark="kaart"
        )
        evening = history(club, FRIDAYS[0])
        paid = evening.registrations.create(member=guest, paid=400, package=package)
        evening.prizes_given.create(club=club, member=guest, key="poedel", what="Ei")
        before = everything()
        merge = merged(guest, member)
        owners = {"season", "member", "paid"}
        of_seasons = FeePayment.objects.exclude(season=None)
        assert sorted(of_seasons.values_list(*sorted(owners))) == sorted(
            [(member.pk, member.pk, both.pk), (member.pk, guest.pk, alone.pk)]
        )
        assert [payment.paid for payment in year.fee_payments.all()] == [member.pk]
        assert set(PrizeGiven.objects.values_list("member", flat=True)) == {member.pk}
        assert PrizeGiven.objects.count() == 3
        paid.refresh_from_db()
        assert (paid.member, paid.package, paid.package and paid.package.member) == (
            member,
            package,
            member,
        )
        undone(merge)
        assert everything() == before

    @pytest.mark.full
    def test_a_number_that_was_given_away_is_not_his_again(self, club: Club) -> None:
        member = MemberFactory.create(club=club)
        guest = MemberFactory.create(club=club, kind="guest", number=77)
        merge = merged(guest, member)
        MemberFactory.create(club=club, number=77)
        assert undone(merge).number is None

    @pytest.mark.full
    def test_what_was_changed_about_the_member_stays(self, guest: Member, member: Member) -> None:
        merge = merged(guest, member)
        member_change(
            member=member, seen_version=1, actor=TESTS, name="Jo Man", number=1, kind="member"
        )
        undone(merge)
        assert Member.objects.get(pk=member.pk).name == "Jo Man"

    @pytest.mark.full
    def test_it_is_done_once(self, guest: Member, member: Member) -> None:
        merge = merged(guest, member)
        undone(merge)
        with pytest.raises(DomainError) as refused:
            undone(merge)
        assert refused.value.code == "merge_undone"

    @pytest.mark.full
    def test_a_member_who_was_merged_himself(self, club: Club, guest: Member) -> None:
        """Jo Gast is Jo, and Jo is Jo Gastman: the first can still be taken apart."""
        between = MemberFactory.create(club=club, kind="guest", name="Jo")
        last = MemberFactory.create(club=club, name="Jo Gastman")
        PastResult.objects.create(evening=history(club, FRIDAYS[0]), member=guest, score=4500)
        PastResult.objects.create(evening=history(club, FRIDAYS[1]), member=between, score=4700)
        before = everything()
        first = merged(guest, between)
        second = merged(between, last)
        assert PastResult.objects.filter(member=last).count() == 2
        undone(MemberMerge.objects.get(pk=first.pk))
        assert list(PastResult.objects.filter(member=last).values_list("score")) == [(4700,)]
        undone(second)
        assert everything() == before

    @pytest.mark.full
    def test_the_trail_says_who_it_was(self, club: Club, guest: Member, member: Member) -> None:
        undone(merged(guest, member))
        events = AuditEvent.objects.filter(action__in=["guest_merged", "merge_undone"])
        lines = trail_lines(list(events.order_by("number")))
        assert [line.what for line in lines] == [
            "Gast Jo Gast bleek Jo Gastman te zijn",
            "Gast Jo Gast en Jo Gastman bleken twee mensen te zijn",
        ]
        club.refresh_from_db()
        assert chain_faults(club) == ()

    @pytest.mark.full
    def test_what_happened_to_the_guest_is_read_at_the_member(
        self, club: Club, guest: Member, member: Member
    ) -> None:
        evening = EveningFactory.create(club=club)
        presence_set(evening_id=evening.pk, member=guest, present=True, actor=TESTS)
        merge = merged(guest, member)
        lines = trail_lines(list(member_events(member).order_by("number")))
        assert [line.what for line in lines] == [
            "Jo Gastman is op de lijst gezet",
            "Jo Gast is op de lijst gezet",
            "Jo Gast is aangevinkt als aanwezig",
            "Gast Jo Gast bleek Jo Gastman te zijn",
        ]
        undone(merge)
        lines = trail_lines(list(member_events(member).order_by("number")))
        assert [line.what for line in lines] == [
            "Jo Gastman is op de lijst gezet",
            "Gast Jo Gast bleek Jo Gastman te zijn",
            "Gast Jo Gast en Jo Gastman bleken twee mensen te zijn",
        ]

    def test_a_preview_changes_nothing(self, club: Club, guest: Member, member: Member) -> None:
        evening = EveningFactory.create(club=club)
        presence_set(evening_id=evening.pk, member=guest, present=True, actor=TESTS)
        before = everything()
        preview = merge_preview(guest=guest, member=member)
        assert (preview.moving, preview.refusal) == (["de avond van 21 november 2026"], "")
        assert everything() == before
        presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
        preview = merge_preview(guest=guest, member=member)
        assert preview.refusal == "Jo Gast en Jo Gastman stonden op de lijst van dezelfde avond."


LISTED = st.sampled_from(["", "here", "notice", "none", "left"])
PEOPLE = ["guest", "member", "third"]


class AnyHistory(TestCase):
    """Whatever there is about two people, taking them apart gives everybody his own again."""

    @settings(max_examples=settings().max_examples // 2)
    @given(
        listed=st.lists(st.tuples(LISTED, LISTED, LISTED), max_size=3),
        results=st.lists(st.tuples(LISTED, LISTED), max_size=3),
        couples=st.lists(
            st.tuples(st.permutations(PEOPLE), st.sampled_from(["fixed", "apart"])), max_size=3
        ),
        cups=st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(FRIDAYS)), max_size=4),
        later=st.booleans(),
    )
    def test_is_as_before(
        self,
        listed: Sequence[Any],
        results: Sequence[Any],
        couples: Sequence[Any],
        cups: Sequence[Any],
        later: bool,
    ) -> None:
        club = ClubFactory.create(slug="club", name="Club")
        people = {
            "guest": MemberFactory.create(club=club, kind="guest", name="Jo Gast"),
            "member": MemberFactory.create(club=club, name="Jo Gastman"),
            "third": MemberFactory.create(club=club, name="Mia Kok"),
        }
        _listed(club, people, listed)
        _results(club, people, results)
        _couples(club, people, couples)
        cup = Cup.objects.create(club=club, name="Beker")
        for who, date in dict.fromkeys(cups):
            CupWin.objects.create(cup=cup, member=people[who], won_on=date)
        before = everything()
        try:
            merge = merged(people["guest"], people["member"])
        except DomainError:
            assert everything() == before
            return
        played = _later(club, people["member"]) if later else []
        undone(merge)
        now = everything()
        mine = [row["id"] for row in now["PastResult"] if row["member_id"] == people["member"].pk]
        assert set(played) <= set(mine)
        now["PastResult"] = [row for row in now["PastResult"] if row["id"] not in played]
        assert now == before


def _listed(club: Club, people: dict[str, Member], evenings: Sequence[Any]) -> None:
    for date, evening_states in zip(FRIDAYS, evenings, strict=False):
        evening = Evening.objects.create(club=club, date=date, is_history=True, method="pairs")
        for name, how in zip(PEOPLE, evening_states, strict=True):
            is_single = evening.registrations.filter(pair=1).count() < 2
            if how:
                Registration.objects.create(
                    evening=evening,
                    member=people[name],
                    present=how == "here",
                    absence=how if how in ("notice", "none") else "",
                    pair=1 if how in ("here", "left") and is_single else None,
                )


def _results(club: Club, people: dict[str, Member], evenings: Sequence[Any]) -> None:
    for number, evening_states in enumerate(evenings):
        evening = history(club, dt.date(2025, 9, 5 + number))
        for name, how in zip(PEOPLE, evening_states, strict=False):
            absence = how if how in ("notice", "none") else ""
            if how:
                PastResult.objects.create(
                    evening=evening,
                    member=people[name],
                    score=None if absence else 4500,
                    absence=absence,
                )
                if not absence:
                    Rating.objects.create(evening=evening, member=people[name], mu=25, sigma=8)


def _couples(club: Club, people: dict[str, Member], couples: Sequence[Any]) -> None:
    for (first, second, _third), kind in couples:
        try:
            couple_rule_add(
                club=club, one=people[first], two=people[second], kind=kind, actor=TESTS
            )
        except DomainError:
            continue


def _later(club: Club, member: Member) -> list[int]:
    evening = history(club, dt.date(2027, 1, 8))
    return [PastResult.objects.create(evening=evening, member=member, score=4800).pk]


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_of_two_who_take_apart_one_does(self) -> None:
        member = MemberFactory.create()
        guest = MemberFactory.create(club=member.club, kind="guest", name="Jo Gast")
        undo = partial(merge_undo, merge=merged(guest, member), actor=TESTS)
        assert outcomes(at_once([undo, undo])) == {"ok": 1, "merge_undone": 1}
        assert Member.objects.filter(name="Jo Gast").count() == 1

    def test_a_merge_while_the_member_comes_in(self) -> None:
        """Either the two are one before he is ticked, or they were there together."""
        member = MemberFactory.create()
        evening = EveningFactory.create(club=member.club)
        guest = guest_add(evening_id=evening.pk, name="Jo Gast", actor=TESTS).member
        acts: list[Callable[[], object]] = [
            partial(guest_merge, guest=guest, member=member, actor=TESTS),
            partial(presence_set, evening_id=evening.pk, member=member, present=True, actor=TESTS),
        ]
        came_out = outcomes(at_once(acts))
        assert came_out in ({"ok": 2}, {"ok": 1, "merge_both_played": 1})
        assert Registration.objects.count() == (1 if came_out["ok"] == 2 else 2)


@pytest.mark.django_db
@pytest.mark.full
def test_a_lot_that_was_drawn_stays_as_it_fell(club: Club) -> None:
    """Of ten evenings on which two guests were equal one guest becomes a member each time."""
    for week in range(10):
        evening = history(club, FRIDAYS[0] + dt.timedelta(days=7 * week))
        evening.tie, evening.tie_breaks = Evening.Tie.TIE_BREAKS, ["lot"]
        evening.save()
        guest, other = (
            MemberFactory.create(club=club, kind="guest", name=f"{name} {week}")
            for name in ("Gast", "Ander")
        )
        for one in (guest, other):
            PastResult.objects.create(evening=evening, member=one, score=1000)
        drawn = places(release_publish(evening=evening, actor=TESTS))
        member = MemberFactory.create(club=club)
        merge = merged(guest, member)
        drawn = [member.pk if who == guest.pk else who for who in drawn]
        for _release in range(2):
            assert places(release_publish(evening=evening, actor=TESTS)) == drawn
        undone(merge)
        drawn = [guest.pk if who == member.pk else who for who in drawn]
        assert places(release_publish(evening=evening, actor=TESTS)) == drawn


def places(release: Release) -> list[int]:
    """Who stands there, from the first place on."""
    return [row["member"] for row in release.standings]
