"""Making and changing a league: its leaders, its seasons with their rule, and its divisions."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor, event_append
from clubs.models import User
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import name_key, tidy_name
from tournaments.leagues.core.table import TIES
from tournaments.models import Division, League, LeagueLeader, LeagueMatch, LeagueSeason

MOST_DIVISIONS = 12
RULE = (
    "meeting",
    "cycles",
    "tables",
    "deals",
    "points",
    "win",
    "draw",
    "loss",
    "ties",
    "exchange",
    "deadline_hours",
    "answer_hours",
    "higher_turns",
    "played_by",
    "regulation",
)
"""The columns of a season that are its rule."""
DRAWN = "meeting", "cycles"
"""What the fixtures are drawn by, and stays once there are some."""


def league_lock(league_id: int) -> League:
    """The league, locked until the end of the transaction. Every change in it takes this first."""
    return League.objects.select_for_update(no_key=True).get(pk=league_id)


def league_audit(
    league: League,
    actor: Actor,
    action: str,
    about: str,
    *,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Add an event to the league's own trail, which is in that of no club."""
    event_append(
        chain=league,
        club=None,
        actor=actor,
        action=action,
        object_ref=about,
        data=data,
        texts=texts,
    )


# The league itself and who leads it.


@transaction.atomic
def league_create(*, name: str, leader: User, actor: Actor, language: str = "nl") -> League:
    """A new league, led by this user.

    Raises DomainError `name_missing`, `name_too_long` or `league_exists`.
    """
    league = League(name=tidy_name(name), language=language)
    require_name(league.name, 100)
    known = League.objects.values_list("name", flat=True)
    if any(name_key(other) == name_key(league.name) for other in known):
        raise DomainError("league_exists", _("There is already a league called %s.") % league.name)
    taken = set(League.objects.values_list("slug", flat=True))
    league.slug = free_slug(league.name, "league", taken)
    league.save()
    LeagueLeader.objects.create(league=league, user=leader)
    league_audit(league, actor, "league_created", "league", texts={"name": league.name})
    return league


@transaction.atomic
def league_change(
    *, league: League, name: str, language: str, version: int, actor: Actor
) -> League:
    """Change the name and the language; the address stays. Raises like `league_create`, and
    VersionConflict."""
    league = league_lock(league.pk)
    name = tidy_name(name)
    require_name(name, 100)
    others = League.objects.exclude(pk=league.pk).values_list("name", flat=True)
    if any(name_key(other) == name_key(name) for other in others):
        raise DomainError("league_exists", _("There is already a league called %s.") % name)
    row_write(league, version, name=name, language=language)
    league_audit(league, actor, "league_changed", "league", texts={"name": name})
    return league


@transaction.atomic
def leader_add(*, league: League, email: str, actor: Actor) -> LeagueLeader:
    """Let somebody else lead the league too; they get a login where there is none.

    The same again changes nothing. Raises DomainError `bad_email`.
    """
    league = league_lock(league.pk)
    user = User.objects.filter(email__iexact=email.strip()).first()
    if user is None:
        user = User.objects.create_user(email)
        try:
            user.full_clean(exclude=["password"])
        except ValidationError:
            raise DomainError("bad_email", _("This is no e-mail address.")) from None
    leader, is_new = LeagueLeader.objects.get_or_create(league=league, user=user)
    if is_new:
        who = {"who": user.email}
        league_audit(league, actor, "league_leader_added", f"user:{user.uuid}", texts=who)
    return leader


@transaction.atomic
def leader_remove(*, leader: LeagueLeader, actor: Actor) -> None:
    """Somebody leads the league no longer. Raises DomainError `last_leader`."""
    league = league_lock(leader.league_id)
    if not league.leaders.exclude(pk=leader.pk).exists():
        raise DomainError("last_leader", _("Nobody would be left to lead the league."))
    gone, _of_each = LeagueLeader.objects.filter(pk=leader.pk).delete()
    if gone:
        user = leader.user
        who = {"who": user.email}
        league_audit(league, actor, "league_leader_removed", f"user:{user.uuid}", texts=who)


