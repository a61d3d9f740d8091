"""Reading in a list of members as it was shown on the page, and taking that back."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.lists.core.layout import best_sheet
from clubs.lists.reading import ListFile, list_read
from clubs.members.imports import require_as_seen, upload_done
from clubs.members.list_fields import DATES, FIELDS
from clubs.members.list_plan import Change, Choices, ListPlan, list_plan
from clubs.members.services import member_change, member_create
from clubs.merges.services import people_today
from clubs.models import Club, Member, Upload
from clubs.namesakes.services import namesakes_at_the_end
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import sort_key


@dataclass(frozen=True, slots=True)
class ListImported:
    """How many people of a list were new, different and the same, and how many lines were not
    read."""

    added: int
    changed: int
    unchanged: int
    left_out: int


def upload_list(upload: Upload) -> ListFile:
    """The sheets of an uploaded list. Raises FileFaults with a sentence for what is no list."""
    return list_read(bytes(upload.content))


def upload_sheet(upload: Upload, read: ListFile) -> int:
    """The place of the sheet that was chosen, else of the one that looks like the list."""
    chosen = upload.details.get("sheet")
    is_there = isinstance(chosen, int) and 0 <= chosen < len(read.sheets)
    return chosen if is_there else best_sheet(read.sheets, FIELDS)


def upload_plan(upload: Upload, read: ListFile) -> ListPlan:
    """What the uploaded list, read as `read`, would do now, with what was chosen so far.

    Raises FileFaults for a list of thousands.
    """
    sheet = read.sheets[upload_sheet(upload, read)]
    return list_plan(club=upload.club, sheet=sheet, choices=upload_choices(upload))


def upload_choices(upload: Upload) -> Choices:
    """What was chosen so far on the page of this list."""
    details = upload.details
    return Choices(
        heading=details.get("heading"),
        columns={int(at): key for at, key in details.get("columns", {}).items()},
        mended={int(line): cells for line, cells in details.get("mended", {}).items()},
        answers={int(line): answer for line, answer in details.get("answers", {}).items()},
    )


@transaction.atomic
def upload_choose(*, upload: Upload, sheet: int, choices: Choices, public_as: str) -> Upload:
    """Keep what was chosen on the page; another sheet begins anew, but for how new people are
    named in public.

    Raises DomainError `upload_gone` when the list has been read in meanwhile.
    """
    waiting = Upload.objects.select_for_update().filter(pk=upload.pk, done_at=None).first()
    if waiting is None:
        raise DomainError("upload_gone", _("This file has been imported already."))
    is_other = waiting.details.get("sheet", sheet) != sheet
    answers = {} if is_other else asdict(choices)
    waiting.details = {"sheet": sheet, "public_as": public_as} | answers
    waiting.save(update_fields=["details"])
    return waiting


@transaction.atomic
def member_list_import(
    *, upload: Upload, read: ListFile, seen: str, public_as: str, actor: Actor
) -> ListImported:
    """Take people from a list as its plan was `seen`; new ones are public as `public_as`. `read` is
    what is in the file.

    Raises VersionConflict when the list would now do something else, and DomainError `upload_gone`
    or `list_unanswered`.
    """
    upload.club = club_lock(upload.club_id)
    plan = upload_plan(upload, read)
    require_as_seen(plan, seen)
    if plan.unanswered:
        raise DomainError("list_unanswered", _("Answer the questions first."))
    with namesakes_at_the_end(upload.club):
        made, before = _people_write(plan, public_as, actor)
    undo = {
        "made": _versions(made),
        "changed": [[*row, before[row[0]]] for row in _versions(before)],
    }
    left_out = len(plan.skipped) + len(plan.faulty)
    done = ListImported(len(made), len(before), len(plan.unchanged), left_out)
    upload_done(upload=upload, outcome={**asdict(done), "undo": undo})
    return done


def _people_write(
    plan: ListPlan, public_as: str, actor: Actor
) -> tuple[list[int], dict[int, dict[str, object]]]:
    """Add and change people: the ids of the new ones, and by id what was there before."""
    # First nobody has the numbers that change, so that people can swap them.
    _take_numbers(change.member.pk for change in plan.changes if "number" in change.details)
    made = [
        member_create(club=plan.club, actor=actor, public_as=public_as, **person.details).pk
        for person in plan.new
    ]
    return made, {change.member.pk: _changed(change, actor) for change in plan.changes}


def _changed(change: Change, actor: Actor) -> dict[str, object]:
    """Change somebody; returns the old values."""
    member, details = change.member, dict(change.details)
    before = {key: _kept(getattr(member, key)) for key in details}
    if change.was_guest:
        details["kind"] = Member.Kind.MEMBER
        before["kind"] = member.kind
    details.setdefault("name", member.name)
    member_change(member=member, seen_version=member.version, actor=actor, **details)
    return before


def _take_numbers(ids: Iterable[int]) -> None:
    """Take the numbers off people who get another in this transaction."""
    Member.objects.filter(pk__in=list(ids)).update(number=None)


def _versions(ids: Iterable[int]) -> list[list[int]]:
    """These people with their versions now."""
    rows = Member.objects.filter(pk__in=list(ids)).order_by("pk").values_list("pk", "version")
    return [list(row) for row in rows]


def _kept(value: object) -> object:
    return value.isoformat() if isinstance(value, dt.date) else value


def _as_before(key: str, value: Any) -> Any:
    is_date = key in DATES and value is not None
    return dt.date.fromisoformat(value) if is_date else value


# Taking it back.


@dataclass(frozen=True, slots=True)
class ListTakenBack:
    """How many people went and were put back, and who stays because of what happened since."""

    removed: int
    restored: int
    staying: list[str]


@transaction.atomic
def member_list_undo(*, upload: Upload, actor: Actor) -> ListTakenBack:
    """Delete the people that a list brought, and put back what it changed. Who has played since,
    or was changed since, stays as they are.

    Raises DomainError `upload_undone` if that was done already, or cannot be done.
    """
    club = club_lock(upload.club_id)
    upload = Upload.objects.select_for_update().get(pk=upload.pk)
    undo = upload.outcome.pop("undo", None)
    if undo is None:
        raise DomainError("upload_undone", _("This has already been undone."))
    upload.outcome["undone"] = True
    upload.save(update_fields=["outcome"])
    with namesakes_at_the_end(club):
        return _people_back(club, undo, actor)


def _people_back(club: Club, undo: dict[str, Any], actor: Actor) -> ListTakenBack:
    staying: list[str] = []
    # First those who came, who may have a number that somebody had before.
    removed = _made_away(club, dict(undo["made"]), actor, staying)
    _take_numbers(_who_get_theirs(club, undo["changed"]))
    restored = sum(_put_back(club, changed, actor, staying) for changed in undo["changed"])
    return ListTakenBack(removed, restored, sorted(staying, key=sort_key))


def _made_away(club: Club, versions: dict[int, int], actor: Actor, staying: list[str]) -> int:
    used = _with_more(set(versions))
    removed = 0
    for member in Member.objects.of(club).filter(pk__in=versions).by_surname():
        if member.pk in used or member.version != versions[member.pk]:
            staying.append(member.desk_name)
            continue
        event_append(
            chain=club,
            club=club,
            actor=actor,
            action="member_taken_back",
            object_ref=f"member:{member.uuid}",
            texts={"name": member.name},
        )
        member.delete()
        removed += 1
    return removed


def _with_more(ids: set[int]) -> set[int]:
    """Those of these people to whom anything else in the database belongs."""
    used: set[int] = set()
    for relation in Member._meta.related_objects:
        rows: models.QuerySet[Any] = relation.related_model._default_manager.all()
        name = relation.field.name
        used |= set(rows.filter(**{f"{name}__in": ids}).values_list(name, flat=True))
    return used


def _who_get_theirs(club: Club, changed: list[Any]) -> set[int]:
    """The people who can have their old number again, as nobody else keeps that."""
    wanted = {
        (pk, version): before["number"] for pk, version, before in changed if "number" in before
    }
    people = Member.objects.of(club).filter(pk__in=[pk for pk, _version in wanted], erased_at=None)
    as_read_in = set(people.values_list("pk", "version")) & set(wanted)
    ids = {pk: wanted[pk, version] for pk, version in as_read_in}
    while True:
        others = Member.objects.of(club).filter(number__in=[n for n in ids.values() if n])
        kept = set(others.exclude(pk__in=ids).values_list("number", flat=True))
        if not kept:
            return set(ids)
        ids = {pk: number for pk, number in ids.items() if number not in kept}


def _put_back(club: Club, changed: list[Any], actor: Actor, staying: list[str]) -> bool:
    """Put back the old values of somebody, unless they were changed since or are gone."""
    pk, version, before = changed
    member = people_today([pk]).get(pk)
    if member is None or member.club_id != club.pk:
        return False
    columns = {key: _as_before(key, value) for key, value in before.items()}
    columns.setdefault("name", member.name)
    try:
        with transaction.atomic():
            member_change(member=member, seen_version=version, actor=actor, **columns)
    except DomainError:
        staying.append(member.desk_name)
        return False
    return True
