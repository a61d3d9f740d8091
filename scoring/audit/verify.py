"""Verifies the database: recomputes every figure from the deals, follows every trail, and looks
whether what a row of a club refers to is of the same club: over every reference there is, found
from the models of all apps."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import chain
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import F, ForeignKey, Model, Q, QuerySet

from clubs.access.permissions import club_path
from clubs.archives.container import Report, unreported
from clubs.audit.guards import triggers_changed, triggers_missing
from clubs.audit.services import ErasedTexts, chain_faults, is_sealed, removed_chain_faults
from clubs.models import AuditChain, AuditEvent, AuditText, Club, Member, Role
from scoring.deals.entries import entry_data, figures_verifying
from scoring.deals.totals import SEAT_FIGURES, SHEET_FIGURES, figures_fill
from scoring.disputes.services import claim_data
from scoring.models import Deal, DealClaim, DealConfirmation, DealEntry, Scoresheet, Seat
from scoring.replay.cards import PACK, line_of_record
from scoring.rules import InvalidDeal, evaluate

ABOUT_SOMEBODY = (
    "member_added",
    "member_changed",
    "member_activated",
    "member_deactivated",
    "member_erased",
)
ABOUT_THE_TEAM = "role_granted", "role_revoked", "invitation_accepted", "team_moved"


def people_faults(club: Club | None = None) -> Iterator[str]:
    """The people of a club, or of all, who have another name than the trail last gave them, or who
    were erased without a word in it."""
    recorded = _last_recorded(club)
    names = dict(
        AuditText.objects.filter(event__in=[pk for pk, _action in recorded.values()], field="name")
        .values_list("event", "text")
        .iterator()
    )
    members = Member.objects.filter(**({"club": club} if club else {})).select_related("club")
    for member in members.order_by("pk").iterator():
        event_id, action = recorded.get((member.club_id, f"member:{member.uuid}"), (None, ""))
        if event_id is None:
            continue
        is_erased = member.erased_at is not None
        named = names.get(event_id, member.name) == member.name
        if not named or is_erased != (action == "member_erased"):
            yield f"member {member.club.slug} {member.pk}: the name is not as the trail has it"


def _last_recorded(club: Club | None) -> dict[tuple[int, str], tuple[int, str]]:
    """By club and reference the last event that tells of somebody: its id and action."""
    events = AuditEvent.objects.filter(
        chain__startswith="club:",
        action__in=ABOUT_SOMEBODY,
        **({"club": club} if club else {}),
    )
    columns = events.order_by("club", "number").values_list("club", "object_ref", "pk", "action")
    return {(club_id, about): (pk, action) for club_id, about, pk, action in columns.iterator()}


def team_faults(club: Club | None = None) -> Iterator[str]:
    """The roles at a club, or at all, that the trail does not tell of, and the other way round.
    A club whose trail tells of no role has no team to compare with."""
    recorded = _teams_recorded(club)
    roles = Role.objects.filter(club__in=recorded).select_related("user", "club").order_by("pk")
    for role in roles:
        if recorded[role.club_id].pop(str(role.user.uuid), "") != role.kind:
            yield f"team {role.club.slug}: the trail tells of no {role.kind} {role.user.uuid}"
    slugs = dict(Club.objects.values_list("pk", "slug"))
    for club_id, team in recorded.items():
        for uuid, kind in team.items():
            yield f"team {slugs[club_id]}: {kind} {uuid} is missing"


def _teams_recorded(club: Club | None) -> dict[int, dict[str, str]]:
    """By club, what each user is by UUID."""
    events = AuditEvent.objects.filter(
        chain__startswith="club:",
        action__in=ABOUT_THE_TEAM,
        **({"club": club} if club else {}),
    )
    columns = events.order_by("club", "number").values_list("club", "action", "object_ref", "data")
    teams: dict[int, dict[str, str]] = {}
    for club_id, action, about, data in columns.iterator():
        team, uuid = teams.setdefault(club_id, {}), about.removeprefix("user:")
        if action == "team_moved":
            teams[club_id] = dict(data["team"])
        elif action == "role_revoked":
            team.pop(uuid, None)
        else:
            team[uuid] = data["kind"]
    return teams


NOTHING_SEALED = (
    "no trail is sealed with this server's key: `manage.py seal_trails` seals them anew, if that is"
    " another key than before"
)
_NONSENSE = ArithmeticError, AttributeError, LookupError, TypeError, ValueError
CLAIM_ACTIONS = "deal_claimed", "deal_repeated", "deal_confirmed"


def faults(
    club: Club | None = None, *, sealed: bool = True, report: Report = unreported
) -> Iterator[str]:
    """Everything that is not as it was written, of one club or of all, in sentences. Read-only.

    Unless trails must be `sealed` with this server's key, those of any server are followed.
    `report` says how far it is: half of the work is in the sheets, the rest in their trails.
    """
    yield from guard_faults()
    sheets = sheets_of(club)
    in_all = sheets.count()
    for number, sheet in enumerate(sheets.select_related("regulation").iterator(), start=1):
        yield from _followed(f"sheet {sheet.uuid}", partial(sheet_faults, sheet))
        report(number / in_all / 2)
    trails = partial(trail_faults, club, report=lambda share: report(0.5 + share / 2))
    yield from _followed("trail", trails)
    yield from seal_faults(club) if sealed else ()
    yield from belonging_faults(club)
    yield from people_faults(club)
    yield from _followed("team", partial(team_faults, club))
    for _receiver, found in figures_verifying.send_robust(sender=Scoresheet, club=club):
        yield from _followed("evenings", partial(_raised, found))


def _followed(what: str, verify: Callable[[], Iterable[str]]) -> Iterator[str]:
    """What `verify` finds; also that it cannot go on, since what the trail has is no such thing as
    we write."""
    try:
        yield from verify()
    except _NONSENSE as error:
        yield f"{what}: what the trail has cannot be followed ({error!r:.200})"


def _raised(found: Iterable[str] | Exception | None) -> Iterable[str]:
    if isinstance(found, Exception):
        raise found
    return found or ()


def sheets_of(club: Club | None) -> QuerySet[Scoresheet]:
    """The sheets of a club, or of all but practice clubs, which have no trail to compare with."""
    sheets = Scoresheet.objects.filter(club__practice_of=None)
    return sheets if club is None else sheets.filter(club=club)


def sheet_faults(sheet: Scoresheet) -> list[str]:
    """Every difference between a sheet, its deals, its entries and its trail. Read-only."""
    deals = list(sheet.deals.select_related("current"))
    entries = list(DealEntry.objects.filter(deal__sheet=sheet).select_related("deal", "replaces"))
    faults = chain(
        *(_deal_faults(deal, entries) for deal in deals),
        *(_entry_faults(entry, sheet) for entry in entries),
        *(_record_faults(entry, sheet) for entry in entries if entry.record and entry.written),
        _trail_faults(sheet, entries),
        _claim_faults(sheet),
        _figure_faults(sheet),
    )
    return [f"sheet {sheet.uuid}: {fault}" for fault in faults]


def trail_faults(club: Club | None = None, *, report: Report = unreported) -> Iterator[str]:
    """Everything wrong with the trails of clubs, of sheets, also deleted ones; or of one club. A
    practice club has none: what has one was made to look like it."""
    for practice in Club.objects.exclude(practice_of=None).exclude(audit_events=None).distinct():
        yield f"club {practice.slug}: a practice club with a trail"
    events = AuditEvent.objects.filter(**({"club": club} if club else {}))
    names = set(events.order_by().values_list("chain", flat=True).distinct())
    erased = ErasedTexts()
    in_all = len(names)
    for carrier in carriers_of(club):
        names.discard(carrier.chain_name)
        yield from chain_faults(carrier, erased)
        report(1 - len(names) / max(1, in_all))
    for name in sorted(names):
        yield from removed_chain_faults(name, erased)


def carriers_of(club: Club | None) -> Iterator[AuditChain]:
    """The clubs and sheets that carry the head of a chain, of one club or of all; and of all, those
    of higher apps, such as leagues."""
    clubs = Club.objects.filter(**({"pk": club.pk} if club else {}))
    others = [] if club else set(AuditChain.__subclasses__()) - {Club, Scoresheet}
    rows = (model._default_manager.iterator() for model in others)
    return chain(clubs, sheets_of(club).iterator(), *rows)


def seal_faults(club: Club | None = None) -> list[str]:
    """The trails whose heads this server's key did not seal; one sentence if that is all."""
    heads = [carrier for carrier in carriers_of(club) if carrier.chain_length]
    broken = [carrier.chain_name for carrier in heads if not is_sealed(carrier)]
    if len(broken) == len(heads) > 1:
        return [NOTHING_SEALED]
    return [f"{name}: the head is not sealed with this server's key" for name in broken]


