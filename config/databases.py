"""The databases and the caches in front that the environment names."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()
Database = dict[str, Any]


def databases_of(folder: Path, pool_size: int) -> dict[str, Database]:
    """The database that is written, and where there is one the copy that follows it and is read. A
    file of SQLite is in `folder`, unless other settings say so. Raises ImproperlyConfigured."""
    primary = _primary(folder, pool_size)
    url = env.str("READ_DATABASE_URL", default="")
    if not url:
        return {"default": primary}
    config: dict[str, Any] = environ.Env.db_url_config(url)
    if primary["ENGINE"] != "clubs.postgresql" or not config["ENGINE"].endswith(".postgresql"):
        raise ImproperlyConfigured(
            "READ_DATABASE_URL: a copy can only follow PostgreSQL; both must be postgres://"
        )
    # Whoever reads need not wait for it: the primary answers where it does not.
    copy = _postgresql(config, patience=1, pool_size=pool_size)
    return {"default": primary, "replica": {**copy, "TEST": {"MIRROR": "default"}}}


def shared_caches(databases: Mapping[str, Database]) -> list[str]:
    """The addresses at which caches in front hear what to forget. Raises ImproperlyConfigured."""
    given: list[str] = env.list("SHARED_CACHES", default=[])
    for address in given:
        if not re.fullmatch(r"http://[^/?#@\s]+/?", address):
            raise ImproperlyConfigured(
                f"SHARED_CACHES: must look like http://127.0.0.1:6081, not {address!r}"
            )
    if given and "replica" in databases:
        raise ImproperlyConfigured(
            "SHARED_CACHES: not with READ_DATABASE_URL: a cache would keep what the copy of the"
            " database does not know yet"
        )
    return given


def _primary(folder: Path, pool_size: int) -> Database:
    """The database of `DATABASE_URL`, set up so that many phones can write at once."""
    url = env.str("DATABASE_URL", default="")
    # Not as a URL, in which some names of folders would mean something else.
    ours = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "klaverclub.sqlite3")}
    config: dict[str, Any] = {"ENGINE": "", **(environ.Env.db_url_config(url) if url else ours)}
    if config["ENGINE"] == "django.db.backends.sqlite3":
        if Path(config["NAME"]).parent == folder:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Without IMMEDIATE a read-then-write transaction fails at once when another one writes.
        # FULL: a deal that was acknowledged survives a power cut.
        # Secure delete: what is deleted is overwritten, so that whoever is erased is gone.
        pragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;"
        options = {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": pragmas}
        queued = {"ENGINE": "clubs.sqlite3", "CONN_MAX_AGE": None, "OPTIONS": options}
        return {**config, **queued}
    if config["ENGINE"] == "django.db.backends.postgresql":
        return _postgresql(config, patience=2, pool_size=pool_size)
    raise ImproperlyConfigured("DATABASE_URL: only sqlite:// and postgres:// are supported")


def _postgresql(config: Database, *, patience: int, pool_size: int) -> Database:
    # A database that comes back is found again at once, and a connection that it cut is no
    # longer handed out.
    pool: dict[str, Any] = {"min_size": 1, "max_size": pool_size, "timeout": patience}
    pool["reconnect_timeout"] = 2
    given = config.get("OPTIONS", {})
    # Of several machines, the one that can be written.
    is_one_of_several = "," in config["HOST"] and "target_session_attrs" not in given
    if is_one_of_several:
        from clubs.postgresql.base import WritableConnection

        pool["connection_class"] = WritableConnection
    # The same few statements come again and again: planned once they cost a fifth less a save,
    # and compiling one takes longer than any of them.
    are_kept = env.bool("DB_PREPARED_STATEMENTS", default=True)
    planned = {"server_side_binding": True, "prepare_threshold": 4 if are_kept else None}
    # As long as SQLite waits: whoever forgets a transaction would hold every thread for ever.
    at_start = {"options": "-c jit=off -c lock_timeout=20s"}
    return {
        **config,
        "ENGINE": "clubs.postgresql",
        # Of several machines each connection is looked at anyway, before it is used.
        "CONN_HEALTH_CHECKS": not is_one_of_several,
        "DISABLE_SERVER_SIDE_CURSORS": not are_kept,
        "OPTIONS": {**planned, **at_start, **given, "pool": pool},
    }
