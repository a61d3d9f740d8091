"""Which places have a prize."""

from tournaments.prizes.core.scheme import PrizeScheme

FOUR = 4


def prize_places(scheme: PrizeScheme, people: int) -> tuple[int, ...]:
    """The places with a prize among so many people, in order.

    The formula of four is 1 to 4 and then every fourth place: 8, 12, 16. One per four people is
    for the highest places, one at least; a last group of fewer than four brings no prize.
    """
    places = range(1, people + 1)
    match scheme.kind:
        case "first":
            return tuple(places[: scheme.first])
        case "formula_of_four":
            return tuple(place for place in places if place <= FOUR or place % FOUR == 0)
        case "given":
            return tuple(place for place in places if place in scheme.given)
        case "one_per_four":
            return tuple(places[: max(people // FOUR, 1)])
        case "everybody":
            return tuple(places)
        case "none":
            return ()
