"""What the phone's own program says at the table, in the reader's language."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.words import SIDE_NAMES
from scoring.words import pit_word


def table_texts(club: Club) -> Mapping[str, object]:
    """By name, with a {name} in braces for what the program fills in."""
    number, pit = {"number": "{number}"}, {"pit": pit_word(club)}
    return {
        "sides": {side: str(name) for side, name in SIDE_NAMES.items()},
        "pit": pit["pit"],
        "counter_pit": _("counter-%(pit)s") % pit,
        "nat": _("nat"),
        "reneged": _("reneged"),
        "accused": _("wrongly accused"),
        "nil_made": _("nil made"),
        "nil_failed": _("nil failed"),
        "replayed": _("dealt again"),
        "corrected": _("corrected"),
        "deal": _("Deal"),
        "ahead": _("%(points)s ahead") % {"points": "{points}"},
        "place": _("deal %(number)s") % number,
        "place_of": _("deal %(number)s/%(planned)s") % {**number, "planned": "{planned}"},
        "plays": _("%(name)s plays") % {"name": "{name}"},
        "write": _("Write deal %(number)s") % number,
        "change": _("Change deal %(number)s") % number,
        "correct": _("Correct deal %(number)s") % number,
        "undo": _("undo deal %(number)s") % number,
        "saved": _("Written: deal %(number)s, %(score)s") % {**number, "score": "{score}"},
        "stands": _("On the sheet: deal %(number)s, %(score)s") % {**number, "score": "{score}"},
        "kept": _("On this phone: deal %(number)s, %(score)s") % {**number, "score": "{score}"},
        "fill": _("Fill in the points of one side; the other follows."),
        "change_hint": _("Change what is wrong and choose a reason."),
        "why": _("Say why the deal is changed."),
        "at_once": _("put right before it was sent"),
        "waits": _("waits"),
        "sent": _("sent"),
        "waiting": _("%(count)s wait since %(time)s") % {"count": "{count}", "time": "{time}"},
        "waiting_one": _("1 waits since %(time)s") % {"time": "{time}"},
        "just_written": _("Deal %(number)s has just been written: %(score)s.")
        % {**number, "score": "{score}"},
        "taken_back": _("Deal %(number)s was taken back.") % number,
        "undo_failed": _("Taking back deal %(number)s did not work.") % number,
        "of_round": _("Round %(round)s, deal %(number)s") % {**number, "round": "{round}"},
    }
