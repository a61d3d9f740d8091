"""The history of a sheet, a deal or a person, from the audit trail."""

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from clubs.audit.trail import PEOPLE
from clubs.models import AuditEvent, Member, MemberMerge, User
from scoring.models import Scoresheet, Seat
from tournaments.models import Evening, Table

CHANGED = ~Q(action="deal_written") | Q(commitments__has_key="reason")
"""Everything except deals written for the first time."""


def sheet_events(tables: Sequence[Table]) -> QuerySet[AuditEvent]:
    """What happened on the sheets of these tables of one evening."""
    chains = [table.sheet.chain_name for table in tables]
    return AuditEvent.objects.filter(chain__in=chains)


def table_events(evening: Evening, number: int, tables: Sequence[Table]) -> QuerySet[AuditEvent]:
    """What happened at a table this evening: on its sheets, and to its links and phones."""
    about_table = Q(object_ref=f"evening:{evening.uuid}", data__table=number)
    links = AuditEvent.objects.filter(about_table, chain=evening.club.chain_name)
    return sheet_events(tables) | links


def deal_events(sheet: Scoresheet, number: int) -> Sequence[AuditEvent]:
    """What happened to one deal of a sheet, newest first. An event about the whole sheet is
    narrowed to this deal."""
    events = AuditEvent.objects.filter(chain=sheet.chain_name).select_related("club")
    history = []
    for event in events.order_by("-number").prefetch_related("texts"):
        entries = [line for line in event.data.get("entries", ()) if line["deal"] == number]
        if entries or event.object_ref == f"deal:{number}":
            event.data = {**event.data, "entries": entries}
            history.append(event)
    return history


def member_events(member: Member) -> QuerySet[AuditEvent]:
    """What was done about somebody: details, check-in, partners, seats taken over; also as the
    guests who were merged into them."""
    merges = MemberMerge.objects.filter(member=member, undone_at=None)
    own = [str(member.uuid), *merges.values_list("guest__uuid", flat=True)]
    named = Q(object_ref__in=[f"member:{uuid}" for uuid in own])
    for key in PEOPLE:
        named |= Q(**{f"data__{key}__in": own})
    chains = Q(chain=member.club.chain_name) | Q(chain__in=_sheets(member))
    return AuditEvent.objects.filter(chains, named, club=member.club)


def member_table_events(member: Member) -> QuerySet[AuditEvent]:
    """The changes on the sheets of the tables somebody sat at; not what was simply written."""
    return AuditEvent.objects.filter(CHANGED, club=member.club, chain__in=_sheets(member))


def user_of(member: Member) -> User | None:
    """The account with the member's e-mail address and a role at their club, if there is one."""
    if not member.email:
        return None
    return User.objects.filter(email__iexact=member.email, roles__club=member.club).first()


def _sheets(member: Member) -> list[str]:
    """The chains of the sheets of the tables somebody sat at."""
    seats = Seat.objects.filter(member=member).select_related("sheet").order_by("pk")
    return [f"sheet:{uuid}" for uuid in seats.values_list("sheet__uuid", flat=True)]
