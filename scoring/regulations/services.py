"""A club's regulations and its notes on the rules.

A regulation that a sheet uses never changes; a change makes a new version.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import name_key
from scoring import rules
from scoring.display.words import reader_language
from scoring.models import Regulation, RuleNote

Settings = Mapping[str, object]
LONGEST_NOTE: Final = 1000


@transaction.atomic
def regulation_add(*, club: Club, name: str, preset: str, actor: Actor) -> Regulation:
    """Add a regulation to the club that starts as the preset.

    Raises DomainError `bad_regulation` for an unknown preset, `name_taken` when the club has a
    regulation of that name (ignoring case), `name_missing` or `name_too_long` (60).
    """
    name = _checked_name(name)
    if Regulation.objects.filter(club=club_lock(club.pk), name__iexact=name).exists():
        raise DomainError("name_taken", _("There is already a regulation of that name."))
    return regulation_save(club=club, name=name, settings={"preset": preset}, actor=actor)


@transaction.atomic
def regulation_save(
    *, club: Club, name: str, settings: Settings, actor: Actor, seen: Settings | None = None
) -> Regulation:
    """Give the club's regulation `name` these settings, and return it.

    Nothing changes when the newest version has them already; it is changed in place when no sheet
    uses it; otherwise a new version is made. `seen` are the settings that the editor saw; without
    it, whatever stands is replaced.

    Raises VersionConflict `regulation_changed` (params: current) when the settings have changed
    since, DomainError `bad_regulation` with everything that is wrong with the settings,
    `name_missing` or `name_too_long` (60).
    """
    name = _checked_name(name)
    wanted = _complete(settings)
    club = club_lock(club.pk)
    newest = Regulation.objects.filter(club=club, name=name).order_by("-version").first()
    stands = _complete(newest.settings) if newest else None
    if newest and seen is not None and stands != _complete(seen):
        raise VersionConflict(
            "regulation_changed",
            _("Somebody else has changed this regulation in the meantime."),
            current=newest,
        )
    if newest and stands == wanted:
        return newest
    regulation = _stored(club, name, newest, wanted)
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="regulation_saved",
        object_ref=f"regulation:{regulation.pk}",
        data={"version": regulation.version, "settings": wanted},
        texts={"name": name},
    )
    return regulation


def regulation_from_preset(*, club: Club, preset: str, actor: Actor) -> Regulation:
    """The club's regulation that is exactly the preset, created if there is none.

    A regulation with the preset's name and other settings is left as it is.
    Raises DomainError `bad_regulation` when there is no such preset.
    """
    wanted = _complete({"preset": preset})
    name = rules.preset_name(preset, "nl")
    same_name = list(Regulation.objects.filter(club=club, name=name).order_by("-version"))
    alike = [version for version in same_name if _complete(version.settings) == wanted]
    if alike:
        return alike[0]
    if same_name:
        name = f"{name} ({preset})"
    return regulation_save(club=club, name=name, settings=wanted, actor=actor)


PRESET = "preset:"


def regulation_chosen(*, club: Club, chosen: str, actor: Actor) -> Regulation:
    """The regulation with this id, or the preset of this name as one of the club's own."""
    if chosen.startswith(PRESET):
        preset = chosen.removeprefix(PRESET)
        return regulation_from_preset(club=club, preset=preset, actor=actor)
    return Regulation.objects.get(club=club, pk=chosen)


def regulation_named(*, club: Club, name: str) -> Regulation:
    """The club's own regulation of this name, however it is spelt: its newest version, or the one
    that the name ends with, as in `Leids (2)`.

    Raises DomainError `regulation_unknown` with the names that there are.
    """
    wanted = name_key(name)
    versions = list(Regulation.objects.filter(club=club).order_by("name", "-version"))
    for spelt in ("{0.name}", "{0.name} ({0.version})"):
        for regulation in versions:
            if name_key(spelt.format(regulation)) == wanted:
                return regulation
    names = [*rules.PRESETS, *dict.fromkeys(regulation.name for regulation in versions)]
    message = _("There is no regulation called “%(name)s”. There are: %(names)s.")
    words = {"name": name, "names": ", ".join(names)}
    raise DomainError("regulation_unknown", message % words)


