"""Why it is somebody's turn to sit out, in words."""

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.draw.core import Player
from tournaments.services import DrawWaiting


class Turns:
    """Counts what makes it somebody's turn to sit out."""

    def __init__(self, waiting: DrawWaiting) -> None:
        self._waiting = waiting
        self._came = Counter(who for past in waiting.history for who in past.people())
        self._sat_out = Counter(who for past in waiting.history for who in past.sat_out)

    def why(self, who: Player, number: int) -> str:
        """Why it is this person's turn in that round, in words."""
        tonight, came = self._tonight(who, number), self._came[who]
        words = [
            ngettext("once tonight already", "%(n)s times tonight already", tonight)
            % {"n": tonight}
            if tonight
            else _("not yet tonight")
        ]
        if came:
            season = ngettext(
                "this season %(times)s times in one evening",
                "this season %(times)s times in %(evenings)s evenings",
                came,
            )
            words.append(season % {"times": self._sat_out[who], "evenings": came})
        return ", ".join(words)

    def _tonight(self, who: Player, number: int) -> int:
        waiting = self._waiting
        before = [one.drawn for each, one in waiting.rounds.items() if each < number]
        return sum(who in drawn.sit_out for drawn in (*waiting.played, *before))
