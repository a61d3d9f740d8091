"""The sentences of an explanation, in Dutch and English."""

from collections.abc import Mapping
from typing import Final

from scoring.rules.messages import Language

TERM_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "nl": {"points": "", "roem": "roem", "shutout": "extra", "nil": ""},
    "en": {"points": "", "roem": "roem", "shutout": "extra", "nil": ""},
}

PHRASES: Final[Mapping[Language, Mapping[str, str]]] = {
    "nl": {
        "made": "{score}: gehaald",
        "made_on_points": "{score}: gehaald op kaartpunten",
        "failed": "{score}: niet gehaald, ieder houdt zijn punten",
        "nat": "{taken}: nat",
        "nat_on_points": "{taken}: nat op kaartpunten",
        "equal": "{taken}: gelijk, dus nat",
        "equal_on_points": "{taken}: kaartpunten gelijk, dus nat",
        "nat_uncounted": "nat zonder tellen",
        "roem_lost": "{score}; de roem van de spelende partij vervalt",
        "pit": "{pit}: {score}",
        "counter_pit": "tegen{pit}: {score}",
        "nil_made": "ledig gehaald: {score}",
        "nil_failed": "ledig niet gehaald: {score}",
        "void": "dit spel wordt overgedaan en telt niet",
        "void_reneged": "{seat} heeft verzaakt: dit spel wordt overgedaan en telt niet",
        "reneged": "{seat} heeft verzaakt: {score}",
        "unproven": "{seat} kon niet bewijzen dat er verzaakt is: {score}",
        "reneged_unpunished": "{seat} heeft verzaakt: geen straf",
        "unproven_unpunished": "{seat} kon niet bewijzen dat er verzaakt is: geen straf",
        "fined": "{seat} heeft verzaakt: −{points} voor {seat} alleen",
        "correction": "{who}: correctie {points}",
        "correction_because": "{who}: correctie {points} ({reason})",
        "written": "op de lijst: {score}",
    },
    "en": {
        "made": "{score}: made",
        "made_on_points": "{score}: made on card points",
        "failed": "{score}: not made, each side keeps its points",
        "nat": "{taken}: nat",
        "nat_on_points": "{taken}: nat on card points",
        "equal": "{taken}: equal, so nat",
        "equal_on_points": "{taken}: card points equal, so nat",
        "nat_uncounted": "nat without counting",
        "roem_lost": "{score}; the declarers’ roem is lost",
        "pit": "{pit}: {score}",
        "counter_pit": "counter-{pit}: {score}",
        "nil_made": "nil made: {score}",
        "nil_failed": "nil not made: {score}",
        "void": "this deal is played again and does not count",
        "void_reneged": "{seat} reneged: this deal is played again and does not count",
        "reneged": "{seat} reneged: {score}",
        "unproven": "{seat} could not prove that anybody reneged: {score}",
        "reneged_unpunished": "{seat} reneged: no penalty",
        "unproven_unpunished": "{seat} could not prove that anybody reneged: no penalty",
        "fined": "{seat} reneged: −{points} for {seat} alone",
        "correction": "{who}: correction {points}",
        "correction_because": "{who}: correction {points} ({reason})",
        "written": "on the sheet: {score}",
    },
}
