"""Every limit on how often or how much somebody may ask; docs/security.md has them as a table.

The limits of the API are settings, `API_LIMITS`, since they depend on the machine.
"""

from dataclasses import dataclass

from clubs.limits.counting import (
    MINUTE,
    allowed,
    allowed_from,
    counted_as,
    is_spent,
    seconds_left,
    spend,
)

HOUR = 60 * MINUTE
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Limit:
    """So many in each span of `seconds`, over all processes and servers."""

    most: int
    seconds: int = MINUTE

    def allows(self, client: str) -> bool:
        """Whether the client may do it once more; then it counts."""
        return allowed(client, self.most, seconds=self.seconds)

    def allows_from(self, about: str, network: str) -> bool:
        """The same for whoever comes from this network."""
        return allowed_from(about, network, self.most, seconds=self.seconds)

    def spend(self, client: str, amount: int) -> None:
        """Count what the client has used."""
        spend(client, amount, self.most, seconds=self.seconds)

    def is_spent(self, client: str) -> bool:
        """Whether the client has used all of it."""
        return is_spent(client, self.most, seconds=self.seconds)

    def spend_from(self, about: str, network: str, amount: int) -> None:
        """Count what was used from this network."""
        for client, times in counted_as(about, network):
            spend(client, amount, self.most * times, seconds=self.seconds)

    def is_spent_from(self, about: str, network: str) -> bool:
        """Whether all of it was used from this network, or from its site."""
        return any(
            is_spent(client, self.most * times, seconds=self.seconds)
            for client, times in counted_as(about, network)
        )

    @property
    def wait(self) -> int:
        """Seconds until it begins anew."""
        return seconds_left(self.seconds)


CODES = Limit(10, 15 * MINUTE)
"""Codes of a telephone and recovery codes that are tried for one login."""
CODES_A_DAY = Limit(50, DAY)

DEAD_LINK_WRITES = Limit(100, HOUR)
"""What phones send over a table's link that was replaced, or whose evening is over: two of them
bring a whole evening."""

FILES_MADE = Limit(40, 15 * MINUTE)
"""Files that take seconds and that somebody is the first to ask for; who comes later gets the same
file."""

LOGIN_TRIES = Limit(30)
"""Passwords that one address tries, for whichever login."""
PASSWORDS = Limit(50, HOUR)
"""Passwords that are tried for one login from wherever, in browsers that never logged in with it;
those that did have as many of their own, so that nobody keeps its owner out."""

MAILED_TO_ONE = Limit(3, HOUR)
"""Invitations that one address is mailed, by whichever clubs."""
MAILED_BY_A_CLUB = Limit(60, DAY)
"""Invitations that a club can have mailed, whether they were withdrawn or not."""

ADDRESS_LINKS_TO_ONE = Limit(3, HOUR)
"""Links to confirm an address that one address is mailed, whoever asks."""
ADDRESS_LINKS_OF_ONE = Limit(10, DAY)
"""The same links that one login asks for."""

LOGIN_LINKS = Limit(3, 15 * MINUTE)
"""Links to log in that one login is mailed."""

REPORTS_OF_ONE = Limit(30)
"""Requests with reports of browsers from one network."""
REPORTS = Limit(300)
"""The same from all networks together."""
