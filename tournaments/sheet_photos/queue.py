"""Files with pictures of score sheets: taken in, and read aside.

What was sent stands in the database until it is read, so that whichever server process is free goes
on with it, also after a restart; a thread of each process has them read, one after the other, each
in a process of its own (`process.py`).
"""

import base64
import datetime as dt
import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.files.exports import Aside
from clubs.text.errors import DomainError
from scoring.display.sheet_view import SheetView
from tournaments.evenings.services import evening_lock, require_state
from tournaments.models import Evening, SheetPhoto
from tournaments.sheet_photos.queries import is_done, photo_lines, sheet_of
from tournaments.sheet_photos.reading import Place, file_read, problem_of, sheets_of
from tournaments.sheet_photos.services import page_is_taken

logger = logging.getLogger(__name__)

State = SheetPhoto.State
MOST_BYTES: Final = 15_000_000
"""A request is at most 16 MB."""
MOST_WAITING: Final = 100
MOST_OF_AN_EVENING: Final = 600
"""Pictures that could not be used count for nobody."""
MOST_REFUSED: Final = 40
"""Of one sender: the oldest go, so that a bad camera fills no disk either."""
CLAIMED_FOR: Final = dt.timedelta(minutes=3)
"""After so long without a page read, whoever was reading is gone."""
MOST_TRIES: Final = 2
PLACES_A_PICTURE: Final = 50
"""Sheets of one picture, by which the rows of a file are numbered; one that waits has number 0."""
SLOW: Final = ("too_long", "rest_left")
DECIDABLE: Final = ("which_table", "twice")
"""Problems of pictures that were read, about which somebody decides: they are kept and counted."""
PASSING: Final = (*SLOW, "no_pdf", "no_heic")
"""Problems that may be gone when the same file is sent again."""


class Sent(NamedTuple):
    """A file that was sent: its picture, or the first of them, and whether it was there before."""

    photo: SheetPhoto
    is_known: bool


def photo_send(
    *, evening: Evening, content: bytes, actor: Actor, most: int = MOST_OF_AN_EVENING
) -> Sent:
    """Take in a file with pictures of sheets, and have it read: at most so many of this actor. Of
    the same file again only what is missing is read: what was thrown away, or took too long.

    Raises DomainError `evening_state`, `picture_too_large` or `too_many_pictures`.
    """
    if len(content) > MOST_BYTES:
        is_pdf = content[:1024].lstrip().startswith(b"%PDF-")
        raise DomainError("picture_too_large", too_large(is_pdf=is_pdf))
    sha256 = hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        evening = evening_lock(evening.pk)
        require_state(evening, Evening.State.RUNNING)
        same = evening.sheet_photos.filter(sha256=sha256)
        same.filter(problem__in=PASSING).delete()
        earlier = list(same.defer("content"))
        if earlier and not _lacks_some(earlier):
            return Sent(earlier[0], is_known=True)
        _require_room(evening, actor, most)
        photo = SheetPhoto.objects.create(
            evening=evening, sha256=sha256, number=0, content=content, sent_by=actor.ref
        )
        transaction.on_commit(photos_read_aside)
    return Sent(photo, is_known=False)


def _lacks_some(photos: Sequence[SheetPhoto]) -> bool:
    """Whether a file that was read said more than is still here."""
    if any(photo.state == State.WAITING for photo in photos):
        return False
    return len(photos) < max(photo.done for photo in photos)


def _require_room(evening: Evening, actor: Actor, most: int) -> None:
    unused = Q(state=State.REFUSED) & ~Q(problem__in=DECIDABLE)
    refused = evening.sheet_photos.filter(unused)
    own = refused.filter(sent_by=actor.ref).order_by("-pk").values_list("pk", flat=True)
    refused.filter(pk__in=list(own[MOST_REFUSED:])).delete()
    counted = evening.sheet_photos.exclude(unused)
    waiting = SheetPhoto.objects.filter(evening__club=evening.club, state=State.WAITING)
    is_full = counted.count() >= MOST_OF_AN_EVENING or waiting.count() >= MOST_WAITING
    if is_full or counted.filter(sent_by=actor.ref).count() >= most:
        message = _("There are too many pictures. Throw some away, or wait until they are read.")
        raise DomainError("too_many_pictures", message)


