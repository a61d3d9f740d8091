"""Every way in ends here."""

from django.contrib.auth import login
from django.http import HttpRequest

from clubs.models import User

BACKEND = "django.contrib.auth.backends.ModelBackend"


def log_in(request: HttpRequest, user: User, next_url: str) -> str:
    """Log in somebody who showed who they are, by a password or a link; returns where they go
    now."""
    login(request, user, BACKEND)
    return next_url
