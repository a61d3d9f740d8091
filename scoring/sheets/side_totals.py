"""Totals handed in for a whole sheet instead of deals, with the check that they can be."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from clubs.text.numbers import number
from scoring.deals.entries import PLAY_OFF, require_open, sheet_lock, sheet_tell, sheet_touch
from scoring.deals.totals import (
    deals_handed_in,
    points_together,
    possible_sums,
    side_score,
    sum_together,
    sums_of_three,
    totals_fit,
)
from scoring.display.words import pit_word
from scoring.models import Scoresheet, SideTotal
from scoring.rules import (
    NO_TRUMP_DEAL_POINTS,
    SIDES,
    TRUMP_DEAL_POINTS,
    RuleSet,
    bonuses_fit,
    deals_in_sum,
    extra_fits,
    most_roem,
    other_side,
)

LARGEST_CORRECTION = 10_000
LARGEST_TOTAL = 20_000
"""In another game than ours, nobody has more of a round."""

PLAY_OFF_DEALS = 4
"""After an equal match: each deals once."""

MUCH_PER_DEAL = 100
"""More roem and bonuses than this for every deal is unlikely."""
NEAR = 20


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What one side, or one of three people, hands in: the `total` of the paper, roem and pits
    included; or card points after nat, roem and number of pits, of which it is made; or both. The
    director's `correction` comes on top.

    Without a total, roem and pits that are not said are none; beside a total they are not known.
    """

    points: int | None = None
    roem: int | None = None
    pits: int | None = None
    correction: int = 0
    total: int | None = None

    def row(self, side: str) -> SideTotal:
        """These totals as they are stored."""
        given = asdict(self)
        if self.total is None:
            given |= {"roem": self.roem or 0, "pits": self.pits or 0}
        return SideTotal(side=side, **given)


class TotalsRefused(DomainError):
    """The totals cannot be right. Each of `faults` is a pair: the side or seat it is about (empty
    for the whole sheet), and a sentence."""

    def __init__(self, faults: list[tuple[str, str]]) -> None:
        super().__init__("totals_refused", _("These totals are not possible. Nothing was written."))
        self.faults = faults

    def field_errors(self) -> Iterator[tuple[str, str, str]]:
        """Every fault as a field, a code and a sentence."""
        for side, sentence in self.faults:
            yield f"totals.{side}" if side else "totals", self.code, sentence


@transaction.atomic
def side_totals_write(
    *,
    sheet_id: int,
    totals: Mapping[str, HandedIn],
    actor: Actor,
    reason: str = "",
    seen_version: int | None = None,
) -> Scoresheet:
    """Write the totals of both sides, or of each of three people by seat, instead of deals.

    What is unlikely is written: `totals_doubts` has it. Where several phones write, `seen_version`
    is that of the sheet: the same totals as another phone has written since change nothing. Raises
    TotalsRefused with everything that is impossible, and DomainError `sheet_gone`,
    `sheet_closed`, `sheet_not_started`, `deals_written` when the sheet already has deals,
    `folders_by_deal` where each deal is compared with others, or `totals_moved_on` where other
    totals were written since.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    if sheet.deals.filter(folder__isnull=False).exists():
        raise DomainError(
            "folders_by_deal",
            _("Everybody plays the same folders, and each is compared: write every deal."),
        )
    if sheet.deals.filter(current__written__isnull=False).exists():
        raise DomainError(
            "deals_written", _("Deals were written on this sheet, so it adds up by itself.")
        )
    if faults := totals_faults(sheet, totals):
        raise TotalsRefused(faults)
    if seen_version not in (None, sheet.version) and (stands := _handed_in(sheet)):
        if stands == dict(totals):
            return sheet
        scores = {side: total.total or 0 for side, total in stands.items()}
        words = {"totals": "–".join(str(number(scores[side])) for side in totals)}
        message = _(
            "Meanwhile %(totals)s was written for this table. If that is wrong, write again."
        )
        raise DomainError("totals_moved_on", message % words)
    _put(sheet, totals)
    data: dict[str, object] = {side: asdict(total) for side, total in totals.items()}
    sheet_touch(sheet, actor=actor, action="totals_written", data=data, texts={"reason": reason})
    return sheet


@transaction.atomic
def side_totals_clear(*, sheet_id: int, actor: Actor, reason: str = "") -> Scoresheet:
    """Take the handed-in totals off the sheet, so that deals can be written."""
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    _put(sheet, {})
    sheet_touch(sheet, actor=actor, action="totals_cleared", texts={"reason": reason})
    return sheet


@transaction.atomic
def match_play_off_write(
    *, sheet_id: int, totals: Mapping[str, int], actor: Actor, reason: str = ""
) -> Scoresheet:
    """Write what four more deals came to, by side, after a match that ended equal.

    It decides that match only. The same again changes nothing. Raises TotalsRefused, and
    DomainError `sheet_gone`, `sheet_closed`, `sheet_not_started`, or `not_equal`.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    if not sheet.ends_equal:
        raise DomainError(
            "not_equal", _("The two sides are not equal on this sheet: nothing is played off.")
        )
    if faults := play_off_faults(sheet, totals):
        raise TotalsRefused(faults)
    if sheet.play_off != totals:
        _play_off_save(sheet, totals, actor, "match_played_off", reason)
    return sheet


