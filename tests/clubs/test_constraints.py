"""Every named constraint of clubs, by trying to break it in the database itself."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from clubs.models import (
    AuditEvent,
    AuditText,
    Club,
    ClubLogo,
    Member,
    MemberMerge,
    Role,
    Upload,
    User,
)
from tests.constraints import constraint_names, refused_by
from tests.factories import MemberFactory, director_of

pytestmark = pytest.mark.django_db


def event(member: Member, number: int) -> AuditEvent:
    return AuditEvent.objects.create(
        club=member.club, chain=member.club.chain_name, number=number, at=timezone.now()
    )


BREAKS: dict[str, Callable[[Member], object]] = {
    "club_language_known": lambda member: Club.objects.update(language="xx"),
    "role_one_per_user_and_club": lambda member: Role.objects.create(
        user=director_of(member.club), club=member.club, kind="organiser"
    ),
    "role_kind_known": lambda member: Role.objects.filter(user=director_of(member.club)).update(
        kind="king"
    ),
    "member_number_once_per_club": lambda member: Member.objects.create(
        club=member.club, name="x", number=member.number
    ),
    "member_kind_known": lambda member: Member.objects.update(kind="king"),
    "member_has_a_name": lambda member: Member.objects.update(name_key=""),
    "member_public_as_known": lambda member: Member.objects.update(public_as="king"),
    "member_erased_keeps_nothing": lambda member: Member.objects.update(
        erased_at=timezone.now(), number=None, is_active=False, phone="06"
    ),
    "user_email_without_regard_to_case": lambda member: [
        User.objects.create(email=email) for email in ("a@b.nl", "A@B.NL")
    ],
    "upload_kind_known": lambda member: Upload.objects.create(
        club=member.club, kind="other", name="x.csv", content=b""
    ),
    "audit_event_number_once": lambda member: event(member, 1),
    "audit_text_field_once": lambda member: [
        AuditText.objects.create(event=event(member, 99), field="x", salt="", text=""),
        AuditText.objects.create(event=AuditEvent.objects.get(number=99), field="x"),
    ],
}


@pytest.mark.parametrize("name", BREAKS)
def test_the_database_holds(name: str) -> None:
    member = MemberFactory.create()
    with refused_by(name):
        BREAKS[name](member)


def test_every_constraint_is_tried() -> None:
    models = AuditEvent, AuditText, Club, ClubLogo, Member, MemberMerge, Role, Upload, User
    assert constraint_names(*models) == set(BREAKS)
