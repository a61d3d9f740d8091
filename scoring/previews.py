"""What a deal will put on the sheet, said before it is written."""

from dataclasses import dataclass, field
from itertools import chain

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from scoring.errors import DealRefused
from scoring.forms import DealForm
from scoring.rules import fault_message
from scoring.services import deal_preview, is_first_offence_waived, sheet_doubts
from scoring.words import pit_word, reader_language

NOT_PREVIEWED = {"why", "why_else"}
"""Fields that say nothing of what the deal comes to."""

FIRST_OFFENCE_WAIVED = gettext_lazy("The first reneging at this table: the deal is played again.")


@dataclass(frozen=True, slots=True)
class Preview:
    """`lines` say what will be written and `doubts` what is unlikely about it; or, where it cannot
    be written yet, `wanted` says what is missing and `faults` what cannot be. `digest` names the
    content that the lines are about."""

    lines: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    digest: str = ""
    refused: DealRefused | None = field(default=None, compare=False)


def preview_of(form: DealForm) -> Preview:
    """What a bound form comes to as it is filled in now; adds no errors to the form."""
    unclear = {
        name: [str(text) for text in texts]
        for name, texts in form.errors.items()
        if name not in NOT_PREVIEWED
    }
    if unclear:
        wanted = unclear.pop("declarer", [])
        return Preview(wanted=tuple(wanted), faults=tuple(chain.from_iterable(unclear.values())))
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
    return Preview(
        lines=(*map(str, first), *form.in_words(result)),
        doubts=tuple(doubts),
        digest=form.digest(),
    )


def preview_fragment(request: HttpRequest, form: DealForm) -> HttpResponse:
    """The preview as the piece of page that stands above the button."""
    return render(request, "scoring/_preview.html", {"preview": preview_of(form)})


def _refusal(refused: DealRefused, pit: str) -> Preview:
    texts = [text for _field, text in refused.messages(pit)]
    missing = [fault.code == "missing" for fault in refused.faults]
    return Preview(
        wanted=tuple(text for text, is_wanted in zip(texts, missing, strict=True) if is_wanted),
        faults=tuple(text for text, is_wanted in zip(texts, missing, strict=True) if not is_wanted),
        refused=refused,
    )