@transaction.atomic
def match_play_off_clear(*, sheet_id: int, actor: Actor, reason: str = "") -> Scoresheet:
    """Take the four more deals off the sheet again."""
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    if sheet.play_off_ns is not None:
        _play_off_save(sheet, {}, actor, "match_play_off_cleared", reason)
    return sheet


def play_off_faults(sheet: Scoresheet, totals: Mapping[str, int]) -> list[tuple[str, str]]:
    """Everything that is impossible about these as totals of four more deals, of which each side's
    must differ."""
    four = Scoresheet(club=sheet.club, regulation=sheet.regulation, deals_planned=PLAY_OFF_DEALS)
    handed_in = {side: HandedIn(total=total) for side, total in totals.items()}
    if faults := totals_faults(four, handed_in):
        return faults
    rows = {side: total.row(side) for side, total in handed_in.items()}
    if deals_handed_in(four, rows) < PLAY_OFF_DEALS:
        words = {"found": number(sum(totals.values()))}
        return [("", _("Together this is %(found)s: fewer points than four deals give.") % words)]
    if len(set(totals.values())) == 1:
        return [("", _("Equal again. Play four more deals, and write only those."))]
    return []


def _play_off_save(
    sheet: Scoresheet, totals: Mapping[str, int], actor: Actor, action: str, reason: str
) -> None:
    # What the sides agreed to is the sheet, which stays as it is: its version does too.
    sheet.play_off_ns, sheet.play_off_ew = totals.get("NS"), totals.get("EW")
    along = {name: getattr(sheet, name) for name in PLAY_OFF}
    texts = {"reason": reason}
    sheet_tell(sheet, actor=actor, action=action, data=dict(totals), texts=texts, along=along)


def totals_mirror(sheet: Scoresheet) -> None:
    """Swap what the two sides handed in; the sheet must be locked and is left to the caller."""
    handed_in = _handed_in(sheet)
    _put(sheet, {other_side(side): handed_in[side] for side in SIDES if side in handed_in})


def totals_exchange(first: Scoresheet, second: Scoresheet) -> None:
    """Exchange what was handed in on two sheets; both must be locked and are left to the caller."""
    contents = _handed_in(first), _handed_in(second)
    _put(first, contents[1])
    _put(second, contents[0])


def totals_faults(sheet: Scoresheet, totals: Mapping[str, HandedIn]) -> list[tuple[str, str]]:
    """Everything that is impossible about these totals.

    Both sides together have 162 for each deal (130 in no-trump, nothing for a nil that was made),
    with roem, pits and other bonuses on top; of three people only limits are known. A side with a
    pit leaves the other none of that deal's points. What a total is made of, as far as that is
    said, must come to it.
    """
    missing = [
        (side, _("Type the total."))
        for side, handed_in in totals.items()
        if handed_in.total is None and handed_in.points is None
    ]
    if missing:
        return missing
    rows = {side: handed_in.row(side) for side, handed_in in totals.items()}
    if sheet.regulation.rules.game != "klaverjas":
        return [(side, sentence) for side, row in rows.items() for sentence in _wild(row)]
    deals = deals_handed_in(sheet, rows)
    faults = [
        (side, sentence)
        for side, row in rows.items()
        for sentence in _side_faults(row, _other(rows, side), deals, sheet)
    ]
    pits = [row.pits or 0 for row in rows.values()]
    if (max(pits) if sheet.three_handed else sum(pits)) > deals:
        words = {"pit": pit_word(sheet.club)}
        faults.append(("", _("More often %(pit)s than there are deals.") % words))
    if wrong := totals_sum_fault(sheet, rows):
        faults.append(("", wrong))
    return faults


def totals_doubts(sheet: Scoresheet, totals: Mapping[str, SideTotal]) -> list[str]:
    """What is possible and unlikely about totals without faults, in sentences."""
    is_ours = sheet.regulation.rules.game == "klaverjas"
    return list(_doubts(sheet, totals)) if totals and is_ours else []


