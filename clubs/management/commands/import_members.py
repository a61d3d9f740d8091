"""Reads a club's list of members from a file."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, no_translations

from clubs.audit.services import Actor
from clubs.management.shared import club_named, faults_named
from clubs.members.imports import members_import

PROGRAM = Actor.of_program("import_members")


class Command(BaseCommand):
    """`manage.py import_members FILE --club SLUG`: all or nothing."""

    help = "Import members from a CSV or XLSX file with columns number, name, email, phone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--club", required=True, metavar="SLUG")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        club = club_named(options["club"])
        with faults_named():
            done = members_import(club=club, source=options["file"], actor=PROGRAM)
        self.stdout.write(
            f"{club.name}: {done.added} added, {done.changed} changed, {done.unchanged} unchanged"
        )
