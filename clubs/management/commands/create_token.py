"""Makes an API token for somebody with a login."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from clubs.accounts.services import token_make
from clubs.audit.services import Actor
from clubs.management.shared import club_named, faults_named
from clubs.models import User
from clubs.models.user import SCOPES

PROGRAM = Actor.of_program("create_token")


class Command(BaseCommand):
    """`manage.py create_token EMAIL [--club SLUG] [--networks ADDRESSES]`: prints the token and
    nothing else."""

    help = "Print a new API token of somebody; it may do what they may, until it is withdrawn."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="e-mail address with which this person logs in")
        parser.add_argument("--club", metavar="SLUG", help="for this club of theirs alone")
        parser.add_argument(
            "--networks",
            default="",
            metavar="ADDRESSES",
            help="from these addresses alone, such as 192.0.2.7,2001:db8::/32",
        )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        email = options["email"].strip()
        user = User.objects.filter(email__iexact=email, is_active=True).first()
        if user is None:
            raise CommandError(f"Nobody logs in as '{email}'.")
        with faults_named():
            made = token_make(
                user=user,
                name=PROGRAM.label,
                scopes=SCOPES,
                club=club_named(options["club"]) if options["club"] else None,
                networks=options["networks"],
                actor=PROGRAM,
            )
        self.stdout.write(made.secret)
