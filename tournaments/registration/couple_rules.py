"""Couple rules: two people who always play together, or are never seated at one table."""

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.merges.merge_log import MergeLog
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.models import CoupleRule

Kind = CoupleRule.Kind
ADDED = {Kind.FIXED: "couple_fixed", Kind.APART: "couple_apart"}


@transaction.atomic
def couple_rule_add(
    *, club: Club, one: Member, two: Member, kind: CoupleRule.Kind, actor: Actor
) -> CoupleRule:
    """From the next draw on these two are always partners, or never at one table, if both play.

    Raises DomainError `couple_of_one`, `member_of_another_club`, `couple_known` if the rule exists
    already, or `couples_contradict` if the opposite does or one of them has another fixed partner.
    """
    club = club_lock(club.pk)
    # Stored in one order, so that the constraint sees a couple named the other way round.
    one, two = sorted((one, two), key=lambda member: member.pk)
    if one == two:
        raise DomainError("couple_of_one", _("Choose two different people."))
    if {one.club_id, two.club_id} != {club.pk}:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
    _require_free(one, two, kind)
    rule = CoupleRule.objects.create(club=club, one=one, two=two, kind=kind)
    _audit(rule, actor, ADDED[kind])
    return rule


@transaction.atomic
def couple_rule_remove(*, club: Club, rule_id: int, actor: Actor) -> CoupleRule | None:
    """Remove a rule about two people. Returns it, or None if it was gone already."""
    club = club_lock(club.pk)
    rules = CoupleRule.objects.filter(club=club).select_related("one", "two")
    rule = rules.filter(pk=rule_id).first()
    if rule is None:
        return None
    CoupleRule.objects.filter(pk=rule.pk).delete()
    _audit(rule, actor, "couple_rule_removed")
    return rule


def couple_rules_hand_over(log: MergeLog) -> None:
    """Hand the rules about a merged guest over to the member, except where they contradict the
    member's own. The caller has locked the club."""
    rules = CoupleRule.objects.filter(Q(one=log.guest) | Q(two=log.guest))
    for rule in rules.select_related("one", "two"):
        other = rule.two if rule.one == log.guest else rule.one
        one, two = sorted((log.member, other), key=lambda each: each.pk)
        if one == two or _clash(one, two, CoupleRule.Kind(rule.kind), leaving_out=rule):
            log.drop(CoupleRule.objects.filter(pk=rule.pk))
        else:
            log.change(rule, one_id=one.pk, two_id=two.pk)


def _require_free(one: Member, two: Member, kind: CoupleRule.Kind) -> None:
    clash = _clash(one, two, kind)
    if clash is None:
        return
    words = {"one": clash.one.desk_name, "two": clash.two.desk_name}
    if (clash.one, clash.two, clash.kind) == (one, two, kind):
        raise DomainError("couple_known", _("This rule exists already."))
    if clash.kind == Kind.FIXED:
        message = _("%(one)s and %(two)s always play together. Remove that rule first.")
    else:
        message = _("%(one)s and %(two)s are never at one table. Remove that rule first.")
    raise DomainError("couples_contradict", message % words)


def _clash(
    one: Member, two: Member, kind: CoupleRule.Kind, *, leaving_out: CoupleRule | None = None
) -> CoupleRule | None:
    """A rule that contradicts a new one about these two."""
    same = Q(one=one, two=two)
    if kind == Kind.FIXED:
        either = Q(one__in=(one, two)) | Q(two__in=(one, two))
        same |= either & Q(kind=Kind.FIXED)
    rules = CoupleRule.objects.filter(same).select_related("one", "two")
    return rules.exclude(pk=leaving_out.pk if leaving_out else 0).first()


def _audit(rule: CoupleRule, actor: Actor, action: str) -> None:
    event_append(
        chain=rule.club,
        club=rule.club,
        actor=actor,
        action=action,
        object_ref=f"member:{rule.one.uuid}",
        data={"member": str(rule.one.uuid), "partner": str(rule.two.uuid), "agreed": rule.kind},
    )
