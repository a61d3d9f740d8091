"""The list of entries of an evening: opened, filled, confirmed, and how the waiting list moves up.

All of it holds the lock of the evening: of two who take the last place one is second.
"""

import datetime as dt
import re
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.accounts.services import mail_goes_out
from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import name_key, sort_key
from tournaments.entries.queries import entry_list_of, waiting_of
from tournaments.entries.texts import asked_mail_send, entry_words, moved_up_mail_send
from tournaments.evenings.services import (
    evening_lock,
    evening_note,
    evening_touch,
    require_state,
    revision_bump,
)
from tournaments.models import Entry, EntryKind, EntryList, EntryPerson, Evening
from tournaments.models.entry import MOST_ENTRIES, Wish, checked

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
ASKED, ENTERED = Entry.State.ASKED, Entry.State.ENTERED
WAITING, WITHDRAWN = Entry.State.WAITING, Entry.State.WITHDRAWN

MOST_ASKED: Final = 200
"""Entries that nobody confirmed yet; with more the public form is closed until the desk looks."""
ASKED_FOR: Final = dt.timedelta(days=2)
"""How long one that was sent a link waits for it to be used."""
ANYBODY: Final = Actor.of_program("entries")
"""Whoever uses the link of their own entry."""
COLUMNS: Final = "name", "town", "email", "phone", "remark"
_NO_DIGITS = re.compile(r"\D")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySettings:
    """What the desk decides about entries."""

    kind: str = EntryKind.PLAYER
    is_open: bool = False
    deadline: dt.datetime | None = None
    maximum: int | None = None
    keep_days: int = 14
    walk_ins: bool = False


@transaction.atomic
def entry_list_change(
    *, evening_id: int, wanted: EntrySettings, seen_version: int, actor: Actor
) -> EntryList:
    """Decide about the entries of an evening. A higher maximum lets the first of the waiting list
    in; a lower one puts nobody out.

    Raises DomainError `evening_state`, `kind_in_use`, `bad_entry_list` (params: faults by field),
    or VersionConflict.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    known = entry_list_of(evening)
    if known.pk and known.version != seen_version:
        message = _("Somebody else has just changed this. Please look at it again.")
        raise VersionConflict("version_conflict", message, current=known)
    if known.kind != wanted.kind and evening.entries.exclude(state=WITHDRAWN).exists():
        fault = _("There are entries already, so who enters together stays as it is.")
        raise DomainError("kind_in_use", fault, faults={"kind": [fault]})
    for field in fields(wanted):
        setattr(known, field.name, getattr(wanted, field.name))
    try:
        known.clean_fields(exclude=["evening"])
    except ValidationError as error:
        message = " ".join(error.messages)
        raise DomainError("bad_entry_list", message, faults=error.message_dict) from error
    known.version += 1 if known.pk else 0
    known.save()
    data = asdict(wanted) | {"deadline": wanted.deadline and wanted.deadline.isoformat()}
    evening_touch(evening, actor=actor, action="entries_decided", data=data)
    _settle(evening, known)
    return known


@transaction.atomic
def entries_close(*, evening_id: int, actor: Actor) -> EntryList:
    """No more entries by the public page from this moment. Repeating it changes nothing."""
    evening = evening_lock(evening_id)
    known = entry_list_of(evening)
    if known.is_open:
        known.is_open = False
        known.save_changes("is_open")
        evening_touch(evening, actor=actor, action="entries_closed")
    return known


# Entering, by the public page and at the desk.


@transaction.atomic
def entry_ask(*, evening_id: int, wish: Wish, key: uuid.UUID) -> Entry:
    """Somebody enters on the public page. It counts once it is confirmed, by the link in the mail
    or by the desk. The same form sent again, and somebody who is on the list already, is the same
    entry.

    Nobody is logged in, so the trail has nothing of it. Raises DomainError `entries_closed`,
    `entries_full_of_asked`, or `bad_entry` (params: faults by field).
    """
    evening = evening_lock(evening_id)
    known = entry_list_of(evening)
    require_open(evening, known)
    wish = checked(wish, known.kind, needs_contact=True)
    same = evening.entries.filter(key=key).first() or _like(evening, wish)
    if same is None:
        _require_room(evening)
        entry = _write(evening, known.kind, wish, state=ASKED, key=key)
    else:
        entry = same
    entry.evening = evening
    if entry.state == ASKED and entry.email:
        transaction.on_commit(partial(asked_mail_send, entry))
    return entry


@transaction.atomic
def entries_add(
    *,
    evening_id: int,
    wishes: Sequence[Wish],
    actor: Actor,
    kind: str = "",
    find: bool = True,
) -> list[Entry]:
    """The desk enters these, all or none: in, or on the waiting list when it is full. They are of
    the `kind` of the list, or of this one; without `find` nobody of the club is looked for.

    Raises DomainError `evening_state`, `entries_enough`, `already_entered`, or `bad_entry` (params:
    faults by field).
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    known = entry_list_of(evening)
    of_kind = kind or known.kind
    added = []
    for wish in wishes:
        entry = _write(evening, of_kind, checked(wish, of_kind), state=WAITING)
        link_people(entry, find=find)
        added.append(entry)
    _require_fits(evening)
    ids = [entry.pk for entry in added]
    evening_touch(evening, actor=actor, action="entries_added", data={"count": len(ids)})
    _settle(evening, known, quietly=ids)
    return list(evening.entries.filter(pk__in=ids))


