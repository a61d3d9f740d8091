"""The actions on an evening: who may do them, and in which states of the evening.

The services refuse by themselves what cannot be done now. These predicates say so beforehand, for
pages, the API and the matrix in docs/access.md; a test checks that the two agree.
"""

import rules

from clubs.access.permissions import (
    Action,
    Caller,
    Target,
    action,
    is_director,
    is_scorekeeper,
    predicate,
)
from scoring.models import Scoresheet
from tournaments.models import Evening, Table, TableToken

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
CLOSED, CANCELLED = Evening.State.CLOSED, Evening.State.CANCELLED


def while_it_is(*states: Evening.State) -> rules.Predicate:
    """Whether the evening is in one of these states; always true for a club as a whole."""

    @predicate(f"while it is {' or '.join(states)}")
    def in_state(caller: Caller, target: Target) -> bool:
        evening = _evening_of(target)
        return evening is None or evening.state in states

    return in_state


def with_sheet(*states: Scoresheet.State) -> rules.Predicate:
    """Whether the table's sheet is in one of these states; always true for more than a table."""

    @predicate(f"while the sheet is {' or '.join(states)}")
    def in_state(caller: Caller, target: Target) -> bool:
        return not isinstance(target, Table) or target.sheet.state in states

    return in_state


@predicate("holds the table's link")
def holds_link(caller: Caller, target: Target) -> bool:
    """Whether the caller has a valid link of this evening, and of this table if it is one."""
    link, evening = caller.link, _evening_of(target)
    if not isinstance(link, TableToken) or evening is None:
        return False
    there = not isinstance(target, Table) or target.number == link.table_number
    return link.evening_id == evening.pk and there and link.revoked_at is None


@predicate("phones may be used")
def phones_write(caller: Caller, target: Target) -> bool:
    """Whether phones may be used at the tables of this evening."""
    evening = _evening_of(target)
    return evening is None or evening.phones


@predicate("points are shown to the hall")
def scores_are_shown(caller: Caller, target: Target) -> bool:
    """Whether the public may see points: not while the standings are frozen."""
    evening = _evening_of(target)
    return evening is None or evening.shows_scores


@predicate("reads the desk")
def reads_the_desk(caller: Caller, target: Target) -> bool:
    """Whether the caller may see points that are hidden from the public."""
    return caller.has_scope("read") and bool(is_scorekeeper.test(caller, target))


while_open = while_it_is(PLANNED, RUNNING)
link_opens = holds_link & while_open
link_writes = holds_link & phones_write
unless_cancelled = while_it_is(PLANNED, RUNNING, CLOSED)
EVENING = "evening"


def _by_director(name: str, about: str, when: rules.Predicate = rules.always_true) -> Action:
    return action(f"tournaments.{name}", about, is_director, scope=EVENING, when=when)


SEE_STANDING = action(
    "tournaments.see_standing",
    "see the points of an evening: places, totals, sheets",
    rules.always_true,
    scope="",
    when=scores_are_shown | reads_the_desk,
)
SEE_LINKS = action(
    "tournaments.see_links", "see and print the tables' links", is_scorekeeper, scope="read"
)
SEE_EVENING = action(
    "tournaments.see_evening",
    "see who is on the list, a draft of the draw, stakes and prizes",
    is_director,
    scope="read",
)

PLAN_EVENING = _by_director("plan_evening", "plan an evening")
CHANGE_EVENING = _by_director(
    "change_evening", "change an evening's name, date and rules", unless_cancelled
)
CANCEL = _by_director("cancel", "call an evening off", while_open)
RESTORE = _by_director("restore", "plan an evening again", while_it_is(CANCELLED))
DELETE_EVENING = _by_director(
    "delete_evening",
    "delete an evening on which nothing was played",
    while_it_is(PLANNED, RUNNING, CANCELLED),
)

SET_PRESENCE = _by_director("set_presence", "tick who is here, add guests, make pairs", while_open)
DRAW = _by_director("draw", "draw, change a draft, make it final, undo it", while_open)
KEEP_COUPLES = _by_director("keep_couples", "keep who plays together or apart")
START_ROUND = _by_director("start_round", "start a round", while_open)
CLOSE_ROUND = _by_director("close_round", "close a round, open it again", while_it_is(RUNNING))

WRITE_DEAL = action(
    "tournaments.write_deal",
    "write a deal, change one that is written, take one back",
    is_scorekeeper | link_writes,
    scope="deals",
    when=while_it_is(RUNNING) & with_sheet(Scoresheet.State.OPEN),
)
CORRECT_DEAL = action(
    "tournaments.correct_deal",
    "correct a deal of a closed round",
    is_director,
    scope="deals",
    when=while_it_is(RUNNING, CLOSED) & with_sheet(Scoresheet.State.OPEN, Scoresheet.State.CLOSED),
)
CORRECT_PERSON = _by_director(
    "correct_person",
    "give somebody points for an evening as a whole, or take them off",
    while_it_is(RUNNING, CLOSED),
)
USE_LINK = action(
    "tournaments.use_link",
    "open a table's page, say that a deal or a round is right or wrong",
    holds_link,
    scope="",
    when=while_open & phones_write,
)
HAND_IN_TOTALS = _by_director(
    "hand_in_totals",
    "write totals in place of deals, take them off",
    while_it_is(RUNNING) & with_sheet(Scoresheet.State.OPEN),
)
CHANGE_SHEET = _by_director("change_sheet", "seat a substitute", while_open)
PUT_RIGHT = _by_director(
    "put_right",
    "swap we and they of a whole sheet, move it to another table",
    while_it_is(RUNNING) & with_sheet(Scoresheet.State.OPEN),
)
SETTLE = _by_director("settle", "decide where two wrote differently", unless_cancelled)
CONTROL_PHONES = _by_director(
    "control_phones", "cut a phone off, let it in, renew a link", while_open
)

FREEZE = _by_director("freeze", "hide the standings from the hall, show them", while_open)
STEER_HALL = _by_director(
    "steer_hall",
    "steer the screen in the hall: what it shows, the clock, the bell, announcements, prizes",
    unless_cancelled,
)
CLOSE = _by_director("close", "close an evening, which publishes its result", while_it_is(RUNNING))
REOPEN = _by_director("reopen", "open a closed evening again", while_it_is(CLOSED))
PUBLISH = _by_director("publish", "publish a corrected result", while_it_is(CLOSED))
SHOW_PHOTO = _by_director(
    "show_photo", "show a photo of the winners, take it away", while_it_is(CLOSED)
)
PLAY_OFF = _by_director("play_off", "write what a play-off came to", while_it_is(RUNNING, CLOSED))
HAND_OUT = _by_director("hand_out", "choose prizes, keep stakes and cups", unless_cancelled)


def _evening_of(target: Target) -> Evening | None:
    if isinstance(target, Table):
        return target.round.evening
    return target if isinstance(target, Evening) else None
