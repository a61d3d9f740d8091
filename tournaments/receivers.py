"""What tournaments does when a score sheet or a person changes."""

from django.db.models import Exists, OuterRef, Q
from django.dispatch import receiver
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.errors import DomainError
from clubs.models import Member
from clubs.services import member_changed, members_merging, merge_asked
from scoring.models import Scoresheet
from scoring.signals import sheet_changed
from tournaments.models import (
    CoupleRule,
    Evening,
    PastResult,
    Placement,
    PlayOffScore,
    Registration,
    Table,
)
from tournaments.services._evening import revision_bump
from tournaments.services.couple_rules import couple_rules_hand_over
from tournaments.services.pairs import pair_hand_over


@receiver(sheet_changed)
def evening_follows_its_sheets(sheet: Scoresheet, **_kwargs: object) -> None:
    """An evening changes with each of its sheets."""
    found = Table.objects.filter(sheet=sheet).values_list("round__evening_id", flat=True).first()
    if found is not None:
        revision_bump(found)


@receiver(member_changed)
def evenings_follow_the_name(member: Member, **_kwargs: object) -> None:
    """Who looks at an evening that is on, or still to come, sees the name he is called by now."""
    open_to_all = Evening.objects.filter(
        registrations__member=member, state__in=[Evening.State.PLANNED, Evening.State.RUNNING]
    )
    for evening_id in sorted(open_to_all.values_list("pk", flat=True)):
        revision_bump(evening_id)


@receiver(members_merging)
def evenings_follow_the_member(guest: Member, member: Member, **_kwargs: object) -> None:
    """What the guest was on becomes the member's.

    Raises DomainError `merge_both_played` when both were at one evening.
    """
    _drop_who_did_not_come(guest, member)
    here = Q(registrations__member=guest) | Q(past_results__member=guest)
    evenings = sorted(Evening.objects.filter(here).values_list("pk", flat=True).distinct())
    for model in (Registration, PastResult):
        if model.objects.filter(member=member, evening__in=evenings).exists():
            raise DomainError(
                "merge_both_played",
                _("%(guest)s and %(member)s were on the list of the same evening.")
                % {"guest": guest.name, "member": member.name},
            )
        model.objects.filter(member=guest).update(member=member)
    Placement.objects.filter(member=guest).update(member=member)
    couple_rules_hand_over(guest=guest, member=member)
    PlayOffScore.objects.filter(member=guest).update(member=member)
    for evening_id in evenings:
        revision_bump(evening_id)


def _drop_who_did_not_come(guest: Member, member: Member) -> None:
    """Of an evening that lists both, take off the one who is not here and has no place in it."""
    placed = Placement.objects.filter(round__evening=OuterRef("evening"), member=OuterRef("member"))
    for absent, other in ((guest, member), (member, guest)):
        listed_too = Registration.objects.filter(evening=OuterRef("evening"), member=other)
        dropped = Registration.objects.filter(
            Exists(listed_too), ~Exists(placed), member=absent, present=False
        )
        for gone in dropped.exclude(pair=None):
            pair_hand_over(gone=gone, heir=other)
        dropped.delete()


@receiver(merge_asked)
def evenings_of_the_guest(guest: Member, **_kwargs: object) -> list[str]:
    """The evenings the guest was on the list of, newest first."""
    here = Q(registrations__member=guest) | Q(past_results__member=guest)
    evenings = Evening.objects.filter(here).distinct()
    return [
        _("the evening of %(date)s") % {"date": date_format(evening.date, "j F Y")}
        for evening in evenings
    ]


@receiver(merge_asked)
def couples_of_the_guest(guest: Member, **_kwargs: object) -> list[str]:
    """With whom the guest always plays, or never sits at one table."""
    rules = CoupleRule.objects.filter(Q(one=guest) | Q(two=guest)).select_related("one", "two")
    return [
        f"{rule.get_kind_display()}: {rule.two if rule.one == guest else rule.one}"
        for rule in rules.order_by("pk")
    ]
