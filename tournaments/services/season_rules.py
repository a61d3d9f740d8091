"""The standings of a season: several over the same evenings, the first of them the main one."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError, VersionConflict
from clubs.names import name_key
from clubs.services import club_lock
from tournaments.models import Season, SeasonRule
from tournaments.standings.core import parse_season_rule

Settings = Mapping[str, object]


@transaction.atomic
def season_rule_add(*, season: Season, name: str, settings: Settings, actor: Actor) -> SeasonRule:
    """Add a standing to the season, after the others.

    Raises DomainError `name_missing`, `name_too_long` or `season_rule_exists`, and InvalidRule.
    """
    club_lock(season.club_id)
    last = season.rules.aggregate(last=Max("position"))["last"] or 0
    rule = SeasonRule(season=season, name=" ".join(name.split()), position=last + 1)
    rule.settings = dict(parse_season_rule(settings).as_json())
    _require_sound(rule)
    rule.save()
    _audit(rule, actor, "season_rule_added", settings=rule.settings)
    return rule


@transaction.atomic
def season_rule_change(
    *, rule: SeasonRule, name: str, settings: Settings, seen_version: int, actor: Actor
) -> SeasonRule:
    """Change the name or the settings of a standing; the same again is no change.

    Raises VersionConflict `season_rule_outdated` when the standing is no longer at `seen_version`
    or is gone, and else like `season_rule_add`.
    """
    club_lock(rule.season.club_id)
    current = SeasonRule.objects.select_related("season").filter(pk=rule.pk).first()
    if current is None or current.version != seen_version:
        message = _("Somebody else changed this standing meanwhile. Look at what stands now first.")
        raise VersionConflict("season_rule_outdated", message, current=current)
    before = current.name, current.settings
    current.name = " ".join(name.split())
    current.settings = dict(parse_season_rule(settings).as_json())
    _require_sound(current)
    if (current.name, current.settings) != before:
        current.save_changes("name", "settings")
        _audit(current, actor, "season_rule_saved", settings=current.settings)
    return current


@transaction.atomic
def season_rule_raise(*, season: Season, rule_id: int, actor: Actor) -> SeasonRule | None:
    """Move a standing one place up.

    Returns it, or None where it is the first or is gone.
    """
    club_lock(season.club_id)
    rules = list(season.rules.order_by("position"))
    place = next((index for index, rule in enumerate(rules) if rule.pk == rule_id), 0)
    if place == 0:
        return None
    rule, before = rules[place], rules[place - 1]
    places = before.position, rule.position
    _move(before, rules[-1].position + 1)
    _move(rule, places[0])
    _move(before, places[1])
    _audit(rule, actor, "season_rule_raised")
    return rule


@transaction.atomic
def season_rule_remove(*, season: Season, rule_id: int, actor: Actor) -> SeasonRule | None:
    """Remove a standing; a season without any counts every evening.

    Returns it, or None where it was gone.
    """
    club_lock(season.club_id)
    rule = season.rules.filter(pk=rule_id).first()
    if rule is None:
        return None
    SeasonRule.objects.filter(pk=rule.pk).delete()
    _audit(rule, actor, "season_rule_removed", settings=rule.settings)
    return rule


def _move(rule: SeasonRule, position: int) -> None:
    rule.position = position
    rule.save(update_fields=["position"])


def _require_sound(rule: SeasonRule) -> None:
    if not rule.name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(rule.name) > 60:
        raise DomainError("name_too_long", _("The name may have at most 60 characters."))
    others = rule.season.rules.exclude(pk=rule.pk)
    same = next((other for other in others if name_key(other.name) == name_key(rule.name)), None)
    if same is not None:
        message = _("There is already a standing called %s in this season.") % same.name
        raise DomainError("season_rule_exists", message)


def _audit(rule: SeasonRule, actor: Actor, action: str, **data: object) -> None:
    event_append(
        chain=rule.season.club,
        club=rule.season.club,
        actor=actor,
        action=action,
        object_ref=f"season:{rule.season_id}",
        data={"standing": rule.pk, "position": rule.position, **data},
        texts={"name": rule.season.name, "standing": rule.name},
    )
