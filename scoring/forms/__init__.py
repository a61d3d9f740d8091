"""The forms of a score sheet."""

from scoring.forms.answers import AgreeForm, DisputeForm
from scoring.forms.cards import CardsForm, RulingForm
from scoring.forms.deal import DealForm
from scoring.forms.director import DirectorDealForm
from scoring.forms.reason import REASONS, ReasonMixin
from scoring.forms.restore import RestoreForm

__all__ = [
    "REASONS",
    "AgreeForm",
    "CardsForm",
    "DealForm",
    "DirectorDealForm",
    "DisputeForm",
    "ReasonMixin",
    "RestoreForm",
    "RulingForm",
]
