"""Clubs, people and evenings to test with, all made through the services.

What a factory makes depends on what its club already has, never on the tests that ran before: the
first member of a club is always Jan Bakker, number 1.
"""

import dataclasses
import datetime as dt
import uuid
from typing import Any

from django.utils import timezone
from factory.django import DjangoModelFactory

from clubs.audit.services import Actor
from clubs.members.services import member_create
from clubs.models import Club, Member, Role, User
from clubs.profile.services import club_create
from scoring.deals.services import deal_write
from scoring.models import DealEntry, Regulation
from scoring.regulations.services import regulation_from_preset
from tests.made_once import club_made_once, evening_made_once
from tournaments.draw.services import draw_make, draw_publish, draw_type_in
from tournaments.evenings.services import EveningPlan, EveningRules, evening_create
from tournaments.models import Evening, Round, Table
from tournaments.registration.check_in import presence_replace
from tournaments.rounds.services import round_start

TESTS = Actor.of_program("tests")
FIRST_NAMES = (
    "Jan Mia Piet Truus Kees Annie Henk Riet Wim Corrie Bert Lies Ton Gerda Joop Wil".split()
)
SURNAMES = (
    "Bakker,van der Meer,Visser,de Vries,Mulder,Smit-de Boer,Bos,van den Berg,Łuczak,Özdemir,Đặng,"
    "'t Hart,Jansen,Dekker,Kok,Postma"
).split(",")


def full_name(number: int) -> str:
    """The name of the member with this number, from 1: 256 different ones, then with a digit."""
    index = number - 1
    turn, place = divmod(index, len(SURNAMES))
    first = FIRST_NAMES[(place + turn) % len(FIRST_NAMES)]
    again = f" {number}" if number > len(FIRST_NAMES) * len(SURNAMES) else ""
    return f"{first}{again} {SURNAMES[place]}"


class UserFactory(DjangoModelFactory[User]):
    """Somebody with a login: `wie1@example.org`, password `geheim`. It was shown that the address
    is theirs."""

    class Meta:
        model = User

    password = "geheim"

    @classmethod
    def _create(cls, model_class: type[User], *_args: Any, **fields: Any) -> User:
        fields.setdefault("email", f"wie{User.objects.count() + 1}@example.org")
        fields.setdefault("email_proved_at", timezone.now())
        return User.objects.create_user(**fields)


class ClubFactory(DjangoModelFactory[Club]):
    """`De Vrolijke Boer`, at `vrolijke-boer`; a second club is `Club 2`, at `club-2`."""

    class Meta:
        model = Club

    @classmethod
    def _create(cls, model_class: type[Club], *_args: Any, **fields: Any) -> Club:
        if not fields:
            return club_made_once(cls._next)
        return cls._next(**fields)

    @staticmethod
    def _next(**fields: Any) -> Club:
        number = Club.objects.count() + 1
        fields.setdefault("slug", f"club-{number}" if number > 1 else "vrolijke-boer")
        fields.setdefault("name", f"Club {number}" if number > 1 else "De Vrolijke Boer")
        return club_create(**fields, actor=TESTS)


class MemberFactory(DjangoModelFactory[Member]):
    """The next member of `club`: number and name follow from how many there are."""

    class Meta:
        model = Member

    @classmethod
    def _create(cls, model_class: type[Member], *_args: Any, **fields: Any) -> Member:
        club = fields.get("club") or ClubFactory.create()
        following = Member.objects.of(club).count() + 1
        fields.setdefault("name", full_name(following))
        if fields.get("kind") != Member.Kind.GUEST:
            fields.setdefault("number", following)
        return member_create(**fields | {"club": club, "actor": TESTS})


