"""The forms of a score sheet."""

from scoring.forms.answers import AgreeForm, DisputeForm
from scoring.forms.deal import DealForm
from scoring.forms.director import DirectorDealForm
from scoring.forms.reason import ReasonMixin

__all__ = ["AgreeForm", "DealForm", "DirectorDealForm", "DisputeForm", "ReasonMixin"]
