"""The forms that create and change a regulation, a regulation as pages show it, and a club's own
notes on the page with its rules."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from scoring import rules
from scoring.display.words import reader_language
from scoring.models import RuleNote
from scoring.regulations.services import LONGEST_NOTE, NoteText
from scoring.rules import PRESETS, SETTINGS, Language, card_name, preset_description, preset_name
from scoring.rules.settings import HIGHEST_BONUS
from scoring.rules.spoken import (
    SETTING_GROUPS,
    Effect,
    SettingText,
    changed_settings,
    changes,
    differences,
    group_name,
    json_key,
    matters,
    nearest_preset,
    setting_effect,
    setting_in_words,
    setting_words,
)

NIL: Final = "nil"
"""The question whether nil is played; its points are the setting `nil_bonus`."""

_NAME_AND_DESCRIPTION: Final = "<strong>{}</strong><br>{}"


class NewRegulationForm(forms.Form):
    """The preset a new regulation starts from, and its name."""

    preset = forms.ChoiceField(
        label=_("Which rules come nearest to yours?"),
        help_text=_("After this you change what is different at your club."),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose the rules to start from.")},
    )
    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        required=False,
        help_text=_("For example the name of your club. Leave it empty for the name above."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, language: Language) -> None:
        super().__init__(data)
        self.language = language
        self.fields["preset"].choices = [  # type: ignore[attr-defined]
            (
                preset,
                format_html(
                    _NAME_AND_DESCRIPTION,
                    preset_name(preset, language),
                    preset_description(preset, language),
                ),
            )
            for preset in PRESETS
        ]

    def chosen_name(self) -> str:
        """The name that was typed, else the preset's."""
        typed: str = self.cleaned_data["name"]
        return typed or preset_name(self.cleaned_data["preset"], self.language)


class RegulationForm(forms.Form):
    """Every setting of a regulation, starting from `shown`.

    `settings()` gives all of them for `regulation_save`; `seen` is the regulation that the page
    showed when the form was filled in.
    """

    seen_settings = forms.CharField(widget=forms.HiddenInput, max_length=2000)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        shown: rules.RuleSet,
        language: Language,
        pit: str,
    ) -> None:
        self.seen = shown
        super().__init__(data, initial=_filled_in(shown))
        for name in SETTINGS:
            self._ask(name, language, pit)

    def clean_seen_settings(self) -> str:
        """What the browser claims to have shown must at least be a regulation."""
        text: str = self.cleaned_data["seen_settings"]
        try:
            self.seen = rules.parse_regulation(json.loads(text))
        except (ValueError, RecursionError, rules.InvalidDeal):
            raise forms.ValidationError(_("Open this page again and change it there.")) from None
        return text

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        played = cleaned.get(NIL) == "true"
        if played and "nil_bonus" in cleaned and cleaned["nil_bonus"] is None:
            self.add_error("nil_bonus", _("Fill in how many points it earns."))
        return cleaned

    def regulation(self) -> rules.RuleSet:
        """The regulation as it is filled in; invalid answers are left as they were."""
        self.is_valid()
        return rules.RuleSet(**{**self.seen.as_settings(), **self._answers()})

    def settings(self) -> dict[str, object]:
        """Every setting as it is filled in; the form must be valid."""
        return self.regulation().as_settings()

    def rebase(self, current: rules.RuleSet) -> dict[str, str]:
        """The form's values on top of `current`: only the settings that differ from `seen`."""
        mine, seen, now = self.settings(), self.seen.as_settings(), current.as_settings()
        merged: dict[str, Any] = {
            name: mine[name] if mine[name] != seen[name] else now[name] for name in now
        }
        return _filled_in(rules.RuleSet(**merged)) | {"seen_settings": json.dumps(now)}

    def _answers(self) -> dict[str, Any]:
        settings = self.seen.as_settings()
        answers = {
            name: _value(name, answer)
            for name, answer in self.cleaned_data.items()
            if name in settings
        }
        if self.cleaned_data.get(NIL) == "false":
            answers["nil_bonus"] = None
        elif answers.get("nil_bonus") is None:
            answers.pop("nil_bonus", None)
        return answers

    def _ask(self, name: str, language: Language, pit: str) -> None:
        words = setting_words(name, language, pit)
        choices = list(words.choices.items())
        if name == "nil_bonus":
            yes_no = setting_words("no_trump", language, pit).choices
            self.fields[NIL] = _ChoiceField(words, list(yes_no.items()))
            self.fields[name] = _PointsField(_("Points when it is made"), required=False)
        elif SETTINGS[name].takes_points:
            self.fields[name] = _PointsField(words.question, words.sentence)
        else:
            self.fields[name] = _ChoiceField(words, choices)


