"""A deal shown before it is written, by the server or by the phone itself.

`preview_of` is the server's answer. `phone_rules` is what the pages embed as JSON, so that judge.js
can evaluate a deal without a connection: the regulation, the texts and the names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

from django.forms import IntegerField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.deals.evaluation import first_trump_doubt, sheet_doubts
from scoring.deals.forms import HOW_ROEM, DealForm
from scoring.deals.services import (
    deal_preview,
    deal_replays,
    first_offences_waived,
    is_first_offence_waived,
)
from scoring.display.sheet_view import SheetView
from scoring.display.words import DealRefused, pit_word, reader_language, side_words
from scoring.rules import fault_message, seat_names
from scoring.rules.explain import phrases, term_words
from scoring.rules.faults import messages

PhoneData = dict[str, Any]

NOT_PREVIEWED = {"why", "why_else"}
"""Fields that do not affect the result of the deal."""

FIRST_OFFENCE_WAIVED = gettext_lazy("The first reneging at this table: the deal is played again.")

CODES: Final = (
    "missing:points",
    "missing:bid",
    "bid_not_allowed",
    "bid_range",
    "other_game",
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
"""The faults and doubts that a deal on a form can have; a code without a reason has them all."""


@dataclass(frozen=True, slots=True)
class DealPreview:
    """`lines` say what will be written and `doubts` what is unlikely about it. Where it cannot be
    written yet, `wanted` says what is missing and `faults` what is impossible. `digest` identifies
    the content that the lines describe."""

    lines: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    digest: str = ""
    refused: DealRefused | None = field(default=None, compare=False)


def preview_of(form: DealForm) -> DealPreview:
    """The preview of a bound form as it is filled in now; adds no errors to the form."""
    unclear = {
        name: [str(text) for text in texts]
        for name, texts in form.errors.items()
        if name not in NOT_PREVIEWED
    }
    if unclear:
        wanted = unclear.pop("declarer", [])
        return DealPreview(
            wanted=tuple(wanted), faults=tuple(chain.from_iterable(unclear.values()))
        )
    sheet, number, written = form.view.sheet, form.number, form.written()
    pit = pit_word(sheet.club)
    try:
        result = deal_preview(sheet=sheet, number=number, written=written)
    except DealRefused as refused:
        return _refusal(refused, pit)
    language = reader_language()
    doubts = [fault_message(fault, language, pit) for fault in result.warnings]
    doubts += [doubt.words for doubt in sheet_doubts(sheet, number, result)]
    first = [FIRST_OFFENCE_WAIVED] if is_first_offence_waived(sheet, number, written) else []
    return DealPreview(
        lines=(*map(str, first), *form.in_words(result)),
        doubts=tuple(doubts),
        digest=form.digest(),
    )


def preview_fragment(request: HttpRequest, form: DealForm) -> HttpResponse:
    """The preview as HTML, for the place above the button."""
    return render(request, "scoring/deals/_preview.html", {"preview": preview_of(form)})


def _refusal(refused: DealRefused, pit: str) -> DealPreview:
    texts = [text for _field, text in refused.messages(pit)]
    missing = [fault.code == "missing" for fault in refused.faults]
    return DealPreview(
        wanted=tuple(text for text, is_wanted in zip(texts, missing, strict=True) if is_wanted),
        faults=tuple(text for text, is_wanted in zip(texts, missing, strict=True) if not is_wanted),
        refused=refused,
    )


def phone_rules(form: DealForm) -> PhoneData:
    """The data for one form: the sheet's part, and that of the form's deal as `deal`."""
    view, number = form.view, form.number
    return {**phone_sheet(view), "deal": phone_deals(view, [form])[number]}


def phone_sheet(view: SheetView) -> PhoneData:
    """The data that all deals of a sheet share, in the reader's language."""
    sheet = view.sheet
    return {
        "regulation": sheet.regulation.rules.as_settings(),
        "three": sheet.three_handed,
        "pit": pit_word(sheet.club),
        "sides": {side: str(word).lower() for side, word in side_words(sheet).items()},
        "texts": _texts(),
    }


def phone_deals(view: SheetView, forms: Sequence[DealForm]) -> Mapping[int, PhoneData]:
    """The data of each form's own deal, by number: the names around the table, whether a first
    reneging is waived, how often the deal was dealt again for reneging, the trump suit the
    evening's rules fix, and what the line has that the form does not ask."""
    waived = first_offences_waived(view.sheet, [form.number for form in forms])
    return {form.number: _deal(form, form.number in waived) for form in forms}


def _deal(form: DealForm, waives_first_offence: bool) -> PhoneData:
    view, number = form.view, form.number
    doubt, corrections = first_trump_doubt(view.sheet, number), form.corrections()
    return {
        "number": number,
        "names": view.short_names(number),
        "waives_first_offence": waives_first_offence,
        "replays": deal_replays(form.deal),
        "first_trump": doubt and {"suit": view.sheet.first_trump, "words": doubt.words},
        "unasked": form.unasked | ({"corrections": corrections} if corrections else {}),
    }


def _texts() -> PhoneData:
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
