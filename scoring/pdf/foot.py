"""The foot of a score sheet: how to write it, or what happened on it, its checksum, signatures."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from clubs.text.numbers import SIDE_NAMES, number
from scoring import rules
from scoring.deals.totals import side_score, sum_together
from scoring.display.sheet_view import SheetView, is_written, line_in_words
from scoring.display.words import pit_word
from scoring.models import Confirmation, DealEntry, Scoresheet
from scoring.pdf.head import Form
from scoring.pdf.legend import check_rule, legend
from scoring.pdf.paper import INK, REGULAR, SOFT, Colour, Paper, width_of, wrap
from scoring.rules import SIDES

Kind = DealEntry.Kind


def remarks(view: SheetView) -> list[str]:
    """What the lines alone do not show, one sentence each, in order of deals."""
    only_totals = [_("This table handed in totals only.")] if view.handed_in else []
    answers = [_disagreement(answer, view) for answer in _answers(view) if not answer.agrees]
    changes = [*_changes(view), *filter(None, [view.play_off_words])]
    return [*only_totals, *view.take_overs(), *_penalties(view), *changes, *answers]


def signatory(view: SheetView, side: str) -> str:
    """The name of a side in the middle of a sentence, or of one of three people by seat."""
    if side in SIDE_NAMES:
        return str(SIDE_NAMES[side]).lower()
    return view.short_names(view.sheet.deals_planned)[side]  # type: ignore[index]


def agreement(view: SheetView, side: str) -> str:
    """When this side, or person, agreed with the sheet as it stands; empty if they did not."""
    for answer in _answers(view):
        if answer.side == side and answer.agrees and answer.sheet_version == view.sheet.version:
            return _("agreed, %(time)s") % {"time": _clock(answer)}
    return ""


def _answers(view: SheetView) -> list[Confirmation]:
    return sorted(view.sheet.confirmations.all(), key=lambda answer: answer.at)


def _disagreement(answer: Confirmation, view: SheetView) -> str:
    words = {"time": _clock(answer), "note": answer.note}
    if view.sheet.three_handed:
        words["who"] = signatory(view, answer.side)
        if answer.settled_at:
            return _("%(who)s did not agree at %(time)s; the director settled it. %(note)s") % words
        return _("%(who)s does not agree (%(time)s). %(note)s") % words
    words["side"] = str(SIDE_NAMES[answer.side])
    if answer.settled_at:
        return _("%(side)s did not agree at %(time)s; the director settled it. %(note)s") % words
    return _("%(side)s do not agree (%(time)s). %(note)s") % words


def _clock(answer: Confirmation) -> str:
    return time_format(timezone.localtime(answer.at), "H:i")


def _penalties(view: SheetView) -> list[str]:
    """Every deal with reneging, an accusation or a correction, in full."""
    sentences = []
    for deal in view.deals:
        if deal.current is None or not is_written(deal):
            continue
        result = rules.evaluate(deal.current.written or {}, view.sheet.regulation.rules)
        if result.deal.reneged or result.deal.accused_wrongly_by or result.deal.corrections:
            lines = view.deal_in_words(result, view.names(deal.number))
            sentences.append(_deal(deal.number, " · ".join(lines)))
    return sentences


def _changes(view: SheetView) -> list[str]:
    """Changes of the sheet as a whole, and corrected lines."""
    entries = _entries(view)
    kinds = {entry.kind for entry in entries}
    whole = {
        Kind.SWAPPED: _("We and they were swapped on the whole sheet."),
        Kind.MOVED: _("This sheet was written at another table and moved here."),
    }
    moves = [words for kind, words in whole.items() if kind in kinds]
    return [*moves, *(_change(entry, view.sheet) for entry in entries if _is_correction(entry))]


def _entries(view: SheetView) -> list[DealEntry]:
    """Every entry of the sheet in order of deals; no query for a sheet without corrections."""
    if all(deal.version <= 1 for deal in view.deals):
        return [deal.current for deal in view.deals if deal.current]
    entries = DealEntry.objects.filter(deal__sheet=view.sheet)
    return list(entries.select_related("deal", "replaces").order_by("deal__number", "revision"))


def _is_correction(entry: DealEntry) -> bool:
    before = entry.replaces
    return (
        entry.kind == Kind.WRITTEN
        and before is not None
        and before.written is not None
        and not before.replayed
    )


def _change(entry: DealEntry, sheet: Scoresheet) -> str:
    words = {
        "before": line_in_words(entry.replaces, sheet) if entry.replaces else "",
        "after": line_in_words(entry, sheet),
        "reason": entry.reason,
    }
    sentence = (
        _("%(before)s became %(after)s: %(reason)s")
        if entry.reason
        else _("%(before)s became %(after)s")
    )
    return _deal(entry.deal.number, sentence % words)


def _deal(number: int, words: str) -> str:
    return _("Deal %(n)s: %(words)s") % {"n": number, "words": words}


# On an empty sheet: a row in which the table adds up.

CheckRowPart = str | float
"""Words, or the width of a blank."""


def can_be_checked(sheet: Scoresheet) -> bool:
    """Whether the sum of both sides is known before the round."""
    is_ours = sheet.regulation.rules.game == "klaverjas"
    return is_ours and sheet.target is None and not sheet.three_handed


def draw_row(paper: Paper, form: Form, y: float, parts: Sequence[CheckRowPart]) -> None:
    """Draw the row with its foot at `y`, from the left edge of the sheet, its blanks as wide as
    there is room for."""
    gap, size, x = form.text * 0.45, form.text, form.left
    words = [part for part in parts if isinstance(part, str)]
    taken = sum(width_of(word, REGULAR, size) for word in words) * 1.04
    spare = form.width - taken - gap * (len(parts) - 1)
    unit = spare / sum(part for part in parts if not isinstance(part, str))
    for part in parts:
        if isinstance(part, str):
            x += paper.text(x, y, part, size=size, bold=x == form.left) + gap
        else:
            paper.line(x, y - 2, x + part * unit, y - 2)
            x += part * unit + gap


def check_parts(sheet: Scoresheet) -> Iterator[CheckRowPart]:
    """162 for each deal, the roem, the pits, what that is, and what we and they have together."""
    deals, bonus = sheet.deals_planned, sheet.regulation.rules.pit_bonus
    yield _("Check")
    yield f"{deals} × 162 = {number(deals * 162)}"
    yield _("+ roem")
    yield 1.5
    if bonus:
        yield f"+ {bonus} ×"
        yield 1.0
        yield pit_word(sheet.club)
    yield "="
    yield 1.6
    yield _("we + they")
    yield 1.6


def _play_off_parts() -> Iterator[CheckRowPart]:
    """What four more deals come to, if the match ends equal."""
    yield _("Equal?")
    yield _("Four more deals, each deals once: we")
    yield 1.0
    yield _("they")
    yield 1.0


# On a filled sheet: a checksum that anybody can verify by hand.

ChecksumPart = tuple[str, int]


def checksum(view: SheetView) -> str:
    """The parts of the sheet, their sum, and whether the two totals agree with it."""
    parts = _parts_handed_in(view) if view.handed_in else _parts_of_deals(view)
    if not parts:
        return _("Nothing has been written on this sheet.")
    if view.sheet.three_handed:
        return _checksum_of_three(view, parts)
    wanted = sum(points for _words, points in parts)
    total = view.sheet.score_ns + view.sheet.score_ew
    sentence = (
        _("Check: %(parts)s = %(wanted)s. We and they together %(found)s: right.")
        if wanted == total
        else _("Check: %(parts)s = %(wanted)s. We and they together %(found)s: not right!")
    )
    return sentence % {
        "parts": " + ".join(words for words, points in parts if points),
        "wanted": number(wanted),
        "found": number(total),
    }


def _checksum_of_three(view: SheetView, parts: list[ChecksumPart]) -> str:
    """The same for three people: what the two opponents took counts for each of them, and a fine
    or correction for one person only for that person."""
    made, results = sum(points for _words, points in parts), _results(view)
    twice = sum(result.score[rules.other_side(result.deal.declarers)] for result in results)
    alone = sum(sum(result.players.values()) - sum(result.score.values()) for result in results)
    sides = [*parts, (_("again for the second opponent %(n)s") % {"n": number(twice)}, twice)]
    alone -= twice
    if alone:
        sides.append((_("for one alone %(n)s") % {"n": number(alone)}, alone))
    wanted, total = made + twice + alone, sum(view.seat_scores.values())
    sentence = (
        _("Check: %(parts)s = %(wanted)s. The three together %(found)s: right.")
        if wanted == total
        else _("Check: %(parts)s = %(wanted)s. The three together %(found)s: not right!")
    )
    return sentence % {
        "parts": " + ".join(words for words, points in sides if points),
        "wanted": number(wanted),
        "found": number(total),
    }


def _parts_of_deals(view: SheetView) -> list[ChecksumPart]:
    """The deals of 162, then the roem, bonuses and corrections of all deals."""
    cards: Counter[int] = Counter()
    extras: Counter[str] = Counter()
    for result in _results(view):
        terms = [term for side in SIDES for term in result.terms[side]]
        cards[sum(term.points for term in terms if term.kind == "points")] += 1
        for term in terms:
            extras[term.kind] += term.points if term.kind != "points" else 0
        extras["correction"] += sum(result.score.values()) - sum(term.points for term in terms)
    dealt = [(f"{count} × {points}", count * points) for points, count in cards.most_common()]
    return [*dealt, *_extra_parts(view, extras)]


def _results(view: SheetView) -> list[rules.DealResult]:
    entries = [deal.current for deal in view.deals if deal.current and is_written(deal)]
    return [rules.evaluate(entry.written or {}, view.sheet.regulation.rules) for entry in entries]


def _parts_handed_in(view: SheetView) -> list[ChecksumPart]:
    """Card points, roem and pits where the table said all of them; else the totals themselves."""
    totals, regulation = view.handed_in, view.sheet.regulation.rules
    cards = sum(total.points or 0 for total in totals.values())
    extras = {
        "roem": sum(total.roem or 0 for total in totals.values()),
        "pit": sum(total.pits or 0 for total in totals.values()) * regulation.pit_bonus,
        "correction": sum(total.correction for total in totals.values()),
    }
    if cards + extras["roem"] + extras["pit"] == sum_together(totals, regulation):
        return [(_("card points %(n)s") % {"n": number(cards)}, cards), *_extra_parts(view, extras)]
    handed_in = [
        (f"{signatory(view, side)} {number(score)}", score)
        for side, total in totals.items()
        for score in [side_score(total, regulation.pit_bonus) - total.correction]
    ]
    return [*handed_in, *_extra_parts(view, {"correction": extras["correction"]})]


def _extra_parts(view: SheetView, extras: Mapping[str, int]) -> list[ChecksumPart]:
    words = {
        "roem": _("roem"),
        "pit": pit_word(view.sheet.club),
        "shutout": _("shut out"),
        "nil": _("nil"),
        "correction": _("correction"),
    }
    return [
        (f"{word} {number(extras[kind])}", extras[kind])
        for kind, word in words.items()
        if extras.get(kind)
    ]


# Drawing the foot.


def lines_of(sentences: Sequence[str], form: Form) -> list[str]:
    """Sentences as lines that fit the width of the sheet."""
    return [line for words in sentences for line in wrap(words, REGULAR, form.legend, form.width)]


def foot_lines(view: SheetView, form: Form, *, filled: bool, plays_off: bool) -> list[str]:
    """The lines under the totals of every page, the check first; empty where a row is drawn."""
    if filled:
        return lines_of([checksum(view)], form)
    extra, explained = [""] * 2 if plays_off else [], legend(view.sheet, form)
    if can_be_checked(view.sheet):
        return ["", *extra, *lines_of(explained, form)]
    first, *rest = lines_of([check_rule(view.sheet), *explained], form)
    return [first, *extra, *rest]


def foot_height(form: Form, lines: int) -> float:
    """The height of this many lines and the signatures, in points."""
    return form.leading * 0.9 + lines * form.leading + form.sign_height


def draw_foot(
    paper: Paper,
    form: Form,
    top: float,
    view: SheetView,
    lines: Sequence[str],
    *,
    filled: bool,
    plays_off: bool,
) -> None:
    """Draw the lines from `top` down, the check first and the legend in grey, and the signatures
    at the foot of the page."""
    gap = form.leading * 0.9
    below, rest = top - gap - form.leading, lines[1:]
    if not filled and can_be_checked(view.sheet):
        draw_row(paper, form, below + 3, list(check_parts(view.sheet)))
        below -= form.leading * 0.4
    if not filled and plays_off:
        draw_row(paper, form, below - form.leading * 1.1, list(_play_off_parts()))
        below, rest = below - form.leading * 1.6, lines[3:]
    draw_lines(paper, form, top - gap, lines[:1])
    draw_lines(paper, form, below, rest, colour=INK if filled else SOFT)
    draw_signatures(paper, form, view, filled=filled)


def draw_lines(
    paper: Paper, form: Form, top: float, lines: Sequence[str], *, colour: Colour = INK
) -> None:
    """Small print from `top` down."""
    for index, words in enumerate(lines):
        foot = top - (index + 1) * form.leading + 3
        paper.text(form.left, foot, words, size=form.legend, width=form.width, colour=colour)


def draw_signatures(paper: Paper, form: Form, view: SheetView, *, filled: bool) -> None:
    """Who agrees, side by side at the foot."""
    sides = view.sheet.signatories
    labels = [(signatory(view, side), agreement(view, side) if filled else "") for side in sides]
    if not (view.people and (filled or form.is_small)):
        labels.append((_("scorekeeper"), ""))
    width, y = form.width / len(labels), form.bottom + 4
    for column, (label, agreed) in enumerate(labels):
        x = form.left + column * width
        words = _("Agreed, %(who)s:") % {"who": label}
        room = width * 0.68
        start = x + paper.text(x, y, words, size=form.small, width=room) + 4
        if agreed:
            room = x + width - start - 4
            paper.text(start, y, agreed, size=form.small, bold=True, width=room)
        else:
            paper.line(start, y - 2, x + width - 6, y - 2)
