"""The secret addresses of entries: of somebody's own entry, and of the check-in at the door.

They are made with the server's key and stored nowhere; of the door's only the digest is kept.
"""

import hashlib

from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.models import Entry, EntryList

MAILED, KEPT = "mailed", "kept"
"""What a link was made for: one that was mailed also shows that the address is theirs."""


def entry_path(entry: Entry, purpose: str) -> str:
    """The address of the page of somebody's own entry."""
    evening = entry.evening
    code = _entry_code(entry, purpose)
    return reverse("entry_own", args=[evening.club.slug, evening.slug, entry.uuid, code])


def entry_purpose(entry: Entry, code: str) -> str:
    """What the link with this code was made for; empty if it is of no link."""
    for purpose in (MAILED, KEPT):
        if constant_time_compare(_entry_code(entry, purpose), code):
            return purpose
    return ""


def door_secret(entries: EntryList) -> str:
    """The secret of the present address of the door: 160 bits."""
    value = f"{entries.evening.uuid}:{entries.door_generation}"
    return secret_of("tournaments.entry_door", value)


def digest_of(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def door_path(entries: EntryList) -> str:
    """The address of the check-in at the door; empty while there is none."""
    if not entries.door_digest:
        return ""
    secret = door_secret(entries)
    # After a move to another server, or with another key, a new one has to be made.
    known = digest_of(secret) == entries.door_digest
    return reverse("entry_door", args=[secret]) if known else ""


def door_find(secret: str) -> EntryList | None:
    """The list whose door has this secret; None if there is none, or it was ended."""
    lists = EntryList.objects.select_related("evening__club", "evening__regulation")
    return lists.filter(door_digest=digest_of(secret)).first()


def _entry_code(entry: Entry, purpose: str) -> str:
    return secret_of("tournaments.entry", f"{purpose}:{entry.uuid}")


def secret_of(salt: str, value: str) -> str:
    """A secret of 160 bits made with the server's key, so that it need not be stored."""
    return salted_hmac(salt, value, algorithm="sha256").hexdigest()[:40]
