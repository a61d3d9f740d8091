"""Every address of the house, filled in with the things of a `World`."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.access.world import World
from tournaments.entries.texts import door_secret
from tournaments.leagues.lineups import captain_secret
from tournaments.sheet_photos.services import camera_secret

Things = Mapping[str, Callable[[World], object]]

BY_NAME: Things = {
    "slug": lambda world: world.word,
    "club": lambda world: world.club.pk,
    "evening_slug": lambda world: world.tonight.slug,
    "season_slug": lambda world: world.season.slug,
    "year": lambda world: world.fee_year.year,
    "secret": lambda world: world.secret,
    "door": lambda world: door_secret(world.entry_list),
    "entry_uuid": lambda world: world.entry.uuid,
    "claim": lambda world: world.claim.pk,
    "job": lambda world: world.job.uuid,
    "win": lambda world: world.win.pk,
    "league": lambda world: world.league.slug,
    "league_season": lambda world: world.division.season.slug,
    "division": lambda world: world.division.pk,
    "team": lambda world: world.match.home_id,
    "ranking": lambda world: world.ranking.slug,
    "ranking_pk": lambda world: world.ranking.pk,
    "leader": lambda world: world.league.leaders.get().pk,
    "day": lambda world: world.match.day_id,
    "match": lambda world: world.match.pk,
    "night": lambda world: world.night.pk,
    "pull": lambda world: world.pull,
    "event": lambda world: world.past.uuid,
    "link": lambda world: world.club.pull_links.get().pk,
    "source": lambda world: world.source.pk,
    "penalty": lambda world: world.penalty.pk,
    "photo": lambda world: world.photo.uuid,
    "camera": lambda world: camera_secret(world.camera),
    "captain": lambda world: captain_secret(world.captain_link),
    "line_up": lambda world: world.line_up.pk,
    "number_pk": lambda world: world.number_elsewhere.pk,
    "user": lambda world: world.staff["scorekeeper"].uuid,
}
"""What is of a club, under the name it has in addresses."""

OF_NO_CLUB: Mapping[str, object] = {
    "code": "x" * 20,
    "handle": "0" * 32,
    "uidb64": "MQ",
    "token": "x-y",
    "kind": "message",
    "chapter": "table",
    "language": "nl",
    "side": "NS",
}
"""The other words of addresses; numbers of rounds, tables and deals are 1."""

IDS: Things = {
    "couple_": lambda world: world.couple.pk,
    "cup_": lambda world: world.cup.pk,
    "competitor_": lambda world: world.pair.pk,
    "api_competitor_correction": lambda world: 1,
    "api_competitor": lambda world: world.pair.pk,
    "api_entry": lambda world: world.entry.pk,
    "entry_": lambda world: world.entry.pk,
    "kind_": lambda world: world.kind.pk,
    "member_merge": lambda world: world.guest.pk,
    "package_": lambda world: world.package.pk,
    "pot_": lambda world: world.pot_entry.pk,
    "regulation_": lambda world: world.regulation.pk,
    "standing_": lambda world: world.rule.pk,
    "team_": lambda world: world.role.pk,
    "token_": lambda world: world.api_token.pk,
    "": lambda world: world.people[0].pk,
}
"""What `pk` is where the address's name begins like this; the first that fits."""

UUIDS: Things = {
    "copy_": lambda world: world.copy.uuid,
    "import_evening": lambda world: world.evening_file.uuid,
    "import_results": lambda world: world.results_file.uuid,
    "import_": lambda world: world.done.uuid,
    "mail_": lambda world: world.mail.uuid,
    "member_import": lambda world: world.members_file.uuid,
    "merge_": lambda world: world.merge.uuid,
    "series_": lambda world: world.series,
    "": lambda world: world.invitation.uuid,
}

PEOPLE: Things = {
    "api_club_league_person": lambda world: world.people[0].pk,
    "api_competitor_person": lambda world: world.pair.people.all()[0].pk,
    "competitor_": lambda world: world.pair.people.all()[0].pk,
    "": lambda world: world.league.people.get().number,
}
"""Likewise for `person`: a league knows people by its own numbers."""

BY_ROUTE = {"pk": IDS, "uuid": UUIDS, "person": PEOPLE}
"""What means something else in one address than in another."""


def routes() -> dict[str, list[str]]:
    """What is to be filled in for every address, by its name; of a name that two addresses have,
    with the first thing that is filled in."""
    found = list(_named(get_resolver().url_patterns, []))
    times = Counter(name for name, _fields in found if _fields)
    return {f"{name}/{fields[0]}" if times[name] > 1 else name: fields for name, fields in found}


def _named(
    patterns: Iterable[URLPattern | URLResolver], outer: list[str]
) -> Iterator[tuple[str, list[str]]]:
    for pattern in patterns:
        inside = [*outer, *pattern.pattern.converters]
        if isinstance(pattern, URLResolver):
            yield from _named(pattern.url_patterns, inside)
        elif pattern.name is not None:
            yield pattern.name, inside


def address(route: str, fields: Iterable[str], world: World, **others: object) -> str:
    """Where a route leads, with the things of `world`; `others` stand in for some of them."""
    name = route.partition("/")[0]
    values = {field: others.get(field, thing(name, field, world)) for field in fields}
    return reverse(name, kwargs=values)


def thing(name: str, field: str, world: World) -> Any:
    """What stands in this field of an address, of `world` where it is of a club."""
    if things := BY_ROUTE.get(field):
        return next(find for start, find in things.items() if name.startswith(start))(world)
    return BY_NAME[field](world) if field in BY_NAME else OF_NO_CLUB.get(field, 1)
