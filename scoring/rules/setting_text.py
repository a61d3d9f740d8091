"""The texts about one setting, as they are kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SettingText:
    """A setting's `noun`, the `question` a form asks, one `sentence` about it, and `choices`.

    `choices` are keyed as JSON writes the value: a choice by its own word, `true`, `false`, `null`.
    `{pit}` and `{Pit}` stand for the club's word.
    """

    noun: str
    question: str
    sentence: str
    choices: Mapping[str, str] = field(default_factory=dict)

    def with_pit(self, pit: str) -> "SettingText":
        """The same with the club's word for pit filled in.

        >>> SettingText("{pit}", "{Pit}?", "").with_pit("mars").question
        'Mars?'
        """
        words = {"pit": pit, "Pit": pit[:1].upper() + pit[1:]}
        return SettingText(
            self.noun.format_map(words),
            self.question.format_map(words),
            self.sentence.format_map(words),
            self.choices,
        )
