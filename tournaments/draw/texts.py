"""A draw and its changes in words, for the person running the evening."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.models import Club, Member
from tournaments.draw.changes import DrawChanges, PersonChange
from tournaments.draw.core.amend import SwapCost, SwapTurn
from tournaments.draw.core.explain import DrawExplanation, LeastRepeats
from tournaments.draw.core.models import Player, RoundDraw, TableDraw
from tournaments.draw.core.pair_counts import Repeat
from tournaments.draw.rewriting import DrawWaiting, draw_swap_costs
from tournaments.seating.store import UpcomingRound

BECAUSE: Mapping[str, Promise] = {
    "too_few_others": gettext_lazy("there are too few others to meet new ones each round"),
    "too_few_tables": gettext_lazy("with so few tables people of one table meet at the next"),
    "fixed_couples": gettext_lazy("fixed couples stay together"),
}
MOVING: Mapping[str | None, Promise] = {
    "even_stay": gettext_lazy("Even pairs stay at their table, odd pairs move up one each round."),
    "howell": gettext_lazy(
        "All pairs move, except one, so that everybody meets everybody before anybody twice."
    ),
    "lot": gettext_lazy("Which pairs meet was drawn by lot."),
    "by_standing": gettext_lazy("By standing: first against second, third against fourth."),
}
FAULTS: Mapping[str, Promise] = {
    "apart": gettext_lazy("then two people who are kept apart are together"),
    "fixed": gettext_lazy("then a fixed couple are not partners"),
    "stays": gettext_lazy("then somebody with a fixed table changes tables"),
    "team": gettext_lazy("not possible: a team would play against itself"),
}
Names = Mapping[Player, str]


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


def repeat_sentences(figures: DrawExplanation, *, draw_again: bool) -> list[str]:
    """How often people meet again this evening, and how much of that is unavoidable.

    With `draw_again`, also whether drawing again may help.
    """
    teams = _team_sentences(figures)
    if figures.method == "pairs":
        moving = [str(MOVING[figures.movement])] if figures.movement in MOVING else []
        return [*moving, _pairs_sentence(_pairs_again(figures)), *teams]
    if figures.method == "ranked":
        return [
            _("This round goes by standing: the highest four sit at table 1, and so on."),
            _partner_sentence(figures.partner_repeats),
            _meeting_sentence(figures.meeting_repeats, stays=False),
            *teams,
        ]
    stays = [_("The people of one table stay together.")] if figures.method == "rotation" else []
    return [
        *stays,
        _partner_sentence(figures.partner_repeats)
        + _least_sentence(figures.partner_repeats, figures.least_partner_repeats, draw_again),
        _meeting_sentence(figures.meeting_repeats, stays=bool(stays))
        + _least_sentence(figures.meeting_repeats, figures.least_meeting_repeats, draw_again),
        *teams,
    ]


def again_words(repeat: Repeat, name: str, other: str) -> str:
    """That two people are partners, or together, for the second time or more."""
    words = (
        _("%(one)s and %(other)s: partners for the %(n)s time")
        if repeat.as_partners
        else _("%(one)s and %(other)s: together for the %(n)s time")
    )
    return words % {"one": name, "other": other, "n": _ordinal(repeat.times)}


def pairs_again_words(times: int) -> str:
    """That the two pairs at a table meet for the second time or more."""
    return _("These pairs meet for the %(n)s time") % {"n": _ordinal(times)}


def cost_words(cost: SwapCost, names: Mapping[Player, str]) -> str:
    """What changing places does, faults first and then by importance: "1 repeat less"."""
    if "team" in cost.faults:
        # That is refused, so nothing else matters.
        return str(FAULTS["team"])
    parts = [str(FAULTS[fault]) for fault in cost.faults]
    if cost.partners:
        parts.append(_partners(cost.partners))
    if cost.turn and cost.turn.more:
        parts.append(_turn(cost.turn, names))
    if cost.meetings:
        parts.append(_meetings(cost.meetings))
    if not _more(cost):
        parts.append(_season(cost))
    return ", ".join(parts)


def cost_badge(cost: SwapCost) -> str:
    """The cost as a sign: "+2", "−1", "=", or "!" for a fault."""
    if cost.faults:
        return "!"
    more = _more(cost)
    return f"{more:+d}".replace("-", "−") if more else "="


def cost_kind(cost: SwapCost) -> str:
    """Whether the change is "wrong", "worse", "better" or the "same"."""
    if cost.faults:
        return "wrong"
    more = _more(cost)
    return "worse" if more > 0 else "better" if more else "same"


def cost_order(cost: SwapCost) -> tuple[int, ...]:
    """A sort key: the best change first."""
    season = cost.season_partners, cost.season_meetings
    return len(cost.faults), cost.partners, _turns(cost), cost.meetings, *season


def swap_choices(
    waiting: DrawWaiting, number: int, player: Player, club: Club
) -> Sequence[SwapChoice]:
    """Everyone else in that round, the best change first.

    Raises DomainError `not_in_round`.
    """
    costs = draw_swap_costs(waiting, number, player)
    members = Member.objects.filter(pk__in=[int(person) for person in (player, *costs)])
    members_by_id = {str(member.pk): member for member in members.by_surname()}
    names = {person: member.desk_name for person, member in members_by_id.items()}
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


def _turns(cost: SwapCost) -> int:
    return cost.turn.more if cost.turn else 0


def _more(cost: SwapCost) -> int:
    """The most important figure that is not zero."""
    return cost.partners or _turns(cost) or cost.meetings


def _partner_sentence(repeats: int) -> str:
    if not repeats:
        return _("Nobody gets the same partner twice this evening.")
    words = ngettext(
        "One couple is partners twice this evening.",
        "%(n)s times somebody gets a partner they already had this evening.",
        repeats,
    )
    return words % {"n": repeats}


def _pairs_again(figures: DrawExplanation) -> int:
    """How often two pairs meet again: four couples across, while partners do not count."""
    return (figures.meeting_repeats - figures.partner_repeats) // 4


def _team_sentences(figures: DrawExplanation) -> list[str]:
    """At how many tables people of one team sit together; nothing without teams."""
    if figures.team_meetings is None:
        return []
    if not figures.team_meetings:
        return [_("Nobody sits at a table with somebody of their own team.")]
    words = ngettext(
        "At %(n)s table people of one team sit together: there was no other way.",
        "At %(n)s tables people of one team sit together: there was no other way.",
        figures.team_meetings,
    )
    return [words % {"n": figures.team_meetings}]


def _pairs_sentence(repeats: int) -> str:
    if not repeats:
        return _("No two pairs meet twice this evening.")
    words = ngettext(
        "Two pairs meet twice this evening.",
        "%(n)s times two pairs meet again this evening.",
        repeats,
    )
    return words % {"n": repeats}


def _meeting_sentence(repeats: int, *, stays: bool) -> str:
    if not repeats and stays:
        return _("Apart from that nobody meets anybody twice this evening.")
    if not repeats:
        return _("Nobody meets anybody twice at a table this evening.")
    words = ngettext(
        "Two people meet twice at a table this evening.",
        "%(n)s times two people meet again at a table this evening.",
        repeats,
    )
    return words % {"n": repeats}


def _least_sentence(repeats: int, least: LeastRepeats, draw_again: bool) -> str:
    """That fewer repeats are impossible, if the lower bound is reached."""
    if not repeats:
        return ""
    if least.reason is None:
        return " " + _("Another drawing may find fewer.") if draw_again else ""
    if least.repeats < repeats:
        return ""
    because = {"n": least.repeats, "because": BECAUSE[least.reason]}
    return " " + _("Fewer than %(n)s is impossible, because %(because)s.") % because


def _ordinal(times: int) -> str:
    """2nd, 3rd, 4th …"""
    names = {2: _("2nd"), 3: _("3rd")}
    return names.get(times) or _("%(n)sth") % {"n": times}


def _meetings(more: int) -> str:
    words = (
        ngettext("%(n)s repeat more", "%(n)s repeats more", more)
        if more > 0
        else ngettext("%(n)s repeat less", "%(n)s repeats less", -more)
    )
    return words % {"n": abs(more)}


def _partners(more: int) -> str:
    words = (
        ngettext("once more the same partner", "%(n)s times more the same partner", more)
        if more > 0
        else ngettext("once less the same partner", "%(n)s times less the same partner", -more)
    )
    return words % {"n": abs(more)}


def _turn(turn: SwapTurn, names: Mapping[Player, str]) -> str:
    """Who then sits out too often, or no longer does, tonight or else this season."""
    leaver, comer = names[turn.goes_out], names[turn.comes_in]
    if turn.rounds > turn.instead_of:
        return _("%(name)s then sits out %(n)s rounds tonight") % {"name": leaver, "n": turn.rounds}
    if turn.rounds < turn.instead_of:
        words = _("%(name)s then no longer sits out %(n)s rounds tonight")
        return words % {"name": comer, "n": turn.instead_of}
    words = (
        _("%(one)s had to sit out more often this season than %(other)s")
        if turn.season > 0
        else _("%(one)s had to sit out less often this season than %(other)s")
    )
    return words % {"one": leaver, "other": comer}


def _season(cost: SwapCost) -> str:
    if cost.season_partners:
        words = (
            _("no difference tonight; the partners were partners %(n)s times more this season")
            if cost.season_partners > 0
            else _("no difference tonight; the partners were partners %(n)s times less this season")
        )
        return words % {"n": abs(cost.season_partners)}
    if not cost.season_meetings:
        return _("no difference")
    words = (
        _("no difference tonight; the people brought together met %(n)s times more this season")
        if cost.season_meetings > 0
        else _(
            "no difference tonight; the people brought together met %(n)s times less this season"
        )
    )
    return words % {"n": abs(cost.season_meetings)}


def _choice(member: Member, place: str, cost: SwapCost, names: Mapping[Player, str]) -> SwapChoice:
    return SwapChoice(
        id=member.pk,
        name=member.desk_name,
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


@dataclass(frozen=True, slots=True)
class RoundsChanges:
    """Consecutive rounds with the same changes."""

    first: int
    last: int
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class PersonChanges:
    """The changes for someone who comes, leaves, or takes the place of a `leaver`."""

    member: Member
    comes: bool
    rounds: Sequence[RoundsChanges]
    leaver: Member | None

    @property
    def title(self) -> str:
        """The heading."""
        if self.leaver:
            words = _("%(name)s takes the place of %(leaver)s")
            return words % {"name": self.member.desk_name, "leaver": self.leaver.desk_name}
        words = _("%(name)s joins in") if self.comes else _("%(name)s no longer plays")
        return words % {"name": self.member.desk_name}


def person_changes(changes: DrawChanges) -> list[PersonChanges]:
    """The changes for each of these people, in order."""
    names = _names(changes)
    return [
        PersonChanges(step.member, step.comes, list(_rounds_changes(step, names)), step.leaver)
        for step in changes.steps
    ]


def _names(changes: DrawChanges) -> Names:
    """The names of everyone in these rounds, by surname."""
    ids = {
        player
        for step in changes.steps
        for rounds in (step.before, step.after)
        for round_ in rounds.values()
        for player in (*round_.people, *round_.extra.values())
    }
    people = Member.objects.filter(pk__in=[int(player) for player in ids]).by_surname()
    return {str(pk): name for pk, name in people.desk_names().items()}


def _rounds_changes(step: PersonChange, names: Names) -> Iterator[RoundsChanges]:
    first, last, current = 0, 0, None
    for number, before in step.before.items():
        lines = list(_lines(step, before, step.after[number], names))
        if current is not None and lines != current:
            yield RoundsChanges(first, last, current)
        if lines != current:
            first, current = number, lines
        last = number
    if current is not None:
        yield RoundsChanges(first, last, current)


def _lines(
    step: PersonChange, before: UpcomingRound, after: UpcomingRound, names: Names
) -> Iterator[str]:
    old, new = (
        {table.number: table for table in round_.with_extra_players().tables}
        for round_ in (before, after)
    )
    changed = [number for number in sorted({*old, *new}) if old.get(number) != new.get(number)]
    replaced: set[Player] = set()
    for number in changed:
        if number in old and number in new and len(old[number].seats) == len(new[number].seats):
            yield from _seats_words(old[number], new[number], after.drawn, names)
            replaced |= old[number].people() - new[number].people()
        else:
            yield _table_words(number, old.get(number), new.get(number), names)
    resting = set(after.drawn.sit_out) - set(before.drawn.sit_out) - replaced
    if resting:
        yield ngettext("%(names)s does not play.", "%(names)s do not play.", len(resting)) % {
            "names": _names_listed(resting, names)
        }
    if not changed:
        yield _("Nothing changes at the tables.")


def _table_words(number: int, old: TableDraw | None, new: TableDraw | None, names: Names) -> str:
    """A table that is added, removed, or changes size."""
    if new is None:
        return _("Table %(n)s goes; the other tables keep their numbers.") % {"n": number}
    words = _("Table %(n)s becomes: %(names)s.") if old else _("Table %(n)s is new: %(names)s.")
    return words % {"n": number, "names": _names_listed(new.people(), names)}


def _seats_words(old: TableDraw, new: TableDraw, after: RoundDraw, names: Names) -> Iterator[str]:
    """At a table that keeps its size: who replaces whom, and where they go."""
    for seat, player in new.seats.items():
        before = old.seats[seat]
        if player != before:
            yield _instead(before, old.number, after) % {
                "n": old.number,
                "new": names[player],
                "old": names[before],
                "to": _table_of(before, after),
            }


def _instead(player: Player, number: int, after: RoundDraw) -> str:
    """The sentence about someone whose seat at that table is taken."""
    to = _table_of(player, after)
    if player in after.sit_out:
        return _("Table %(n)s: %(new)s instead of %(old)s, who does not play.")
    if to is None:
        return _("Table %(n)s: %(new)s instead of %(old)s.")
    if to == number:
        return _("Table %(n)s: %(new)s in the seat of %(old)s, who gets another one there.")
    return _("Table %(n)s: %(new)s instead of %(old)s, who plays at table %(to)s.")


def _table_of(player: Player, drawn: RoundDraw) -> int | None:
    return next((table.number for table in drawn.tables if player in table.people()), None)


def _names_listed(people: Iterable[Player], names: Names) -> str:
    """Their names as a list in a sentence, by surname."""
    wanted = {*people}
    return get_text_list([name for player, name in names.items() if player in wanted], _("and"))
