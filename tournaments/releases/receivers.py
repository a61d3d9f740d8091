"""Signal receivers: evenings follow changes of their score sheets and people."""

from django.db.models import F
from django.dispatch import receiver

from clubs.members.services import member_changed
from clubs.models import Member
from scoring.deals.entries import sheet_changed
from scoring.models import Scoresheet
from tournaments.evenings.locking import revision_bump
from tournaments.models import Evening
from tournaments.standings.summaries import summary_store


@receiver(sheet_changed)
def evening_follows_its_sheets(sheet: Scoresheet, **_kwargs: object) -> None:
    """An evening's revision rises with each change of a sheet; a closed evening's summary is
    stored again."""
    evening = Evening.objects.filter(rounds__tables__sheet=sheet)
    evening.update(revision=F("revision") + 1)
    if sheet.state == Scoresheet.State.CLOSED:
        for evening_id in evening.filter(state=Evening.State.CLOSED).values_list("pk", flat=True):
            summary_store(evening_id)


@receiver(member_changed)
def evenings_follow_the_name(member: Member, **_kwargs: object) -> None:
    """Pages of planned and running evenings show a member's new name at once."""
    open_to_all = Evening.objects.filter(
        registrations__member=member, state__in=[Evening.State.PLANNED, Evening.State.RUNNING]
    )
    for evening_id in sorted(open_to_all.values_list("pk", flat=True)):
        revision_bump(evening_id)
