"""Every limit on how often or how much somebody may ask; docs/security.md has them as a table.

It is counted over all processes and servers together. No address is stored, only its keyed hash.
The limits of the API are settings, `API_LIMITS`, since they depend on the machine.
"""

import time
from dataclasses import dataclass

from django.core.cache import caches
from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from clubs.http.middleware import site_of
from clubs.models import ApiCount, Club

MINUTE = 60
SITE_TIMES = 10
"""How much more a whole site (a /48 of IPv6) may do than one network in it: neighbours whose
provider gives each of them a small network are not one client."""
PORTIONS = 20


def allowed(client: str, limit: int, *, seconds: int = MINUTE, units: int = 1) -> bool:
    """Whether `client` may do so once more in this minute, or in this span of so many seconds: a
    whole number of minutes, counted from 1970. What costs more than something else takes more
    `units` of the limit; after the first that finds too few left, only what this process still had
    passes.

    Each process takes a portion of the limit from the database and hands it out itself: most
    requests need no query, and never more than the limit pass.
    """
    hashed, end = _counted(client, seconds)
    key, kept_for = f"api-{hashed}-{end}", 2 * seconds
    taken = _taken(key, units)
    if taken < units and not caches["small"].get(f"{key}-out"):
        short = units - taken
        if portion := _portion(hashed, end, limit, short):
            _put(key, portion - short, kept_for)
            return True
        caches["small"].set(f"{key}-out", True, kept_for)
        # Another thread may have brought a portion meanwhile, of which something is left.
        taken += _taken(key, short)
    if taken < units:
        _put(key, taken, kept_for)
    return taken == units


def _taken(key: str, most: int) -> int:
    """Take so much from what this process may still let through, or what is left of it."""
    try:
        left: int = caches["small"].decr(key, most)
    except ValueError:
        return 0
    short = min(most, max(0, -left))
    if short:
        caches["small"].incr(key, short)
    return most - short


def _put(key: str, amount: int, kept_for: int) -> None:
    if amount:
        caches["small"].add(key, 0, kept_for)
        caches["small"].incr(key, amount)


def allowed_from(
    about: str, network: str, limit: int, *, seconds: int = MINUTE, units: int = 1
) -> bool:
    """The same for whoever comes from this network, for a purpose named by `about`. Of IPv6 the
    site that the network is in counts too, since one person can have all of its networks."""
    return all(
        allowed(client, limit * times, seconds=seconds, units=units)
        for client, times in counted_as(about, network)
    )


def counted_as(about: str, network: str) -> list[tuple[str, int]]:
    """By what a network is counted, each with how many times the limit it may use.

    >>> counted_as("login", "192.0.2.7")
    [('login 192.0.2.7', 1)]
    """
    site = site_of(network)
    wider = [(f"{about} site {site}", SITE_TIMES)] if site else []
    return [(f"{about} {network}", 1), *wider]


def seconds_left(seconds: int = MINUTE) -> int:
    """How long it is until the next span of so many seconds."""
    return seconds - int(time.time()) % seconds


