"""A reason in one line, for what must not happen without one."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class ReasonForm(forms.Form):
    """Asks why; `required=False` makes it a remark that may be left out."""

    reason = forms.CharField(
        label=_("Why?"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Give the reason in a few words.")},
    )

    def __init__(self, *args: Any, required: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = required

    @property
    def given(self) -> str:
        """The reason; the form must be valid."""
        reason: str = self.cleaned_data["reason"]
        return reason
