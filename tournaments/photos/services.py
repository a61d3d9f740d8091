"""Photos of winners: shown with the consent of everybody in them, and taken away again."""

from collections.abc import Collection

from django.db import transaction
from django.dispatch import receiver
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.files.pictures import photo_read
from clubs.models import Member, MemberQuerySet
from clubs.namesakes.services import member_changed
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.models import Evening, EveningPhoto, PhotoPerson


def photo_people(evening: Evening) -> MemberQuerySet:
    """Who can be in the photo: people who were there and may be seen."""
    here = evening.registrations.filter(present=True).values("member")
    return Member.objects.of(evening.club).filter(pk__in=here).with_page().by_surname()


def photo_show(
    *, evening: Evening, content: bytes, people: Collection[int], actor: Actor
) -> EveningPhoto:
    """Show this photo on the page of the evening, in place of an earlier one. `people` are the ids
    of everybody in it: each of them agreed.

    Raises DomainError `no_picture`, `picture_too_large`, `nobody_in_it`, `not_there` for somebody
    who was not or is hidden, or `not_closed`.
    """
    photo = photo_read(content)
    with transaction.atomic():
        club_lock(evening.club_id)
        evening = Evening.objects.select_related("club").get(pk=evening.pk)
        members = _require_people(evening, people)
        EveningPhoto.objects.filter(evening=evening).delete()
        shown = EveningPhoto.objects.create(
            evening=evening, jpeg=photo.jpeg, width=photo.width, height=photo.height
        )
        PhotoPerson.objects.bulk_create(PhotoPerson(photo=shown, member_id=pk) for pk in members)
        _audit(evening, actor, "photo_shown")
    return shown


@transaction.atomic
def photo_remove(*, evening: Evening, actor: Actor) -> None:
    """Take the photo away, if there is one."""
    club_lock(evening.club_id)
    if EveningPhoto.objects.filter(evening=evening).delete()[0]:
        _audit(evening, actor, "photo_removed")


@receiver(member_changed)
def photos_of_hidden_people_go(member: Member, **_kwargs: object) -> None:
    """Whoever is hidden from public pages is in no photo there."""
    if member.public_as == Member.PublicAs.HIDDEN:
        EveningPhoto.objects.filter(people__member=member).delete()


def _require_people(evening: Evening, people: Collection[int]) -> list[int]:
    if evening.state != Evening.State.CLOSED:
        raise DomainError("not_closed", _("First close the evening."))
    if not people:
        raise DomainError("nobody_in_it", _("Tick who is in the photo."))
    allowed = set(photo_people(evening).values_list("pk", flat=True))
    if not allowed.issuperset(people):
        message = _("Only people who played and may be seen on public pages can be in it.")
        raise DomainError("not_there", message)
    return sorted(set(people))


def _audit(evening: Evening, actor: Actor, action: str) -> None:
    event_append(
        chain=evening.club,
        club=evening.club,
        actor=actor,
        action=action,
        object_ref=f"evening:{evening.uuid}",
    )
