"""The photo of an evening's winners, as everybody sees it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Evening, EveningPhoto


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """The photo of an evening's winners, with the public names of who is in it."""

    pk: int
    width: int
    height: int
    names: Sequence[str]


def photo_of(evening: Evening) -> ShownPhoto | None:
    """The photo that everybody sees; only a closed evening has one."""
    if evening.state != Evening.State.CLOSED:
        return None
    photo = EveningPhoto.objects.filter(evening=evening).defer("jpeg").first()
    if photo is None:
        return None
    people = photo.people.select_related("member").order_by("member__sort_name")
    names = [person.member.shown_name for person in people]
    return ShownPhoto(photo.pk, photo.width, photo.height, names)


def photo_content(evening: Evening) -> bytes | None:
    """The photo itself, a JPEG."""
    if evening.state != Evening.State.CLOSED:
        return None
    photo = EveningPhoto.objects.filter(evening=evening).first()
    return None if photo is None else bytes(photo.jpeg)