# Seasons and their rule.


@transaction.atomic
def league_season_create(
    *, league: League, name: str, actor: Actor, before: LeagueSeason | None = None
) -> LeagueSeason:
    """A new season, by the rule of the one `before`, else of the latest one, with its divisions but
    no teams; the first one gets one division.

    Raises DomainError `name_missing`, `name_too_long` or `season_exists`.
    """
    league = league_lock(league.pk)
    name = tidy_name(name)
    require_name(name, 60)
    before = before or league.seasons.first()
    known = list(league.seasons.values_list("name", "slug"))
    if any(name_key(other) == name_key(name) for other, _slug in known):
        raise DomainError("season_exists", _("There is already a season called %s.") % name)
    slug = free_slug(name, "season", {slug for _name, slug in known})
    rule = {field: getattr(before, field) for field in RULE} if before else {}
    season = LeagueSeason.objects.create(league=league, name=name, slug=slug, **rule)
    divisions = [division.name for division in before.divisions.all()] if before else []
    for position, division in enumerate(divisions or [_("Division 1")], 1):
        Division.objects.create(season=season, name=division, position=position)
    league_audit(league, actor, "league_season_added", about(season), texts={"name": name})
    return season


@transaction.atomic
def league_rule_change(
    *, season: LeagueSeason, rule: Mapping[str, Any], version: int, actor: Actor
) -> LeagueSeason:
    """Change how a season is played and counted.

    Raises DomainError `bad_rule` (params: faults by field), `fixtures_drawn` where the days would
    be others, `results_are_there` where the results could not be counted so, and VersionConflict.
    """
    league = league_lock(season.league_id)
    season = LeagueSeason.objects.get(pk=season.pk)
    changed = {name: rule[name] for name in RULE if getattr(season, name) != rule[name]}
    drawn = season.divisions.exclude(seed=None).exists()
    if drawn and any(name in changed for name in DRAWN):
        message = _(
            "The fixtures are drawn, so who meets whom cannot change. Take them back first."
        )
        raise DomainError("fixtures_drawn", message)
    _require_countable(season, changed)
    for name, value in changed.items():
        setattr(season, name, value)
    _require_rule(season)
    row_write(season, version, **changed)
    league_audit(
        league,
        actor,
        "league_rule_changed",
        about(season),
        data={"fields": sorted(changed)},
        texts={"name": season.name},
    )
    return season


def _require_countable(season: LeagueSeason, changed: Mapping[str, Any]) -> None:
    """The results that are there must be of as many tables as the rule says."""
    written = LeagueMatch.objects.filter(day__division__season=season).exclude(scores=[])
    results = list(written.values_list("scores", flat=True))
    if results and "tables" in changed:
        message = _("There are results already, so the number of tables stays.")
        raise DomainError("results_are_there", message)
    by_table = changed.get("points") == LeagueSeason.Points.TABLES_AND_TOTAL
    if by_table and season.tables > 1 and any(len(scores) == 1 for scores in results):
        message = _("Of a match only the total is known, so points for each table cannot be given.")
        raise DomainError("results_are_there", message)


def _require_rule(season: LeagueSeason) -> None:
    faults: dict[str, list[str]] = {}
    try:
        season.clean_fields(exclude=["name", "slug", "ties", "league"])
    except ValidationError as error:
        faults |= error.message_dict
    if not faults and not season.loss <= season.draw <= season.win:
        faults["win"] = [_("Winning is worth at least as much as a draw, and that as losing.")]
    known = isinstance(season.ties, list) and set(season.ties) <= set(TIES)
    if not known or len(set(season.ties)) != len(season.ties):
        faults["ties"] = [_("Choose what decides, each only once.")]
    by_group = season.points == LeagueSeason.Points.RANK_OF_GROUP
    if by_group and season.meeting == LeagueSeason.Meeting.TWO:
        faults["points"] = [_("These match points are for days on which four teams meet.")]
    if faults:
        words = " ".join(text for texts in faults.values() for text in texts)
        raise DomainError("bad_rule", words, faults=faults)


