"""Which drawing of the evening somebody asks for."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.services._drawings import MOST_DRAWINGS

_WHICH = _("Type a number from 1 to 999.")


class DrawingForm(forms.Form):
    """The number of a drawing, as the page of the draw shows it."""

    drawing = forms.IntegerField(
        label=_("Number of the drawing"),
        min_value=1,
        max_value=MOST_DRAWINGS,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), _WHICH),
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=_(
            "The same number gives the same tables again, as long as the same people are here."
        ),
    )
