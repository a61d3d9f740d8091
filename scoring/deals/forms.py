"""The form with which a table writes a deal, with its fields, and the forms about a full sheet."""

import json
import uuid as uuids
from collections.abc import Mapping
from copy import copy
from typing import Any, Final, Self, TypedDict

from django import forms
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.text.numbers import SUIT_NAMES, suit_name
from scoring import rules
from scoring.display.sheet_view import SheetView, is_written
from scoring.display.words import DealRefused, pit_word, side_words
from scoring.models import Deal, DealEntry
from scoring.rules import SEATS, SIDES

HOW_ROEM: Final = gettext_lazy("Write roem as numbers with spaces between, such as 20 50.")

MOST_ROEM: Final = 60
"""Limit on what is read: far more announcements than any deal has."""

Choices = list[tuple[str, Any]]
MARKS: Final = ("pit", "nat", "reneged", "accused_wrongly_by", "nil", "replayed")
RARE: Final = ("reneged", "accused_wrongly_by", "nil", "replayed")

NOT_ASKED: Final = ("dealer", "seats")
"""Keys that a line may have and no form asks for."""

REASONS: Final[dict[str, str | Promise]] = {
    "miscounted": gettext_lazy("counted wrong"),
    "mistyped": gettext_lazy("typed wrong"),
    "roem": gettext_lazy("roem forgotten or wrong"),
    "sides": gettext_lazy("we and they swapped"),
    "other": gettext_lazy("something else"),
}
LABELS_OF_THREE: Final = {
    "roem_ns": gettext_lazy("Roem of the player"),
    "roem_ew": gettext_lazy("Roem of the others"),
    "points_ns": gettext_lazy("Points of the player"),
    "points_ew": gettext_lazy("Points of the others"),
}


class PointsField(forms.IntegerField):
    """Card points of one side; None when left blank."""

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


class ReasonMixin(forms.Form):
    """Asks for a usual reason, or one in the writer's own words, where `needs_reason` is true."""

    needs_reason = True

    why = forms.ChoiceField(
        label=gettext_lazy("Why is it changed?"),
        choices=REASONS,
        widget=forms.RadioSelect,
        required=False,
    )
    why_else = forms.CharField(
        label=gettext_lazy("In your own words"), max_length=200, required=False
    )

    def leave_out_sides(self) -> None:
        """Drop the reason about swapped sides, for a table of three, which has no sides."""
        reasons = [(key, words) for key, words in REASONS.items() if key != "sides"]
        self.fields["why"].choices = reasons  # type: ignore[attr-defined]

    def reason(self) -> str:
        """The reason in words; empty where none is needed."""
        if not self.needs_reason:
            return ""
        own: str = self.cleaned_data["why_else"].strip()
        return own or str(REASONS[self.cleaned_data["why"]])

    def clean(self) -> None:
        why, own = self.cleaned_data.get("why"), self.cleaned_data.get("why_else", "").strip()
        if self.needs_reason and not own:
            if not why:
                self.add_error("why", _("Say why the deal is changed."))
            elif why == "other":
                self.add_error("why_else", _("Say in a few words why."))


