"""What reading in a list of members would do: who is new, who changes, and what is not read."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.lists.core.layout import (
    Layout,
    Line,
    Sheet,
    repeats_headings,
    rows_of,
    side_by_side,
)
from clubs.lists.core.values import is_sum, month_comes_first
from clubs.lists.names import names_two_people, seems_a_remark, two_names
from clubs.lists.reading import refused, side_by_side_words
from clubs.members.list_fields import (
    DATES,
    FIELDS,
    LABELS,
    NAMED,
    PARTS,
    TURNED,
    Details,
    Person,
    members_layout,
    person_of,
    shown,
)
from clubs.models import Club, Member
from clubs.namesakes.services import Duplicates
from clubs.text.names import name_key

MOST_PEOPLE: Final = 2_000
NEW, OUT, TWO = "new", "out", "two"


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody chose on the page: the line with the headings, fields of columns, mended cells
    by line, and who is who."""

    heading: int | None = None
    columns: Mapping[int, str | None] = field(default_factory=dict)
    mended: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    answers: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that is not read."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """Whether a line is about somebody who is there. `options` are answers with their words."""

    line: int
    text: str
    options: Sequence[tuple[str, str]]
    answer: str


@dataclass(frozen=True, slots=True)
class Change:
    """Somebody on the list who changes: labels with old and new values."""

    member: Member
    person: Person
    details: Details
    was_guest: bool
    columns: Sequence[tuple[str, str, str]]


@dataclass
class ListPlan:
    """The outcome of reading a sheet with some choices; nothing is written."""

    club: Club
    sheet: Sheet
    layout: Layout
    choices: Choices
    new: list[Person] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    faulty: list[Person] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    mended: list[Person] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        members = list(Member.objects.of(self.club).filter(erased_at=None).by_surname())
        self._ids = {str(member.pk): member for member in members}
        self._by_number = {member.number: member for member in members if member.number}
        self._by_name: dict[str, list[Member]] = {}
        for member in members:
            self._by_name.setdefault(name_key(member.name), []).append(member)
        self._similar = Duplicates((member.name, member) for member in members)
        self._lines_of_members: dict[int, int] = {}
        self._lines_of_numbers: dict[int, tuple[int, str]] = {}
        self._new_by_name: dict[str, list[Person]] = {}
        self._strangers = 0
        self._month_first = [key for key in DATES if month_comes_first(self._column(key))]

    @property
    def has_names(self) -> bool:
        return bool(self.layout.assigned & NAMED)

    @property
    def unanswered(self) -> list[Question]:
        return [question for question in self.questions if not question.answer]

    @property
    def answered(self) -> list[Question]:
        return [question for question in self.questions if question.answer]

    @property
    def fingerprint(self) -> str:
        """A hash that is equal for plans that do the same."""
        changes = [
            (change.member.pk, change.member.version, change.details) for change in self.changes
        ]
        new = [person.details for person in self.new]
        open_lines = [question.line for question in self.unanswered]
        payload = repr((new, changes, self.unchanged, open_lines, self.layout.columns))
        return hashlib.sha256(payload.encode()).hexdigest()

    def unread_columns(self) -> list[tuple[str, str]]:
        """The columns that are not read, with their headings and first cells."""
        lines = self.sheet.lines[self.layout.below :]
        return [
            (self.layout.headings[at] or _("column %(n)s") % {"n": at + 1}, ", ".join(cells[:3]))
            for at, key in enumerate(self.layout.columns)
            if key is None and (cells := self.sheet.column(at, lines))
        ]

    @property
    def emptied(self) -> list[tuple[int, str]]:
        """The lines and fields that were emptied on the page, and so are not read."""
        return [
            (line, str(LABELS[key]))
            for line, cells in sorted(self.choices.mended.items())
            for key in LABELS
            if cells.get(key) == ""
        ]

    def _column(self, key: str) -> list[str]:
        places = [at for at, name in enumerate(self.layout.columns) if name == key]
        lines = self.sheet.lines[self.layout.below :]
        return [cell for at in places for cell in self.sheet.column(at, lines)]

    # Lines.

    def take_above(self) -> None:
        """Note the lines above the headings."""
        for line in self.sheet.lines[: self.layout.above]:
            self._skip(line, _("above the list"))

    def take(self, line: Line, cells: Mapping[str, str]) -> None:
        """Read one line below the headings."""
        above = (other.filled for other in self.sheet.lines[: self.layout.above])
        if repeats_headings(line, self.layout) or line.filled in above:
            self._skip(line, _("the headings once more"))
        elif is_sum(line.cells):
            self._skip(line, _("a total or a remark, not a person"))
        elif not any(cells.values()):
            self._skip(line, _("nothing in the columns that are read"))
        else:
            mended = self._with_mended(line, cells)
            self._take_person(person_of(line.number, mended, self._month_first), line)

    def finish(self) -> None:
        """What can be said when all lines have been read."""
        self._refuse_taken_numbers()
        is_guess = TURNED not in self.choices.columns.values()
        if is_guess and any("," not in name for name in self._column(TURNED)):
            self.remarks.append(
                _(
                    "The names seem to have the surname first, and are turned round. Is that wrong?"
                    " Choose “whole name” at that column."
                )
            )
        if self._strangers > 2 and self._strangers * 2 > len(self._lines_of_numbers):
            self.remarks.append(
                _(
                    "Most numbers in this list belong to other people here. Is this the list of"
                    " another club?"
                )
            )

    def _refuse_taken_numbers(self) -> None:
        """Make a fault of each number of somebody who keeps it, so that two people can swap."""
        while refused := self._who_want_taken_numbers():
            for person, holder in refused:
                self._refuse_number(person, holder)

    def _who_want_taken_numbers(self) -> list[tuple[Person, Member]]:
        """The people of the list whose number somebody keeps, with who that is."""
        changing = {c.member.pk: c.person for c in self.changes if "number" in c.details}
        kept = {n: member for n, member in self._by_number.items() if member.pk not in changing}
        numbers = [
            (person.details.get("number"), person) for person in (*self.new, *changing.values())
        ]
        return [(person, kept[number]) for number, person in numbers if number in kept]

    def _refuse_number(self, person: Person, holder: Member) -> None:
        number = person.details.pop("number")
        words = {"number": number, "name": holder.name}
        text = _("number %(number)s belongs to %(name)s here") % words
        person.faults["number"] = str(number), text
        self.faulty.append(person)
        self.new = [other for other in self.new if other is not person]
        self.changes = [change for change in self.changes if change.person is not person]

    def _with_mended(self, line: Line, cells: Mapping[str, str]) -> dict[str, str]:
        mended = self.choices.mended.get(line.number, {})
        kept = {
            key: text
            for key, text in cells.items()
            if not (mended.get("name") and key in (TURNED, *PARTS))
        }
        return {**kept, **mended}

    def _take_person(self, person: Person, line: Line) -> None:
        number = person.details.get("number")
        first = self._lines_of_numbers.get(number or 0)
        if first and first[1] != name_key(person.name):
            person.details.pop("number")
            text = _("line %(line)s has this number too") % {"line": first[0]}
            person.faults["number"] = str(number), text
        if person.left and person.left <= timezone.localdate():
            self._skip(line, _("no longer a member since %(date)s") % {"date": shown(person.left)})
            return
        if "name" in person.faults and self.choices.answers.get(person.line) == OUT:
            self._skip(line, _("left out"))
            return
        if person.faults:
            self.faulty.append(person)
            return
        if number is not None:
            self._lines_of_numbers.setdefault(number, (person.line, name_key(person.name)))
        if person.mended:
            self.mended.append(person)
        self._place(person, line)

    def _place(self, person: Person, line: Line) -> None:
        """Find out who it is, and note what happens to them."""
        member, question = self._who(person)
        answer = ""
        if question:
            given = self.choices.answers.get(person.line, "")
            answer = given if given in dict(question.options) else ""
            self.questions.append(Question(question.line, question.text, question.options, answer))
            member = self._ids.get(answer)
        if question and not answer:
            return
        if answer == OUT:
            self._skip(line, _("left out"))
        elif member is not None:
            self._change(person, member, line)
        elif answer == TWO:
            for one in _apart(person):
                self._add(one, line, is_another=True)
        else:
            self._add(person, line, is_another=answer == NEW)

    def _add(self, person: Person, line: Line, *, is_another: bool) -> None:
        same = self._new_by_name.setdefault(name_key(person.name), [])
        twin = next((other for other in same if _is_repeated(person, other)), None)
        if twin and not is_another:
            self._skip_repeated(line, twin.line)
            return
        number = person.details.get("number")
        earlier = self._line_that_takes(number) if is_another and number is not None else None
        if earlier is not None:
            del person.details["number"]
            text = _("line %(line)s has this number too") % {"line": earlier}
            person.faults["number"] = str(number), text
            self.faulty.append(person)
            return
        same.append(person)
        self.new.append(person)

    def _line_that_takes(self, number: object) -> int | None:
        people = (*self.new, *(change.person for change in self.changes))
        return next((one.line for one in people if one.details.get("number") == number), None)

    def _change(self, person: Person, member: Member, line: Line) -> None:
        if first := self._lines_of_members.get(member.pk):
            self._skip_repeated(line, first)
            return
        self._lines_of_members[member.pk] = person.line
        if not member.is_active:
            text = _("%(name)s is among the former members, and stays there.")
            self.remarks.append(text % {"name": member.desk_name})
        different = _different(person, member)
        was_guest = member.kind != Member.Kind.MEMBER
        if different or was_guest:
            columns = _words_of(different, member)
            self.changes.append(Change(member, person, different, was_guest, columns))
        else:
            self.unchanged.append(member.desk_name)

    def _skip_repeated(self, line: Line, first: int) -> None:
        self._skip(line, _("the same person as on line %(n)s") % {"n": first})

    def _skip(self, line: Line, why: str) -> None:
        self.skipped.append(Skipped(line.number, " · ".join(line.filled)[:100], why))

    # Who it is.

    def _who(self, person: Person) -> tuple[Member | None, Question | None]:
        """The member a line is about, or None for somebody new; or else the question."""
        number = person.details.get("number")
        named = self._by_name.get(name_key(person.name), [])
        holder = self._by_number.get(number or 0)
        if holder is not None:
            if holder in named or (not named and holder in self._similar.like(person.name)):
                return holder, None
            self._strangers += 1
            words = {"number": number, "holder": holder.desk_name, "name": person.name}
            text = _("Number %(number)s belongs to %(holder)s here. In the list it is %(name)s.")
            return None, self._ask(person, text % words, [holder, *named])
        free = [other for other in named if number is None or other.number is None]
        if len(named) == 1 and free:
            return free[0], None
        if named:
            words = {"name": person.name}
            return None, self._ask(
                person, _("%(name)s: there is somebody of this name.") % words, named
            )
        return None, self._of_similar(person)

    def _of_similar(self, person: Person) -> Question | None:
        if like := self._similar.like(person.name):
            text = _("%(name)s: there is somebody with nearly this name.") % {"name": person.name}
            return self._ask(person, text, like)
        earlier = self._new_by_name.get(name_key(person.name), [])
        if earlier and not any(_is_repeated(person, other) for other in earlier):
            number = person.details.get("number")
            if number and all(other.details.get("number") for other in earlier):
                words = {"name": person.name, "line": person.line, "other": earlier[0].line}
                text = _(
                    "%(name)s is on lines %(other)s and %(line)s with two numbers: two people."
                )
                self.remarks.append(text % words)
                return None
            words = {"name": person.name, "line": earlier[0].line}
            text = _("%(name)s is on line %(line)s too, with other details.") % words
            return self._ask(person, text, [])
        if names_two_people(person.name):
            text = _("“%(name)s” seems to be two people on one line.") % {"name": person.name}
            return Question(person.line, text, self._options_for_two(person), "")
        if seems_a_remark(person.name) and set(person.details) == {"name"}:
            text = _("“%(name)s” seems to be a remark, not a person.") % {"name": person.name}
            return Question(person.line, text, self._options_for_two(person)[::-1], "")
        return None

    def _options_for_two(self, person: Person) -> list[tuple[str, str]]:
        """Both of them, where nobody here is called like that; or the line as it is, or nobody."""
        names = [one.name for one in _apart(person)]
        words = {"one": names[0], "other": names[-1], "name": person.name}
        options = [
            (NEW, _("“%(name)s” is added to the list as one person") % words),
            (OUT, _("leave this line out")),
        ]
        if len(names) == 2 and not any(self._similar.like(name) for name in names):
            options.insert(0, (TWO, _("two people: %(one)s and %(other)s") % words))
        return options

    def _ask(self, person: Person, text: str, members: Sequence[Member]) -> Question:
        options = [
            (str(member.pk), _same_person(person, member)) for member in dict.fromkeys(members)
        ]
        options += [
            (NEW, _("%(name)s is somebody else, and is added to the list") % {"name": person.name}),
            (OUT, _("leave this line out")),
        ]
        return Question(person.line, text, options, "")


def list_plan(*, club: Club, sheet: Sheet, choices: Choices) -> ListPlan:
    """What reading in this sheet would do. Raises FileFaults for a list of thousands."""
    apart = sheet.numbering_apart()
    sheet = side_by_side(apart, FIELDS, NAMED)
    layout = members_layout(sheet, choices.heading).assign(choices.columns)
    if len(sheet.lines) - layout.below > MOST_PEOPLE:
        text = _("This list has more than %(n)s lines. Is it the list of your club?")
        raise refused(text % {"n": MOST_PEOPLE})
    plan = ListPlan(club, sheet, layout, choices)
    if sheet is not apart:
        plan.remarks.append(side_by_side_words(apart))
    if plan.has_names:
        plan.take_above()
        for row in rows_of(sheet, layout, FIELDS):
            plan.take(row.line, row.cells)
        plan.finish()
    return plan


def _apart(person: Person) -> list[Person]:
    """The two people on one line, who share everything but the number; or the one."""
    names = two_names(person.name)
    if names is None:
        return [person]
    shared = {key: value for key, value in person.details.items() if key != "number"}
    return [
        replace(person, details={**person.details, "name": names[0]}),
        replace(person, details={**shared, "name": names[1]}),
    ]


def _is_repeated(person: Person, other: Person) -> bool:
    """Whether a line is about the person of an earlier line: it has their number too, or nothing
    that is not there."""
    number = person.details.get("number")
    if number is not None and other.details.get("number") == number:
        return True
    return all(other.details.get(key) == value for key, value in person.details.items())


def _different(person: Person, member: Member) -> Details:
    """What the line says of this member that is not on the list."""
    return {
        key: value
        for key, value in person.details.items()
        if getattr(member, key) != value
        and not (key == "name" and name_key(member.name) == name_key(str(value)))
    }


def _words_of(details: Details, member: Member) -> list[tuple[str, str, str]]:
    return [
        (str(LABELS[key]), shown(getattr(member, key)), shown(value))
        for key, value in details.items()
    ]


def _same_person(person: Person, member: Member) -> str:
    """The answer that they are the same, with what then changes."""
    words = _("the same person as %(name)s") % {"name": _with_number(member)}
    changes = [
        (
            _("%(label)s %(before)s becomes %(after)s")
            if before
            else _("%(label)s %(after)s is added")
        )
        % {"label": label, "before": before, "after": after}
        for label, before, after in _words_of(_different(person, member), member)
    ]
    return f"{words}: {'; '.join(changes)}" if changes else words


def _with_number(member: Member) -> str:
    is_told = bool(member.mark) or member.number is None
    return member.desk_name if is_told else f"{member.name} ({member.number})"
