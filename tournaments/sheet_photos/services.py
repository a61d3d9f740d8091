"""Pictures of score sheets that were read: written deal by deal, used for a table, thrown away in
time; and the address over which a phone sends them."""

import datetime as dt
import uuid as uuids
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models.user import secret_hash
from clubs.text.errors import DomainError
from scoring.deals.services import deal_write
from scoring.display.sheet_view import SheetView
from scoring.models import Scoresheet
from scoring.pdf.reading_sheet import sheet_form
from scoring.rules import announced_line
from tournaments.entries.texts import secret_of
from tournaments.evenings.services import evening_lock, evening_note, require_state
from tournaments.models import CameraLink, Evening, Round, SheetPhoto, Table
from tournaments.seating.store import spare_sheet
from tournaments.sheet_photos.queries import is_done, other_pictures, photo_lines, sheet_of

State = SheetPhoto.State
NEVER_CLOSED: Final = dt.timedelta(days=30)
"""Pictures of an evening that nobody closes go this much later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineWrite:
    """A deal to be written from a picture, as `deal_write` takes it."""

    number: int
    seen_version: int
    uuid: uuids.UUID
    written: Mapping[str, object]
    reason: str = ""


def photo_write(
    *, photo: SheetPhoto, lines: Collection[LineWrite], leave: Collection[int], actor: Actor
) -> dict[int, DomainError]:
    """Write these deals as read from the picture, and leave those others as they stand. Returns
    what was wrong, by deal; then nothing was written at all.

    Raises DomainError `photo_gone`.
    """
    faults: dict[int, DomainError] = {}
    with transaction.atomic():
        now = _locked(photo)
        if now.sheet_id is None or now.state not in SheetPhoto.USED:
            raise _gone()
        sheet = sheet_of(now)
        for line in lines:
            try:
                # Every line is tried, so that all faults show at once.
                with transaction.atomic():
                    _line_write(now, sheet, line, actor)
            except DomainError as error:
                faults[line.number] = error
        if faults:
            transaction.set_rollback(True)
        else:
            numbers = {*now.decided, *leave, *(line.number for line in lines)}
            _decide(now, sorted(numbers))
    return faults


def _line_write(photo: SheetPhoto, sheet: Scoresheet, line: LineWrite, actor: Actor) -> None:
    """Write a line. The paper has one number for the roem of a side: which announcements it is the
    sum of, the deal decides."""
    announced, _result = announced_line(line.written, sheet.regulation.rules)
    deal_write(
        sheet_id=sheet.pk,
        number=line.number,
        seen_version=line.seen_version,
        uuid=line.uuid,
        written=announced,
        actor=actor,
        device=photo.device,
        reason=line.reason,
    )


def _decide(photo: SheetPhoto, numbers: list[int], *changed: str) -> None:
    photo.decided = numbers
    done = is_done(photo_lines(photo, SheetView(sheet_of(photo))))
    photo.state = State.WRITTEN if done else State.READ
    photo.save_changes("decided", "state", *changed)


@transaction.atomic
def photo_prefer(*, photo: SheetPhoto, actor: Actor) -> None:
    """Use this picture of a page in place of the other one, which is thrown away. Raises
    DomainError `photo_gone`."""
    now = _locked(photo)
    if now.problem != "twice":
        raise _gone()
    for other in other_pictures(now):
        _throw_away(other, actor)
    now.problem = ""
    _decide(now, now.decided, "problem")


def page_is_taken(photo: SheetPhoto) -> bool:
    """Whether another picture of the same page is used. One that was taken before the game makes
    way for one with deals."""
    is_taken = False
    for other in other_pictures(photo).defer("content"):
        if other.is_blank and not photo.is_blank:
            other.state, other.problem = State.REFUSED, "twice"
            other.save_changes("state", "problem")
        else:
            is_taken = True
    return is_taken


@transaction.atomic
def photo_place(*, photo: SheetPhoto, round_number: int, table_number: int, actor: Actor) -> None:
    """Say of which table the spare sheet on a picture is. Raises DomainError `photo_gone`,
    `no_such_table`, or `other_sheet` where that table has another kind of sheet."""
    now = _locked(photo)
    if now.problem != "which_table":
        raise _gone()
    tables = Table.objects.filter(round__evening=now.evening, round__number=round_number)
    drawn = tables.exclude(round__state=Round.State.DRAFT).select_related("sheet__regulation")
    table = drawn.filter(number=table_number).first()
    if table is None:
        raise DomainError(
            "no_such_table",
            _("Round %(round)s has no table %(table)s.")
            % {"round": round_number, "table": table_number},
        )
    spare = spare_sheet(now.evening, three=now.is_of_three)
    if spare is None or sheet_form(table.sheet) != sheet_form(spare)._replace(spare=False):
        raise DomainError(
            "other_sheet",
            _(
                "This table has another kind of sheet: another number of deals or of people. "
                "Type it over."
            ),
        )
    now.sheet = table.sheet
    evening_note(
        now.evening,
        actor=actor,
        action="sheet_photo_placed",
        data={"photo": now.sha256, "round": round_number, "table": table_number},
    )
    if page_is_taken(now):
        now.problem = "twice"
        now.save_changes("sheet", "problem")
    else:
        now.problem = ""
        _decide(now, now.decided, "sheet", "problem")


@transaction.atomic
def photo_throw_away(*, photo: SheetPhoto, actor: Actor) -> None:
    """Throw a picture away; what was written from it stays. Raises DomainError `photo_gone`."""
    _throw_away(_locked(photo), actor)


def _throw_away(photo: SheetPhoto, actor: Actor) -> None:
    evening_note(
        photo.evening, actor=actor, action="sheet_photo_gone", data={"photo": photo.sha256}
    )
    photo.delete()


def _locked(photo: SheetPhoto) -> SheetPhoto:
    """The picture as it is now, with its evening locked."""
    evening = evening_lock(photo.evening_id)
    now = SheetPhoto.objects.filter(pk=photo.pk).select_related("sheet").first()
    if now is None:
        raise _gone()
    now.evening = evening
    return now


def _gone() -> DomainError:
    return DomainError("photo_gone", _("This picture is not here any more, or cannot be used."))


def sheet_photos_sweep() -> None:
    """Delete the pictures of evenings whose result has been final for as long as their club keeps
    them, and of evenings that nobody closed, a month after that."""
    now, today = timezone.now(), timezone.localdate()
    photos = SheetPhoto.objects.all()
    kept_for = photos.values_list("evening__club__sheet_photo_days", flat=True).distinct()
    for days in set(kept_for.order_by()):
        of_these = photos.filter(evening__club__sheet_photo_days=days)
        kept = dt.timedelta(days=days)
        final = Evening.objects.filter(state=Evening.State.CLOSED).annotate(
            final_at=Max("releases__published_at")
        )
        of_these.filter(evening__in=final.filter(final_at__lt=now - kept)).delete()
        of_these.filter(evening__date__lt=today - kept - NEVER_CLOSED).delete()


# The address with which a phone sends pictures.

CAMERA_LASTS: Final = dt.timedelta(hours=24)


@transaction.atomic
def camera_make(*, evening_id: int, actor: Actor) -> CameraLink:
    """A new address for the camera of a phone; one that there was ends. Raises DomainError
    `evening_state`."""
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.RUNNING)
    link, _made = CameraLink.objects.get_or_create(evening=evening)
    link.evening = evening
    link.generation += 1
    link.digest, link.made_at = secret_hash(camera_secret(link)), timezone.now()
    link.save_changes("generation", "digest", "made_at")
    evening_note(evening, actor=actor, action="camera_link_made")
    return link


@transaction.atomic
def camera_end(*, evening_id: int, actor: Actor) -> None:
    """The address ends. Repeating it changes nothing."""
    evening = evening_lock(evening_id)
    link = CameraLink.objects.filter(evening=evening).exclude(digest="").first()
    if link is not None:
        link.digest = ""
        link.save_changes("digest")
        evening_note(evening, actor=actor, action="camera_link_ended")


def camera_secret(link: CameraLink) -> str:
    """The secret of the present address of the camera."""
    return secret_of("tournaments.camera", f"{link.evening.uuid}:{link.generation}")


def camera_path(link: CameraLink) -> str:
    """The address of the camera page; empty when it has ended."""
    secret = camera_secret(link)
    return reverse("photo_camera", args=[secret]) if camera_find(secret) else ""


def camera_find(secret: str) -> CameraLink | None:
    """The link with this secret, while it lasts and its evening is played."""
    lasting = CameraLink.objects.filter(
        digest=secret_hash(secret),
        made_at__gt=timezone.now() - CAMERA_LASTS,
        evening__state=Evening.State.RUNNING,
        evening__club__suspended_at=None,
    )
    return lasting.select_related("evening__club", "evening__regulation").first()


def camera_actor(link: CameraLink) -> Actor:
    """The camera as the trail names it: by the link used, not by who held the phone."""
    ref = f"camera:{link.evening.uuid}:{link.generation}"
    return Actor(ref=ref, label=_("A phone with the camera address"))
