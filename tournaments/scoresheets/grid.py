"""A whole paper sheet as a grid: its lines, what the keys do, and which table comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from clubs.text.numbers import SUIT_NAMES, roem_letters_read
from scoring import rules
from scoring.deals.director_forms import TYPED, LineForm, box_text
from scoring.deals.entries import sheet_doubts
from scoring.deals.phone import phone_deals, phone_sheet
from scoring.display.sheet_view import SheetView, has_entry, line_in_words
from scoring.display.words import pit_word, reader_language, side_words
from scoring.models import Deal, Scoresheet, full_sheets
from scoring.rules import fault_message
from tournaments.models import Evening, SheetPhoto, Table

ROEM_DIGITS: Final = {"2": 20, "4": 40, "5": 50, "7": 70}
WORDS: Final = {
    "written": gettext_lazy("Saved. Deal {n} is written: {score}"),
    "written_all": gettext_lazy("Everything is saved: all {n} deals are written."),
    "faulty": gettext_lazy("Deal {n} is not written. {faults}"),
    "state_written": "✓",
    "state_typing": "",
    "state_sending": gettext_lazy("being sent"),
    "state_unsent": gettext_lazy("waits"),
    "state_faulty": gettext_lazy("not written"),
    "offline": gettext_lazy("No connection. What you type is kept here and sent later."),
    "logged_out": gettext_lazy(
        "You are logged out. Log in again in another tab; this is sent after that."
    ),
    "error": gettext_lazy("The server could not save this. Reload the page."),
    "waiting": gettext_lazy("Not written yet: deal {n}."),
    "again": gettext_lazy("Press again to continue anyway."),
    "table": gettext_lazy("Table {n}"),
}
"""The words of the page's script."""


@dataclass
class GridLine:
    """One line of the grid: its form and what stands on the sheet.

    `marks` are the words for nat, pit and the like; `warnings` say what is unlikely. `standing` is
    what somebody else wrote in the meantime, in words, if it differs from what was typed.
    """

    form: LineForm
    deal: Deal
    score: str = ""
    marks: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    standing: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        return self.deal.number

    @property
    def is_written(self) -> bool:
        return has_entry(self.deal)

    @property
    def faults(self) -> list[str]:
        """What is wrong with what was sent, each once; nothing where nothing was typed."""
        form = self.form
        if not (form.is_bound and form.is_touched):
            return []
        return list(dict.fromkeys(str(text) for texts in form.errors.values() for text in texts))

    @property
    def total(self) -> int:
        """What the points of both sides add up to; in no-trump that is another number."""
        no_trump = self.form["trump"].value() == "NT"
        return rules.NO_TRUMP_DEAL_POINTS if no_trump else rules.TRUMP_DEAL_POINTS


@dataclass(frozen=True, slots=True)
class GridKeys:
    """What each key does in the boxes of the grid, by its small letter: a side's goes to its roem
    box, a suit's sets trump, and in a roem box digits and letters add roem."""

    sides: Mapping[str, str]
    suits: Mapping[str, str]
    roem: Mapping[str, int]
    nat: str
    pit: str
    words: Mapping[str, str]

    def payload(self) -> dict[str, Any]:
        """The keys for the page's script."""
        return {"sides": self.sides, "suits": self.suits, "roem": self.roem} | {
            "nat": self.nat,
            "pit": self.pit,
        }

    def in_plays(self, form: LineForm) -> list[tuple[str, str]]:
        """The keys in the declarer's box, each with its choice: a letter for a side, else the
        number of a person."""
        letters = {side.upper(): key for key, side in self.sides.items()}
        choices = enumerate(form["declarer"].field.choices)  # type: ignore[attr-defined]
        return [(letters.get(value, str(at)), name) for at, (value, name) in choices if value]

    @property
    def in_points(self) -> list[tuple[str, str]]:
        """Each key in the boxes of points, with what it does."""
        keys = (*self.sides, self.nat, self.pit, *self.suits)
        return [(key, self.words[key]) for key in keys if key]

    @property
    def in_roem(self) -> list[tuple[str, str]]:
        """Each key in the boxes of roem, with the points that it adds."""
        return [(key.upper(), str(worth)) for key, worth in self.roem.items()]


