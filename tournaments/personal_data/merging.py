"""Merging a guest with a member in tournaments, and undoing that."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import partial
from itertools import combinations

from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.merges.merge_log import MergeHook, MergeLog, Noted, register
from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.models import Seat
from tournaments.evenings.locking import revision_bump
from tournaments.models import (
    CoupleRule,
    CupWin,
    Evening,
    PastResult,
    PhotoPerson,
    Placement,
    PlayOffScore,
    Rating,
    Registration,
    Round,
)
from tournaments.photos.services import photos_of_hidden_people_go
from tournaments.ratings.services import ratings_follow
from tournaments.registration.couple_rules import couple_rules_hand_over
from tournaments.registration.pairs import pair_hand_over
from tournaments.standings.summaries import summary_store

_EVENING_OF_SEAT = "sheet__table__round__evening"
_BY_EVENING: Sequence[tuple[type[Model], str, str]] = (
    (Registration, "member", "evening"),
    (PastResult, "member", "evening"),
    (Placement, "member", "round__evening"),
    (PlayOffScore, "member", "evening"),
    (Rating, "member", "evening"),
    (PhotoPerson, "member", "photo__evening"),
    (Seat, "member", _EVENING_OF_SEAT),
    (Seat, "counts_for", _EVENING_OF_SEAT),
)
"""The models that belong to a person on an evening: the person's field, the path to the evening."""


class EveningsFollow(MergeHook):
    """The guest's evenings, cups and agreements become the member's."""

    def merge(self, log: MergeLog) -> None:
        """Raises DomainError `merge_both_played` if both were at the same evening."""
        _drop_absent(log)
        log.evenings = sorted(evenings_of(log.guest))
        if evenings_of(log.member).intersection(log.evenings):
            raise DomainError(
                "merge_both_played",
                _("%(guest)s and %(member)s were on the list of the same evening.")
                % {"guest": log.guest.name, "member": log.member.desk_name},
            )
        for model, field, _where in _BY_EVENING:
            log.move(model, field)
        photos_of_hidden_people_go(log.member)
        _cups_hand_over(log)
        couple_rules_hand_over(log)
        _follow(log.evenings)

    def part(self, guest: Member, member: Member, noted: Noted) -> None:
        """What was written since on the guest's evenings becomes the guest's too."""
        evenings = noted["evenings"]
        for model, field, where in _BY_EVENING:
            own = model._default_manager.filter(**{f"{where}__in": evenings, field: member})
            own.update(**{field: guest})
        _leave_full_pairs(noted)
        listed = {columns.get("evening_id") for _model, columns in noted["dropped"]}
        _follow({*evenings, *listed} - {None})

    def preview(self, guest: Member) -> list[str]:
        """The evenings the guest was on the list of, newest first; cups; agreements."""
        evenings = Evening.objects.filter(pk__in=evenings_of(guest))
        wins = CupWin.objects.filter(member=guest).select_related("cup")
        rules = CoupleRule.objects.filter(Q(one=guest) | Q(two=guest)).select_related("one", "two")
        return [
            *(
                _("the evening of %(date)s") % {"date": date_format(evening.date, "j F Y")}
                for evening in evenings
            ),
            *(f"{win.cup}, {date_format(win.won_on, 'j F Y')}" for win in wins),
            *(
                f"{rule.get_kind_display()}: {rule.two if rule.one == guest else rule.one}"
                for rule in rules.order_by("pk")
            ),
        ]

    def met(self, ids: Collection[int]) -> set[frozenset[int]]:
        """Everybody on the list of the same evening, or with a result of it."""
        people: dict[int, set[int]] = defaultdict(set)
        for model in (Registration, PastResult):
            present = model.objects.filter(member__in=ids).exclude(
                absence__in=Registration.Absence.values
            )
            for evening_id, member_id in present.values_list("evening", "member"):
                people[evening_id].add(member_id)
        return {frozenset(both) for here in people.values() for both in combinations(here, 2)}


register(EveningsFollow())


def evenings_of(member: Member) -> set[int]:
    """The evenings that this person is on the list of, or has a seat or a result in."""
    evenings: set[int | None] = set()
    for model, field, where in _BY_EVENING:
        own = model._default_manager.filter(**{field: member})
        evenings |= set(own.values_list(where, flat=True))
    return {evening_id for evening_id in evenings if evening_id is not None}


def _drop_absent(log: MergeLog) -> None:
    """If an evening lists both, drop the one who is not here and has no place in it."""
    for absent, other in ((log.guest, log.member), (log.member, log.guest)):
        dropped = _listed_in_vain(absent, other)
        for gone in dropped.exclude(pair=None):
            pair_hand_over(gone=gone, log=log, heir=other)
        log.drop(dropped)
        absences = PastResult.objects.filter(member=absent).exclude(absence="")
        played = PastResult.objects.filter(evening=OuterRef("evening"), member=other)
        log.drop(absences.filter(Exists(played)))


def _listed_in_vain(absent: Member, other: Member) -> QuerySet[Registration]:
    """The registrations of `absent` on lists with `other`, if they neither came nor paid."""
    placed = Placement.objects.filter(round__evening=OuterRef("evening"), member=absent)
    listed_too = Registration.objects.filter(evening=OuterRef("evening"), member=other)
    return Registration.objects.filter(
        Exists(listed_too), ~Exists(placed), member=absent, present=False, paid=None
    )


def _cups_hand_over(log: MergeLog) -> None:
    """The guest's cups become the member's, except one that both won on the same day."""
    has_it = CupWin.objects.filter(
        cup=OuterRef("cup"), won_on=OuterRef("won_on"), member=log.member
    )
    log.drop(CupWin.objects.filter(Exists(has_it), member=log.guest))
    log.move(CupWin)


def _leave_full_pairs(noted: Noted) -> None:
    """Somebody who comes back on a list leaves their pair if two others are in it by now."""
    for _model, columns in noted["dropped"]:
        if columns.get("pair"):
            others = Registration.objects.filter(
                evening=columns["evening_id"], pair=columns["pair"]
            )
            if others.count() >= 2:
                columns["pair"] = None


def _follow(evenings: Collection[int]) -> None:
    """Recompute everything that is derived from these evenings."""
    for evening_id in sorted(evenings):
        revision_bump(evening_id)
    drafts = Round.objects.filter(evening__in=evenings, state=Round.State.DRAFT)
    drafts.update(version=F("version") + 1)
    closed = Evening.objects.filter(pk__in=evenings, state=Evening.State.CLOSED)
    for evening_id in closed.order_by("pk").values_list("pk", flat=True):
        # Only on commit: other merge hooks may not have moved their rows yet.
        transaction.on_commit(partial(summary_store, evening_id), robust=True)
    played = Evening.objects.filter(pk__in=evenings, rounds__isnull=False)
    first = played.order_by("date", "sequence").first()
    if first is not None:
        ratings_follow(first)