def _counted(client: str, seconds: int) -> tuple[str, int]:
    """The keyed hash of the client, and the minute in which the present span ends."""
    end = (int(time.time()) // seconds + 1) * seconds // MINUTE
    return salted_hmac("api-count", f"{client} {seconds}").hexdigest(), end


def _portion(hashed: str, end: int, limit: int, least: int) -> int:
    """How much more this process may let through, at `least` so much; 0 when that is not left."""
    count = ApiCount.objects.filter(who=hashed, minute=end)
    usual = max(1, limit // PORTIONS)
    with transaction.atomic():
        _count_ensure(hashed, end)
        for size in (max(usual, least), least):
            if count.filter(taken__lte=limit - size).update(taken=F("taken") + size):
                return size
    return 0


def _count_ensure(hashed: str, end: int) -> None:
    if ApiCount.objects.get_or_create(who=hashed, minute=end)[1]:
        ApiCount.objects.filter(minute__lt=int(time.time()) // MINUTE).delete()


# What something cost is known only afterwards: it is added up, and compared before the next.


def spend(client: str, amount: int, limit: int, *, seconds: int = MINUTE) -> None:
    """Add to what `client` has spent in this span.

    Each process adds up by itself, and tells the database a twentieth of the limit at a time: the
    limit is overstepped by that at most for each process, and hardly any request writes.
    """
    hashed, end = _counted(client, seconds)
    small, pending_key = caches["small"], f"pending-{hashed}-{end}"
    try:
        pending = small.incr(pending_key, amount)
    except ValueError:
        pending = amount
        small.set(pending_key, pending, 2 * seconds)
    if pending * PORTIONS < limit:
        return
    small.set(pending_key, 0, 2 * seconds)
    small.set(f"spent-{hashed}-{end}", _taken_raise(hashed, end, pending), 2 * seconds)


def is_spent(client: str, limit: int, *, seconds: int = MINUTE) -> bool:
    """Whether `client` has spent the limit of this span, as far as this process knows."""
    hashed, end = _counted(client, seconds)
    known: int = caches["small"].get(f"spent-{hashed}-{end}", 0)
    return known >= limit


def _taken_raise(hashed: str, end: int, amount: int) -> int:
    """What all processes together have counted, with this amount."""
    count = ApiCount.objects.filter(who=hashed, minute=end)
    with transaction.atomic():
        _count_ensure(hashed, end)
        count.update(taken=F("taken") + amount)
        taken: int = count.values_list("taken", flat=True).get()
    return taken


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

    def used(self, client: str) -> int:
        """How much of it is used, as far as the database knows."""
        hashed, end = _counted(client, self.seconds)
        taken = ApiCount.objects.filter(who=hashed, minute=end).values_list("taken", flat=True)
        return taken.first() or 0

    @property
    def wait(self) -> int:
        """Seconds until it begins anew."""
        return seconds_left(self.seconds)


CODES = Limit(10, 15 * MINUTE)
"""Codes of a telephone and recovery codes that are tried for one login."""
CODES_A_DAY = Limit(50, DAY)

SIGN_UPS = Limit(5, HOUR)
"""Times that somebody on one network asks to start a club here."""
SIGN_UPS_OF_ONE = Limit(3, HOUR)
"""Links to start a club that one address is mailed."""
CLUBS_OF_ONE = Limit(2, DAY)
"""Clubs that are started from one address."""
CLUBS_FROM_ONE = Limit(5, DAY)
"""The same from one network."""

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

MEMBERS_MAILED = Limit(1_500, DAY)
"""Mails to members that a club can have sent, counted by receiver."""


def invitations_of(club: Club) -> str:
    """Whose invitations are counted."""
    return f"invitation of {club.uuid}"


def mails_of(club: Club) -> str:
    """Whose mails to members are counted."""
    return f"members mailed by {club.uuid}"


FOLLOWS = Limit(120, HOUR)
"""Times that browsers from one network begin or stop to follow a club or a player, or ask whether
they do: a hall of people who all try it."""

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

ENTRIES = Limit(30, HOUR)
"""Forms with an entry for an evening that are sent from one network."""
ENTRY_MAILS_TO_ONE = Limit(3, HOUR)
"""Mails about entries that one address is sent, by whichever clubs."""
ENTRY_MAILS_OF_A_CLUB = Limit(400, DAY)
"""The same of one club, to whichever addresses."""
CAPTAINS = Limit(30)
"""What is sent over one captain's link from one network: line-ups, and answers to results."""
DOOR_ASKS = Limit(1_200)
"""What is asked of the check-in at a door from one network: a hall on one wifi."""
CAMERAS = Limit(1_200)
"""What is asked of the address of a camera from one network: a phone that waits for pictures."""
DOOR_NEWCOMERS = Limit(400, HOUR)
"""People who add themselves at one door."""
