"""The story of an evening in sentences, and the short lines of a player's card."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import MemberName
from clubs.text.numbers import number
from tournaments.story.core.evening import Fact, FactKind, told_of
from tournaments.story.core.records import RecordKind

SENTENCES: Mapping[FactKind, str] = {
    "record_round": gettext_noop(
        "A record of the club: there was never a round as high as the %(figure)s of %(names)s."
    ),
    "record_evening": gettext_noop(
        "A record of the club: there was never an evening as high as the %(figure)s of %(names)s."
    ),
    "highest_round": gettext_noop("The highest round: %(figure)s, by %(names)s."),
    "most_pits": gettext_noop("Most often %(pit)s: %(names)s, %(figure)s times."),
    "only_pit": gettext_noop("The only %(pit)s of the evening: %(names)s."),
    "closest_table": gettext_noop(
        "The closest it got: table %(table)s in round %(round)s, %(figure)s for %(names)s and"
        " %(former)s for %(others)s."
    ),
    "streak": gettext_noop(
        "The longest streak: %(names)s, who made %(figure)s deals in a row that their side played."
    ),
    "climbed": gettext_noop(
        "Up from place %(former)s to place %(figure)s in the last round: %(names)s."
    ),
    "season_leader": gettext_noop("Now at the top of the season's standing: %(names)s."),
    "season_climbed": gettext_noop(
        "Up from place %(former)s to place %(figure)s in the season's standing: %(names)s."
    ),
    "personal": gettext_noop(
        "A personal record: %(names)s with %(figure)s (until now %(former)s)."
    ),
    "evenings": gettext_noop("There for the %(figure)sth time: %(names)s."),
    "first_pit": gettext_noop("The first %(pit)s in more than a year: %(names)s."),
    "debut": gettext_noop("There for the first time: %(names)s."),
}

CARD_LINES: Mapping[FactKind, str] = {
    "record_round": gettext_noop("Highest round ever at the club: %(figure)s"),
    "record_evening": gettext_noop("Highest evening ever at the club"),
    "highest_round": gettext_noop("Highest round of the evening: %(figure)s"),
    "most_pits": gettext_noop("Most often %(pit)s: %(figure)s times"),
    "only_pit": gettext_noop("The only %(pit)s of the evening"),
    "streak": gettext_noop("%(figure)s deals made in a row"),
    "climbed": gettext_noop("From place %(former)s to %(figure)s in the last round"),
    "season_leader": gettext_noop("Top of the season's standing"),
    "season_climbed": gettext_noop("From place %(former)s to %(figure)s in the season"),
    "personal": gettext_noop("A personal record"),
    "evenings": gettext_noop("There for the %(figure)sth time"),
    "first_pit": gettext_noop("The first %(pit)s in more than a year"),
    "debut": gettext_noop("There for the first time"),
}
"""What a card says of its player. A close table is no feat of one."""

CARD_ORDER: Sequence[FactKind] = (
    "record_evening",
    "record_round",
    "personal",
    "highest_round",
    "evenings",
    "season_leader",
    "most_pits",
    "streak",
    "climbed",
    "only_pit",
    "first_pit",
    "season_climbed",
    "debut",
)


def story_sentences(facts: Iterable[Fact], names: Mapping[int, MemberName], pit: str) -> list[str]:
    """A sentence for each fact, without people who have no public page; `pit` is the club's word
    for a pit."""
    shown = told_of(facts, lambda person: person in names and names[person].has_page)
    return [_sentence(fact, names, pit) for fact in shown]


def _sentence(fact: Fact, names: Mapping[int, MemberName], pit: str) -> str:
    if fact.kind == "closest_table" and not fact.people:
        gap = fact.figure - fact.former
        return ngettext(
            "The closest it got: table %(table)s in round %(round)s, %(gap)s point apart.",
            "The closest it got: table %(table)s in round %(round)s, %(gap)s points apart.",
            gap,
        ) % {"table": fact.table, "round": fact.round, "gap": gap}
    return _filled(SENTENCES[fact.kind], fact, pit, lambda person: names[person].shown_name)


def card_lines(facts: Iterable[Fact], people: set[int], pit: str) -> list[str]:
    """What a card says of somebody besides their points, what is rarest first; `people` are they
    and the team they are in."""
    own = {fact.kind: fact for fact in facts if not people.isdisjoint(fact.people)}
    return [
        _filled(CARD_LINES[kind], own[kind], pit, lambda _person: "")
        for kind in CARD_ORDER
        if kind in own
    ]


def _filled(text: str, fact: Fact, pit: str, name_of: Callable[[int], str]) -> str:
    return _(text) % {
        "names": names_in_words([name_of(person) for person in fact.people]),
        "others": names_in_words([name_of(person) for person in fact.others]),
        "figure": number(fact.figure),
        "former": number(fact.former),
        "round": fact.round,
        "table": fact.table,
        "pit": pit,
    }


def names_in_words(words: Sequence[str]) -> str:
    """Jan; Jan and Mia; Jan, Mia and Piet."""
    if len(words) < 2:
        return "".join(words)
    return _("%(names)s and %(last)s") % {"names": ", ".join(words[:-1]), "last": words[-1]}


RECORD_TITLES: Mapping[RecordKind, str] = {
    "round": gettext_noop("Highest round ever"),
    "evening": gettext_noop("Highest evening ever"),
    "pits": gettext_noop("Most often %(pit)s on an evening"),
    "streak": gettext_noop("Most deals made in a row"),
    "season_pits": gettext_noop("Most often %(pit)s in a season"),
    "season_average": gettext_noop("Best average of a season"),
    "evenings": gettext_noop("Most evenings"),
    "in_a_row": gettext_noop("Most evenings without missing one"),
    "highest": gettext_noop("Most often the most points of the evening"),
}

RECORD_NOTES: Mapping[RecordKind, str] = {
    "streak": gettext_noop(
        "Of the deals that their side played, on one evening, with whatever partner."
    ),
    "season_average": gettext_noop(
        "Points per evening, of who played half of the evenings and six at the least."
    ),
    "evenings": gettext_noop("All evenings together, also those from before Klaverclub."),
}


def record_title(kind: RecordKind, pit: str) -> str:
    """What a record is called; `pit` is the club's word for a pit."""
    return _(RECORD_TITLES[kind]) % {"pit": pit}


def record_note(kind: RecordKind) -> str:
    """What else there is to say of it; empty if nothing."""
    return _(RECORD_NOTES[kind]) if kind in RECORD_NOTES else ""