def too_large(*, is_pdf: bool) -> str:
    """What to do about a file that is too large."""
    if is_pdf:
        return _(
            "This PDF is larger than 15 MB. Scan in grey at 200 dots an inch, or make two files of "
            "it, each with half of the pages."
        )
    return _("This picture is larger than 15 MB. Save it as a JPEG, or make it smaller.")


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
    """Read the file that waits longest and that nobody reads; False if there is none. What people
    sent whose files took too long comes last, so that nobody holds up a whole evening."""
    free = Q(claimed_at=None) | Q(claimed_at__lt=timezone.now() - CLAIMED_FOR)
    waiting = SheetPhoto.objects.filter(free, state=State.WAITING).select_related("evening__club")
    too_long = SheetPhoto.objects.filter(
        evening=OuterRef("evening"), sent_by=OuterRef("sent_by"), problem__in=SLOW
    )
    photo = waiting.order_by(Exists(too_long), "pk").first()
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
    """Keep what was read: the first sheet in this row, others in rows of their own, without those
    that are here already. Nothing if it was thrown away meanwhile."""
    evening = evening_lock(photo.evening_id)
    if not SheetPhoto.objects.filter(pk=photo.pk, state=State.WAITING).exists():
        return
    _sheets, places = sheets_of(evening)
    numbered = _numbered(answers or [{"page": 1, "problem": "no_sheet"}])
    same = evening.sheet_photos.filter(sha256=photo.sha256)
    here = set(same.exclude(pk=photo.pk).values_list("number", flat=True))
    row: SheetPhoto | None = photo
    for number, answer in numbered.items():
        if number in here:
            continue
        row = row or SheetPhoto(
            evening=evening, sha256=photo.sha256, sent_by=photo.sent_by, version=0
        )
        row.number, row.done = number, len(numbered)
        _fill(row, answer, places)
        row.version += 1
        row.save()
        row = None
    if row is not None:
        # Of this file nothing was missing that could be read.
        row.delete()
    same.update(done=len(numbered))


def _numbered(answers: Iterable[Mapping[str, Any]]) -> dict[int, Mapping[str, Any]]:
    """Each answer by its picture and its place on it, so that it keeps its number when the file is
    read again."""
    numbered: dict[int, Mapping[str, Any]] = {}
    for answer in answers:
        first = (answer["page"] - 1) * PLACES_A_PICTURE + 1
        places = range(first, first + PLACES_A_PICTURE)
        free = next((number for number in places if number not in numbered), None)
        if free is not None:
            numbered[free] = answer
    return numbered


def _fill(row: SheetPhoto, answer: Mapping[str, Any], places: Mapping[str, Place]) -> None:
    row.content, row.read, row.problem = None, {}, ""
    place = places.get(answer.get("code", ""))
    if place is None or "deals" not in answer:
        row.state = State.REFUSED
        row.problem = answer.get("problem") or problem_of(answer["code"], row.evening)
        return
    row.content = base64.b64decode(answer["jpeg"])
    row.read = {key: answer[key] for key in ("deals", "totals", "agree", "named")}
    row.page = place.page
    if place.table is None:
        row.state, row.problem = State.REFUSED, "which_table"
        return
    row.sheet, row.state = place.table.sheet, State.READ
    if is_done(photo_lines(row, SheetView(sheet_of(row)))):
        row.state = State.WRITTEN
    if page_is_taken(row):
        row.state, row.problem = State.REFUSED, "twice"


def _refuse(photo: SheetPhoto, problem: str) -> None:
    photo.update_if(photo.version, state=State.REFUSED, problem=problem, content=None)