class DealForm(ReasonMixin, forms.Form):
    """One deal as the table writes it.

    `written()` gives the content for `deal_write`, in the shape of the contract's sheet line. A
    deal that is already written is filled in, and changing it needs a reason; a writer who saw the
    line empty is not asked for one, since that is a conflict. Fields the regulation does not use
    are left out. Raises LookupError when the sheet has no deal `number`.

    On a sheet of three the fields ending in `ns` are those of the declarer, those in `ew` those of
    the other two.
    """

    asks_unproven = False

    seen_version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    uuid = forms.UUIDField(widget=forms.HiddenInput)
    device = forms.CharField(max_length=60, required=False, widget=forms.HiddenInput)
    declarer = forms.ChoiceField(
        label=gettext_lazy("Who plays?"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Say who plays.")},
    )
    trump = forms.ChoiceField(label=gettext_lazy("Trump"), widget=forms.RadioSelect, required=False)
    bid = PointsField(label=gettext_lazy("Bid"))
    roem_ns = RoemField(label=gettext_lazy("Our roem"))
    roem_ew = RoemField(label=gettext_lazy("Their roem"))
    points_ns = PointsField(label=gettext_lazy("Our points"))
    points_ew = PointsField(label=gettext_lazy("Their points"))
    nat = forms.BooleanField(label=gettext_lazy("nat, not counted"), required=False)
    pit = forms.ChoiceField(widget=forms.RadioSelect, required=False)
    reneged = forms.ChoiceField(
        label=gettext_lazy("Who reneged?"), widget=forms.RadioSelect, required=False
    )
    accused_wrongly_by = forms.ChoiceField(
        label=gettext_lazy("Who accused wrongly?"), widget=forms.RadioSelect, required=False
    )
    nil = forms.ChoiceField(
        label=gettext_lazy("Nil: no trick for the player"),
        widget=forms.RadioSelect,
        required=False,
    )
    replayed = forms.BooleanField(
        label=gettext_lazy("dealt again, this deal does not count"), required=False
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, view: SheetView, number: int
    ) -> None:
        deal = view.deal(number)
        if deal is None:
            raise LookupError(number)
        self.view, self.number, self.deal = view, number, deal
        self.rules = view.sheet.regulation.rules
        self.three_handed = view.sheet.three_handed
        self.before = self._before(deal)
        seen = None if data is None else data.get(self.add_prefix("seen_version"))
        self.is_stale = data is not None and seen != str(deal.version)
        self.needs_reason = self._needs_reason() and not self.is_stale
        super().__init__(data, initial=self._initial())
        for name, choices in self._choices().items():
            self.fields[name].choices = choices  # type: ignore[attr-defined]
        self.fields["pit"].label = _pit_label(view)
        if self.three_handed:
            self._ask_three()
        elif view.sheet.chair == "EW":
            self._ask_from_ew()
        for name in self._left_out():
            del self.fields[name]
        if expected := self._first_trump():
            words = _("First deal: %(suit)s.") % {"suit": suit_name(expected)}
            self.fields["trump"].help_text = words

    def on_line(self, number: int) -> Self:
        """A copy of the form about another line of the sheet, to read its properties only: making
        the fields again for each line is slow. Raises LookupError."""
        deal = self.view.deal(number)
        if deal is None:
            raise LookupError(number)
        other = copy(self)
        other.number, other.deal, other.before = number, deal, self._before(deal)
        return other

    @property
    def forced_seat(self) -> rules.Seat | None:
        """The seat that must play under the regulation; None where there is a choice."""
        sheet = self.view.sheet
        by_rule = {"forehand_must": sheet.forehand, "dealer_must": sheet.dealer}
        must_play = by_rule.get(self.rules.bidding)
        return must_play(self.number) if must_play else None

    @property
    def declarers(self) -> tuple[str, ...]:
        """The choices for who plays: seats where the rules or the line name a seat, else sides. A
        stale form may have offered either."""
        people = self.view.sheet.people
        if self.three_handed:
            return people
        if self.is_stale:
            return (*people, *SIDES)
        before = self.before.get("declarer")
        by_seat = self.forced_seat is not None or before in SEATS
        sides = self.view.sheet.columns if not by_seat or before in SIDES else ()
        return (people if by_seat else ()) + sides

    @property
    def folds_declarer(self) -> bool:
        """Whether the rules already say who plays, so that the question can be folded away."""
        forced = self.forced_seat
        return forced is not None and self["declarer"].value() == forced

    @property
    def asks_bid(self) -> bool:
        """Whether the regulation has bids that are written."""
        return "bid" in self.fields

    @property
    def shows_rare(self) -> bool:
        """Whether something rare is filled in, so that it is not folded away."""
        rare = [self[name] for name in RARE if name in self.fields]
        return any(bound.value() or bound.errors for bound in rare)

    @property
    def roem_keys(self) -> list[dict[str, object]]:
        """The keys that add roem: points and label. 40 is 20 and stuk, and 70 is 50 and stuk, so
        they need no key of their own."""
        values = sorted({20, 50, self.rules.four_of_a_kind, self.rules.four_jacks})
        keys: list[dict[str, object]] = [{"points": v, "label": str(v)} for v in values]
        return [*keys, {"points": 20, "label": _("stuk")}]

    def written(self) -> dict[str, object]:
        """The deal as the contract writes it; the form must be valid."""
        data = self.cleaned_data
        line = self.unasked | {"declarer": data["declarer"], "trump": data["trump"] or None}
        for key in ("points", "roem"):
            by_side = {side: data[f"{key}_{side.lower()}"] for side in SIDES}
            if given := {side: v for side, v in by_side.items() if v not in (None, [])}:
                line[key] = given
        line |= {key: data[key] for key in (*MARKS, "bid") if data.get(key)}
        if corrections := self.corrections():
            line["corrections"] = corrections
        if self.view.sheet.two_handed:
            line["seats"] = list(rules.TWO)
        return rules.line_of_three(line) if self.three_handed else line

    @property
    def unasked(self) -> dict[str, object]:
        """What the line has and this form does not ask for; a correction leaves it as it is."""
        marks = [key for key in MARKS if key not in self.fields and self.before.get(key)]
        return {key: self.before[key] for key in (*NOT_ASKED, *marks) if key in self.before}

    def corrections(self) -> list[dict[str, object]]:
        """The director's corrections, which a table leaves as they are."""
        return list(self.before.get("corrections") or [])

    def in_words(self, result: rules.DealResult) -> tuple[str, ...]:
        """What will be written, as a person at the table would say it."""
        return self.view.deal_in_words(result, self.view.short_names(self.number))

    def entry_in_words(self, entry: DealEntry) -> tuple[str, ...]:
        """What is on the sheet for this deal, in the same form."""
        if entry.written is None:
            return ()
        return self.in_words(rules.evaluate(entry.written, self.rules))

    def digest(self) -> str:
        """What would be written, as one string: sent along by a browser that has shown it in words.

        judge.js makes the same string on the phone.
        """
        return json.dumps(self.written(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def add_refusal(self, refused: DealRefused) -> None:
        """Add each fault of a refused deal to the field it is about."""
        for path, message in refused.messages(pit_word(self.view.sheet.club)):
            name = _field_of(self._as_entered(path))
            self.add_error(name if name in self.fields else None, message)

    def _ask_three(self) -> None:
        """Use the labels of a table of three."""
        for name, label in LABELS_OF_THREE.items():
            self.fields[name].label = label
        self.leave_out_sides()

    def _ask_from_ew(self) -> None:
        """Call the fields of East and West ours."""
        for kind in ("roem", "points"):
            ours, theirs = self.fields[f"{kind}_ns"], self.fields[f"{kind}_ew"]
            ours.label, theirs.label = theirs.label, ours.label

    @property
    def columns(self) -> list[dict[str, Any]]:
        """The fields of each side in the order of the sheet's columns."""
        return [
            {
                "side": side,
                "word": word,
                "roem": self[f"roem_{side.lower()}"],
                "points": self[f"points_{side.lower()}"],
            }
            for side, word in self.side_words.items()
        ]

    @property
    def side_words(self) -> Mapping[rules.Side, Any]:
        """What the two columns are called."""
        return side_words(self.view.sheet)

    def _before(self, deal: Deal) -> Mapping[str, Any]:
        """What is written of the deal, in the terms of the fields."""
        content = _content(deal) if is_written(deal) else {}
        return rules.entry_of_three(content) if self.three_handed and content else content

    def _as_entered(self, path: str) -> str:
        """The path of a fault in the terms of the fields: East of three declares as EW."""
        root, dot, rest = path.partition(".")
        turned = self.three_handed and self.cleaned_data.get("declarer") == "E"
        if not turned or rest[:2] not in SIDES:
            return path
        return f"{root}{dot}{rules.other_side(rest[:2])}{rest[2:]}"  # type: ignore[arg-type]

    def _needs_reason(self) -> bool:
        return is_written(self.deal)

    def _initial(self) -> dict[str, Any]:
        before = self.before
        points, roem = before.get("points") or {}, before.get("roem") or {}
        return {
            "seen_version": self.deal.version,
            "uuid": uuids.uuid4(),
            "declarer": before.get("declarer") or self.forced_seat,
            "trump": before.get("trump") or self._first_trump(),
            **{f"points_{side.lower()}": points.get(side) for side in SIDES},
            **{f"roem_{side.lower()}": roem.get(side) for side in SIDES},
            **{mark: before.get(mark) for mark in MARKS},
            "bid": before.get("bid"),
        }

    def _first_trump(self) -> str | None:
        """The trump suit the evening's rules fix for this deal; filled in on an empty line."""
        is_first = self.number == 1 and not self.before
        return (self.view.sheet.first_trump or None) if is_first else None

    def _choices(self) -> dict[str, Choices]:
        nobody: Choices = [("", _("nobody"))]
        seats: Choices = [
            (seat, _name_of(self.view, self.number, seat)) for seat in self.view.sheet.people
        ]
        order = self.view.sheet.columns
        sides: Choices = [(side, _side_of(self.view, side)) for side in order]
        by_side: Choices = [(side, _pit_of(self.view, side)) for side in order]
        no_trump: Choices = [("NT", _("no trump"))] if self.rules.no_trump else []
        return {
            "declarer": self._declarers(seats, sides),
            "trump": [*SUIT_NAMES.items(), *no_trump],
            "pit": [("", _no_pit(self.view)), *by_side],
            "reneged": nobody + seats,
            "accused_wrongly_by": nobody + seats,
            "nil": [("", _("not played")), ("made", _("made")), ("failed", _("failed"))],
        }

    def _declarers(self, seats: Choices, sides: Choices) -> Choices:
        offered = self.declarers
        return [choice for choice in [*seats, *sides] if choice[0] in offered]

    def _left_out(self) -> list[str]:
        is_asked = {
            "bid": self.rules.asks_bid,
            "nat": self.rules.nat,
            "nil": self.rules.nil_bonus is not None,
            "accused_wrongly_by": self.asks_unproven or self.rules.unproven_reneging != "none",
            "why": self.needs_reason,
            "why_else": self.needs_reason,
        }
        return [name for name, asks in is_asked.items() if not asks]


def _short_name(view: SheetView, number: int, seat: rules.Seat) -> str:
    return view.short_names(number)[seat]


def _side_word(view: SheetView, side: rules.Side) -> str:
    return str(side_words(view.sheet)[side])


def _pit_words(view: SheetView) -> str:
    return pit_word(view.sheet.club).capitalize()


def _pit_side_words(view: SheetView, side: rules.Side) -> str:
    pit = pit_word(view.sheet.club)
    if view.sheet.three_handed:
        return f"{pit} {_side_word(view, side).lower()}"
    whose = _("our %(pit)s") if side == view.sheet.columns[0] else _("their %(pit)s")
    return whose % {"pit": pit}


def _no_pit_words(view: SheetView) -> str:
    return _("no %(pit)s") % {"pit": pit_word(view.sheet.club)}


_name_of = lazy(_short_name, str)
_side_of = lazy(_side_word, str)
_pit_label = lazy(_pit_words, str)
_pit_of = lazy(_pit_side_words, str)
_no_pit = lazy(_no_pit_words, str)
"""Evaluated when shown: a form that only saves needs no query for names, and no other words."""


def _content(deal: Deal) -> Mapping[str, Any]:
    return (deal.current and deal.current.written) or {}


def _field_of(path: str) -> str:
    """The field for the path of a fault: `roem_ew` for `roem.EW.1`."""
    root, *rest = path.split(".")
    if root == "corrections":
        return "correction_points"
    if root in ("points", "roem"):
        return f"{root}_{rest[0].lower()}" if rest and rest[0] in SIDES else f"{root}_ns"
    return root


# Answers to whether a finished sheet is right.


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


class RestoreArguments(TypedDict):
    """The arguments of `deal_restore` that a form sends."""

    revision: int
    seen_version: int
    uuid: uuids.UUID


class RestoreForm(forms.Form):
    """What the button beside a revision sends."""

    revision = forms.IntegerField(min_value=0)
    seen_version = forms.IntegerField(min_value=0)
    uuid = forms.UUIDField()

    @property
    def arguments(self) -> RestoreArguments:
        """The arguments for `deal_restore`; the form must be valid."""
        return RestoreArguments(
            revision=self.cleaned_data["revision"],
            seen_version=self.cleaned_data["seen_version"],
            uuid=self.cleaned_data["uuid"],
        )
