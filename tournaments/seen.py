"""What hundreds of phones ask again and again: whether an evening is still as they have it."""

from typing import NamedTuple

from django.core.cache import caches
from django.db import connection

from tournaments.slugs import parse_evening_slug

KEPT_SECONDS = 0.1
"""So long a process goes by what it saw: a hall asks it a hundred times a second."""

LONGEST_SLUG = 100
QUERY = (
    "SELECT evening.id, evening.revision, evening.state, club.language"
    " FROM tournaments_evening AS evening JOIN clubs_club AS club ON club.id = evening.club_id"
    " WHERE club.slug = %s AND evening.date = %s AND evening.sequence = %s"
)


class EveningSeen(NamedTuple):
    """As much of an evening as tells whether it has changed, and its club's language."""

    pk: int
    revision: int
    state: str
    language: str


def evening_seen(club_slug: str, evening_slug: str) -> EveningSeen | None:
    """The evening as it was a moment ago at most; None when there is no such evening.

    Kept by each process, but not what is seen inside a transaction, which may be taken back. The
    query is written out: to put it together each time takes ten times as long as to ask it.
    """
    if connection.in_atomic_block or len(club_slug) > LONGEST_SLUG:
        return _asked(club_slug, evening_slug)
    key = f"seen-{club_slug}-{evening_slug}"
    kept: EveningSeen | None = caches["small"].get(key)
    if kept is None:
        kept = _asked(club_slug, evening_slug)
        caches["small"].set(key, kept, KEPT_SECONDS)
    return kept


def _asked(club_slug: str, evening_slug: str) -> EveningSeen | None:
    named = parse_evening_slug(evening_slug)
    if named is None:
        return None
    date, sequence = named
    with connection.cursor() as cursor:
        cursor.execute(QUERY, [club_slug, connection.ops.adapt_datefield_value(date), sequence])
        found = cursor.fetchone()
    return EveningSeen(*found) if found else None
