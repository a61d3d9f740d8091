"""Fills an empty database with the demo club."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.http.network import absolute_url
from clubs.models import Club, User
from tournaments.demo.club import demo_club, demo_make, demo_password
from tournaments.leagues.queries import leagues_of_club
from tournaments.models import Evening
from tournaments.table_links.services import token_secret


class Command(BaseCommand):
    """`manage.py demo`: on an existing demo it only prints its addresses and logins."""

    help = "Fill an empty database with the demo club, and print its addresses and logins."

    def handle(self, *args: Any, **options: Any) -> None:
        club = demo_club()
        if Club.objects.listed().filter(is_demo=False).exists() or (
            not club and User.objects.exists()
        ):
            raise CommandError(
                _("This database is not a demo: other people's data is in it. Nothing was changed.")
            )
        club = club or demo_make(today=timezone.localdate())
        self.stdout.write(_("The demo club %(name)s") % {"name": club.name})
        for what, url in _addresses(club):
            self.stdout.write(f"  {what}: {url}")
        for role in club.roles.select_related("user").order_by("pk"):
            self.stdout.write(
                f"  {role.get_kind_display()}: {role.user.email}, "
                + _("password %(password)s") % {"password": demo_password()}
            )


def _addresses(club: Club) -> list[tuple[str, str]]:
    """Print the addresses to open."""
    paths = [
        (_("Public page"), club.get_absolute_url()),
        *((_("League"), league.get_absolute_url()) for league in leagues_of_club(club)),
        (_("Log in"), reverse("login")),
    ]
    evening = club.evenings.filter(state=Evening.State.RUNNING).first()
    token = evening and evening.tokens.filter(revoked_at=None).order_by("-table_number").first()
    if evening and token:
        paths += [
            (_("Screen in the hall"), reverse("evening_screen", args=[club.slug, evening.slug])),
            (
                _("Phone at table %(n)s") % {"n": token.table_number},
                reverse("table_page", args=[token_secret(token)]),
            ),
        ]
    return [(what, absolute_url(club, path)) for what, path in paths]
