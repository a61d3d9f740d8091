"""The director's forms of a deal: in full, with a correction, and one line of the grid in which a
whole paper sheet is typed."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.text.numbers import roem_letters_read
from scoring.deals.forms import MARKS, NOT_ASKED, REASONS, Choices, DealForm, RoemField
from scoring.display.sheet_view import SheetView
from scoring.display.words import pit_word
from scoring.rules import SIDES


class DirectorDealForm(DealForm):
    """A deal with a correction for a side or for one player; also for a closed sheet."""

    asks_unproven = True

    correction_to = forms.ChoiceField(label=gettext_lazy("Correction for"), required=False)
    correction_points = forms.IntegerField(label=gettext_lazy("Points to add"), required=False)
    correction_reason = forms.CharField(
        label=gettext_lazy("Why this correction"), max_length=200, required=False
    )

    @property
    def shows_correction(self) -> bool:
        """Whether a correction is filled in, so that its fields are not folded away."""
        names = ("correction_to", "correction_points", "correction_reason")
        return any(self[name].value() or self[name].errors for name in names)

    def clean(self) -> None:
        super().clean()
        data = self.cleaned_data
        to, points = data.get("correction_to"), data.get("correction_points")
        if points and not to:
            self.add_error("correction_to", _("Say who gets the correction."))
        if to and points is None and "correction_points" not in self.errors:
            self.add_error("correction_points", _("Say how many points."))
        if to and not data.get("correction_reason", "").strip():
            self.add_error("correction_reason", _("Say why there is a correction."))

    def corrections(self) -> list[dict[str, object]]:
        data, others = self.cleaned_data, super().corrections()[1:]
        to = data["correction_to"]
        if not to:
            return others
        correction = {
            "side" if to in SIDES else "seat": to,
            "points": data["correction_points"],
            "reason": data["correction_reason"].strip(),
        }
        return [correction, *others]

    def _needs_reason(self) -> bool:
        return super()._needs_reason() or self.view.sheet.state == "closed"

    def _initial(self) -> dict[str, Any]:
        correction: dict[str, Any] = next(iter(self.before.get("corrections") or []), {})
        return super()._initial() | {
            "correction_to": correction.get("side") or correction.get("seat"),
            "correction_points": correction.get("points"),
            "correction_reason": correction.get("reason", ""),
        }

    def _choices(self) -> dict[str, list[tuple[str, Any]]]:
        names = self.view.short_names(self.number)
        people = [(seat, names[seat]) for seat in self.view.sheet.people]
        sides = [(side, self.side_words[side]) for side in SIDES]
        return super()._choices() | {"correction_to": [("", "–"), *sides, *people]}


TYPED: Final = (
    "declarer",
    "trump",
    "bid",
    "points_ns",
    "roem_ns",
    "points_ew",
    "roem_ew",
    "mark",
)
"""The boxes of a line, in the order of the paper; the bid where bids are written."""

AS_IT_WAS: Final = "kept"
"""The mark of a line that holds more than one line of the grid can show."""

REASONS_HERE: Final = [(key, words) for key, words in REASONS.items() if key != "other"]
"""A line has no room for a reason in the writer's own words; the full form has."""


class LetteredRoemField(RoemField):
    """Roem as numbers, or in the club's letters for them; 0 counts as none."""

    letters: Mapping[str, int]

    def to_python(self, value: Any) -> Any:
        words = str(value or "").replace("+", " ").replace(",", " ").split()
        meant = (str(self.letters.get(word.upper(), word)) for word in words)
        return super().to_python(" ".join(word for word in meant if word.strip("0")))

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool((initial or []) != self.to_python(data))
        except forms.ValidationError:
            return True


