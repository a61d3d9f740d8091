"""What happened can be added to and never changed: the database refuses every other statement."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, models, transaction

from clubs.audit.guards import (
    triggers,
    triggers_changed,
    triggers_install,
    triggers_missing,
)
from clubs.audit.services import event_append
from clubs.models import AuditEvent, Club
from scoring.models import DealEntry
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.tampering import triggers_lift

pytestmark = [pytest.mark.django_db, pytest.mark.both]

Column: TypeAlias = "models.Field[Any, Any]"

EVENTS, ENTRIES = "clubs_auditevent", "scoring_dealentry"
BY_UPDATE = "ON CONFLICT (id) DO UPDATE SET action = 'x'"
BOTH = [
    (EVENTS, f"UPDATE {EVENTS} SET action = 'x'"),
    (EVENTS, f"UPDATE {EVENTS} SET hash = hash"),
    (EVENTS, f"DELETE FROM {EVENTS}"),
    (EVENTS, f"DELETE FROM {EVENTS} WHERE number = 1"),
    (ENTRIES, f"UPDATE {ENTRIES} SET reason = 'x'"),
    (ENTRIES, f"UPDATE {ENTRIES} SET revision = revision + 7"),
]
ONLY: dict[str, list[tuple[str, str]]] = {
    "sqlite": [
        (EVENTS, f"INSERT OR REPLACE INTO {EVENTS} SELECT * FROM {EVENTS}"),
        (EVENTS, f"REPLACE INTO {EVENTS} SELECT * FROM {EVENTS} WHERE number = 1"),
        (ENTRIES, f"INSERT OR REPLACE INTO {ENTRIES} SELECT * FROM {ENTRIES}"),
    ],
    "postgresql": [
        (EVENTS, f"TRUNCATE {EVENTS} CASCADE"),
        (ENTRIES, f"TRUNCATE {ENTRIES} CASCADE"),
        (EVENTS, "TRUNCATE clubs_club CASCADE"),
        (EVENTS, f"INSERT INTO {EVENTS} SELECT * FROM {EVENTS} {BY_UPDATE}"),
    ],
}


def refusal(sql: str) -> str:
    """What the database says when it refuses this."""
    with (
        pytest.raises(IntegrityError) as caught,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)
    return str(caught.value).splitlines()[0]


def test_no_statement_changes_what_happened() -> None:
    write_deal(table(evening_with_draw()), 1)
    connection.check_constraints()
    before = list(AuditEvent.objects.order_by("pk").values())
    for name, sql in BOTH + ONLY[connection.vendor]:
        said = refusal(sql)
        assert said.startswith("What happened is kept: "), sql
        assert said.endswith(f" of {name} is refused."), sql
    assert list(AuditEvent.objects.order_by("pk").values()) == before
    assert DealEntry.objects.get().reason == ""


def test_the_words_of_a_refusal() -> None:
    ClubFactory.create()
    assert refusal(f"DELETE FROM {EVENTS}") == (
        "What happened is kept: DELETE of clubs_auditevent is refused."
    )


@pytest.mark.parametrize(
    "act",
    [
        lambda: AuditEvent.objects.update(action="x"),
        lambda: AuditEvent.objects.all().delete(),
        lambda: AuditEvent.objects.get().save(),
    ],
)
def test_the_program_itself_cannot_either(act: Callable[[], object]) -> None:
    ClubFactory.create()
    with pytest.raises(IntegrityError, match="What happened is kept"), transaction.atomic():
        act()


def test_the_same_number_in_a_chain_is_refused_whatever_the_trigger_says() -> None:
    club = ClubFactory.create()
    Club.objects.update(chain_length=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        event_append(chain=club, club=club, actor=TESTS, action="tried", object_ref="x")


def test_every_trigger_is_there_after_the_last_migration() -> None:
    assert triggers_missing() == triggers_changed() == []
    names = [trigger.name for trigger in triggers(connection)]
    assert len(names) == len(set(names)) == 11


def test_whoever_lifts_one_is_found_out_and_migrating_puts_it_back() -> None:
    triggers_lift()
    assert triggers_missing() == [trigger.name for trigger in triggers(connection)]
    triggers_install()
    assert triggers_missing() == []


def test_a_trigger_that_is_switched_off_or_gone_is_missing() -> None:
    """PostgreSQL can switch one off and leave it there; SQLite can only drop it."""
    update, delete = (f"{EVENTS}_no_{act}" for act in ("update", "delete"))
    silence = {
        "postgresql": [f"ALTER TABLE {EVENTS} DISABLE TRIGGER {name}" for name in (update, delete)],
        "sqlite": [f"DROP TRIGGER {name}" for name in (update, delete)],
    }
    with connection.cursor() as cursor:
        for statement in silence[connection.vendor]:
            cursor.execute(statement)
    assert triggers_missing() == [update, delete]


@pytest.mark.django_db(transaction=True)
def test_a_rebuilt_table_gets_its_triggers_back_from_migrating() -> None:
    """As the next migration of this table will do on SQLite."""
    model, column, wider = _longer_action()
    with connection.schema_editor() as editor:
        editor.alter_field(model, column, wider)
    if connection.vendor == "sqlite":
        assert triggers_missing() == [
            f"{EVENTS}_no_{act}" for act in ("update", "replace", "delete")
        ]
    with connection.schema_editor() as editor:
        editor.alter_field(model, wider, column)
    call_command("migrate", verbosity=0)
    assert triggers_missing() == []


def _longer_action() -> tuple[type[AuditEvent], Column, Column]:
    """The model, its column for the action as it is, and as a wider one."""
    before = AuditEvent._meta.get_field("action")
    after = before.clone()
    after.max_length = 41
    after.set_attributes_from_name("action")
    return AuditEvent, before, after


@pytest.mark.django_db(transaction=True)
def test_emptying_the_whole_database_is_refused_outside_of_tests(
    real_flush: Callable[..., object],
) -> None:
    ClubFactory.create()
    with pytest.raises(CommandError) as caught:
        real_flush()
    assert "What happened is kept" in str(caught.value.__cause__)
    assert Club.objects.count() == 1


def replaced_by(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


NAME = f"{EVENTS}_no_update"
EMPTY: dict[str, list[tuple[str, ...]]] = {
    "sqlite": [
        (
            f"DROP TRIGGER {NAME}",
            f"CREATE TRIGGER {NAME} BEFORE UPDATE ON {EVENTS} BEGIN SELECT 1; END",
        ),
        (
            f"DROP TRIGGER {NAME}",
            (
                f"CREATE TRIGGER {NAME} BEFORE UPDATE ON {EVENTS} WHEN NEW.id < 0"
                " BEGIN SELECT RAISE(ABORT, 'no'); END"
            ),
        ),
    ],
    "postgresql": [
        (
            (
                "CREATE FUNCTION let_through() RETURNS trigger LANGUAGE plpgsql"
                " AS $$BEGIN RETURN NEW; END$$"
            ),
            f"DROP TRIGGER {NAME} ON {EVENTS}",
            (
                f"CREATE TRIGGER {NAME} BEFORE UPDATE ON {EVENTS}"
                " FOR EACH ROW EXECUTE FUNCTION let_through()"
            ),
        ),
        (
            f"DROP TRIGGER {NAME} ON {EVENTS}",
            (
                f"CREATE TRIGGER {NAME} BEFORE UPDATE ON {EVENTS}"
                " FOR EACH ROW WHEN (NEW.id < 0) EXECUTE FUNCTION refuse_to_change()"
            ),
        ),
    ],
}


@pytest.mark.parametrize("way", [0, 1])
def test_a_trigger_of_the_same_name_that_refuses_nothing_is_found_out(way: int) -> None:
    replaced_by(*EMPTY[connection.vendor][way])
    assert (triggers_missing(), triggers_changed()) == ([], [NAME])
    triggers_install()
    assert triggers_changed() == []


def test_a_function_that_refuses_nothing_is_found_out() -> None:
    """On PostgreSQL all triggers call one function; on SQLite each has its own body."""
    if connection.vendor == "sqlite":
        return
    replaced_by(
        "CREATE OR REPLACE FUNCTION refuse_to_change() RETURNS trigger LANGUAGE plpgsql"
        " AS $$BEGIN RETURN NULL; END$$"
    )
    assert triggers_changed() == [trigger.name for trigger in triggers(connection)]
    triggers_install()
    assert triggers_changed() == []
