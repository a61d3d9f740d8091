"""People named in a form: by name or by number."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from clubs.names import name_key
from tournaments.forms.typed_draw import labels

DATALIST = "people"


class PersonField(forms.CharField):
    """Somebody out of `people` by name or number, with a list to choose from; comes out as the
    Member. The page has a datalist of the form's `labels`."""

    def __init__(self, people: Mapping[str, Member], **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"list": DATALIST, "autocomplete": "off"})
        super().__init__(max_length=110, widget=widget, **kwargs)
        self.people = people

    def clean(self, value: Any) -> Any:
        typed = super().clean(value)
        member = self.people.get(name_key(typed))
        if member is None:
            raise forms.ValidationError(
                _("“%(typed)s” is not on the list. Choose a name from it."),
                params={"typed": typed},
            )
        return member


class TwoPeopleForm(forms.Form):
    """Two different people out of a list."""

    def __init__(self, *args: Any, people: Sequence[Member], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.labels = labels(people)
        known = {str(member.number): member for member in people if member.number}
        known |= {name_key(label): member for label, member in self.labels.items()}
        self.fields["one"] = PersonField(known, label=_("The one"))
        self.fields["two"] = PersonField(known, label=_("The other"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("one") and cleaned.get("one") == cleaned.get("two"):
            self.add_error("two", _("Choose somebody else than the first."))
        return cleaned