def totals_sum_fault(sheet: Scoresheet, totals: Mapping[str, SideTotal]) -> str:
    """What is wrong with what all have together; empty where that is possible."""
    if totals_fit(sheet, totals, deals_handed_in(sheet, totals)):
        return ""
    points = points_together(totals)
    if points is not None and not _points_fit(sheet, points):
        return _wrong_points(sheet, points)
    regulation = sheet.regulation.rules
    together, of_three = sum_together(totals, regulation), sheet.three_handed
    if deals_in_sum(together, sheet.deals_planned, regulation, of_three=of_three) is not None:
        return _("The card points are of another number of deals than the totals.")
    return _wrong_sum(sheet, together)


def _wild(own: SideTotal) -> Iterator[str]:
    """What no game gives: the only thing that is looked at where another game is played."""
    figures = (own.points or 0, own.roem or 0, own.pits or 0, own.total or 0)
    if min(figures) < 0:
        yield _("A total cannot be negative.")
    if max(figures) > LARGEST_TOTAL:
        yield _("More than %(most)s is a slip.") % {"most": number(LARGEST_TOTAL)}
    if abs(own.correction) > LARGEST_CORRECTION:
        yield _("The correction is too large.")


def _doubts(sheet: Scoresheet, totals: Mapping[str, SideTotal]) -> Iterator[str]:
    regulation, deals = sheet.regulation.rules, deals_handed_in(sheet, totals)
    together = sum_together(totals, regulation)
    words = {"found": number(together), "deals": deals, "planned": sheet.deals_planned}
    if sheet.target is None and deals < sheet.deals_planned:
        sentence = ngettext(
            "Together this is %(found)s. That fits %(deals)s deal, and there are %(planned)s on "
            "the sheet. Were there really fewer?",
            "Together this is %(found)s. That fits %(deals)s deals, and there are %(planned)s on "
            "the sheet. Were there really fewer?",
            deals,
        )
        yield sentence % words
    scores = [side_score(total, regulation.pit_bonus) for total in totals.values()]
    if sheet.target is not None and max(scores) < sheet.target:
        sentence = (
            _("Nobody has the %(points)s points that end a round.")
            if sheet.three_handed
            else _("Neither side has the %(points)s points that end a round.")
        )
        yield sentence % {"points": number(sheet.target)}
    extra = together - deals * TRUMP_DEAL_POINTS
    if not sheet.three_handed and extra > deals * MUCH_PER_DEAL:
        sentence = _("That is %(extra)s of roem and %(pit)s in %(deals)s deals: a great deal.")
        yield sentence % {**words, "extra": number(extra), "pit": pit_word(sheet.club)}


def _other(rows: Mapping[str, SideTotal], side: str) -> SideTotal | None:
    """The totals of the other side; None at a table of three."""
    return rows[other_side(side)] if side in SIDES else None


def _side_faults(
    own: SideTotal, other: SideTotal | None, deals: int, sheet: Scoresheet
) -> Iterator[str]:
    regulation, pit = sheet.regulation.rules, pit_word(sheet.club)
    points, roem, pits = own.points or 0, own.roem or 0, own.pits or 0
    least = NO_TRUMP_DEAL_POINTS if regulation.no_trump else TRUMP_DEAL_POINTS
    if min(points, roem, pits, own.total or 0) < 0:
        yield _("Points, roem and %(pit)s cannot be negative.") % {"pit": pit}
        return
    others_pits = (other.pits or 0) if other else 0
    if points > TRUMP_DEAL_POINTS * (deals - others_pits):
        yield _("More card points than the deals can give.")
    if pits > 0 and own.points is not None and points < least * pits:
        yield _("Fewer card points than %(pit)s brings.") % {"pit": pit}
    if roem > deals * most_roem(regulation):
        yield _("More roem than the deals can give.")
    elif not extra_fits(roem, deals, regulation):
        yield _("No roem adds up to %(n)s.") % {"n": roem}
    if abs(own.correction) > LARGEST_CORRECTION:
        yield _("The correction is too large.")
    yield from _split_faults(own, deals, sheet)


def _split_faults(own: SideTotal, deals: int, sheet: Scoresheet) -> Iterator[str]:
    """What does not fit between a total and the parts of it that are known."""
    if own.total is None:
        return
    regulation, pit = sheet.regulation.rules, pit_word(sheet.club)
    if own.total == 1 and not _any_extra_fits(1, deals, regulation):
        yield _("Nobody can have 1 point: no trick is worth so little.")
    points, roem = own.points or 0, own.roem or 0
    rest = own.total - points - roem
    if own.points is not None and own.roem is not None:
        if not bonuses_fit(rest, deals, own.pits, regulation):
            yield _wrong_split(own, rest, sheet)
        return
    if own.pits and own.points is None:
        least = NO_TRUMP_DEAL_POINTS if regulation.no_trump else TRUMP_DEAL_POINTS
        bonus = min(regulation.pit_bonus, regulation.counter_pit_bonus)
        rest -= own.pits * (least + bonus)
    if rest < 0:
        yield _("Points, roem and %(pit)s are more than the total of %(total)s.") % {
            "pit": pit,
            "total": number(own.total),
        }
    elif own.points is not None and not _any_extra_fits(rest, deals, regulation):
        yield ngettext(
            "Of the total of %(total)s, %(points)s are card points. The one point that is left "
            "cannot be roem and %(pit)s.",
            "Of the total of %(total)s, %(points)s are card points. The other %(rest)s cannot be "
            "roem and %(pit)s.",
            rest,
        ) % {
            "total": number(own.total),
            "points": number(points),
            "rest": number(rest),
            "pit": pit,
        }


