"""Whether a score sheet adds up, in one sentence that anybody can check by hand."""

from collections import Counter
from collections.abc import Mapping

from django.utils.translation import gettext as _

from clubs.words import number
from scoring import rules
from scoring.rules import SIDES
from scoring.sheet_view import SheetView, is_written
from scoring.words import pit_word

Part = tuple[str, int]


def checksum(view: SheetView) -> str:
    """What the sheet is made of, its sum, and whether the two totals say the same."""
    parts = _parts_handed_in(view) if view.handed_in else _parts_of_deals(view)
    if not parts:
        return _("Nothing has been written on this sheet.")
    if view.sheet.three_handed:
        return _checksum_of_three(view, parts)
    wanted = sum(points for _words, points in parts)
    found = view.sheet.score_ns + view.sheet.score_ew
    sentence = (
        _("Check: %(parts)s = %(wanted)s. We and they together %(found)s: right.")
        if wanted == found
        else _("Check: %(parts)s = %(wanted)s. We and they together %(found)s: not right!")
    )
    return sentence % {
        "parts": " + ".join(words for words, points in parts if points),
        "wanted": number(wanted),
        "found": number(found),
    }


def _checksum_of_three(view: SheetView, parts: list[Part]) -> str:
    """The same for three people: what the two against the player took counts for each of them, and
    what was fined or corrected in one name for that person."""
    made, results = sum(points for _words, points in parts), _results(view)
    twice = sum(result.score[rules.other_side(result.deal.declarers)] for result in results)
    alone = sum(sum(result.players.values()) - sum(result.score.values()) for result in results)
    sides = [*parts, (_("once more for the second against %(n)s") % {"n": number(twice)}, twice)]
    alone -= twice
    if alone:
        sides.append((_("for one alone %(n)s") % {"n": number(alone)}, alone))
    wanted, found = made + twice + alone, sum(view.seat_scores.values())
    sentence = (
        _("Check: %(parts)s = %(wanted)s. The three together %(found)s: right.")
        if wanted == found
        else _("Check: %(parts)s = %(wanted)s. The three together %(found)s: not right!")
    )
    return sentence % {
        "parts": " + ".join(words for words, points in sides if points),
        "wanted": number(wanted),
        "found": number(found),
    }


def _parts_of_deals(view: SheetView) -> list[Part]:
    """So many deals of 162, then the roem, bonuses and corrections of all of them."""
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


def _parts_handed_in(view: SheetView) -> list[Part]:
    totals = view.handed_in.values()
    cards = sum(total.points for total in totals)
    extras = {
        "roem": sum(total.roem for total in totals),
        "pit": sum(total.pits for total in totals) * view.sheet.regulation.rules.pit_bonus,
        "correction": sum(total.correction for total in totals),
    }
    return [(_("card points %(n)s") % {"n": number(cards)}, cards), *_extra_parts(view, extras)]


def _extra_parts(view: SheetView, extras: Mapping[str, int]) -> list[Part]:
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
