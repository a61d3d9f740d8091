"""Works a deal out: nat, pit, penalties, and what each side and each player gets."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scoring.rules.counting import is_enough, roem_sums, taken_points
from scoring.rules.deal import Deal
from scoring.rules.faults import Fault
from scoring.rules.regulation import Regulation
from scoring.rules.result import DealResult, Term, Terms, Verdict
from scoring.rules.seats import SEATS, SIDES, Seat, Side, other_side, partner, side_of

MUCH_ROEM: Final = 250

_NO_POINTS: Final[Mapping[Side, None]] = {"NS": None, "EW": None}
_NOTHING: Final[Mapping[Side, int]] = {"NS": 0, "EW": 0}


class _Tally(NamedTuple):
    verdict: Verdict
    terms: Terms
    points: Mapping[Side, int | None] = _NO_POINTS
    roem: Mapping[Side, int] = _NOTHING
    nat: bool = False
    pit: Side | None = None


def settle(deal: Deal, regulation: Regulation) -> DealResult:
    """What a deal without faults comes to under the regulation it was checked against."""
    total = deal.card_points(no_trump_allowed=regulation.no_trump)
    tally = _tally(deal, regulation, total)
    score = _score(deal, tally.terms)
    return DealResult(
        nat=tally.nat,
        pit=tally.pit,
        points=tally.points,
        roem=tally.roem,
        score=score,
        players=_players(deal, regulation, score),
        warnings=_warnings(deal, tally),
        verdict=tally.verdict,
        terms=tally.terms,
        deal=deal,
        regulation=regulation,
    )


def fined_seat(deal: Deal, regulation: Regulation) -> Seat | None:
    """Who alone pays for reneging, where the regulation says so and the deal is not void."""
    fined = regulation.reneging == "culprit_fined" and not deal.replayed
    return deal.reneged if fined else None


def _tally(deal: Deal, regulation: Regulation, total: int) -> _Tally:
    if deal.is_void(regulation):
        return _Tally("void", {"NS": (), "EW": ()})
    loser = deal.losing_seat(regulation)
    if loser is not None:
        return _penalty(deal, regulation, total, other_side(side_of(loser)))
    points = taken_points(deal, total)
    if deal.nil is not None:
        return _nil(deal, regulation, total, points)
    return _count(deal, regulation, total, points)


def _penalty(deal: Deal, regulation: Regulation, total: int, winners: Side) -> _Tally:
    proven = deal.is_lost_by_reneging(regulation)
    roem = dict(_NOTHING)
    if proven and regulation.reneging == "deal_lost_with_roem":
        roem[winners] = roem_sums(deal)[winners]
    terms = _all_to(
        winners,
        Term("points", total),
        Term("roem", regulation.reneging_roem),
        Term("roem", roem[winners]),
    )
    return _Tally("reneged" if proven else "unproven", terms, roem=roem)


def _nil(deal: Deal, regulation: Regulation, total: int, points: Mapping[Side, int]) -> _Tally:
    roem = roem_sums(deal)
    verdict: Verdict
    if deal.nil == "made":
        verdict, terms = "nil_made", _all_to(deal.declarers, Term("nil", regulation.nil_bonus or 0))
    else:
        won = Term("points", total), Term("roem", sum(roem.values()))
        verdict, terms = "nil_failed", _all_to(other_side(deal.declarers), *won)
    return _Tally(verdict, terms, points or _NO_POINTS, roem, pit=deal.pit)


def _count(deal: Deal, regulation: Regulation, total: int, points: Mapping[Side, int]) -> _Tally:
    roem = roem_sums(deal)
    enough = not deal.nat and is_enough(deal, points, regulation)
    nat = regulation.nat and not enough
    if nat:
        terms = _nat_terms(deal, regulation, total, roem)
    else:
        terms = {side: (Term("points", points[side]), Term("roem", roem[side])) for side in SIDES}
    terms |= _with_bonus(deal, regulation, terms, enough=enough)
    verdict = _verdict(deal, enough=enough, nat=nat)
    return _Tally(verdict, terms, points or _NO_POINTS, roem, nat, deal.pit)


def _verdict(deal: Deal, *, enough: bool, nat: bool) -> Verdict:
    if deal.pit is not None:
        return "pit" if enough else "counter_pit"
    if nat:
        return "nat"
    return "made" if enough else "failed"


def _nat_terms(
    deal: Deal, regulation: Regulation, total: int, roem: Mapping[Side, int]
) -> dict[Side, tuple[Term, ...]]:
    defenders = other_side(deal.declarers)
    won = sum(roem.values()) if regulation.nat_roem == "opponents" else roem[defenders]
    return _all_to(defenders, Term("points", total), Term("roem", won))


def _with_bonus(deal: Deal, regulation: Regulation, terms: Terms, *, enough: bool) -> Terms:
    """The terms of the side that has a bonus, with it; a side without any gets none."""
    declarers, defenders = deal.declarers, other_side(deal.declarers)
    if deal.pit == declarers:
        return {declarers: (*terms[declarers], Term("pit", regulation.pit_bonus))}
    if deal.pit == defenders:
        return {defenders: (*terms[defenders], Term("pit", regulation.counter_pit_bonus))}
    if enough and not any(term.points for term in terms[defenders]):
        return {declarers: (*terms[declarers], Term("shutout", regulation.shutout_bonus))}
    return {}


def _all_to(side: Side, *terms: Term) -> dict[Side, tuple[Term, ...]]:
    return {seated: terms if seated == side else () for seated in SIDES}


def _score(deal: Deal, terms: Terms) -> dict[Side, int]:
    score = {side: sum(term.points for term in terms[side]) for side in SIDES}
    for correction in deal.corrections:
        if correction.side:
            score[correction.side] += correction.points
    return score


def _players(deal: Deal, regulation: Regulation, score: Mapping[Side, int]) -> dict[Seat, int]:
    players = {seat: score[side_of(seat)] for seat in SEATS if seat in deal.seats}
    culprit = fined_seat(deal, regulation)
    if culprit in players:
        players[culprit] -= regulation.reneging_fine
    for correction in deal.corrections:
        if correction.seat:
            players[correction.seat] += correction.points
    return players


def _warnings(deal: Deal, tally: _Tally) -> tuple[Fault, ...]:
    warnings = []
    if deal.pit is None and deal.nil is None and 0 in tally.points.values():
        warnings.append(Fault("no_points", "pit"))
    roem = sum(tally.roem.values())
    if roem >= MUCH_ROEM:
        warnings.append(Fault("much_roem", "roem", {"points": roem}))
    if len(deal.seats) == 3 and _dummy_is_elsewhere(deal):
        warnings.append(Fault("dummy_seat", "seats"))
    return tuple(warnings)


def _dummy_is_elsewhere(deal: Deal) -> bool:
    declarer = next((seat for seat in SEATS if seat == deal.declarer), None)
    return declarer is not None and partner(declarer) in deal.seats
