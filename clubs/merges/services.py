"""Merging a guest into a member, and undoing a merge: who may be one person, and the record of what
a merge changed.

Each app merges its own rows in a `MergeHook`."""

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club, Member, MemberMerge
from clubs.namesakes.services import Duplicates, namesakes_follow
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError

Noted = dict[str, Any]
"""The columns of a row, or everything that a merge did, as JSON."""


class MergeLog:
    """Moves rows from the guest to the member, and records each.

    `evenings` are those that only the guest attended: whatever is written there later in the
    member's name goes to the guest when the merge is undone.
    """

    def __init__(self, guest: Member, member: Member) -> None:
        self.guest, self.member = guest, member
        self.evenings: list[int] = []
        self._moved: dict[str, list[int]] = {}
        self._changed: list[tuple[str, int, Noted, Noted]] = []
        self._dropped: list[tuple[str, Noted]] = []

    def move(self, model: type[Model], field: str = "member") -> None:
        """Move the rows whose `field` is the guest to the member."""
        rows = model._default_manager.filter(**{field: self.guest})
        if ids := list(rows.order_by("pk").values_list("pk", flat=True)):
            rows.update(**{field: self.member})
            self._moved[f"{model._meta.label_lower}.{field}"] = ids

    def change(self, row: Model, **values: Any) -> None:
        """Change columns of a row."""
        before = {name: getattr(row, name) for name in values}
        type(row)._default_manager.filter(pk=row.pk).update(**values)
        self._changed.append((row._meta.label_lower, row.pk, before, values))

    def drop(self, rows: QuerySet[Any]) -> None:
        """Delete these rows."""
        self._dropped += [(row._meta.label_lower, columns_of(row)) for row in rows]
        rows.model._default_manager.filter(pk__in=[row.pk for row in rows]).delete()

    def as_json(self) -> Noted:
        """What was done, as `MemberMerge.handed_over` keeps it."""
        return {
            "moved": self._moved,
            "changed": self._changed,
            "dropped": self._dropped,
            "evenings": self.evenings,
        }


def give_back(noted: Noted, *, guest: Member, member: Member) -> None:
    """Reverse moves and changes, where rows are still as the merge left them."""
    for label, ids in noted["moved"].items():
        name, _dot, field = label.rpartition(".")
        rows = apps.get_model(name)._default_manager.filter(pk__in=ids, **{field: member})
        rows.update(**{field: guest})
    for name, pk, before, after in reversed(noted["changed"]):
        apps.get_model(name)._default_manager.filter(pk=pk, **after).update(**before)


def put_back(noted: Noted) -> None:
    """Insert the deleted rows again, unless something has taken their place, or what they refer to
    is gone."""
    for name, columns in noted["dropped"]:
        row = apps.get_model(name)(**columns)
        try:
            row.full_clean()
        except ValidationError:
            continue
        row.save(force_insert=True)


def columns_of(row: Model) -> Noted:
    """Every column of a row as JSON."""
    encoder = DjangoJSONEncoder()
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    plain = (str, int, float, dict, list, type(None))
    return {
        name: value if isinstance(value, plain) else encoder.default(value)
        for name, value in values.items()
    }


class MergeHook:
    """How an app merges what it stores about members; registered in `AppConfig.ready`."""

    def merge(self, log: MergeLog) -> None:
        """Move the guest's rows to the member; inside the transaction of the merge."""

    def part(self, guest: Member, member: Member, noted: Noted) -> None:
        """Called inside the transaction that undoes a merge, after moved rows are the guest's again
        and before deleted rows are inserted from `noted`."""

    def preview(self, guest: Member) -> list[str]:
        """What would move to the member, in words."""
        return []

    def met(self, ids: Collection[int]) -> set[frozenset[int]]:
        """The couples of these members who were at the same event, and so are two people."""
        return set()


hooks: list[MergeHook] = []


def hook_register(hook: MergeHook) -> None:
    """Call this hook at every merge, after those that were registered before it."""
    hooks.append(hook)


