"""A list of who comes to an evening: read, compared with the club, shown and ticked."""

import datetime as dt
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import actor_of, desk_view
from clubs.audit.services import Actor
from clubs.files.reading import FileFaults
from clubs.lists.core.layout import (
    Field,
    Layout,
    Line,
    Sheet,
    best_sheet,
    guess_layout,
    repeats_headings,
    side_by_side,
)
from clubs.lists.core.values import looks_like, plain
from clubs.lists.names import two_names
from clubs.lists.reading import list_read
from clubs.members.forms import ListForm
from clubs.members.imports import LONGEST_NAME, People
from clubs.models import Club, Member, PublicAs
from clubs.namesakes.services import Duplicates
from clubs.text.names import name_key, tidy_name
from tournaments.evenings.pages import (
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import SET_PRESENCE
from tournaments.evenings.services import evening_lock
from tournaments.imports.forms import EntriesForm
from tournaments.imports.list_layout import (
    OF_EVENING,
    PERSON,
    PERSON_FIELDS,
    ListLayout,
    guess_layouts,
    is_sum_line,
)
from tournaments.imports.list_rows import name_in
from tournaments.models import Evening
from tournaments.registration.check_in import guest_add, member_called, presence_update
from tournaments.registration.forms import ticked

MOST_ENTRIES: Final = 400
_COMES = "comes"
_FIELDS: Final = (
    *PERSON_FIELDS,
    Field(
        _COMES,
        (
            *("komt", "aanwezig", "aangemeld", "opgegeven", "doet mee", "speelt mee", "ja nee"),
            *("present", "coming", "comes", "plays", "attending"),
        ),
    ),
)
_YES = frozenset("x ja j yes y 1 v ok aanwezig komt wel true present".split())
_TICKS = frozenset("✓✔✅☑+")
_NOT_COMING = re.compile(
    r"[\s,:;(-]+(?:(?:komt|kan|ik kom|doet|speelt|is er) )?"
    r"(?:niet|afgemeld|afwezig|verhinderd|nee|not coming)(?: mee)?[.!)]*$|\s*[❌✗✘👎🚫]",
    re.IGNORECASE,
)
_WITH_GUEST = re.compile(r"\s*\+\s*(?:(?:gast|introducee?|guest)\b:?\s*)?", re.IGNORECASE)
_SAYS_WHO = re.compile(r"(?:ja|yes|komt|komen|aanwezig|wel|present|coming)[ \d]*")
_SAYS_WHO_NOT = re.compile(
    r"(?:nee|no|niet|komt niet|komen niet|afwezig|afgemeld|verhinderd|misschien|weet nog niet"
    r"|maybe|absent|not coming)[ \d]*"
)
"""A line of its own above those who come, or do not, as in the answers to a poll."""
_CHAT = re.compile(r"\[?\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4},? \d{1,2}:\d\d[^\w]*([^:]{2,60}): (.+)")
_CHAT_YES = re.compile(
    r"\b(?:ik kom|kom ook|ik ben er|ben er|ja|jawel|doe mee|present|yes)\b|[👍✅✔☑🙋]"
)
_CHAT_NO = re.compile(r"\b(?:niet|nee|helaas|afgemeld|verhinderd|no|not)\b|[👎❌🚫]")
_CHAT_ALONG = re.compile(r"(?:\bmet|\ben|\bwith|\+) ((?:[^\W\d_a-z]\w+ ?)+)")
_SIGNS = re.compile("[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]+")
"""Ticks, thumbs and other pictures that people put behind a name."""
_NUMBERING = re.compile(r"^\s*(?:\d{1,3}\s?[.):]\s*|[-*\u2022\u00b7\u2013>+]\s+)+")


@dataclass(frozen=True, slots=True)
class EntryQuestion:
    """A name that may be somebody of the club, or several."""

    name: str
    members: Sequence[Member]


@dataclass
class Entries:
    """What a list comes to: people of the club who come, names that may be one of them, names of
    nobody, people who do not come, and lines that are no people."""

    coming: list[Member] = field(default_factory=list)
    questions: list[EntryQuestion] = field(default_factory=list)
    guests: list[str] = field(default_factory=list)
    staying: list[str] = field(default_factory=list)
    not_people: list[str] = field(default_factory=list)
    is_cut: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.coming or self.questions or self.guests or self.staying)