class _ChoiceField(forms.ChoiceField):
    def __init__(self, words: SettingText, choices: list[tuple[str, str]]) -> None:
        super().__init__(
            label=words.question,
            help_text=words.sentence,
            choices=choices,
            widget=forms.RadioSelect,
            error_messages={"required": _("Choose one of these.")},
        )


class _PointsField(forms.IntegerField):
    widget = forms.TextInput

    def __init__(self, question: Any, sentence: str = "", *, required: bool = True) -> None:
        super().__init__(
            label=question,
            help_text=sentence,
            required=required,
            min_value=0,
            max_value=HIGHEST_BONUS,
            error_messages={"required": _("Fill in a number; 0 for nothing.")},
        )

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"inputmode": "numeric", "autocomplete": "off", "size": 5, "maxlength": 6}


def _filled_in(regulation: rules.RuleSet) -> dict[str, str]:
    """The form's values for this regulation."""
    settings = regulation.as_settings()
    return {
        "seen_settings": json.dumps(settings),
        NIL: _as_choice(regulation.nil_bonus is not None),
        **{name: _as_choice(value) for name, value in settings.items()},
    }


def _as_choice(value: object) -> str:
    """A setting's value as a choice of the form."""
    return "" if value is None else json_key(value)


def _value(name: str, answer: object) -> object:
    """The setting's value for an answer of the form."""
    by_key = {json_key(value): value for value in SETTINGS[name].choices}
    return by_key.get(str(answer), answer)


# A regulation as pages show it.


