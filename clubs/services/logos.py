"""A club's logo: chosen, replaced, taken away."""

from django.db import transaction

from clubs.audit import Actor, event_append
from clubs.models import Club, ClubLogo
from clubs.pictures import picture_read
from clubs.services.clubs import club_lock


def logo_choose(*, club: Club, content: bytes, actor: Actor) -> ClubLogo:
    """Make this picture the club's logo, in place of the one it may have.

    Raises DomainError `no_picture` or `picture_too_large`.
    """
    picture = picture_read(content)
    with transaction.atomic():
        club = club_lock(club.pk)
        logo, _made = ClubLogo.objects.update_or_create(
            club=club,
            defaults={"png": picture.png, "width": picture.width, "height": picture.height},
        )
        size = {"width": picture.width, "height": picture.height}
        _tell(club, actor, "logo_chosen", has_logo=True, data=size)
    return logo


@transaction.atomic
def logo_remove(*, club: Club, actor: Actor) -> None:
    """Take the club's logo away; a club without one is left alone."""
    club = club_lock(club.pk)
    if ClubLogo.objects.filter(club=club).delete()[0]:
        _tell(club, actor, "logo_removed", has_logo=False, data={})


def _tell(club: Club, actor: Actor, action: str, *, has_logo: bool, data: dict[str, int]) -> None:
    """Put it in the trail. The event's number is the logo's version, which so never comes back."""
    event = event_append(
        chain=club, club=club, actor=actor, action=action, object_ref=f"club:{club.uuid}", data=data
    )
    Club.objects.filter(pk=club.pk).update(logo_version=event.number if has_logo else 0)
