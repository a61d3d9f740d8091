"""What the programs of pages need: for the phone's, the sheet as data and the words that it shows;
for that of the paper grid, a whole sheet with its lines, its keys and the next table. And the
history of a sheet, a deal or a person, from the audit trail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from clubs.audit.trail import PEOPLE
from clubs.models import AuditEvent, Club, Member, MemberMerge, User
from clubs.text.numbers import SUIT_NAMES, roem_letters_read
from scoring import rules
from scoring.deals.director_forms import TYPED, LineForm, box_text
from scoring.deals.evaluation import sheet_doubts
from scoring.deals.forms import DealForm
from scoring.deals.phone import phone_deals, phone_sheet
from scoring.display.sheet_view import SheetRow, SheetView, has_entry, is_written, line_in_words
from scoring.display.words import pit_word, reader_language, side_words
from scoring.disputes.services import SideView, is_theirs
from scoring.models import Deal, DealEntry, Scoresheet, Seat, full_sheets
from scoring.rules import SEATS, SIDES, THREE, fault_message
from tournaments.models import Evening, SheetPhoto, Table

Json = dict[str, Any]


def table_data(view: SheetView, *, round_number: int, url: str, is_open: bool) -> Json:
    """The whole sheet; `url` is where its round is shown, and `is_open` whether it takes deals."""
    sheet = view.sheet
    form = DealForm(view=view, number=view.deals[0].number)
    forms = [form.on_line(deal.number) for deal in view.deals]
    abouts = phone_deals(view, forms)
    rows = {row.number: row for row in view.rows}
    folders = _folders(view)
    return {
        "sheet": str(sheet.uuid),
        "round": round_number,
        "url": url,
        "open": is_open and not view.handed_in,
        "target": sheet.target,
        "three": sheet.three_handed,
        "side": view.side if isinstance(view, SideView) else "",
        "columns": sheet.columns,
        "sides": {side: str(word) for side, word in side_words(sheet).items()},
        "lines": [
            {
                **_place(form),
                **folders.get(form.number, {}),
                "about": abouts[form.number],
                **_content(view, form.deal, rows.get(form.number)),
            }
            for form in forms
        ],
    }


def _folders(view: SheetView) -> dict[int, Json]:
    """By deal, the number of the folder that it is of. A query where folders are played."""
    if not any(deal.folder_id for deal in view.deals):
        return {}
    numbers = Deal.objects.filter(sheet=view.sheet, folder__isnull=False)
    return {
        number: {"folder": folder}
        for number, folder in numbers.values_list("number", "folder__number")
    }


def _place(form: DealForm) -> Json:
    """The parts of a line that do not depend on what is written on it."""
    sheet, deal = form.view.sheet, form.deal
    return {
        "number": deal.number,
        "version": deal.version,
        "entry": str(deal.current_id or ""),
        "dealer": sheet.dealer(deal.number) or "",
        "forehand": sheet.forehand(deal.number) or "",
        "forced": form.forced_seat or "",
        "declarers": form.declarers,
    }


def _content(view: SheetView, deal: Deal, row: SheetRow | None) -> Json:
    """What is written on a line; a blank one only says so."""
    entry = deal.current
    if entry is None or entry.written is None or row is None:
        return {"has": False, "counts": False}
    return {
        "has": True,
        "counts": is_written(deal),
        "fields": _fields(entry.written, three_handed=view.sheet.three_handed),
        "words": line_in_words(entry, view.sheet),
        "points": [row.ns.points or 0, row.ew.points or 0],
        "roem": [row.ns.roem or 0, row.ew.roem or 0],
        "score": _score(entry, three_handed=view.sheet.three_handed),
        "theirs": is_theirs(view, entry),
        "undo": _undo(view, deal, entry),
    }


def _undo(view: SheetView, deal: Deal, entry: DealEntry) -> str:
    """What undoing the line leaves: `blank`, or what stood `before`; empty where it cannot be.

    A line before the last one can be undone after that one, which the phone may do by itself.
    """
    if is_theirs(view, entry):
        return ""
    if deal != view.last_written:
        tables_own = entry.kind == DealEntry.Kind.WRITTEN and entry.user_id is None
        may_follow = tables_own and deal.version == 1
        return "blank" if may_follow and not isinstance(view, SideView) else ""
    if not view.can_undo:
        return ""
    before = entry.replaces
    return "before" if before and before.written is not None else "blank"


def _fields(written: Mapping[str, Any], *, three_handed: bool) -> list[list[str]]:
    """The line as the fields of the form, by name and value."""
    entry = rules.entry_of_three(written) if three_handed else written
    marks = ("pit", "reneged", "accused_wrongly_by", "nil")
    ticks = ("nat", "replayed")
    pairs = [(name, entry.get(name)) for name in ("declarer", "trump", "bid", *marks)]
    pairs += [(name, entry.get(name) and "on") for name in ticks]
    for side in SIDES:
        pairs.append((f"points_{side.lower()}", (entry.get("points") or {}).get(side)))
        roem = (entry.get("roem") or {}).get(side) or []
        pairs.append((f"roem_{side.lower()}", " ".join(map(str, roem))))
    return [[name, str(value)] for name, value in pairs if value not in (None, "", False)]


def _score(entry: DealEntry, *, three_handed: bool) -> dict[str, int]:
    """What the line adds to the totals: of each side, or of each of three people by their seat."""
    result, written = entry.result or {}, entry.written or {}
    if entry.replayed:
        return dict.fromkeys(THREE if three_handed else SIDES, 0)
    if not three_handed:
        return {side: result["score"][side] for side in SIDES}
    chairs = rules.chairs_of(written["declarer"])
    return {seat: result["players"][chairs[seat]] for seat in SEATS if seat in chairs}


def table_texts(club: Club) -> Mapping[str, object]:
    """The words by key, in the reader's language; the program fills in each {name}."""
    number, pit = {"number": "{number}"}, {"pit": pit_word(club)}
    return {
        "pit": pit["pit"],
        "counter_pit": _("counter-%(pit)s") % pit,
        "nat": _("nat"),
        "reneged": _("reneged"),
        "accused": _("wrongly accused"),
        "nil_made": _("nil made"),
        "nil_failed": _("nil failed"),
        "replayed": _("dealt again"),
        "corrected": _("corrected"),
        "marked": pgettext("mark on the sheet", "changed"),
        "deal": _("Deal"),
        "ahead": _("%(points)s ahead") % {"points": "{points}"},
        "place": _("deal %(number)s") % number,
        "folder": _("Folder %(n)s") % {"n": "{folder}"},
        "folder_deal": _("deal %(n)s of %(planned)s") % {"n": "{number}", "planned": "{planned}"},
        "place_of": _("deal %(number)s/%(planned)s") % {**number, "planned": "{planned}"},
        "plays": _("%(name)s plays") % {"name": "{name}"},
        "write": _("Write deal %(number)s") % number,
        "change": _("Change deal %(number)s") % number,
        "correct": _("Correct deal %(number)s") % number,
        "undo": _("undo deal %(number)s") % number,
        "saved": _("Written: deal %(number)s, %(score)s") % {**number, "score": "{score}"},
        "stands": _("On the sheet: deal %(number)s, %(score)s") % {**number, "score": "{score}"},
        "kept": _("On this phone: deal %(number)s, %(score)s") % {**number, "score": "{score}"},
        "fill": _("Fill in the points of one side; the other follows."),
        "change_hint": _("Change what is wrong and choose a reason."),
        "why": _("Say why the deal is changed."),
        "at_once": _("put right at once"),
        "put_back": _("Put that back"),
        "undone": _("Deal %(number)s is undone.") % number,
        "changed": _("Deal %(number)s changed: %(before)s became %(after)s")
        % {**number, "before": "{before}", "after": "{after}"},
        "waits": _("waits"),
        "sent": _("sent"),
        "away": _("no wifi"),
        "waiting": _("%(count)s deals wait for wifi (%(time)s)")
        % {"count": "{count}", "time": "{time}"},
        "waiting_one": _("1 deal waits for wifi (%(time)s)") % {"time": "{time}"},
        "just_written": _("Deal %(number)s has just been written: %(score)s.")
        % {**number, "score": "{score}"},
        "taken_back": _("Deal %(number)s was taken back.") % number,
        "undo_failed": _("Taking back deal %(number)s did not work.") % number,
        "of_round": _("Round %(round)s, deal %(number)s") % {**number, "round": "{round}"},
    }


