"""What tournaments does when somebody is erased: his name goes out of what was published."""

from typing import Any

from django.db.models import Q
from django.dispatch import receiver
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Member
from clubs.services import erasing_asked, member_erasing
from clubs.traces import Traces
from tournaments.models import CoupleRule, Evening, PaperJob, Registration, Release

OPEN = Evening.State.PLANNED, Evening.State.RUNNING


@receiver(erasing_asked)
def evenings_that_need_him(member: Member, **_kwargs: object) -> list[str]:
    """The evenings still to be played, or being played, that count on this person."""
    listed = Q(registrations__member=member, registrations__present=True)
    placed = Q(rounds__placements__member=member)
    needing = Evening.objects.filter(listed | placed, state__in=OPEN).distinct()
    return [
        _(
            "%(name)s is on the list of the evening of %(date)s. Take this name off it, or wait"
            " until the evening is closed."
        )
        % {"name": member.name, "date": date_format(evening.date, "j F Y")}
        for evening in needing.order_by("date", "sequence")
    ]


@receiver(member_erasing)
def evenings_forget(traces: Traces, **_kwargs: object) -> None:
    """What was published tells of him under the neutral name; what he wished of the draw, and
    booklets with his name in them, are gone."""
    member = traces.member
    Registration.objects.filter(member=member, evening__state__in=OPEN).delete()
    CoupleRule.objects.filter(Q(one=member) | Q(two=member)).delete()
    PaperJob.objects.filter(season__club=member.club).delete()
    for release in Release.objects.filter(evening__club=member.club):
        _release_forget(release, traces)


def _release_forget(release: Release, traces: Traces) -> None:
    rows = [*release.standings, *release.changes]
    own = [row for row in rows if row["member"] in traces.ids]
    names_him = traces.tells(release.reason)
    if not own and not names_him:
        return
    for row in own:
        _name_anew(row, traces.neutral_name)
    if names_him:
        release.reason = ""
    release.save(update_fields=["standings", "changes", "reason"])


def _name_anew(row: dict[str, Any], name: str) -> None:
    row["name"] = row["shown_name"] = name
