"""A database backend for PostgreSQL that may be several machines, of which one can be written.

Where `DATABASE_URL` names more than one, each connection is asked whether it can write before it is
used: one that stays open, through PgBouncer, may lead to what was the primary until a moment ago.
`target_session_attrs=read-write` does not do: PgBouncer tells who connects what a machine said of
itself at some time before.
"""

import time
from typing import Any

from django.db import OperationalError
from django.db.backends.postgresql import base
from psycopg import Error


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is looked at before it is used, where it must be one that can write."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection; where several machines are named, one that can be written, unless this is
        for reading."""
        settings = self.settings_dict
        if "," not in settings["HOST"] or "target_session_attrs" in settings["OPTIONS"]:
            return super().get_new_connection(conn_params)
        until = time.monotonic() + settings["OPTIONS"]["pool"]["timeout"]
        while True:
            connection = super().get_new_connection(conn_params)
            if _can_write(connection):
                return connection
            # The pool puts another one in its place.
            connection.close()
            self.pool.putconn(connection)
            if time.monotonic() > until:
                raise OperationalError("None of the databases can be written.")


def _can_write(connection: Any) -> bool:
    try:
        connection.autocommit = True
        row = connection.execute("SHOW transaction_read_only").fetchone()
    except Error:
        return False
    return bool(row == ("off",))