def base_in_words(regulation: rules.RuleSet, pit: str) -> tuple[str, tuple[str, ...]]:
    """The name of the nearest preset, and the differences from it."""
    language, preset = reader_language(), nearest_preset(regulation)
    different = differences(regulation, PRESETS[preset], language, pit)
    return preset_name(preset, language), different


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of an example, and whether it may be played."""

    rank: str
    suit: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class SettingView:
    """A question of the form, with its example. `moot`: it has no effect with these settings."""

    name: str
    question: BoundField
    points: BoundField | None
    effect: Effect
    hand: tuple[HandCard, ...]
    moot: bool

    @property
    def is_faulty(self) -> bool:
        return bool(self.question.errors or (self.points and self.points.errors))


@dataclass(frozen=True, slots=True)
class GroupView:
    """Settings that belong together. `sentences` are those that have an effect, in words, each with
    whether it differs from the nearest preset."""

    key: str
    title: str
    sentences: tuple[tuple[str, bool], ...]
    settings: tuple[SettingView, ...]
    is_changed: bool

    @property
    def is_open(self) -> bool:
        """Whether it must not be folded away: a setting was changed, or is faulty."""
        return self.is_changed or any(setting.is_faulty for setting in self.settings)


class RegulationView:
    """A regulation form with the effect of every setting as it is filled in now."""

    def __init__(self, form: RegulationForm, pit: str) -> None:
        self.form, self.pit, self.language = form, pit, reader_language()
        self.regulation = form.regulation() if form.is_bound else form.seen
        self.base, self.different = base_in_words(self.regulation, pit)

    @cached_property
    def changes(self) -> tuple[str, ...]:
        """What was changed in the form, with the old value."""
        return changes(self.form.seen, self.regulation, self.language, self.pit)

    @cached_property
    def groups(self) -> tuple[GroupView, ...]:
        """All settings, by group."""
        preset = PRESETS[nearest_preset(self.regulation)]
        others = set(changed_settings(preset, self.regulation))
        touched = set(changed_settings(self.form.seen, self.regulation))
        return tuple(
            GroupView(
                key=key,
                title=group_name(key, self.language, self.pit),
                sentences=tuple(
                    (self._sentence(name), name in others) for name in self._relevant(names)
                ),
                settings=tuple(self._setting(name) for name in names),
                is_changed=not touched.isdisjoint(names),
            )
            for key, names in SETTING_GROUPS.items()
        )

    def effect_text(self, name: str) -> str:
        """What one setting does, as one text; empty for an unknown name."""
        if name not in self.regulation.as_settings():
            return ""
        effect = self._effect(name)
        return " ".join((effect.situation, *effect.lines))

    def _relevant(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if matters(name, self.regulation)]

    def _sentence(self, name: str) -> str:
        return setting_in_words(name, self.regulation, self.language, self.pit)

    def _setting(self, name: str) -> SettingView:
        effect = self._effect(name)
        is_nil = name == "nil_bonus"
        return SettingView(
            name=name,
            question=self.form[NIL if is_nil else name],
            points=self.form[name] if is_nil else None,
            effect=effect,
            hand=_hand(effect, self.language),
            moot=not matters(name, self.regulation),
        )

    def _effect(self, name: str) -> Effect:
        return setting_effect(name, self.regulation, self.language, self.pit)


def _hand(effect: Effect, language: Language) -> tuple[HandCard, ...]:
    return tuple(
        HandCard(card_name(card, language)[1:], card[1], card in effect.allowed)
        for card in effect.hand
    )


Topic = RuleNote.Topic

_EXAMPLES: Final[Mapping[str, Any]] = {
    Topic.DEALING: _("For example: cards are dealt 3-2-3, and cutting is obligatory."),
    Topic.SIGNALLING: _(
        "For example: you signal only with the card that you play, never with words or gestures."
    ),
    Topic.OUT_OF_TURN: _(
        "For example: a card played out of turn stays on the table and is played as soon as that"
        " is allowed."
    ),
    Topic.COUNTING: _("For example: the side that did not play counts, and the other side checks."),
    Topic.OTHER: _("For example: phones stay in the pocket at the table."),
}


class NoteField(forms.CharField):
    """A text of several lines; browsers send CRLF, which becomes LF."""

    widget = forms.Textarea(attrs={"rows": 4})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=LONGEST_NOTE, **kwargs)

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n")


class TopicFields(NamedTuple):
    """The two fields of a topic, and the stored text if it differs from what was typed."""

    title: str
    dutch: BoundField
    english: BoundField
    standing: NoteText | None


class RuleNotesForm(forms.Form):
    """Two texts for each topic; `seen` is the version of the notes that the page showed."""

    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        notes: Mapping[str, NoteText],
        version: int,
    ) -> None:
        initial = dict(_by_field(notes))
        super().__init__(data, initial=initial | {"seen": version})
        self.notes = notes
        for topic in Topic:
            self.fields[topic] = NoteField(label=capfirst(topic.label), help_text=_EXAMPLES[topic])
            self.fields[f"{topic}_en"] = NoteField(
                label=_("%(topic)s, in English") % {"topic": capfirst(topic.label)}
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for topic in Topic:
            if cleaned.get(f"{topic}_en") and cleaned.get(topic) == "":
                self.add_error(
                    topic, _("Write it in Dutch too: most people read these rules in Dutch.")
                )
        return cleaned

    def texts(self) -> dict[str, NoteText]:
        """What was typed, by topic."""
        cleaned = self.cleaned_data
        return {topic: NoteText(cleaned[topic], cleaned[f"{topic}_en"]) for topic in Topic.values}

    def topics(self) -> Iterator[TopicFields]:
        """The fields, in order of topics."""
        for topic in Topic.values:
            dutch, english = self[topic], self[f"{topic}_en"]
            differs = self.is_bound and self.notes[topic] != (dutch.value(), english.value())
            standing = self.notes[topic] if differs else None
            yield TopicFields(str(dutch.label), dutch, english, standing)


def _by_field(notes: Mapping[str, NoteText]) -> Iterator[tuple[str, str]]:
    for topic, note in notes.items():
        yield topic, note.text
        yield f"{topic}_en", note.text_en
