"""A club's seasons: added, changed, found by name."""

import datetime as dt

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.models import Club
from clubs.names import name_key
from clubs.services import club_lock
from tournaments.models import Season


@transaction.atomic
def season_create(
    *,
    club: Club,
    name: str,
    actor: Actor,
    starts: dt.date | None = None,
    ends: dt.date | None = None,
    fee: int | None = None,
) -> Season:
    """A new season, in which every evening counts until a rule says otherwise. `fee` is in cents.

    Raises DomainError `name_missing`, `name_too_long`, `season_exists` or `season_dates`.
    """
    club = club_lock(club.pk)
    season = Season(club=club, name=" ".join(name.split()), starts=starts, ends=ends, fee=fee)
    _require_sound(season)
    season.slug = _free_slug(season)
    season.save()
    _audit(season, actor, "season_added")
    return season


@transaction.atomic
def season_change(
    *,
    season: Season,
    name: str,
    starts: dt.date | None,
    ends: dt.date | None,
    fee: int | None,
    actor: Actor,
) -> Season:
    """Change the name, the days and the fee (in cents) of a season; its address stays.

    Raises DomainError `name_missing`, `name_too_long`, `season_exists` or `season_dates`.
    """
    club_lock(season.club_id)
    season.name, season.starts, season.ends = " ".join(name.split()), starts, ends
    season.fee = fee
    _require_sound(season)
    season.refresh_from_db(fields=["version"])
    season.save_changes("name", "starts", "ends", "fee")
    _audit(season, actor, "season_changed")
    return season


def season_ensure(*, club: Club, name: str, actor: Actor) -> Season:
    """The club's season of this name, made when there is none. Raises like `season_create`."""
    return season_named(club, name) or season_create(club=club, name=name, actor=actor)


def season_named(club: Club, name: str) -> Season | None:
    """The club's season of this name, however it is spelt."""
    wanted = name_key(name)
    return next((season for season in club.seasons.all() if name_key(season.name) == wanted), None)


def _require_sound(season: Season) -> None:
    if not season.name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(season.name) > 60:
        raise DomainError("name_too_long", _("The name may have at most 60 characters."))
    same = season_named(season.club, season.name)
    if same is not None and same.pk != season.pk:
        raise DomainError("season_exists", _("There is already a season called %s.") % same.name)
    if season.starts and season.ends and season.ends < season.starts:
        raise DomainError("season_dates", _("The last day must not be before the first day."))


def _free_slug(season: Season) -> str:
    slug = base = slugify(season.name)[:50] or "season"
    number = 1
    while Season.objects.filter(club=season.club, slug=slug).exists():
        number += 1
        slug = f"{base}-{number}"
    return slug


def _audit(season: Season, actor: Actor, action: str, **data: object) -> None:
    event_append(
        chain=season.club,
        club=season.club,
        actor=actor,
        action=action,
        object_ref=f"season:{season.pk}",
        data={
            "starts": season.starts and season.starts.isoformat(),
            "ends": season.ends and season.ends.isoformat(),
            "fee": season.fee,
            **data,
        },
        texts={"name": season.name},
    )
