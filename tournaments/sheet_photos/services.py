"""Pictures of score sheets: taken in, read aside, written deal by deal, and thrown away in time.

What was sent stands in the database until it is read, so that whichever server process is free goes
on with it; a thread of each process has them read, one after the other, each in a process of its
own (`process.py`).
"""

import base64
import datetime as dt
import hashlib
import logging
import uuid as uuids
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Max, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.files.exports import Aside
from clubs.models.user import secret_hash
from clubs.text.errors import DomainError
from scoring.deals.services import deal_write
from scoring.display.sheet_view import SheetView
from scoring.models import Scoresheet
from tournaments.entries.texts import secret_of
from tournaments.evenings.locking import evening_lock, evening_note, require_state
from tournaments.models import CameraLink, Evening, SheetPhoto, Table
from tournaments.sheet_photos.queries import is_done, photo_lines
from tournaments.sheet_photos.reading import file_read, problem_of, sheets_of

logger = logging.getLogger(__name__)

State = SheetPhoto.State
MOST_BYTES: Final = 15_000_000
"""A request is at most 16 MB."""
MOST_WAITING: Final = 100
MOST_OF_AN_EVENING: Final = 600
CLAIMED_FOR: Final = dt.timedelta(minutes=3)
"""After so long without a page read, whoever was reading is gone."""
MOST_TRIES: Final = 2
NEVER_CLOSED: Final = dt.timedelta(days=30)
"""Pictures of an evening that nobody closes go this much later."""
PASSING: Final = ("too_long", "no_pdf", "no_heic")
"""Problems that may be gone when the same file is sent again."""


def photo_send(
    *, evening: Evening, content: bytes, actor: Actor, most: int = MOST_OF_AN_EVENING
) -> SheetPhoto:
    """Take in a file with pictures of sheets, and have it read: at most so many of this actor. The
    same file again is the same picture.

    Raises DomainError `evening_state`, `picture_too_large` or `too_many_pictures`.
    """
    if len(content) > MOST_BYTES:
        raise DomainError("picture_too_large", _("The file is larger than 15 MB."))
    sha256 = hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        evening = evening_lock(evening.pk)
        require_state(evening, Evening.State.RUNNING)
        same = evening.sheet_photos.filter(sha256=sha256)
        same.filter(problem__in=PASSING).delete()
        photo = same.defer("content").first()
        if photo is None:
            _require_room(evening, evening.sheet_photos.filter(sent_by=actor.ref).count() < most)
            photo = SheetPhoto.objects.create(
                evening=evening, sha256=sha256, content=content, sent_by=actor.ref
            )
        transaction.on_commit(photos_read_aside)
    return photo


def _require_room(evening: Evening, has_some_left: bool) -> None:
    waiting = SheetPhoto.objects.filter(evening__club=evening.club, state=State.WAITING)
    is_full = evening.sheet_photos.count() >= MOST_OF_AN_EVENING
    if is_full or not has_some_left or waiting.count() >= MOST_WAITING:
        message = _("There are too many pictures. Throw some away, or wait until they are read.")
        raise DomainError("too_many_pictures", message)


# Reading, aside.


_aside: Final = Aside(1)


def photos_read_aside() -> None:
    """See to it that what waits is read. If a job waits already, it will find this too."""
    _aside.put(_read_all)


def _read_all() -> None:
    try:
        while photo_read_next():
            pass
    except Exception:
        logger.exception("A picture of a sheet could not be read")


def photo_read_next() -> bool:
    """Read the file that waits longest and that nobody reads; False if there is none."""
    free = Q(claimed_at=None) | Q(claimed_at__lt=timezone.now() - CLAIMED_FOR)
    waiting = SheetPhoto.objects.filter(free, state=State.WAITING).select_related("evening__club")
    photo = waiting.first()
    if photo is None:
        return False
    if not photo.update_if(photo.version, claimed_at=timezone.now(), tries=photo.tries + 1):
        return True
    if photo.tries > MOST_TRIES:
        _refuse(photo, "too_long")
        return True
    _store(photo, list(_pages(photo)))
    return True


