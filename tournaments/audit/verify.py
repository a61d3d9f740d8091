"""Verifies evenings: stored summaries match the sheets, and what is stored matches what the
trails of clubs say, event by event."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from functools import cache
from typing import Any

from django.dispatch import receiver

from clubs.audit.services import seal_of
from clubs.models import AuditEvent, AuditText, Club, Member, MemberMerge
from scoring.deals.entries import figures_verifying
from tournaments.duplicate.night_results import release_seal
from tournaments.leagues.rankings import list_seal
from tournaments.models import Evening, NightRelease, RankingList, Release, published_as
from tournaments.releases.services import evening_record, name_commitment, tables_of
from tournaments.standings.queries import release_figures
from tournaments.standings.summaries import (
    competitor_lines,
    competitor_summaries,
    evening_summaries,
    summaries_worked_out,
)

Data = Mapping[str, Any]
Sheets = dict[str, list[int]]
"""By the UUID of a sheet its round, its table, and the length of its trail."""


@dataclass(slots=True)
class RecordedEvening:
    """What the trail says about one evening.

    `sheets` must be there; `sealed` is what was sealed of them, with the number of the event, and
    `round_seals` what the rounds carry, by number.
    `record` is how the evening was when it was published, without what was paid since, and None
    while it is open; `paid` is what each person paid or took back since, in order.
    """

    date: str = ""
    is_there: bool = True
    sheets: Sheets = field(default_factory=dict)
    sealed: list[tuple[int, str, Sheets]] = field(default_factory=list)
    round_seals: dict[int, str] = field(default_factory=dict)
    releases: dict[int, Data] = field(default_factory=dict)
    record: Data | None = None
    stakes: list[int | None] = field(default_factory=list)
    paid: list[tuple[str, int | None]] = field(default_factory=list)

    def hear(self, number: int, action: str, data: Data) -> None:
        """Take in the next event about this evening."""
        self.date = str(data.get("date") or self.date)
        if action in ("round_closed", "published") and "sheets" in data:
            self.sealed.append((number, data["seal"], data["sheets"]))
            self.sheets = data["sheets"] if action == "published" else self.sheets | data["sheets"]
        self._hear_of_round(action, data)
        if action == "published":
            self.releases[data["release"]] = data
            self.record, self.stakes, self.paid = data, data.get("stakes", []), []
        elif action == "evening_reopened":
            self.record = None
        elif action == "stakes_set":
            self.stakes = data["stakes"][1]
        elif action in ("stake_paid", "stake_taken_back"):
            self.paid.append((data["member"], data["cents"][1]))
        elif action == "evening_cancelled":
            self.sheets = {}
        elif action in ("evening_taken_back", "evening_deleted") or data.get("gone"):
            self.is_there = False
        elif action == "evening_put_back":
            self.is_there, self.sheets, self.round_seals = True, {}, {}

    def _hear_of_round(self, action: str, data: Data) -> None:
        if action == "round_closed":
            self.round_seals[data["round"]] = data["seal"]
        elif action == "round_reopened":
            self.round_seals[data["round"]] = ""
        elif action in ("evening_replaced", "evening_cancelled"):
            self.round_seals = {}


def evenings_recorded(club: Club | None) -> dict[tuple[int, str], RecordedEvening]:
    """What the trail says, by club and the UUID of the evening; of one club or of all."""
    evenings: dict[tuple[int, str], RecordedEvening] = defaultdict(RecordedEvening)
    events = AuditEvent.objects.filter(
        chain__startswith="club:",
        object_ref__startswith="evening:",
        **({"club": club} if club else {}),
    )
    columns = events.order_by("club", "number").values_list(
        "club", "object_ref", "number", "action", "data"
    )
    for club_id, about, number, action, data in columns.iterator():
        evenings[club_id, about.removeprefix("evening:")].hear(number, action, data)
    return dict(evenings)


class Persons:
    """People who were merged at some time count as one, also after that was undone: the trail
    does not say which of their rows went back."""

    def __init__(self, couples: Iterable[tuple[str, str]]) -> None:
        self._into: dict[str, str] = {}
        for guest, member in couples:
            if (first := self.of(guest)) != (second := self.of(member)):
                self._into[first] = second

    def of(self, uuid: str) -> str:
        """The UUID that stands for this person."""
        while uuid in self._into:
            uuid = self._into[uuid]
        return uuid


def persons_of(club_id: int) -> Persons:
    """Who was ever merged with whom at a club, by its trail."""
    merges = AuditEvent.objects.filter(club=club_id, action="guest_merged").order_by("number")
    return Persons(
        (data["guest"], about.removeprefix("member:"))
        for about, data in merges.values_list("object_ref", "data")
    )


@receiver(figures_verifying)
def summary_faults(club: Club | None, **_kwargs: object) -> list[str]:
    """The evenings whose stored summary is not what their sheets add up to. A summary of an earlier
    revision is not used, so it is not a fault."""
    evenings = Evening.objects.filter(summary__isnull=False, **_of("club", club))
    return [
        f"evening {evening.club.slug} {evening.slug}: its stored summary was changed"
        for evening in evenings.select_related("club").iterator()
        if evening_summaries([evening]) != summaries_worked_out([evening])
        or competitor_summaries([evening])[evening.pk] != competitor_lines(evening)
    ]


@receiver(figures_verifying)
def evening_faults(club: Club | None, **_kwargs: object) -> list[str]:
    """The evenings that are missing, or that differ from what the trail says about them."""
    slugs = dict(Club.objects.values_list("pk", "slug"))
    stored = {
        (evening.club_id, str(evening.uuid)): evening
        for evening in Evening.objects.filter(**_of("club", club)).select_related("club")
    }
    persons, names = cache(persons_of), cache(Names)
    faults = []
    for (club_id, uuid), recorded in evenings_recorded(club).items():
        evening = stored.get((club_id, uuid))
        if evening is not None:
            found = [
                *_sheet_faults(evening, recorded),
                *_record_faults(evening, recorded, persons(club_id)),
                *_releases_faults(evening, recorded, names(club_id)),
            ]
            faults += [f"evening {evening.club.slug} {evening.slug}: {fault}" for fault in found]
        elif recorded.is_there:
            faults.append(f"evening {slugs[club_id]} {recorded.date or uuid}: it is missing")
    return faults


@receiver(figures_verifying)
def ranking_list_faults(club: Club | None, **_kwargs: object) -> list[str]:
    """The official lists of leagues, which are of no club, that are not as the trail has them."""
    if club is not None:
        return []
    lists = RankingList.objects.select_related("ranking__league").order_by("ranking", "number")
    published = (
        _Published(
            about=f"leagueranking:{made.ranking_id}",
            number=made.number,
            seals={made.seal, list_seal(made)},
            words=f"league {made.ranking.league.slug}: list {made.number} of {made.ranking.slug}",
        )
        for made in lists.iterator()
    )
    return _publication_faults("ranking_published", "list", published)


@receiver(figures_verifying)
def night_release_faults(club: Club | None, **_kwargs: object) -> list[str]:
    """The published rankings of nights of several clubs that are not as the trail has them."""
    if club is not None:
        return []
    releases = NightRelease.objects.select_related("night__league").order_by("night", "number")
    published = (
        _Published(
            about=f"sharednight:{made.night_id}",
            number=made.number,
            seals={made.seal, release_seal(made)},
            words=f"league {made.night.league.slug}: release {made.number} of {made.night.name}",
        )
        for made in releases.iterator()
    )
    return _publication_faults("night_published", "release", published)


@dataclass(frozen=True, slots=True)
class _Published:
    """Something a league published: what the trail says it is about, its number, the seal that it
    has and the one that it should have, and what it is called."""

    about: str
    number: int
    seals: set[str]
    words: str


def _publication_faults(action: str, kind: str, published: Iterable[_Published]) -> list[str]:
    """What is there of these and is not what the trail has of this action, and what is gone."""
    events = AuditEvent.objects.filter(action=action).values_list("object_ref", "data")
    sealed = {(about, data["number"]): data["seal"] for about, data in events}
    faults = [
        f"{made.words} was changed"
        for made in published
        if made.seals != {sealed.pop((made.about, made.number), "")}
    ]
    return faults + [f"{kind} {number} of {about} is missing" for about, number in sealed]


def _sheet_faults(evening: Evening, recorded: RecordedEvening) -> Iterator[str]:
    """Sheets that are not where the trail has them, seals that are not as they were made."""
    here = {
        str(table.sheet.uuid): [table.round.number, table.number] for table in tables_of(evening)
    }
    for uuid, (round_, table, _length) in recorded.sheets.items():
        if here.get(uuid) != [round_, table]:
            yield f"the sheet of round {round_}, table {table} is missing"
    if recorded.record and "sheets" in recorded.record:
        for uuid in here.keys() - recorded.sheets:
            yield "round {}, table {} has a sheet that was not played on".format(*here[uuid])
    for number, seal in evening.rounds.values_list("number", "seal"):
        if recorded.round_seals.get(number, seal) != seal:
            yield f"the seal of round {number} was changed"
    yield from _seal_faults(recorded)


def _seal_faults(recorded: RecordedEvening) -> Iterator[str]:
    """The seals that the trails of the sheets no longer give."""
    chains = {f"sheet:{uuid}" for _number, _seal, sheets in recorded.sealed for uuid in sheets}
    events = AuditEvent.objects.filter(chain__in=chains).values_list("chain", "number", "hash")
    hashes = {(chain, number): hashed for chain, number, hashed in events}
    for number, seal, sheets in recorded.sealed:
        heads = [(f"sheet:{uuid}", length) for uuid, (_r, _t, length) in sheets.items()]
        if seal_of((*head, hashes.get(head, "")) for head in heads) != seal:
            yield f"the trails of its sheets are not as they were sealed by event {number}"


def _record_faults(evening: Evening, recorded: RecordedEvening, persons: Persons) -> Iterator[str]:
    """What is not as it was when the evening was published, if it has not been opened since."""
    if recorded.record is None or "people" not in recorded.record:
        return
    if evening.state != Evening.State.CLOSED:
        yield "it is no longer closed"
        return
    now = evening_record(evening)
    if now["stakes"] != recorded.stakes:
        yield "the entry fee was changed"
    if _seats(now["seats"], persons) != _seats(recorded.record["seats"], persons):
        yield "who sat where was changed"
    then = _people(recorded.record["people"], persons)
    for member, cents in recorded.paid:
        for columns in then.get(persons.of(member), {}).values():
            columns[2] = cents
    if not _same_people(_people(now["people"], persons), then):
        yield "who was there, or who paid, was changed"


def _seats(seats: Mapping[str, Any], persons: Persons) -> dict[str, list[Any]]:
    return {
        sheet: [
            [seat, from_deal, member and persons.of(member), other and persons.of(other), extra]
            for seat, from_deal, member, other, extra in holders
        ]
        for sheet, holders in seats.items()
    }


People = dict[str, dict[str, list[Any]]]
"""By person what stands of them, by the UUIDs that they had."""


def _people(columns: Mapping[str, list[Any]], persons: Persons) -> People:
    people: People = {}
    for uuid, values in columns.items():
        people.setdefault(persons.of(uuid), {})[uuid] = list(values)
    return people


def _same_people(now: People, then: People) -> bool:
    """Whether all are there as they were. Of two who were merged, one row may be gone."""
    if now.keys() != then.keys():
        return False
    return all(
        any(values in then[person].values() for values in rows.values())
        for person, rows in now.items()
    )


class Names:
    """The ids of a club's people by UUID, merged guests too, and the names of who was erased."""

    def __init__(self, club_id: int) -> None:
        merges = MemberMerge.objects.filter(club=club_id, undone_at=None)
        guests = merges.values_list("guest", flat=True)
        self.ids = {guest["uuid"]: guest["id"] for guest in guests}
        members = Member.objects.filter(club=club_id)
        for pk, uuid in members.values_list("pk", "uuid"):
            self.ids[str(uuid)] = pk
        erased = members.exclude(erased_at=None).values_list("name", "pk")
        self._neutral = dict(erased)
        self._there = set(self.ids.values())

    def may_be_erased(self, row: Mapping[str, Any]) -> bool:
        """Whether a row without a salt has the name of somebody who was erased."""
        pk = self._neutral.get(row["name"])
        about = row.get("member", pk)
        is_theirs = about == pk or about not in self._there
        return pk is not None and is_theirs and row["shown_name"] == row["name"]


