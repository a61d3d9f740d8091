"""With whom somebody of a draft can change places, and what each of those changes does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.models import Club, Member
from tournaments.draw.core import Player
from tournaments.draw.core.swaps import SwapCost
from tournaments.draw_words import cost_badge, cost_kind, cost_order, cost_words
from tournaments.services import DrawWaiting, draw_swap_costs


@dataclass(frozen=True, slots=True)
class SwapChoice:
    """Somebody to change places with, where he is, and in words and in a sign what it does.

    `kind` is "wrong", "worse", "better" or "same".
    """

    id: int
    name: str
    place: str
    words: str
    badge: str
    kind: str


def swap_choices(
    waiting: DrawWaiting, number: int, who: Player, club: Club
) -> Sequence[SwapChoice]:
    """Everybody else of that round, the best change first.

    Raises DomainError `not_in_round`.
    """
    costs = draw_swap_costs(waiting, number, who)
    members = Member.objects.filter(pk__in=[int(one) for one in (who, *costs)])
    found = {str(one.pk): one for one in members.by_surname()}
    names = {one: member.name for one, member in found.items()}
    places = dict(_places(waiting, number, club))
    best_first = sorted(
        (one for one in found if one != who), key=lambda other: cost_order(costs[other])
    )
    return [_choice(found[other], places[other], costs[other], names) for other in best_first]


def place_words(waiting: DrawWaiting, number: int, who: Player, club: Club) -> str:
    """Where somebody is in that round: at which table, or out."""
    return dict(_places(waiting, number, club))[who]


def costs_as_json(choices: Sequence[SwapChoice]) -> Mapping[int, Mapping[str, str]]:
    """The same for a script, by id of the other."""
    return {one.id: {"badge": one.badge, "words": one.words, "kind": one.kind} for one in choices}


def _choice(member: Member, place: str, cost: SwapCost, names: Mapping[Player, str]) -> SwapChoice:
    return SwapChoice(
        id=member.pk,
        name=member.name,
        place=place,
        words=cost_words(cost, names),
        badge=cost_badge(cost),
        kind=cost_kind(cost),
    )


def _places(waiting: DrawWaiting, number: int, club: Club) -> Iterator[tuple[Player, str]]:
    drawn = waiting.rounds[number].drawn
    for table in drawn.tables:
        words = _("table %(n)s") % {"n": table.number}
        yield from ((who, words) for who in table.people())
    yield from ((who, club.get_sit_out_word_display()) for who in drawn.sit_out)
