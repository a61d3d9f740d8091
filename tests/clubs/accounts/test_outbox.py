"""Mail that waits when the server stops, and mail that could not be sent."""

import subprocess
import sys
import threading
import time

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from clubs.accounts.services import Outbox
from clubs.models import User
from tests.factories import ClubFactory, organiser_of
from tests.waiting import mail_settles

mails = pytest.mark.django_db(transaction=True)
NO_SERVER = "tests.clubs.accounts.test_invitations.NoServer"


def test_what_waits_is_done_before_the_server_stops() -> None:
    outbox, done = Outbox(), list[int]()
    for number in range(3):
        outbox.add(lambda number=number: done.append(number))  # type: ignore[misc]
    outbox.stop(5)
    assert done == [0, 1, 2]


def test_what_hangs_is_given_up_and_said(caplog: pytest.LogCaptureFixture) -> None:
    outbox, hangs, lost = Outbox(), threading.Event(), list[str]()
    outbox.add(lambda: hangs.wait(20), lambda: lost.append("under way"))
    outbox.add(lambda: None, lambda: lost.append("waiting"))
    started = time.monotonic()
    outbox.stop(0.2)
    assert time.monotonic() - started < 5
    outbox.add(lambda: None, lambda: lost.append("too late"))
    hangs.set()
    assert lost == ["under way", "waiting", "too late"]
    assert "Not mailed, since the server stops: 2" in caplog.text


@pytest.mark.full
def test_a_process_that_ends_waits_for_seconds_only() -> None:
    program = (
        "import django, time, threading; django.setup()\n"
        "from clubs.accounts.services import outbox\n"
        "outbox.add(lambda: print('sent', flush=True))\n"
        "outbox.add(lambda: time.sleep(60), lambda: print('lost', flush=True))\n"
    )
    started = time.monotonic()
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={"DJANGO_SETTINGS_MODULE": "tests.settings", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    assert run.stdout.split() == ["sent", "lost"]
    assert time.monotonic() - started < 40


@mails
def test_who_got_no_mail_can_ask_again_at_once(client: Client, settings: Settings) -> None:
    user = organiser_of(ClubFactory.create())
    working, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, NO_SERVER
    with time_machine.travel("2026-11-23T12:00:00Z", tick=False):
        client.post(reverse("password_reset"), {"email": user.email})
        mail_settles()
        assert User.objects.get().password_mailed_at is None
        settings.EMAIL_BACKEND = working
        client.post(reverse("password_reset"), {"email": user.email})
        mail_settles()
    assert [message.to for message in mail.outbox] == [[user.email]]
    assert User.objects.get().password_mailed_at is not None
