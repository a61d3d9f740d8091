"""Entry fees: what everybody pays in, who has paid or uses a package of evenings, and the pot."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from django import forms
from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.audit.services import Actor
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import MoneyField
from tournaments.evenings.services import answers_apply, evening_lock, evening_note, require_state
from tournaments.models import EntryFees, Evening, Package, Registration

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

NOT_CANCELLED = (Evening.State.PLANNED, Evening.State.RUNNING, Evening.State.CLOSED)


@dataclass(frozen=True, slots=True)
class EntryFeeRow:
    """A person on the list: the fee they owe and what they have paid, in cents; whether that is
    `by_package`, and how many evenings are `left` in their packages, None without any."""

    member: Member
    here: bool
    due: int | None
    paid: int | None
    by_package: bool = False
    left: int | None = None

    @property
    def is_other(self) -> bool:
        """Whether they paid a different sum from what they owe."""
        return self.paid is not None and self.paid != self.due and not self.by_package


@dataclass(frozen=True, slots=True)
class EntryFeeList:
    """Everybody who is here or has paid, by surname, with the totals. `given` is what the prizes
    came to, as far as it was noted who got them."""

    rows: Sequence[EntryFeeRow]
    given: int = 0

    @property
    def pot(self) -> int:
        """The sum paid so far."""
        return sum(row.paid or 0 for row in self.rows)

    @property
    def remainder(self) -> int:
        """What is left in the pot after the prizes."""
        return self.pot - self.given

    @property
    def by_package(self) -> int:
        """The part of that sum that was paid beforehand, with packages."""
        return sum(row.paid or 0 for row in self.rows if row.by_package)

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
    """Whether anybody owes a fee, or paid for evenings beforehand."""
    owing = bool(evening.stake_member or evening.stake_guest)
    return owing or Package.objects.filter(club=evening.club_id).exists()


def entry_fee_due(evening: Evening, member: Member) -> int | None:
    """The fee this person owes, in cents; None if there is none."""
    is_guest = member.kind == Member.Kind.GUEST
    return evening.stake_guest if is_guest else evening.stake_member


def entry_fee_list(evening: Evening) -> EntryFeeList:
    """The entry fees of an evening, in three queries."""
    registrations = evening.registrations.select_related("member").order_by(
        "member__sort_name", "member__pk"
    )
    left = evenings_left(evening.club)
    given = evening.prizes_given.aggregate(sum=Sum("cents"))["sum"] or 0
    return EntryFeeList(
        [
            EntryFeeRow(
                entry.member,
                entry.present,
                entry_fee_due(evening, entry.member),
                entry.paid,
                entry.package_id is not None,
                left.get(entry.member_id),
            )
            for entry in registrations
            if entry.present or entry.paid is not None
        ],
        given,
    )


class Used(TypedDict):
    """How many evenings of a package were used."""

    used: int


def packages_counted(club: Club) -> "QuerySet[WithAnnotations[Package, Used]]":
    """The packages of a club, each with how many of its evenings were `used`."""
    return Package.objects.filter(club=club).annotate(used=Count("turns"))


def evenings_left(club: Club) -> dict[int, int]:
    """How many evenings people (by id) have left in their packages; nobody without a package. One
    query."""
    left: dict[int, int] = {}
    for member_id, evenings, used in packages_counted(club).values_list(
        "member", "evenings", "used"
    ):
        left[member_id] = left.get(member_id, 0) + max(evenings - used, 0)
    return left


def _package_for(member: Member) -> tuple[Package | None, int]:
    """The oldest package of this person with an evening left, and the number of that evening.
    Locked, so that it is not used twice for the last one."""
    for package in Package.objects.select_for_update().filter(member=member):
        used = package.turns.count()
        if used < package.evenings:
            return package, used + 1
    return None, 0


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
    *,
    evening_id: int,
    member: Member,
    cents: int | None,
    actor: Actor,
    package: Package | None = None,
) -> Registration:
    """Record what somebody paid, or what an evening of their `package` comes to; None takes it
    back. Repeating it changes nothing.

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
    before, was_from = registration.paid, registration.package_id
    if (before, was_from) == (cents, package and package.pk):
        return registration
    registration.paid, registration.package = cents, package
    registration.save(update_fields=["paid", "package"])
    by_package = {"package": package.pk} if package else {}
    evening_note(
        evening,
        actor=actor,
        action="stake_taken_back" if cents is None else "stake_paid",
        data={"member": str(member.uuid), "cents": [before, cents], **by_package},
    )
    return registration


@transaction.atomic
def entry_fees_tick(
    *, evening_id: int, paid: Collection[Member], taken_back: Collection[Member], actor: Actor
) -> None:
    """Record for several people at once that they paid, or took it back; who has a package uses
    an evening of it. Nothing changes for anybody else, nor for people who already paid another sum.

    Raises DomainError as `entry_fee_pay` does; then nothing is written.
    """
    evening = evening_lock(evening_id)
    done = set(evening.registrations.exclude(paid=None).values_list("member", flat=True))
    for member in paid:
        if member.pk not in done:
            package, turn = _package_for(member)
            cents = package.turn_price(turn) if package else entry_fee_due(evening, member) or 0
            entry_fee_pay(
                evening_id=evening_id, member=member, cents=cents, actor=actor, package=package
            )
    for member in taken_back:
        entry_fee_pay(evening_id=evening_id, member=member, cents=None, actor=actor)
