"""What a new evening begins with: an earlier evening, a kind of evening that the club named, or one
that was deleted before anything was played, and is put back."""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.audit.services import Actor, event_append
from clubs.models import Club
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import name_key, tidy_name
from scoring.models import Folder, Regulation
from tournaments.evenings.services import (
    EveningRules,
    entries_begin,
    evening_lock,
    evening_note,
    next_sequence,
    require_state,
    rules_of,
)
from tournaments.models import (
    DeletedEvening,
    EntriesStart,
    EntryList,
    Evening,
    EveningKind,
    PrizesAndFees,
    Season,
)
from tournaments.prizes.core import parse_prizes
from tournaments.seating.store import rounds_remove
from tournaments.standings.core.metrics import EVENING_TIE_BREAKS

PLAN = (
    *("starts_at", "rounds_planned", "deals_per_round", "target", "method", "leftover"),
    *(
        "pair_movement",
        "teammates_may_meet",
        "last_ranked",
        "sit_out_score",
        "missed_score",
        "phones",
        "writing",
    ),
)
"""What an evening passes on of its plan."""
KEPT = (
    *PLAN,
    *(field.name for field in fields(EveningRules)),
    *(field.name for field in fields(PrizesAndFees)),
)
LONGEST_NAME = 40
ENTRIES: Final = "entries"
"""Where a kind keeps how its evenings take entries, if they do."""
SOONEST_CLOSED = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningStart:
    """What a new evening begins with. `plan` has the answers of `PLAN`."""

    plan: Mapping[str, Any]
    regulation: Regulation | None
    rules: EveningRules
    prizes: PrizesAndFees
    entries: EntriesStart | None = None
    kind: EveningKind | None = None
    season: Season | None = None
    like: Evening | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """Everything but the regulation, as a kind keeps it."""
        starts_at = self.plan["starts_at"]
        plan = {**self.plan, "starts_at": starts_at and starts_at.isoformat("minutes")}
        kept = {**plan, **asdict(self.rules), **asdict(self.prizes)}
        if self.entries is not None:
            closes_at = self.entries.closes_at
            shown = closes_at and closes_at.isoformat("minutes")
            kept[ENTRIES] = {**asdict(self.entries), "closes_at": shown}
        return kept


def start_of(evening: Evening) -> EveningStart:
    """What a new evening takes from this one, by the newest version of its regulation."""
    return EveningStart(
        plan={name: getattr(evening, name) for name in PLAN},
        regulation=evening.regulation and evening.regulation.newest,
        rules=rules_of(evening),
        prizes=_taken(PrizesAndFees, evening),
        entries=_entries_of(evening),
        kind=evening.kind,
        season=evening.season,
        like=evening,
    )


def start_of_kind(kind: EveningKind) -> EveningStart:
    """What a new evening of this kind begins with: the last evening of the kind, or else what the
    club named it for."""
    last = _last(kind.evenings.filter(is_history=False))
    if last is not None:
        return start_of(last)
    evening = parse_kind(kind.settings)
    return EveningStart(
        plan={name: getattr(evening, name) for name in PLAN},
        regulation=kind.regulation.newest,
        rules=rules_of(evening),
        prizes=_taken(PrizesAndFees, evening),
        entries=parse_entries(kind.settings),
        kind=kind,
    )


def last_start(club: Club, *, plain: bool = False) -> EveningStart | None:
    """What a new evening takes from the club's last one, if `plain` from the last one of no
    particular kind; None if there is none."""
    evenings = Evening.objects.of(club).filter(is_history=False)
    evening = _last(evenings.filter(kind=None) if plain else evenings)
    return start_of(evening) if evening else None


def _last(evenings: "QuerySet[Evening]") -> Evening | None:
    """The last of these up to today, since those after it were planned before it was played; where
    there is none, the last of all."""
    held = evenings.exclude(state=Evening.State.CANCELLED)
    known = held.select_related("regulation", "season", "kind")
    return known.filter(date__lte=timezone.localdate()).first() or known.first()


def _taken(answers: type[PrizesAndFees], evening: Evening) -> PrizesAndFees:
    return answers(**{field.name: getattr(evening, field.name) for field in fields(answers)})


