"""Who wants to come to an evening before it is there: the list of entries, with who is in it, and
what one fills in to enter."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Member, Versioned
from clubs.text.errors import DomainError
from clubs.text.names import name_key, tidy_name
from tournaments.models.evening import Evening

MOST_ENTRIES = 2_000
LONGEST_KEPT = 365


class EntryKind(models.TextChoices):
    """Who enters together."""

    PLAYER = "player", _("everybody by themselves")
    PAIR = "pair", _("pairs of two")
    TEAM = "team", _("teams")


def _kind_known(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(kind__in=EntryKind.values), name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesStart:
    """What a new evening takes over about entries. They close `days_before` the evening at
    `closes_at`; without that, when the evening begins."""

    kind: str = EntryKind.PLAYER
    is_open: bool = False
    maximum: int | None = None
    keep_days: int = 14
    walk_ins: bool = False
    days_before: int = 0
    closes_at: dt.time | None = None


class EntryList(Versioned):
    """What an evening decided about entries; without it there are none.

    `maximum` counts entries: people, pairs or teams, as `kind` says. `door_digest` is that of the
    secret in the address of the check-in at the door, empty while there is none.
    """

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, related_name="entry_list")
    kind = models.CharField(
        _("who enters together"),
        max_length=6,
        choices=EntryKind.choices,
        default=EntryKind.PLAYER,
    )
    is_open = models.BooleanField(_("open for entries"), default=False)
    deadline = models.DateTimeField(_("until"), null=True, blank=True)
    maximum = models.PositiveSmallIntegerField(
        _("at most"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ENTRIES)],
    )
    keep_days = models.PositiveSmallIntegerField(
        _("days after the evening for which contact details are kept"),
        default=14,
        validators=[MinValueValidator(1), MaxValueValidator(LONGEST_KEPT)],
    )
    walk_ins = models.BooleanField(
        _("at the door people who did not enter may add themselves"), default=False
    )
    door_generation = models.PositiveIntegerField(default=0, editable=False)
    door_digest = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        constraints = [
            _kind_known("entry_list_kind_known"),
            models.CheckConstraint(
                condition=Q(maximum=None) | Q(maximum__gte=1, maximum__lte=MOST_ENTRIES),
                name="entry_list_maximum_1_to_2000",
            ),
            models.CheckConstraint(
                condition=Q(keep_days__gte=1, keep_days__lte=LONGEST_KEPT),
                name="entry_list_kept_1_to_365_days",
            ),
            models.UniqueConstraint(
                fields=["door_digest"],
                condition=~Q(door_digest=""),
                name="entry_list_door_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening}"


class Entry(Versioned):
    """A player, a pair or a team on the list. `number` is their turn: who entered earlier has a
    lower one, and keeps it. `name` is that of a pair or a team, empty for a player.

    `key` is that of the form it came by: the same form sent again is the same entry.
    """

    class State(models.TextChoices):
        ASKED = "asked", _("not confirmed")
        ENTERED = "entered", _("entered")
        WAITING = "waiting", _("on the waiting list")
        WITHDRAWN = "withdrawn", _("withdrawn")

    Kind = EntryKind

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="entries")
    kind = models.CharField(max_length=6, choices=EntryKind.choices)
    number = models.PositiveIntegerField()
    key = models.UUIDField(null=True, editable=False)
    name = models.CharField(_("name of the pair or the team"), max_length=100, blank=True)
    town = models.CharField(_("town or club"), max_length=60, blank=True)
    email = models.EmailField(_("e-mail address"), blank=True)
    phone = models.CharField(_("telephone"), max_length=30, blank=True)
    remark = models.CharField(_("remark"), max_length=300, blank=True)
    language = models.CharField(max_length=2, blank=True, editable=False)
    state = models.CharField(max_length=9, choices=State.choices, default=State.ASKED)
    paid = models.BooleanField(_("paid"), default=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["evening", "number"], name="entry_number_once"),
            models.UniqueConstraint(fields=["evening", "key"], name="entry_form_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="entry_number_from_1"),
            _kind_known("entry_kind_known"),
            models.CheckConstraint(
                condition=Q(state__in=["asked", "entered", "waiting", "withdrawn"]),
                name="entry_state_known",
            ),
            models.CheckConstraint(
                condition=Q(language__in=["", "nl", "en"]), name="entry_language_known"
            ),
        ]
        indexes = [models.Index(fields=["evening", "state"], name="entry_by_state")]

    def __str__(self) -> str:
        return self.name or f"{self.number}"

    @property
    def is_on_list(self) -> bool:
        """Whether it was confirmed and not withdrawn."""
        return self.state in (self.State.ENTERED, self.State.WAITING)

    @property
    def has_contact(self) -> bool:
        return bool(self.email or self.phone or self.remark)


class EntryPerson(models.Model):
    """Somebody in an entry, and who of the club that is, if anybody.

    `counts` while the entry is on the list: then nobody of the club is in a second one.
    """

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="+")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="people")
    place = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=100)
    name_key = models.CharField(max_length=200, editable=False)
    sort_name = models.CharField(max_length=200, editable=False)
    member = models.ForeignKey(
        Member, on_delete=models.SET_NULL, null=True, blank=True, related_name="entries"
    )
    counts = models.BooleanField(default=False)
    arrived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["entry", "place"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "place"], name="entry_person_place_once"),
            models.UniqueConstraint(
                fields=["evening", "member"],
                condition=Q(counts=True),
                name="entry_person_once_per_evening",
            ),
            models.CheckConstraint(condition=~Q(name_key=""), name="entry_person_has_a_name"),
        ]
        indexes = [models.Index(fields=["evening", "name_key"], name="entry_person_by_name")]

    def __str__(self) -> str:
        return self.name


# What somebody fills in to enter, and what may be wrong with it.


MOST_IN: Final[Mapping[str, int]] = {"player": 1, "pair": 2, "team": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody fills in to enter: who they are, and how they can be reached."""

    people: Sequence[str]
    name: str = ""
    town: str = ""
    email: str = ""
    phone: str = ""
    remark: str = ""


