"""Links with which somebody sets a password."""

from django.contrib.auth.tokens import PasswordResetTokenGenerator

from clubs.models import User


class PasswordLinks(PasswordResetTokenGenerator):
    """As Django's: once, three days at most, and not after logging in. Nor after somebody's tasks
    change: an organiser who made a link for one of his team never comes into another club by it."""

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        clubs = user.roles.order_by("club_id").values_list("club_id", flat=True)
        return f"{super()._make_hash_value(user, timestamp)}{list(clubs)}"


password_links = PasswordLinks()
