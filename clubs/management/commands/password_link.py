"""Prints a link with which somebody sets a new password."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations

from clubs.audit.services import Actor
from clubs.models import Role, User
from clubs.profile.services import password_link_print

PROGRAM = Actor.of_program("password_link")


class Command(BaseCommand):
    """`manage.py password_link [EMAIL]`: whoever sits at this computer lets somebody in again."""

    help = "Print a link to set a new password, for somebody who forgot theirs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "email", nargs="?", default="", help="may be left out for one organiser"
        )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        user = self._user(options["email"].strip())
        path = password_link_print(user=user, actor=PROGRAM)
        self.stdout.write(f"{user.email} sets a new password here (the link works once):")
        address = settings.PUBLIC_URL or f"http://127.0.0.1:{settings.PORT}"
        self.stdout.write(f"{address}{path}")

    def _user(self, email: str) -> User:
        """Whom the link is for: without an address the only organiser of this server."""
        if email:
            user = User.objects.filter(email__iexact=email, is_active=True).first()
            if user is None:
                raise CommandError(f"Nobody logs in as '{email}'.")
            return user
        organisers = User.objects.filter(roles__kind=Role.Kind.ORGANISER, is_active=True).distinct()
        if len(organisers) == 1:
            return organisers[0]
        known = "".join(f"\n  {user.email}" for user in organisers.order_by("email"))
        raise CommandError(
            f"For whom? Name one of these addresses:{known}" if known else "Nobody has a login yet."
        )