def _wrong_split(own: SideTotal, rest: int, sheet: Scoresheet) -> str:
    """That points, roem and pits come to something else than the total, and to what."""
    made = (own.points or 0) + (own.roem or 0)
    bonus = (own.pits or 0) * sheet.regulation.rules.pit_bonus
    differs = rest - bonus
    sentence = (
        _("Points, roem and %(pit)s come to %(made)s, and the total is %(total)s: %(n)s more.")
        if differs > 0
        else _("Points, roem and %(pit)s come to %(made)s, and the total is %(total)s: %(n)s less.")
    )
    return sentence % {
        "pit": pit_word(sheet.club),
        "made": number(made + bonus),
        "total": number(own.total or 0),
        "n": number(abs(differs)),
    }


def _any_extra_fits(points: int, deals: int, regulation: RuleSet) -> bool:
    """Whether roem and bonuses of so many deals can come to this, also with nils."""
    nils = range(deals + 1 if regulation.nil_bonus else 1)
    bonus = regulation.nil_bonus or 0
    return any(extra_fits(points - made * bonus, deals, regulation) for made in nils)


def _points_fit(sheet: Scoresheet, points: int) -> bool:
    """Whether any number of the sheet's deals gives these card points together."""
    sums = sums_of_three if sheet.three_handed else possible_sums
    numbers = range(1, sheet.deals_planned + 1)
    return any(points in sums(deals, sheet.regulation.rules) for deals in numbers)


def _wrong_points(sheet: Scoresheet, points: int) -> str:
    if sheet.three_handed:
        sums = sums_of_three(sheet.deals_planned, sheet.regulation.rules)
        sentence = _(
            "The card points of the three together are %(found)s; they should lie between "
            "%(least)s and %(most)s."
        )
        words = {"found": points, "least": sums[0], "most": sums[-1]}
        return sentence % {key: number(value) for key, value in words.items()}
    if sheet.target is not None:
        return _(
            "The card points of both sides together are %(found)s; no number of deals gives that."
        ) % {"found": points}
    sentence = _("The card points of both sides together are %(found)s; they should be %(wanted)s.")
    return sentence % {"found": points, "wanted": sheet.deals_planned * TRUMP_DEAL_POINTS}


def _wrong_sum(sheet: Scoresheet, together: int) -> str:
    """That no number of the sheet's deals gives this sum, why, and which sums near it do fit."""
    regulation, deals = sheet.regulation.rules, sheet.deals_planned
    cards = deals * TRUMP_DEAL_POINTS
    words = {
        "found": number(together),
        "deals": deals,
        "cards": number(cards),
        "rest": number(together - cards),
        "pit": pit_word(sheet.club),
    }
    if sheet.three_handed or regulation.no_trump or together < cards:
        why = _("Together this is %(found)s. No number of deals gives that.") % words
    else:
        words["give"] = ngettext("%(n)s deal gives", "%(n)s deals give", deals) % {"n": deals}
        why = (
            ngettext(
                "Together this is %(found)s. %(give)s %(cards)s, and the one point that is left "
                "cannot be roem and %(pit)s.",
                "Together this is %(found)s. %(give)s %(cards)s, and the other %(rest)s cannot be "
                "roem and %(pit)s.",
                together - cards,
            )
            % words
        )
    steps = range(1, NEAR + 1)
    fits = [
        next((n for n in near if deals_in_sum(n, deals, regulation) == deals), None)
        for near in ([together - n for n in steps], [together + n for n in steps])
    ]
    near = [str(number(n)) for n in fits if n is not None]
    if sheet.three_handed or not near:
        return why
    return f"{why} " + _("It could be %(sums)s.") % {"sums": get_text_list(near, _("or"))}


def _handed_in(sheet: Scoresheet) -> dict[str, HandedIn]:
    return {
        row.side: HandedIn(row.points, row.roem, row.pits, row.correction, row.total)
        for row in sheet.side_totals.order_by("pk")
    }


def _put(sheet: Scoresheet, totals: Mapping[str, HandedIn]) -> None:
    sheet.side_totals.all().delete()
    rows = [handed_in.row(side) for side, handed_in in totals.items()]
    for row in rows:
        row.sheet = sheet
    SideTotal.objects.bulk_create(rows)
