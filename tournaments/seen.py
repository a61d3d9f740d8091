"""What hundreds of phones ask again and again: whether an evening is still as they have it."""

from django.db import connection

from clubs.models import Club
from tournaments.models import Evening
from tournaments.slugs import parse_evening_slug

QUERY = (
    "SELECT evening.id, evening.revision, evening.state, club.language"
    " FROM tournaments_evening AS evening JOIN clubs_club AS club ON club.id = evening.club_id"
    " WHERE club.slug = %s AND evening.date = %s AND evening.sequence = %s"
)


def evening_seen(club_slug: str, evening_slug: str) -> Evening | None:
    """An evening with no more than its id, revision and state, and its club with its language;
    None when there is no such evening.

    The query is written out: to put it together each time takes ten times as long as to ask it.
    """
    named = parse_evening_slug(evening_slug)
    if named is None:
        return None
    date, sequence = named
    with connection.cursor() as cursor:
        cursor.execute(QUERY, [club_slug, connection.ops.adapt_datefield_value(date), sequence])
        found = cursor.fetchone()
    if found is None:
        return None
    pk, revision, state, language = found
    club = Club(slug=club_slug, language=language)
    return Evening(pk=pk, revision=revision, state=state, club=club)
