"""What a club sends out: the standard wordings, and how to look up the one in use."""

from collections.abc import Mapping
from typing import NamedTuple

from clubs.models import Club
from tournaments.models import ClubText

MESSAGE, NEWSPAPER = "message", "newspaper"

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