class LineForm(DealForm):
    """One line of the grid: what most lines have, with at most one mark.

    Anything else (a correction by the director, a second mark) stays as it is; only the full form
    of the deal can change it. A line in which nothing was typed must not be written: see
    `is_touched`.
    """

    declarer = forms.ChoiceField(
        label=gettext_lazy("Who plays?"),
        error_messages={"required": gettext_lazy("Say who plays.")},
    )
    trump = forms.ChoiceField(label=gettext_lazy("Trump"), required=False)
    roem_ns = LetteredRoemField(label=gettext_lazy("Our roem"))
    roem_ew = LetteredRoemField(label=gettext_lazy("Their roem"))
    mark = forms.ChoiceField(label=gettext_lazy("Mark"), required=False)
    shown = forms.CharField(widget=forms.HiddenInput, required=False)
    why = forms.ChoiceField(
        label=gettext_lazy("Why is it changed?"),
        choices=REASONS_HERE,
        required=False,
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, view: SheetView, number: int
    ) -> None:
        self.prefix = f"deal{number}"
        super().__init__(data, view=view, number=number)
        for name in (*MARKS, "device", "why_else"):
            self.fields.pop(name, None)
        for name, label in self._labels().items():
            self.fields[name].label = label
        letters = roem_letters_read(view.sheet.club.roem_letters)
        for side in SIDES:
            self.fields[f"roem_{side.lower()}"].letters = letters  # type: ignore[attr-defined]

    @property
    def is_touched(self) -> bool:
        """Whether the line was sent and differs from what the page showed. Compared with the page
        and not with the database, so that another writer's change is not taken for a touch."""
        if self.add_prefix("uuid") not in self.data:
            return False
        shown = self.data.get(self.add_prefix("shown"))
        if not shown:
            return any(name in TYPED for name in self.changed_data)
        return bool(shown != _as_text([self.data.get(self.add_prefix(name), "") for name in TYPED]))

    @property
    def boxes(self) -> list[forms.BoundField]:
        return [self[name] for name in TYPED if name in self.fields]

    @property
    def unasked(self) -> dict[str, object]:
        if getattr(self, "cleaned_data", {}).get("mark") == AS_IT_WAS:
            return super().unasked
        return {key: self.before[key] for key in NOT_ASKED if key in self.before}

    def clean(self) -> None:
        super().clean()
        mark, _colon, target = self.cleaned_data.get("mark", "").partition(":")
        if mark in MARKS:
            self.cleaned_data[mark] = target or True

    def reason(self) -> str:
        return str(REASONS[self.cleaned_data["why"]]) if self.needs_reason else ""

    def _labels(self) -> dict[str, str]:
        words = {"points": _("Points, %(who)s"), "roem": _("Roem, %(who)s")}
        return {
            f"{part}_{side.lower()}": text % {"who": str(self.side_words[side]).lower()}
            for part, text in words.items()
            for side in SIDES
        }

    def _initial(self) -> dict[str, Any]:
        marks = [f"{key}:{self.before[key]}" for key in MARKS if self.before.get(key)]
        mark = marks[0].removesuffix(":True") if len(marks) == 1 else AS_IT_WAS if marks else ""
        known = [code for code, _words in self._marks()]
        initial = super()._initial() | {
            "mark": mark if mark in known else AS_IT_WAS,
            "why": "mistyped",
        }
        return initial | {"shown": _as_text([box_text(initial[name]) for name in TYPED])}

    def _choices(self) -> dict[str, Choices]:
        choices = super()._choices()
        blank: Choices = [("", "–")]
        return choices | {
            "declarer": blank + choices["declarer"],
            "trump": blank + choices["trump"],
            "mark": self._all_marks(),
        }

    def _all_marks(self) -> Choices:
        more: Choices = [(AS_IT_WAS, _("more, see the full form"))]
        return self._marks() + (more if self._initial()["mark"] == AS_IT_WAS else [])

    def _marks(self) -> Choices:
        pit, names = pit_word(self.view.sheet.club), self.view.short_names(self.number)
        nat: Choices = [("nat", _("nat, not counted"))] if self.rules.nat else []
        nil: Choices = [("nil:made", _("nil made")), ("nil:failed", _("nil failed"))]
        return [
            ("", "–"),
            *nat,
            *((f"pit:{side}", f"{pit} {str(self.side_words[side]).lower()}") for side in SIDES),
            *(
                (f"reneged:{seat}", _("%(name)s reneged") % {"name": names[seat]})
                for seat in self.view.sheet.people
            ),
            *(nil if self.rules.nil_bonus is not None else []),
            ("replayed", _("dealt again")),
        ]


def box_text(value: Any) -> str:
    """A value as the text of its box."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def _as_text(texts: Sequence[str]) -> str:
    return json.dumps(texts, ensure_ascii=False)
