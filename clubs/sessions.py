"""Sessions, kept in the database under keys as we make them and no others."""

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore


class SessionStore(DatabaseStore):
    """As Django's; a cookie that cannot be one of ours is no session, and asked for nowhere.

    PostgreSQL refuses to look for some characters at all, which was a fault of the server.
    """

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and len(key) == 32 and key.isascii() and key.isalnum()
