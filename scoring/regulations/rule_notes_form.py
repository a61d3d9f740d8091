"""The form for a club's own notes on the page with its rules."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from scoring.models import RuleNote
from scoring.regulations.services import LONGEST_NOTE, NoteText

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
