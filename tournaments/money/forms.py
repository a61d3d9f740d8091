"""The forms of membership fees, packages of evenings and the pot."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Member
from clubs.text.numbers import FIRST_DAY, LAST_DAY, MoneyField
from tournaments.models import FeePayment, Package


def day_field(label: Any, *, required: bool = True) -> forms.DateField:
    """A day, from 1900 to 2199; today unless told."""
    return forms.DateField(
        label=label,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
        initial=timezone.localdate,
        required=required,
    )


class FeeYearForm(forms.Form):
    """A calendar year to ask a membership fee for."""

    year = forms.IntegerField(
        label=_("Calendar year"),
        min_value=FIRST_DAY.year,
        max_value=LAST_DAY.year,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class FeeAmountsForm(forms.Form):
    """What is asked of members and guests for a season or a calendar year."""

    fee = MoneyField(label=_("What a member pays"), required=False)
    reduced = MoneyField(
        label=_("Who pays less"),
        help_text=_("For example young people, or somebody who joins halfway."),
        required=False,
    )
    guest = MoneyField(
        label=_("What a guest pays"),
        help_text=_("Leave empty if guests pay no membership fee: then they are not on the list."),
        required=False,
    )


class FeePaymentForm(forms.Form):
    """What is noted of somebody's membership fee."""

    rate = forms.ChoiceField(
        label=_("What they pay"), choices=FeePayment.Rate.choices, widget=forms.RadioSelect
    )
    paid = MoneyField(
        label=_("Paid so far"), help_text=_("Leave empty if nothing was paid yet."), required=False
    )
    paid_on = day_field(_("On which day"), required=False)
    remark = forms.CharField(
        label=_("Remark"), max_length=200, required=False, help_text=_("Such as: by bank transfer.")
    )


class PackageForm(forms.Form):
    """Evenings that somebody pays for beforehand."""

    member = forms.ModelChoiceField(
        Member.objects.none(), label=_("Who"), empty_label=_("Choose a name")
    )
    evenings = forms.IntegerField(
        label=_("How many evenings"),
        min_value=1,
        max_value=Package.MOST_EVENINGS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    price = MoneyField(label=_("For how much in all"))
    bought_on = day_field(_("Paid on"))
    remark = forms.CharField(label=_("Remark"), max_length=200, required=False)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Member.objects.of(club).filter(erased_at=None, is_active=True).by_surname()
        self.fields["member"].queryset = people  # type: ignore[attr-defined]
        last = club.packages.order_by("-pk").first()
        if last is not None:
            self.initial = {"evenings": last.evenings, "price": last.price, **self.initial}


class PotEntryForm(forms.Form):
    """Something else that goes in or out of the pot."""

    way = forms.ChoiceField(
        label=_("In or out"),
        choices=[("in", _("it goes into the pot")), ("out", _("it comes out of the pot"))],
        widget=forms.RadioSelect,
        initial="in",
    )
    what = forms.CharField(
        label=_("What it is for"),
        max_length=100,
        help_text=_("Such as: left over from last season, raffle, flowers."),
    )
    sum = MoneyField(label=_("How much"))
    booked_on = day_field(_("On which day"))

    def cents(self) -> int:
        """The sum, negative if it comes out; the form must be valid."""
        cents: int = self.cleaned_data["sum"]
        return cents if self.cleaned_data["way"] == "in" else -cents
