import pytest

from clubs.models import AuditEvent, Member
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tournaments.closing.services import evening_cancel
from tournaments.models import Evening, Registration
from tournaments.registration.check_in import (
    guest_add,
    presence_replace,
    presence_set,
    presence_update,
)

pytestmark = pytest.mark.django_db


def here(evening: Evening) -> list[int | None]:
    """The numbers of who is here."""
    present = evening.registrations.filter(present=True)
    return list(present.order_by("member__number").values_list("member__number", flat=True))


def evening_with_members(count: int = 4) -> tuple[Evening, list[Member]]:
    evening = EveningFactory.create()
    return evening, MemberFactory.create_batch(count, club=evening.club)


@pytest.mark.full
def test_somebody_comes_and_signs_off() -> None:
    evening, (member, *_) = evening_with_members()
    presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
    assert here(evening) == [1]
    off = presence_set(
        evening_id=evening.pk, member=member, present=False, absence="notice", actor=TESTS
    )
    assert (here(evening), off.absence) == ([], "notice")


@pytest.mark.full
def test_who_comes_after_all_is_no_longer_absent() -> None:
    evening, (member, *_) = evening_with_members()
    presence_set(evening_id=evening.pk, member=member, present=False, absence="none", actor=TESTS)
    presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
    registration = Registration.objects.get()
    assert (registration.present, registration.absence) == (True, "")


def test_several_are_ticked_at_once_and_nobody_else_changes() -> None:
    evening, people = evening_with_members()
    presence_replace(evening_id=evening.pk, members=people[:3], actor=TESTS)
    count = presence_update(evening_id=evening.pk, arrived=people[3:], left=people[:1], actor=TESTS)
    assert (count, here(evening)) == (3, [2, 3, 4])


@pytest.mark.both
def test_exactly_these_are_here() -> None:
    evening, people = evening_with_members()
    presence_replace(evening_id=evening.pk, members=people[:2], actor=TESTS)
    presence_set(evening_id=evening.pk, member=people[3], present=False, actor=TESTS)
    assert presence_replace(evening_id=evening.pk, members=people[1:], actor=TESTS) == 3
    assert here(evening) == [2, 3, 4]


@pytest.mark.full
def test_the_trail_tells_who_came_and_who_left() -> None:
    evening, people = evening_with_members(2)
    presence_replace(evening_id=evening.pk, members=people[:1], actor=TESTS)
    presence_replace(evening_id=evening.pk, members=people[1:], actor=TESTS)
    event = AuditEvent.objects.filter(action="presence_updated").order_by("number").last()
    assert event is not None
    assert event.data == {"arrived": [str(people[1].uuid)], "left": [str(people[0].uuid)]}


def test_a_guest_walks_in() -> None:
    evening = EveningFactory.create()
    guest = guest_add(evening_id=evening.pk, name=" Anna  Łuczak ", actor=TESTS).member
    assert (guest.name, guest.kind, guest.number) == ("Anna Łuczak", "guest", None)
    assert evening.registrations.get().present


def test_somebody_of_another_club_is_refused_and_nothing_is_ticked() -> None:
    evening, people = evening_with_members()
    stranger = MemberFactory.create(club=ClubFactory.create())
    with pytest.raises(DomainError) as caught:
        presence_update(evening_id=evening.pk, arrived=[people[0], stranger], left=[], actor=TESTS)
    assert (caught.value.code, here(evening)) == ("member_of_another_club", [])
    with pytest.raises(DomainError) as caught:
        presence_set(evening_id=evening.pk, member=stranger, present=True, actor=TESTS)
    assert caught.value.code == "member_of_another_club"


@pytest.mark.full
def test_a_cancelled_evening_has_no_list() -> None:
    evening, people = evening_with_members()
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    with pytest.raises(DomainError) as caught:
        presence_replace(evening_id=evening.pk, members=people, actor=TESTS)
    assert caught.value.code == "evening_state"
    with pytest.raises(DomainError) as caught:
        guest_add(evening_id=evening.pk, name="Anna", actor=TESTS)
    assert caught.value.code == "evening_state"
    assert Member.objects.count() == 4


def test_a_guest_without_a_name_is_refused() -> None:
    with pytest.raises(DomainError) as caught:
        guest_add(evening_id=EveningFactory.create().pk, name=" ", actor=TESTS)
    assert caught.value.code == "name_missing"
