"""The people with whom someone in a draft can change places, and the cost of each change."""

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
    """Someone to change places with, where they are, and what the change costs.

    `kind` is "wrong", "worse", "better" or "same".
    """

    id: int
    name: str
    place: str
    words: str
    badge: str
    kind: str


def swap_choices(
    waiting: DrawWaiting, number: int, player: Player, club: Club
) -> Sequence[SwapChoice]:
    """Everyone else in that round, the best change first.

    Raises DomainError `not_in_round`.
    """
    costs = draw_swap_costs(waiting, number, player)
    members = Member.objects.filter(pk__in=[int(person) for person in (player, *costs)])
    members_by_id = {str(member.pk): member for member in members.by_surname()}
    names = {person: member.name for person, member in members_by_id.items()}
    places = dict(_places(waiting, number, club))
    best_first = sorted(
        (person for person in members_by_id if person != player),
        key=lambda other: cost_order(costs[other]),
    )
    return [
        _choice(members_by_id[other], places[other], costs[other], names) for other in best_first
    ]


def place_words(waiting: DrawWaiting, number: int, player: Player, club: Club) -> str:
    """Where someone is in that round: at which table, or out."""
    return dict(_places(waiting, number, club))[player]


def costs_as_json(choices: Sequence[SwapChoice]) -> Mapping[int, Mapping[str, str]]:
    """The choices for a script, by member id."""
    return {
        choice.id: {"badge": choice.badge, "words": choice.words, "kind": choice.kind}
        for choice in choices
    }


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
        yield from ((player, words) for player in table.people())
    yield from ((player, club.get_sit_out_word_display()) for player in drawn.sit_out)
