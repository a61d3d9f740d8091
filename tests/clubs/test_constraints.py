"""Every named constraint of clubs, by trying to break it in the database itself."""

import datetime as dt
import uuid
from collections.abc import Callable
from functools import partial

import pytest
from django.db import IntegrityError
from django.utils import timezone

from clubs.models import (
    ApiAnswer,
    ApiToken,
    AuditEvent,
    AuditText,
    Club,
    ClubLogo,
    CodeSecret,
    CspReport,
    HealthProbe,
    Invitation,
    Member,
    MemberMerge,
    Passkey,
    RecoveryCode,
    Role,
    Upload,
    User,
)
from tests.constraints import constraint_names, not_refused
from tests.factories import MemberFactory, director_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def event(member: Member, number: int) -> AuditEvent:
    return AuditEvent.objects.create(
        club=member.club, chain=member.club.chain_name, number=number, at=timezone.now()
    )


def token(member: Member, secret_hash: str = "a", **fields: object) -> ApiToken:
    user = director_of(member.club)
    wanted = {"name": "x", "scopes": ["read"], **fields}
    return ApiToken.objects.create(user=user, secret_hash=secret_hash, **wanted)


def answers(member: Member, *statuses: int) -> None:
    """Answers to the same caller about the same, with the same key."""
    caller = director_of(member.club)
    for status in statuses:
        ApiAnswer.objects.create(
            caller=caller, about="sheet", key=uuid.UUID(int=1), body_hash="", status=status
        )


def recovery_codes(member: Member, *hashes: str) -> None:
    user = director_of(member.club)
    for code_hash in hashes:
        RecoveryCode.objects.create(user=user, code_hash=code_hash)


def invite(member: Member, email: str = "a@b.nl", kind: str = "director") -> Invitation:
    return Invitation.objects.create(
        club=member.club, email=email, kind=kind, expires_at=timezone.now()
    )


def practise(member: Member, slug: str) -> Club:
    return Club.objects.create(
        name=slug, slug=slug, practice_of=member.club, practice_until=timezone.now()
    )


def report(**fields: object) -> CspReport:
    now = timezone.now()
    return CspReport.objects.create(
        directive="img-src", blocked="x", route="y", first_at=now, last_at=now, **fields
    )


def no_club(member: Member) -> AuditEvent:
    return AuditEvent.objects.create(
        club=None, chain=member.club.chain_name, number=9, at=timezone.now()
    )


BREAKS: dict[str, Callable[[Member], object]] = {
    "club_language_known": lambda member: Club.objects.update(language="xx"),
    "club_search_engines_known": lambda member: Club.objects.update(search_engines="bing"),
    "club_new_public_as_known": lambda member: Club.objects.update(new_public_as="king"),
    "club_paper_sheet_known": lambda member: Club.objects.update(paper_sheet="stone"),
    "club_sheet_photo_days_at_most_a_year": lambda member: Club.objects.update(
        sheet_photo_days=367
    ),
    "invitation_mail_known": lambda member: Invitation.objects.filter(pk=invite(member).pk).update(
        mail="lost"
    ),
    "club_has_one_practice_club": lambda member: [practise(member, slug) for slug in ("a", "b")],
    "club_practice_has_an_end": lambda member: Club.objects.update(practice_until=timezone.now()),
    "club_practice_is_another": lambda member: Club.objects.update(
        practice_of=member.club, practice_until=timezone.now()
    ),
    "club_goes_once_suspended": lambda member: Club.objects.update(goes_on=timezone.localdate()),
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
        erased_at=timezone.now(), number=None, is_active=False, town="Edam"
    ),
    "member_birthday_within_reach": lambda member: Member.objects.update(
        birthday=dt.date(1899, 12, 31)
    ),
    "member_since_within_reach": lambda member: Member.objects.update(
        member_since=dt.date(2200, 1, 1)
    ),
    "user_email_without_regard_to_case": lambda member: [
        User.objects.create(email=email) for email in ("a@b.nl", "A@B.NL")
    ],
    "user_email_wanted_is_another": lambda member: User.objects.create(
        email="a@b.nl", email_wanted="a@b.nl"
    ),
    "upload_kind_known": lambda member: Upload.objects.create(
        club=member.club, kind="other", name="x.csv", content=b""
    ),
    "api_token_has_scopes": lambda member: token(member, scopes=[]),
    "api_token_has_name": lambda member: token(member, name=""),
    "api_answer_once_per_caller_and_key": lambda member: answers(member, 200, 201),
    "api_answer_was_successful": lambda member: answers(member, 409),
    "code_secret_is_there": lambda member: CodeSecret.objects.create(user=director_of(member.club)),
    "passkey_has_name": lambda member: Passkey.objects.create(user=director_of(member.club)),
    "audit_event_without_club_in_league": no_club,
    "recovery_code_once": lambda member: recovery_codes(member, "a", "a"),
    "invitation_one_per_club_and_address": lambda member: [
        invite(member, email) for email in ("a@b.nl", "A@B.NL")
    ],
    "invitation_kind_known": lambda member: invite(member, kind="king"),
    "health_probe_is_one_row": lambda _member: HealthProbe.objects.create(
        pk=2, written_at=timezone.now()
    ),
    "csp_report_once_per_kind": lambda _member: [report(), report()],
    "csp_report_was_seen": lambda _member: report(times=0),
    "audit_event_number_once": lambda member: event(member, 1),
    "audit_text_field_once": lambda member: [
        AuditText.objects.create(event=event(member, 99), field="x", salt="", text=""),
        AuditText.objects.create(event=AuditEvent.objects.get(number=99), field="x"),
    ],
}


def test_the_database_holds() -> None:
    member = MemberFactory.create()
    breaks = {name: partial(act, member) for name, act in BREAKS.items()}
    assert not_refused(breaks) == []


def test_every_constraint_is_tried() -> None:
    others = (
        ApiAnswer,
        ApiToken,
        CodeSecret,
        CspReport,
        HealthProbe,
        Invitation,
        Passkey,
        RecoveryCode,
    )
    models = AuditEvent, AuditText, Club, ClubLogo, Member, MemberMerge, Role, Upload, User
    assert constraint_names(*models, *others) == set(BREAKS)


def test_no_two_tokens_have_one_secret() -> None:
    member = MemberFactory.create()
    with pytest.raises(IntegrityError):
        [token(member, secret_hash="a") for _time in range(2)]
