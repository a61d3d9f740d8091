"""What a merge of two members changed, so that it can be undone; apps add what is theirs."""

from collections.abc import Collection
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet

from clubs.models import Member

Noted = dict[str, Any]
"""Columns of a row, or all that a merge did, as JSON can hold it."""


class MergeLog:
    """Gives rows of the guest to the member, and takes note of each.

    `evenings` are those that only the guest was at: whatever is written there later in the
    member's name is the guest's when the two are taken apart again.
    """

    def __init__(self, guest: Member, member: Member) -> None:
        self.guest, self.member = guest, member
        self.evenings: list[int] = []
        self._moved: dict[str, list[int]] = {}
        self._changed: list[tuple[str, int, Noted, Noted]] = []
        self._dropped: list[tuple[str, Noted]] = []

    def move(self, model: type[Model], field: str = "member") -> None:
        """Those rows whose `field` is the guest become the member's."""
        rows = model._default_manager.filter(**{field: self.guest})
        if ids := list(rows.order_by("pk").values_list("pk", flat=True)):
            rows.update(**{field: self.member})
            self._moved[f"{model._meta.label_lower}.{field}"] = ids

    def change(self, row: Model, **values: Any) -> None:
        """Give a row other values, by the names of its columns."""
        before = {name: getattr(row, name) for name in values}
        type(row)._default_manager.filter(pk=row.pk).update(**values)
        self._changed.append((row._meta.label_lower, row.pk, before, values))

    def drop(self, rows: QuerySet[Any]) -> None:
        """Take these rows away."""
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
    """What was moved or changed is as before, where it is still as the merge left it."""
    for label, ids in noted["moved"].items():
        name, _dot, field = label.rpartition(".")
        rows = apps.get_model(name)._default_manager.filter(pk__in=ids, **{field: member})
        rows.update(**{field: guest})
    for name, pk, before, after in reversed(noted["changed"]):
        apps.get_model(name)._default_manager.filter(pk=pk, **after).update(**before)


def put_back(noted: Noted) -> None:
    """What was taken away is there again, unless something else is in its place by now, or what it
    was about is gone."""
    for name, columns in noted["dropped"]:
        row = apps.get_model(name)(**columns)
        try:
            row.full_clean()
        except ValidationError:
            continue
        row.save(force_insert=True)


def columns_of(row: Model) -> Noted:
    """Every column of a row as JSON can hold it."""
    encoder = DjangoJSONEncoder()
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    plain = (str, int, float, dict, list, type(None))
    return {
        name: value if isinstance(value, plain) else encoder.default(value)
        for name, value in values.items()
    }


# What the other apps do when two people become one, or two again.


class MergeHook:
    """What an app keeps about members. It registers a subclass of this in `AppConfig.ready`."""

    def merge(self, log: MergeLog) -> None:
        """Hand what is the guest's to the member; inside the transaction of the merge."""

    def part(self, guest: Member, member: Member, noted: Noted) -> None:
        """Inside the transaction that takes two people apart, when what was moved is the guest's
        again. What was dropped is put back after this, as `noted` has it then."""

    def preview(self, guest: Member) -> list[str]:
        """What of the guest's would become the member's, in words."""
        return []

    def met(self, ids: Collection[int]) -> set[frozenset[int]]:
        """The couples of these members that were somewhere together, and so are two people."""
        return set()


hooks: list[MergeHook] = []


def register(hook: MergeHook) -> None:
    """Call this hook at every merge, after those that were registered before it."""
    hooks.append(hook)
