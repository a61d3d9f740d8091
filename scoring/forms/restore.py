"""One press: this revision of a deal is put back."""

import uuid as uuids
from typing import TypedDict

from django import forms


class Asked(TypedDict):
    """What `deal_restore` is asked to put back, seen at which version."""

    revision: int
    seen_version: int
    uuid: uuids.UUID


class RestoreForm(forms.Form):
    """What the button beside a revision sends; 0 is the empty line before the first."""

    revision = forms.IntegerField(min_value=0)
    seen_version = forms.IntegerField(min_value=0)
    uuid = forms.UUIDField()

    @property
    def asked(self) -> Asked:
        """The arguments for `deal_restore`; the form must be valid."""
        return Asked(
            revision=self.cleaned_data["revision"],
            seen_version=self.cleaned_data["seen_version"],
            uuid=self.cleaned_data["uuid"],
        )