@transaction.atomic
def entry_confirm(*, entry: Entry, actor: Actor) -> Entry:
    """The entry counts: it is in, or waits its turn. Repeating it changes nothing.

    Raises DomainError `evening_state`, `entry_withdrawn` or `already_entered`.
    """
    evening, entry = _lock(entry)
    if entry.state == WITHDRAWN:
        raise DomainError("entry_withdrawn", _("This entry was withdrawn. Enter again."))
    if entry.state == ASKED:
        _count(entry, actor, "entry_confirmed")
        _settle(evening, entry_list_of(evening), quietly=[entry.pk])
    return Entry.objects.get(pk=entry.pk)


@transaction.atomic
def entries_confirm(*, evening_id: int, actor: Actor) -> int:
    """The desk confirms everybody who waits for that, in their order; returns how many."""
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING)
    asked = list(evening.entries.filter(state=ASKED))
    for entry in asked:
        entry.evening = evening
        link_people(entry)
    Entry.objects.filter(pk__in=[entry.pk for entry in asked]).update(state=WAITING)
    if asked:
        evening_touch(evening, actor=actor, action="entries_added", data={"count": len(asked)})
        _settle(evening, entry_list_of(evening))
    return len(asked)


@transaction.atomic
def entry_withdraw(*, entry: Entry, actor: Actor) -> Entry:
    """They do not come: the first of the waiting list gets their place. Repeating it changes
    nothing. What nobody confirmed is not kept.

    Raises DomainError `evening_state`, or `entry_here` when somebody of it is here already.
    """
    evening, entry = _lock(entry)
    if entry.state == WITHDRAWN:
        return entry
    if entry.state == ASKED:
        Entry.objects.filter(pk=entry.pk).delete()
        return entry
    if entry.people.exclude(arrived_at=None).exists():
        raise DomainError("entry_here", _("Somebody of this entry is here already."))
    entry.state = WITHDRAWN
    entry.save_changes("state")
    entry.people.update(counts=False)
    _note(entry, actor, "entry_withdrawn")
    _settle(evening, entry_list_of(evening))
    return entry


@transaction.atomic
def entry_restore(*, entry: Entry, actor: Actor) -> Entry:
    """Somebody who withdrew comes after all, behind everybody who entered meanwhile.

    Raises DomainError `evening_state` or `already_entered`.
    """
    evening, entry = _lock(entry)
    if entry.state != WITHDRAWN:
        return entry
    entry.number = _next_number(evening)
    entry.save_changes("number")
    _count(entry, actor, "entry_restored")
    _settle(evening, entry_list_of(evening), quietly=[entry.pk])
    return Entry.objects.get(pk=entry.pk)


@transaction.atomic
def entry_change(
    *,
    entry: Entry,
    wish: Wish,
    members: Sequence[Member | None],
    seen_version: int,
    actor: Actor,
) -> Entry:
    """Change what an entry says. `members` are the people of the club it names, in the order of
    its names; None for nobody of the club.

    Raises VersionConflict, or DomainError `evening_state`, `entry_here`, `already_entered` or
    `bad_entry` (params: faults by field).
    """
    evening, entry = _lock(entry)
    if entry.version != seen_version:
        message = _("Somebody else has just changed this entry. Please look at it again.")
        raise VersionConflict("version_conflict", message, current=entry)
    wish = checked(wish, entry.kind)
    for field, value in _columns(wish).items():
        setattr(entry, field, value)
    entry.save_changes(*COLUMNS)
    _people_write(entry, wish.people, members)
    if entry.is_on_list:
        link_people(entry, find=False)
    _note(entry, actor, "entry_changed")
    revision_bump(evening.pk)
    return entry


@transaction.atomic
def entries_throw_away(*, evening_id: int, actor: Actor) -> int:
    """Throw away everything that nobody confirmed; returns how many."""
    evening = evening_lock(evening_id)
    gone = evening.entries.filter(state=ASKED)
    count = gone.count()
    if count:
        gone.delete()
        evening_note(evening, actor=actor, action="entries_thrown_away", data={"count": count})
    return count