def guard_faults() -> list[str]:
    """The triggers that no longer keep anybody from changing what happened."""
    return [
        f"trigger {name} {fault}: what happened can be changed; `manage.py migrate` puts it back"
        for fault, names in (
            ("is missing", triggers_missing()),
            ("does not refuse as it should", triggers_changed()),
        )
        for name in names
    ]


def _deal_faults(deal: Deal, entries: Iterable[DealEntry]) -> Iterator[str]:
    last = max((e.revision for e in entries if e.deal_id == deal.pk), default=0)
    standing = deal.current.revision if deal.current else 0
    if (deal.version, standing) != (last, last):
        yield (
            f"deal {deal.number}: version {deal.version} shows revision {standing},"
            f" the last one is {last}"
        )


def _entry_faults(entry: DealEntry, sheet: Scoresheet) -> Iterator[str]:
    """A stored result that differs from what its line gives under the sheet's regulation."""
    try:
        wanted = entry.written and evaluate(entry.written, sheet.regulation.rules).as_json()
    except InvalidDeal:
        wanted = {"valid": False}
    if entry.result != wanted:
        yield f"deal {entry.deal.number}: the result of revision {entry.revision} was changed"


def _record_faults(entry: DealEntry, sheet: Scoresheet) -> Iterator[str]:
    """A line that contradicts the 32 cards stored with it."""
    record, regulation = entry.record or {}, sheet.regulation.rules
    if len(record.get("cards", ())) < PACK:
        return
    try:
        line = line_of_record(record, entry.written or {}, regulation)
        wanted = evaluate(line, regulation).as_json()
    except InvalidDeal:
        wanted = {"valid": False}
    if entry.result != wanted:
        yield f"deal {entry.deal.number}: the cards of revision {entry.revision} say otherwise"