def _pages(photo: SheetPhoto) -> Iterable[Mapping[str, Any]]:
    """The answers to a file, counted while they come."""
    sheets, _places = sheets_of(photo.evening)
    for count, answer in enumerate(file_read(bytes(photo.content or b""), sheets), start=1):
        SheetPhoto.objects.filter(pk=photo.pk).update(done=count, claimed_at=timezone.now())
        yield answer


@transaction.atomic
def _store(photo: SheetPhoto, answers: list[Mapping[str, Any]]) -> None:
    """Keep what was read: the first sheet in this row, others in rows of their own. Nothing if it
    was thrown away meanwhile."""
    evening = evening_lock(photo.evening_id)
    if not SheetPhoto.objects.filter(pk=photo.pk, state=State.WAITING).exists():
        return
    _sheets, places = sheets_of(evening)
    for number, answer in enumerate(answers or [{"problem": "no_sheet"}], start=1):
        row = photo
        if number > 1:
            row = SheetPhoto(
                evening=evening,
                sha256=photo.sha256,
                number=number,
                sent_by=photo.sent_by,
                version=0,
            )
        _fill(row, answer, places)
        row.version += 1
        row.save()


def _fill(
    row: SheetPhoto, answer: Mapping[str, Any], places: Mapping[str, tuple[Table, int]]
) -> None:
    row.content, row.read, row.problem = None, {}, ""
    place = places.get(answer.get("code", ""))
    if place is None or "deals" not in answer:
        row.state = State.REFUSED
        row.problem = answer.get("problem") or problem_of(answer["code"], row.evening)
        return
    row.sheet, row.page = place[0].sheet, place[1]
    row.content = base64.b64decode(answer["jpeg"])
    row.read = {key: answer[key] for key in ("deals", "totals", "agree")}
    row.state = State.READ
    if _used(row).exists():
        row.state, row.problem = State.REFUSED, "twice"


def _used(photo: SheetPhoto) -> Any:
    """The other picture of the same page that is used."""
    same = SheetPhoto.objects.filter(sheet=photo.sheet, page=photo.page, state__in=SheetPhoto.USED)
    return same.exclude(pk=photo.pk)


def _refuse(photo: SheetPhoto, problem: str) -> None:
    photo.update_if(photo.version, state=State.REFUSED, problem=problem, content=None)


# What is done with a picture that was read.


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
        if now.sheet is None or now.state not in SheetPhoto.USED:
            raise _gone()
        for line in lines:
            try:
                # Every line is tried, so that all faults show at once.
                with transaction.atomic():
                    _line_write(now, line, actor)
            except DomainError as error:
                faults[line.number] = error
        if faults:
            transaction.set_rollback(True)
        else:
            numbers = {*now.decided, *leave, *(line.number for line in lines)}
            _decide(now, sorted(numbers))
    return faults


def _line_write(photo: SheetPhoto, line: LineWrite, actor: Actor) -> None:
    deal_write(
        sheet_id=photo.sheet_id or 0,
        number=line.number,
        seen_version=line.seen_version,
        uuid=line.uuid,
        written=line.written,
        actor=actor,
        device=photo.device,
        reason=line.reason,
    )


def _decide(photo: SheetPhoto, numbers: list[int]) -> None:
    sheet = Scoresheet.objects.select_related("regulation", "club").get(photos=photo)
    photo.decided = numbers
    done = is_done(photo_lines(photo, SheetView(sheet)))
    photo.state = State.WRITTEN if done else State.READ
    photo.save_changes("decided", "state")


@transaction.atomic
def photo_prefer(*, photo: SheetPhoto, actor: Actor) -> None:
    """Use this picture of a page in place of the other one, which is thrown away. Raises
    DomainError `photo_gone`."""
    now = _locked(photo)
    if now.problem != "twice":
        raise _gone()
    for other in _used(now):
        _throw_away(other, actor)
    now.state, now.problem = State.READ, ""
    now.save_changes("state", "problem")


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
    )
    return lasting.select_related("evening__club", "evening__regulation").first()


def camera_actor(link: CameraLink) -> Actor:
    """The camera as the trail names it: by the link used, not by who held the phone."""
    ref = f"camera:{link.evening.uuid}:{link.generation}"
    return Actor(ref=ref, label=_("A phone with the camera address"))