def _entries_of(evening: Evening) -> EntriesStart | None:
    """How this evening takes entries, apart from its own day; None where it decided nothing."""
    known = EntryList.objects.filter(evening=evening).first() if evening.pk else None
    if known is None:
        return None
    answers = {
        field.name: getattr(known, field.name)
        for field in fields(EntriesStart)
        if hasattr(known, field.name)
    }
    if known.deadline is not None:
        end = timezone.localtime(known.deadline)
        days = (evening.date - end.date()).days
        answers |= {"days_before": min(max(days, 0), SOONEST_CLOSED), "closes_at": end.time()}
    return EntriesStart(**answers)


def parse_entries(settings: Mapping[str, Any]) -> EntriesStart | None:
    """How evenings with the settings of a kind take entries. Raises ValueError."""
    given = settings.get(ENTRIES)
    if given is None:
        return None
    known = {field.name for field in fields(EntriesStart)}
    if not isinstance(given, Mapping) or not given.keys() <= known:
        raise ValueError("these are not the settings of entries")
    answers = dict(given)
    if answers.get("closes_at") is not None:
        answers["closes_at"] = dt.time.fromisoformat(str(answers["closes_at"]))
    days = answers.get("days_before", 0)
    if type(days) is not int or not 0 <= days <= SOONEST_CLOSED:
        raise ValueError("these are not the days before an evening")
    start = EntriesStart(**answers)
    sample = EntryList(
        **{name: getattr(start, name) for name in known - {"days_before", "closes_at"}}
    )
    try:
        sample.clean_fields(exclude=["evening"])
    except ValidationError as error:
        raise ValueError(" ".join(error.messages)) from error
    return start


def parse_kind(settings: Any) -> Evening:
    """An evening, not stored, with the settings of a kind. Raises ValueError."""
    if not isinstance(settings, Mapping) or not settings.keys() <= {*KEPT, ENTRIES}:
        raise ValueError("these are not the settings of an evening")
    parse_entries(settings)
    given = {name: value for name, value in settings.items() if name != ENTRIES}
    if given.get("starts_at") is not None:
        given["starts_at"] = dt.time.fromisoformat(str(given["starts_at"]))
    parse_prizes(given.get("prizes", {}))
    ties = given.get("tie_breaks", [])
    if not isinstance(ties, list) or not set(map(str, ties)) <= set(EVENING_TIE_BREAKS):
        raise ValueError("these are not the ties of an evening")
    evening = Evening(**given)
    try:
        evening.clean_fields(exclude={field.name for field in evening._meta.fields} - set(KEPT))
    except ValidationError as error:
        raise ValueError(" ".join(error.messages)) from error
    return evening


@transaction.atomic
def kind_add(*, club: Club, name: str, start: EveningStart, actor: Actor) -> EveningKind:
    """A kind of evening that begins like this.

    Raises DomainError `name_missing`, `name_too_long` or `kind_exists`.
    """
    club = club_lock(club.pk)
    if start.regulation is None or start.regulation.club_id != club.pk:
        raise DomainError("no_regulation", _("Choose a regulation for this evening first."))
    kind = EveningKind(
        club=club,
        name=_sound_name(club, name),
        regulation=start.regulation,
        settings=start.settings,
    )
    kind.save()
    _note(kind, actor, "kind_added")
    return kind


@transaction.atomic
def kind_rename(*, kind: EveningKind, name: str, actor: Actor) -> EveningKind:
    """Give a kind another name. Raises DomainError like `kind_add`."""
    club = club_lock(kind.club_id)
    name = _sound_name(club, name, but=kind)
    if name != kind.name:
        kind.refresh_from_db()
        kind.name = name
        kind.save_changes("name")
        _note(kind, actor, "kind_renamed")
    return kind


@transaction.atomic
def kind_remove(*, kind: EveningKind, actor: Actor) -> None:
    """Remove a kind; its evenings stay as they are. Removing it twice changes nothing."""
    club_lock(kind.club_id)
    if EveningKind.objects.filter(pk=kind.pk).exists():
        _note(kind, actor, "kind_removed")
        EveningKind.objects.filter(pk=kind.pk).delete()


def _sound_name(club: Club, name: str, but: EveningKind | None = None) -> str:
    name = tidy_name(name)
    if not name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(name) > LONGEST_NAME:
        raise DomainError("name_too_long", _("The name may have at most 40 characters."))
    others = [kind for kind in club.kinds.all() if but is None or kind.pk != but.pk]
    if any(name_key(kind.name) == name_key(name) for kind in others):
        raise DomainError("kind_exists", _("There is already a kind of evening with this name."))
    return name


def _note(kind: EveningKind, actor: Actor, action: str) -> None:
    event_append(
        chain=kind.club,
        club=kind.club,
        actor=actor,
        action=action,
        object_ref=f"kind:{kind.pk}",
        data={"regulation": kind.regulation_id, "settings": kind.settings},
        texts={"name": kind.name},
    )


