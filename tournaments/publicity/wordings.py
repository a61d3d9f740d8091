"""Wordings of what a club sends out: the standard ones, the club's own, checked and filled in.

A wording is text with named fields in braces.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError, VersionConflict
from tournaments.models import ClubText

MESSAGE, NEWSPAPER = "message", "newspaper"
LONGEST = 4_000

_MESSAGE_NL = """\
*{club}, {datum}*
Winnaar: {winnaar} met {punten} punten.

{top}

Poedelprijs: {poedel} ({poedelpunten})
{bijprijzen}
Gemiddeld {gemiddelde} punten, {spelers} spelers.
Hoogste boompje: {hoogste} ({hoogste_speler})
Laagste boompje: {laagste}

Koploper van {seizoen}: {koploper} ({koploper_punten})
Volgende keer: {volgende}
{link}
"""
_MESSAGE_EN = """\
*{club}, {date}*
Winner: {winner} with {points} points.

{top}

Booby prize: {last} ({last_points})
{side_prizes}
Average {average} points, {players} players.
Highest boompje: {highest} ({highest_player})
Lowest boompje: {lowest}

Leader of {season}: {leader} ({leader_points})
Next time: {next}
{link}
"""
_NEWSPAPER_NL = """\
{club}: winst voor {winnaar}

Bij {club} werd op {datum} geklaverjast door {spelers} spelers.
De overwinning ging naar {winnaar}, met {punten} punten.
Op de plaatsen daarna: {volgers}.
De poedelprijs was voor {poedel}, met {poedelpunten} punten.

Gemiddeld werden er {gemiddelde} punten gehaald.
Het hoogste boompje telde {hoogste} punten en was van {hoogste_speler}.
Het laagste boompje bleef steken op {laagste} punten.

In het seizoen {seizoen} is de leiding in handen van {koploper}, met {koploper_punten} punten.
De volgende keer is op {volgende}.

De uitslag: {uitslag}.
"""
_NEWSPAPER_EN = """\
{club}: {winner} on top

At {club} {players} people played klaverjas on {date}.
Victory went to {winner}, with {points} points.
In the places after that: {runners_up}.
The booby prize was for {last}, with {last_points} points.

The average was {average} points.
The highest boompje counted {highest} points and was that of {highest_player}.
The lowest boompje got no further than {lowest} points.

In the season {season} the lead is with {leader}, on {leader_points} points.
The next time is on {next}.

The results: {results}.
"""

STANDARD: Mapping[tuple[str, str], str] = {
    (MESSAGE, "nl"): _MESSAGE_NL,
    (MESSAGE, "en"): _MESSAGE_EN,
    (NEWSPAPER, "nl"): _NEWSPAPER_NL,
    (NEWSPAPER, "en"): _NEWSPAPER_EN,
}
"""The standard wording by kind and language."""

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


class ClubWording(NamedTuple):
    """The wording in use, and its version: 0 as long as the club never wrote one."""

    text: str
    version: int


def club_wording(club: Club, kind: str, language: str) -> ClubWording:
    """The club's own wording, or the standard one. One query."""
    own = ClubText.objects.filter(club=club, kind=kind, language=language).first()
    if own is None:
        return ClubWording(STANDARD[kind, language], 0)
    return ClubWording(own.wording or STANDARD[kind, language], own.version)


@dataclass(frozen=True, slots=True)
class WordingFault:
    """A fault in a line, counted from 1: an unknown field, with the nearest known one, or else an
    unpaired brace."""

    line: int
    field: str = ""
    nearest: str = ""

    @property
    def is_brace(self) -> bool:
        """Whether it is an unpaired brace."""
        return not self.field


def wording_faults(wording: str) -> list[WordingFault]:
    """Everything wrong with a wording, in order."""
    return [
        fault
        for number, line in enumerate(wording.splitlines(), start=1)
        for fault in _line_faults(number, line)
    ]


def wording_fill(wording: str, values: Mapping[str, str], *, joined: bool = False) -> str:
    """The wording with its fields filled in from `values` by English name; lines with an empty
    field are left out. `joined` makes one paragraph of consecutive lines."""
    filled = [
        _FIELD.sub(lambda match: values.get(_key(match[1]), ""), line).rstrip()
        for line in wording.splitlines()
        if all(values.get(_key(name)) for name in _FIELD.findall(line))
    ]
    text = _BLANKS.sub("\n\n", "\n".join(filled)).strip()
    if joined:
        return "\n\n".join(" ".join(part.splitlines()) for part in text.split("\n\n"))
    return text


def wording_has(wording: str, field: str) -> bool:
    """Whether a field, given in English, is somewhere in the wording."""
    return any(_key(name) == field for name in _FIELD.findall(wording))


def field_name(field: str, language: str) -> str:
    """The name of a field, given in Dutch, in a language."""
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


def fault_words(fault: WordingFault) -> str:
    """The fault in words, with the line and what may have been meant."""
    if fault.is_brace:
        sentence = _("Line %(line)s: unpaired brace. A field looks like {club}.")
        return sentence % {"line": fault.line}
    if fault.nearest:
        sentence = _("Line %(line)s: there is no field %(field)s. Did you mean %(nearest)s?")
    else:
        sentence = _("Line %(line)s: there is no field %(field)s.")
    return sentence % {"line": fault.line, "field": fault.field, "nearest": fault.nearest}


@transaction.atomic
def wording_save(
    *, club: Club, kind: str, language: str, wording: str, seen_version: int, actor: Actor
) -> None:
    """Replace the `club_wording` with version `seen_version`; the same wording changes nothing.

    The standard wording is stored as an empty one, so that the club follows it when it changes.
    Raises VersionConflict `wording_changed` with the current wording, or DomainError `bad_wording`
    (params: faults, in words): empty, longer than 4,000 characters, an unknown field or an unpaired
    brace.
    """
    club = club_lock(club.pk)
    current = club_wording(club, kind, language)
    wanted = "\n".join(line.rstrip() for line in wording.strip().splitlines()) + "\n"
    if wanted == current.text:
        return
    if current.version != seen_version:
        message = _("Somebody else has changed this wording in the meantime.")
        raise VersionConflict("wording_changed", message, current=current)
    faults = _faults(wanted)
    if faults:
        raise DomainError("bad_wording", " ".join(faults), faults=faults)
    own = ClubText(club=club, kind=kind, language=language, version=0)
    own = ClubText.objects.filter(club=club, kind=kind, language=language).first() or own
    own.wording = "" if wanted == STANDARD[kind, language] else wanted
    own.version += 1
    own.save()
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="wording_saved",
        object_ref=f"club:{club.uuid}",
        data={"text": kind, "language": language},
        texts={"wording": wanted},
    )


def _faults(wording: str) -> list[str]:
    faults = [fault_words(fault) for fault in wording_faults(wording)]
    if not wording.strip():
        faults.append(_("Write a text, or go back to the standard wording."))
    if len(wording) > LONGEST:
        faults.append(_("Write at most %(n)s characters.") % {"n": LONGEST})
    return faults