def entries_sweep() -> None:
    """Erase how people of evenings long ago can be reached, who entered then and did not come, and
    what nobody confirmed in time."""
    today = timezone.localdate()
    reached = ~Q(email="") | ~Q(phone="") | ~Q(remark="")
    for days in EntryList.objects.values_list("keep_days", flat=True).distinct().order_by():
        old = Q(
            evening__entry_list__keep_days=days,
            evening__date__lt=today - dt.timedelta(days=days),
        )
        came = EntryPerson.objects.filter(old).exclude(arrived_at=None)
        Entry.objects.filter(old).exclude(pk__in=came.values("entry")).delete()
        Entry.objects.filter(reached, old).update(email="", phone="", remark="")
    late = Entry.objects.filter(state=ASKED, made_at__lt=timezone.now() - ASKED_FOR)
    unread = late.exclude(email="") if mail_goes_out() else late.none()
    over = Entry.objects.filter(state=ASKED, evening__date__lt=today)
    Entry.objects.filter(Q(pk__in=unread.values("pk")) | Q(pk__in=over.values("pk"))).delete()


@transaction.atomic
def entries_forget(member: Member) -> None:
    """Forget that somebody entered, and how their pair or team could be reached. Their place goes
    to the first who waits."""
    own = Entry.objects.filter(people__member=member)
    evenings = list(Evening.objects.filter(entries__in=own, state__in=[PLANNED, RUNNING]))
    Entry.objects.filter(pk__in=own.values("pk")).exclude(kind=EntryKind.PLAYER).update(
        email="", phone="", remark=""
    )
    own.filter(kind=EntryKind.PLAYER).delete()
    EntryPerson.objects.filter(member=member).delete()
    for evening in evenings:
        _settle(evening_lock(evening.pk), entry_list_of(evening))


# What these share.


def require_open(evening: Evening, known: EntryList) -> None:
    """Raises DomainError `entries_closed`, with why, unless people can enter on the public page."""
    if evening.state != PLANNED or not known.is_open:
        raise DomainError("entries_closed", _("You cannot enter for this evening on this page."))
    if known.deadline is not None and known.deadline < timezone.now():
        words = _("Entries for this evening closed. Ask the club whether there is room left.")
        raise DomainError("entries_closed", words)


def _like(evening: Evening, wish: Wish) -> Entry | None:
    """An entry of the same people who are reached in the same way."""
    keys = sorted(map(name_key, wish.people))
    if not keys:
        return None
    here = EntryPerson.objects.filter(evening=evening, name_key=keys[0])
    for entry in evening.entries.filter(pk__in=here.values("entry")).exclude(state=WITHDRAWN):
        same = sorted(entry.people.values_list("name_key", flat=True)) == keys
        mail = wish.email and entry.email.casefold() == wish.email.casefold()
        if same and (mail or _is_same_phone(entry.phone, wish.phone)):
            return entry
    return None


def _is_same_phone(one: str, two: str) -> bool:
    digits = _NO_DIGITS.sub("", two)
    return len(digits) > 5 and _NO_DIGITS.sub("", one) == digits


def _require_room(evening: Evening) -> None:
    """That a program fills the list is bounded; what nobody confirms goes by itself."""
    counts = evening.entries.aggregate(asked=Count("pk", filter=Q(state=ASKED)), all=Count("pk"))
    if counts["asked"] >= MOST_ASKED or counts["all"] >= MOST_ENTRIES:
        words = _("Too many people are entering at once. Try again later, or ask the club.")
        raise DomainError("entries_full_of_asked", words)


def newcomer_write(evening: Evening, wish: Wish, member: Member) -> EntryPerson:
    """Enter `member`, who is here and not on the list, for a caller who holds the lock of the
    evening and notes that they came. Raises DomainError `entries_enough`."""
    entry = Entry(evening=evening, kind=EntryKind.PLAYER, state=ENTERED, **_columns(wish))
    _entry_insert(entry)
    if entry.number > MOST_ENTRIES:
        _require_fits(evening)
    person = _with_name(EntryPerson(entry=entry, evening=evening, place=1), wish.people[0])
    person.member, person.counts, person.arrived_at = member, True, timezone.now()
    person.save()
    return person


def _require_fits(evening: Evening) -> None:
    if evening.entries.count() > MOST_ENTRIES:
        words = _("An evening has at most %d entries.")
        raise DomainError("entries_enough", words % MOST_ENTRIES)


def _next_number(evening: Evening) -> int:
    return (evening.entries.aggregate(last=Max("number"))["last"] or 0) + 1