def _releases_faults(evening: Evening, recorded: RecordedEvening, names: Names) -> Iterator[str]:
    """Releases that are missing, that were never published, or that differ from the trail."""
    reasons = _reasons(evening)
    releases = {release.number: release for release in evening.releases.all()}
    for number in sorted(recorded.releases.keys() | releases.keys()):
        release, data = releases.get(number), recorded.releases.get(number)
        if release is None:
            yield f"what was published as number {number} is missing"
        elif data is None:
            yield f"what is stored as number {number} was never published"
        elif _is_changed(release, data, names) or release.reason != reasons.get(number, ""):
            yield f"what was published as number {number} was changed"


def _is_changed(release: Release, data: Data, names: Names) -> bool:
    lists = release.lists
    return (
        release.seal != data["seal"]
        or release_figures(*release.figured) != data["figures"]
        or release.published_at.astimezone(UTC).isoformat() != data["published_at"]
        or _are_others(lists, data["members"], names)
        or [*map(len, release.salts)] != [*map(len, lists)]
        or any(
            _is_renamed(row, salt, committed, names)
            for rows, salts, commitments in zip(lists, release.salts, data["names"], strict=True)
            for row, salt, committed in zip(rows, salts, commitments, strict=True)
        )
    )


def _are_others(
    lists: Iterable[Iterable[Mapping[str, Any]]], members: Mapping[str, str], names: Names
) -> bool:
    """Whether a row is about another person than was published."""
    return any(
        names.ids.get(members.get(str(published_as(row)), ""), row["member"]) != row["member"]
        for rows in lists
        for row in rows
        if "member" in row
    )


def _is_renamed(row: Mapping[str, Any], salt: str, committed: str, names: Names) -> bool:
    if not salt:
        return not names.may_be_erased(row)
    return name_commitment(salt, row) != committed


def _reasons(evening: Evening) -> dict[int, str]:
    """Why each release was published, by the texts of the trail that were not erased."""
    texts = AuditText.objects.filter(
        event__object_ref=f"evening:{evening.uuid}", event__action="published", field="reason"
    )
    return {data["release"]: text for data, text in texts.values_list("event__data", "text")}


def _of(path: str, club: Club | None) -> dict[str, Club]:
    return {path: club} if club else {}
