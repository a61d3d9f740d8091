"""What tournaments does when a guest turns out to be a member, and when the two part again."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import partial
from itertools import combinations
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet
from django.dispatch import receiver
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.errors import DomainError
from clubs.handing_over import HandingOver
from clubs.merged import together_asked
from clubs.models import Member
from clubs.services import members_merging, members_parting, merge_asked
from scoring.models import Seat
from tournaments.models import (
    CoupleRule,
    CupWin,
    Evening,
    PastResult,
    Placement,
    PlayOffScore,
    Rating,
    Registration,
    Round,
)
from tournaments.services._evening import revision_bump
from tournaments.services._summaries import summary_store
from tournaments.services.couple_rules import couple_rules_hand_over
from tournaments.services.pairs import pair_hand_over
from tournaments.services.ratings import ratings_follow

_BY_EVENING: Mapping[type[Model], str] = {
    Registration: "evening",
    PastResult: "evening",
    Placement: "round__evening",
    PlayOffScore: "evening",
    Rating: "evening",
}
"""What is somebody's of an evening, beside his seats, and where the evening stands in it."""


@receiver(members_merging)
def evenings_follow_the_member(over: HandingOver, **_kwargs: object) -> None:
    """What the guest was on becomes the member's.

    Raises DomainError `merge_both_played` when both were at one evening.
    """
    _drop_who_did_not_come(over)
    over.evenings = sorted(_evenings_of(over.guest))
    if _evenings_of(over.member).intersection(over.evenings):
        raise DomainError(
            "merge_both_played",
            _("%(guest)s and %(member)s were on the list of the same evening.")
            % {"guest": over.guest.name, "member": over.member.name},
        )
    for model in _BY_EVENING:
        over.move(model)
    _cups_hand_over(over)
    couple_rules_hand_over(over)
    _follow(over.evenings)


@receiver(members_parting)
def evenings_part(guest: Member, member: Member, kept: dict[str, Any], **_kwargs: object) -> None:
    """Whatever was written since on an evening that was the guest's is the guest's."""
    evenings = kept["evenings"]
    for model, where in _BY_EVENING.items():
        own = model._default_manager.filter(**{f"{where}__in": evenings, "member": member})
        own.update(member=guest)
    seats = Seat.objects.filter(sheet__table__round__evening__in=evenings)
    seats.filter(member=member).update(member=guest)
    seats.filter(counts_for=member).update(counts_for=guest)
    _leave_full_pairs(kept)
    listed = {told.get("evening_id") for _model, told in kept["dropped"]}
    _follow({*evenings, *listed} - {None})


@receiver(together_asked)
def couples_on_one_list(ids: Collection[int], **_kwargs: object) -> set[frozenset[int]]:
    """Which two of these people were on the list of one evening, or have a result of one."""
    people: dict[int, set[int]] = defaultdict(set)
    for model in (Registration, PastResult):
        came = model.objects.filter(member__in=ids).exclude(absence__in=Registration.Absence.values)
        for evening_id, member_id in came.values_list("evening", "member"):
            people[evening_id].add(member_id)
    return {frozenset(both) for here in people.values() for both in combinations(here, 2)}


@receiver(merge_asked)
def evenings_of_the_guest(guest: Member, **_kwargs: object) -> list[str]:
    """The evenings the guest was on the list of, newest first."""
    evenings = Evening.objects.filter(pk__in=_evenings_of(guest))
    return [
        _("the evening of %(date)s") % {"date": date_format(evening.date, "j F Y")}
        for evening in evenings
    ]


@receiver(merge_asked)
def cups_of_the_guest(guest: Member, **_kwargs: object) -> list[str]:
    """The cups the guest has won."""
    wins = CupWin.objects.filter(member=guest).select_related("cup")
    return [f"{win.cup}, {date_format(win.won_on, 'j F Y')}" for win in wins]


@receiver(merge_asked)
def couples_of_the_guest(guest: Member, **_kwargs: object) -> list[str]:
    """With whom the guest always plays, or never sits at one table."""
    rules = CoupleRule.objects.filter(Q(one=guest) | Q(two=guest)).select_related("one", "two")
    return [
        f"{rule.get_kind_display()}: {rule.two if rule.one == guest else rule.one}"
        for rule in rules.order_by("pk")
    ]


def _evenings_of(member: Member) -> set[int]:
    """The evenings with anything of this person: a place on the list, a seat, a result."""
    found: set[int] = set()
    for model, where in _BY_EVENING.items():
        own = model._default_manager.filter(member=member)
        found |= set(own.values_list(where, flat=True))
    seats = Seat.objects.filter(Q(member=member) | Q(counts_for=member), sheet__table__isnull=False)
    return found | set(seats.values_list("sheet__table__round__evening", flat=True))


def _drop_who_did_not_come(over: HandingOver) -> None:
    """Of an evening that lists both, take off the one who is not here and has no place in it."""
    for absent, other in ((over.guest, over.member), (over.member, over.guest)):
        dropped = _listed_in_vain(absent, other)
        for gone in dropped.exclude(pair=None):
            pair_hand_over(gone=gone, over=over, heir=other)
        over.drop(dropped)
        told_absent = PastResult.objects.filter(member=absent).exclude(absence="")
        played = PastResult.objects.filter(evening=OuterRef("evening"), member=other)
        over.drop(told_absent.filter(Exists(played)))


def _listed_in_vain(absent: Member, other: Member) -> QuerySet[Registration]:
    """Where `absent` is on the list with `other`, and neither came nor paid."""
    placed = Placement.objects.filter(round__evening=OuterRef("evening"), member=absent)
    listed_too = Registration.objects.filter(evening=OuterRef("evening"), member=other)
    return Registration.objects.filter(
        Exists(listed_too), ~Exists(placed), member=absent, present=False, paid=None
    )


def _cups_hand_over(over: HandingOver) -> None:
    """The guest's cups are the member's, but for one that both have of the same day."""
    has_it = CupWin.objects.filter(
        cup=OuterRef("cup"), won_on=OuterRef("won_on"), member=over.member
    )
    over.drop(CupWin.objects.filter(Exists(has_it), member=over.guest))
    over.move(CupWin)


def _leave_full_pairs(kept: dict[str, Any]) -> None:
    """Who comes back on a list has his pair no more where two others are in it by now."""
    for _model, told in kept["dropped"]:
        if told.get("pair"):
            others = Registration.objects.filter(evening=told["evening_id"], pair=told["pair"])
            if others.count() >= 2:
                told["pair"] = None


def _follow(evenings: Collection[int]) -> None:
    """Have everything that is derived from these evenings worked out again."""
    for evening_id in sorted(evenings):
        revision_bump(evening_id)
    drafts = Round.objects.filter(evening__in=evenings, state=Round.State.DRAFT)
    drafts.update(version=F("version") + 1)
    closed = Evening.objects.filter(pk__in=evenings, state=Evening.State.CLOSED)
    for evening_id in closed.order_by("pk").values_list("pk", flat=True):
        # Not before all is handed over: others have not yet moved what is theirs.
        transaction.on_commit(partial(summary_store, evening_id), robust=True)
    played = Evening.objects.filter(pk__in=evenings, rounds__isnull=False)
    first = played.order_by("date", "sequence").first()
    if first is not None:
        ratings_follow(first)
