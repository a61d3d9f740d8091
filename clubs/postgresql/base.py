"""A database backend for PostgreSQL that may be several machines, of which one can be written."""

import time
from typing import Any

from django.db import OperationalError
from django.db.backends.postgresql import base

from clubs.postgresql.connections import can_write


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is looked at before it is used, where it must be one that can write: one
    that stayed open, through PgBouncer, may lead to what was the primary until a moment ago."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection; where several machines are named, one that can be written, unless this is
        for reading."""
        pool = self.settings_dict["OPTIONS"].get("pool", {})
        if "connection_class" not in pool:
            return super().get_new_connection(conn_params)
        until = time.monotonic() + pool["timeout"]
        while True:
            connection = super().get_new_connection(conn_params)
            if can_write(connection):
                return connection
            # The pool puts another one in its place.
            connection.close()
            self.pool.putconn(connection)
            if time.monotonic() > until:
                raise OperationalError("None of the databases can be written.")
