"""Whether what came in is one club's own: a file that somebody made up could point at another's."""

from django.db.models import F

from clubs.archives.container import BadArchive
from clubs.models import AuditEvent, Club
from clubs.trail import uuids
from scoring.models import Deal, DealClaim, DealConfirmation, DealEntry, Scoresheet
from tournaments.moving.numbers import Numbers


def require_own(club: Club, numbers: Numbers) -> None:
    """Raises BadArchive where a deal, a claim, a confirmation or the trail of this club, which came
    in just now, is about an entry or a chain of another. All other ids were counted in the file."""
    if _points_elsewhere(club, numbers):
        raise BadArchive("scoring.dealentry: something points at an entry of another deal.")
    if _tells_of_others(club):
        raise BadArchive("clubs.auditevent: there is something in the trail of another club.")


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


def _tells_of_others(club: Club) -> bool:
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
