"""What could not be used of an event of a club, or is to be asked about it: kept with the event as
data, and read as sentences in the language of the reader."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy, ngettext_lazy

Note = dict[str, Any]
"""A note by what it is `about`, with the values of its sentence."""

MOST_NOTES = 50
_OF_NUMBERS = frozenset({"number_wrong", "number_taken", "number_elsewhere"})
"""Whose number it was is not kept: an event is without the names of people."""

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
    "namesakes": gettext_lazy(
        "Match day %(day)s: %(n)s people there have a name that may mean somebody else too, so it"
        " was not used. The name of their team says who they are, or their league number."
    ),
    "binding": gettext_lazy("Round %(round)s, %(match)s: the result is binding, so it stays."),
    "says_itself": gettext_lazy(
        "That match day %(day)s was played there, only this event says. Ask the club before you"
        " make the results binding."
    ),
    "number_wrong": gettext_lazy(
        "The number %(number)s and the code that came with it do not belong together."
    ),
    "number_taken": gettext_lazy("The number %(number)s is of somebody else of this club already."),
    "number_elsewhere": gettext_lazy(
        "Whoever came with number %(number)s is of another club here, so it was not used."
    ),
    "more": ngettext_lazy("And %(n)s remark more.", "And %(n)s remarks more.", "n"),
}


def note(about: str, **values: object) -> Note:
    """A note with the values of its sentence, as it is kept."""
    return {"about": about, **values}


def notes_to_keep(notes: Sequence[Note]) -> list[Note]:
    """The first of these, and how many there are more."""
    said = [each for each in notes if each["about"] != "more"]
    before = sum(each["n"] for each in notes if each["about"] == "more")
    more = before + len(said[MOST_NOTES:])
    return [*said[:MOST_NOTES], *([note("more", n=more)] if more else [])]


def kept_of_numbers(notes: Sequence[Note]) -> list[Note]:
    """What was kept about numbers, with how many there were more: they come last."""
    of_numbers = [each for each in notes if each["about"] in _OF_NUMBERS]
    return [*of_numbers, *(each for each in notes if of_numbers and each["about"] == "more")]


def notes_in_words(notes: Iterable[Note]) -> list[str]:
    """Each as a sentence."""
    return [str(_SENTENCES[each["about"]] % each) for each in notes]