# Divisions.


@transaction.atomic
def division_add(*, season: LeagueSeason, name: str, actor: Actor) -> Division:
    """One more division, below the others.

    Raises DomainError `name_missing`, `name_too_long`, `division_exists` or `too_many_divisions`.
    """
    league = league_lock(season.league_id)
    name = tidy_name(name)
    _require_division(season, name)
    last = season.divisions.aggregate(last=Max("position"))["last"] or 0
    if last >= MOST_DIVISIONS:
        message = _("A season has at most %(n)s divisions.") % {"n": MOST_DIVISIONS}
        raise DomainError("too_many_divisions", message)
    division = Division.objects.create(season=season, name=name, position=last + 1)
    league_audit(league, actor, "division_added", about(division), texts={"name": name})
    return division


@transaction.atomic
def division_rename(*, division: Division, name: str, version: int, actor: Actor) -> Division:
    """Another name for a division. Raises like `division_add`, and VersionConflict."""
    league = league_lock(division.season.league_id)
    name = tidy_name(name)
    _require_division(division.season, name, but=division.pk)
    row_write(division, version, name=name)
    league_audit(league, actor, "division_renamed", about(division), texts={"name": name})
    return division


@transaction.atomic
def division_remove(*, division: Division, actor: Actor) -> None:
    """Remove a division with its teams. Raises DomainError `fixtures_drawn`."""
    league = league_lock(division.season.league_id)
    require_undrawn(division)
    gone = Division.objects.filter(pk=division.pk).first()
    if gone is None:
        return
    data = {"teams": gone.teams.count()}
    league_audit(
        league, actor, "division_removed", about(gone), data=data, texts={"name": gone.name}
    )
    gone.delete()
    for position, left in enumerate(division.season.divisions.order_by("position"), 1):
        if left.position != position:
            left.position = position
            left.save_changes("position")


def _require_division(season: LeagueSeason, name: str, but: int | None = None) -> None:
    require_name(name, 60)
    others = season.divisions.values_list("name", flat=True)
    if but is not None:
        others = others.exclude(pk=but)
    if any(name_key(other) == name_key(name) for other in others):
        raise DomainError("division_exists", _("There is already a division called %s.") % name)


# What all of them share.


def require_undrawn(division: Division) -> None:
    """Raises DomainError `fixtures_drawn`."""
    if Division.objects.filter(pk=division.pk).exclude(seed=None).exists():
        message = _("The fixtures of this division are drawn. Take them back first.")
        raise DomainError("fixtures_drawn", message)


def about(row: Any) -> str:
    """What an event says it is about, such as `leagueteam:12`."""
    return f"{row._meta.model_name}:{row.pk}"


def row_write(row: Any, version: int, **columns: Any) -> None:
    """Write these columns of a row that was read at this version."""
    if not row.update_if(version, **columns):
        raise _conflict()


def require_version(row: Any, version: int | None) -> None:
    """Raises VersionConflict if a row that is locked was read at another version."""
    if row.version != version:
        raise _conflict()


def _conflict() -> VersionConflict:
    message = _("Somebody else changed this meanwhile. Look at it again, then save.")
    return VersionConflict("changed_meanwhile", message)


def require_name(name: str, longest: int) -> None:
    """Raises DomainError `name_missing` or `name_too_long`."""
    if not name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(name) > longest:
        message = ngettext(
            "The name may have at most %(n)s character.",
            "The name may have at most %(n)s characters.",
            longest,
        )
        raise DomainError("name_too_long", message % {"n": longest})


def free_slug(name: str, otherwise: str, taken: set[str]) -> str:
    """The slug of a name, with a number behind it where it is taken."""
    base = slugify(name)[:40] or otherwise
    slug, number = base, 1
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug
