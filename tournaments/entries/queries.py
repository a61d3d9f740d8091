"""Reads of entries: what the public page says, the desk's list, and who is found at the door."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, Member, MemberQuerySet
from clubs.text.names import marks, name_key, named, sort_key, with_mark, without_brackets
from clubs.text.numbers import whole_number
from tournaments.entries.texts import deadline_words, room_words
from tournaments.models import Entry, EntryKind, EntryList, EntryPerson, Evening, Registration

ENTERED, WAITING = Entry.State.ENTERED, Entry.State.WAITING
MOST_FOUND = 8
"""So many people are shown for what somebody types at the door."""
FEWEST_LETTERS = 3
ON_A_PAGE = 100


def entry_list_of(evening: Evening) -> EntryList:
    """What this evening decided about entries; not stored where it decided nothing."""
    known = EntryList.objects.filter(evening=evening).first() or EntryList()
    known.evening = evening
    return known


def waiting_of(evening: Evening) -> QuerySet[Entry]:
    """The waiting list, first come first."""
    return evening.entries.filter(state=WAITING).order_by("number")


def turn_of(entry: Entry) -> int:
    """The place of an entry on the waiting list, from 1; 0 where it does not wait."""
    if entry.state != WAITING:
        return 0
    return 1 + waiting_of(entry.evening).filter(number__lt=entry.number).count()


@dataclass(frozen=True, slots=True)
class EntryCounts:
    """How many entries there are of each state, and how many people of them arrived."""

    asked: int = 0
    entered: int = 0
    waiting: int = 0
    withdrawn: int = 0
    arrived: int = 0
    expected: int = 0


def entry_counts(evening: Evening) -> EntryCounts:
    """Two queries."""
    states = dict(evening.entries.order_by().values_list("state").annotate(n=Count("pk")))
    people = EntryPerson.objects.filter(evening=evening, counts=True).aggregate(
        arrived=Count("pk", filter=~Q(arrived_at=None)),
        expected=Count("pk", filter=Q(entry__state=ENTERED)),
    )
    return EntryCounts(**states, **people)


@dataclass(frozen=True, slots=True)
class Entering:
    """What the public page of an evening says of entries."""

    entries: EntryList
    counts: EntryCounts
    is_over: bool

    @property
    def room(self) -> str:
        """How much room there is left, in a sentence."""
        return room_words(self.entries, self.counts.entered, self.counts.waiting)

    @property
    def places(self) -> str:
        """How much room there is, in a few words; empty where there is no maximum."""
        maximum = self.entries.maximum
        if maximum is None:
            return ""
        left = maximum - self.counts.entered
        if left <= 0:
            return _("full, with a waiting list")
        return ngettext("%(n)s place left", "%(n)s places left", left) % {"n": left}

    @property
    def until(self) -> str:
        """Until when one can enter, in a sentence; empty where there is no end."""
        return deadline_words(self.entries)


def entering_of(evening: Evening) -> Entering | None:
    """What there is to say; None where an evening takes no entries on its page. One query then."""
    return entering_among([evening]).get(evening.pk)


def entering_among(evenings: Iterable[Evening]) -> dict[int, Entering]:
    """The same of several evenings, by id, of those that take entries. At most two queries."""
    planned = {each.pk: each for each in evenings if each.state == Evening.State.PLANNED}
    known = list(EntryList.objects.filter(evening__in=planned, is_open=True)) if planned else []
    if not known:
        return {}
    asked = Entry.objects.filter(evening__in=[each.evening_id for each in known]).order_by()
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for evening_id, state, n in asked.values_list("evening", "state").annotate(n=Count("pk")):
        counts[evening_id][state] = n
    now = timezone.now()
    for each in known:
        each.evening = planned[each.evening_id]
    return {
        each.evening_id: Entering(
            each,
            EntryCounts(**counts[each.evening_id]),
            is_over=each.deadline is not None and each.deadline < now,
        )
        for each in known
    }


# The desk's list.


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody in an entry, told apart from others of their name."""

    person: EntryPerson
    name: str
    arrived: bool

    @property
    def member(self) -> Member | None:
        return self.person.member


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry with its people. `turn` is its place on the waiting list, else 0."""

    entry: Entry
    people: Sequence[PersonRow]
    turn: int = 0

    @property
    def words(self) -> str:
        """What it is called; by its number where everybody of it was erased."""
        named = self.entry.name or _(" and ").join(row.name for row in self.people)
        return named or _("entry %d") % self.entry.number

    @property
    def all_arrived(self) -> bool:
        return bool(self.people) and all(row.arrived for row in self.people)


FILTERS: Mapping[str, Q] = {
    "all": ~Q(state=Entry.State.WITHDRAWN),
    "asked": Q(state=Entry.State.ASKED),
    "entered": Q(state=ENTERED),
    "waiting": Q(state=WAITING),
    "withdrawn": Q(state=Entry.State.WITHDRAWN),
    "unpaid": Q(state=ENTERED, paid=False),
    "away": Q(state=ENTERED, people__arrived_at=None),
}
"""What the desk's list may be narrowed to."""


