"""The demo's club: its people, its seasons, and then its evenings."""

import datetime as dt
import io
from dataclasses import replace
from typing import Any

from django.db import transaction

from clubs.audit import Actor
from clubs.models import Club, User
from clubs.services import club_create, logo_choose, member_change, members_import, role_grant
from scoring.services import (
    NoteText,
    regulation_from_preset,
    regulation_save,
    rule_notes_save,
)
from tournaments.demo.evenings import Evenings
from tournaments.demo.fixtures import LOGO, MEMBERS, Chance, read_club
from tournaments.demo.namesakes import namesakes_make
from tournaments.demo.privacy import privacy_respect
from tournaments.demo.standings import standings_make
from tournaments.demo.to_come import evenings_announce
from tournaments.demo.tonight import tonight_play
from tournaments.demo.winnings import winnings_make
from tournaments.models import CoupleRule, Season
from tournaments.services import results_import
from tournaments.services.couple_rules import couple_rule_add
from tournaments.services.seasons import season_create

PROGRAM = Actor.of_program("demo")
WEEK = dt.timedelta(weeks=1)


def demo_club() -> Club | None:
    """The demo's club, when this database is a demo."""
    return Club.objects.filter(is_demo=True).first()


def demo_password() -> str:
    """The password of every login of the demo."""
    return str(read_club()["password"])


@transaction.atomic
def demo_make(*, today: dt.date) -> Club:
    """Make the demo in a database without clubs: its evening half played is `today`."""
    told = read_club()
    club = _club_make(told)
    organiser = Actor.of_user(_people_make(club, told))
    _own_rules_write(club, told["own_rules"], organiser)
    first = today - WEEK * max(evening["weeks_ago"] for evening in told["evenings"])
    regulation = regulation_from_preset(club=club, preset=told["regulation"], actor=organiser)
    chance = Chance("last season", regulation.rules)
    erased = told["privacy"]["erased"]
    before = first - 52 * WEEK
    _last_season_make(club, told["last_season"], before, chance, guest=erased, actor=organiser)
    season = _season_make(club, first, told["fee"], organiser)
    standings_make(season, told["standings"], first, organiser)
    evenings = Evenings(
        club=club,
        season=season,
        regulation=regulation,
        today=today,
        actor=organiser,
    )
    for evening in told["evenings"]:
        if evening["weeks_ago"] == told["house_rule"]["weeks_ago"]:
            evenings = _house_rule_make(evenings, told["house_rule"]["settings"])
        evenings.play(**evening)
    tonight_play(evenings, told["tonight"])
    _agreements_write(club, organiser, **told["agreed"])
    privacy_respect(club, told["privacy"], organiser)
    namesakes_make(club, told["namesakes"], organiser)
    evenings.plan(**told["next_week"])
    winnings_make(club, season, told["winnings"], organiser)
    evenings_announce(evenings, told["later"])
    return club


def _club_make(told: dict[str, Any]) -> Club:
    club = club_create(slug=told["slug"], name=told["name"], actor=PROGRAM)
    club.is_demo = True
    club.save(update_fields=["is_demo"])
    members_import(club=club, source=MEMBERS, actor=PROGRAM)
    logo_choose(club=club, content=LOGO.read_bytes(), actor=PROGRAM)
    return club


def _people_make(club: Club, told: dict[str, Any]) -> User:
    """The logins, each with the password that stands beside them; gives back the first."""
    users = []
    for login in told["logins"]:
        role = role_grant(
            club=club, email=login["email"], name=login["name"], kind=login["role"], actor=PROGRAM
        )
        role.user.set_password(told["password"])
        role.user.save(update_fields=["password"])
        users.append(role.user)
    return users[0]


def _own_rules_write(club: Club, told: dict[str, list[str]], actor: Actor) -> None:
    rule_notes_save(
        club=club,
        notes={topic: NoteText(*texts) for topic, texts in told.items()},
        seen_version=club.rule_notes_version,
        actor=actor,
    )


def _agreements_write(club: Club, actor: Actor, *, keeps_table: int, apart: list[int]) -> None:
    """Who cannot walk from table to table, and which two are kept apart: members by number."""
    member = club.members.get(number=keeps_table)
    known = ("name", "number", "kind", "public_name", "email", "phone")
    member_change(
        member=member,
        seen_version=member.version,
        keeps_table=True,
        actor=actor,
        **{field: getattr(member, field) for field in known},
    )
    one, two = club.members.filter(number__in=apart)
    couple_rule_add(club=club, one=one, two=two, kind=CoupleRule.Kind.APART, actor=actor)


def _season_make(club: Club, first: dt.date, fee: int, actor: Actor) -> Season:
    return season_create(
        club=club,
        name=_season_name(first),
        starts=first,
        ends=first + 35 * WEEK,
        fee=fee,
        actor=actor,
    )


def _house_rule_make(evenings: Evenings, settings: dict[str, object]) -> Evenings:
    """From here on the club plays otherwise: what was played keeps the version before."""
    before = evenings.regulation
    regulation = regulation_save(
        club=evenings.club,
        name=before.name,
        settings=before.settings | settings,
        actor=evenings.actor,
    )
    return replace(evenings, regulation=regulation)


def _last_season_make(
    club: Club,
    told: dict[str, Any],
    first: dt.date,
    chance: Chance,
    *,
    guest: dict[str, Any],
    actor: Actor,
) -> None:
    """The season before, of which only what everybody scored in an evening is known; the guest was
    there once."""
    members = list(club.members.order_by("number"))
    score = {key: told[key] for key in ("average", "spread")}
    lines = [
        f"{first + 2 * number * WEEK},{member.number},{chance.score(**score)}"
        for number in range(told["evenings"])
        for member in chance.some(members, told["players"])
    ]
    lines.append(f"{first},{guest['name']},{guest['score']}")
    text = "\n".join(["evening,player,score", *lines])
    season = _season_make(club, first, told["fee"], actor)
    standings_make(season, told["standings"], first, actor)
    source = io.BytesIO(text.encode())
    results_import(club=club, season_name=season.name, source=source, actor=actor)


def _season_name(first: dt.date) -> str:
    """Seasons begin after the summer and are called after two years."""
    year = first.year if first.month >= 7 else first.year - 1
    return f"{year}-{year + 1}"
