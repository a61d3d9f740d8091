"""A connection to whichever of several machines can be written: that of last time first."""

from typing import Any, ClassVar, Self

import psycopg


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
