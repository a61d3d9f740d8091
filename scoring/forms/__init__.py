"""The forms of a score sheet."""

from scoring.forms.answers import AgreeForm, DisputeForm
from scoring.forms.cards import CardsForm, RulingForm
from scoring.forms.control import ControlForm
from scoring.forms.deal import DealForm
from scoring.forms.director import DirectorDealForm
from scoring.forms.line import LineForm
from scoring.forms.reason import REASONS, ReasonMixin
from scoring.forms.restore import RestoreForm

__all__ = [
    "REASONS",
    "AgreeForm",
    "CardsForm",
    "ControlForm",
    "DealForm",
    "DirectorDealForm",
    "DisputeForm",
    "LineForm",
    "ReasonMixin",
    "RestoreForm",
    "RulingForm",
]
