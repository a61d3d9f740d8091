"""A wording as a form."""

from django import forms
from django.utils.translation import gettext_lazy as _


class WordingForm(forms.Form):
    """The lines of a text that is sent out, with the version that it started from."""

    wording = forms.CharField(
        label=_("The text, with fields in braces"),
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "true", "autocomplete": "off"}),
        strip=False,
    )
    seen = forms.IntegerField(widget=forms.HiddenInput)
