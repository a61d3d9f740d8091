"""The draw problem of an evening: who is present, what is agreed, what went before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.errors import DomainError
from clubs.models import Member
from tournaments.draw.core import Couple, Leftover, Method, PastEvening, RoundDraw
from tournaments.drawn import past_evenings, rounds_as_drawn
from tournaments.models import CoupleRule, Evening, Registration, Round
from tournaments.queries import evening_standings

Kind = CoupleRule.Kind


@dataclass(frozen=True, slots=True)
class DrawProblem:
    """The arguments of `tournaments.draw.core.draw`; people by id."""

    players: tuple[str, ...]
    rounds: int
    method: Method
    seed: int
    leftover: Leftover
    fixed: tuple[Couple, ...]
    apart: tuple[Couple, ...]
    stays: tuple[str, ...]
    history: tuple[PastEvening, ...]
    already_out: tuple[str, ...]
    first_round: int
    played: tuple[RoundDraw, ...]


def draw_problem(evening: Evening, *, first: int, rounds: int, seed: int) -> DrawProblem:
    """The problem of drawing this many rounds from round `first` on.

    Raises DomainError `pairs_incomplete` (params: members) if fixed pairs play and someone present
    has no partner, or `standing_not_ready` if the last round goes by standing and an earlier one
    is not closed.
    """
    method = method_of(evening, first)
    played = rounds_as_drawn(evening, before=first)
    return DrawProblem(
        players=_by_standing(evening, first) if method == "ranked" else players_here(evening),
        rounds=rounds,
        method=method,
        seed=seed,
        leftover=cast("Leftover", evening.leftover),
        fixed=pairs_here(evening) if method == "pairs" else couples(evening, Kind.FIXED),
        apart=couples(evening, Kind.APART),
        stays=staying(evening),
        history=tuple(past_evenings(evening)),
        already_out=tuple(player for drawn in played for player in drawn.sit_out),
        first_round=first,
        played=tuple(played),
    )


def method_of(evening: Evening, number: int) -> Method:
    """The method of that round; a draw typed in counts as a lottery."""
    if evening.last_ranked and number == evening.rounds_planned and number > 1:
        return "ranked"
    if evening.method == Evening.Method.TYPED_IN:
        return "lottery"
    return cast("Method", evening.method)


def rounds_to_draw(evening: Evening, first: int) -> int:
    """The number of rounds in the next draw, which starts at round `first`."""
    if not evening.draws_ahead or method_of(evening, first) == "ranked":
        return 1
    by_standing = evening.last_ranked and evening.rounds_planned > 1
    return evening.rounds_planned - first + 1 - by_standing


def players_here(evening: Evening) -> tuple[str, ...]:
    """The ids of the members present, in order."""
    present = evening.registrations.filter(present=True).order_by("member_id")
    return tuple(str(pk) for pk in present.values_list("member_id", flat=True))


def couples(evening: Evening, kind: Kind) -> tuple[Couple, ...]:
    """The club's couples with this rule."""
    rules = CoupleRule.objects.filter(club=evening.club, kind=kind).order_by("one", "two")
    return tuple(
        (str(member_id), str(other_id)) for member_id, other_id in rules.values_list("one", "two")
    )


def staying(evening: Evening) -> tuple[str, ...]:
    """The ids of the members present who keep their table all evening."""
    here = evening.registrations.filter(present=True, member__keeps_table=True)
    return tuple(str(pk) for pk in here.order_by("member_id").values_list("member_id", flat=True))


def pairs_here(evening: Evening) -> tuple[Couple, ...]:
    """The evening's fixed pairs with both present, by pair number.

    Raises DomainError `pairs_incomplete` (params: members) for those without a partner here.
    """
    members_of = _by_pair(evening.registrations.filter(present=True))
    alone = members_of.pop(None, [])
    alone += [member for pair in members_of.values() if len(pair) == 1 for member in pair]
    if alone:
        raise DomainError(
            "pairs_incomplete",
            _("Nobody is partner of %(names)s yet. Make the pairs first.")
            % {"names": ", ".join(member.name for member in alone)},
            members=alone,
        )
    return tuple(_couple(pair) for pair in members_of.values())


def pairs_made(evening: Evening) -> tuple[Couple, ...]:
    """The evening's fixed pairs, even if one of the two has left."""
    members_of = _by_pair(evening.registrations.filter(pair__isnull=False))
    return tuple(_couple(pair) for pair in members_of.values() if len(pair) == 2)


def _by_pair(registrations: QuerySet[Registration]) -> dict[int | None, list[Member]]:
    """The members by pair number, in order; None for those without a pair."""
    members_of: dict[int | None, list[Member]] = {}
    rows = registrations.select_related("member").order_by("pair", "member__sort_name", "pk")
    for row in rows:
        members_of.setdefault(row.pair, []).append(row.member)
    return members_of


def _couple(pair: Sequence[Member]) -> Couple:
    member, other = pair
    return str(member.pk), str(other.pk)


def _by_standing(evening: Evening, number: int) -> tuple[str, ...]:
    if evening.rounds.filter(number__lt=number).exclude(state=Round.State.CLOSED).exists():
        raise DomainError(
            "standing_not_ready",
            _("The last round goes by standing: close the round before it first."),
        )
    here = players_here(evening)
    standing = [str(row.member_id) for row in evening_standings(evening)]
    ranked = [player for player in standing if player in here]
    return (*ranked, *(player for player in here if player not in standing))
