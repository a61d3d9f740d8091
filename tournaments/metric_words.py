"""What a place can go by, and what can decide a tie, in words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from tournaments.standings.core import TieBreak

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_WORDS: Mapping[TieBreak, "StrOrPromise"] = {
    "total": _("the plain sum"),
    "counted": _("the sum of what counts"),
    "average": _("the average of what counts"),
    "mean_per_evening": _("the average of all evenings"),
    "mean_per_round": _("the average of all rounds"),
    "pits": _("most often %(pit)s"),
    "roem": _("the most roem"),
    "nats": _("most often nat"),
    "fewest_nats": _("fewest times nat"),
    "best_round": _("the best round"),
    "last_round": _("the best last round"),
    "best_evening": _("the best evening"),
    "evenings": _("the most evenings"),
    "head_to_head": _("what they scored against each other"),
    "lot": _("the lot"),
}


def metric_words(key: TieBreak, pit: str) -> str:
    """What this looks at, to go inside a sentence; `pit` is the club's word for that."""
    return str(_WORDS[key]) % {"pit": pit}
