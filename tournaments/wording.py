"""What a club sends out, as lines with named fields in braces: read, checked and filled in.

It is no template language: a field is replaced by its value and there is nothing else to it. A
line with a field that has no value is left out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

FIELDS: Mapping[str, str] = {
    "club": "club",
    "datum": "date",
    "avond": "evening",
    "spelers": "players",
    "winnaar": "winner",
    "punten": "points",
    "top": "top",
    "volgers": "runners_up",
    "uitslag": "results",
    "poedel": "last",
    "poedelpunten": "last_points",
    "bijprijzen": "side_prizes",
    "gemiddelde": "average",
    "hoogste": "highest",
    "hoogste_speler": "highest_player",
    "laagste": "lowest",
    "laagste_speler": "lowest_player",
    "seizoen": "season",
    "koploper": "leader",
    "koploper_punten": "leader_points",
    "volgende": "next",
    "link": "link",
}
"""Every field by its Dutch name, with its English one; both may be used in any wording."""

_ENGLISH = {**FIELDS, **{english: english for english in FIELDS.values()}}
_FIELD = re.compile(r"\{([^{}\n]*)\}")
_BLANKS = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class WordingFault:
    """What is wrong in a line, from 1: a field that does not exist, with the nearest one there is,
    or else a brace that stands alone."""

    line: int
    field: str = ""
    nearest: str = ""

    @property
    def is_brace(self) -> bool:
        """Whether it is a brace without its other half."""
        return not self.field


def wording_faults(wording: str) -> list[WordingFault]:
    """Everything wrong with a wording, in order."""
    return [
        fault
        for number, line in enumerate(wording.splitlines(), start=1)
        for fault in _line_faults(number, line)
    ]


def wording_fill(wording: str, values: Mapping[str, str], *, joined: bool = False) -> str:
    """The wording with its fields filled in from `values` by English name; lines with a field that
    is empty are left out. `joined` makes one paragraph of lines that follow each other."""
    kept = [
        _FIELD.sub(lambda found: values.get(_key(found[1]), ""), line).rstrip()
        for line in wording.splitlines()
        if all(values.get(_key(name)) for name in _FIELD.findall(line))
    ]
    text = _BLANKS.sub("\n\n", "\n".join(kept)).strip()
    if joined:
        return "\n\n".join(" ".join(part.splitlines()) for part in text.split("\n\n"))
    return text


def field_name(field: str, language: str) -> str:
    """What a field (by its Dutch name) is called in a language."""
    return field if language == "nl" else FIELDS[field]


def _key(name: str) -> str:
    return _ENGLISH.get(name.strip().lower(), "")


def _line_faults(number: int, line: str) -> list[WordingFault]:
    unknown = [name.strip() for name in _FIELD.findall(line) if not _key(name)]
    faults = [WordingFault(number, f"{{{name}}}", _nearest(name)) for name in unknown]
    if re.search(r"[{}]", _FIELD.sub("", line)):
        faults.append(WordingFault(number))
    return faults


def _nearest(name: str) -> str:
    near = get_close_matches(name.lower(), _ENGLISH, n=1, cutoff=0.6)
    return f"{{{near[0]}}}" if near else ""