def grid_line(form: LineForm) -> GridLine:
    """The line of a form with what stands on the sheet for its deal."""
    deal, sheet = form.deal, form.view.sheet
    entry = deal.current
    if entry is None or entry.written is None:
        return GridLine(form, deal)
    result = rules.evaluate(entry.written, sheet.regulation.rules)
    pit, language = pit_word(sheet.club), reader_language()
    warnings = [fault_message(fault, language, pit) for fault in result.warnings]
    warnings += [doubt.words for doubt in sheet_doubts(sheet, deal.number, result)]
    return GridLine(form, deal, line_in_words(entry, sheet), _marks(result, pit), warnings)


def grid_keys(view: SheetView) -> GridKeys:
    """The keys of this sheet's grid, in the reader's language and with the club's letters."""
    regulation, pit = view.sheet.regulation.rules, pit_word(view.sheet.club)
    called = {side.lower(): str(word).lower() for side, word in side_words(view.sheet).items()}
    words = {word[0]: _("roem %(who)s") % {"who": word} for word in called.values()}
    sides = {word[0]: side for side, word in called.items()}
    nat = pgettext("key for nat", "n") if regulation.nat else ""
    twice = _("%(pit)s of the declarers; pressed twice: of the others") % {"pit": pit}
    words = {nat: _("nat, not counted"), pit[0].lower(): twice} | words
    suits = {str(name)[0]: suit for suit, name in SUIT_NAMES.items() if str(name)[0] not in words}
    jacks = pgettext("key for four jacks", "j")
    roem = ROEM_DIGITS | {"1": regulation.four_of_a_kind, jacks: regulation.four_jacks}
    letters = roem_letters_read(view.sheet.club.roem_letters)
    return GridKeys(
        sides=sides,
        suits=suits,
        roem=roem | {letter.lower(): worth for letter, worth in letters.items()},
        nat=nat,
        pit=pit[0].lower(),
        words={key: str(SUIT_NAMES[suit]) for key, suit in suits.items()} | words,
    )


def line_payload(line: GridLine) -> dict[str, Any]:
    """A line for the page's script, with what is written as the boxes show it."""
    return {
        "number": line.number,
        "version": line.deal.version,
        "written": line.is_written,
        "score": line.score,
        "marks": line.marks,
        "warnings": line.warnings,
        "fields": {
            name: box_text(line.form.initial.get(name))
            for name in TYPED
            if name in line.form.fields
        },
    }


def page_payload(view: SheetView, keys: GridKeys, lines: Sequence[GridLine]) -> dict[str, Any]:
    """All that the page's script needs: the lines, the keys, the rules and its words."""
    return {
        "keys": keys.payload(),
        "full": view.sheet.is_full,
        "lines": [line_payload(line) for line in lines],
        "words": {name: str(text) for name, text in WORDS.items()},
        "rules": {**phone_sheet(view), "nat": _("nat")},
        "deals": phone_deals(view, [line.form for line in lines]),
    }


def strips_of(evening: Evening, sheet: Scoresheet) -> dict[int, dict[str, str]]:
    """For each deal on a picture of this sheet, the address of the picture and the part of it, in
    millimetres, that shows the deal."""
    strips: dict[int, dict[str, str]] = {}
    photos = SheetPhoto.objects.filter(sheet=sheet, state__in=SheetPhoto.USED).defer("content")
    for photo in photos:
        url = reverse("sheet_photo_picture", args=[evening.club.slug, evening.slug, photo.uuid])
        strips |= {deal: {"picture": url, "box": box} for deal, box in photo.strips.items()}
    return strips


def next_table(table: Table) -> Table | None:
    """The next table of the round whose sheet is not full, going round past the last; None if
    there is no other."""
    return _after(table, table.round.tables.exclude(full_sheets("sheet__")))


def next_blank_table(table: Table) -> Table | None:
    """The next table whose sheet is blank, and so can hand in totals."""
    return _after(table, table.round.tables.filter(sheet__deals_entered=0))


def _after(table: Table, tables: QuerySet[Table]) -> Table | None:
    waiting = list(tables.exclude(pk=table.pk).order_by("number"))
    return next((t for t in waiting if t.number > table.number), next(iter(waiting), None))


def _marks(result: rules.DealResult, pit: str) -> list[str]:
    marks = []
    if result.nat and result.pit is None:
        marks.append(_("nat"))
    if result.pit is not None:
        own = result.pit == result.deal.declarers
        marks.append(pit if own else _("counter-%(pit)s") % {"pit": pit})
    return marks
