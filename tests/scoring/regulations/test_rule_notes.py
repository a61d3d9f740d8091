"""A club's own rules: kept whole, told in the trail, never silently overwritten."""

import pytest

from clubs.models import AuditEvent, Club
from clubs.text.errors import DomainError, VersionConflict
from scoring.models import RuleNote
from scoring.regulations.services import NoteText, rule_notes_of, rule_notes_save
from tests.factories import TESTS, ClubFactory

pytestmark = pytest.mark.django_db

DEALING = NoteText("Gedeeld wordt 3-2-3.", "Cards are dealt 3-2-3.")
COUNTING = NoteText("De tegenpartij telt.", "")
NOTHING = NoteText("", "")


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def version(club: Club) -> int:
    club.refresh_from_db()
    return club.rule_notes_version


def save(club: Club, **notes: NoteText) -> None:
    rule_notes_save(club=club, notes=notes, seen_version=version(club), actor=TESTS)


def message(club: Club) -> list[AuditEvent]:
    return list(club.audit_events.filter(action="rule_notes_saved").order_by("number"))


def test_a_new_club_says_nothing_about_any_topic(club: Club) -> None:
    assert rule_notes_of(club) == {
        "dealing": NOTHING,
        "signalling": NOTHING,
        "out_of_turn": NOTHING,
        "counting": NOTHING,
        "other": NOTHING,
    }


def test_notes_are_kept_changed_and_taken_off(club: Club) -> None:
    save(club, dealing=DEALING, counting=COUNTING)
    save(club, counting=NoteText("De schrijver telt.", ""), dealing=NOTHING)
    found = {topic: note for topic, note in rule_notes_of(club).items() if any(note)}
    assert found == {"counting": NoteText("De schrijver telt.", "")}


def test_a_topic_that_is_left_out_stays_as_it_was(club: Club) -> None:
    save(club, dealing=DEALING)
    save(club, counting=COUNTING)
    assert rule_notes_of(club)["dealing"] == DEALING


def test_lines_are_kept_and_loose_spaces_are_not(club: Club) -> None:
    save(club, other=NoteText("\n  Koffie om negen. \r\n\r\nDan verder.\t\n", " "))
    assert rule_notes_of(club)["other"] == NoteText("Koffie om negen.\n\nDan verder.", "")


def test_the_trail_holds_the_words_apart_so_that_they_can_be_erased(club: Club) -> None:
    save(club, dealing=DEALING)
    save(club, dealing=NOTHING, counting=COUNTING)
    first, second = message(club)
    assert (first.data, second.data) == (
        {"topics": ["dealing"]},
        {"topics": ["counting", "dealing"]},
    )
    texts = [{text.field: text.text for text in event.texts.all()} for event in (first, second)]
    assert texts == [
        {"dealing": DEALING.text, "dealing_en": DEALING.text_en, "actor": "tests"},
        {"counting": COUNTING.text, "actor": "tests"},
    ]


def test_no_change_is_no_event(club: Club) -> None:
    save(club, dealing=DEALING)
    rule_notes_save(club=club, notes={"dealing": DEALING}, seen_version=0, actor=TESTS)
    assert len(message(club)) == 1


def test_who_saw_older_notes_is_told_what_stands_now(club: Club) -> None:
    before = version(club)
    save(club, dealing=DEALING)
    with pytest.raises(VersionConflict) as caught:
        rule_notes_save(club=club, notes={"counting": COUNTING}, seen_version=before, actor=TESTS)
    assert caught.value.code == "rule_notes_changed"
    assert caught.value.params["current"] == rule_notes_of(club)
    assert rule_notes_of(club)["counting"] == NOTHING
    assert len(message(club)) == 1


def test_every_fault_is_named_and_nothing_is_half_kept(club: Club) -> None:
    save(club, dealing=DEALING)
    notes = {
        "dealing": NOTHING,
        "signalling": NoteText("x" * 1001, ""),
        "counting": NoteText("", "The defenders count."),
        "betting": NoteText("Nooit om geld.", ""),
    }
    with pytest.raises(DomainError) as caught:
        rule_notes_save(club=club, notes=notes, seen_version=version(club), actor=TESTS)
    assert caught.value.code == "bad_rule_notes"
    assert set(caught.value.params["faults"]) == {"signalling", "counting", "betting"}  # type: ignore[call-overload]
    assert rule_notes_of(club)["dealing"] == DEALING
    assert RuleNote.objects.count() == 1


def test_notes_that_are_put_back_are_a_change_too(club: Club) -> None:
    save(club, dealing=DEALING)
    before = version(club)
    save(club, dealing=NoteText("Anders.", ""))
    save(club, dealing=DEALING)
    with pytest.raises(VersionConflict):
        rule_notes_save(club=club, notes={"counting": COUNTING}, seen_version=before, actor=TESTS)
