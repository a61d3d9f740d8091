"""Entry fees: what everybody pays in, who has paid, and the pot."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from clubs.text.numbers import MoneyField
from tournaments.evenings.locking import answers_apply, evening_lock, evening_note, require_state
from tournaments.models import EntryFees, Evening, Registration

NOT_CANCELLED = (Evening.State.PLANNED, Evening.State.RUNNING, Evening.State.CLOSED)


@dataclass(frozen=True, slots=True)
class EntryFeeRow:
    """A person on the list: the fee they owe and what they have paid, in cents."""

    member: Member
    here: bool
    due: int | None
    paid: int | None

    @property
    def is_other(self) -> bool:
        """Whether they paid a different sum from what they owe."""
        return self.paid is not None and self.paid != self.due


@dataclass(frozen=True, slots=True)
class EntryFeeList:
    """Everybody who is here or has paid, by surname, with the totals."""

    rows: Sequence[EntryFeeRow]

    @property
    def pot(self) -> int:
        """The sum paid so far."""
        return sum(row.paid or 0 for row in self.rows)

    @property
    def paid(self) -> int:
        """How many of those who owe a fee have paid, or play free."""
        return sum(row.paid is not None for row in self.owing)

    @property
    def owing(self) -> list[EntryFeeRow]:
        """Everybody present who owes a fee."""
        return [row for row in self.rows if row.here and row.due]

    @property
    def unpaid(self) -> int:
        """The sum that people who are here still have to pay."""
        return sum(row.due or 0 for row in self.owing if row.paid is None)


class EntryFeesForm(forms.Form):
    """The fee of a member and of a guest."""

    stake_member = MoneyField(label=gettext_lazy("A member pays"), required=False)
    stake_guest = MoneyField(
        label=gettext_lazy("A guest pays"),
        help_text=gettext_lazy("Leave empty if there is no entry fee."),
        required=False,
    )

    def fees(self) -> EntryFees:
        """What was filled in; the form must be valid."""
        return EntryFees(**self.cleaned_data)


class OtherFeeForm(forms.Form):
    """Somebody who paid another sum than the fee."""

    who = forms.ModelChoiceField(
        Member.objects.none(), label=gettext_lazy("Who"), empty_label=gettext_lazy("Choose a name")
    )
    paid = MoneyField(
        label=gettext_lazy("Pays"), help_text=gettext_lazy("Type 0 for somebody who plays free.")
    )

    def __init__(self, *args: Any, evening: Evening, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        listed = evening.registrations.filter(present=True).values("member")
        people = Member.objects.filter(pk__in=listed).by_surname()
        self.fields["who"].queryset = people  # type: ignore[attr-defined]


def asks_entry_fee(evening: Evening) -> bool:
    """Whether anybody owes a fee."""
    return bool(evening.stake_member or evening.stake_guest)


def entry_fee_due(evening: Evening, member: Member) -> int | None:
    """The fee this person owes, in cents; None if there is none."""
    is_guest = member.kind == Member.Kind.GUEST
    return evening.stake_guest if is_guest else evening.stake_member


def entry_fee_list(evening: Evening) -> EntryFeeList:
    """The entry fees of an evening, in one query."""
    registrations = evening.registrations.select_related("member").order_by(
        "member__sort_name", "member__pk"
    )
    return EntryFeeList(
        [_row(evening, entry) for entry in registrations if entry.present or entry.paid is not None]
    )


@transaction.atomic
def entry_fees_set(*, evening_id: int, fees: EntryFees, actor: Actor) -> Evening:
    """Set the fees; what was paid already stays.

    Raises DomainError `evening_state` for a cancelled evening, or `bad_evening` (params: faults by
    field).
    """
    evening = evening_lock(evening_id)
    require_state(evening, *NOT_CANCELLED)
    before = [evening.stake_member, evening.stake_guest]
    answers_apply(evening, fees)
    after = [evening.stake_member, evening.stake_guest]
    if before == after:
        return evening
    evening.save(update_fields=["stake_member", "stake_guest"])
    evening_note(evening, actor=actor, action="stakes_set", data={"stakes": [before, after]})
    return evening


@transaction.atomic
def entry_fee_pay(
    *, evening_id: int, member: Member, cents: int | None, actor: Actor
) -> Registration:
    """Record what somebody paid; None takes it back. Repeating it changes nothing.

    Raises DomainError `evening_state` for a cancelled evening, or `not_on_the_list` for somebody
    who was never ticked.
    """
    evening = evening_lock(evening_id)
    require_state(evening, *NOT_CANCELLED)
    registration = evening.registrations.filter(member=member).first()
    if registration is None:
        raise DomainError(
            "not_on_the_list",
            _("%(name)s is not on the list of this evening.") % {"name": member.desk_name},
        )
    before, registration.paid = registration.paid, cents
    if before == cents:
        return registration
    registration.save(update_fields=["paid"])
    evening_note(
        evening,
        actor=actor,
        action="stake_taken_back" if cents is None else "stake_paid",
        data={"member": str(member.uuid), "cents": [before, cents]},
    )
    return registration


@transaction.atomic
def entry_fees_tick(
    *, evening_id: int, paid: Collection[Member], taken_back: Collection[Member], actor: Actor
) -> None:
    """Record for several people at once that they paid, or took it back. Nothing changes for
    anybody else, nor for people who already paid another sum.

    Raises DomainError as `entry_fee_pay` does; then nothing is written.
    """
    evening = evening_lock(evening_id)
    done = set(evening.registrations.exclude(paid=None).values_list("member", flat=True))
    for member in paid:
        if member.pk not in done:
            cents = entry_fee_due(evening, member) or 0
            entry_fee_pay(evening_id=evening_id, member=member, cents=cents, actor=actor)
    for member in taken_back:
        entry_fee_pay(evening_id=evening_id, member=member, cents=None, actor=actor)


def _row(evening: Evening, entry: Registration) -> EntryFeeRow:
    return EntryFeeRow(
        entry.member, entry.present, entry_fee_due(evening, entry.member), entry.paid
    )
