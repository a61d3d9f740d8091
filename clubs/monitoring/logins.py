"""Logins counted for Prometheus, by the signals that every way of logging in sends."""

from typing import Any

from axes.signals import user_locked_out
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.dispatch import receiver

from clubs.measurements.counters import LOGINS


@receiver(user_logged_in)
def login_accepted(**_signal: Any) -> None:
    """Somebody logged in."""
    LOGINS.labels("accepted").inc()


@receiver(user_login_failed)
def login_refused(**_signal: Any) -> None:
    """A password was wrong, or the login is locked."""
    LOGINS.labels("wrong").inc()


@receiver(user_locked_out)
def login_locked(**_signal: Any) -> None:
    """A login was locked for an address, or tried once more while it is."""
    LOGINS.labels("locked").inc()