def _stored(
    club: Club, name: str, newest: Regulation | None, settings: dict[str, object]
) -> Regulation:
    """Store the settings: in the newest version, or in a new one when a sheet uses that."""
    if newest is None or newest.is_used:
        version = newest.version + 1 if newest else 1
        return Regulation.objects.create(club=club, name=name, version=version, settings=settings)
    newest.settings = settings
    newest.save(update_fields=["settings"])
    return newest


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(name) > 60:
        raise DomainError("name_too_long", _("The name may have at most 60 characters."))
    return name


def _complete(settings: Settings) -> dict[str, object]:
    """All settings, with those of the preset where none is given."""
    try:
        return dict(rules.parse_regulation(dict(settings)).as_settings())
    except rules.InvalidDeal as invalid:
        language = reader_language()
        raise DomainError(
            "bad_regulation",
            _("These settings contradict each other."),
            faults=[rules.fault_message(fault, language) for fault in invalid.faults],
        ) from invalid


# A club's own notes on the rules that no setting covers.


class NoteText(NamedTuple):
    """A club's note on one topic, in Dutch and English; empty where there is none."""

    text: str
    text_en: str


Notes = Mapping[str, NoteText]
NOTHING = NoteText("", "")


def rule_notes_of(club: Club) -> dict[str, NoteText]:
    """The club's note on every topic, in reading order. One query."""
    notes = {
        note.topic: NoteText(note.text, note.text_en) for note in RuleNote.objects.filter(club=club)
    }
    return {topic: notes.get(topic, NOTHING) for topic in RuleNote.Topic.values}


@transaction.atomic
def rule_notes_save(*, club: Club, notes: Notes, seen_version: int, actor: Actor) -> None:
    """Replace the notes that stood when the club's `rule_notes_version` was `seen_version`.

    Lines are stripped and a topic that is left out stays as it is; without a change nothing is
    written. Raises VersionConflict `rule_notes_changed` with the notes as they stand, or
    DomainError `bad_rule_notes` with every fault (params: faults, by topic): a text longer than
    1,000 characters, English without Dutch, an unknown topic.
    """
    club = club_lock(club.pk)
    standing = rule_notes_of(club)
    wanted = {topic: NoteText(*map(_tidy, note)) for topic, note in notes.items()}
    changed = {
        topic: note for topic, note in wanted.items() if note != standing.get(topic, NOTHING)
    }
    if not changed:
        return
    if club.rule_notes_version != seen_version:
        raise VersionConflict(
            "rule_notes_changed",
            _("Somebody else changed these rules in the meantime."),
            current=standing,
        )
    _write(club, changed)
    club.rule_notes_version += 1
    club.save(update_fields=["rule_notes_version"])
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="rule_notes_saved",
        object_ref=f"club:{club.uuid}",
        data={"topics": sorted(changed)},
        texts=_trail_texts(changed),
    )


def _write(club: Club, changed: Notes) -> None:
    notes = {topic: note for topic, note in changed.items() if any(note)}
    checked = {topic: list(_faults(topic, note)) for topic, note in notes.items()}
    faults = {topic: sentences for topic, sentences in checked.items() if sentences}
    if faults:
        raise DomainError(
            "bad_rule_notes", _("These rules cannot be saved like this."), faults=faults
        )
    RuleNote.objects.filter(club=club, topic__in=changed).delete()
    RuleNote.objects.bulk_create(
        RuleNote(club=club, topic=topic, **note._asdict()) for topic, note in notes.items()
    )


def _faults(topic: str, note: NoteText) -> Iterator[str]:
    if topic not in RuleNote.Topic.values:
        yield _("There is no such topic.")
    if not note.text:
        yield _("Write it in Dutch too: most people read these rules in Dutch.")
    if max(map(len, note)) > LONGEST_NOTE:
        yield _("Write at most %(n)s characters.") % {"n": LONGEST_NOTE}


def _trail_texts(changed: Notes) -> dict[str, str]:
    """The texts for the trail: each under its topic, English ones under the topic with `_en`."""
    return {topic: note.text for topic, note in changed.items()} | {
        f"{topic}_en": note.text_en for topic, note in changed.items()
    }


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
