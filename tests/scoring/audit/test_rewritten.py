"""Trails that somebody with the database, but without the key, writes anew."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from clubs.audit.guards import triggers_install
from clubs.audit.services import event_hash
from clubs.models import AuditEvent, AuditText, Club
from scoring.audit.verify import NOTHING_SEALED
from scoring.models import Scoresheet
from tests.factories import ClubFactory, MemberFactory
from tests.scoring.audit.test_verify import sheet_with_history, verify
from tests.scoring.sheets import write
from tests.tampering import triggers_lift

pytestmark = pytest.mark.django_db


def rewrite(sheet: Scoresheet, actor: str) -> None:
    """Every event of a sheet again, by somebody else, with hashes that follow one another."""
    triggers_lift()
    previous = ""
    for event in AuditEvent.objects.filter(chain=sheet.chain_name).order_by("number"):
        event.actor, event.previous = actor, previous
        event.hash = previous = event_hash(event)
        event.save()
    Scoresheet.objects.filter(pk=sheet.pk).update(chain_head=previous)
    triggers_install()


def take_off(club: Club, count: int) -> None:
    """The last events of a club gone, and the head moved to the one before."""
    triggers_lift()
    length = club.chain_length - count
    gone = AuditEvent.objects.filter(chain=club.chain_name, number__gt=length)
    AuditText.objects.filter(event__in=gone).delete()
    gone.delete()
    head = AuditEvent.objects.get(chain=club.chain_name, number=length).hash
    Club.objects.filter(pk=club.pk).update(chain_length=length, chain_head=head)
    triggers_install()


def club_with_members() -> Club:
    club = ClubFactory.create()
    MemberFactory.create_batch(4, club=club)
    return Club.objects.get(pk=club.pk)


def seal_trails(**options: bool) -> str:
    said = StringIO()
    call_command("seal_trails", stdout=said, stderr=said, **options)
    return said.getvalue()


@pytest.mark.both
def test_a_whole_trail_that_is_written_anew_has_no_seal() -> None:
    sheet = sheet_with_history()
    rewrite(sheet, "user:somebody")
    assert verify() == [
        f"{sheet.chain_name}: the head is not sealed with this server's key",
        "1 differences.",
    ]


@pytest.mark.full
def test_events_taken_off_the_end_leave_no_seal_and_a_later_one_does_not_mend_it() -> None:
    club = club_with_members()
    sheet_with_history()
    take_off(club, 2)
    fault = f"{club.chain_name}: the head is not sealed with this server's key"
    assert fault in verify()
    MemberFactory.create(club=club)
    assert fault in verify()


@pytest.mark.full
def test_an_old_seal_does_not_fit_a_later_head() -> None:
    sheet = sheet_with_history()
    before = Scoresheet.objects.get(pk=sheet.pk).chain_seal
    write(sheet, 5, 2)
    Scoresheet.objects.filter(pk=sheet.pk).update(chain_seal=before)
    assert f"{sheet.chain_name}: the head is not sealed with this server's key" in verify()


def test_another_key_is_told_once_and_the_trails_are_sealed_anew(settings: object) -> None:
    sheet_with_history()
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]
    assert verify() == [NOTHING_SEALED, "1 differences."]
    with pytest.raises(CommandError, match=r"^2 trails are not sealed with this server's key\."):
        seal_trails()
    assert seal_trails(yes=True) == "2 trails are sealed anew.\n"
    assert verify() == ["1 sheets and every trail are as they were written."]
    assert seal_trails() == "Every trail is sealed with this server's key.\n"


def test_a_broken_trail_is_not_sealed_anew() -> None:
    sheet = sheet_with_history()
    triggers_lift()
    AuditEvent.objects.filter(chain=sheet.chain_name, number=2).update(actor="user:x")
    Scoresheet.objects.filter(pk=sheet.pk).update(chain_seal="")
    triggers_install()
    with pytest.raises(CommandError, match="Nothing has been sealed"):
        seal_trails(yes=True)
    assert Scoresheet.objects.get(pk=sheet.pk).chain_seal == ""
