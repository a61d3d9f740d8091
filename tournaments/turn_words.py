"""Why it is someone's turn to sit out, in words."""

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.draw.core import Player
from tournaments.services import DrawWaiting


class Turns:
    """Counts how often people came and sat out."""

    def __init__(self, waiting: DrawWaiting) -> None:
        self._waiting = waiting
        self._came = Counter(player for past in waiting.history for player in past.people())
        self._sat_out = Counter(player for past in waiting.history for player in past.sat_out)

    def why(self, player: Player, number: int) -> str:
        """Why it is this player's turn in that round."""
        tonight, came = self._tonight(player, number), self._came[player]
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
            words.append(season % {"times": self._sat_out[player], "evenings": came})
        return ", ".join(words)

    def _tonight(self, player: Player, number: int) -> int:
        waiting = self._waiting
        before = [round_.drawn for each, round_ in waiting.rounds.items() if each < number]
        return sum(player in drawn.sit_out for drawn in (*waiting.played, *before))
