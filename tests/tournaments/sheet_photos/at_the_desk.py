"""What the tests of pictures at the desk share."""

import uuid
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clubs.models import Club
from scoring.models import DealEntry
from tests.factories import (
    evening_with_draw,
)
from tests.tournaments.desk import EVENING
from tests.tournaments.public_pages import get
from tournaments.models import Evening, SheetPhoto
from tournaments.sheet_photos.queue import (
    photo_read_next,
)

PHOTOS = f"{EVENING}sheet-photos/"
JSON = {"Accept": "application/json"}
NO_PICTURE = b"not a picture at all"
KNOWN = (
    "Dit bestand is al eerder verstuurd. Wat erop staat, vindt u hieronder; er wordt niets dubbel "
    "gelezen."
)


def small(club: Club, players: int = 4, **plan: Any) -> Evening:
    """Tables with sheets of four lines."""
    sizes: dict[str, Any] = {"rounds": 1, "deals_per_round": 4}
    return evening_with_draw(club=club, players=players, **sizes | plan)


def file(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("IMG of Jan.jpg", content)


def send(desk: Client, *contents: bytes) -> Any:
    """Send files as the page's script does, all at once."""
    return desk.post(PHOTOS, {"pictures": [file(one) for one in contents]}, headers=JSON)


def read_all() -> None:
    while photo_read_next():
        pass


def page_of(photo: SheetPhoto) -> str:
    return f"{PHOTOS}{photo.uuid}/"


def line(number: int, *, version: int = 0, take: str = "write", **answers: Any) -> dict[str, Any]:
    """What the page sends of a line as it was read."""
    sent = {
        "seen_version": version,
        "uuid": uuid.UUID(int=number + 100 * version),
        "declarer": "NS",
        "trump": "H",
        "points_ns": 100,
        "points_ew": 62,
        "roem_ns": "20",
        "take": take,
    }
    return {f"deal{number}-{name}": value for name, value in (sent | answers).items()}


def roem_written() -> object:
    """The roem of the only entry."""
    return (DealEntry.objects.get().written or {}).get("roem")


def said(desk: Client) -> list[str]:
    """What the list says of each picture, the newest first."""
    rows = get(desk, PHOTOS).context["rows"]
    return [f"{row['words'].title}: {row['words'].text}" for row in rows]
