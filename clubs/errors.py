"""Errors a person can do something about: a code for programs, a sentence for people."""

from collections.abc import Mapping


class DomainError(Exception):
    """A request that the rules of the house refuse; nothing has been written.

    `code` is stable and machine-readable, `message` is translated and says what to do,
    `params` holds what the message was made from (such as the value that stands now).
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.params: Mapping[str, object] = params


class VersionConflict(DomainError):
    """Somebody else was first: `params["current"]` is what stands now (HTTP 409)."""


class KeyReused(DomainError):
    """An idempotency key came back with other content (HTTP 422)."""
