"""What is typed to steer the screen: an announcement, the minutes of a round."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import HallScreen

STAYS = 0
"""Instead of minutes: until it is taken away."""


class MessageForm(forms.Form):
    """An announcement, and how long it is shown."""

    message = forms.CharField(
        label=_("What should the hall read?"),
        max_length=HallScreen.LONGEST_MESSAGE,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Type what the hall should read."),
            "max_length": _("At most %(limit_value)d letters fit on the screen."),
        },
    )
    minutes = forms.TypedChoiceField(
        label=_("How long?"),
        choices=[
            (STAYS, _("until I take it away")),
            (2, _("2 minutes")),
            (5, _("5 minutes")),
            (10, _("10 minutes")),
            (15, _("15 minutes")),
        ],
        coerce=int,
    )

    @property
    def given(self) -> tuple[str, int | None]:
        """The announcement, and its minutes or None to stay; the form must be valid."""
        return self.cleaned_data["message"], self.cleaned_data["minutes"] or None


class ClockForm(forms.Form):
    """How long a round lasts."""

    minutes = forms.IntegerField(
        label=_("Minutes for a round"),
        min_value=1,
        max_value=HallScreen.LONGEST_ROUND,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4, "autocomplete": "off"}),
        error_messages={
            "required": _("Type how many minutes a round lasts."),
            "invalid": _("Type how many minutes a round lasts."),
            "min_value": _("Choose from 1 to 300 minutes."),
            "max_value": _("Choose from 1 to 300 minutes."),
        },
    )
