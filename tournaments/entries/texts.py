"""The sentences and mails of entries, and the secret addresses that they name: of somebody's own
entry, and of the check-in at the door.

A mail holds nothing that was typed: who enters for somebody else must not write to them in the name
of the club. Secrets are made with the server's key and stored nowhere; of the door's only the
digest is kept.
"""

from collections.abc import Callable

from django.urls import reverse
from django.utils import translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.formats import date_format, time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.accounts.services import mail_goes_out, mail_soon
from clubs.http.network import mailed_url
from clubs.limits.table import ENTRY_MAILS_OF_A_CLUB, ENTRY_MAILS_TO_ONE
from clubs.models.user import secret_hash
from tournaments.models import EntriesStart, Entry, EntryKind, EntryList, Evening

TABS = {
    "all": gettext_lazy("Everybody"),
    "asked": gettext_lazy("To confirm"),
    "entered": gettext_lazy("On the list"),
    "waiting": gettext_lazy("Waiting list"),
    "away": gettext_lazy("Not here yet"),
    "unpaid": gettext_lazy("Not paid"),
    "withdrawn": gettext_lazy("Withdrawn"),
}
"""The filters of the list at the desk, by their keys."""

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


def door_path(entries: EntryList) -> str:
    """The address of the check-in at the door; empty while there is none."""
    if not entries.door_digest:
        return ""
    secret = door_secret(entries)
    # After a move to another server, or with another key, a new one has to be made.
    known = secret_hash(secret) == entries.door_digest
    return reverse("entry_door", args=[secret]) if known else ""


def door_find(secret: str) -> EntryList | None:
    """The list whose door has this secret; None if there is none, or it was ended."""
    lists = EntryList.objects.select_related("evening__club", "evening__regulation")
    return lists.filter(door_digest=secret_hash(secret)).first()


def _entry_code(entry: Entry, purpose: str) -> str:
    return secret_of("tournaments.entry", f"{purpose}:{entry.uuid}")


def secret_of(salt: str, value: str) -> str:
    """A secret of 160 bits made with the server's key, so that it need not be stored."""
    return salted_hmac(salt, value, algorithm="sha256").hexdigest()[:40]


# Sentences and mails.


def day_words(evening: Evening) -> str:
    """The evening in a sentence: its name and its day."""
    day = date_format(evening.date, "l j F Y")
    return f"{evening.name}, {day}" if evening.name else day


def counted(kind: str, count: int) -> str:
    """So many people, pairs or teams."""
    if kind == EntryKind.PAIR:
        return ngettext("%(n)s pair", "%(n)s pairs", count) % {"n": count}
    if kind == EntryKind.TEAM:
        return ngettext("%(n)s team", "%(n)s teams", count) % {"n": count}
    return ngettext("%(n)s person", "%(n)s people", count) % {"n": count}


def room_words(known: EntryList, entered: int, waiting: int) -> str:
    """How much room there is left, in a sentence; empty where there is no maximum."""
    if known.maximum is None:
        return ""
    left = known.maximum - entered
    if left > 0:
        return _("There is room for %(left)s more.") % {"left": counted(known.kind, left)}
    if waiting:
        words = ngettext(
            "It is full, and %(n)s waits. You can enter for the waiting list.",
            "It is full, and %(n)s wait. You can enter for the waiting list.",
            waiting,
        )
        return words % {"n": waiting}
    return _("It is full. You can enter for the waiting list.")


def deadline_words(known: EntryList) -> str:
    """Until when one can enter; empty where there is no end."""
    if known.deadline is None:
        return ""
    end = localtime(known.deadline)
    words = {"day": date_format(end, "l j F"), "time": date_format(end, "H.i")}
    return _("You can enter until %(day)s, %(time)s.") % words


def start_words(start: EntriesStart | None) -> str:
    """How the next evening takes entries, in a sentence; empty where it decides nothing."""
    if start is None or not start.is_open:
        return ""
    parts = [str(EntryKind(start.kind).label)]
    if start.maximum is not None:
        parts.append(_("at most %(n)s") % {"n": start.maximum})
    if start.closes_at is not None:
        time = {"n": start.days_before, "time": time_format(start.closes_at, "H.i")}
        that_day = _("until %(time)s on the day itself")
        before = ngettext(
            "until %(time)s the day before", "until %(time)s, %(n)s days before", start.days_before
        )
        parts.append((before if start.days_before else that_day) % time)
    return _("People can enter on its page: %(how)s.") % {"how": ", ".join(parts)}


def state_words(entry: Entry, turn: int) -> str:
    """How an entry stands, as its owner reads it; `turn` is its place on the waiting list."""
    match entry.state:
        case Entry.State.ENTERED:
            return _("You are on the list.")
        case Entry.State.WAITING:
            return _("It is full. You are number %(n)s on the waiting list.") % {"n": turn}
        case Entry.State.WITHDRAWN:
            return _("This entry was withdrawn.")
    return _("This entry does not count yet.")


def entry_words(entry: Entry) -> str:
    """What an entry is called: by its name, else by its people, or by its number alone."""
    named = entry.name or _(" and ").join(person.name for person in entry.people.all())
    return named or _("entry %d") % entry.number


def asked_mail_send(entry: Entry) -> bool:
    """Mail the link to confirm an entry, as far as mail may go out; whether it does."""
    return _send(
        entry,
        lambda: (
            _("Confirm your entry"),
            _(
                "Somebody entered with this address for %(evening)s of %(club)s. Was it you? Then"
                " confirm it on this page; you can withdraw there too.\n\n%(link)s\n\nWas it not"
                " you? Then do nothing: after two days it is gone."
            ),
        ),
    )


def moved_up_mail_send(entry: Entry) -> bool:
    """Mail that an entry came from the waiting list onto the list."""
    return _send(
        entry,
        lambda: (
            _("There is a place for you"),
            _(
                "A place came free for %(evening)s of %(club)s: you are on the list now. Can you"
                " not come? Then withdraw on this page, so that somebody else can.\n\n%(link)s\n"
            ),
        ),
    )


def _send(entry: Entry, words: Callable[[], tuple[str, str]]) -> bool:
    if not (entry.email and mail_goes_out()):
        return False
    club = entry.evening.club
    allowed = ENTRY_MAILS_TO_ONE.allows(f"entry mail to {entry.email.casefold()}")
    if not (allowed and ENTRY_MAILS_OF_A_CLUB.allows(f"entry mails of {club.uuid}")):
        return False
    with translation.override(entry.language or club.language):
        subject, text = words()
        filled = {
            "evening": day_words(entry.evening),
            "club": club.name,
            "link": mailed_url(club, entry_path(entry, MAILED)),
        }
        mail_soon(subject=f"{subject}: {club.name}", text=text % filled, to=entry.email)
    return True