def _trail_faults(sheet: Scoresheet, entries: Iterable[DealEntry]) -> Iterator[str]:
    """Entries that the trail lacks or records differently, and the other way round."""
    events = AuditEvent.objects.filter(chain=sheet.chain_name).values_list("data", flat=True)
    by_entry = {line["entry"]: line for data in events for line in data.get("entries", ())}
    for entry in entries:
        if by_entry.pop(str(entry.pk), None) != entry_data(entry):
            yield f"deal {entry.deal.number}: revision {entry.revision} is not as the trail has it"
    for line in by_entry.values():
        yield f"deal {line['deal']}: revision {line['revision']} is missing"


def _claim_faults(sheet: Scoresheet) -> Iterator[str]:
    """Claims and confirmations that the trail lacks or records differently."""
    events = AuditEvent.objects.filter(chain=sheet.chain_name)
    payloads = list(events.filter(action__in=CLAIM_ACTIONS).values_list("data", flat=True))
    claims = {data["claim"]: data for data in payloads if "claim" in data}
    confirmed = {(data["confirmed"], data["side"]) for data in payloads if "confirmed" in data}
    for claim in DealClaim.objects.filter(deal__sheet=sheet).select_related("deal"):
        recorded = claims.get(str(claim.pk), {})
        if {**recorded, "claims_left": None} != {**claim_data(claim), "claims_left": None}:
            yield f"deal {claim.deal.number}: a value kept beside it is not as the trail has it"
    confirmations = DealConfirmation.objects.filter(entry__deal__sheet=sheet)
    for answer in confirmations.select_related("entry__deal"):
        if (str(answer.entry_id), answer.side) not in confirmed:
            yield f"deal {answer.entry.deal.number}: the trail has no confirmation by {answer.side}"


def _figure_faults(sheet: Scoresheet) -> Iterator[str]:
    wanted = Scoresheet.objects.select_related("regulation").get(pk=sheet.pk)
    for seat in figures_fill(wanted):
        stored = Seat.objects.get(pk=seat.pk)
        place = f"seat {seat.seat} from deal {seat.from_deal}: "
        yield from _differences(place, stored, seat, SEAT_FIGURES)
    yield from _differences("", sheet, wanted, SHEET_FIGURES)


def _differences(place: str, stored: object, wanted: object, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        value, right = getattr(stored, name), getattr(wanted, name)
        if value != right:
            yield f"{place}{name} is {value}, the deals give {right}"


class Reference(NamedTuple):
    """A column of a club's rows that refers to rows of a club, with the path of both to it."""

    model: type[Model]
    name: str
    own: str
    theirs: str


@cache
def references_between() -> tuple[Reference, ...]:
    """Every reference between rows of clubs, but for those that say which club a row is of."""
    return tuple(
        Reference(model, field.name, own, f"{field.name}__{theirs}")
        for model in apps.get_models()
        if (own := path_to_club(model))
        for field in references_of(model)
        if (theirs := path_to_club(field.related_model)) and own.split("__")[0] != field.name
    )


def references_of(model: type[Model]) -> Iterator["ForeignKey[Model]"]:
    """The columns of a table that refer to another row."""
    for field in model._meta.concrete_fields:
        if isinstance(field, ForeignKey):
            yield field


def path_to_club(model: Any) -> str:
    """The path from a row to its club; empty where it is of none."""
    try:
        return "" if model is Club else club_path(model)
    except LookupError:
        return ""


def belonging_faults(club: Club | None = None) -> Iterator[str]:
    """The rows of a club, or of all, that refer to a row of another one."""
    for model, name, own, theirs in references_between():
        rows = model._default_manager.filter(~Q(**{own: F(theirs)}), **{f"{name}__isnull": False})
        if club is not None:
            rows = rows.filter(Q(**{own: club}) | Q(**{theirs: club}))
        for pk in rows.order_by("pk").values_list("pk", flat=True):
            yield f"{model._meta.label_lower} {pk}: its {name} is of another club"
