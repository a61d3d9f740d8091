"""What a new password must not be, in words of our own."""

from django.contrib.auth.password_validation import (
    MinimumLengthValidator,
    UserAttributeSimilarityValidator,
)
from django.utils.translation import gettext as _


class UnlikeOneself(UserAttributeSimilarityValidator):
    """Not like one's name or address; Django's words for it are no Dutch."""

    def __init__(self) -> None:
        super().__init__(user_attributes=("name", "email"))

    def get_error_message(self) -> str:
        return _("This password is too much like your name or your e-mail address.")


class LongEnough(MinimumLengthValidator):
    """Of at least eight characters; Django's words for it have no Dutch."""

    def get_error_message(self) -> str:
        return _("This password is too short: it needs at least %(n)s characters.") % {
            "n": self.min_length
        }
