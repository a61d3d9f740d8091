"""What a phone needs to say by itself what a deal comes to: the regulation, texts and names.

The pages embed it as JSON, and judge.js works a deal out with it as the rules here do.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.forms import IntegerField
from django.utils.translation import gettext as _

from scoring.forms import DealForm
from scoring.forms.fields import HOW_ROEM
from scoring.previews import FIRST_OFFENCE_WAIVED
from scoring.rules import seat_names
from scoring.rules.explain import phrases, term_words
from scoring.rules.faults import messages
from scoring.services import deal_replays, first_offences_waived, first_trump_doubt
from scoring.sheet_view import SheetView
from scoring.words import pit_word, reader_language, side_words

About = dict[str, Any]

CODES: Final = (
    "missing:points",
    "points_range",
    "points_unreachable",
    "points_sum",
    "roem_value",
    "roem_unreachable",
    "roem_needs_points",
    "roem_without_trick",
    "pit_points",
    "pit_contradicts_nat",
    "nat_contradicts_points",
    "nat_not_played",
    "no_trump_not_allowed",
    "nil_not_allowed",
    "bidding",
    "bad_value:empty_seat",
    "no_points",
    "much_roem",
    "often_roem",
    "roem_with_few_points",
    "nil_with_points",
    "dummy_seat",
)
"""The faults and doubts that a deal on a form can have, with every reason where none is named."""


def phone_rules(form: DealForm) -> About:
    """What stands beside a form: the sheet's part, and that of the form's own deal as `deal`."""
    view, number = form.view, form.number
    return {**phone_sheet(view), "deal": phone_deals(view, [form])[number]}


def phone_sheet(view: SheetView) -> About:
    """What is the same for every deal of a sheet, in the reader's language."""
    sheet = view.sheet
    return {
        "regulation": sheet.regulation.rules.as_settings(),
        "three": sheet.three_handed,
        "pit": pit_word(sheet.club),
        "sides": {side: str(word).lower() for side, word in side_words(sheet).items()},
        "texts": _texts(),
    }


def phone_deals(view: SheetView, forms: Sequence[DealForm]) -> Mapping[int, About]:
    """By number what is each form's own: the names around the table, whether a first reneging is
    waived, how often the deal was dealt again for reneging, what is trump by the evening's rules,
    and what the line keeps that is not asked."""
    waived = first_offences_waived(view.sheet, [form.number for form in forms])
    return {form.number: _deal(form, form.number in waived) for form in forms}


def _deal(form: DealForm, waives_first_offence: bool) -> About:
    view, number = form.view, form.number
    doubt, corrections = first_trump_doubt(view.sheet, number), form.corrections()
    return {
        "number": number,
        "names": view.short_names(number),
        "waives_first_offence": waives_first_offence,
        "replays": deal_replays(form.deal),
        "first_trump": doubt and {"suit": view.sheet.first_trump, "words": doubt.words},
        "kept": form.kept | ({"corrections": corrections} if corrections else {}),
    }


def _texts() -> About:
    language = reader_language()
    return {
        "messages": {
            key: text
            for key, text in messages(language).items()
            if key in CODES or key.partition(":")[0] in CODES
        },
        "phrases": phrases(language),
        "terms": term_words(language),
        "seats": seat_names(language),
        "who": str(DealForm.base_fields["declarer"].error_messages["required"]),
        "roem": str(HOW_ROEM),
        "points": str(IntegerField.default_error_messages["invalid"]),
        "first_offence_waived": str(FIRST_OFFENCE_WAIVED),
        "each": _("%(one)s and %(other)s each") % {"one": "{one}", "other": "{other}"},
    }
