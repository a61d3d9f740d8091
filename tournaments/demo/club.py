"""Making the demo: its club, people, seasons, prizes, and everything else around its evenings.

`data` is always a part of `fixtures/demo/club.json`.
"""

import datetime as dt
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

from django.db import transaction

from clubs.audit.services import Actor
from clubs.members.imports import members_import, upload_keep, upload_source
from clubs.members.services import member_change
from clubs.merges.services import guest_merge
from clubs.models import Club, Member, Upload, User
from clubs.privacy.erasing import member_erase
from clubs.profile.services import club_create, club_sheets_choose, logo_choose, role_grant
from scoring.regulations.services import (
    NoteText,
    regulation_from_preset,
    regulation_save,
    rule_notes_save,
)
from tournaments.demo.evenings import (
    LOGO,
    MEMBERS,
    Chance,
    EveningMaker,
    evenings_announce,
    folders_play,
    read_club,
    tonight_play,
)
from tournaments.imports.results import results_import, results_plan
from tournaments.imports.uploads import uploaded_results_import
from tournaments.leagues.matches import fixtures_draw, results_write
from tournaments.leagues.season_end import penalty_give
from tournaments.leagues.services import (
    RULE,
    division_add,
    division_rename,
    league_create,
    league_rule_change,
    league_season_create,
)
from tournaments.leagues.teams import TeamLine, team_change, teams_add
from tournaments.models import CoupleRule, Division, EntryFees, Evening, LeagueTeam, Season
from tournaments.money.services import (
    fee_note,
    fees_set,
    fees_tick,
    package_add,
    pot_entry_add,
)
from tournaments.prizes.core import parse_prizes
from tournaments.prizes.given import cup_add, cup_win_add, evening_prizes_record, prizes_expected
from tournaments.prizes.giving import (
    evening_awards,
    evening_paid,
    evening_prizes_choose,
    scheme_of,
)
from tournaments.publicity.wordings import STANDARD, wording_save
from tournaments.registration.entry_fees import entry_fees_set, entry_fees_tick
from tournaments.registration.pairs import couple_rule_add
from tournaments.seasons.services import season_create, season_prizes_choose, season_rule_add
from tournaments.seasons.standings import season_standings
from tournaments.standings.queries import evening_standings

PROGRAM = Actor.of_program("demo")
WEEK = dt.timedelta(weeks=1)


def demo_club() -> Club | None:
    """The demo's club, if this database is a demo."""
    return Club.objects.filter(is_demo=True).first()


def demo_password() -> str:
    """The password of every login of the demo."""
    return str(read_club()["password"])


@transaction.atomic
def demo_make(*, today: dt.date) -> Club:
    """Make the demo in a database without clubs: its evening half played is `today`."""
    data = read_club()
    club = _club_make(data)
    organiser = Actor.of_user(_people_make(club, data))
    _own_rules_write(club, data["own_rules"], organiser)
    first = today - WEEK * max(evening["weeks_ago"] for evening in data["evenings"])
    regulation = regulation_from_preset(club=club, preset=data["regulation"], actor=organiser)
    chance = Chance("last season", regulation.rules)
    erased = data["privacy"]["erased"]
    before = first - 52 * WEEK
    _last_season_make(club, data["last_season"], before, chance, guest=erased, actor=organiser)
    season = _season_make(club, first, data["fee"], organiser)
    _standings_make(season, data["standings"], first, organiser)
    evenings = EveningMaker(
        club=club,
        season=season,
        regulation=regulation,
        today=today,
        actor=organiser,
    )
    for evening in data["evenings"]:
        if evening["weeks_ago"] == data["house_rule"]["weeks_ago"]:
            evenings = _house_rule_make(evenings, data["house_rule"]["settings"])
        evenings.play(**evening)
    folders_play(evenings, data["portefeuille"])
    tonight_play(evenings, data["tonight"])
    _agreements_write(club, organiser, **data["agreed"])
    _privacy_set(club, data["privacy"], organiser)
    _duplicates_make(club, data["namesakes"], organiser)
    evenings.plan(**data["next_week"])
    _prizes_make(club, season, data["winnings"], organiser)
    evenings_announce(evenings, data["later"])
    _league_make(club, data["league"], today, organiser)
    return club


