"""A database backend for PostgreSQL that may be several machines, of which one can be written.

Where `DATABASE_URL` names more than one, `target_session_attrs=read-write` finds the one that can be
written, but only for new connections. One that stays open, through PgBouncer, may lead to what was
the primary until a moment ago.
"""

import time
from typing import Any

from django.db import OperationalError
from django.db.backends.postgresql import base
from psycopg import Error


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is looked at before it is used, where it must be one that can write."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection; where several machines are named, one that can be written."""
        if self.settings_dict["OPTIONS"].get("target_session_attrs") != "read-write":
            return super().get_new_connection(conn_params)
        until = time.monotonic() + self.settings_dict["OPTIONS"]["pool"]["timeout"]
        while True:
            connection = super().get_new_connection(conn_params)
            if _can_write(connection):
                return connection
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