def entries_found(evening: Evening, show: str = "all", text: str = "") -> QuerySet[Entry]:
    """The entries of this filter whose name, people or number are what was typed, by turn."""
    found = evening.entries.filter(FILTERS[show])
    for word in name_key(text).split():
        own = EntryPerson.objects.filter(evening=evening, name_key__contains=word)
        number = Q(number=int(word)) if word.isdecimal() and len(word) < 6 else Q()
        found = found.filter(Q(pk__in=own.values("entry")) | Q(name__icontains=word) | number)
    return found.distinct().order_by("number")


def entry_rows(evening: Evening, entries: Iterable[Entry]) -> list[EntryRow]:
    """These entries with their people. Three queries, four where somebody waits."""
    shown = list(entries)
    by_entry: dict[int, list[EntryPerson]] = defaultdict(list)
    people = EntryPerson.objects.filter(entry__in=shown).select_related("member", "entry")
    for person in people.order_by("place"):
        by_entry[person.entry_id].append(person)
    apart = names_apart(evening)
    here = members_here(evening)
    waits = any(entry.state == WAITING for entry in shown)
    turns = list(waiting_of(evening).values_list("pk", flat=True)) if waits else []
    return [
        EntryRow(
            entry,
            [
                PersonRow(
                    person,
                    apart.get(person.pk, person.name),
                    person.arrived_at is not None or person.member_id in here,
                )
                for person in by_entry[entry.pk]
            ],
            turns.index(entry.pk) + 1 if entry.pk in turns else 0,
        )
        for entry in shown
    ]


def places_of(evening: Evening) -> list[Evening]:
    """Where people of an evening play: its groups, or else the evening itself. A query if there are
    groups."""
    return evening.groups or [evening]


def members_here(evening: Evening, members: Collection[int] | None = None) -> set[int]:
    """The ids of everybody present on an evening, or in a group that plays with it at once; of
    these `members` only. One query, two where there are groups."""
    listed = Registration.objects.filter(evening__in=places_of(evening), present=True)
    if members is not None:
        listed = listed.filter(member__in=members)
    return set(listed.values_list("member", flat=True))


def names_apart(
    evening: Evening, people: Iterable[EntryPerson] | None = None, *, for_all: bool = False
) -> dict[int, str]:
    """The names of everybody entered, or of these few `people` and who is called like them, who
    share theirs with somebody else of the list, each with what tells them apart, by id; `for_all`
    to read, with nothing that only the club knows. One query."""
    entered = EntryPerson.objects.filter(evening=evening)
    if people is not None:
        entered = entered.filter(_called_like(people))
    rows = entered.values_list(
        "pk",
        "name",
        "entry__town",
        "entry__number",
        "member__number",
        "member__mark",
        "member__public_mark",
    )
    known = list(rows.order_by())
    by_turn = _("entry %d")
    said = {
        pk: (public if for_all else mark, town, number, by_turn % turn)
        for pk, _name, town, turn, number, mark, public in known
    }
    marked = marks([named(row[0], [row[1]], said[row[0]]) for row in known])
    return {row[0]: with_mark(row[1], marked[row[0]]) for row in known if row[0] in marked}


def _called_like(people: Iterable[EntryPerson]) -> Q:
    """Everybody whose name is the same, or differs only in what stands in brackets."""
    names = {without_brackets(person.name_key) for person in people}
    found = Q(name_key__in=names)
    for name in sorted(names):
        found |= Q(name_key__startswith=f"{name} (")
    return found


# At the door.


@dataclass(frozen=True, slots=True)
class DoorAnswer:
    """Somebody who was found at the door: somebody entered, or `member` of the club. `state` is
    here, entered, waiting, withdrawn or newcomer."""

    name: str
    state: str
    person: int = 0
    member: int = 0
    with_words: str = ""


@dataclass(frozen=True, slots=True)
class DoorFound:
    """The first people who were found. `is_short` says that too little was typed."""

    answers: Sequence[DoorAnswer] = field(default_factory=list)
    is_cut: bool = False
    is_short: bool = False


