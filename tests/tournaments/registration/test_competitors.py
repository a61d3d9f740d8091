"""Pairs and teams of a club at the desk: making, renaming, their people, and whom an evening's
pairs play for."""

import datetime as dt

import pytest
from django.test import Client

from clubs.merges.services import guest_merge
from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from clubs.text.errors import DomainError, VersionConflict
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import words
from tournaments.models import Competitor, Evening, EveningPair
from tournaments.registration.check_in import presence_replace
from tournaments.registration.competitors import (
    competitor_create,
    competitor_person_add,
    competitor_person_back,
    competitor_person_end,
    competitor_rename,
)
from tournaments.registration.pairs import pair_break, pair_make

pytestmark = pytest.mark.django_db
SINCE = dt.date(2026, 9, 1)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def people(club: Club, *names: str) -> list[Member]:
    return [MemberFactory.create(club=club, name=name) for name in names]


def pair(club: Club, *two: Member, name: str = "") -> Competitor:
    return competitor_create(
        club=club, kind="pair", name=name, people=two, since=SINCE, actor=TESTS
    )


def evening_of_pairs(club: Club, here: list[Member]) -> Evening:
    evening = EveningFactory.create(club=club, method=Evening.Method.PAIRS)
    presence_replace(evening_id=evening.pk, members=here, actor=TESTS)
    return evening


def played_for(evening: Evening) -> dict[int, str]:
    pairs = EveningPair.objects.filter(evening=evening)
    return dict(pairs.values_list("number", "competitor__name"))


def test_a_pair_is_called_after_its_people_unless_it_has_a_name(club: Club) -> None:
    ann, bob = people(club, "Anna de Vries", "Bo Smit")
    assert pair(club, ann, bob).name == "Anna de Vries & Bo Smit"
    assert pair(club, ann, bob).name == "Anna de Vries & Bo Smit (2)"
    assert pair(club, ann, bob, name="De Buren").name == "De Buren"


def test_what_is_wrong_with_a_pair(club: Club) -> None:
    ann, bob, cor = people(club, "Ann", "Bob", "Cor")
    (stranger,) = people(ClubFactory.create(name="Other"), "Zeb")
    known = pair(club, ann, bob, name="De Buren")
    for two, name, code in (
        ((ann, bob), "de  BUREN", "competitor_exists"),
        ((ann, bob, cor), "x", "pair_of_two"),
        ((ann, stranger), "x", "member_of_another_club"),
        ((ann,), " ", "name_missing"),
        ((ann, ann), "", "name_missing"),
        ((ann, bob), "x" * 211, "name_too_long"),
    ):
        with pytest.raises(DomainError) as refused:
            pair(club, *two, name=name)
        assert refused.value.code == code
    assert Competitor.objects.get() == known
    # A team may be called so too.
    competitor_create(club=club, kind="team", name="De Buren", since=SINCE, actor=TESTS)


def test_a_third_person_waits_until_one_has_left_or_is_a_reserve(club: Club) -> None:
    ann, bob, cor = people(club, "Ann", "Bob", "Cor")
    known = pair(club, ann, bob)

    def add(member: Member, since: dt.date = SINCE, **given: bool) -> None:
        version = Competitor.objects.get(pk=known.pk).version
        competitor_person_add(
            competitor=known, member=member, since=since, seen_version=version, actor=TESTS, **given
        )

    with pytest.raises(DomainError) as refused:
        add(cor)
    assert refused.value.code == "pair_of_two"
    add(cor, reserve=True)
    with pytest.raises(DomainError) as twice:
        add(cor)
    assert twice.value.code == "competitor_has_member"
    with pytest.raises(VersionConflict):
        competitor_rename(competitor=known, name="x", seen_version=1, actor=TESTS)
    left = competitor_person_end(
        competitor=known,
        person_id=known.people.get(member=bob).pk,
        until=dt.date(2026, 10, 1),
        seen_version=2,
        actor=TESTS,
    )
    assert left is not None
    (dik,) = people(club, "Dik")
    with pytest.raises(DomainError):
        add(dik, dt.date(2026, 10, 1))
    add(dik, dt.date(2026, 10, 2))
    # And Bob cannot come back as if nothing had happened.
    with pytest.raises(DomainError) as full:
        competitor_person_back(competitor=known, person_id=left.pk, actor=TESTS)
    assert full.value.code == "pair_of_two"


