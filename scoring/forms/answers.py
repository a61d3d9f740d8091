"""The forms with which a side answers whether the finished sheet is right."""

from django import forms
from django.utils.translation import gettext_lazy


class AgreeForm(forms.Form):
    """One side, or one of three people, agrees with the sheet as it stood at `seen_version`."""

    side = forms.CharField()
    seen_version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class DisputeForm(forms.Form):
    """What is wrong with the sheet as it stood at `seen_version`."""

    seen_version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    note = forms.CharField(
        label=gettext_lazy("What is wrong?"),
        help_text=gettext_lazy("In a few words; the director reads it."),
        max_length=200,
    )
