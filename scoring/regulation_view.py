"""A regulation as pages show it: its settings in groups, each with what it does."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.forms import BoundField

from scoring import rules
from scoring.forms.regulation import NIL, RegulationForm
from scoring.rules import PRESETS, Language, card_name, preset_name
from scoring.rules.setting_words import (
    SETTING_GROUPS,
    Effect,
    changed_settings,
    changes,
    differences,
    group_name,
    matters,
    nearest_preset,
    setting_effect,
    setting_in_words,
)
from scoring.words import reader_language


def base_in_words(regulation: rules.Regulation, pit: str) -> tuple[str, tuple[str, ...]]:
    """The preset that this comes nearest to, by name, and what is different from it."""
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
    """A question of the form, with its example. `moot`: nothing hangs on it as things stand."""

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
    """Settings that belong together. `said` are those that matter, each in words and whether it is
    other than in the nearest preset."""

    key: str
    title: str
    said: tuple[tuple[str, bool], ...]
    settings: tuple[SettingView, ...]
    is_changed: bool

    @property
    def is_open(self) -> bool:
        """Whether there is something in it that must be in sight."""
        return self.is_changed or any(setting.is_faulty for setting in self.settings)


class RegulationView:
    """A form with a regulation, and what it does as it is filled in now."""

    def __init__(self, form: RegulationForm, pit: str) -> None:
        self.form, self.pit, self.language = form, pit, reader_language()
        self.regulation = form.regulation() if form.is_bound else form.seen
        self.base, self.different = base_in_words(self.regulation, pit)

    @cached_property
    def changes(self) -> tuple[str, ...]:
        """What is filled in otherwise than it was, with what it was."""
        return changes(self.form.seen, self.regulation, self.language, self.pit)

    @cached_property
    def groups(self) -> tuple[GroupView, ...]:
        """All settings in their groups."""
        preset = PRESETS[nearest_preset(self.regulation)]
        others = set(changed_settings(preset, self.regulation))
        touched = set(changed_settings(self.form.seen, self.regulation))
        return tuple(
            GroupView(
                key=key,
                title=group_name(key, self.language, self.pit),
                said=tuple((self._said(name), name in others) for name in self._asked(names)),
                settings=tuple(self._setting(name) for name in names),
                is_changed=not touched.isdisjoint(names),
            )
            for key, names in SETTING_GROUPS.items()
        )

    def told(self, name: str) -> str:
        """What one setting does, in one text; empty for what is no setting."""
        if name not in self.regulation.as_settings():
            return ""
        effect = self._effect(name)
        return " ".join((effect.situation, *effect.lines))

    def _asked(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if matters(name, self.regulation)]

    def _said(self, name: str) -> str:
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
