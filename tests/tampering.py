"""What only somebody with the database in his hands can do: past the triggers that guard it."""

from django.db import DEFAULT_DB_ALIAS, connections

from clubs.audit.guards import drop_sql, triggers


def triggers_lift(using: str = DEFAULT_DB_ALIAS) -> None:
    """Take all triggers away; a test that takes back what it did puts them back as well."""
    connection = connections[using]
    if connection.in_atomic_block:
        connection.check_constraints()
    with connection.cursor() as cursor:
        for trigger in triggers(connection):
            cursor.execute(drop_sql(trigger, connection))
