"""The form for the totals under the lines of a paper sheet."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext as _

from clubs.text.numbers import side_name
from scoring.display.sheet_view import SheetView
from scoring.display.words import pit_word
from scoring.paper_check.services import PaperTotals
from scoring.rules import SIDES

MOST: Final = 99_999


class PaperCheckForm(forms.Form):
    """The totals of a paper sheet: points, roem and pits of each side, or the total of each of
    three people. A blank field is not compared."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, view: SheetView) -> None:
        self.view = view
        typed = {row.side: row for row in view.sheet.control_totals.all()}
        self.parts = ("total",) if view.sheet.three_handed else ("points", "roem", "pits")
        initial = {
            f"{part}_{side.lower()}": getattr(row, part)
            for side, row in typed.items()
            for part in self.parts
        }
        super().__init__(data, initial=initial, prefix="control")
        for name, label in self._labels().items():
            self.fields[name] = _number(label, least=None if name.startswith("total") else 0)

    def on_paper(self) -> dict[str, PaperTotals]:
        """What was typed, by side or seat; the form must be valid."""
        return {
            side: PaperTotals(
                **{part: self.cleaned_data[f"{part}_{side.lower()}"] for part in self.parts}
            )
            for side in self.view.sheet.signatories
        }

    def _labels(self) -> dict[str, str]:
        pit = pit_word(self.view.sheet.club).capitalize()
        words = {
            "points": _("Points, %(who)s"),
            "roem": _("Roem, %(who)s"),
            "pits": _("%(pit)s, %(who)s, how many"),
            "total": _("Total of %(who)s"),
        }
        names = self.view.names(self.view.sheet.deals_planned)
        called = {
            signatory: side_name(signatory).lower() if signatory in SIDES else names[signatory]  # type: ignore[index]
            for signatory in self.view.sheet.signatories
        }
        return {
            f"{part}_{signatory.lower()}": words[part] % {"who": name, "pit": pit}
            for signatory, name in called.items()
            for part in self.parts
        }


def _number(label: str, least: int | None) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        validators=[MaxValueValidator(MOST)],
        min_value=least,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": 5}),
    )
