"""What a new password must not be, in words of our own."""

from django.contrib.auth.password_validation import UserAttributeSimilarityValidator
from django.utils.translation import gettext as _


class UnlikeOneself(UserAttributeSimilarityValidator):
    """Not like one's name or address; Django's words for it are no Dutch."""

    def __init__(self) -> None:
        super().__init__(user_attributes=("name", "email"))

    def get_error_message(self) -> str:
        return _("This password is too much like your name or your e-mail address.")
