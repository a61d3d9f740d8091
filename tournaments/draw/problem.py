"""The draw problem of an evening: the people, agreements and history; and its search."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import cast

from django.db.models import Max, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Member
from clubs.text.errors import DomainError
from tournaments.draw.core.check import check_draw
from tournaments.draw.core.engine import draw
from tournaments.draw.core.models import (
    TABLE_SIZE,
    Couple,
    Draw,
    Leftover,
    Method,
    Movement,
    PastEvening,
    Player,
    RoundDraw,
    Seat,
    shifted,
)
from tournaments.draw.core.problem import DrawError, DrawFault
from tournaments.models import CoupleRule, Evening, Registration, Round, Table
from tournaments.seating.store import past_evenings, rounds_as_drawn
from tournaments.standings.queries import evening_standings

Kind = CoupleRule.Kind
SIDE_OF: Mapping[str, str] = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}
log = logging.getLogger(__name__)
SPARE = 1
"""So many tables each group in a hall may grow before it meets the numbers of the next."""
MAX_STEPS = 1_000_000
MAX_STEPS_TIMES_PLAYERS = 150_000_000
"""A search takes at most 3 s, with hardly worse results than a longer one: somebody waits for it.
Steps take longer with more players, so their number is also limited to this, divided by the
players."""
SENTENCES: Mapping[str, Promise] = {
    "too_few_players": gettext_lazy(
        "A draw needs at least four people who are here. Tick them first."
    ),
    "five_three_handed": gettext_lazy(
        "Five people cannot sit at tables of four and three. Let the fifth sit out, or draw "
        "by hand: three at one table and two at another."
    ),
    "couples_contradict": gettext_lazy(
        "This is a contradiction: %(together)s play together, and are never to be at one "
        "table. Change their pair under “Pairs”, or their rule under “Fixed partners and kept "
        "apart”."
    ),
    "too_many_stay": gettext_lazy(
        "%(count)s people keep a table of their own, but there are only %(tables)s tables."
    ),
    "cannot_seat": gettext_lazy(
        "These rules leave no way to seat everybody: %(agreed)s. Remove one of them under "
        "“Fixed partners and kept apart”."
    ),
}


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
    movement: Movement | None
    teams: tuple[tuple[str, ...], ...]
    first_table: int


@dataclass(frozen=True, slots=True)
class DrawResult:
    """The solution of a problem, and the milliseconds it took."""

    problem: DrawProblem
    drawn: Draw
    milliseconds: int


def draw_problem(evening: Evening, *, first: int, rounds: int, seed: int) -> DrawProblem:
    """The problem of drawing this many rounds from round `first` on.

    Raises DomainError `pairs_incomplete` (params: members) if fixed pairs play and someone present
    has no partner, or `standing_not_ready` if the last round goes by standing and an earlier one
    is not closed.
    """
    method = method_of(evening, first)
    if evening.goes_by_standing(first):
        _require_standing(evening, first)
    played = rounds_as_drawn(evening, before=first)
    return DrawProblem(
        players=_by_standing(evening, first) if method == "ranked" else players_here(evening),
        rounds=rounds,
        method=method,
        seed=seed,
        leftover=cast("Leftover", evening.leftover),
        fixed=_pairs_in_order(evening, first)
        if method == "pairs"
        else couples(evening, Kind.FIXED),
        apart=couples(evening, Kind.APART),
        stays=staying(evening),
        history=tuple(past_evenings(evening)),
        already_out=tuple(player for drawn in played for player in drawn.sit_out),
        first_round=first,
        played=tuple(played),
        movement=movement_of(evening, first),
        teams=() if evening.teammates_may_meet else teams_here(evening),
        first_table=first_table(evening),
    )


def first_table(evening: Evening) -> int:
    """The number of the first table of an evening: of a group the first that the groups before it
    leave free, with one to spare for each; it stays as it is once a round is final."""
    final = evening.rounds.exclude(state=Round.State.DRAFT)
    if evening.together is None or final.exists():
        return evening.first_table
    first = 1
    for group in evening.groups:
        if group.pk == evening.pk:
            break
        numbers = Table.objects.filter(round__evening=group)
        last = numbers.aggregate(last=Max("number"))["last"]
        here = group.registrations.filter(present=True).count()
        needed = -(-here // TABLE_SIZE)
        first = 1 + SPARE + (last if last is not None else first - 1 + needed)
    return first


def draw_search(problem: DrawProblem) -> DrawResult:
    """A verified solution of this problem.

    Raises DomainError `draw_refused` (params: faults) if the verifier rejects it, or the code of
    the DrawError with a sentence for each of its faults.
    """
    start = perf_counter()
    try:
        drawn = draw(
            players=problem.players,
            rounds=problem.rounds,
            method=problem.method,
            seed=problem.seed,
            leftover=problem.leftover,
            fixed=problem.fixed,
            apart=problem.apart,
            stays=problem.stays,
            history=problem.history,
            already_out=problem.already_out,
            first_round=problem.first_round,
            played=shifted(problem.played, 1 - problem.first_table),
            movement=problem.movement,
            teams=problem.teams,
            max_steps=min(MAX_STEPS, MAX_STEPS_TIMES_PLAYERS // max(1, len(problem.players))),
        )
    except DrawError as error:
        raise draw_refusal(error, problem) from error
    result = DrawResult(problem, drawn, round(1000 * (perf_counter() - start)))
    _verify(result)
    rounds = shifted(drawn.rounds, problem.first_table - 1)
    return replace(result, drawn=replace(drawn, rounds=rounds))


def draw_refusal(error: DrawError, problem: DrawProblem) -> DomainError:
    """The refusal with the code of the error and a sentence for each of its faults."""
    sentences = (_sentence(fault, problem) for fault in error.faults)
    return DomainError(error.code, " ".join(sentences))


def method_of(evening: Evening, number: int) -> Method:
    """The method of that round; a draw typed in counts as a lottery."""
    if evening.method == Evening.Method.TYPED_IN:
        return "lottery"
    if evening.method != Evening.Method.PAIRS and evening.goes_by_standing(number):
        return "ranked"
    return cast("Method", evening.method)


def movement_of(evening: Evening, number: int) -> Movement | None:
    """How the pairs meet in that round, None without fixed pairs. The first round by standing goes
    by pair number: first against second, third against fourth."""
    if evening.method != Evening.Method.PAIRS:
        return None
    if evening.goes_by_standing(number):
        return "by_standing"
    match evening.pair_movement:
        case Evening.PairMovement.BY_STANDING:
            return "even_stay"
        case Evening.PairMovement.BY_PROGRAM:
            return "by_program"
    return "lot"


def teams_here(evening: Evening) -> tuple[tuple[str, ...], ...]:
    """The people present, by the team they play for; of teams with two or more here."""
    present = evening.registrations.filter(present=True, team__isnull=False)
    members: dict[int, list[str]] = {}
    for team, member in present.order_by("member_id").values_list("team_id", "member_id"):
        members.setdefault(team, []).append(str(member))
    return tuple(tuple(people) for _team, people in sorted(members.items()) if len(people) > 1)


def teams_of(evening: Evening) -> dict[Player, str]:
    """The name of the team that each person on the list plays for; nobody where people of one team
    may sit at one table. A query unless they may."""
    if evening.teammates_may_meet:
        return {}
    listed = evening.registrations.filter(team__isnull=False)
    return {str(pk): name for pk, name in listed.values_list("member_id", "team__name")}


def against_themselves(
    seats: Mapping[Seat, Player] | Mapping[str, Player], teams: Mapping[Player, str]
) -> list[str]:
    """The teams of which people at one table play against each other; with fewer than four there
    all play for themselves."""
    sides: dict[str, set[str]] = {}
    for seat, player in seats.items():
        if player in teams:
            side = seat if len(seats) < TABLE_SIZE else SIDE_OF[seat]
            sides.setdefault(teams[player], set()).add(side)
    return [team for team, there in sides.items() if len(there) > 1]


def rounds_to_draw(evening: Evening, first: int) -> int:
    """The number of rounds in the next draw, which starts at round `first`."""
    if not evening.draws_ahead or evening.goes_by_standing(first):
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
            _("%(names)s: no partner yet. Make the pairs first.")
            % {"names": ", ".join(member.desk_name for member in alone)},
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


def _pairs_in_order(evening: Evening, number: int) -> tuple[Couple, ...]:
    """The pairs by number; where the round goes by standing by their best place."""
    pairs = pairs_here(evening)
    if not evening.goes_by_standing(number):
        return pairs
    place = {player: place for place, player in enumerate(_by_standing(evening, number))}
    return tuple(sorted(pairs, key=lambda pair: min(place[player] for player in pair)))


def _require_standing(evening: Evening, number: int) -> None:
    if evening.rounds.filter(number__lt=number).exclude(state=Round.State.CLOSED).exists():
        raise DomainError(
            "standing_not_ready",
            _("This round goes by standing: close the round before it first."),
        )


def _by_standing(evening: Evening, number: int) -> tuple[str, ...]:
    """The people present by the standing before that round; before the first by that which they
    bring from an earlier session."""
    here = players_here(evening)
    if number == 1:
        seeded = evening.registrations.filter(present=True, seeded__isnull=False)
        ids = seeded.order_by("seeded", "member_id").values_list("member_id", flat=True)
        standing = [str(pk) for pk in ids]
        return (*standing, *(player for player in here if player not in standing))
    standing = [str(row.member_id) for row in evening_standings(evening)]
    ranked = [player for player in standing if player in here]
    # People who have not played yet come last.
    return (*ranked, *(player for player in here if player not in standing))


def _verify(result: DrawResult) -> None:
    """Raises DomainError `draw_refused` (params: faults) if the draw breaks its rules."""
    problem = result.problem
    faults = check_draw(
        problem.players,
        result.drawn,
        already_out=problem.already_out,
        leftover=problem.leftover,
        fixed=problem.fixed,
        apart=problem.apart,
        stays=problem.stays,
        played=shifted(problem.played, 1 - problem.first_table),
        history=problem.history,
    )
    if faults:
        log.error("The verifier refuses a draw with seed %s: %s", problem.seed, "; ".join(faults))
        raise DomainError(
            "draw_refused",
            _("This draw breaks the rules of the draw, so it is not used. Draw again."),
            faults=faults,
        )


def _sentence(fault: DrawFault, problem: DrawProblem) -> str:
    if fault.code not in SENTENCES:
        return _("This draw cannot be made: %(why)s") % {"why": str(fault)}
    words = _agreed_words(problem) if fault.code in ("couples_contradict", "cannot_seat") else {}
    return str(SENTENCES[fault.code]) % {**fault.params, **words}


def _agreed_words(problem: DrawProblem) -> dict[str, str]:
    """The couples that are both fixed and kept apart (`together`), and all agreements about people
    who are here (`agreed`). On an evening of fixed pairs, the pairs are not an agreement."""
    fixed = _both_here(problem.fixed, problem.players)
    apart = _both_here(problem.apart, problem.players)
    names = _names([*fixed, *apart])
    kept_apart = {frozenset(couple) for couple in apart}
    clashing = [couple for couple in fixed if frozenset(couple) in kept_apart]
    agreed = [_("%(couple)s never at one table") % {"couple": names[couple]} for couple in apart]
    if problem.method != "pairs":
        agreed += [_("%(couple)s always together") % {"couple": names[couple]} for couple in fixed]
    return {
        "together": "; ".join(names[couple] for couple in clashing),
        "agreed": "; ".join(agreed),
    }


def _both_here(couples: Iterable[Couple], players: Collection[str]) -> list[Couple]:
    here = frozenset(players)
    return [couple for couple in couples if here.issuperset(couple)]


def _names(couples: Collection[Couple]) -> dict[Couple, str]:
    """The name of each couple. One query."""
    people = Member.objects.in_bulk([int(player) for couple in couples for player in couple])
    name = {str(pk): member.desk_name for pk, member in people.items()}
    return {
        (player, mate): _("%(one)s and %(two)s") % {"one": name[player], "two": name[mate]}
        for player, mate in couples
    }
