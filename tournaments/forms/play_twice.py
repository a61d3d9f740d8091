"""Who plays a round at a second table too."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from clubs.models import Member
from tournaments.play_twice import LeftOver


class PlayTwiceForm(forms.Form):
    """One field for each empty seat at the table of those who are left over."""

    def __init__(self, *args: Any, left_over: LeftOver, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        several = left_over.needed > 1
        for place in range(1, left_over.needed + 1):
            self.fields[f"twice_{place}"] = _Playing(
                left_over,
                label=_("Who plays twice, number %(n)s?") % {"n": place}
                if several
                else _("Who plays twice?"),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        members = list(cleaned.values())
        for place, name in enumerate(list(cleaned)):
            if members[place] in members[:place]:
                self.add_error(name, _("Choose somebody else: this one is chosen already."))
        return cleaned

    def chosen(self) -> list[Member]:
        """Who play twice; the form must be valid."""
        return [self.cleaned_data[name] for name in self.fields]


class _Playing(forms.ModelChoiceField):  # type: ignore[type-arg]
    """Somebody who plays this round at one table, with its number."""

    def __init__(self, left_over: LeftOver, **kwargs: Any) -> None:
        self._tables = left_over.tables
        people = Member.objects.filter(pk__in=self._tables).by_surname()
        super().__init__(people, empty_label=_("Choose a name"), **kwargs)

    def label_from_instance(self, obj: Any) -> str:
        return _("%(name)s, table %(n)s") % {"name": obj.name, "n": self._tables[obj.pk]}
