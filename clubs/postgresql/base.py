"""A database backend for PostgreSQL that may be several machines, of which one can be written."""

import time
from typing import Any, ClassVar, Self

import psycopg
from django.db import OperationalError
from django.db.backends.postgresql import base


class WritableConnection(psycopg.Connection[Any]):
    """Where several hosts are named, it is made to one that says itself that it can be written.

    `target_session_attrs=read-write` does not do: PgBouncer tells who connects what its machine
    said of itself at some time before.
    """

    last_host: ClassVar[str] = ""

    @classmethod
    def connect(cls, conninfo: str = "", **given: Any) -> Self:
        """Ask each machine in turn. Raises OperationalError where none can be written."""
        hosts = str(given.pop("host", "")).split(",")
        ports = str(given.pop("port", "")).split(",")
        if len(hosts) == 1:
            return super().connect(conninfo, host=hosts[0], port=ports[0] or None, **given)
        pairs = list(
            zip(hosts, ports if len(ports) == len(hosts) else ports * len(hosts), strict=False)
        )
        for host, port in sorted(pairs, key=lambda pair: pair[0] != cls.last_host):
            try:
                made = super().connect(conninfo, host=host, port=port or None, **given)
            except psycopg.OperationalError:
                continue
            if can_write(made):
                cls.last_host = host
                return made
            made.close()
        raise psycopg.OperationalError("None of the databases can be written.")


def can_write(connection: psycopg.Connection[Any]) -> bool:
    """Whether this is the machine that can be written, as it says itself."""
    try:
        connection.autocommit = True
        row = connection.execute("SHOW transaction_read_only").fetchone()
    except psycopg.Error:
        return False
    return row == ("off",)


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
