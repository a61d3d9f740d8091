"""Putting a club back as it was in a file, in place of what is here."""

from collections.abc import Mapping

from django.apps import apps
from django.db import transaction

from clubs.archives.container import Archive
from clubs.audit.services import Actor, event_append
from clubs.audit.triggers import guards_lifted
from clubs.models import Club, Role
from clubs.profile.services import club_lock, role_grant
from tournaments.models import Copy
from tournaments.transfer.into import club_read
from tournaments.transfer.out import OF_A_CLUB

ONLY_HERE: Mapping[str, str] = {
    "clubs.apitoken": "club",
    "clubs.invitation": "club",
    "clubs.upload": "club",
    "tournaments.eveningsummary": "evening__club",
    "tournaments.pinguard": "evening__club",
    "tournaments.seasonfile": "season__club",
}
"""What a club has on this server alone and loses when it is put back, with the path to the club."""


@transaction.atomic
def club_replace(*, archive: Archive, club: Club | None, actor: Actor) -> Club:
    """The club of an archive that was verified before, in place of `club` if that is given: all or
    nothing. Whoever does so still organises it. Raises BadArchive."""
    if club is None:
        return club_read(archive, is_verified=True)
    slug = club_lock(club.pk).slug
    copies = list(Copy.objects.filter(club=club).values_list("pk", flat=True))
    Copy.objects.filter(pk__in=copies).update(club=None)
    _club_delete(club)
    placed = club_read(archive, slug=slug, is_verified=True)
    Copy.objects.filter(pk__in=copies).update(club=placed)
    if actor.user and not placed.roles.filter(user=actor.user, kind=Role.Kind.ORGANISER).exists():
        role_grant(club=placed, email=actor.user.email, kind=Role.Kind.ORGANISER, actor=actor)
    event_append(
        chain=Club.objects.get(pk=placed.pk),
        club=placed,
        actor=actor,
        action="copy_put_back",
        object_ref=f"club:{placed.uuid}",
        data={"made_at": str(archive.about.get("made_at", ""))[:40]},
    )
    return Club.objects.get(pk=placed.pk)


def _club_delete(club: Club) -> None:
    """Delete every row of a club. What guards the trail is lifted meanwhile, so others who write
    wait until the end of the transaction."""
    with guards_lifted():
        for name, path in (*ONLY_HERE.items(), *reversed([*OF_A_CLUB.items()])):
            rows = apps.get_model(name)._default_manager.filter(**{path: club.pk})
            # Nothing is collected first: what refers to these rows is deleted already.
            rows._raw_delete(rows.db)  # noqa: SLF001
