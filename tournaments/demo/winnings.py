"""What the demo's club plays for: prizes, the stake, its cups, and how it tells of them."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from clubs.audit import Actor
from clubs.models import Club, Member
from tournaments.models import Evening, Season, Stakes
from tournaments.prizes.core import parse_prizes
from tournaments.queries import evening_standings
from tournaments.season_standings import season_standings
from tournaments.services.cups import cup_add, cup_win_add
from tournaments.services.prizes import (
    evening_prizes_choose,
    season_prizes_choose,
    stake_pay,
    stakes_set,
)
from tournaments.services.wordings import wording_save
from tournaments.stakes import stake_due
from tournaments.standard_wordings import STANDARD


def winnings_make(club: Club, season: Season, told: Mapping[str, Any], actor: Actor) -> None:
    """Prizes and a stake for each evening of the season, who has paid last time and tonight, the
    cups with who won them, and the club's own words in its message."""
    season_prizes_choose(season=season, scheme=parse_prizes(told["season_prizes"]), actor=actor)
    evenings = list(season.evenings.order_by("date"))
    for evening in evenings:
        scheme = parse_prizes(told["evening_prizes"])
        evening_prizes_choose(evening_id=evening.pk, scheme=scheme, actor=actor)
        stakes_set(evening_id=evening.pk, stakes=Stakes(**told["stakes"]), actor=actor)
    played = [evening for evening in evenings if evening.state == Evening.State.CLOSED]
    tonight = [evening for evening in evenings if evening.state == Evening.State.RUNNING]
    _pay(played[-1], actor, still_to_pay=0)
    _pay(tonight[0], actor, still_to_pay=told["still_to_pay"])
    _evening_cup(club, played, told["evening_cup"], actor)
    _season_cup(club, season, told["season_cup"], actor)
    _message(club, told["message"], actor)


def _pay(evening: Evening, actor: Actor, *, still_to_pay: int) -> None:
    """Everybody who is here puts in his stake, but for the last so many on the list."""
    evening.refresh_from_db()
    here = evening.registrations.filter(present=True).order_by("member__sort_name", "member_id")
    members = [one.member for one in here.select_related("member")]
    for member in members[: len(members) - still_to_pay]:
        due = stake_due(evening, member)
        stake_pay(evening_id=evening.pk, member=member, cents=due, actor=actor)


def _evening_cup(
    club: Club, played: Sequence[Evening], told: Mapping[str, Any], actor: Actor
) -> None:
    """A cup that went to whoever won each of the last evenings but one."""
    cup = cup_add(club=club, name=told["name"], wins_to_keep=told["wins_to_keep"], actor=actor)
    for evening in played[-1 - told["evenings"] : -1]:
        first = Member.objects.get(pk=evening_standings(evening)[0].member_id)
        cup_win_add(cup=cup, member=first, won_on=evening.date, evening=evening, actor=actor)


def _season_cup(club: Club, season: Season, told: Mapping[str, Any], actor: Actor) -> None:
    """A cup that went with each season, before this program with members by number."""
    cup = cup_add(club=club, name=told["name"], wins_to_keep=told["wins_to_keep"], actor=actor)
    last = club.seasons.exclude(pk=season.pk).get()
    won_on = max(last.evenings.values_list("date", flat=True))
    for years, number in enumerate(told["before"], start=1):
        member = club.members.get(number=number)
        day = won_on - dt.timedelta(weeks=52 * years)
        cup_win_add(cup=cup, member=member, won_on=day, actor=actor)
    first = Member.objects.get(pk=int(season_standings(last).rows[0].player_id))
    cup_win_add(cup=cup, member=first, won_on=won_on, season=last, actor=actor)


def _message(club: Club, added: str, actor: Actor) -> None:
    """The standard message in Dutch, with a line of the club's own."""
    standard = STANDARD["message", "nl"]
    wording_save(
        club=club,
        kind="message",
        language="nl",
        wording=f"{standard}\n{added}\n",
        seen_version=0,
        actor=actor,
    )