def _league_make(club: Club, data: Mapping[str, Any], today: dt.date, leader: Actor) -> None:
    """A league with other clubs, which are made up: everybody meets everybody twice. The first
    match day was two weeks ago, the second is today and half played."""
    if leader.user is None:
        return
    league = league_create(name=data["name"], leader=leader.user, actor=leader)
    season = league_season_create(league=league, name=_season_name(today), actor=leader)
    rule = {name: getattr(season, name) for name in RULE} | {"cycles": 2, "exchange": 1}
    season = league_rule_change(season=season, rule=rule, version=season.version, actor=leader)
    first = season.divisions.get()
    given = data["divisions"]
    division_rename(division=first, name=given[0]["name"], version=first.version, actor=leader)
    for rest in given[1:]:
        division_add(season=season, name=rest["name"], actor=leader)
    for division, teams in zip(season.divisions.all(), given, strict=True):
        _division_play(club, division, teams["teams"], today, leader)
    penalty = data["penalty"]
    team = LeagueTeam.objects.select_related("division__season").get(name=penalty["team"])
    points, reason = Decimal(penalty["points"]), penalty["reason"]
    penalty_give(team=team, points=points, reason=reason, actor=leader)


def _division_play(
    club: Club,
    division: Division,
    teams: Sequence[Mapping[str, Any]],
    today: dt.date,
    leader: Actor,
) -> None:
    lines = [TeamLine(team["name"], team.get("club", club.name)) for team in teams]
    made = teams_add(division=division, lines=lines, actor=leader)
    for team, given in zip(made, teams, strict=True):
        members = club.members.filter(number__in=given.get("members", ())).order_by("number")
        players = given.get("players") or list(members.values_list("name", flat=True))
        team_change(
            team=team,
            name=team.name,
            club=team.club,
            players=players[:4],
            reserves=players[4:],
            version=team.version,
            actor=leader,
        )
    days = fixtures_draw(
        division=division,
        seed=1,
        first=today - 2 * WEEK,
        weeks=2,
        starts_at=dt.time(19, 30),
        actor=leader,
    )
    chance = Random(division.name)  # noqa: S311 — nothing is at stake
    for day in days[:2]:
        matches = list(day.matches.all())
        over = matches if day == days[0] else matches[: len(matches) // 2]
        results = {match.pk: [_score(chance), _score(chance)] for match in over}
        versions = {match.pk: match.version for match in over}
        results_write(day=day, results=results, versions=versions, actor=leader)


def _score(chance: Random) -> tuple[int, int]:
    """What a table comes to: the cards of sixteen deals, and roem in tens."""
    cards = chance.randrange(1000, 1600)
    roem = [10 * chance.randrange(4, 16) for _side in range(2)]
    return cards + roem[0], 16 * 162 - cards + roem[1]


def _duplicates_make(club: Club, data: list[dict[str, Any]], actor: Actor) -> None:
    """Import results with these names into last season, each on an evening that the member with
    that number missed; merge the guest with the member if `is_found`."""
    season = Season.objects.filter(club=club).earliest("starts")
    lines = [
        f"{_missed_by(season, person['number'])};{person['name']};{person['score']}"
        for person in data
    ]
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
    for person in data:
        if person["is_found"]:
            guest = club.members.get(name=person["name"])
            member = club.members.get(number=person["number"])
            guest_merge(guest=guest, member=member, actor=actor)


def _missed_by(season: Season, number: int) -> str:
    """The last evening of the season that the member of this number has no result of."""
    missed = season.evenings.exclude(past_results__member__number=number)
    return missed.latest("date", "sequence").slug


def _privacy_set(club: Club, data: dict[str, Any], actor: Actor) -> None:
    """Show members, by number, as they asked; erase the guest of this name."""
    for number, how in data["public_as"].items():
        member = club.members.get(number=number)
        member_change(
            member=member,
            seen_version=member.version,
            name=member.name,
            public_as=how,
            actor=actor,
        )
    member_erase(member=club.members.get(name=data["erased"]["name"]), actor=actor)


def _standings_make(
    season: Season, data: list[dict[str, Any]], first: dt.date, actor: Actor
) -> None:
    """Give the season these standings; `periods` in them count weeks from its `first` evening."""
    for standing in data:
        settings = dict(standing["settings"])
        if weeks := settings.get("periods"):
            settings["periods"] = [
                [(first + dt.timedelta(weeks=week)).isoformat() for week in span] for span in weeks
            ]
        season_rule_add(season=season, name=standing["name"], settings=settings, actor=actor)


def _prizes_make(club: Club, season: Season, data: Mapping[str, Any], actor: Actor) -> None:
    """Prizes and entry fees for each evening of the season, with who paid and who got what; the
    membership fee and the pot; cups with their winners; and the club's own wording of its
    message."""
    season_prizes_choose(season=season, scheme=parse_prizes(data["season_prizes"]), actor=actor)
    evenings = list(season.evenings.order_by("date"))
    for evening in evenings:
        scheme = parse_prizes(data["evening_prizes"])
        evening_prizes_choose(evening_id=evening.pk, scheme=scheme, actor=actor)
        entry_fees_set(evening_id=evening.pk, fees=EntryFees(**data["stakes"]), actor=actor)
    played = [evening for evening in evenings if evening.state == Evening.State.CLOSED]
    tonight = [evening for evening in evenings if evening.state == Evening.State.RUNNING]
    _packages_make(club, first=evenings[0].date, packages=data["packages"], actor=actor)
    for evening in played:
        _pay(evening, actor, still_to_pay=0)
        _hand_out(club, evening, actor)
    _pay(tonight[0], actor, still_to_pay=data["still_to_pay"])
    _money_make(season, evenings[0].date, data["money"], actor)
    _evening_cup(club, played, data["evening_cup"], actor)
    _season_cup(club, season, data["season_cup"], actor)
    _message(club, data["message"], actor)


def _pay(evening: Evening, actor: Actor, *, still_to_pay: int) -> None:
    """Everybody who is here pays their entry fee, except the last `still_to_pay` on the list."""
    evening.refresh_from_db()
    here = evening.registrations.filter(present=True).order_by("member__sort_name", "member_id")
    members = [registration.member for registration in here.select_related("member")]
    paid = members[: len(members) - still_to_pay]
    entry_fees_tick(evening_id=evening.pk, paid=paid, taken_back=(), actor=actor)


def _packages_make(
    club: Club, first: dt.date, packages: Mapping[str, Mapping[str, Any]], actor: Actor
) -> None:
    """Members, by number, who paid for evenings before the season's `first` one."""
    for number, package in packages.items():
        member = club.members.get(number=int(number))
        package_add(club=club, member=member, bought_on=first, actor=actor, **package)


def _hand_out(club: Club, evening: Evening, actor: Actor) -> None:
    """Everybody got the prizes that they won."""
    awards = evening_awards(evening, evening_standings(evening))
    expected = prizes_expected(club, awards, scheme_of(evening.prizes), evening_paid(evening))
    given = [prize for prize in expected if prize.what or prize.cents]
    evening_prizes_record(evening_id=evening.pk, given=given, actor=actor)


def _money_make(season: Season, first: dt.date, data: Mapping[str, Any], actor: Actor) -> None:
    """Who has paid the membership fee of the season, one at the `reduced` rate and one `half` of
    it; and what else went in and out of the pot. Members by number, days in weeks from the
    `first`."""
    fees_set(period=season, fee=season.fee, reduced=data["reduced"], guest=None, actor=actor)
    members = season.club.members.filter(kind=Member.Kind.MEMBER, is_active=True)
    for number, note in data["notes"].items():
        day = None if note["paid"] is None else first + WEEK
        member = members.get(number=int(number))
        fee_note(period=season, member=member, paid_on=day, actor=actor, **note)
    unpaid = [*map(int, data["notes"]), *data["unpaid"]]
    paid = list(members.exclude(number__in=unpaid).order_by("number"))
    fees_tick(period=season, paid=paid, taken_back=(), on=first + WEEK, actor=actor)
    for entry in data["pot"]:
        day = first + entry["weeks"] * WEEK
        pot_entry_add(
            season=season, booked_on=day, what=entry["what"], cents=entry["cents"], actor=actor
        )


def _evening_cup(
    club: Club, played: Sequence[Evening], data: Mapping[str, Any], actor: Actor
) -> None:
    """A cup for the winners of the evenings before the last one."""
    cup = cup_add(club=club, name=data["name"], wins_to_keep=data["wins_to_keep"], actor=actor)
    for evening in played[-1 - data["evenings"] : -1]:
        first = Member.objects.get(pk=evening_standings(evening)[0].member_id)
        cup_win_add(cup=cup, member=first, won_on=evening.date, evening=evening, actor=actor)


def _season_cup(club: Club, season: Season, data: Mapping[str, Any], actor: Actor) -> None:
    """A cup won over each season; the earlier winners are members by number."""
    cup = cup_add(club=club, name=data["name"], wins_to_keep=data["wins_to_keep"], actor=actor)
    last = club.seasons.exclude(pk=season.pk).get()
    won_on = max(last.evenings.values_list("date", flat=True))
    for years, number in enumerate(data["before"], start=1):
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


def _club_make(data: dict[str, Any]) -> Club:
    club = club_create(slug=data["slug"], name=data["name"], actor=PROGRAM)
    club.is_demo = True
    club.save(update_fields=["is_demo"])
    club_sheets_choose(club=club, paper_sheet="reading", sheet_photo_days=14, actor=PROGRAM)
    members_import(club=club, source=MEMBERS, actor=PROGRAM)
    logo_choose(club=club, content=LOGO.read_bytes(), actor=PROGRAM)
    return club


def _people_make(club: Club, data: dict[str, Any]) -> User:
    """Make the logins, all with the demo's password. Returns the first."""
    users = []
    for login in data["logins"]:
        role = role_grant(
            club=club, email=login["email"], name=login["name"], kind=login["role"], actor=PROGRAM
        )
        role.user.set_password(data["password"])
        role.user.save(update_fields=["password"])
        users.append(role.user)
    return users[0]


def _own_rules_write(club: Club, data: dict[str, list[str]], actor: Actor) -> None:
    rule_notes_save(
        club=club,
        notes={topic: NoteText(*texts) for topic, texts in data.items()},
        seen_version=club.rule_notes_version,
        actor=actor,
    )


def _agreements_write(club: Club, actor: Actor, *, keeps_table: int, apart: list[int]) -> None:
    """A member who keeps their table, and two who are kept apart; members by number."""
    member = club.members.get(number=keeps_table)
    member_change(
        member=member,
        seen_version=member.version,
        name=member.name,
        keeps_table=True,
        actor=actor,
    )
    first, second = club.members.filter(number__in=apart)
    couple_rule_add(club=club, one=first, two=second, kind=CoupleRule.Kind.APART, actor=actor)


def _season_make(club: Club, first: dt.date, fee: int, actor: Actor) -> Season:
    return season_create(
        club=club,
        name=_season_name(first),
        starts=first,
        ends=first + 35 * WEEK,
        fee=fee,
        actor=actor,
    )


def _house_rule_make(evenings: EveningMaker, settings: dict[str, object]) -> EveningMaker:
    """The club changes its rules from here on; what was played keeps the version before."""
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
    data: dict[str, Any],
    first: dt.date,
    chance: Chance,
    *,
    guest: dict[str, Any],
    actor: Actor,
) -> None:
    """The season before, with only everybody's totals of each evening; the guest was there once."""
    members = list(club.members.order_by("number"))
    score = {key: data[key] for key in ("average", "spread")}
    lines = [
        f"{first + 2 * number * WEEK},{member.number},{chance.score(**score)}"
        for number in range(data["evenings"])
        for member in chance.some(members, data["players"])
    ]
    lines.append(f"{first},{guest['name']},{guest['score']}")
    text = "\n".join(["evening,player,score", *lines])
    season = _season_make(club, first, data["fee"], actor)
    _standings_make(season, data["standings"], first, actor)
    source = io.BytesIO(text.encode())
    results_import(club=club, season_name=season.name, source=source, actor=actor)


def _season_name(first: dt.date) -> str:
    """Seasons begin after the summer and are named after two years."""
    year = first.year if first.month >= 7 else first.year - 1
    return f"{year}-{year + 1}"
