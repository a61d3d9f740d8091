"""Fields for the points and the roem of one side."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy

HOW_ROEM: Final = gettext_lazy("Write roem as numbers with spaces between, such as 20 50.")
MOST_ROEM: Final = 60
"""So many announcements no deal has, by far."""


class PointsField(forms.IntegerField):
    """Card points of one side; None where that side was not counted."""

    widget = forms.TextInput

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"inputmode": "numeric", "autocomplete": "off", "size": 3, "maxlength": 5}


class RoemField(forms.CharField):
    """The roem of one side as numbers with spaces between; gives a list of points."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"autocomplete": "off", "size": 8}

    def to_python(self, value: Any) -> Any:
        words = str(super().to_python(value)).replace("+", " ").replace(",", " ").split()
        are_numbers = all(word.isascii() and word.isdigit() and len(word) < 10 for word in words)
        if not are_numbers or len(words) > MOST_ROEM:
            raise forms.ValidationError(HOW_ROEM)
        return [int(word) for word in words]

    def prepare_value(self, value: Any) -> Any:
        return " ".join(map(str, value)) if isinstance(value, list) else value