PLANNED, RUNNING, CANCELLED = Evening.State.PLANNED, Evening.State.RUNNING, Evening.State.CANCELLED
NOT_EMPTY = gettext_lazy(
    "Something was written of this evening: deals, a result, cards of folders, money that was paid"
    " or a cup. So it stays. You can call off an evening on which no deals were written."
)


@transaction.atomic
def evening_delete(*, evening_id: int, actor: Actor) -> Evening:
    """Delete an evening on which nothing was played, with its draw and its list of who is here. For
    thirty days `evenings_put_back` can make it again without those two.

    Raises DomainError `evening_state` when it is closed, and `evening_played` when something of it
    must stay: deals, results, cards typed in, money that was paid, a cup that was won. Folders that
    the program dealt go along, which the trail says.
    """
    evening = evening_lock(evening_id)
    require_state(evening, PLANNED, RUNNING, CANCELLED)
    if _holds_something(evening):
        raise DomainError("evening_played", str(NOT_EMPTY))
    try:
        rounds_remove(evening, evening.rounds.all())
    except DomainError as error:
        raise DomainError("evening_played", str(NOT_EMPTY)) from error
    if dealt := folders_dealt(evening):
        evening_note(evening, actor=actor, action="folders_dropped", data={"count": dealt})
    data = {"evening": evening.slug, "date": str(evening.date), "state": evening.state}
    evening_note(
        evening, actor=actor, action="evening_deleted", data=data, texts={"name": evening.name}
    )
    _keep(evening)
    Folder.objects.filter(pack=evening.uuid).delete()
    Evening.objects.filter(pk=evening.pk).delete()
    return evening


def folders_dealt(evening: Evening) -> int:
    """How many folders with cards the evening has; they go with it when it is deleted. A query."""
    return Folder.objects.filter(pack=evening.uuid).exclude(hands="").count()


def _keep(evening: Evening) -> None:
    gone = timezone.now() - DeletedEvening.STAYS
    DeletedEvening.objects.filter(club=evening.club, deleted_at__lt=gone).delete()
    alike = "club", "uuid", "season", "kind", "regulation", "series", "date", "name"
    DeletedEvening.objects.create(
        **{field: getattr(evening, field) for field in (*alike, "version", "revision")},
        settings=start_of(evening).settings,
        was_cancelled=evening.state == CANCELLED,
    )


def deleted_evenings(club: Club) -> QuerySet[DeletedEvening]:
    """The evenings that can be put back, the last deleted first."""
    since = timezone.now() - DeletedEvening.STAYS
    return DeletedEvening.objects.filter(club=club, deleted_at__gte=since)


@transaction.atomic
def evenings_put_back(*, club: Club, ids: Collection[int], actor: Actor) -> list[Evening]:
    """Make these deleted evenings again as they were decided on, at the addresses that their days
    have left. Those that were put back already are passed over."""
    club = club_lock(club.pk)
    kept = deleted_evenings(club).filter(pk__in=ids).order_by("date", "pk")
    evenings = [_put_back(club, deleted, actor) for deleted in kept]
    kept.delete()
    return evenings


def _put_back(club: Club, deleted: DeletedEvening, actor: Actor) -> Evening:
    evening = parse_kind(deleted.settings)
    for name in ("uuid", "season", "kind", "regulation", "series", "date", "name"):
        setattr(evening, name, getattr(deleted, name))
    evening.club, evening.sequence = club, next_sequence(club, deleted.date)
    evening.state = CANCELLED if deleted.was_cancelled else PLANNED
    evening.version, evening.revision = deleted.version + 1, deleted.revision + 1
    evening.save()
    if entries := parse_entries(deleted.settings):
        entries_begin(evening, entries)
    data = {"evening": evening.slug, "date": str(evening.date), "state": evening.state}
    evening_note(
        evening, actor=actor, action="evening_put_back", data=data, texts={"name": evening.name}
    )
    return evening


def _holds_something(evening: Evening) -> bool:
    """Whether there is something other than deals that deleting the evening would lose."""
    paid = evening.registrations.filter(paid__isnull=False)
    typed = Folder.objects.filter(pack=evening.uuid, typed=True)
    results = evening.past_results, evening.competitor_results, evening.play_off_scores
    kept = paid, typed, evening.releases, evening.cupwin_set, *results
    return any(rows.exists() for rows in kept)
