"""Two names in an old file of the demo's club: one was found to be a member, one may be."""

import datetime as dt
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from clubs.audit.services import Actor
from clubs.members.imports import members_import
from clubs.members.services import member_change
from clubs.members.uploads import upload_keep, upload_source
from clubs.merges.services import guest_merge
from clubs.models import Club, Member, Upload, User
from clubs.privacy.erasing import member_erase
from clubs.profile.services import club_create, logo_choose, role_grant
from scoring.regulations.services import (
    NoteText,
    regulation_from_preset,
    regulation_save,
    rule_notes_save,
)
from tournaments.demo.evenings import Evenings, evenings_announce, tonight_play
from tournaments.demo.fixtures import LOGO, MEMBERS, Chance, read_club
from tournaments.imports.results import results_import, results_plan
from tournaments.imports.uploads import uploaded_results_import
from tournaments.models import CoupleRule, EntryFees, Evening, Season
from tournaments.prizes.core import parse_prizes
from tournaments.prizes.cups import cup_add, cup_win_add
from tournaments.prizes.services import evening_prizes_choose
from tournaments.publicity.wordings import STANDARD, wording_save
from tournaments.registration.couple_rules import couple_rule_add
from tournaments.registration.entry_fees import entry_fee_due, entry_fee_pay, entry_fees_set
from tournaments.seasons.services import season_create, season_prizes_choose, season_rule_add
from tournaments.seasons.standings import season_standings
from tournaments.standings.queries import evening_standings


def namesakes_make(club: Club, told: list[dict[str, Any]], actor: Actor) -> None:
    """Read a file into last season with each of these names, on an evening that the member of
    that number was not at; join the guest to the member where that `is_found`."""
    season = Season.objects.filter(club=club).earliest("starts")
    lines = [f"{_missed_by(season, one['number'])};{one['name']};{one['score']}" for one in told]
    text = "\n".join(["datum;speler;punten", *lines])
    upload = upload_keep(
        club=club,
        kind=Upload.Kind.RESULTS,
        file=io.BytesIO(text.encode()),
        name="nagekomen uitslagen.csv",
        details={"season": season.name},
        actor=actor,
    )
    plan = results_plan(club=club, season_name=season.name, source=upload_source(upload))
    uploaded_results_import(upload=upload, seen=plan.fingerprint, actor=actor)
    for one in told:
        if one["is_found"]:
            guest = club.members.get(name=one["name"])
            member = club.members.get(number=one["number"])
            guest_merge(guest=guest, member=member, actor=actor)


def _missed_by(season: Season, number: int) -> str:
    """The last evening of the season that the member of this number has no result of."""
    missed = season.evenings.exclude(past_results__member__number=number)
    return missed.latest("date", "sequence").slug


# Who of the demo's club does not want his name read by everybody, and who asked to be erased.

KEPT = "name", "number", "kind", "public_name", "email", "phone", "keeps_table"


def privacy_respect(club: Club, told: dict[str, Any], actor: Actor) -> None:
    """Show members, by number, as they asked; erase the guest of this name."""
    for number, how in told["public_as"].items():
        member = club.members.get(number=number)
        member_change(
            member=member,
            seen_version=member.version,
            public_as=how,
            actor=actor,
            **{field: getattr(member, field) for field in KEPT},
        )
    member_erase(member=club.members.get(name=told["erased"]["name"]), actor=actor)


# The standings of the demo's seasons: what counts in them, several over the same evenings.


def standings_make(
    season: Season, told: list[dict[str, Any]], first: dt.date, actor: Actor
) -> None:
    """Give the season these standings; `periods` in them count weeks from its `first` evening."""
    for standing in told:
        settings = dict(standing["settings"])
        if weeks := settings.get("periods"):
            settings["periods"] = [
                [(first + dt.timedelta(weeks=week)).isoformat() for week in span] for span in weeks
            ]
        season_rule_add(season=season, name=standing["name"], settings=settings, actor=actor)


# What the demo's club plays for: prizes, the stake, its cups, and how it tells of them.


def winnings_make(club: Club, season: Season, told: Mapping[str, Any], actor: Actor) -> None:
    """Prizes and a stake for each evening of the season, who has paid last time and tonight, the
    cups with who won them, and the club's own words in its message."""
    season_prizes_choose(season=season, scheme=parse_prizes(told["season_prizes"]), actor=actor)
    evenings = list(season.evenings.order_by("date"))
    for evening in evenings:
        scheme = parse_prizes(told["evening_prizes"])
        evening_prizes_choose(evening_id=evening.pk, scheme=scheme, actor=actor)
        entry_fees_set(evening_id=evening.pk, fees=EntryFees(**told["stakes"]), actor=actor)
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
        due = entry_fee_due(evening, member)
        entry_fee_pay(evening_id=evening.pk, member=member, cents=due, actor=actor)


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


# The demo's club: its people, its seasons, and then its evenings.

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
