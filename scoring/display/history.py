"""The history of a deal: what was written, by whom, on which phone, when and why."""

import datetime as dt
import uuid as uuids
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubs.text.numbers import suit_name
from scoring import rules
from scoring.display.sheet_view import SheetView, line_in_words
from scoring.display.words import pit_word, side_word
from scoring.models import Deal, DealEntry, Scoresheet
from scoring.rules import SIDES, Seat

ON_THE_WAY = dt.timedelta(minutes=1)
"""A shorter delay between writing and receiving is not mentioned."""

NameOf = Callable[[Seat], str]


@dataclass(frozen=True, slots=True)
class Revision:
    """One entry of a deal's history.

    `score` is what it put on the sheet, `summary` who played what. `key` is the UUID for the entry
    that would put it back. Number 0 is the empty line before the first entry.
    """

    number: int
    score: str
    summary: str = ""
    author: str = ""
    device: str = ""
    when: str = ""
    reason: str = ""
    has_record: bool = False
    stands: bool = False
    key: uuids.UUID = field(default_factory=uuids.uuid4)


def revisions(deal: Deal, view: SheetView) -> list[Revision]:
    """All entries of a deal, newest first, down to the empty line it began as; nothing for a deal
    that was never written, or that the view hides."""
    if not deal.version:
        return []
    entries = list(deal.entries.select_related("user").order_by("-revision"))
    name_of = view.short_names(deal.number).__getitem__
    revisions = [_revision(entry, deal, view.sheet, name_of) for entry in entries]
    return [*revisions, Revision(number=0, score=_("empty"))]


def written_words(written: Mapping[str, Any], sheet: Scoresheet, name_of: NameOf) -> str:
    """Who played what, and anything special, as short as a line of the sheet."""
    result = rules.evaluate(written, sheet.regulation.rules)
    declarer, trump = written["declarer"], written.get("trump")
    parts = [
        side_word(sheet, declarer).lower() if declarer in SIDES else name_of(declarer),
        suit_name(trump) if trump else "",
        _roem(result, sheet),
        _pit_or_nat(result, pit_word(sheet.club)),
        _culprit(result, sheet, name_of),
        _("corrected") if result.deal.corrections else "",
    ]
    return ", ".join(filter(None, parts))


def line_words(written: Mapping[str, Any] | None, sheet: Scoresheet, name_of: NameOf) -> str:
    """A line of the sheet in words: `90–72 · wij, harten`, or that it is empty."""
    if written is None:
        return _("empty")
    result = rules.evaluate(written, sheet.regulation.rules)
    if result.verdict == "void":
        return _("dealt again")
    sides = rules.sides_of(written["declarer"]) if sheet.three_handed else sheet.columns
    score = "–".join(str(result.score[side]) for side in sides)
    return f"{score} · {written_words(written, sheet, name_of)}"


def device_words(device: str) -> str:
    """`phone:2` in words, or `photo:` with the hash of the picture that a deal was read from; empty
    where the phone is not known."""
    kind, _colon, number = device.partition(":")
    if kind == "photo":
        return _("from a photo")
    return _("phone %(n)s") % {"n": number} if kind == "phone" and number.isdecimal() else ""


def has_travelled(made_at: dt.datetime, received_at: dt.datetime) -> bool:
    """Whether the two times differ noticeably: a delay, or a clock that is wrong."""
    return abs(received_at - made_at) > ON_THE_WAY


def when_words(made_at: dt.datetime, received_at: dt.datetime) -> str:
    """When it was received, and when it was typed if that is more than a minute off: the phone was
    out of reach, or its clock is wrong."""
    if not has_travelled(made_at, received_at):
        return moment(received_at)
    words = {"made": moment(made_at), "came": moment(received_at)}
    return _("typed %(made)s, received %(came)s") % words


def moment(at: dt.datetime) -> str:
    """The time of day, with the date unless it is today."""
    local = localtime(at)
    is_today = local.date() == localtime().date()
    return date_format(local, "H:i" if is_today else "j b H:i")


def restored_reason(deal: Deal, number: int) -> str:
    """The default reason for putting revision `number` of a deal back."""
    entry = deal.entries.filter(revision=number).first()
    if entry is None:
        return _("Put back: an empty line.")
    words = {"score": line_in_words(entry, deal.sheet), "at": moment(entry.received_at)}
    return _("Put back: %(score)s, as written at %(at)s.") % words


def _revision(entry: DealEntry, deal: Deal, sheet: Scoresheet, name_of: NameOf) -> Revision:
    return Revision(
        number=entry.revision,
        score=line_in_words(entry, sheet),
        summary=written_words(entry.written, sheet, name_of) if entry.written else "",
        author=_author(entry, sheet),
        device=device_words(entry.device),
        when=when_words(entry.made_at, entry.received_at),
        reason=entry.reason or _kind(entry),
        has_record=entry.record is not None,
        stands=entry.pk == deal.current_id,
    )


def _author(entry: DealEntry, sheet: Scoresheet) -> str:
    """A user by name, or the table, with its side where each side has its own link."""
    if entry.user:
        return str(entry.user)
    if entry.side:
        return _("at the table, %(side)s") % {"side": side_word(sheet, entry.side).lower()}
    return _("at the table")


def _kind(entry: DealEntry) -> str:
    """What was done, other than writing."""
    return "" if entry.kind == DealEntry.Kind.WRITTEN else entry.get_kind_display()


def _roem(result: rules.DealResult, sheet: Scoresheet) -> str:
    """The roem in the order of the line: *wij* first, or at a table of three the declarer."""
    if not any(result.roem.values()):
        return ""
    declarer: Seat = result.deal.declarer  # type: ignore[assignment]
    sides = rules.sides_of(declarer) if sheet.three_handed else sheet.columns
    return _("roem %(roem)s") % {"roem": "–".join(str(result.roem[side]) for side in sides)}


def _pit_or_nat(result: rules.DealResult, pit: str) -> str:
    if result.pit is None:
        return _("nat") if result.nat else ""
    return pit if result.pit == result.deal.declarers else _("counter-%(pit)s") % {"pit": pit}


def _culprit(result: rules.DealResult, sheet: Scoresheet, name_of: NameOf) -> str:
    deal = result.deal
    chair = deal.reneged or deal.accused_wrongly_by
    if chair is None:
        return ""
    seat: Seat = chair
    if sheet.three_handed:
        chairs = rules.chairs_of(deal.declarer)  # type: ignore[arg-type]
        seat = next(person for person, taken in chairs.items() if taken == chair)
    words = _("%(who)s reneged") if deal.reneged else _("%(who)s accused wrongly")
    return words % {"who": name_of(seat)}