CHANGED = ~Q(action="deal_written") | Q(commitments__has_key="reason")
"""Everything except deals written for the first time."""


def sheet_events(tables: Sequence[Table]) -> QuerySet[AuditEvent]:
    """What happened on the sheets of these tables of one evening."""
    chains = [table.sheet.chain_name for table in tables]
    return AuditEvent.objects.filter(chain__in=chains)


def table_events(evening: Evening, number: int, tables: Sequence[Table]) -> QuerySet[AuditEvent]:
    """What happened at a table this evening: on its sheets, and to its links and phones."""
    about_table = Q(object_ref=f"evening:{evening.uuid}", data__table=number)
    links = AuditEvent.objects.filter(about_table, chain=evening.club.chain_name)
    return sheet_events(tables) | links


def deal_events(sheet: Scoresheet, number: int) -> Sequence[AuditEvent]:
    """What happened to one deal of a sheet, newest first. An event about the whole sheet is
    narrowed to this deal."""
    events = AuditEvent.objects.filter(chain=sheet.chain_name).select_related("club")
    history = []
    for event in events.order_by("-number").prefetch_related("texts"):
        entries = [line for line in event.data.get("entries", ()) if line["deal"] == number]
        if entries or event.object_ref == f"deal:{number}":
            event.data = {**event.data, "entries": entries}
            history.append(event)
    return history


def member_events(member: Member) -> QuerySet[AuditEvent]:
    """What was done about somebody: details, check-in, partners, seats taken over; also as the
    guests who were merged into them."""
    merges = MemberMerge.objects.filter(member=member, undone_at=None)
    own = [str(member.uuid), *merges.values_list("guest__uuid", flat=True)]
    named = Q(object_ref__in=[f"member:{uuid}" for uuid in own])
    for key in PEOPLE:
        named |= Q(**{f"data__{key}__in": own})
    chains = Q(chain=member.club.chain_name) | Q(chain__in=_sheets(member))
    return AuditEvent.objects.filter(chains, named, club=member.club)


def member_table_events(member: Member) -> QuerySet[AuditEvent]:
    """The changes on the sheets of the tables somebody sat at; not what was simply written."""
    return AuditEvent.objects.filter(CHANGED, club=member.club, chain__in=_sheets(member))


def user_of(member: Member) -> User | None:
    """The account with the member's e-mail address and a role at their club, if there is one."""
    if not member.email:
        return None
    return User.objects.filter(email__iexact=member.email, roles__club=member.club).first()


def _sheets(member: Member) -> list[str]:
    """The chains of the sheets of the tables somebody sat at."""
    seats = Seat.objects.filter(member=member).select_related("sheet").order_by("pk")
    return [f"sheet:{uuid}" for uuid in seats.values_list("sheet__uuid", flat=True)]


# A whole paper sheet as a grid.


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