class EveningFactory(DjangoModelFactory[Evening]):
    """A planned evening of three rounds of sixteen deals on Saturday 21 November 2026."""

    class Meta:
        model = Evening

    date = dt.date(2026, 11, 21)

    @classmethod
    def _create(cls, model_class: type[Evening], *_args: Any, **fields: Any) -> Evening:
        club = fields.pop("club", None) or ClubFactory.create()
        fields.setdefault("regulation", regulation_of(club))
        names = [field.name for field in dataclasses.fields(EveningRules)]
        rules = EveningRules(**{name: fields.pop(name) for name in names if name in fields})
        plan = EveningPlan(**fields)
        return evening_create(club=club, plan=plan, rules=rules, actor=TESTS)


def organiser_of(club: Club) -> User:
    """Somebody new who organises at this club."""
    return _with_role(club, Role.Kind.ORGANISER)


def director_of(club: Club) -> User:
    """Somebody new who directs evenings at this club."""
    return _with_role(club, Role.Kind.DIRECTOR)


def scorekeeper_of(club: Club) -> User:
    """Somebody new who only enters deals at this club."""
    return _with_role(club, Role.Kind.SCOREKEEPER)


def regulation_of(club: Club, preset: str = "amsterdam") -> Regulation:
    """The club's regulation that is this preset."""
    return regulation_from_preset(club=club, preset=preset, actor=TESTS)


def evening_with_draw(
    *,
    players: int = 12,
    rounds: int = 3,
    method: str = Evening.Method.ROTATION,
    started: bool = True,
    club: Club | None = None,
    **plan: Any,
) -> Evening:
    """An evening with so many people present and a final draw; its first round is running when
    `started`. Who is present are the club's members with numbers 1 … `players`."""
    club = club or ClubFactory.create()
    asked: dict[str, Any] = {
        "players": players,
        "rounds": rounds,
        "method": method,
        "started": started,
    } | plan
    return evening_made_once(repr(asked), lambda: _evening_with_draw(club=club, **asked))


def _evening_with_draw(
    *, club: Club, players: int, rounds: int, method: str, started: bool, **plan: Any
) -> Evening:
    members = list(Member.objects.of(club).order_by("number")[:players])
    members += [MemberFactory.create(club=club) for _ in range(players - len(members))]
    evening = EveningFactory.create(club=club, rounds_planned=rounds, method=method, **plan)
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    if method == Evening.Method.TYPED_IN:
        type_in(evening, members)
    else:
        draw_make(evening_id=evening.pk, actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    if started:
        round_start(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def type_in(evening: Evening, members: list[Member]) -> Round:
    """Seat people in this order, N E S W at table 1 first; who is left over sits out."""
    fours = len(members) // 4 * 4
    tables = [dict(zip("NESW", members[at : at + 4], strict=True)) for at in range(0, fours, 4)]
    return draw_type_in(evening_id=evening.pk, tables=tables, sit_out=members[fours:], actor=TESTS)


def table(evening: Evening, number: int = 1, round_number: int = 1) -> Table:
    """A table of the evening, with its sheet."""
    tables = Table.objects.select_related("round", "sheet__regulation")
    return tables.get(round__evening=evening, round__number=round_number, number=number)


def write_deal(table: Table, number: int, **written: Any) -> DealEntry:
    """Write a deal over whatever is there now; NS play hearts and take 90 unless told otherwise."""
    return _write(table, number, written)


def correct_deal(table: Table, number: int, *, ns: int, reason: str) -> DealEntry:
    """The director finds in a closed round that NS, who play hearts, took so many."""
    return _write(table, number, {"points": {"NS": ns}}, reason=reason, closed_too=True)


def _write(
    table: Table,
    number: int,
    written: dict[str, Any],
    *,
    reason: str = "",
    closed_too: bool = False,
) -> DealEntry:
    deal = table.sheet.deals.get(number=number)
    return deal_write(
        sheet_id=table.sheet_id,
        number=number,
        seen_version=deal.version,
        uuid=uuid.uuid4(),
        written={"declarer": "NS", "trump": "H", "points": {"NS": 90}} | written,
        actor=TESTS,
        reason=reason or ("test" if deal.version else ""),
        closed_too=closed_too,
    )


def _with_role(club: Club, kind: Role.Kind) -> User:
    user = UserFactory.create()
    Role.objects.create(user=user, club=club, kind=kind)
    return user
