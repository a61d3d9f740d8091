"""What happened, picked out of the trail: at a table, to a deal, to somebody."""

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from clubs.audit.trail import PEOPLE
from clubs.models import AuditEvent, Member, MemberMerge, User
from scoring.models import Scoresheet, Seat
from tournaments.models import Evening, Table

CHANGED = ~Q(action="deal_written") | Q(commitments__has_key="reason")
"""Everything but the deals that were written for the first time."""


def sheet_events(tables: Sequence[Table]) -> QuerySet[AuditEvent]:
    """What happened on the sheets of these tables of one evening."""
    chains = [table.sheet.chain_name for table in tables]
    return AuditEvent.objects.filter(chain__in=chains)


def table_events(evening: Evening, number: int, tables: Sequence[Table]) -> QuerySet[AuditEvent]:
    """What happened at a table this evening: on its sheets, and to its links and phones."""
    said = Q(object_ref=f"evening:{evening.uuid}", data__table=number)
    links = AuditEvent.objects.filter(said, chain=evening.club.chain_name)
    return sheet_events(tables) | links


def deal_events(sheet: Scoresheet, number: int) -> Sequence[AuditEvent]:
    """What happened to one deal of a sheet, newest first. Of what was done to the whole sheet at
    once an event here tells of this deal alone."""
    events = AuditEvent.objects.filter(chain=sheet.chain_name).select_related("club")
    found = []
    for event in events.order_by("-number").prefetch_related("texts"):
        entries = [line for line in event.data.get("entries", ()) if line["deal"] == number]
        if entries or event.object_ref == f"deal:{number}":
            event.data = {**event.data, "entries": entries}
            found.append(event)
    return found


def member_events(member: Member) -> QuerySet[AuditEvent]:
    """What was done about somebody: his details, his presence, his partners, seats he took over;
    and about the guests he turned out to be."""
    merges = MemberMerge.objects.filter(member=member, undone_at=None)
    own = [str(member.uuid), *merges.values_list("guest__uuid", flat=True)]
    named = Q(object_ref__in=[f"member:{uuid}" for uuid in own])
    for key in PEOPLE:
        named |= Q(**{f"data__{key}__in": own})
    where = Q(chain=member.club.chain_name) | Q(chain__in=_sheets(member))
    return AuditEvent.objects.filter(where, named, club=member.club)


def member_table_events(member: Member) -> QuerySet[AuditEvent]:
    """What was changed on the sheets of the tables he sat at; not what was simply written."""
    return AuditEvent.objects.filter(CHANGED, club=member.club, chain__in=_sheets(member))


def user_of(member: Member) -> User | None:
    """Who logs in with the e-mail address of this member, if anybody does at his club."""
    if not member.email:
        return None
    return User.objects.filter(email__iexact=member.email, roles__club=member.club).first()


def _sheets(member: Member) -> list[str]:
    """The chains of the sheets he sat at."""
    seats = Seat.objects.filter(member=member).select_related("sheet").order_by("pk")
    return [f"sheet:{uuid}" for uuid in seats.values_list("sheet__uuid", flat=True)]
