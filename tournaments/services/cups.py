"""The club's challenge cups, and who wins them."""

import datetime as dt

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.models import Club, Member
from clubs.names import name_key
from clubs.services import club_lock
from tournaments.cups import cup_record
from tournaments.models import Cup, CupWin, Evening, Season

LONGEST_NAME = 60
MOST_WINS = 99


@transaction.atomic
def cup_add(*, club: Club, name: str, actor: Actor, wins_to_keep: int = 3) -> Cup:
    """A new challenge cup, kept by the person who wins it `wins_to_keep` times.

    Raises DomainError `name_missing`, `name_too_long`, `cup_exists` or `cup_wins` (not 1 to 99).
    """
    club = club_lock(club.pk)
    cup = Cup(club=club, name=" ".join(name.split()), wins_to_keep=wins_to_keep)
    _require_sound(cup)
    cup.save()
    _audit(cup, actor, "cup_added")
    return cup


@transaction.atomic
def cup_change(*, cup: Cup, name: str, wins_to_keep: int, actor: Actor) -> Cup:
    """Change its name, or after how many wins it is kept. Raises like `cup_add`."""
    cup.club = club_lock(cup.club_id)
    cup.name, cup.wins_to_keep = " ".join(name.split()), wins_to_keep
    _require_sound(cup)
    cup.save(update_fields=["name", "wins_to_keep"])
    _audit(cup, actor, "cup_changed")
    return cup


@transaction.atomic
def cup_remove(*, cup: Cup, actor: Actor) -> None:
    """Take a cup away that nobody has won. Raises DomainError `cup_was_won`."""
    cup.club = club_lock(cup.club_id)
    if cup.wins.exists():
        raise DomainError(
            "cup_was_won", _("This cup has been won. Take the wins away first, then the cup.")
        )
    _audit(cup, actor, "cup_removed")
    cup.delete()


@transaction.atomic
def cup_win_add(
    *,
    cup: Cup,
    member: Member,
    won_on: dt.date,
    actor: Actor,
    evening: Evening | None = None,
    season: Season | None = None,
) -> CupWin:
    """Write down that somebody won the cup: on an evening, over a season, or once upon a time.

    The same again is the same win. Raises DomainError `member_of_another_club`, or `cup_kept`
    where somebody else could keep it on that day or before.
    """
    cup.club = club_lock(cup.club_id)
    if {member.club_id, *(owned.club_id for owned in (evening, season) if owned)} != {cup.club_id}:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
    known = cup.wins.filter(member=member, won_on=won_on).first()
    if known is not None:
        return known
    _require_not_kept(cup, won_on)
    win = CupWin.objects.create(
        cup=cup, member=member, won_on=won_on, evening=evening, season=season
    )
    _audit(cup, actor, "cup_won", member=str(member.uuid), won_on=won_on.isoformat())
    return win


@transaction.atomic
def cup_win_remove(*, win: CupWin, actor: Actor) -> None:
    """Take back that somebody won the cup; where that was done already, nothing happens."""
    win.cup.club = club_lock(win.cup.club_id)
    gone, _of_each = CupWin.objects.filter(pk=win.pk).delete()
    if gone:
        member_uuid, day = str(win.member.uuid), win.won_on.isoformat()
        _audit(win.cup, actor, "cup_win_removed", member=member_uuid, won_on=day)


def _require_sound(cup: Cup) -> None:
    if not cup.name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(cup.name) > LONGEST_NAME:
        raise DomainError("name_too_long", _("The name may have at most 60 characters."))
    if not 1 <= cup.wins_to_keep <= MOST_WINS:
        raise DomainError("cup_wins", _("A cup is kept after 1 to 99 wins."))
    others = Cup.objects.filter(club=cup.club_id).exclude(pk=cup.pk)
    same = next((other for other in others if name_key(other.name) == name_key(cup.name)), None)
    if same is not None:
        raise DomainError("cup_exists", _("There is already a cup called %s.") % same.name)


def _require_not_kept(cup: Cup, won_on: dt.date) -> None:
    last_win = cup_record(cup, list(cup.wins.select_related("member"))).kept
    if last_win is not None and last_win.won_on <= won_on:
        message = _(
            "%(name)s keeps this cup since %(n)s wins. Add a new cup for who wins from now on."
        )
        words = {"name": last_win.member.name, "n": cup.wins_to_keep}
        raise DomainError("cup_kept", message % words)


def _audit(cup: Cup, actor: Actor, action: str, **data: object) -> None:
    event_append(
        chain=cup.club,
        club=cup.club,
        actor=actor,
        action=action,
        object_ref=f"cup:{cup.pk}",
        data={"wins_to_keep": cup.wins_to_keep, **data},
        texts={"cup": cup.name},
    )
