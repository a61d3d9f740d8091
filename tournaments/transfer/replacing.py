"""Putting a club back as it was in a file, in place of what is here."""

import time
from collections.abc import Mapping
from typing import Final

from django.apps import apps
from django.db import OperationalError, connection, transaction
from django.utils.translation import gettext as _

from clubs.archives.container import Archive, BadArchive, Report, unreported
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
    "tournaments.deletedevening": "club",
    "tournaments.eveningsummary": "evening__club",
    "tournaments.follower": "club",
    "tournaments.hallscreen": "evening__club",
    "tournaments.mailreceiver": "mail__club",
    "tournaments.membermail": "club",
    "tournaments.pinguard": "evening__club",
    "tournaments.seasonfile": "season__club",
}
"""What a club has on this server alone and loses when it is put back, with the path to the club."""


_HOLD: Final = 0.5
"""Seconds, less than after which PostgreSQL ends one of two who wait for each other."""
_TRIES: Final = 60


def club_hold(club: Club) -> None:
    """Let nobody write to the tables of clubs until the end of the transaction, once those who are
    writing have done so: what is here from then on is all there is. SQLite does that by itself.

    Raises BadArchive if there are writers all the time.
    """
    if connection.vendor != "postgresql":
        return
    tables = ", ".join(f'"{apps.get_model(name)._meta.db_table}"' for name in OF_A_CLUB)
    for _attempt in range(_TRIES):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{round(_HOLD * 1000)}ms'")
                cursor.execute(f"LOCK TABLE {tables} IN EXCLUSIVE MODE")
                cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
        except OperationalError:
            # They go first: what was locked so far is let go.
            time.sleep(_HOLD)
        else:
            return
    raise BadArchive(_("People are writing all the time. Try again when the evening is over."))


@transaction.atomic
def club_replace(
    *, archive: Archive, club: Club | None, actor: Actor, report: Report = unreported
) -> Club:
    """The club of an archive that was verified before, in place of `club` if that is given: all or
    nothing. Whoever does so still organises it. Raises BadArchive."""
    if club is None:
        return club_read(archive, is_verified=True, report=report)
    here = club_lock(club.pk)
    copies = [*Copy.objects.filter(club=here).values_list("pk", flat=True)]
    with guards_lifted():
        _club_delete(here)
        placed = club_read(archive, slug=here.slug, is_verified=True, report=report)
        # Not before: whoever says how far it is could not write meanwhile.
        Copy.objects.filter(pk__in=copies).update(club=placed)
    phones = {"address": here.address, "phone_address": here.phone_address}
    Club.objects.filter(pk=placed.pk).update(**phones)
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
    """Delete every row of a club, and its practice evening; the guards must be lifted."""
    Club.objects.filter(practice_of=club).delete()
    for name, path in (*ONLY_HERE.items(), *reversed([*OF_A_CLUB.items()])):
        rows = apps.get_model(name)._default_manager.filter(**{path: club.pk})
        # Nothing is collected first: what refers to these rows is deleted already.
        rows._raw_delete(rows.db)  # noqa: SLF001