@pytest.mark.both
def test_pairs_of_an_evening_are_pairs_of_the_club(club: Club) -> None:
    ann, bob, cor, dik = people(club, "Ann", "Bob", "Cor", "Dik")
    known = pair(club, ann, bob, name="De Buren")
    evening = evening_of_pairs(club, [ann, bob, cor, dik])
    pair_make(evening_id=evening.pk, one=bob, two=ann, actor=TESTS)
    pair_make(evening_id=evening.pk, one=cor, two=dik, actor=TESTS)
    assert played_for(evening) == {1: "De Buren", 2: "Cor & Dik"}
    pair_break(evening_id=evening.pk, number=1, actor=TESTS)
    assert played_for(evening) == {2: "Cor & Dik"}
    assert Competitor.objects.count() == 2
    assert known.people.count() == 2


def test_a_substitute_plays_for_the_pair_unless_the_desk_says_otherwise(club: Club) -> None:
    ann, bob, cor = people(club, "Ann", "Bob", "Cor")
    pair(club, ann, bob, name="De Buren")
    evening = evening_of_pairs(club, [ann, cor])
    pair_make(evening_id=evening.pk, one=ann, two=cor, actor=TESTS)
    assert played_for(evening) == {1: "De Buren"}
    desk = desk_of(club)
    place = f"/clubs/{club.slug}/desk/evenings/{evening.slug}/pairs/1/for/"
    assert desk.post(place, {"competitor": ""}).status_code == 302
    assert played_for(evening) == {1: "Ann & Cor"}


def test_the_desk_makes_renames_and_ends_a_pair(club: Club) -> None:
    _ann, bob = people(club, "Ann", "Bob")
    desk, place = desk_of(club), f"/clubs/{club.slug}/desk/competitors/"
    page = desk.post(place, {"kind": "pair", "name": "", "one": "Ann", "two": ""})
    assert page.status_code == 422
    assert "Een paar is twee mensen. Kies een naam uit de lijst." in words(page)
    desk.post(place, {"kind": "pair", "name": "", "one": "Ann", "two": "Bob"})
    made = Competitor.objects.get()
    assert made.name == "Ann & Bob"
    own = f"{place}{made.pk}/"
    desk.post(own, {"name": "De Buren", "seen": made.version})
    person = made.people.get(member=bob)
    left = {"until": "2030-01-01", "seen": made.version + 1}
    desk.post(f"{own}people/{person.pk}/leave/", left)
    assert made.people.get(member=bob).until == dt.date(2030, 1, 1)
    desk.post(f"{own}people/{person.pk}/return/")
    assert made.people.get(member=bob).until is None
    assert "De Buren" in words(Client().get(f"/clubs/{club.slug}/competitors/{made.pk}/"))
    assert desk.get(f"{own}remove/").status_code == 200
    desk.post(f"{own}remove/")
    assert not Competitor.objects.exists()


def test_a_pair_of_somebody_who_is_hidden_has_no_name_in_public(club: Club) -> None:
    ann, bob = people(club, "Anna de Vries", "Bo Smit")
    known = pair(club, ann, bob)
    Member.objects.filter(pk=ann.pk).update(public_as=Member.PublicAs.INITIALS)
    page = words(Client().get(f"/clubs/{club.slug}/competitors/{known.pk}/"))
    assert "Anna de Vries" not in page
    assert "Bo Smit" in page


@pytest.mark.full
def test_erasing_somebody_takes_their_name_out_of_that_of_the_pair(club: Club) -> None:
    ann, bob = people(club, "Anna de Vries", "Bo Smit")
    known = pair(club, ann, bob)
    member_erase(member=ann, actor=TESTS)
    known.refresh_from_db()
    ann.refresh_from_db()
    assert known.name == f"Bo Smit & {ann.name}"
    assert "vries" not in known.key


@pytest.mark.full
def test_a_merged_guest_leaves_the_pair_to_the_member(club: Club) -> None:
    ann, bob, cor = people(club, "Ann", "Bob", "Cor")
    guest = MemberFactory.create(club=club, name="Bobbie", kind=Member.Kind.GUEST)
    known, both = pair(club, ann, guest), pair(club, cor, guest)
    competitor_person_add(
        competitor=both, member=bob, since=SINCE, reserve=True, seen_version=1, actor=TESTS
    )
    guest_merge(guest=guest, member=bob, actor=TESTS)
    assert [person.member for person in known.people.order_by("member__name")] == [ann, bob]
    assert [person.member for person in both.people.order_by("member__name")] == [bob, cor]
