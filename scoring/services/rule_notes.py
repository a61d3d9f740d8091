"""A club's own words about what no setting decides."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError, VersionConflict
from clubs.models import Club
from clubs.services import club_lock
from scoring.models import RuleNote

LONGEST_NOTE: Final = 1000


class NoteText(NamedTuple):
    """What a club says about one topic; both empty where it says nothing."""

    text: str
    text_en: str


Notes = Mapping[str, NoteText]
NOTHING = NoteText("", "")


def rule_notes_of(club: Club) -> dict[str, NoteText]:
    """What the club says about every topic, in the order to read them. One query."""
    said = {
        note.topic: NoteText(note.text, note.text_en) for note in RuleNote.objects.filter(club=club)
    }
    return {topic: said.get(topic, NOTHING) for topic in RuleNote.Topic.values}


def rule_notes_mark(notes: Notes) -> str:
    """Another mark (16 hex digits) for every other set of notes, to tell what somebody saw."""
    text = json.dumps({topic: note for topic, note in sorted(notes.items()) if any(note)})
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@transaction.atomic
def rule_notes_save(*, club: Club, notes: Notes, seen: str, actor: Actor) -> None:
    """Keep these notes in place of those that stand, whose mark (`rule_notes_mark`) is `seen`.

    Spaces around the lines are taken off; a topic that is left out stays as it is. Nothing is
    written where nothing changes. Raises VersionConflict `rule_notes_changed` with what
    stands now, or DomainError `bad_rule_notes` with every fault (params: faults, by topic): a text
    longer than 1,000 characters, English without Dutch, an unknown topic.
    """
    club = club_lock(club.pk)
    standing = rule_notes_of(club)
    wanted = {topic: NoteText(*map(_tidy, note)) for topic, note in notes.items()}
    changed = {
        topic: note for topic, note in wanted.items() if note != standing.get(topic, NOTHING)
    }
    if not changed:
        return
    if rule_notes_mark(standing) != seen:
        raise VersionConflict(
            "rule_notes_changed",
            _("Somebody else changed these rules meanwhile."),
            current=standing,
        )
    _write(club, changed)
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="rule_notes_saved",
        object_ref=f"club:{club.uuid}",
        data={"topics": sorted(changed)},
        texts=_texts(changed),
    )


def _write(club: Club, changed: Notes) -> None:
    said = {topic: note for topic, note in changed.items() if any(note)}
    faults = {topic: found for topic, note in said.items() if (found := list(_faults(topic, note)))}
    if faults:
        raise DomainError(
            "bad_rule_notes", _("These rules cannot be kept like this."), faults=faults
        )
    RuleNote.objects.filter(club=club, topic__in=changed).delete()
    RuleNote.objects.bulk_create(
        RuleNote(club=club, topic=topic, **note._asdict()) for topic, note in said.items()
    )


def _faults(topic: str, note: NoteText) -> Iterator[str]:
    if topic not in RuleNote.Topic.values:
        yield _("There is no such topic.")
    if not note.text:
        yield _("Write it in Dutch too: most people read these rules in Dutch.")
    if max(map(len, note)) > LONGEST_NOTE:
        yield _("Write at most %(n)s characters.") % {"n": LONGEST_NOTE}


def _texts(changed: Notes) -> dict[str, str]:
    """What the trail keeps of the words: each text under its topic, in English with `_en`."""
    return {topic: note.text for topic, note in changed.items()} | {
        f"{topic}_en": note.text_en for topic, note in changed.items()
    }


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
