"""Computes every rating again from the score sheets."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, no_translations

from clubs.management.shared import club_named
from clubs.models import Club
from tournaments.ratings.services import ratings_make


class Command(BaseCommand):
    """`manage.py ratings [--club SLUG]`."""

    help = "Compute the ratings again from the deals, or from the totals if there are no deals."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", metavar="SLUG", help="only of this club")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["club"]
        for club in [club_named(slug)] if slug else Club.objects.listed().order_by("slug"):
            made = ratings_make(club_id=club.pk)
            people = {rating.member_id for rating in made}
            evenings = {rating.evening_id for rating in made}
            self.stdout.write(f"{club.slug}: evenings {len(evenings)}, players rated {len(people)}")
