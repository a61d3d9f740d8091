"""Two people who always play together, or are never at one table."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from clubs.widgets import ExplainedRadios
from tournaments.forms.people import TwoPeopleForm
from tournaments.models import CoupleRule

HINTS = {
    str(CoupleRule.Kind.FIXED): _("When both are here they are partners in each round."),
    str(CoupleRule.Kind.APART): _("They are never partners and never opponents."),
}


class CoupleRuleForm(TwoPeopleForm):
    """Who it is about, and what is agreed."""

    kind = forms.ChoiceField(
        label=_("What is agreed?"),
        choices=CoupleRule.Kind.choices,
        widget=ExplainedRadios(hints=HINTS),
    )
    field_order = ["one", "two", "kind"]

    def __init__(self, *args: Any, people: Sequence[Member], **kwargs: Any) -> None:
        super().__init__(*args, people=people, **kwargs)
        self.order_fields(self.field_order)
