"""The challenge cups as everybody may read about them."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import Club, Member
from tournaments.cups import CupRecord, cup_records
from tournaments.views.public.common import Shown, member_url


@dataclass(frozen=True, slots=True)
class CupHolder:
    """Who holds a cup, and how often he has won it."""

    shown: Shown
    times: int


@dataclass(frozen=True, slots=True)
class PublicCup:
    """A cup with whoever holds it, or `kept_by` whom it stays with."""

    name: str
    wins_to_keep: int
    holders: Sequence[CupHolder]
    kept_by: Shown | None


def public_cups(club: Club) -> list[PublicCup]:
    """The club's cups that have been won. Two queries, or one where there are none."""
    return [_public(club, record) for record in cup_records(club) if record.wins]


def _public(club: Club, record: CupRecord) -> PublicCup:
    return PublicCup(
        name=record.cup.name,
        wins_to_keep=record.cup.wins_to_keep,
        holders=[CupHolder(_shown(club, member), times) for member, times in record.held_by],
        kept_by=_shown(club, record.kept.member) if record.kept else None,
    )


def _shown(club: Club, member: Member) -> Shown:
    return Shown(member.shown_name, member_url(club, member))
