"""Adding and changing a club's seasons, and the standings of a season.

A season can have several standings over the same evenings; the first is the main one.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.db import transaction
from django.db.models import F, Max
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import name_key
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.models import Evening, Season, SeasonRule
from tournaments.prizes.core import PrizeScheme, parse_prizes
from tournaments.standings.core.results import CountingRule
from tournaments.standings.core.rule_json import parse_season_rule

Settings = Mapping[str, object]
LONGEST_REASON = 200


@transaction.atomic
def season_create(
    *,
    club: Club,
    name: str,
    actor: Actor,
    starts: dt.date | None = None,
    ends: dt.date | None = None,
    fee: int | None = None,
    live: bool = False,
) -> Season:
    """A new season, in which every evening counts until a rule says otherwise. `fee` is in cents.
    In a `live` one the evening that is being played counts as well.

    Raises DomainError `name_missing`, `name_too_long`, `season_exists` or `season_dates`.
    """
    club = club_lock(club.pk)
    season = Season(club=club, name=" ".join(name.split()), starts=starts, ends=ends, fee=fee)
    season.live = live
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
    live: bool | None = None,
) -> Season:
    """Change the name, the days and the fee (in cents) of a season, and unless it is None whether
    the evening being played counts; its address stays.

    Raises DomainError `name_missing`, `name_too_long`, `season_exists` or `season_dates`.
    """
    club_lock(season.club_id)
    season.name, season.starts, season.ends = " ".join(name.split()), starts, ends
    season.fee = fee
    season.live = season.live if live is None else live
    _require_sound(season)
    season.refresh_from_db(fields=["version"])
    season.save_changes("name", "starts", "ends", "fee", "live")
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
    days = [day for day in (season.starts, season.ends) if day]
    if not all(FIRST_DAY <= day <= LAST_DAY for day in days):
        raise DomainError("season_dates", _("The first and last day are from 1900 to 2199."))
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


@transaction.atomic
def season_rule_add(
    *, season: Season, name: str, settings: Settings, actor: Actor, reason: str | None = None
) -> SeasonRule:
    """Add a standing to the season, after the others.

    Where it is the first and there are results, which all counted until now, it needs a reason;
    None asks for none, where a program makes a season. Raises DomainError `name_missing`,
    `name_too_long`, `season_rule_exists`, `reason_needed` or `reason_too_long`, and InvalidRule.
    """
    club_lock(season.club_id)
    last = season.rules.aggregate(last=Max("position"))["last"] or 0
    rule = SeasonRule(season=season, name=" ".join(name.split()), position=last + 1)
    rule.settings = dict(parse_season_rule(settings).as_json())
    _require_sound_rule(rule)
    if reason is not None and last == 0 and has_results(season):
        _give_reason(rule, reason)
    rule.save()
    _audit_rule(rule, actor, "season_rule_added", rule.reason, settings=rule.settings)
    return rule


def has_results(season: Season) -> bool:
    """Whether something was played in the season, so that its rules are frozen. One query."""
    return season.evenings.filter(state=Evening.State.CLOSED).exists()


@transaction.atomic
def season_rule_change(
    *,
    rule: SeasonRule,
    name: str,
    settings: Settings,
    seen_version: int,
    actor: Actor,
    reason: str = "",
) -> SeasonRule:
    """Change the name or the settings of a standing; the same again is no change.

    Once there is a result, other settings need a reason, which the standing shows from then on.

    Raises VersionConflict `season_rule_outdated` when the standing is no longer at `seen_version`
    or is gone, DomainError `reason_needed` or `reason_too_long`, and else like `season_rule_add`.
    """
    club_lock(rule.season.club_id)
    current = SeasonRule.objects.select_related("season").filter(pk=rule.pk).first()
    if current is None or current.version != seen_version:
        message = _(
            "Somebody else changed this standing in the meantime. Look first at what it is now."
        )
        raise VersionConflict("season_rule_outdated", message, current=current)
    before = current.name, current.settings
    current.name = " ".join(name.split())
    current.settings = dict(parse_season_rule(settings).as_json())
    _require_sound_rule(current)
    if (current.name, current.settings) == before:
        return current
    if current.settings != before[1] and has_results(current.season):
        _give_reason(current, reason)
    current.save_changes("name", "settings", "changed_on", "reason")
    _audit_rule(
        current, actor, "season_rule_saved", settings=current.settings, reason=reason.strip()
    )
    return current


def _give_reason(rule: SeasonRule, reason: str) -> None:
    """The reason, which the standing shows from then on."""
    _require_reason(reason)
    rule.changed_on, rule.reason = timezone.localdate(), reason.strip()


def _require_reason(reason: str) -> None:
    if not reason.strip():
        message = _("Results count already by this rule. Say why it is changed.")
        raise DomainError("reason_needed", message)
    if len(reason.strip()) > LONGEST_REASON:
        message = _("Say it in at most %(n)s characters.") % {"n": LONGEST_REASON}
        raise DomainError("reason_too_long", message)


@transaction.atomic
def season_rule_raise(
    *, season: Season, rule_id: int, actor: Actor, reason: str = ""
) -> SeasonRule | None:
    """Move a standing one place up.

    Returns it, or None where it is the first or is gone. The first is what leads the season: once
    there is a result, becoming that needs a reason, which the standing shows. Raises DomainError
    like `season_rule_change`.
    """
    club_lock(season.club_id)
    rules = list(season.rules.order_by("position"))
    place = next((index for index, rule in enumerate(rules) if rule.pk == rule_id), 0)
    if place == 0:
        return None
    rule, before = rules[place], rules[place - 1]
    if place == 1 and has_results(season):
        _give_reason(rule, reason)
        rule.save_changes("changed_on", "reason")
    else:
        reason = ""
    places = before.position, rule.position
    _move(before, rules[-1].position + 1)
    _move(rule, places[0])
    _move(before, places[1])
    _audit_rule(rule, actor, "season_rule_raised", reason.strip())
    return rule


def raising_needs_reason(season: Season, rule_id: int) -> bool:
    """Whether this standing would lead a season in which there are results. Two queries."""
    first_two = list(season.rules.order_by("position").values_list("pk", flat=True)[:2])
    return first_two[1:] == [rule_id] and has_results(season)


@transaction.atomic
def season_rule_remove(
    *, season: Season, rule_id: int, actor: Actor, reason: str = ""
) -> SeasonRule | None:
    """Remove a standing; a season without any counts every evening.

    Returns it, or None where it was gone. Once there is a result the trail needs a reason, which
    the standing shows that leads the season instead: raises DomainError like
    `season_rule_change`.
    """
    club_lock(season.club_id)
    rule = season.rules.filter(pk=rule_id).first()
    if rule is None:
        return None
    next_rule = season.rules.exclude(pk=rule.pk).order_by("position").first()
    if has_results(season):
        _require_reason(reason)
        if next_rule is not None and next_rule.position > rule.position:
            _give_reason(next_rule, reason)
            next_rule.save_changes("changed_on", "reason")
    SeasonRule.objects.filter(pk=rule.pk).delete()
    _audit_rule(rule, actor, "season_rule_removed", settings=rule.settings, reason=reason.strip())
    return rule


def _move(rule: SeasonRule, position: int) -> None:
    rule.position = position
    rule.save(update_fields=["position"])


def _require_sound_rule(rule: SeasonRule) -> None:
    if not rule.name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(rule.name) > 60:
        raise DomainError("name_too_long", _("The name may have at most 60 characters."))
    others = rule.season.rules.exclude(pk=rule.pk)
    same = next((other for other in others if name_key(other.name) == name_key(rule.name)), None)
    if same is not None:
        message = _("There is already a standing called %s in this season.") % same.name
        raise DomainError("season_rule_exists", message)


def _audit_rule(
    rule: SeasonRule, actor: Actor, action: str, reason: str = "", **data: object
) -> None:
    event_append(
        chain=rule.season.club,
        club=rule.season.club,
        actor=actor,
        action=action,
        object_ref=f"season:{rule.season_id}",
        data={"standing": rule.pk, "position": rule.position, **data},
        texts={
            "name": rule.season.name,
            "standing": rule.name,
            **({"reason": reason} if reason else {}),
        },
    )


@transaction.atomic
def season_prizes_choose(*, season: Season, scheme: PrizeScheme, actor: Actor) -> Season:
    """Choose which prizes there are in a season. The same choice again changes nothing."""
    club = club_lock(season.club_id)
    wanted = scheme.as_json()
    if season.prizes == wanted:
        return season
    season.prizes = wanted
    season.save(update_fields=["prizes"])
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="season_prizes_chosen",
        object_ref=f"season:{season.pk}",
        data={"prizes": scheme.unworded()},
    )
    return season


def season_before(club: Club) -> Season | None:
    """The season that a new one copies: the last one played that has a standing, or else the one
    that begins last. None if there is none. One query."""
    last = Coalesce(Max("evenings__date"), F("starts"))
    seasons = club.seasons.filter(rules__isnull=False).annotate(last=last)
    return seasons.order_by(F("last").desc(nulls_last=True), "-pk").first()


def season_on(club: Club, date: dt.date) -> Season | None:
    """The season in whose days this date falls; of two, the one that begins last. None if there is
    none. One query."""
    return seasons_on(club, [date])[date]


def seasons_on(club: Club, dates: Iterable[dt.date]) -> dict[dt.date, Season | None]:
    """The season of each of these dates, as `season_on` has it. One query."""
    dated = list(club.seasons.exclude(starts=None, ends=None))
    return {date: next((season for season in dated if is_on(season, date)), None) for date in dates}


def is_on(season: Season, date: dt.date) -> bool:
    """Whether this date falls in the days of the season."""
    has_begun = season.starts is None or season.starts <= date
    return has_begun and (season.ends is None or date <= season.ends)


def is_of_its_days(rule: CountingRule) -> bool:
    """Whether a standing depends on days of its season: has periods or excluded evenings."""
    return bool(rule.periods or rule.excluded)


@transaction.atomic
def season_follow(
    *,
    club: Club,
    name: str,
    before: Season,
    actor: Actor,
    starts: dt.date | None = None,
    ends: dt.date | None = None,
    fee: int | None = None,
    live: bool = False,
) -> Season:
    """A new season with the standings and prizes of the one `before`, except the periods and
    excluded evenings, which are days of that season. `fee` is in cents.

    Raises DomainError like `season_create`.
    """
    season = season_create(
        club=club, name=name, starts=starts, ends=ends, fee=fee, live=live, actor=actor
    )
    for rule in before.rules.order_by("position"):
        counted = replace(
            parse_season_rule(rule.settings), periods=(), best_periods=None, excluded=()
        )
        season_rule_add(season=season, name=rule.name, settings=counted.as_json(), actor=actor)
    if before.prizes:
        season_prizes_choose(season=season, scheme=parse_prizes(before.prizes), actor=actor)
    return season


def season_by_name(
    *,
    club: Club,
    name: str,
    actor: Actor,
    starts: dt.date | None = None,
    ends: dt.date | None = None,
) -> Season:
    """The season of this name; a new one has these days and copies the season before."""
    if known := season_named(club, name):
        return known
    if before := season_before(club):
        return season_follow(
            club=club,
            name=name,
            before=before,
            starts=starts,
            ends=ends,
            fee=before.fee,
            actor=actor,
        )
    return season_create(club=club, name=name, starts=starts, ends=ends, actor=actor)
