"""What could not be used of an event of a club, or is to be asked about it: kept with the event as
data, and read as sentences in the language of the reader."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy, ngettext_lazy

Note = dict[str, Any]
"""A note by what it is `about`, with the values of its sentence."""

MOST_NOTES = 50
OF_NUMBERS = frozenset({"number_wrong", "number_taken", "number_elsewhere"})

_SENTENCES: Mapping[str, Any] = {
    "brought_before": gettext_lazy(
        "%(club)s brought an event of match day %(day)s before; its results stay."
    ),
    "tables_missing": ngettext_lazy(
        "Round %(round)s, %(match)s: %(n)s of %(tables)s tables is in this event, so no result was"
        " taken over.",
        "Round %(round)s, %(match)s: %(n)s of %(tables)s tables are in this event, so no result was"
        " taken over.",
        "n",
    ),
    "binding": gettext_lazy("Round %(round)s, %(match)s: the result is binding, so it stays."),
    "says_itself": gettext_lazy(
        "That match day %(day)s was played there, only this event says. Ask the club before you"
        " make the results binding."
    ),
    "number_wrong": gettext_lazy(
        "The number %(number)s of %(name)s and its code do not belong together."
    ),
    "number_taken": gettext_lazy(
        "The number %(number)s of %(name)s is of somebody else of this club."
    ),
    "number_elsewhere": gettext_lazy(
        "%(name)s is of another club here, so their number %(number)s was not used."
    ),
    "more": ngettext_lazy("And %(n)s remark more.", "And %(n)s remarks more.", "n"),
}


def note(about: str, **values: object) -> Note:
    """A note with the values of its sentence, as it is kept."""
    return {"about": about, **values}


def notes_to_keep(notes: Sequence[Note]) -> list[Note]:
    """The first of these, and how many there are more."""
    if len(notes) <= MOST_NOTES:
        return list(notes)
    return [*notes[:MOST_NOTES], note("more", n=len(notes) - MOST_NOTES)]


def notes_in_words(notes: Iterable[Note]) -> list[str]:
    """Each as a sentence."""
    return [str(_SENTENCES[each["about"]] % each) for each in notes]