def door_find_people(known: EntryList, text: str) -> DoorFound:
    """Whom somebody may mean who types this at the door: three letters of a name, or a number.

    Who shows no full name on public pages is found by the whole name only. At most
    `MOST_FOUND`; four queries.
    """
    key = name_key(text)
    number = whole_number(text.strip())
    if len(key.replace(" ", "")) < FEWEST_LETTERS and not number:
        return DoorFound(is_short=True)
    evening = known.evening
    people = list(_people_found(evening, key, number)[: MOST_FOUND + 1])
    others: list[Member] = []
    if len(people) <= MOST_FOUND:
        entered = EntryPerson.objects.filter(evening=evening, counts=True, member__isnull=False)
        found = _members_found(evening.club, key, number).exclude(pk__in=entered.values("member"))
        others = list(found.by_surname()[: MOST_FOUND + 1])
    ids = {person.member_id for person in people if person.member_id is not None}
    here = members_here(evening, ids.union(member.pk for member in others))
    answers = _entered_answers(evening, people, here)
    for member in others:
        if known.walk_ins or member.pk in here:
            state = "here" if member.pk in here else "newcomer"
            name = with_mark(member.public_name or member.name, member.public_mark)
            answers.append(DoorAnswer(name, state, member=member.pk))
    return DoorFound(answers[:MOST_FOUND], is_cut=len(answers) > MOST_FOUND)


def _open_or_whole(key: str, whole: str, path: str = "") -> Q:
    """People who are shown by name, or whose whole name was typed."""
    open_to_all = Q(**{f"{path}public_as": Member.PublicAs.NAME})
    return open_to_all | Q(**{whole: key})


def _people_found(evening: Evening, key: str, number: int) -> QuerySet[EntryPerson]:
    found = Q()
    for word in key.split():
        found &= Q(name_key__contains=word) | Q(sort_name__contains=sort_key(word))
    found &= Q(member=None) | _open_or_whole(key, "name_key", "member__")
    if number:
        found |= Q(member__number=number)
    people = EntryPerson.objects.filter(found, evening=evening)
    confirmed = people.exclude(entry__state=Entry.State.ASKED)
    return confirmed.select_related("entry", "member").order_by("sort_name", "pk")


def _members_found(club: Club, key: str, number: int) -> MemberQuerySet:
    people = Member.objects.of(club).active().matching(key)
    return people.filter(_open_or_whole(key, "name_key") | Q(number=number or None))


def _entered_answers(
    evening: Evening, people: Sequence[EntryPerson], here: Collection[int]
) -> list[DoorAnswer]:
    apart = names_apart(evening, people, for_all=True)
    pairs = [person.entry_id for person in people if person.entry.kind == EntryKind.PAIR]
    partners: dict[int, list[EntryPerson]] = defaultdict(list)
    for other in EntryPerson.objects.filter(entry__in=pairs).select_related("member"):
        partners[other.entry_id].append(other)
    return [
        DoorAnswer(
            apart.get(person.pk, person.name),
            _door_state(person, here),
            person=person.pk,
            with_words=_entered_with(person, partners[person.entry_id]),
        )
        for person in people
    ]


def _door_state(person: EntryPerson, here: Collection[int]) -> str:
    if person.arrived_at is not None or person.member_id in here:
        return "here"
    return str(person.entry.state)


def _entered_with(person: EntryPerson, others: Sequence[EntryPerson]) -> str:
    """The team, or the partner as far as that name is for everybody."""
    if person.entry.kind == EntryKind.TEAM:
        return person.entry.name
    names = [
        other.name
        for other in others
        if other.pk != person.pk
        and (other.member is None or other.member.public_as == Member.PublicAs.NAME)
    ]
    return ", ".join(names)


@dataclass(frozen=True, slots=True)
class LateArrival:
    """Somebody who came lately, for the desk."""

    name: str
    at: datetime
    has_paid: bool


def last_arrivals(evening: Evening, most: int = 8) -> list[LateArrival]:
    """Who came last, the newest first. Two queries."""
    people = EntryPerson.objects.filter(evening=evening).exclude(arrived_at=None)
    newest = list(people.select_related("entry").order_by("-arrived_at", "-pk")[:most])
    apart = names_apart(evening, newest)
    return [
        LateArrival(apart.get(person.pk, person.name), person.arrived_at, person.entry.paid)
        for person in newest
        if person.arrived_at is not None
    ]