def _write(
    evening: Evening, kind: str, wish: Wish, *, state: Entry.State, key: uuid.UUID | None = None
) -> Entry:
    entry = Entry(evening=evening, kind=kind, state=state, key=key, **_columns(wish))
    _entry_insert(entry)
    EntryPerson.objects.bulk_create(
        _with_name(EntryPerson(entry=entry, evening=evening, place=place), name)
        for place, name in enumerate(wish.people, start=1)
    )
    return entry


def _columns(wish: Wish) -> dict[str, str]:
    return {field: getattr(wish, field) for field in COLUMNS}


def _entry_insert(entry: Entry) -> None:
    entry.number = _next_number(entry.evening)
    entry.language = (get_language() or "")[:2]
    entry.save(force_insert=True)


def _with_name(person: EntryPerson, name: str) -> EntryPerson:
    person.name, person.name_key = name, name_key(name)[:200]
    person.sort_name = sort_key(name)[:200]
    return person


def _people_write(entry: Entry, names: Sequence[str], members: Sequence[Member | None]) -> None:
    """Make these the people of the entry. Who is here stays, and stays who they are."""
    before = {person.place: person for person in entry.people.all()}
    for place, (name, member) in enumerate(zip(names, members, strict=True), start=1):
        empty = EntryPerson(entry=entry, evening=entry.evening, place=place)
        person = _with_name(before.pop(place, empty), name)
        if person.arrived_at is None:
            person.member = member
            person.counts = False
        person.save()
    if any(person.arrived_at for person in before.values()):
        raise DomainError("entry_here", _("Somebody of this entry is here already."))
    EntryPerson.objects.filter(pk__in=[person.pk for person in before.values()]).delete()


def _lock(entry: Entry) -> tuple[Evening, Entry]:
    evening = evening_lock(entry.evening_id)
    require_state(evening, PLANNED, RUNNING)
    entry = Entry.objects.get(pk=entry.pk)
    entry.evening = evening
    return evening, entry


def _count(entry: Entry, actor: Actor, action: str) -> None:
    """Put the entry on the waiting list, from which it moves up at once where there is room."""
    entry.state = WAITING
    entry.save_changes("state")
    link_people(entry)
    _note(entry, actor, action)


def _note(entry: Entry, actor: Actor, action: str) -> None:
    words = entry_words(entry)
    data = {"entry": str(entry.uuid), "number": entry.number}
    evening_touch(entry.evening, actor=actor, action=action, data=data, texts={"name": words})


def link_people(entry: Entry, *, find: bool = True) -> None:
    """Say who of the club the people of an entry are, where only one member has the name; from now
    on nobody of the club is in a second one.

    Raises DomainError `already_entered`.
    """
    people = list(entry.people.select_related("member"))
    for person in people:
        if person.member is None and find:
            person.member = member_called(entry.evening, person.name_key, entry.town)
    taken = set(_taken(entry.evening, [person.member_id for person in people]))
    for person in people:
        if person.member_id in taken and not person.counts:
            words = _("%(name)s is on the list already.")
            name = person.member.desk_name if person.member else person.name
            raise DomainError("already_entered", words % {"name": name})
    EntryPerson.objects.bulk_update(people, ["member"])
    entry.people.update(counts=True)


def member_called(evening: Evening, key: str, town: str) -> Member | None:
    """The only active person of the club with this name, unless they are entered already, or live
    in another town than what was filled in."""
    named = list(Member.objects.of(evening.club).active().filter(name_key=key)[:2])
    if len(named) != 1 or _taken(evening, [named[0].pk]):
        return None
    known = {name_key(text) for text in (named[0].town, named[0].addition) if text}
    return None if town and known and name_key(town) not in known else named[0]


def _taken(evening: Evening, ids: Collection[int | None]) -> Iterable[int | None]:
    taken = EntryPerson.objects.filter(evening=evening, counts=True, member__in=ids)
    return list(taken.values_list("member_id", flat=True))


def _settle(evening: Evening, known: EntryList, quietly: Collection[int] = ()) -> None:
    """Let the first of the waiting list in as long as there is room; they get a mail, except the
    entries named `quietly`."""
    waiting = list(waiting_of(evening))
    if known.maximum is not None:
        room = known.maximum - evening.entries.filter(state=ENTERED).count()
        waiting = waiting[: max(room, 0)]
    ids = [entry.pk for entry in waiting]
    if not ids:
        return
    for start in range(0, len(ids), 500):
        Entry.objects.filter(pk__in=ids[start : start + 500]).update(state=ENTERED)
    for entry in waiting:
        if entry.pk not in quietly:
            entry.evening = evening
            transaction.on_commit(partial(moved_up_mail_send, entry))