def entries_read(club: Club, date: dt.date, sheets: Sequence[Sheet]) -> Entries:
    """Who comes on this day by a list: by its column of the day, or one that says yes or no, or
    else everybody in it."""
    below = [side_by_side(sheet, PERSON_FIELDS, PERSON) for sheet in sheets]
    plain_sheets = [_without_numbering(sheet) for sheet in below]
    sheet = plain_sheets[best_sheet(plain_sheets, _FIELDS)]
    layout, column = _layout(sheet, date)
    entries, people = Entries(), _Known(club)
    repeated = Layout(layout.below, layout.headings, layout.uses)
    entries.not_people += [" · ".join(line.filled) for line in sheet.lines[: layout.below]][:20]
    is_below_no = False
    for line in sheet.lines[layout.below :]:
        is_sum = is_sum_line(line) or repeats_headings(line, repeated)
        says_no = column is not None and not _says_yes(line.cell(column))
        answer = _answer_of(line)
        if answer is not None:
            is_below_no = not answer
        says_no = says_no or is_below_no
        names = [] if answer is not None else list(_names(line, layout))
        if not names:
            entries.not_people.append(" · ".join(line.filled)[:120])
        for name, is_staying in names:
            if is_sum or not _is_name(name):
                entries.not_people.append(" · ".join(line.filled)[:120])
            elif is_staying or says_no:
                entries.staying.append(name)
            elif people.taken >= MOST_ENTRIES:
                entries.is_cut = True
            else:
                people.take(name, entries)
    return entries


def _answer_of(line: Line) -> bool | None:
    """What a line of its own says of the people below it: that they come, or not; or None."""
    words = plain(line.filled[0]) if len(line.filled) == 1 else ""
    if _SAYS_WHO_NOT.fullmatch(words):
        return False
    return True if _SAYS_WHO.fullmatch(words) else None


def _without_numbering(sheet: Sheet) -> Sheet:
    """The sheet without what stands before names in a message: "1.", "-"; of a chat that was
    copied only who says to come, or not."""
    chat = [_CHAT.fullmatch(", ".join(line.filled)) for line in sheet.lines]
    if sum(map(bool, chat)) * 2 > len(chat):
        said = zip(sheet.lines, chat, strict=True)
        return Sheet(sheet.name, tuple(_chat_line(line, match) for line, match in said))
    if sheet.width > 1:
        return sheet
    lines = (Line(line.number, (_NUMBERING.sub("", line.cell(0)),)) for line in sheet.lines)
    return Sheet(sheet.name, tuple(line for line in lines if line.filled))


def _chat_line(line: Line, match: re.Match[str] | None) -> Line:
    """The name of whoever says to come, or not to; anything else as it is."""
    words = match[2].casefold() if match else ""
    if match and "?" not in words and _CHAT_NO.search(words):
        return Line(line.number, (f"{match[1]} niet",))
    if match and "?" not in words and _CHAT_YES.search(words):
        along = _CHAT_ALONG.search(match[2])
        return Line(line.number, (f"{match[1]} + {along[1]}" if along else match[1],))
    return Line(line.number, (", ".join(line.filled),))


def _layout(sheet: Sheet, date: dt.date) -> tuple[ListLayout, int | None]:
    """What the columns hold, and which one says who comes."""
    across = guess_layouts([sheet], "", date).sheets[0]
    if across.has_days_across:
        days = [at for at, use in enumerate(across.uses) if use == OF_EVENING]
        of_day = [at for at in days if across.dates.get(at) == date]
        return across, (of_day or days)[0]
    found = guess_layout(sheet, _FIELDS)
    is_plain = _has_names_in_all_cells(sheet) or (sheet.width == 1 and _COMES in found.columns)
    uses = (None,) * sheet.width if is_plain else found.columns
    layout = ListLayout(found.above, found.below, found.headings, uses)
    return layout, layout.at(_COMES)


def _has_names_in_all_cells(sheet: Sheet) -> bool:
    """Whether these are whole names beside each other, as in a message with commas."""
    cells = [cell for line in sheet.lines for cell in line.filled]
    return sheet.width > 1 and all(" " in cell and _is_name(cell) for cell in cells)


def _names(line: Line, layout: ListLayout) -> Iterator[tuple[str, bool]]:
    """The names in a line, each with whether it says that they do not come; where no column has
    names, every cell is one."""
    for text in [name_in(line, layout)] if PERSON & set(layout.uses) else line.filled:
        coming = _NOT_COMING.sub("", text)
        for name in _WITH_GUEST.split(coming):
            if bare := " ".join(_SIGNS.sub(" ", name).split()):
                for one in two_names(bare) or (bare,):
                    yield one, coming != text


def _is_name(text: str) -> bool:
    return looks_like(tidy_name(text)) == "name" and len(text) <= LONGEST_NAME


