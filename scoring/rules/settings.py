"""What a setting of a regulation is declared with.

A setting is declared once, as a field of one of the classes that `RuleSet` is made of. Forms,
examples, the rules in words and the reading of JSON all follow from that declaration.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

HIGHEST_BONUS: Final = 10_000
"""No club gives more for anything; above it a value is a slip."""

Rules = Any
"""A `RuleSet`: it is made of the settings that functions here are about."""

T = TypeVar("T")


class Example(NamedTuple):
    """What the setting does: a `situation` at the table, and what follows from it.

    `says` are sentences; each of `deals` is worked out, with hearts as trump and us as declarers
    where it does not say otherwise. Where a card is to be played, `hand` is what you hold and
    `trick` what the three before you played.
    """

    situation: str
    says: tuple[str, ...] = ()
    deals: tuple[Mapping[str, Any], ...] = ()
    hand: tuple[str, ...] = ()
    trick: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """A setting in words: its `noun`, the `question` a form asks, one `sentence` about it.

    `choices` are its values, each in words; without them, or with None alone, it takes points.
    It is asked where it `matters` given the other settings. `rule` are the sentences about it on
    the page of rules, which stand in `section` (the `group`, where none is named).
    """

    group: str
    noun: str
    question: str
    sentence: str
    example: Callable[[Rules], Example]
    choices: Mapping[Any, str]
    matters: Callable[[Rules], bool]
    rule: Callable[[Rules], Iterable[str]]
    section: str

    @property
    def takes_points(self) -> bool:
        return all(value is None for value in self.choices)

    def allows(self, value: object) -> bool:
        """Whether this can be the setting's value.

        >>> score = setting(0, group="", noun="", question="", sentence="", example=Example(""))
        >>> score.metadata["setting"].allows(50), score.metadata["setting"].allows("50")
        (True, False)
        """
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return True
        return self.takes_points and type(value) is int and 0 <= value <= HIGHEST_BONUS


def setting(
    default: T,
    *,
    group: str,
    noun: str,
    question: str,
    sentence: str,
    example: Example | Callable[[Rules], Example],
    choices: Mapping[Any, str] | None = None,
    matters: Callable[[Rules], bool] = lambda _rules: True,
    rule: Callable[[Rules], Iterable[str]] = lambda _rules: (),
    section: str = "",
) -> T:
    """The field of a regulation for a setting; see `Setting`."""
    declared = Setting(
        group=group,
        noun=noun,
        question=question,
        sentence=sentence,
        example=(lambda _rules: example) if isinstance(example, Example) else example,
        choices=choices or {},
        matters=matters,
        rule=rule,
        section=section or group,
    )
    return field(default=default, metadata={"setting": declared})