def checked(wish: Wish, kind: str, *, needs_contact: bool = False) -> Wish:
    """The wish as it is stored. Raises DomainError `bad_entry` with all faults by field."""
    people = [name for text in wish.people if (name := tidy_name(text))]
    tidy = Wish(
        people=people,
        name="" if kind == EntryKind.PLAYER else tidy_name(wish.name),
        town=tidy_name(wish.town),
        email=wish.email.strip(),
        phone=" ".join(wish.phone.split()),
        remark=" ".join(wish.remark.split()),
    )
    faults = _faults(tidy, kind)
    if needs_contact and not (tidy.email or tidy.phone):
        fault = gettext(
            "Fill in an e-mail address or a telephone number, so that the club can reach you."
        )
        faults.setdefault("email", []).append(fault)
    if faults:
        words = " ".join(message for messages in faults.values() for message in messages)
        raise DomainError("bad_entry", words, faults=faults)
    return tidy


def _faults(wish: Wish, kind: str) -> dict[str, list[str]]:
    faults: dict[str, list[str]] = {}
    if kind == EntryKind.TEAM and not wish.name:
        faults["name"] = [gettext("Fill in the name of the team.")]
    if kind != EntryKind.TEAM and not wish.people:
        faults["people"] = [gettext("Fill in a name.")]
    most = MOST_IN[kind]
    if len(wish.people) > most:
        words = ngettext(
            "Fill in one name: everybody enters by themselves.",
            "At most %(n)s people are in it.",
            most,
        )
        if kind == EntryKind.PAIR:
            words = gettext("A pair is two people. Fill in two names.")
        faults["people"] = [words % {"n": most}]
    if len({name_key(name) for name in wish.people}) < len(wish.people):
        fault = gettext(
            "The same name twice. Are they two people? Then add something to one of them."
        )
        faults.setdefault("people", []).append(fault)
    if any(len(name) > 100 for name in wish.people):
        faults.setdefault("people", []).append(gettext("A name has at most 100 characters."))
    sample = Entry(
        kind=kind,
        number=1,
        **{field: getattr(wish, field) for field in ("name", "town", "email", "phone", "remark")},
    )
    try:
        sample.clean_fields(exclude=["evening", "uuid"])
    except ValidationError as error:
        faults |= {field: list(messages) for field, messages in error.message_dict.items()}
    return faults
