"""Personal tokens: made, found by their secret, withdrawn; and the command of contract.md."""

import datetime as dt
import io

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from clubs.accounts.services import (
    api_token_find,
    api_token_seen,
    token_make,
    token_revoke,
)
from clubs.audit.services import Actor, chain_faults
from clubs.audit.trail import trail_lines
from clubs.models import ApiToken, AuditEvent, Club, User
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, UserFactory, director_of, organiser_of

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 22, 20, 0, tzinfo=dt.UTC)


@pytest.mark.both
def test_a_token_is_found_by_its_secret_and_by_nothing_else() -> None:
    user = UserFactory.create()
    made = token_make(user=user, name=" my  script ", scopes=["deals", "read"], actor=TESTS)
    assert len(made.secret) == 40
    found = api_token_find(made.secret)
    assert found == made.token
    assert (found.user, found.name, found.scopes) == (user, "my script", ["read", "deals"])
    for wrong in ("", made.secret[:-1], made.secret.swapcase(), made.token.secret_hash, "\0"):
        assert api_token_find(wrong) is None


def test_the_secret_itself_is_kept_nowhere() -> None:
    made = token_make(user=UserFactory.create(), name="x", scopes=["read"], actor=TESTS)
    kept = ApiToken.objects.values().get()
    assert made.secret not in str(kept)
    assert kept["hint"] == made.secret[:4]


@pytest.mark.each_case
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": "  "}, "name_missing"),
        ({"name": "x" * 61}, "bad_name"),
        ({"scopes": []}, "bad_scopes"),
        ({"scopes": ["read", "everything"]}, "bad_scopes"),
        ({"expires_at": NOW}, "already_expired"),
    ],
)
@time_machine.travel(NOW, tick=False)
def test_what_makes_no_token(wrong: dict[str, object], code: str) -> None:
    asked = {"name": "x", "scopes": ["read"], **wrong}
    with pytest.raises(DomainError) as refused:
        token_make(user=UserFactory.create(), actor=TESTS, **asked)  # type: ignore[arg-type]
    assert refused.value.code == code
    assert not ApiToken.objects.exists()


def test_a_token_ends_at_its_end() -> None:
    with time_machine.travel(NOW, tick=False):
        end = NOW + dt.timedelta(days=1)
        made = token_make(
            user=UserFactory.create(), name="x", scopes=["read"], actor=TESTS, expires_at=end
        )
    with time_machine.travel(end - dt.timedelta(seconds=1), tick=False):
        assert api_token_find(made.secret) == made.token
    with time_machine.travel(end, tick=False):
        assert api_token_find(made.secret) is None


def test_a_token_that_was_withdrawn_stays_so() -> None:
    made = token_make(user=UserFactory.create(), name="x", scopes=["read"], actor=TESTS)
    token_revoke(token=made.token, actor=TESTS)
    first = ApiToken.objects.get().revoked_at
    token_revoke(token=made.token, actor=TESTS)
    assert first is not None
    assert ApiToken.objects.get().revoked_at == first
    assert api_token_find(made.secret) is None


def test_the_token_of_a_login_that_is_no_longer_used_opens_nothing() -> None:
    made = token_make(user=UserFactory.create(), name="x", scopes=["read"], actor=TESTS)
    User.objects.update(is_active=False)
    assert api_token_find(made.secret) is None


def test_when_it_was_seen_is_written_once_an_hour() -> None:
    made = token_make(user=UserFactory.create(), name="x", scopes=["read"], actor=TESTS)
    seen = []
    for minutes in (0, 59, 60):
        with time_machine.travel(NOW + dt.timedelta(minutes=minutes), tick=False):
            made.token.refresh_from_db()
            api_token_seen(made.token)
        seen.append(ApiToken.objects.get().seen_at)
    assert seen == [NOW, NOW, NOW + dt.timedelta(hours=1)]


def test_every_club_where_somebody_has_a_task_reads_of_his_tokens() -> None:
    here, elsewhere = ClubFactory.create(), ClubFactory.create()
    user = organiser_of(here)
    made = token_make(user=user, name="script", scopes=["read"], actor=Actor.of_user(user))
    token_revoke(token=made.token, actor=Actor.of_user(user))
    events = list(AuditEvent.objects.filter(club=here, action__startswith="token").order_by("pk"))
    assert [line.what for line in trail_lines(events)] == [
        f"Een token voor programma’s werd gemaakt voor {user}: script",
        f"Het token voor programma’s van {user} werd ingetrokken: script",
    ]
    assert not AuditEvent.objects.filter(club=elsewhere, action__startswith="token").exists()
    assert chain_faults(Club.objects.get(pk=here.pk)) == ()
    assert made.secret not in str([vars(event) for event in events])


def test_the_command_prints_the_token_and_nothing_else() -> None:
    user = director_of(ClubFactory.create())
    out = io.StringIO()
    call_command("create_token", f" {user.email.upper()}", stdout=out)
    found = api_token_find(out.getvalue().removesuffix("\n"))
    assert found is not None
    assert (found.user, found.expires_at) == (user, None)
    assert found.scopes == ["read", "deals", "evening", "members", "leagues"]


def test_the_command_knows_only_logins_in_use() -> None:
    user = UserFactory.create()
    User.objects.update(is_active=False)
    for email in ("nobody@example.org", user.email):
        with pytest.raises(CommandError, match=f"Nobody logs in as '{email}'."):
            call_command("create_token", email)
    assert not ApiToken.objects.exists()


def test_tokens_are_listed_newest_first() -> None:
    user = UserFactory.create()
    for name in ("first", "second"):
        token_make(user=user, name=name, scopes=["read"], actor=TESTS)
    assert [token.name for token in user.api_tokens.all()] == ["second", "first"]
    assert timezone.now() >= user.api_tokens.all()[0].made_at
