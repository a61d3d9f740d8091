"""Errors that users can do something about: a code for programs, a sentence for people."""

from collections.abc import Iterator, Mapping


class DomainError(Exception):
    """A request that the rules refuse; nothing has been written.

    `code` is stable and machine-readable, `message` is translated and says what to do,
    `params` holds what the message was made from (such as the value that stands now).
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.params: Mapping[str, object] = params

    def field_errors(self) -> Iterator[tuple[str, str, str]]:
        """The errors by field, where that is known: field, code and sentence."""
        faults = self.params.get("faults")
        if isinstance(faults, Mapping):
            for field, messages in faults.items():
                path = "" if field == "__all__" else str(field)
                yield from ((path, "invalid", str(message)) for message in messages)


class VersionConflict(DomainError):
    """Somebody else wrote first: `params["current"]` is what stands now (HTTP 409)."""


class KeyReused(DomainError):
    """An idempotency key came back with other content (HTTP 422)."""
