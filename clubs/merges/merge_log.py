"""The record of what a merge of two members changed, so that it can be undone.

Each app merges its own rows in a `MergeHook`.
"""

from collections.abc import Collection
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet

from clubs.models import Member

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


def register(hook: MergeHook) -> None:
    """Call this hook at every merge, after those that were registered before it."""
    hooks.append(hook)
