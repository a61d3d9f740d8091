"""Checking that what was read of a forged archive does not refer to other clubs."""

from django.db.models import F, Q

from clubs.archives.container import Unsound
from clubs.audit.trail import uuids
from clubs.models import AuditEvent, Club
from scoring.models import Deal, DealClaim, DealConfirmation, DealEntry, Scoresheet
from tournaments.transfer.out import Numbers


def require_own(club: Club, numbers: Numbers) -> None:
    """Raises Unsound if a deal, a claim, a confirmation or the trail of this new club refers to
    an entry or a chain of another club, or a deal is of others than its sheet. All other ids are
    numbered within the file."""
    if _points_elsewhere(club, numbers):
        raise Unsound("scoring.dealentry: something points at an entry of another deal.")
    if _is_of_others(club):
        raise Unsound("scoring.scoresheet: its deals are of more people, or of fewer.")
    if _trail_is_foreign(club):
        raise Unsound("clubs.auditevent: there is something in the trail of another club.")


def _points_elsewhere(club: Club, numbers: Numbers) -> bool:
    deals = Deal.objects.filter(sheet__club=club, current__isnull=False)
    entries = DealEntry.objects.filter(deal__sheet__club=club, replaces__isnull=False)
    claims = DealClaim.objects.filter(deal__sheet__club=club, against__isnull=False)
    confirmed = DealConfirmation.objects.filter(entry__deal__sheet__club=club)
    return (
        deals.exclude(current__deal=F("pk")).exists()
        or entries.exclude(replaces__deal=F("deal")).exists()
        or claims.exclude(against__deal=F("deal")).exists()
        or confirmed.count() != len(numbers["scoring.dealconfirmation"])
    )


def _is_of_others(club: Club) -> bool:
    """Whether a deal of three is on a sheet of four, or the other way round."""
    return any(
        model._default_manager.filter(deal__sheet__club=club, written__isnull=False)
        .exclude(deal__sheet__three_handed=True, written__has_key="seats")
        .exclude(~Q(written__has_key="seats"), deal__sheet__three_handed=False)
        .exists()
        for model in (DealEntry, DealClaim)
    )


def _trail_is_foreign(club: Club) -> bool:
    events = AuditEvent.objects.filter(club=club).order_by()
    chains = set(events.values_list("chain", flat=True).distinct())
    carriers = {
        f"{model.chain_kind}:{uuid}"
        for model, own in ((Club, {"pk": club.pk}), (Scoresheet, {"club": club}))
        for uuid in model._default_manager.filter(uuid__in=uuids(chains, model.chain_kind))
        .exclude(**own)
        .values_list("uuid", flat=True)
    }
    others = AuditEvent.objects.filter(chain__in=events.values("chain")).exclude(club=club)
    return bool(carriers) or others.exists()
