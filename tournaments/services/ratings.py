"""Ratings: a cache of what the score sheets say, made again from an evening on."""

from django.db import transaction

from clubs.services import club_lock
from tournaments.models import Evening, Rating
from tournaments.rated import evenings_from, games_by_evening, ratings_from, strengths_before
from tournaments.ratings import rate


@transaction.atomic
def ratings_make(*, club_id: int, since: int | None = None) -> list[Rating]:
    """Work out anew what everybody's strength was after each closed evening of the club.

    With `since`, an evening's id, only from that one on; nothing where it is no longer there, or
    nobody sat at a table. Gives back the ratings that were made, oldest first.
    """
    club_lock(club_id)
    evenings = Evening.objects.filter(club=club_id).order_by("date", "sequence")
    first = evenings.filter(pk=since).first() if since else evenings.first()
    return _made_from(first) if first and (since is None or _concerns(first)) else []


def ratings_follow(evening: Evening) -> None:
    """Have the ratings made again from this evening on, once what is being written is written.

    Whatever goes wrong there is logged, and what was written stays.
    """
    club_id, since = evening.club_id, evening.pk

    def ratings_made_again() -> None:
        ratings_make(club_id=club_id, since=since)

    transaction.on_commit(ratings_made_again, robust=True)


def _concerns(evening: Evening) -> bool:
    """Whether ratings can be other than they are because of this evening: not by one of which only
    the totals are known, of which a season may bring in dozens at once."""
    return evening.rounds.exists() or evening.ratings.exists()


def _made_from(first: Evening) -> list[Rating]:
    known = strengths_before(first)
    evenings = evenings_from(first)
    games = games_by_evening(evenings)
    made: list[Rating] = []
    for evening in evenings:
        rated = rate(known, games[evening.pk])
        known |= rated
        made += [
            Rating(evening=evening, member_id=who, mu=strength.mu, sigma=strength.sigma)
            for who, strength in rated.items()
        ]
    ratings_from(first).delete()
    return Rating.objects.bulk_create(made, batch_size=500)
