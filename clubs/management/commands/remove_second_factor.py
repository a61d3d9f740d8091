"""Removes the codes, recovery codes and passkeys of somebody who lost them all."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from clubs.audit.services import Actor
from clubs.models import User
from clubs.sign_in.second_factors import second_factor_remove

PROGRAM = Actor.of_program("remove_second_factor")


class Command(BaseCommand):
    """`manage.py remove_second_factor EMAIL`: from then on the password is enough."""

    help = "Remove the codes and passkeys of somebody who lost them: the password is then enough."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="e-mail address with which this person logs in")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        email = options["email"].strip()
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(f"Nobody logs in as '{email}'.")
        if not second_factor_remove(user=user, actor=PROGRAM):
            raise CommandError(f"'{email}' has no second factor.")
        self.stdout.write("Removed. The password is enough now.")