@dataclasses.dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would move, in words, or why it is refused."""

    moving: list[str]
    refusal: str = ""


@transaction.atomic
def guest_merge(*, guest: Member, member: Member, actor: Actor) -> MemberMerge:
    """Merge the guest into the member: everything the guest played becomes the member's.

    Raises DomainError `merge_same`, `merge_not_a_guest`, `guest_gone`, `merge_erased`, or
    `merge_both_played` when the two were at the same evening.
    """
    club = club_lock(member.club_id)
    guest, member = _both(guest, member)
    log = MergeLog(guest, member)
    for hook in hooks:
        hook.merge(log)
    log.move(MemberMerge)
    merge = MemberMerge.objects.create(
        club=club, member=member, guest=columns_of(guest), handed_over=log.as_json()
    )
    _audit(merge, actor, "guest_merged")
    guest.delete()
    namesakes_follow(club)
    return merge


@transaction.atomic
def merge_undo(*, merge: MemberMerge, actor: Actor) -> Member:
    """Undo a merge; returns the guest.

    Every evening of the guest is theirs again, with what was written there since; later evenings
    stay the member's. A guest whose number was given away gets none. Raises
    DomainError `merge_undone`.
    """
    club = club_lock(merge.club_id)
    if not MemberMerge.objects.filter(pk=merge.pk, undone_at=None).update(undone_at=timezone.now()):
        raise DomainError("merge_undone", _("This merge has been undone already."))
    merge = MemberMerge.objects.select_related("club", "member").get(pk=merge.pk)
    member = merge.member
    guest = Member(**merge.guest)
    if Member.objects.of(club).filter(number=guest.number).exists():
        guest.number = None
    guest.save(force_insert=True)
    give_back(merge.handed_over, guest=guest, member=member)
    for hook in hooks:
        hook.part(guest, member, merge.handed_over)
    put_back(merge.handed_over)
    namesakes_follow(club, guest)
    _audit(merge, actor, "merge_undone")
    return guest


def merge_preview(*, guest: Member, member: Member) -> MergePreview:
    """What a merge would move; it is tried and rolled back."""
    moving = [line for hook in hooks for line in hook.preview(guest)]
    try:
        with transaction.atomic():
            guest_merge(guest=guest, member=member, actor=Actor.of_program("preview"))
            transaction.set_rollback(True)
    except DomainError as error:
        return MergePreview(moving, error.message)
    return MergePreview(moving)


def _both(guest: Member, member: Member) -> tuple[Member, Member]:
    """The two as stored; raises DomainError where they cannot be merged."""
    people = Member.objects.in_bulk([guest.pk, member.pk])
    if {guest.pk, member.pk} - people.keys():
        raise DomainError("guest_gone", _("This guest is no longer on the list."))
    guest, member = people[guest.pk], people[member.pk]
    if guest.pk == member.pk or guest.club_id != member.club_id:
        raise DomainError("merge_same", _("Choose two different people of this club."))
    if guest.kind != Member.Kind.GUEST:
        raise DomainError("merge_not_a_guest", _("Only a guest can be merged into a member."))
    if guest.erased_at or member.erased_at:
        raise DomainError("merge_erased", _("The details of this person have been erased."))
    return guest, member


def _audit(merge: MemberMerge, actor: Actor, action: str) -> None:
    event_append(
        chain=merge.club,
        club=merge.club,
        actor=actor,
        action=action,
        object_ref=f"member:{merge.member.uuid}",
        data={"guest": merge.guest["uuid"], "merge": str(merge.uuid)},
        texts={"name": merge.member.name, "guest_name": merge.guest["name"]},
    )


@dataclasses.dataclass(frozen=True, slots=True)
class Couple:
    """A guest, and somebody of the club with a similar name."""

    guest: Member
    other: Member

    @property
    def ids(self) -> frozenset[int]:
        return frozenset((self.guest.pk, self.other.pk))


def likely_same(club: Club) -> list[Couple]:
    """The guests of a club who may be one of its members, or another guest, by surname; without
    couples who were at the same event, or whose merge was undone."""
    people = list(Member.objects.of(club).filter(erased_at=None).by_surname())
    known = Duplicates((member.name, member) for member in people)
    couples = [
        Couple(guest, other)
        for guest in people
        if guest.kind == Member.Kind.GUEST
        for other in known.like(guest.name)
        if other != guest and (other.kind == Member.Kind.MEMBER or other.pk < guest.pk)
    ]
    two_people = _together(couples) | _parted(club)
    return [couple for couple in couples if couple.ids not in two_people]


def _together(couples: Sequence[Couple]) -> set[frozenset[int]]:
    ids = {pk for couple in couples for pk in couple.ids}
    return {both for hook in hooks for both in hook.met(ids)} if ids else set()


def _parted(club: Club) -> set[frozenset[int]]:
    undone = MemberMerge.objects.filter(club=club, undone_at__isnull=False)
    return {frozenset(both) for both in undone.values_list("guest__id", "member")}


# Members by the ids they had as guests.


def people_today(ids: Iterable[int]) -> dict[int, Member]:
    """These people by id, merged guests as the member they became; without deleted people."""
    wanted = set(ids)
    members: dict[int, Member] = Member.objects.in_bulk(wanted)
    return members | _as_members(wanted - members.keys())


def ids_today(ids: Iterable[int]) -> dict[int, int]:
    """The current ids of those of these people who were merged into a member."""
    return {then: member.pk for then, member in _as_members(set(ids)).items()}


def first_lots(ids: Iterable[int]) -> dict[int, str]:
    """The seed of lots for those of these people who came from another server."""
    moved = Member.objects.filter(pk__in=set(ids), first_id__isnull=False)
    return {pk: str(first) for pk, first in moved.values_list("pk", "first_id")}


def ids_before(member: Member) -> set[int]:
    """The ids of the guests that were merged into this person."""
    merges = MemberMerge.objects.filter(undone_at=None, member=member)
    return set(merges.values_list("guest__id", flat=True))


def _as_members(ids: set[int]) -> dict[int, Member]:
    if not ids:
        return {}
    merges = MemberMerge.objects.filter(undone_at=None, guest__id__in=ids)
    return {merge.guest["id"]: merge.member for merge in merges.select_related("member")}
