"""The rotation: four people stay at a table for three rounds, each with each as partner once."""

from dataclasses import replace

from tournaments.draw.board import Board, mates_by_number
from tournaments.draw.ledger import Ledger
from tournaments.draw.models import RoundDraw
from tournaments.draw.request import Request
from tournaments.draw.search import Search
from tournaments.draw.seats import as_drawn
from tournaments.draw.turns import Cast, Turns

BLOCK = 3
NORTH_SOUTH_EAST_WEST = ((0, 2, 1, 3), (0, 1, 2, 3), (0, 3, 1, 2))
"""Which of a table's four sits N, S, E, W in the first, second and third round of a block."""

STEPS_FOR_ONE = 1500


def rotation(request: Request) -> tuple[tuple[RoundDraw, ...], int]:
    """The rounds asked for, in blocks of three counted from the first one drawn, and the steps.

    A last block may be cut short. Each block has new tables, with as few people together again as
    a search finds; who sits out, or at a table of three, does so for the whole block. Fixed
    couples stay partners for it.
    """
    turns = Turns(request)
    rounds: list[RoundDraw] = []
    steps = 0
    for start in request.numbers[::BLOCK]:
        length = min(BLOCK, request.numbers.stop - start)
        chance = request.chance(start)
        cast = turns.cast(chance, rounds=length)
        so_far = replace(request, played=(*request.played, *rounds), first_round=start)
        cast, taken = _mixed(so_far, cast)
        steps += taken
        rounds += [
            as_drawn(cast, request.mates, partners) for partners in NORTH_SOUTH_EAST_WEST[:length]
        ]
    return tuple(rounds), steps


def _mixed(request: Request, cast: Cast) -> tuple[Cast, int]:
    """The cast at tables with as few people who met this evening as a search finds."""
    costs = Ledger(request).of_the_evening(partner_again=0)
    board = Board([cast], request.players, request.mates)
    mates = mates_by_number(request.players, request.mates)
    chance = request.chance(-request.first_round)
    search = Search(board, costs, board.enter(costs), mates, chance)
    search.cool(STEPS_FOR_ONE * len(request.players), hottest=4.5, coldest=0.9, enough=0)
    fours, threes = board.rounds(request.players)[0]
    return replace(cast, fours=fours, threes=threes), search.steps
