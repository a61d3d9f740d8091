"""What the tests of entries share: a list that is open, entries on it, and the form as people send
it."""

import re
from datetime import timedelta
from typing import Any

import time_machine
from django.test import Client
from django.utils import timezone

from tests.factories import TESTS
from tests.tournaments.public_pages import evening_path
from tournaments.entries.queries import entry_list_of
from tournaments.entries.services import EntrySettings, entries_add, entry_list_change
from tournaments.models import Entry, EntryList, Evening
from tournaments.models.entry import Wish

STAMP = re.compile(r'name="stamp" value="([^"]+)"')
LINK = re.compile(r"https?://[^/\s]+(/clubs/\S+/enter/\S+)")


def open_entries(evening: Evening, **settings: Any) -> EntryList:
    """Let people enter, with these settings."""
    wanted = EntrySettings(**{"is_open": True, **settings})
    known = entry_list_of(evening)
    version = known.version if known.pk else 0
    return entry_list_change(
        evening_id=evening.pk, wanted=wanted, seen_version=version, actor=TESTS
    )


def enter(evening: Evening, *people: str, **details: str) -> Entry:
    """The desk enters somebody."""
    wish = Wish(people=people, **details)
    (entry,) = entries_add(evening_id=evening.pk, wishes=[wish], actor=TESTS)
    return entry


def send(client: Client, evening: Evening, *, after: float = 10, **typed: str) -> Any:
    """Send the form of the public page so many seconds after it was opened."""
    path = evening_path(evening, "enter/")
    stamp = STAMP.search(client.get(path).content.decode())
    assert stamp
    then = timezone.now() + timedelta(seconds=after)
    with time_machine.travel(then, tick=True):
        return client.post(path, {"stamp": stamp[1], **typed})


def on_list(evening: Evening, state: str) -> list[str]:
    """Who is in this state, by turn: the first name of each entry."""
    entries = evening.entries.filter(state=state).order_by("number")
    return [entry.name or entry.people.get(place=1).name for entry in entries]
