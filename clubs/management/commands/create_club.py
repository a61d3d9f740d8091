"""Makes a club, and a login for its organiser."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.http.network import absolute_url
from clubs.management.shared import faults_named
from clubs.models import Club, Role
from clubs.profile.services import club_create, password_path, role_grant

PROGRAM = Actor.of_program("create_club")


class Command(BaseCommand):
    """`manage.py create_club SLUG --name NAME [--organiser EMAIL]`."""

    help = "Create a club; with --organiser also a login, with a link to set its password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="web name: small letters, digits and dashes")
        parser.add_argument("--name", required=True, help="name of the club")
        parser.add_argument("--organiser", metavar="EMAIL", help="e-mail address of the organiser")

    def handle(self, *args: Any, **options: Any) -> None:
        with faults_named(), transaction.atomic():
            club = club_create(slug=options["slug"], name=options["name"], actor=PROGRAM)
            email = options["organiser"]
            role = email and role_grant(
                club=club, email=email, kind=Role.Kind.ORGANISER, actor=PROGRAM
            )
        self.stdout.write(f"{club.name}: {absolute_url(club, '/')}")
        if role:
            self._invite(club, role)

    def _invite(self, club: Club, role: Role) -> None:
        """Say how the organiser gets in; whoever has a password already keeps it."""
        if role.user.last_login:
            words = _("%(email)s logs in with the password used so far.")
            self.stdout.write(words % {"email": role.user.email})
            others = Club.objects.filter(roles__user=role.user).exclude(pk=club.pk)
            names = ", ".join(others.order_by("name").values_list("name", flat=True))
            if names:
                words = _("That login is known from %(clubs)s: make sure whose it is.")
                self.stdout.write(words % {"clubs": names})
        else:
            words = _("%(email)s sets a password here (the link works once):")
            self.stdout.write(words % {"email": role.user.email})
            self.stdout.write(absolute_url(club, password_path(role.user)))
