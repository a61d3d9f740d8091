import pytest
from django.db import transaction

from clubs.audit.services import (
    Actor,
    chain_faults,
    event_append,
    event_hash,
    removed_chain_faults,
    seal,
)
from clubs.models import AuditEvent, AuditText, Club, Member, Role
from clubs.privacy.erasing import member_erase
from clubs.profile.services import role_grant, role_revoke
from tests.factories import TESTS, ClubFactory, MemberFactory, UserFactory
from tests.tampering import triggers_lift

ORGANISER = Role.Kind.ORGANISER
pytestmark = pytest.mark.django_db


def club_with_trail() -> Club:
    """A club whose trail has five events: made, three members, a fourth with a name of its own."""
    club = ClubFactory.create()
    MemberFactory.create_batch(3, club=club)
    MemberFactory.create(club=club, name="Anna Łuczak")
    return Club.objects.get(pk=club.pk)


def event(club: Club, number: int) -> AuditEvent:
    """That event of the club's, for somebody who can do with the database as he likes."""
    triggers_lift()
    return AuditEvent.objects.get(chain=club.chain_name, number=number)


@pytest.mark.both
def test_events_follow_one_another() -> None:
    club = club_with_trail()
    events = list(AuditEvent.objects.filter(chain=club.chain_name).order_by("number"))
    assert [one.number for one in events] == [1, 2, 3, 4, 5]
    assert [one.previous for one in events] == ["", *(one.hash for one in events[:-1])]
    assert (club.chain_length, club.chain_head) == (5, events[-1].hash)
    assert chain_faults(club) == ()


def test_the_event_says_who_and_the_text_his_name() -> None:
    club, user = ClubFactory.create(), UserFactory.create(name="Riet Bos")
    with transaction.atomic():
        message = event_append(
            chain=club,
            club=club,
            actor=Actor.of_user(user),
            action="tried",
            object_ref="test:1",
            data={"n": 1},
            texts={"name": "Jan", "nothing": ""},
        )
    assert (message.actor, message.data) == (f"user:{user.uuid}", {"n": 1})
    texts = dict(AuditText.objects.filter(event=message).values_list("field", "text"))
    assert texts == {"actor": "Riet Bos", "name": "Jan"}
    assert set(message.commitments) == {"actor", "name"}


def test_no_name_is_in_the_event_itself() -> None:
    last = event(club_with_trail(), 5)
    row = " ".join(
        str(value) for value in AuditEvent.objects.filter(pk=last.pk).values()[0].values()
    )
    assert "Łuczak" not in row


@pytest.mark.each_case
@pytest.mark.parametrize(
    "change",
    [
        {"action": "member_deleted"},
        {"actor": "user:somebody"},
        {"data": {"kind": "guest"}},
        {"object_ref": "member:x"},
        {"commitments": {}},
    ],
)
def test_a_changed_event_shows(change: dict[str, object]) -> None:
    club = club_with_trail()
    AuditEvent.objects.filter(pk=event(club, 3).pk).update(**change)
    assert f"{club.chain_name}: event 3 was changed" in chain_faults(club)


def test_an_event_moved_to_another_club_shows() -> None:
    club, other = club_with_trail(), ClubFactory.create()
    AuditEvent.objects.filter(pk=event(club, 3).pk).update(club=other)
    assert chain_faults(club) == (f"{club.chain_name}: event 3 was changed",)


def test_an_event_rewritten_with_its_hash_shows_in_the_next_one() -> None:
    club = club_with_trail()
    forged = event(club, 3)
    forged.data = {}
    forged.hash = event_hash(forged)
    forged.save()
    assert chain_faults(club) == (f"{club.chain_name}: event 4 was changed",)


def test_an_event_taken_out_shows() -> None:
    club = club_with_trail()
    event(club, 3).delete()
    assert chain_faults(club) == (
        f"{club.chain_name}: event 3 is missing",
        f"{club.chain_name}: the head is not event 2",
    )


def test_the_last_event_taken_off_shows() -> None:
    club = club_with_trail()
    event(club, 5).delete()
    assert chain_faults(club) == (f"{club.chain_name}: the head is not event 4",)


def test_a_changed_text_shows() -> None:
    club = club_with_trail()
    AuditText.objects.filter(event=event(club, 5), field="name").update(text="Piet Bos")
    assert chain_faults(club) == (f"{club.chain_name}: the text 'name' of event 5 was changed",)


def test_a_text_that_was_never_there_shows() -> None:
    club = club_with_trail()
    AuditText.objects.create(event=event(club, 5), field="reason", salt="", text="he asked me")
    assert chain_faults(club) == (f"{club.chain_name}: the text 'reason' of event 5 was changed",)


@pytest.mark.both
def test_a_person_can_be_erased_and_the_chain_verifies() -> None:
    club = club_with_trail()
    member_erase(member=Member.objects.get(name="Anna Łuczak"), actor=TESTS)
    club.refresh_from_db()
    assert not AuditText.objects.filter(event__number=5, field="name").exists()
    assert chain_faults(club) == ()


@pytest.mark.parametrize("field", ["name", "actor"])
def test_a_text_that_is_gone_though_nobody_was_erased_shows(field: str) -> None:
    club = club_with_trail()
    member_erase(member=Member.objects.get(name="Anna Łuczak"), actor=TESTS)
    club.refresh_from_db()
    AuditText.objects.filter(event__number=3, field=field).delete()
    fault = f"the text '{field}' of event 3 is gone, and nobody was erased"
    assert chain_faults(club) == (f"{club.chain_name}: {fault}",)


def test_a_login_with_an_earlier_task_elsewhere_is_erased_there_too() -> None:
    club, other = club_with_trail(), ClubFactory.create()
    riet = MemberFactory.create(club=club, name="Riet Bos", email="riet@example.org")
    for place in (club, other):
        emails = f"{place.slug}@example.org", riet.email
        roles = [
            role_grant(club=place, email=email, kind=ORGANISER, actor=TESTS) for email in emails
        ]
        role_revoke(role=roles[1], actor=TESTS)
    member_erase(member=riet, actor=TESTS)
    for place in (club, other):
        assert chain_faults(Club.objects.get(pk=place.pk)) == ()
    last = AuditEvent.objects.filter(chain=other.chain_name).latest("number")
    assert (last.action, last.object_ref) == ("login_erased", "login")
    assert last.data == {"texts": {other.chain_name: {"who": [3, 4]}}}


def test_two_texts_alike_have_different_commitments() -> None:
    club = ClubFactory.create()
    MemberFactory.create_batch(2, club=club, name="Jan Bos")
    assert event(club, 2).commitments["name"] != event(club, 3).commitments["name"]


def test_a_chain_without_its_carrier_is_still_checked() -> None:
    club = club_with_trail()
    assert removed_chain_faults(club.chain_name) == ()
    AuditEvent.objects.filter(pk=event(club, 3).pk).update(action="x")
    assert removed_chain_faults(club.chain_name) == (f"{club.chain_name}: event 3 was changed",)


def test_a_seal_fixes_every_head_whatever_the_order() -> None:
    one, other = club_with_trail(), ClubFactory.create()
    before = seal([one, other])
    assert seal([other, one]) == before
    MemberFactory.create(club=other)
    other.refresh_from_db()
    assert seal([one, other]) != before


def test_what_fails_leaves_no_event() -> None:
    club = ClubFactory.create()
    with transaction.atomic():
        event_append(chain=club, club=club, actor=TESTS, action="tried", object_ref="x")
        transaction.set_rollback(True)
    club.refresh_from_db()
    assert (club.chain_length, chain_faults(club)) == (1, ())
