"""The forms of backup copies."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.text.names import name_key


class SendForm(forms.Form):
    """A file, or a piece of one: a script sends large files in pieces."""

    file = forms.FileField(
        label=gettext_lazy("File with the copy"),
        help_text=gettext_lazy("Its name ends in .club or .backup; at most 1 GB."),
        allow_empty_file=True,
    )
    copy = forms.CharField(required=False, widget=forms.HiddenInput)
    start = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    total = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    name = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    @property
    def piece(self) -> dict[str, Any]:
        """What the service asks for. Without a script it is the whole file."""
        given = self.cleaned_data
        file = given["file"]
        content = file.read()
        return {
            "content": content,
            "start": given["start"] or 0,
            "total": len(content) if given["total"] is None else given["total"],
            "uuid": given["copy"],
            "name": given["name"] or file.name,
        }


class PlaceForm(forms.Form):
    """The name of the club, typed by whoever is sure."""

    name = forms.CharField(max_length=200)

    def __init__(self, data: Mapping[str, Any] | None = None, *, club_name: str) -> None:
        super().__init__(data)
        self._club_name = club_name
        self.fields["name"].label = _("Type the name of the club to be sure: %(name)s") % {
            "name": club_name
        }

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name_key(name) != name_key(self._club_name):
            raise forms.ValidationError(_("That is not the name of the club."))
        return name


class FolderForm(forms.Form):
    """The folder for copies that are made by themselves: one that is plugged in, or one typed."""

    OTHER = ""

    choice = forms.ChoiceField(
        label=gettext_lazy("Where do the copies go?"), widget=forms.RadioSelect, required=False
    )
    path = forms.CharField(
        label=gettext_lazy("Another folder"),
        required=False,
        max_length=500,
        help_text=gettext_lazy(
            "Only fill this in with the last choice: the whole path, for example %(example)s."
        )
        % {"example": "/home/anna/klaverclub"},
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, present: str, plugged_in: list[str]
    ) -> None:
        is_typed = bool(present) and present not in plugged_in
        initial = {
            "choice": present if present in plugged_in else self.OTHER,
            "path": present if is_typed else "",
        }
        if not present and plugged_in:
            initial["choice"] = plugged_in[0]
        super().__init__(data, initial=initial)
        if not plugged_in:
            del self.fields["choice"]
            path = self.fields["path"]
            path.label, path.required = _("Where do the copies go?"), True
            path.help_text = _(
                "No stick is plugged in. Put one in this computer and open this page anew: then you"
                " choose it here. Or type the whole path of a folder, for example %(example)s."
            ) % {"example": "/home/anna/klaverclub"}
            return
        self.fields["choice"].choices = [  # type: ignore[attr-defined]
            *((path, path) for path in plugged_in),
            (self.OTHER, _("Another folder, which I type below")),
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "choice" in cleaned and not cleaned["choice"] and cleaned.get("path") == "":
            self.add_error("path", _("Type the folder."))
        return cleaned

    @property
    def folder(self) -> str:
        """The folder that was chosen."""
        chosen: str = self.cleaned_data.get("choice") or self.cleaned_data["path"]
        return chosen
