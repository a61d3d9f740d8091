"""Links with which somebody sets a password."""

from django.contrib.auth.tokens import PasswordResetTokenGenerator

from clubs.models import User


class PasswordLinks(PasswordResetTokenGenerator):
    """As Django's links: they work once, for three days at most, and not after logging in.

    Nor after the person's tasks change: an organiser who made a link for a member of their team
    must never get into another club by it.
    """

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        clubs = user.roles.order_by("club_id").values_list("club_id", flat=True)
        return f"{super()._make_hash_value(user, timestamp)}{list(clubs)}"


password_links = PasswordLinks()