def _says_yes(text: str) -> bool:
    return plain(text) in _YES or any(char in _TICKS for char in text)


class _Known:
    """The people of the club, and who was taken from the list already."""

    def __init__(self, club: Club) -> None:
        members = list(Member.objects.of(club).filter(erased_at=None).by_surname())
        self._people = People(club)
        self._by_id = {member.pk: member for member in members}
        self._alike = Duplicates((member.name, member) for member in members)
        self._seen: set[object] = set()
        self._by_key: dict[str, list[Member]] = {}
        for member in members:
            self._by_key.setdefault(member.name_key, []).append(member)
        self.taken = 0

    def take(self, name: str, entries: Entries) -> None:
        """Put somebody of the list where they belong; who is in it twice counts once."""
        name = tidy_name(name)
        namesakes = self._by_key.get(name_key(name), [])
        try:
            person = self._people.find(name)
        except LookupError:
            person = name
        if person in self._seen:
            return
        self._seen.add(person)
        self.taken += 1
        like = namesakes if len(namesakes) > 1 else self._alike.like(name)
        if isinstance(person, int) and person in self._by_id:
            entries.coming.append(self._by_id[person])
        elif like:
            entries.questions.append(EntryQuestion(name, like))
        else:
            entries.guests.append(name)


@transaction.atomic
def entries_tick(
    *,
    evening: Evening,
    members: Collection[Member],
    guests: Sequence[str],
    public_as: str,
    actor: Actor,
) -> int:
    """Tick these people and add these guests, public as `public_as`, all or nobody. Returns how
    many are new here.

    Raises DomainError as `presence_update` and `guest_add` do.
    """
    evening = evening_lock(evening.pk)
    here = set(evening.registrations.filter(present=True).values_list("member", flat=True))
    arrived = [member for member in members if member.pk not in here]
    if arrived:
        presence_update(evening_id=evening.pk, arrived=arrived, left=(), actor=actor)
    for name in guests:
        guest_add(evening_id=evening.pk, name=name, actor=actor, public_as=public_as)
    return len(arrived) + len(guests)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "HEAD", "POST"])
def present_list(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """A list of who comes: chosen or pasted, shown, and only then ticked."""
    evening = find_evening(club, evening_slug)
    if not evening.is_open:
        return to_evening("evening_present", evening)
    if request.POST.get("do") == "tick":
        return _tick(request, evening)
    posted = request.POST if request.method == "POST" else None
    form = EntriesForm(posted, request.FILES or None)
    if form.is_valid():
        try:
            sheets = list_read(form.content()[1]).sheets
        except FileFaults as error:
            form.add_error("file", error.faults[0].message)
        else:
            return _show_entries(request, evening, sheets)
    template, status = "imports/present_list.html", 422 if form.errors else 200
    return show_evening(request, template, evening, form=form, status=status)


def _show_entries(
    request: HttpRequest, evening: Evening, sheets: tuple[Sheet, ...]
) -> HttpResponse:
    present = evening.registrations.filter(present=True)
    return show_evening(
        request,
        "imports/present_list_preview.html",
        evening,
        entries=entries_read(evening.club, evening.date, sheets),
        form=ListForm(club=evening.club),
        here=set(present.values_list("member", flat=True)),
        most=MOST_ENTRIES,
    )


def _tick(request: HttpRequest, evening: Evening) -> HttpResponse:
    """Tick exactly who was left ticked on the page."""
    answers = [request.POST.get(f"who-{at}", "") for at in range(MOST_ENTRIES)]
    ids = ticked([*request.POST.getlist("here"), *filter(str.isdecimal, answers)])
    members = {member.pk: member for member in Member.objects.of(evening.club).filter(pk__in=ids)}
    guests: list[str] = []
    new = [answer.removeprefix("guest:") for answer in answers if answer.startswith("guest:")]
    for text in [*request.POST.getlist("guest"), *new]:
        name = tidy_name(text)[:LONGEST_NAME]
        if text in request.POST.getlist("guest") and (known := member_called(evening, name)):
            members[known.pk] = known
        elif name:
            guests.append(name)
    form = ListForm(request.POST, club=evening.club)
    with refusals_shown(request):
        count = entries_tick(
            evening=evening,
            members=list(members.values()),
            guests=guests[:MOST_ENTRIES],
            public_as=form.cleaned_data["public_as"] if form.is_valid() else PublicAs.INITIALS,
            actor=actor_of(request),
        )
        words = ngettext(
            "%(n)s person of the list is ticked.", "%(n)s people of the list are ticked.", count
        )
        messages.success(request, words % {"n": count})
    return to_evening("evening_present", evening)
