"""Fixed pairs: who plays with whom all evening."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.merges.merge_log import MergeLog
from clubs.models import Member
from clubs.text.errors import DomainError
from tournaments.evenings.locking import evening_lock, evening_touch, require_state
from tournaments.models import Evening, Registration, Round
from tournaments.seating.pairs import Couple, kept_apart, known_couples, pairs_of


@transaction.atomic
def pair_make(*, evening_id: int, one: Member, two: Member, actor: Actor) -> int:
    """Make these two a pair. Returns its number, the lowest free one.

    Somebody whose partner is not here leaves the pair they were in. Raises DomainError
    `evening_state`, `no_fixed_pairs`, `pairs_drawn`, `pair_of_one`, `pair_not_free` (params:
    members) for people who are not here or have a partner, or `pair_kept_apart`.
    """
    evening = _lock(evening_id)
    alone = pairs_of(evening).alone
    if one == two:
        raise DomainError("pair_of_one", _("A pair needs two different people."))
    if taken := [member for member in (one, two) if member not in alone]:
        names = ", ".join(member.desk_name for member in taken)
        raise DomainError(
            "pair_not_free",
            _("%(names)s: not here, or with a partner already.") % {"names": names},
            members=taken,
        )
    if {one.pk, two.pk} in kept_apart(evening):
        raise DomainError(
            "pair_kept_apart",
            _("The club keeps %(one)s and %(two)s apart, so they cannot be a pair.")
            % {"one": one.desk_name, "two": two.desk_name},
        )
    (number,) = _write(evening, [(one, two)])
    data = {"pair": number, "member": str(one.uuid), "partner": str(two.uuid)}
    evening_touch(evening, actor=actor, action="pair_made", data=data)
    return number


@transaction.atomic
def pair_break(*, evening_id: int, number: int, actor: Actor) -> int:
    """Split the pair with this number. Returns how many people were in it: 0 if it is gone
    already.

    Raises DomainError `evening_state`, `no_fixed_pairs` or `pairs_drawn`.
    """
    evening = _lock(evening_id)
    parted = evening.registrations.filter(pair=number).update(pair=None)
    if parted:
        evening_touch(evening, actor=actor, action="pair_broken", data={"pair": number})
    return parted


@transaction.atomic
def pairs_as_before(*, evening_id: int, actor: Actor) -> int:
    """Make pairs of people who always play together and of the pairs of last time, if both are here
    without a partner. Returns how many were made.

    Raises DomainError `evening_state`, `no_fixed_pairs` or `pairs_drawn`.
    """
    evening = _lock(evening_id)
    couples = known_couples(evening, pairs_of(evening).alone)
    numbers = _write(evening, couples)
    if couples:
        uuids = [[str(member.uuid) for member in couple] for couple in couples]
        data = {"pairs": dict(zip(map(str, numbers), uuids, strict=True)), "count": len(couples)}
        evening_touch(evening, actor=actor, action="pairs_taken_over", data=data)
    return len(couples)


def pair_hand_over(*, gone: Registration, log: MergeLog, heir: Member) -> None:
    """Give the heir the place in a pair of somebody who is removed from an evening's list. If the
    heir is in a pair already, the partner has none any more. The caller has locked the club."""
    listed = Registration.objects.filter(evening=gone.evening_id)
    if single := listed.filter(member=heir, pair=None).first():
        log.change(single, pair=gone.pair)
        return
    for partner in listed.filter(pair=gone.pair).exclude(pk=gone.pk):
        log.change(partner, pair=None)


def _lock(evening_id: int) -> Evening:
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if evening.method != Evening.Method.PAIRS:
        raise DomainError("no_fixed_pairs", _("This evening is not played in fixed pairs."))
    open_rounds = evening.rounds.filter(state__in=[Round.State.DRAFT, Round.State.DRAWN])
    if open_rounds.exists():
        raise DomainError(
            "pairs_drawn",
            _("The draw was made with these pairs. Undo the draw first, then change them."),
        )
    return evening


def _write(evening: Evening, couples: Iterable[Couple]) -> list[int]:
    """Give each couple a number that is free once they have left their former pairs."""
    partner = {first.pk: second.pk for first, second in couples}
    registrations = Registration.objects.filter(evening=evening)
    theirs = registrations.filter(member__in=[*partner, *partner.values()])
    left = list(theirs.exclude(pair=None).values_list("pair", flat=True))
    # A former partner who is not in a new pair has none any more.
    registrations.filter(pair__in=left).update(pair=None)
    taken = set(registrations.exclude(pair=None).values_list("pair", flat=True))
    numbers = [number for number in range(1, len(taken) + len(partner) + 1) if number not in taken]
    given = dict(zip(partner, numbers, strict=False))
    pair_of = given | {second: given[first] for first, second in partner.items()}
    people = list(theirs)
    for registration in people:
        registration.pair = pair_of[registration.member_id]
    Registration.objects.bulk_update(people, ["pair"])
    return list(given.values())
