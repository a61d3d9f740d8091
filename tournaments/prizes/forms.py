"""The forms of prizes and of challenge cups."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.http.pages import ExplainedRadios
from clubs.models import Club, Member
from clubs.text.numbers import FIRST_DAY, LAST_DAY, MoneyField, whole_number
from tournaments.evenings.views import YesNoField
from tournaments.models import Season
from tournaments.prizes.core import HIGHEST_PLACE, LONGEST_WHAT, WHOLE, Content, PrizeScheme
from tournaments.prizes.given import LONGEST_NAME, MOST_WINS, GivenPrize
from tournaments.prizes.giving import prize_title, side_prize_name
from tournaments.standings.core.metrics import EVENING_PRIZES, SEASON_PRIZES

KIND_NAMES: Mapping[str, Any] = {
    "first": _("the highest places"),
    "formula_of_four": _("the formula of four"),
    "given": _("places that you choose"),
    "one_per_four": _("one for every four players"),
    "everybody": _("everybody"),
    "none": _("no prizes for places"),
}
KIND_HINTS: Mapping[str, Any] = {
    "formula_of_four": _("Places 1 to 4, and then every fourth place: 8, 12, 16 and so on."),
    "one_per_four": _("With 22 players there are 5 prizes, for places 1 to 5."),
}


class PlacesField(forms.CharField):
    """Places with commas between them, as numbers in order."""

    def to_python(self, value: Any) -> Any:
        """The places. Raises ValidationError that names the first word that is not a place."""
        words = re.split(r"[\s,;]+", super().to_python(value) or "")
        places = {word: whole_number(word) for word in words if word not in ("", "en", "and")}
        for word, place in places.items():
            if not place or not 1 <= place <= HIGHEST_PLACE:
                raise ValidationError(
                    _("“%(word)s” is not a place. Write numbers such as 1, 18, 25."),
                    params={"word": word},
                )
        return tuple(sorted(set(places.values())))

    def prepare_value(self, value: Any) -> Any:
        """Places as people write them; what was typed stays as it was."""
        return value if isinstance(value, str) else ", ".join(str(place) for place in value or ())


class PrizesForm(forms.Form):
    """What can be won on an evening."""

    kind = forms.ChoiceField(
        label=_("Which places win a prize?"),
        choices=list(KIND_NAMES.items()),
        widget=ExplainedRadios(hints=KIND_HINTS),
    )
    first = forms.IntegerField(
        label=_("How many places?"),
        help_text=_("Used if you choose “the highest places”."),
        min_value=1,
        max_value=HIGHEST_PLACE,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    given = PlacesField(
        label=_("Which places?"),
        help_text=_("Such as 1, 18, 25. Used if you choose “places that you choose”."),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
    poedel = YesNoField(label=_("Is there a booby prize for last place?"))
    sides = forms.MultipleChoiceField(
        label=_("Which side prizes are there?"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(side, side_prize_name(side, club)) for side in self.side_keys()]
        self.fields["sides"].choices = choices  # type: ignore[attr-defined]

    def side_keys(self) -> tuple[str, ...]:
        """The side prizes that there can be."""
        return EVENING_PRIZES

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "first" and not cleaned.get("first") and not self._wrong("first"):
            self.add_error("first", _("Fill in how many places win a prize."))
        if cleaned.get("kind") == "given" and not cleaned.get("given") and not self._wrong("given"):
            self.add_error("given", _("Fill in which places win a prize."))
        return cleaned

    def scheme(self) -> PrizeScheme:
        """What was chosen; the form must be valid."""
        answers = dict(self.cleaned_data)
        answers["first"] = answers["first"] or PrizeScheme().first
        answers["sides"] = tuple(answers["sides"])
        if "period_places" in self.fields:
            answers["period_places"] = answers["period_places"] or 1
        return PrizeScheme(**answers)

    def _wrong(self, name: str) -> bool:
        return name in self.errors


class SeasonPrizesForm(PrizesForm):
    """What can be won in a season."""

    periods = YesNoField(
        label=_("Is there a prize for the best of each period?"),
        help_text=_("Used if the standing of the season has periods."),
    )
    period_places = forms.IntegerField(
        label=_("How many places of each period win a prize?"),
        help_text=_("1 is only the best. With 10 there is a prize for places 1 to 10."),
        min_value=1,
        max_value=HIGHEST_PLACE,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def side_keys(self) -> tuple[str, ...]:
        """The side prizes of an evening, and those only a season has."""
        return SEASON_PRIZES


class WorthField(forms.CharField):
    """What a prize is worth: euros as 25 or 12,50, or a part of the pot as 50%. Cleaned to a
    `Content` without words; None where left empty."""

    euros = MoneyField()

    def to_python(self, value: Any) -> Any:
        """The content. Raises ValidationError."""
        text = (super().to_python(value) or "").replace(" ", "")
        if not text.endswith("%"):
            cents = self.euros.to_python(text)
            return Content(cents=cents) if cents else None
        share = whole_number(text.removesuffix("%"))
        if not 1 <= share <= WHOLE:
            raise ValidationError(_("A share of the pot is 1% to 100%."), code="share")
        return Content(share=share)

    def prepare_value(self, value: Any) -> Any:
        """A content as people type it; what was typed stays as it was."""
        if not isinstance(value, Content):
            return value
        if value.share is not None:
            return f"{value.share}%"
        return self.euros.prepare_value(value.cents)


def _what_field(title: str) -> forms.CharField:
    label = _("%(prize)s: what it is") % {"prize": title}
    return forms.CharField(
        label=label,
        max_length=LONGEST_WHAT,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def _worth_field(title: str, kind: type[forms.Field], **attrs: Any) -> forms.Field:
    label = _("%(prize)s: amount") % {"prize": title}
    attrs = {"autocomplete": "off", "size": 9, "maxlength": 20, **attrs}
    return kind(label=label, required=False, widget=forms.TextInput(attrs=attrs))


@dataclass(frozen=True, slots=True)
class PrizeFields:
    """A line of a form about prizes: what it is for, who it is for, and the two fields."""

    title: str
    what: forms.BoundField
    worth: forms.BoundField
    name: str = ""
    note: str = ""


class ContentsForm(forms.Form):
    """What each of the prizes is."""

    def __init__(
        self, *args: Any, club: Club, keys: Sequence[str], scheme: PrizeScheme, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.titles = {key: prize_title(key, club) for key in keys}
        known = dict(scheme.contents)
        for key, title in self.titles.items():
            content = known.get(key)
            self.fields[f"what-{key}"] = _what_field(title)
            self.fields[f"worth-{key}"] = _worth_field(title, WorthField)
            self.initial[f"what-{key}"] = content.what if content else ""
            self.initial[f"worth-{key}"] = content

    @property
    def lines(self) -> list[PrizeFields]:
        """Its lines, in order of the prizes."""
        return [
            PrizeFields(title, self[f"what-{key}"], self[f"worth-{key}"])
            for key, title in self.titles.items()
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        shares = [cleaned.get(f"worth-{key}") for key in self.titles]
        if sum(content.share or 0 for content in shares if content) > WHOLE:
            self.add_error(None, _("Together this is more than the whole pot."))
        return cleaned

    def contents(self) -> tuple[tuple[str, Content], ...]:
        """What was filled in; the form must be valid."""
        answers = [
            (key, self.cleaned_data[f"what-{key}"], self.cleaned_data[f"worth-{key}"] or Content())
            for key in self.titles
        ]
        return tuple(
            (key, replace(worth, what=what))
            for key, what, worth in answers
            if what or worth != Content()
        )


class GivenForm(forms.Form):
    """Who got which prize: a line for each, with what is expected or was recorded before."""

    def __init__(self, *args: Any, prizes: Sequence[GivenPrize], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prizes = {f"{prize.key}-{prize.member_id}": prize for prize in prizes}
        for name, prize in self.prizes.items():
            title = f"{prize.title}, {prize.name}"
            self.fields[f"what-{name}"] = _what_field(title)
            self.fields[f"worth-{name}"] = _worth_field(title, MoneyField, inputmode="decimal")
            self.initial[f"what-{name}"] = prize.what
            self.initial[f"worth-{name}"] = prize.cents

    @property
    def lines(self) -> list[PrizeFields]:
        """Its lines, in the order of handing out."""
        return [
            PrizeFields(
                prize.title, self[f"what-{name}"], self[f"worth-{name}"], prize.name, prize.note
            )
            for name, prize in self.prizes.items()
        ]

    def given(self) -> list[GivenPrize]:
        """What was filled in, without lines that are empty; the form must be valid."""
        answers = [
            replace(
                prize,
                what=self.cleaned_data[f"what-{name}"],
                cents=self.cleaned_data[f"worth-{name}"],
            )
            for name, prize in self.prizes.items()
        ]
        return [prize for prize in answers if prize.what or prize.cents is not None]


class CupForm(forms.Form):
    """A cup by name, and when it may be kept."""

    name = forms.CharField(label=_("Name of the cup"), max_length=LONGEST_NAME)
    wins_to_keep = forms.IntegerField(
        label=_("After how many wins may somebody keep it?"),
        min_value=1,
        max_value=MOST_WINS,
        initial=3,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class CupWinForm(forms.Form):
    """Who won the cup, and when."""

    member = forms.ModelChoiceField(
        Member.objects.none(), label=_("Who won it"), empty_label=_("Choose a name")
    )
    won_on = forms.DateField(
        label=_("On which day"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
        initial=timezone.localdate,
    )
    season = forms.ModelChoiceField(
        Season.objects.none(),
        label=_("Over a whole season"),
        help_text=_("Only if it was won over a season and not on an evening."),
        empty_label=_("no, on an evening"),
        required=False,
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Member.objects.of(club).filter(erased_at=None).by_surname()
        self.fields["member"].queryset = people  # type: ignore[attr-defined]
        self.fields["season"].queryset = club.seasons.all()  # type: ignore[attr-defined]
